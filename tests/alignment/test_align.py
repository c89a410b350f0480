"""Whole films: what is aligned by what, and what is refused with which evidence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from alignment.dialogues import CLIP, jittered, moved, speak
from alignment.films import make_film, srt
from gazeline.alignment.align import align_film
from gazeline.alignment.clocks import CorpusClock
from gazeline.alignment.record import Alignment
from gazeline.errors import AlignmentError, SubtitleError
from gazeline.params.alignment import AlignParams
from gazeline.params.corpora import FilmParams
from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Piece

NTSC = Fraction(24000, 1001)
SECONDS = 42.0
OTHER = speak(seed=500, count=13, spacing_s=3.0)


def align(
    copy: Path,
    subtitles: Path | None = None,
    hand_map: Path | None = None,
    cues: Sequence[Cue] = CLIP,
    accept: float | None = None,
    **params: object,
) -> Alignment:
    film = FilmParams(copy=str(copy), corpora=("sample",), accept_confidence=accept)
    corpora = {"sample": CorpusClock(cues, SECONDS, NTSC)}
    aligned = align_film("lantern", copy, subtitles, hand_map, corpora, AlignParams(**params), film)
    return aligned.corpora["sample"]


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> Path:
    """Return a copy on the annotation clock, without subtitles."""
    return make_film(tmp_path_factory.mktemp("plain") / "film.mp4", SECONDS)


def test_embedded_subtitles_on_the_same_clock_give_the_identity(tmp_path):
    cues = jittered(CLIP, seed=3, amount_s=0.04)
    found = align(make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": cues}))
    assert found.time_map.pieces == (Piece(0.0, SECONDS, 1.0, 0.0),)
    assert (found.method, found.status, found.coverage) == ("text", "sure", 1.0)
    assert found.sentence.startswith("The copy runs on the clock of the annotated version.")
    assert found.residual is not None
    assert found.residual.p95 < 0.05


def test_sidecar_of_a_speed_up(tmp_path):
    rate = float(NTSC / 25)
    sidecar = tmp_path / "film.srt"
    sidecar.write_text(srt(moved(CLIP, rate, 0.0)), encoding="utf-8")
    found = align(make_film(tmp_path / "film.mp4", SECONDS * rate, "25"), sidecar)
    (piece,) = found.time_map.pieces
    assert (piece.rate, piece.annotation_end_s) == (rate, SECONDS)
    assert piece.offset_s == pytest.approx(0, abs=0.002)
    assert "4.3 % faster (25 instead of 23.976 frames a second)" in found.sentence


def test_of_several_tracks_the_one_in_the_annotated_language_is_found(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"fre": OTHER, "eng": CLIP})
    found = align(copy)
    assert found.confidence > 0.9
    assert "stream 2, eng" in found.sentence


def test_another_film_is_refused_with_the_evidence(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": OTHER})
    for on_unsure in ("fail", "warn"):
        with pytest.raises(AlignmentError, match="another film") as error:
            align(copy, on_unsure=on_unsure)
        assert "no common phrase between 13 annotated and 13 subtitle cues" in str(error.value)
        assert "data/films/lantern.map.yaml" in str(error.value)


def test_no_subtitles_is_unsure_unless_params_accept_it(plain):
    with pytest.raises(AlignmentError, match=r"confidence 0\.30, wanted 0\.50") as error:
        align(plain)
    assert "films.lantern.accept_confidence: 0.30" in str(error.value)
    assert align(plain, on_unsure="warn").status == "unsure"
    accepted = align(plain, accept=0.1)
    assert (accepted.status, accepted.method, accepted.residual) == ("accepted", "duration", None)
    assert accepted.time_map.pieces == (Piece(0.0, SECONDS, 1.0, 0.0),)


def test_length_that_does_not_fit_is_refused_even_when_low_confidence_is_accepted(tmp_path):
    copy = make_film(tmp_path / "film.mp4", 20)
    with pytest.raises(AlignmentError, match=r"lasts 00:20, the annotated film 00:42"):
        align(copy, accept=0.0)


def test_film_without_cues_in_the_corpus_is_aligned_by_length(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": CLIP})
    found = align(copy, cues=(), accept=0.1)
    assert found.method == "duration"
    assert "the corpus has no dialogue of this film" in found.sentence


def test_two_cues_say_nothing_against_a_film(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": OTHER[:2]})
    found = align(copy, accept=0.1)
    assert found.method == "duration"
    assert "only 2 spoken cues" in found.sentence


def test_bitmap_subtitles_are_named_as_the_reason_for_going_by_length(shared):
    copy = shared / "media" / "popeye_p1_vobsub.mkv"
    film = FilmParams(copy=str(copy), corpora=("sample",), accept_confidence=0.1)
    corpora = {"sample": CorpusClock(CLIP, 60.0, Fraction(30000, 1001))}
    found = align_film("popeye", copy, None, None, corpora, AlignParams(), film)
    assert "they are pictures (dvd_subtitle)" in found.corpora["sample"].sentence


def test_map_made_by_hand_comes_before_everything(tmp_path, plain):
    hand = tmp_path / "lantern.map.yaml"
    hand.write_text(
        "pieces: [{annotation_start_s: 0, annotation_end_s: 21, rate: 1, offset_s: 2.5}]"
    )
    found = align(plain, hand_map=hand)
    assert (found.method, found.status, found.confidence) == ("hand", "sure", 1.0)
    assert found.time_map.pieces == (Piece(0.0, 21.0, 1.0, 2.5),)
    assert found.coverage == 0.5


def test_sidecar_without_a_cue_says_so(tmp_path, plain):
    sidecar = tmp_path / "film.srt"
    sidecar.write_text("1\n00:00:05,000 --> 00:00:04,000\nHello\n")
    with pytest.raises(SubtitleError, match=r"dropped 1 \(end before start\)"):
        align(plain, sidecar)


def test_every_corpus_of_a_film_gets_its_own_map(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": CLIP})
    corpora = {
        "one": CorpusClock(CLIP, SECONDS, NTSC),
        "two": CorpusClock(moved(CLIP, 1, 4.0), SECONDS + 4, NTSC),
    }
    film = FilmParams(copy=str(copy), corpora=("one", "two"))
    found = align_film("lantern", copy, None, None, corpora, AlignParams(), film).corpora
    assert found["one"].time_map.pieces[0].offset_s == 0.0
    assert found["two"].time_map.pieces[0].offset_s == pytest.approx(-4.0, abs=0.002)


def test_unsure_map_is_told_in_the_error_with_the_setting_that_accepts_it(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS + 3.5, tracks={"eng": moved(CLIP, 1, 3.5)})
    with pytest.raises(AlignmentError, match="The alignment is not sure") as error:
        align(copy, min_confidence=0.999)
    assert "The map would say: The copy runs at the speed" in str(error.value)
    assert "films.lantern.accept_confidence: 0.99" in str(error.value)
    assert align(copy, min_confidence=0.999, accept=0.99).status == "accepted"
    assert align(copy, min_confidence=0.999, on_unsure="warn").status == "unsure"
