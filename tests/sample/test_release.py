"""The release is MObyGaze's format, quirks included."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby, pairwise

import pytest

from gazeline.sample.quirks import PLANTED
from gazeline.sample.release import ReleasedCue, released_cleaning, released_text

COLUMNS = ";clip_index;movie_id;annotator;label;concepts;comment;start_frame;end_frame;imdb_key;"
COLUMNS += "movie_title;framerate;subtitle;start_clip;end_clip"


def milliseconds(time: str) -> int:
    hours, minutes, seconds = time.split(":")
    return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000)


def by_annotation(rows):
    return {
        key: list(group)
        for key, group in groupby(rows, key=lambda r: (r["imdb_key"], r["annotator"]))
    }


def repaired(text: str) -> str:
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def test_files_and_header_are_those_of_the_real_release(release, shared):
    theirs = {p.relative_to(shared / "mobygaze").as_posix() for p in shared.glob("mobygaze/**/*.*")}
    ours = {p.relative_to(release.folder).as_posix() for p in release.folder.glob("**/*.*")}
    beside = {name for name in ours if name.startswith(("violence/", "affect/"))}
    assert len(beside) == 6 * (4 + 2)
    assert ours - beside == theirs - {"README_data_upstream.md"}
    for name in ("mobygaze_dataframe.csv", "mobygaze_movielist.csv"):
        header, real = (
            (f / name).read_text().splitlines()[0] for f in (release.folder, shared / "mobygaze")
        )
        assert header == real


def test_sql_tables_have_the_columns_of_the_real_dumps(release, shared):
    for name in ("annotations", "movies", "subtitles"):
        columns = []
        for folder in (release.folder, shared / "mobygaze"):
            text = (folder / "sql_files" / f"tractive_{name}.sql").read_text(encoding="utf-8")
            table = text.split("CREATE TABLE")[1].split("ENGINE")[0]
            columns.append(
                [line.split()[0] for line in table.splitlines() if line.startswith("  `")]
            )
        assert columns[0] == columns[1]


def test_dataframe_header_is_mobygazes(release):
    header = (
        (release.folder / "mobygaze_dataframe.csv").read_text(encoding="utf-8").split("\n", 1)[0]
    )
    assert header == COLUMNS


@pytest.mark.parametrize(("seconds", "fewest", "most"), [(10, 3, 6), (40, 8, 17)])
def test_every_annotator_covers_every_film(write_read, seconds, fewest, most):
    annotations = by_annotation(write_read(seconds).rows)
    assert len(annotations) == 12
    for rows in annotations.values():
        rows = sorted(rows, key=lambda r: r["start_frame"])
        assert fewest <= len(rows) <= most
        assert rows[0]["start_frame"] == 0
        assert rows[-1]["end_frame"] == round(seconds * 24000 / 1001) - 1
        steps = [b["start_frame"] - a["end_frame"] - 1 for a, b in pairwise(rows)]
        assert set(steps) <= {-1, 0, 1}


def test_second_annotator_is_the_finer_one(release):
    counts = Counter(row["annotator"] for row in release.rows)
    assert counts["annotator2"] > 1.2 * counts["annotator1"]


def test_boundary_and_order_quirks_are_there_as_often_as_stated(release):
    steps, disorder = Counter(), 0
    for rows in by_annotation(release.rows).values():
        starts = [row["start_frame"] for row in rows]
        disorder += sum(b < a for a, b in pairwise(starts))
        ordered = sorted(rows, key=lambda r: r["start_frame"])
        steps.update(b["start_frame"] - a["end_frame"] - 1 for a, b in pairwise(ordered))
    assert disorder == PLANTED["rows_out_of_order"]
    assert (steps[-1], steps[1]) == (PLANTED["overlaps"], PLANTED["gaps"])


def test_concept_quirks_are_there_as_often_as_stated(release):
    rows = release.rows
    duplicated = [r for r in rows if len(set(r["concepts"])) < len(r["concepts"])]
    assert len(duplicated) == PLANTED["rows_with_duplicated_concepts"]
    narratology = [r for r in rows if "Narratology" in r["concepts"]]
    assert len(narratology) == PLANTED["rows_with_narratology"]
    bare = Counter(r["label"] for r in rows if not r["concepts"])
    assert bare["Hard Negative"] == PLANTED["hard_negative_rows_without_concept"]
    assert bare["Sure"] == bare["Not Sure"] == 0
    easy = [r for r in rows if r["label"] == "Easy Negative" and r["concepts"]]
    assert len(easy) == PLANTED["easy_negative_rows_with_concept"]


def test_end_clip_is_one_frame_short_as_released(release):
    for row in release.rows:
        assert int(row["start_clip"]) == row["start_frame"] // 16
        assert int(row["end_clip"]) == (row["end_frame"] - 1) // 16
    assert any(row["end_frame"] % 16 == 0 for row in release.rows)


def test_frame_rates_are_printed_as_in_mobygaze(release):
    rates = {row["imdb_key"]: row["framerate"] for row in release.rows}
    assert Counter(rates.values()) == {"23.976": 5, "23.9759": 1}
    assert rates["sample-glass"] == "23.9759"


def test_spellings_differ_between_csv_sql_and_thesaurus(release):
    csv_names = {c for row in release.rows for c in row["concepts"]}
    sql_names = {c for row in release.annotations for c in row[4].split(", ") if c}
    assert {"Clothing", "Type of shot"} <= csv_names
    assert {"Clothes", "Type of plan"} <= sql_names
    assert not {"Clothing", "Type of shot", "Exp of emotion"} & sql_names
    thesaurus = json.loads((release.folder / "objectification-thesaurus.json").read_text())
    (group,) = thesaurus["dictionaries"][0]["values"]
    names = {value["name"] for value in group["values"]}
    assert {"Clothes", "Expression of emotion"} <= names
    assert len(names) == 11


def test_dump_differs_from_the_csv_as_often_as_stated(release):
    spelling = {"Clothing": "Clothes", "Exp of emotion": "Exp of  emotion"}
    spelling["Type of shot"] = "Type of plan"
    labels = concepts = early = 0
    for row, sql in zip(release.rows, release.annotations, strict=True):
        key = (row["movie_id"], row["annotator"], str(row["start_frame"]), str(row["end_frame"]))
        assert key == (sql[1], sql[2], sql[6], sql[7])
        labels += row["label"] != sql[3]
        concepts += ", ".join(spelling.get(c, c) for c in row["concepts"]) != sql[4]
        early += abs(milliseconds(sql[8]) - row["start_frame"] / float(row["framerate"]) * 1000) > 1
    assert labels == PLANTED["sql_labels_that_differ"]
    assert concepts == PLANTED["sql_concepts_that_differ"]
    assert early == PLANTED["sql_start_times_early"]


def test_cue_frames_were_made_at_24_fps(release):
    for cue in release.subtitles:
        assert int(cue[2]) == milliseconds(cue[4]) * 24 // 1000
        assert int(cue[3]) == milliseconds(cue[5]) * 24 // 1000


def test_cue_quirks_are_there_as_often_as_stated(release):
    cues = release.subtitles
    texts = [cue[6] for cue in cues]
    assert sum(repaired(t) != t for t in texts) == PLANTED["cues_with_mojibake"]
    assert sum("<i>" in t for t in texts) == PLANTED["cues_with_tags"]
    assert sum("\u266a" in repaired(t) for t in texts) == PLANTED["cues_with_music_notes"]
    assert sum(t.startswith("[") for t in texts) == PLANTED["cues_with_brackets"]
    assert sum(c[4] == c[5] for c in cues) == PLANTED["cues_of_zero_length"]
    assert texts.count("") == PLANTED["cues_empty"]
    assert any('"' in t for t in texts)
    overlapping = disorder = 0
    for a, b in pairwise(cues):
        if a[1] == b[1]:
            disorder += b[4] < a[4]
            overlapping += a[4] <= b[4] < a[5]
    assert disorder == PLANTED["cues_out_of_order"]
    assert overlapping == PLANTED["cues_overlapping"]


def test_movies_of_the_dump_have_mojibake_and_one_that_nobody_annotated(release):
    broken = [m for m in release.movies if any(repaired(v or "") != (v or "") for v in m)]
    assert len(broken) == PLANTED["movies_with_mojibake"]
    annotated = {row["imdb_key"] for row in release.rows}
    assert {m[1] for m in release.movies} - annotated == {"sample-attic"}


def test_subtitle_column_follows_the_released_rule(release):
    for row in release.rows:
        expected = "".join(
            f" {released_cleaning(cue[6])}"
            for cue in release.subtitles
            if cue[1] == row["movie_id"]
            and int(cue[2]) <= row["end_frame"]
            and int(cue[3]) >= row["start_frame"]
        )
        assert row["subtitle"] == expected


@pytest.mark.slow
def test_released_rule_reproduces_6070_of_mobygazes_6072_texts(shared, read_folder):
    real = read_folder(shared / "mobygaze")
    cues: dict[str, list[ReleasedCue]] = {}
    for number, movie, _, _, start, end, text, _ in real.subtitles:
        times = (milliseconds(start), milliseconds(end))
        cues.setdefault(movie, []).append(ReleasedCue(int(number), int(movie), *times, text))
    same = sum(
        row["subtitle"]
        == released_text(cues[row["movie_id"]], row["start_frame"], row["end_frame"])
        for row in real.rows
    )
    assert (same, len(real.rows)) == (6070, 6072)


@pytest.mark.parametrize("seconds", [10, 20, 40])
@pytest.mark.parametrize("seed", [0, 7, 8, 9, 10])
def test_every_film_has_both_classes_of_every_modality_by_every_annotator(
    write_read, seconds, seed
):
    """A fold validates on one film, so each film alone must have both."""
    seen: dict[tuple[str, str, str], set[bool]] = {}
    for row in write_read(seconds, seed).usable:
        for modality, target in row["targets"].items():
            seen.setdefault((row["imdb_key"], row["annotator"], modality), set()).add(target)
    assert len(seen) == 36
    assert all(classes == {True, False} for classes in seen.values())


def test_shares_of_positives_and_levels_are_moderate(release):
    for modality in ("visual", "speech", "audio"):
        share = sum(row["targets"][modality] for row in release.usable) / len(release.usable)
        assert 0.33 <= share <= 0.52
    levels = Counter(row["label"] for row in release.rows)
    assert min(levels["Easy Negative"], levels["Hard Negative"], levels["Sure"]) >= 25
    assert levels["Not Sure"] >= 2


def test_annotators_disagree_but_not_much(release):
    """Compare what both say of the frame in the middle of each of annotator1's rows."""
    agree = total = 0
    annotations = by_annotation(release.rows)
    for (film, annotator), rows in annotations.items():
        if annotator == "annotator2":
            continue
        for row in rows:
            middle = (row["start_frame"] + row["end_frame"]) // 2
            others = annotations[film, "annotator2"]
            other = next(o for o in others if o["start_frame"] <= middle <= o["end_frame"])
            for modality in row["targets"]:
                agree += row["targets"][modality] == other["targets"][modality]
                total += 1
    assert 0.75 < agree / total < 0.97
