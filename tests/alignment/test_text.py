"""Alignment by dialogue, against maps known by construction."""

from __future__ import annotations

from fractions import Fraction

import pytest

from alignment.dialogues import CLIP, HOUR, jittered, moved, speak
from gazeline.alignment.clocks import Clocks
from gazeline.alignment.text import TextMatch, align_text
from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.maps import Piece

NTSC = Fraction(24000, 1001)
CLIP_S, HOUR_S = 42.0, HOUR[-1].end_s + 10


def errors_s(match: TextMatch, truth: list[Piece], cues: tuple[Cue, ...]) -> list[float]:
    """Return the error at the middle of every cue that the true map has."""
    found = []
    for cue in cues:
        middle = (cue.start_s + cue.end_s) / 2
        for piece in truth:
            if piece.annotation_start_s <= middle < piece.annotation_end_s:
                at = match.time_map.to_copy(middle)
                assert at is not None, f"{middle} s is in the copy but not on the map"
                found.append(abs(at - piece.to_copy(middle)))
    return found


def test_same_clock_gives_exactly_the_identity_over_the_whole_film():
    copy = jittered(CLIP, seed=3, amount_s=0.04)
    match = align_text(CLIP, copy, Clocks(CLIP_S, NTSC, NTSC, 0.0, CLIP_S + 0.02))
    assert match.time_map.pieces == (Piece(0.0, CLIP_S, 1.0, 0.0),)
    assert match.confidence > 0.9


def test_small_offset_that_is_real_is_not_taken_for_the_identity():
    match = align_text(HOUR, moved(HOUR, 1, 0.2), Clocks(HOUR_S, NTSC, NTSC, 0.0, HOUR_S + 1))
    assert match.time_map.pieces[0].offset_s == pytest.approx(0.2, abs=0.002)


@pytest.mark.parametrize("offset_s", [-17.25, 0.5, 3.5, 88.0])
@pytest.mark.parametrize(("cues", "duration_s"), [(CLIP, CLIP_S), (HOUR, HOUR_S)])
def test_offset(offset_s, cues, duration_s):
    kept = [c for c in cues if c.start_s + offset_s > 0]
    match = align_text(cues, moved(kept, 1, offset_s), Clocks(duration_s, NTSC, NTSC))
    first = max(0.0, -offset_s)
    (piece,) = match.time_map.pieces
    assert (piece.annotation_start_s, piece.annotation_end_s) == pytest.approx(
        (first, duration_s), abs=0.01
    )
    assert (piece.rate, piece.offset_s) == (1.0, pytest.approx(offset_s, abs=0.002))
    assert match.confidence > 0.85


RATES = [
    (NTSC / 25, NTSC, Fraction(25)),
    (25 / NTSC, Fraction(25), NTSC),
    (NTSC / 24, NTSC, Fraction(24)),
    (24 / NTSC, Fraction(24), NTSC),
    (Fraction(24, 25), Fraction(24), Fraction(25)),
]


@pytest.mark.parametrize(("rate", "annotation_fps", "copy_fps"), RATES)
@pytest.mark.parametrize("known", [True, False])
def test_standard_speed_comes_out_exactly_even_when_frame_rates_are_not_known(
    rate, annotation_fps, copy_fps, known
):
    clocks = Clocks(HOUR_S, annotation_fps, copy_fps) if known else Clocks(HOUR_S)
    match = align_text(HOUR, jittered(moved(HOUR, float(rate), 12.0), 5, 0.2), clocks)
    (piece,) = match.time_map.pieces
    assert match.exact_rate == rate
    assert (piece.rate, piece.offset_s) == (float(rate), pytest.approx(12.0, abs=0.03))


@pytest.mark.parametrize(("rate", "annotation_fps", "copy_fps"), RATES)
def test_frame_rates_decide_what_a_few_loosely_timed_cues_cannot(rate, annotation_fps, copy_fps):
    clocks = Clocks(CLIP_S, annotation_fps, copy_fps)
    match = align_text(CLIP, jittered(moved(CLIP, float(rate), 0.0), 5, 0.04), clocks)
    assert match.exact_rate == rate
    assert max(errors_s(match, [Piece(0, CLIP_S, float(rate), 0)], CLIP)) < 0.05


@pytest.mark.parametrize("rate", [0.9437, 0.9972, 1.0021, 1.0555])
def test_odd_speed_is_kept_as_measured(rate):
    match = align_text(HOUR, jittered(moved(HOUR, rate, 5.0), 7, 0.2), Clocks(HOUR_S))
    assert match.exact_rate is None
    assert max(errors_s(match, [Piece(0, HOUR_S, rate, 5.0)], HOUR)) < 0.05


