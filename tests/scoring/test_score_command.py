"""`gazeline score`: known answers on run files of anybody, and bad run files."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from gazeline.cli import main
from gazeline.scoring.etf import Line, film_of_source, read_etf, write_etf

SHOTS = [(100 * n, 100 * n + 99) for n in range(5)]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def violence(tmp_path):
    """Two films of five shots of 4 s; in one, seconds 6 to 10 are violent, in the other nothing."""
    truth = tmp_path / "truth"
    write(truth / "Leon_violence.txt", "150 249\n")
    write(truth / "Eragon_violence.txt", "\n")
    for film in ("Leon", "Eragon"):
        write(truth / f"{film}_shots.txt", "".join(f"{a} {b}\n" for a, b in SHOTS))
    return truth


@pytest.fixture
def affect(tmp_path):
    truth = tmp_path / "truth"
    rows = "".join(f"{t}\t{t / 10}\t{-t / 10}\n" for t in range(5))
    write(truth / "MEDIAEVAL18_54_Valence-Arousal.txt", "Time\tValence\tArousal\n" + rows)
    write(truth / "MEDIAEVAL18_54_Fear.txt", "10 20\n")
    write(truth / "MEDIAEVAL18_55_Fear.txt", "")
    return truth


def etf(source, shots):
    return "".join(
        f"{source}\t1\t{4 * n:.3f}\t4.000\tevent\t-\tviolence\t{score}\t{decision}\n"
        for n, (score, decision) in enumerate(shots)
    )


def run(*arguments, out=None):
    given = [*map(str, arguments), *(["--out", str(out)] if out else [])]
    result = CliRunner().invoke(main, given)
    return result, json.loads(out.read_text()) if out and out.is_file() else None


def test_calling_every_shot_violent_costs_one_and_none_ten(violence, tmp_path):
    for decision, cost in (("t", 1.0), ("f", 10.0)):
        lines = etf("movie-Leon-1994.mpg", [(0.5, decision)] * 5)
        path = write(tmp_path / "run.etf", lines)
        result, scores = run("score", "vsd2011", "--truth", violence, "--run", path, "--named",
                             out=tmp_path / "out.json")  # fmt: skip
        assert result.exit_code == 0, result.output
        assert scores["shots"]["cost"] == scores["time"]["cost"] == cost
        assert scores["not_scored"] == ["eragon"]


def test_scores_by_hand_and_a_det_curve(violence, tmp_path):
    """Shots 1 and 2 are violent; the run calls 1 and 3, and ranks 1, 3, 2."""
    answers = [("-", "f"), (0.9, "t"), (0.4, "f"), (0.6, "t"), (0.1, "f")]
    path = write(tmp_path / "run.etf", etf("Leon", answers))
    figure = tmp_path / "det.png"
    result, scores = run("score", "vsd2011", "--truth", violence, "--run", path, "--named",
                         "--det", figure,
                         out=tmp_path / "out.json")  # fmt: skip
    assert result.exit_code == 0, result.output
    shots = scores["shots"]
    assert shots["p_fa"] == pytest.approx(1 / 3)
    assert shots["p_miss"] == 0.5
    assert shots["cost"] == pytest.approx(1 / 3 + 5)
    # From .4 on, both are found and one of three others is called.
    assert shots["least_cost"] == pytest.approx(1 / 3)
    assert shots["least_cost_threshold"] == 0.4
    assert shots["map"] == pytest.approx((1 + 2 / 3) / 2)
    # Of 4 violent seconds, 6-8 are called; of 16 others, 4-6 and 12-16.
    assert scores["time"]["p_miss"] == 0.5
    assert scores["time"]["p_fa"] == pytest.approx(6 / 16)
    assert scores["lines_without_score"] == 1
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_films_that_a_run_leaves_out_count_as_not_violent(violence, tmp_path):
    path = write(tmp_path / "run.etf", etf("Leon", [(0.5, "t")] * 5))
    _, scores = run("score", "vsd2011", "--truth", violence, "--run", path,
                    out=tmp_path / "out.json")  # fmt: skip
    assert scores["films"] == ["eragon", "leon"]
    assert scores["shots"]["p_fa"] == pytest.approx(3 / 8)
    assert scores["per_film"]["eragon"]["shots"]["cost"] is None
    assert "no violent part" in scores["per_film"]["eragon"]["shots"]["cost_reason"]


def test_without_shots_time_alone_is_scored_and_said(violence, tmp_path):
    (violence / "Leon_shots.txt").unlink()
    path = write(tmp_path / "run.etf", etf("Leon", [("-", "t")] * 5))
    result, scores = run("score", "vsd2011", "--truth", violence, "--run", path, "--named",
                         "--det", tmp_path / "det.png", out=tmp_path / "out.json")  # fmt: skip
    assert scores["shots"] is None
    assert scores["shots_reason"] == "no shot boundaries of leon"
    assert scores["time"]["least_cost"] is None
    assert "No DET curve" in result.output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Shrek 1 0 4 event - violence .5 t", "names Shrek"),
        ("Leon 1 0 zero event - violence .5 t", "starts or durations"),
        ("Leon 1 0 0 event - violence .5 t", "starts or durations"),
        ("Leon 1 0 4 event - gore .5 t", "another form"),
        ("Leon 1 0 4", "another form"),
        ("Leon 1 0 4 event - violence high t", "scores that are no number"),
        ("Leon-Morin-Priest-1961.mpg 1 0 4 event - violence .5 t", "is no film of the truth"),
        (
            "Leon 1 0 4 event - violence .5 t\nmovie-Leon-1994.mpg 1 4 4 event - violence .5 t",
            "both name leon",
        ),
    ],
)
def test_a_bad_run_is_one_clear_error(violence, tmp_path, line, said):
    path = write(tmp_path / "run.etf", line + "\n")
    result, _ = run("score", "vsd2011", "--truth", violence, "--run", path)
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output


def test_a_run_file_is_read_as_it_was_written(tmp_path):
    lines = (
        Line("movie-KillBill1-2003.mpg", 0.0, 1.36, None, False),
        Line("movie-KillBill1-2003.mpg", 1.36, 4.0, 0.25, True),
    )
    write_etf(lines, tmp_path / "run.etf")
    found = read_etf(tmp_path / "run.etf")
    assert [(f.source, f.score, f.decided) for f in found] == [
        (line.source, line.score, line.decided) for line in lines
    ]
    assert [f.end_s for f in found] == pytest.approx([1.36, 4.0])
    printed = (
        "movie-KillBill1-2003-dvd2006-MediaEval.mpg 1 0,000 1,360 event - violence - f\r\n\r\n"
    )
    (only,) = read_etf(write(tmp_path / "nii.etf", printed))
    assert (only.end_s, only.score, only.decided) == (1.36, None, False)
    assert film_of_source(only.source, ["kill-bill-vol-1", "leon"]) == "kill-bill-vol-1"


def test_values_are_compared_where_both_have_them(affect, tmp_path):
    rows = "time valence arousal\n" + "".join(f"{t} {t / 10} 0.1\n" for t in range(1, 8))
    write(tmp_path / "run" / "MEDIAEVAL18_54.txt", rows)
    result, scores = run("score", "eim2018", "--truth", affect, "--run", tmp_path / "run",
                         out=tmp_path / "out.json")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert (scores["valence"]["mse"], scores["valence"]["pearson"]) == (0.0, 1.0)
    assert scores["arousal"]["pearson"] is None
    assert "constant" in scores["arousal"]["pearson_reason"]
    assert scores["seconds_left_out"] == {"54": {"truth": 1, "run": 3}}
    assert "arousal pearson is not defined" in result.output


def test_fear_is_scored_by_shared_time(affect, tmp_path):
    write(tmp_path / "run" / "MEDIAEVAL18_54.txt", "15 25\n")
    write(tmp_path / "run" / "MEDIAEVAL18_55.txt", "")
    _, scores = run("score", "eim2018", "--truth", affect, "--run", tmp_path / "run", "--task",
                    "fear", out=tmp_path / "out.json")  # fmt: skip
    assert scores["per_film"]["54"]["iou"] == pytest.approx(5 / 15)
    assert scores["per_film"]["55"]["iou"] == 1.0
    assert scores["iou"] == pytest.approx((1 / 3 + 1) / 2)
    assert scores["pooled_iou"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("MEDIAEVAL18_99.txt", "0 0 0\n", "names film 99"),
        ("run10-54.txt", "0 0 0\n", "names no one film"),
        ("MEDIAEVAL18_54.txt", "0 0.1 0.1\n1 0.1\n", "two layouts"),
        ("MEDIAEVAL18_54.txt", "0 0.1 0.1\n2 0.1 0.1\n", "do not follow"),
        ("MEDIAEVAL18_54.txt", "0 0.1 0.1\n1 high 0.1\n", "other columns"),
        ("MEDIAEVAL18_54.txt", "\n", "no value"),
    ],
)
def test_bad_values_are_one_clear_error(affect, tmp_path, name, text, said):
    write(tmp_path / "run" / name, text)
    result, _ = run("score", "eim2018", "--truth", affect, "--run", tmp_path / "run")
    assert result.exit_code == 1
    assert said in result.output
    assert "Traceback" not in result.output


def test_an_empty_run_finds_nothing_and_another_ending_of_a_figure_is_refused(violence, tmp_path):
    path = write(tmp_path / "run.etf", "")
    _, scores = run("score", "vsd2011", "--truth", violence, "--run", path,
                    out=tmp_path / "out.json")  # fmt: skip
    assert scores["shots"]["cost"] == 10.0
    assert scores["shots"]["precision_reason"] == "the run calls nothing violent"
    assert scores["not_in_the_run"] == ["eragon", "leon"]
    result, _ = run("score", "vsd2011", "--truth", violence, "--run", path, "--det",
                    tmp_path / "det.xyz")  # fmt: skip
    assert "neither a PNG nor an SVG" in result.output


@pytest.mark.parametrize(
    "name", ["MEDIAEVAL2018_54", "run10_MEDIAEVAL18_54", "GLA-18-MEDIAEVAL18_54", "54"]
)
def test_the_film_of_a_file_is_the_number_after_the_task(affect, tmp_path, name):
    write(tmp_path / "run" / f"{name}.txt", "0 0 0\n1 .1 -.1\n2 .2 -.2\n")
    _, scores = run("score", "eim2018", "--truth", affect, "--run", tmp_path / "run",
                    out=tmp_path / "out.json")  # fmt: skip
    assert scores["films"] == ["54"]
    assert scores["films_without_pearson"] == {"valence": [], "arousal": []}
