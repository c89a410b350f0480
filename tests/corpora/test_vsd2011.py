"""The violent scenes release: its layouts, its odd cases, and what cannot be read."""

from __future__ import annotations

import pytest

from gazeline.corpora.vsd2011.adapter import read_release
from gazeline.corpora.vsd2011.events import read_events
from gazeline.corpora.vsd2011.shots import read_shots
from gazeline.corpora.vsd2011.titles import TEST, TRAINING, film_of
from gazeline.errors import ReleaseError


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.fixture
def release(tmp_path):
    folder = tmp_path / "vsd"
    dev = folder / "Hollywood-dev" / "annotations"
    write(dev / "Leon_violence.txt", "100 149 multiple_action_scene\r\n25 49\r\n\r\n")
    write(dev / "Leon_blood.txt", "100 124 low\n")
    write(dev / "Leon_gunshots.txt", "4,20 5,50 gunshot multiple_actions\n")
    write(dev / "Leon_shots.txt", "0 99\n100 199\n")
    write(dev.parent / "features" / "Leon_violence.txt", "not an annotation\n")
    write(folder / "Hollywood-test" / "annotations" / "WizardOfOz_violence.txt", "\n")
    return folder


def test_events_are_inclusive_frames_at_25_a_second(release):
    found = read_release(release, {})
    assert [film.film_id for film in found.films] == ["leon", "the-wizard-of-oz"]
    violent = [(e.start_s, e.end_s, e.tags) for e in found.events if e.label == "violence"]
    assert violent == [(1.0, 2.0, ()), (4.0, 6.0, ("multiple_action_scene",))]
    shot = next(e for e in found.events if e.label == "gunshots")
    assert (shot.start_s, shot.end_s, shot.start_frame, shot.end_frame) == (4.2, 5.5, 105, 137)
    assert [(s.shot, s.start_s, s.end_s) for s in found.shots] == [(0, 0.0, 4.0), (1, 4.0, 8.0)]


def test_odd_cases_are_counted(release):
    quirks = {quirk.name: quirk.count for quirk in read_release(release, {}).quirks}
    assert quirks == {
        "events_out_of_order": 1,
        "events_overlap": 0,
        "events_past_the_end": 0,
        "decimal_comma": 1,
        "films_without_event": 1,
    }
    missing = " ".join(read_release(release, {}).missing)
    assert "no shot boundaries of the-wizard-of-oz" in missing
    assert "no file of blood (frames) for the-wizard-of-oz" in missing


def test_what_was_looked_for_is_told_from_what_was_not(release):
    looked = {(a.film_id, a.label) for a in read_release(release, {}).annotated}
    assert looked == {
        ("leon", "violence"),
        ("leon", "blood"),
        ("leon", "gunshots"),
        ("the-wizard-of-oz", "violence"),
    }


def test_overlapping_events_and_events_past_the_end_are_counted(release):
    path = release / "Hollywood-dev" / "annotations" / "Leon_violence.txt"
    write(path, "10 60\n50 70\n190 260\n")
    quirks = {quirk.name: quirk.count for quirk in read_release(release, {}).quirks}
    assert (quirks["events_overlap"], quirks["events_past_the_end"]) == (1, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("100 50\n", "end before they start"),
        ("100\n", "without two frame numbers"),
        ("1.5 20\n", "without two frame numbers"),
        ("-4 20\n", "without two frame numbers"),
        ("one two\n", "without two frame numbers"),
    ],
)
def test_a_line_that_is_no_event_is_named(tmp_path, text, said):
    path = write(tmp_path / "Leon_violence.txt", "0 10\n" + text)
    with pytest.raises(ReleaseError, match=said) as error:
        read_events(path, "violence")
    assert "line 2" in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "0 99\n100 149\n",
        "0,99\n100,149\n",
        "start_frame;end_frame\n0;99\n100;149\n",
        "1 0 99\n2 100 149\n",
        "leon.mpg\nleon\nshot1 #$# 0 #$# 100\nshot2 #$# 100 #$# 50\n",
        "100 149\r\n0 99\r\n\r\n",
    ],
)
def test_every_known_layout_of_shots_gives_the_same(tmp_path, text):
    shots = read_shots(write(tmp_path / "x_shots.txt", text), "leon")
    assert [(s.start_frame, s.end_frame, s.end_s) for s in shots] == [(0, 99, 4.0), (100, 149, 6.0)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no shot"),
        ("0 99\n50 149\n", "overlap the one before"),
        ("0 99\nabc def\n", "another layout"),
        ("0 99\n1 100 149\n", "two layouts"),
        ("7 0 99\n3 100 149\n", "does not count up"),
        ("99 0\n", "end before they start"),
    ],
)
def test_other_layouts_of_shots_are_refused(tmp_path, text, said):
    with pytest.raises(ReleaseError, match=said):
        read_shots(write(tmp_path / "x_shots.txt", text), "leon")


def test_files_name_films_in_many_ways():
    for name in ("WizardOfOz", "The_Wizard_of_Oz", "TheWizardOfOz", "the wizard of oz"):
        assert film_of(name).film_id == "the-wizard-of-oz"
    assert film_of("KillBill1").film_id == "kill-bill-vol-1"
    assert film_of("Leon").film_id == film_of("Léon").film_id == "leon"
    assert film_of("JumanjiTwo").film_id == "jumanji-two"
    assert (len(TRAINING), len(TEST)) == (12, 3)


def test_two_files_of_one_film_and_a_folder_without_any_are_refused(release, tmp_path):
    write(release / "copy" / "Leon_violence.txt", "1 2\n")
    with pytest.raises(ReleaseError, match="Two files say the same"):
        read_release(release, {})
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReleaseError, match="has no <Film>_violence.txt"):
        read_release(tmp_path / "empty", {})