def inserted(cues: tuple[Cue, ...], at: int, seconds: float) -> tuple[tuple[Cue, ...], float]:
    """Return a copy with a scene of other lines before cue `at`, and where it was put."""
    cut = (cues[at - 1].end_s + cues[at].start_s) / 2
    scene = speak(seed=99, count=max(1, int(seconds / 3)), spacing_s=2.5, start_s=cut + 0.3)
    return (*cues[:at], *scene, *moved(cues[at:], 1, seconds)), cut


@pytest.mark.parametrize(
    ("cues", "duration_s", "at", "seconds"),
    [
        (CLIP, CLIP_S, 6, 5.0),
        (CLIP, CLIP_S, 3, 5.0),
        (HOUR, HOUR_S, 400, 95.0),
        (HOUR, HOUR_S, 12, 20.0),
    ],
)
def test_scene_that_the_copy_has_more(cues, duration_s, at, seconds):
    copy, cut = inserted(cues, at, seconds)
    match = align_text(cues, copy, Clocks(duration_s, NTSC, NTSC))
    before, after = match.time_map.pieces
    assert before.annotation_end_s == after.annotation_start_s
    assert cues[at - 1].end_s <= before.annotation_end_s <= cues[at].start_s
    truth = [Piece(0, cut, 1, 0), Piece(cut, duration_s, 1, seconds)]
    assert max(errors_s(match, truth, cues)) < 0.01
    assert match.confidence > 0.85


@pytest.mark.parametrize(
    ("cues", "duration_s", "first", "stop"),
    [(CLIP, CLIP_S, 5, 7), (HOUR, HOUR_S, 400, 430), (HOUR, HOUR_S, 980, 990)],
)
def test_scene_that_the_copy_lacks_lies_in_no_piece(cues, duration_s, first, stop):
    start = (cues[first - 1].end_s + cues[first].start_s) / 2
    end = (cues[stop - 1].end_s + cues[stop].start_s) / 2
    copy = (*cues[:first], *moved(cues[stop:], 1, start - end))
    match = align_text(cues, copy, Clocks(duration_s, NTSC, NTSC))
    truth = [Piece(0, start, 1, 0), Piece(end, duration_s, 1, start - end)]
    assert max(errors_s(match, truth, cues)) < 0.01
    for cue in cues[first:stop]:
        assert match.time_map.to_copy((cue.start_s + cue.end_s) / 2) is None
    assert match.time_map.coverage(0, duration_s) == pytest.approx(
        1 - (end - start) / duration_s, abs=1e-3
    )


def replaced(old: tuple[Cue, ...], first: int, stop: int, new_s: float) -> tuple[Cue, ...]:
    """Return a copy with other lines, `new_s` long, in place of the cues from `first` to `stop`."""
    start = (old[first - 1].end_s + old[first].start_s) / 2
    end = (old[stop - 1].end_s + old[stop].start_s) / 2
    scene = (
        Cue(start + 0.2, start + new_s / 2, "Seven dark ships arrived."),
        Cue(start + new_s / 2 + 0.1, start + new_s - 0.2, "Who cut these ropes?"),
    )
    return (*old[:first], *scene, *moved(old[stop:], 1, new_s - (end - start)))


@pytest.mark.parametrize("new_s", [4.0, 5.0, 15.0])
@pytest.mark.parametrize(
    ("cues", "duration_s", "first", "stop"), [(CLIP, CLIP_S, 5, 8), (HOUR, HOUR_S, 400, 403)]
)
def test_scene_replaced_by_another_is_mapped_to_nothing(cues, duration_s, first, stop, new_s):
    copy = replaced(cues, first, stop, new_s)
    match = align_text(cues, copy, Clocks(duration_s, NTSC, NTSC))
    middles = [(c.start_s + c.end_s) / 2 for c in cues]
    absent = [i for i, at in enumerate(middles) if match.time_map.to_copy(at) is None]
    assert absent == list(range(first, stop))
    shift = copy[-1].start_s - cues[-1].start_s
    assert match.time_map.pieces[-1].offset_s == pytest.approx(shift, abs=0.002)


def test_lines_that_the_copy_leaves_out_beside_a_cut_stay_mapped():
    copy, cut = inserted(HOUR, 400, 95.0)
    sparse = tuple(c for c in copy if not HOUR[396].start_s <= c.start_s < cut + 95)
    match = align_text(HOUR, sparse, Clocks(HOUR_S, NTSC, NTSC))
    assert match.time_map.coverage(0, HOUR_S) == 1.0


