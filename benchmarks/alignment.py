"""Align cases made by the shared generator, or a film spoken by a machine, and print how well.

    python benchmarks/alignment.py --cases CASES --out PREDICTIONS [--peer ffsubsync]
    python benchmarks/alignment.py --speak CUES.srt --out FOLDER [--minutes 30]

A case is a folder with `corpus.srt` (annotation clock), `copy.srt` or `speech.json` (copy clock)
and `truth.json`. Writes PREDICTIONS/<case>.json with `pieces` or `refused`, `confidence` and
`seconds`, and prints per trait how many succeed, wrong answers, refusals, error and
CPU time. With `--peer` the same cases go through ffsubsync too, side by side.

With `--speak` the cues are spoken by espeak-ng with music and noise under them, muxed into a
container with video, decoded, and aligned by speech activity alone.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from alignment_peer import ffsubsync
from alignment_speech import report_spoken
from gazeline.alignment.activity import spoken_spans
from gazeline.alignment.candidates import by_evidence
from gazeline.alignment.clocks import Clocks, CorpusClock
from gazeline.alignment.sources import Dialogue, Source, Timing
from gazeline.params.alignment import AlignParams
from gazeline.subtitles.reading.read import Cue, read_subtitles
from gazeline.timeline.maps import TimeMap

LIMIT_S = 0.5
TAIL_S = 30.0
RESULTS = ("ok", "off", "refused", "accepted")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=Path, help="folder of cases")
    parser.add_argument("--out", type=Path, required=True, help="folder for what is made")
    parser.add_argument("--peer", help="ffsubsync, or the path of its executable")
    parser.add_argument("--every", type=int, default=1, help="only every n-th case")
    parser.add_argument("--per-case", action="store_true", help="also print every case that failed")
    parser.add_argument("--speak", type=Path, help="subtitle file to speak instead of cases")
    parser.add_argument("--minutes", type=float, default=30.0, help="how much of it to speak")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.speak is not None:
        report_spoken(arguments.speak, arguments.out, arguments.minutes)
        return
    if arguments.cases is None:
        parser.error("give --cases or --speak")
    folders = sorted(p.parent for p in arguments.cases.glob("*/truth.json"))[:: arguments.every]
    ours, theirs = [], []
    for folder in folders:
        ours.append(run_case(folder, arguments.out))
        if arguments.peer:
            theirs.append(run_peer(folder, arguments.out, arguments.peer))
        if arguments.per_case and ours[-1]["result"] != "ok":
            print({k: v for k, v in ours[-1].items() if k != "traits"}, flush=True)
    print_table(ours, theirs)


def run_case(folder: Path, out: Path) -> dict:
    """Align one case as a film is aligned, but without knowing how long the copy is."""
    corpus = read_subtitles(folder / "corpus.srt").cues
    sources = list(sources_of_case(folder))
    duration_s = max(c.end_s for c in corpus) + TAIL_S
    params = AlignParams()
    begin = time.process_time()
    clock = CorpusClock(corpus, duration_s, Fraction(24))
    found, _ = by_evidence(clock, Clocks(duration_s), sources, params)
    seconds = time.process_time() - begin
    confidence = found.confidence if found else 0.0
    given = found.time_map if found and confidence >= params.min_confidence else None
    prediction = {"confidence": confidence, "seconds": seconds}
    prediction |= {"refused": True} if given is None else {"pieces": given.to_json()}
    (out / f"{folder.name}.json").write_text(json.dumps(prediction), encoding="utf-8")
    return score(folder, corpus, given) | {
        "confidence": confidence,
        "seconds": seconds,
        "evidence": found.evidence if found else "nothing that tells",
    }


def sources_of_case(folder: Path) -> Iterator[Source]:
    if (folder / "copy.srt").is_file():
        cues = read_subtitles(folder / "copy.srt").cues
        yield Dialogue(cues, "copy.srt")
        yield Timing(tuple(spoken_spans(cues)), "cues", "the timing of copy.srt")
    if (folder / "speech.json").is_file():
        spans = json.loads((folder / "speech.json").read_text(encoding="utf-8"))["intervals"]
        yield Timing(tuple((start, end) for start, end in spans), "speech", "speech.json")


def run_peer(folder: Path, out: Path, command: str) -> dict:
    corpus = read_subtitles(folder / "corpus.srt").cues
    begin = children_s()
    given = ffsubsync(folder, corpus, command)
    seconds = children_s() - begin
    prediction = {"refused": True} if given is None else {"pieces": given.to_json()}
    (out / "peer").mkdir(exist_ok=True)
    prediction |= {"seconds": seconds}
    (out / "peer" / f"{folder.name}.json").write_text(json.dumps(prediction), encoding="utf-8")
    return score(folder, corpus, given) | {"seconds": seconds}


def children_s() -> float:
    """Return the CPU time of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def score(folder: Path, corpus: tuple[Cue, ...], given: TimeMap | None) -> dict:
    """Compare a map, None for a refusal, with the truth: as the shared scorer does."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    row = {"case": folder.name, "traits": truth["traits"]}
    if truth["expected"] == "refuse":
        return row | {"result": "ok" if given is None else "accepted"}
    if given is None:
        return row | {"result": "refused"}
    real = TimeMap.from_json(truth["pieces"])
    errors, absent, phantom = [], 0, 0
    for cue in corpus:
        middle = (cue.start_s + cue.end_s) / 2
        wanted, found = real.to_copy(middle), given.to_copy(middle)
        if wanted is None:
            absent += 1
            phantom += found is not None
        else:
            errors.append(np.inf if found is None else abs(found - wanted))
    p95 = float(np.quantile(errors, 0.95, method="inverted_cdf"))
    row |= {"p95": p95, "result": "ok" if p95 < LIMIT_S else "off"}
    return row | ({"phantom": phantom / absent} if absent else {})


def print_table(ours: list[dict], theirs: list[dict]) -> None:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(ours):
        for name in dict.fromkeys([*row["traits"], "+".join(row["traits"]), "all"]):
            groups[name].append(index)
    head = f"{'trait':40}{'n':>5}{'ok':>5}{'off':>5}{'refd':>5}{'accd':>5}"
    head += f"{'p95 s':>8}{'worst':>8}{'phantom':>9}{'conf':>12}{'time s':>8}"
    print(head + (f"{'| peer ok':>12}{'wrong':>6}{'refd':>6}{'time s':>8}" if theirs else ""))
    for name, members in sorted(groups.items()):
        line = _ours([ours[i] for i in members])
        line += _theirs([theirs[i] for i in members]) if theirs else ""
        print(f"{name:40}{len(members):5}{line}")


def _ours(rows: list[dict]) -> str:
    counts = [sum(r["result"] == k for r in rows) for k in RESULTS]
    p95 = [r["p95"] for r in rows if "p95" in r]
    phantom = [r["phantom"] for r in rows if "phantom" in r]
    confidence = [r["confidence"] for r in rows]
    return (
        "".join(f"{c:5}" for c in counts)
        + (f"{np.median(p95):8.3f}{max(p95):8.3f}" if p95 else f"{'-':>8}{'-':>8}")
        + (f"{np.mean(phantom):9.2f}" if phantom else f"{'-':>9}")
        + f"  {min(confidence):.2f}..{max(confidence):.2f}"
        + f"{np.mean([r['seconds'] for r in rows]):8.2f}"
    )


def _theirs(rows: list[dict]) -> str:
    counts = {k: sum(r["result"] == k for r in rows) for k in RESULTS}
    wrong = counts["off"] + counts["accepted"]
    seconds = np.mean([r["seconds"] for r in rows])
    return f"   |{counts['ok']:8}{wrong:6}{counts['refused']:6}{seconds:8.2f}"


if __name__ == "__main__":
    main()
