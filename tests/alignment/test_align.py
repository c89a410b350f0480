"""Whole films: what is aligned by what, and what is refused with which evidence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from alignment.dialogues import CLIP, jittered, moved, speak
from alignment.films import make_film, srt
from alignment.rhythms import foreign, uneven
from gazeline.alignment.align import align_film, examine_film
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
LONG = uneven(seed=2, count=300)
LONG_S = 1800.0


def align(
    copy: Path,
    subtitles: Path | None = None,
    hand_map: Path | None = None,
    cues: Sequence[Cue] = CLIP,
    accept: float | None = None,
    seconds: float = SECONDS,
    **params: object,
) -> Alignment:
    film = FilmParams(copy=str(copy), corpora=("sample",), accept_confidence=accept)
    corpora = {"sample": CorpusClock(cues, seconds, NTSC)}
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


@pytest.mark.parametrize(("name", "count"), [("popeye_p1_vobsub", 15), ("popeye_p1_pgs", 11)])
def test_timing_of_picture_subtitles_is_tried_and_too_short_a_clip_said_to_be_so(
    name, count, shared
):
    copy = shared / "media" / f"{name}.mkv"
    film = FilmParams(copy=str(copy), corpora=("sample",), accept_confidence=0.1)
    corpora = {"sample": CorpusClock(CLIP, 60.0, Fraction(30000, 1001))}
    found = align_film("popeye", copy, None, None, corpora, AlignParams(), film).corpora["sample"]
    assert found.method == "duration"
    assert f"{count} intervals are too few to tell" in found.sentence
    assert "it has no sound" in found.sentence


def test_subtitles_in_another_language_are_used_for_their_timing(tmp_path):
    copy = make_film(tmp_path / "film.mkv", LONG_S, "2", tracks={"fre": foreign(LONG, seed=3)})
    found = align(copy, cues=LONG, seconds=LONG_S)
    assert (found.method, found.status) == ("timing", "sure")
    assert found.time_map.pieces == (Piece(0.0, LONG_S, 1.0, 0.0),)
    assert "the timing of the embedded subtitles (stream 1, fre" in found.sentence
    assert "no common phrase between" in found.sentence


def test_broken_subtitle_track_falls_to_the_next_evidence_and_says_so(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": CLIP})
    copy.write_bytes(copy.read_bytes().replace(b"S_TEXT/UTF8", b"S_TEXT/NONE"))
    found = align(copy, accept=0.1)
    assert found.method == "duration"
    assert "the embedded subtitles (stream 1, eng" in found.sentence
    assert "the speech in its sound: it has no sound" in found.sentence


def test_cues_of_another_film_beside_a_copy_without_sound_are_refused(tmp_path, plain):
    sidecar = tmp_path / "film.srt"
    sidecar.write_text(srt(OTHER), encoding="utf-8")
    with pytest.raises(AlignmentError, match="another film") as error:
        align(plain, sidecar)
    assert "gazeline align check lantern" in str(error.value)


def test_more_cues_than_any_film_has_are_not_tried(tmp_path, plain):
    sidecar = tmp_path / "film.srt"
    many = [Cue(0.1 * i, 0.1 * i + 0.05, "x") for i in range(20_001)]
    sidecar.write_text(srt(many), encoding="utf-8")
    with pytest.raises(SubtitleError, match="has 20001 cues, which no film has"):
        align(plain, sidecar)


def test_copy_shorter_than_a_minute_is_told_to_be_one(tmp_path):
    with pytest.raises(AlignmentError, match="it lasts less than a minute"):
        align(make_film(tmp_path / "film.mkv", 20), cues=LONG, seconds=LONG_S)


def test_silence_says_nothing_for_or_against_a_film(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, video=False)
    found = align(copy, accept=0.1)
    assert found.method == "duration"
    assert "the speech in its sound: nobody speaks" in found.sentence


def test_evidence_can_be_looked_at_without_being_judged(tmp_path):
    copy = make_film(tmp_path / "film.mkv", SECONDS, tracks={"eng": moved(CLIP, 1, 2.0)})
    corpora = {"sample": CorpusClock(CLIP, SECONDS, NTSC)}
    (found,) = examine_film(copy, None, None, corpora, AlignParams()).values()
    assert found.method == "text"
    assert len(found.anchors) > 5
    assert all(abs(r) < 0.01 for r in found.residuals_s() if r is not None)
    other = {"sample": CorpusClock(OTHER, SECONDS, NTSC)}
    assert examine_film(copy, None, None, other, AlignParams())["sample"].confidence < 0.1


def test_map_made_by_hand_comes_before_everything(tmp_path, plain):
    hand = tmp_path / "lantern.map.yaml"
    hand.write_text(
        "pieces: [{annotation_start_s: 0, annotation_end_s: 21, rate: 1, offset_s: 2.5}]"
    )
    found = align(plain, hand_map=hand)
    assert (found.method, found.status, found.confidence) == ("hand", "sure", 1.0)
    assert found.time_map.pieces == (Piece(0.0, 21.0, 1.0, 2.5),)
    assert found.coverage == 0.5


def test_map_made_by_hand_covers_no_more_than_the_copy(tmp_path, plain):
    hand = tmp_path / "lantern.map.yaml"
    line = "pieces: [{{annotation_start_s: 0, annotation_end_s: 42, rate: 1, offset_s: {}}}]"
    hand.write_text(line.format(21))
    found = align(plain, hand_map=hand)
    assert found.coverage == pytest.approx(0.5, abs=0.01)
    assert found.missing == ((found.time_map.pieces[0].annotation_end_s, SECONDS),)
    hand.write_text(line.format(100000))
    with pytest.raises(AlignmentError, match="would lie from 100000.000 to 100042.000 s"):
        align(plain, hand_map=hand)


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
