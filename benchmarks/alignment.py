"""Align every case of a folder by its subtitles and print success per trait.

    python benchmarks/alignment.py --cases CASES --out PREDICTIONS

A case is a folder with `corpus.srt` (annotation clock), `copy.srt` (copy clock) and `truth.json`.
Writes PREDICTIONS/<case>.json with `pieces` or `refused`, `confidence` and `seconds`. Cases without
a `copy.srt` are left out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from gazeline.alignment.clocks import Clocks
from gazeline.alignment.text import TextMatch, align_text
from gazeline.subtitles.reading.read import Cue, read_subtitles
from gazeline.timeline.maps import TimeMap

MIN_CONFIDENCE = 0.5
LIMIT_S = 0.5
TAIL_S = 30.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--per-case", action="store_true", help="also print every case that failed")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for folder in sorted(p.parent for p in arguments.cases.glob("*/truth.json")):
        if (folder / "copy.srt").is_file():
            rows.append(run_case(folder, arguments.out))
            if arguments.per_case and rows[-1]["result"] != "ok":
                print({k: v for k, v in rows[-1].items() if k != "traits"})
    print_table(rows)


def run_case(folder: Path, out: Path) -> dict:
    corpus = read_subtitles(folder / "corpus.srt").cues
    copy = read_subtitles(folder / "copy.srt").cues
    begin = time.perf_counter()
    match = align_text(corpus, copy, Clocks(max(c.end_s for c in corpus) + TAIL_S))
    seconds = time.perf_counter() - begin
    refused = match.confidence < MIN_CONFIDENCE
    prediction = {"confidence": match.confidence, "seconds": seconds}
    prediction |= {"refused": True} if refused else {"pieces": match.time_map.to_json()}
    (out / f"{folder.name}.json").write_text(json.dumps(prediction), encoding="utf-8")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return score(folder.name, corpus, truth, match, refused) | {"seconds": seconds}


def score(case: str, corpus: tuple[Cue, ...], truth: dict, match: TextMatch, refused: bool) -> dict:
    row = {
        "case": case,
        "traits": truth["traits"],
        "confidence": match.confidence,
        "evidence": match.evidence.sentence(),
    }
    if truth["expected"] == "refuse":
        return row | {"result": "ok" if refused else "accepted"}
    if refused:
        return row | {"result": "refused"}
    real = TimeMap.from_json(truth["pieces"])
    errors, absent, phantom = [], 0, 0
    for cue in corpus:
        middle = (cue.start_s + cue.end_s) / 2
        wanted, given = real.to_copy(middle), match.time_map.to_copy(middle)
        if wanted is None:
            absent += 1
            phantom += given is not None
        else:
            errors.append(np.inf if given is None else abs(given - wanted))
    p95 = float(np.quantile(errors, 0.95, method="inverted_cdf"))
    row |= {"p95": p95, "result": "ok" if p95 < LIMIT_S else "off"}
    return row | ({"phantom": phantom / absent} if absent else {})


def print_table(rows: list[dict]) -> None:
    groups = defaultdict(list)
    for row in rows:
        for trait in [*row["traits"], "+".join(row["traits"]), "all"]:
            if row not in groups[trait]:
                groups[trait].append(row)
    print(
        f"{'trait':44}{'n':>5}{'ok':>5}{'off':>5}{'refd':>5}{'accd':>5}"
        f"{'p95 s':>8}{'worst':>8}{'phantom':>9}{'conf':>12}{'time s':>8}"
    )
    for trait, members in sorted(groups.items()):
        counts = [
            sum(r["result"] == k for r in members) for k in ("ok", "off", "refused", "accepted")
        ]
        p95 = [r["p95"] for r in members if "p95" in r]
        phantom = [r["phantom"] for r in members if "phantom" in r]
        confidence = [r["confidence"] for r in members]
        print(
            f"{trait:44}{len(members):5}"
            + "".join(f"{c:5}" for c in counts)
            + (f"{np.median(p95):8.3f}{max(p95):8.3f}" if p95 else f"{'-':>8}{'-':>8}")
            + (f"{np.mean(phantom):9.2f}" if phantom else f"{'-':>9}")
            + f"  {min(confidence):.2f}..{max(confidence):.2f}"
            + f"{np.mean([r['seconds'] for r in members]):8.2f}"
        )


if __name__ == "__main__":
    main()
