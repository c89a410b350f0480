"""The emotional impact release: series, fear in several layouts, known flaws, bad lines."""

from __future__ import annotations

import pytest

from gazeline.corpora.eim2018.accede import count_clips
from gazeline.corpora.eim2018.adapter import read_release
from gazeline.corpora.eim2018.fear import read_fear
from gazeline.corpora.eim2018.series import read_series
from gazeline.errors import ReleaseError


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def va(values, header="Time\tValence\tArousal\n"):
    return header + "".join(f"{t}\t{v}\t{a}\n" for t, v, a in values)


@pytest.fixture
def release(tmp_path):
    folder = tmp_path / "eim"
    annotations = folder / "MEDIAEVAL18-DevSet-Valence_Arousal-annotations" / "annotations"
    seconds = [(float(t), 0.1 * t, -0.1 * t) for t in range(4)]
    write(annotations / "MEDIAEVAL18_00_Valence-Arousal.txt", va(seconds))
    write(annotations / "MEDIAEVAL18_46_Valence-Arousal.txt", va([(0.0, "0,5", 1.2), (2.0, 0, 0)]))
    write(folder / "fear" / "MEDIAEVAL18_00_Fear.txt", "")
    write(folder / "fear" / "MEDIAEVAL18_06-fear.txt", "start end\n1:02 70\n10 20\n")
    for second in (1, 2, 4):
        text = "" if second == 2 else "0.1,0.2\n"
        write(folder / "MEDIAEVAL18_00" / "fc6" / f"MEDIAEVAL18_00-{second:05d}_fc6.txt", text)
    return folder


def test_series_and_fear_become_tables(release):
    found = read_release(release, {})
    assert [f.film_id for f in found.films] == [
        "mediaeval18-00",
        "mediaeval18-06",
        "mediaeval18-46",
    ]
    of_film = [r for r in found.series if r.film_id == "mediaeval18-00"]
    assert [(r.measure, r.second, r.value) for r in of_film][3:5] == [
        ("valence", 3, pytest.approx(0.3)),
        ("arousal", 0, 0.0),
    ]
    assert [(e.start_s, e.end_s) for e in found.events] == [(10.0, 20.0), (62.0, 70.0)]
    looked = {(a.film_id, a.label) for a in found.annotated}
    assert looked == {("mediaeval18-00", "fear"), ("mediaeval18-06", "fear")}
    assert found.sources["*_Fear.txt"]["layouts"] == "empty: no fear; start and end"


def test_flaws_are_counted(release):
    quirks = {quirk.name: quirk.count for quirk in read_release(release, {}).quirks}
    assert quirks == {
        "gaps": 1,
        "commas": 1,
        "outside": 1,
        "fear_overlap": 0,
        "fear_out_of_order": 1,
        "features_missing": 1,
        "features_empty": 1,
        "features_absent": 0,
        "labels_and_features_differ": 1,
    }


@pytest.mark.parametrize(
    ("text", "intervals", "layout"),
    [
        ("10 20\n30.5 40\n", ((10, 20), (30.5, 40)), "start and end"),
        ("begin;end\r\n10;20\r\n\r\n", ((10, 20),), "start and end"),
        ("0:10 0:20\n1:00:00 1:00:05\n", ((10, 20), (3600, 3605)), "start and end"),
        ("1\t10\t20\n2\t30\t40\n", ((10, 20), (30, 40)), "number, start and end"),
        ("0 0\n1 1\n2 1\n3 0\n4 1\n", ((1, 3), (4, 5)), "label every 1 s"),
        ("10,5 20\n", ((10.5, 20),), "start and end"),
        ("", (), "empty: no fear"),
    ],
)
def test_plausible_layouts_of_fear_are_read_and_named(tmp_path, text, intervals, layout):
    found = read_fear(write(tmp_path / "MEDIAEVAL18_00_Fear.txt", text))
    assert (found.intervals, found.layout) == (intervals, layout)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("20 10\n", "end before they start"),
        ("12s 14s\n", "layout"),
        ("10 20 30 40\n", "no known layout"),
        ("10 20\nfear of spiders\n", "no known layout"),
        ("5 10 20\n3 30 40\n", "does not count up"),
        ("10 20\n1 30 40\n", "two layouts"),
    ],
)
def test_other_layouts_of_fear_are_refused(tmp_path, text, said):
    with pytest.raises(ReleaseError, match=said):
        read_fear(write(tmp_path / "MEDIAEVAL18_00_Fear.txt", text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Time\tValence\tArousal\n", "no value"),
        (va([(0, 0, 0), (0.5, 0, 0)]), "stand twice"),
        ("0 0.1\n", "not time, valence and arousal"),
        (va([(0, "nan", 0)]), "no value|not time"),
    ],
)
def test_a_bad_line_of_a_series_is_named(tmp_path, text, said):
    with pytest.raises(ReleaseError, match=said):
        read_series(write(tmp_path / "MEDIAEVAL18_00_Valence-Arousal.txt", text), "x")


def test_the_ranking_and_sets_of_the_collection_are_read_and_counted(tmp_path):
    write(tmp_path / "ACCEDEsets.txt", "id\tname\tset\n0\ta.mp4\t0\n1\tb.mp4\t1\n2\tc.mp4\t2\n")
    header = "id\tname\tvalenceRank\tarousalRank\tvalenceValue\tarousalValue\tvV\taV\n"
    write(tmp_path / "ACCEDEranking.txt", header + "0\ta.mp4\t17\t4\t2.5\t1.5\t.1\t.2\n")
    assert count_clips(tmp_path) == {
        "ACCEDEranking.txt": {"clips": 1},
        "ACCEDEsets.txt": {"clips": 3, "learning": 1, "test": 1, "validation": 1},
    }
    write(tmp_path / "ACCEDEsets.txt", "0\ta.mp4\t7\n")
    with pytest.raises(ReleaseError, match="no clip and set"):
        count_clips(tmp_path)


def test_a_folder_without_annotations_is_refused(tmp_path):
    with pytest.raises(ReleaseError, match="has no MEDIAEVAL18_XX"):
        read_release(tmp_path, {})
