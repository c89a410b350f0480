"""`gazeline align check` shows where a copy fits, also where the stage would refuse it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from PIL import Image
from ruamel.yaml import YAML

from alignment.dialogues import moved, speak
from alignment.films import srt
from checks.corpora import FILM, write_corpus
from gazeline.alignment.evidence import MapEvidence
from gazeline.alignment.hand import read_hand_map
from gazeline.checks.account import Account, verdict_of
from gazeline.checks.check import Places, check_film
from gazeline.checks.contact_sheet import MARGIN
from gazeline.checks.samples import Mapped, choose_segments, count_mapped
from gazeline.cli import main
from gazeline.params.alignment import AlignParams
from gazeline.params.corpora import FilmParams
from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Piece, TimeMap
from media.clips import grey_levels, write_greys

# The copy has 10 s before the film and lacks what is annotated from 60 to 72 s.
LOGO_S, CUT_FROM_S, CUT_TO_S, LENGTH_S = 10.0, 60.0, 72.0, 120.0
SEGMENTS = [(t + 0.2, t + 4.2) for t in range(0, 116, 5)]


def as_tuples(cues):
    return [(c.start_s, c.end_s, c.text) for c in cues]


def in_the_copy(cues):
    before = [c for c in cues if c.end_s < CUT_FROM_S]
    after = [c for c in cues if c.start_s > CUT_TO_S]
    shift = CUT_TO_S - CUT_FROM_S
    return (*moved(before, 1, LOGO_S), *moved(after, 1, LOGO_S - shift))


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """Return the places of a film with its subtitles and the corpus that annotates it."""
    folder = tmp_path_factory.mktemp("film")
    cues = speak(1, 60, 2.0)
    copy = write_greys(folder / "film.mkv", round((LENGTH_S + LOGO_S - 12) * 25), "25")
    subtitles = folder / "film.srt"
    subtitles.write_text(srt(in_the_copy(cues)), encoding="utf-8")
    corpus = write_corpus(folder / "made", SEGMENTS, as_tuples(cues), LENGTH_S)
    return Places(copy, subtitles, None, [corpus])


def check(places, out, **film):
    entry = FilmParams.model_validate({"copy": "x", "corpora": ["made"], **film})
    return check_film(FILM, places, AlignParams(), entry, out)


def test_a_film_with_a_logo_and_a_cut_is_drawn_and_told(film, tmp_path):
    (account,) = check(film, tmp_path)
    text = "\n".join(account.lines())
    assert account.verdict.taken
    assert len(account.evidence.time_map.pieces) == 2
    assert text.count("copy = 1.000000 × annotation") == 2
    assert (account.mapped.missing, account.mapped.whole) == (2, len(SEGMENTS) - 3)
    assert "nothing, if the pictures fit" in text
    names = ["made-evidence.png", "made-segments.png"]
    assert [path.name for path in account.pictures] == names
    assert sorted(p.name for p in tmp_path.iterdir()) == names
    for path in account.pictures:
        assert Image.open(path).size > (600, 400)


def test_the_first_and_last_picture_of_a_segment_are_those_of_the_copy(film, tmp_path):
    check(film, tmp_path)
    sheet = np.asarray(Image.open(tmp_path / "made-segments.png"))[:, :, 0]
    # Every picture is one grey: the first row is where a column stays so for long.
    column = sheet[:, MARGIN + 20]
    top = next(y for y in range(200) if np.ptp(column[y : y + 120]) == 0 and column[y] < 225)
    first, last = int(column[top + 9]), int(sheet[top + 9, MARGIN + 260])
    levels = grey_levels(1000)
    starts = [LOGO_S + start for start, _ in SEGMENTS[:4]]
    (start,) = [s for s in starts if levels[round(s * 25)] == first]
    assert last == levels[round((start + 4.0) * 25) - 1]


def test_the_same_film_gives_the_same_pictures(film, tmp_path):
    for name in ("one", "two"):
        check(film, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_another_film_is_drawn_with_what_to_do(film, tmp_path):
    other = write_corpus(tmp_path / "made", SEGMENTS, as_tuples(speak(7, 60, 2.0)), LENGTH_S)
    places = Places(film.copy, film.subtitles, None, [other])
    (account,) = check(places, tmp_path / "out")
    text = "\n".join(account.lines())
    assert (account.verdict.taken, account.verdict.word) == (False, "refused")
    assert "data/films/f.map.yaml" in text
    assert account.pictures[0].exists()


def test_a_map_by_length_alone_can_be_accepted_and_its_draft_is_a_map(film, tmp_path):
    silent = write_corpus(tmp_path / "made", SEGMENTS, [], LENGTH_S)
    places = Places(film.copy, None, None, [silent])
    (account,) = check(places, tmp_path / "out")
    text = "\n".join(account.lines())
    assert account.evidence.method == "duration"
    assert f"films.{FILM}.accept_confidence: 0." in text
    assert "none, for there are no anchors" in text
    draft = tmp_path / "f.map.yaml"
    draft.write_text("\n".join(account.draft()), encoding="utf-8")
    pieces = read_hand_map(draft).pieces
    assert len(pieces) == len(account.evidence.time_map.pieces) == 1
    (accepted,) = check(places, tmp_path / "out", accept_confidence=0.01)
    assert accepted.verdict.word.startswith("accepted")


def account_of(time_map, confidence=0.4976):
    evidence = MapEvidence(time_map, "text", (), confidence, "Made up.")
    verdict = verdict_of(evidence, AlignParams(), FilmParams(copy="x", corpora=("made",)))
    return Account(FILM, "made", evidence, verdict, 0.5, 40.0, Mapped(0, 0, 0), ())


def test_a_draft_reaches_as_far_as_the_map(tmp_path):
    rate = 24000 / 25025
    found = TimeMap(
        (
            Piece(0.12345678, 12.00000049, rate, 3.0),
            Piece(12.00000049, 20.5, rate, 8.0),
            Piece(24.5, 39.99829123, rate, 8.0 - 4.0 * rate),
        )
    )
    draft = tmp_path / "f.map.yaml"
    draft.write_text("\n".join(account_of(found).draft()), encoding="utf-8")
    pasted = read_hand_map(draft)
    for ours, theirs in zip(pasted.pieces, found.pieces, strict=True):
        assert ours.rate == pytest.approx(theirs.rate, abs=1e-11)
        assert ours.to_copy(10) == pytest.approx(theirs.to_copy(10), abs=1e-6)
    assert pasted.pieces[0].annotation_start_s <= 0.12345678
    assert 39.99829123 <= pasted.pieces[-1].annotation_end_s < 39.9983


def test_a_confidence_a_little_too_low_is_told_to_be_lower():
    text = "\n".join(account_of(TimeMap((Piece(0, 40, 1, 0),))).lines())
    assert "confidence 0.498 (wanted 0.50): not sure" in text


def segments_frame(*times):
    rows = [(f"f/a/{i}", "EN", *pair) for i, pair in enumerate(times)]
    return pd.DataFrame(rows, columns=["segment_id", "label", "start_s", "end_s"])


def test_segments_are_spread_and_lie_whole_in_the_copy():
    time_map = TimeMap((Piece(0, 40, 2.0, 5.0), Piece(50, 100, 2.0, 5.0)))
    frame = segments_frame((0, 10), (1, 11), (12, 20), (35, 45), (42, 48), (60, 70), (90, 100))
    cues = [Cue(13, 14, "One"), Cue(61, 62, "Two,\nthree")]
    samples = choose_segments(frame, cues, time_map, None, 3)
    assert [s.annotation for s in samples] == [(12, 20), (60, 70)] + [(90, 100)] * (
        len(samples) - 2
    )
    assert samples[0].copy == (29, 45)
    assert [s.lines for s in samples[:2]] == [("One",), ("Two, three",)]
    counts = count_mapped(frame, time_map)
    assert (counts.whole, counts.partly, counts.missing) == (5, 1, 1)


def test_no_segment_in_the_copy_gives_no_sample():
    assert choose_segments(segments_frame((0, 10)), [], TimeMap(()), None, 3) == []


@pytest.fixture
def project_of_one_film(film, tmp_path, project, monkeypatch):
    yaml = YAML(typ="safe")
    data = yaml.load((project / "params.yaml").read_text(encoding="utf-8"))
    entry = {"copy": str(film.copy), "subtitles": str(film.subtitles), "corpora": ["sample"]}
    data["films"] = {FILM: entry}
    with (tmp_path / "params.yaml").open("w", encoding="utf-8") as file:
        yaml.dump(data, file)
    write_corpus(tmp_path / "data/corpora/sample", SEGMENTS, as_tuples(speak(1, 60, 2.0)), LENGTH_S)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_prints_the_account_and_names_the_pictures(project_of_one_film):
    done = CliRunner().invoke(main, ["align", "check", FILM])
    assert done.exit_code == 0, done.output
    assert "confidence 0.99 (wanted 0.50): sure" in done.output
    assert f"picture    data/checks/{FILM}/sample-evidence.png" in done.output
    assert (project_of_one_film / "data/checks/f/sample-segments.png").exists()


def test_a_film_without_a_copy_is_named(project_of_one_film):
    done = CliRunner().invoke(main, ["align", "check", "tt0000001"])
    assert done.exit_code == 1
    assert "tt0000001 is no film with a copy" in done.output