def test_offset_speed_and_cuts_together():
    rate = float(NTSC / 25)
    first, stop = 300, 320
    missing = HOUR[stop].start_s - HOUR[first].start_s
    copy = (
        *moved(HOUR[:first], rate, 31.0),
        *moved(HOUR[stop:700], rate, 31.0 - rate * missing),
        *moved(HOUR[700:], rate, 91.0 - rate * missing),
    )
    match = align_text(HOUR, jittered(copy, 4, 0.15), Clocks(HOUR_S))
    kept = (*HOUR[: first - 2], *HOUR[stop + 2 : 698], *HOUR[702:])
    truth = [
        Piece(0, HOUR[first].start_s, rate, 31.0),
        Piece(HOUR[stop].start_s, HOUR[700].start_s, rate, 31.0 - rate * missing),
        Piece(HOUR[700].start_s, HOUR_S, rate, 91.0 - rate * missing),
    ]
    assert len(match.time_map.pieces) == 3
    assert match.exact_rate == NTSC / 25
    assert max(errors_s(match, truth, kept)) < 0.05


def test_copy_that_ends_early_maps_nothing_beyond_its_end():
    match = align_text(HOUR, HOUR[:500], Clocks(HOUR_S, NTSC, NTSC, 0.0, 1800.0))
    assert match.time_map.pieces == (Piece(0.0, 1800.0, 1.0, 0.0),)


def test_eight_forced_cues_of_an_hour_are_enough():
    forced = tuple(HOUR[i] for i in (50, 51, 300, 301, 302, 710, 711, 930))
    match = align_text(HOUR, moved(forced, float(NTSC / 25), 2.0), Clocks(HOUR_S))
    assert max(errors_s(match, [Piece(0, HOUR_S, float(NTSC / 25), 2.0)], HOUR)) < 0.05
    assert match.confidence > 0.5


def test_another_film_has_no_confidence():
    for seed in range(20):
        other = speak(seed=1000 + seed, count=900, spacing_s=3.9)
        assert align_text(HOUR, other, Clocks(HOUR_S)).confidence < 0.05
        assert align_text(CLIP, other[:12], Clocks(CLIP_S)).confidence < 0.05


STOCK = ("Do you know what I mean?", "I don't know what that is.", "What are you doing here?")


def with_stock(cues: tuple[Cue, ...], places: tuple[int, ...]) -> tuple[Cue, ...]:
    """Return cues with stock phrases in these places."""
    said = dict(zip(places, STOCK * 2, strict=False))
    return tuple(Cue(c.start_s, c.end_s, said.get(i, c.text)) for i, c in enumerate(cues))


@pytest.mark.parametrize("places", [(2, 5), (1, 4, 8)])
def test_short_films_that_share_stock_phrases_at_the_same_times_are_never_sure(places):
    ours = with_stock(speak(seed=600, count=20, spacing_s=2.0), places)
    for seed in range(20):
        theirs = speak(seed=700 + seed, count=20, spacing_s=2.0)
        match = align_text(ours, with_stock(theirs, places), Clocks(CLIP_S, NTSC, NTSC))
        assert match.confidence < 0.5, match.evidence.sentence()


def test_two_anchors_that_would_need_another_speed_do_not_exceed_the_limit():
    ours = with_stock(speak(seed=600, count=20, spacing_s=2.0), (2, 16))
    theirs = speak(seed=701, count=20, spacing_s=1.8)
    match = align_text(ours, with_stock(theirs, (2, 16)), Clocks(CLIP_S, NTSC, NTSC))
    assert all(0.94 <= piece.rate <= 1.06 for piece in match.time_map.pieces)
    assert match.confidence < 0.25


@pytest.mark.parametrize("copy", [(), CLIP[:1], (Cue(1.0, 2.0, "♪ ♪"), Cue(3.0, 4.0, "[wind]"))])
def test_nearly_nothing_said_gives_no_map_and_no_error(copy):
    match = align_text(CLIP, copy, Clocks(CLIP_S))
    assert (match.time_map.pieces, match.confidence) == ((), 0.0)


def test_same_input_gives_the_same_map():
    copy = jittered(moved(HOUR, 1.0021, 3.0), 8, 0.2)
    assert align_text(HOUR, copy, Clocks(HOUR_S)) == align_text(HOUR, copy, Clocks(HOUR_S))
