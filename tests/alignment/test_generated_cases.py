"""Real cue lists, distorted in known ways by the shared generator, scored by the shared scorer."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import pytest

from gazeline.alignment.activity import spoken_spans
from gazeline.alignment.candidates import by_evidence
from gazeline.alignment.clocks import Clocks, CorpusClock
from gazeline.alignment.sources import Dialogue, Timing
from gazeline.params.alignment import AlignParams
from gazeline.subtitles.reading.read import read_subtitles

FILMS = "tt0097576,tt0120338"
RECIPES = (
    "offset,half,tv6,longer5,forced,adblock,rate_odd,tv6+rate_ntsc_to_25+editorial,"
    "adblock+remove1+rate_any+editorial,insert1+remove1+offset+editorial,"
    "offset+rate_25_to_ntsc+forced,wrong,wrong+forced,wrong+editorial+adblock,"
    "tv6+language,longer5+rate_24_to_ntsc+language,wrong+language,tv6+speech,"
    "offset+rate_ntsc_to_25+speech_hard,wrong+speech,wrong+speech_hard"
)


def sources(case):
    """Return what the copy of a case has, in order of preference."""
    if (case / "speech.json").is_file():
        spans = json.loads((case / "speech.json").read_text())["intervals"]
        return [Timing(tuple((a, b) for a, b in spans), "speech", "speech.json")]
    cues = read_subtitles(case / "copy.srt").cues
    return [Dialogue(cues, "copy.srt"), Timing(tuple(spoken_spans(cues)), "cues", "its timing")]


@pytest.fixture(scope="module")
def scores(shared, tmp_path_factory):
    """Return the scorer's report on all cases, and our confidences by case."""
    folder = tmp_path_factory.mktemp("cases")
    tools, sql = shared / "alignment", shared / "mobygaze" / "sql_files"
    generate = [sys.executable, str(tools / "make_alignment_cases.py"), "--sql-dir", str(sql)]
    generate += ["--out", str(folder), "--seed", "23", "--films", FILMS, "--recipes", RECIPES]
    subprocess.run(generate, check=True, capture_output=True)
    predictions = tmp_path_factory.mktemp("predictions")
    confidences = {}
    for case in sorted(p.parent for p in folder.glob("*/truth.json")):
        corpus = read_subtitles(case / "corpus.srt").cues
        duration_s = max(c.end_s for c in corpus) + 30
        clock = CorpusClock(corpus, duration_s, Fraction(24))
        found, _ = by_evidence(clock, Clocks(duration_s), sources(case), AlignParams())
        confidences[case.name] = found.confidence
        answer = {"pieces": found.time_map.to_json()} if found.confidence >= 0.5 else {"refused": 1}
        answer |= {"confidence": found.confidence}
        (predictions / f"{case.name}.json").write_text(json.dumps(answer))
    report = tmp_path_factory.mktemp("report") / "scores.json"
    score = [sys.executable, str(tools / "score_alignment.py"), "--cases", str(folder)]
    score += ["--predictions", str(predictions), "--json", str(report)]
    subprocess.run(score, check=True, capture_output=True)
    return json.loads(report.read_text()), confidences


@pytest.mark.slow
def test_every_case_is_aligned_or_refused_rightly(scores):
    report, _ = scores
    wrong = [row["case"] for row in report["rows"] if row["result"] != "ok"]
    assert wrong == []
    assert len(report["rows"]) == 42


@pytest.mark.slow
def test_errors_stay_within_the_targets(scores):
    report, _ = scores
    for row in report["rows"]:
        loose = {"editorial", "language", "speech", "speech_hard"} & set(row["traits"])
        if "p95_s" in row:
            assert row["p95_s"] < (0.1 if loose else 0.05), row
            cut = {"tv6", "remove1"} & set(row["traits"])
            assert loose - {"editorial"} or not cut or row.get("phantom", 0.0) <= 0.2, row


@pytest.mark.slow
def test_confidence_parts_right_films_from_wrong_ones_by_a_wide_margin(scores):
    _, confidences = scores
    wrong = [c for case, c in confidences.items() if "wrong" in case]
    right = [c for case, c in confidences.items() if "wrong" not in case]
    assert max(wrong) < 0.2
    assert min(right) > 0.8
