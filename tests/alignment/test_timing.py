"""Maps made from timing alone, against maps that are known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from alignment.dialogues import CLIP, moved
from alignment.rhythms import foreign, heard, later, spans_of, uneven, without
from gazeline.alignment.activity import Kind, Span
from gazeline.alignment.clocks import Clocks
from gazeline.alignment.timing import TimingMatch, align_timing
from gazeline.subtitles.reading.read import Cue

NTSC, PAL = Fraction(24000, 1001), Fraction(25)


FILM = uneven(seed=2, count=700)
DURATION_S = FILM[-1].end_s + 30
CLOCKS = Clocks(DURATION_S)


def by_cues(copy: Sequence[Cue]) -> TimingMatch:
    return align_timing(FILM, spans_of(copy), "cues", CLOCKS)


def worst_s(match: TimingMatch, rate: float, offset_s: float) -> float:
    """Return the largest error over the film of a map that should be one line."""
    errors = []
    for time_s in np.arange(5.0, DURATION_S - 40, 60):
        found = match.time_map.to_copy(float(time_s))
        errors.append(np.inf if found is None else abs(found - rate * time_s - offset_s))
    return float(max(errors))


def test_another_language_on_the_same_clock_gives_the_identity():
    match = by_cues(foreign(FILM, seed=3))
    (piece,) = match.time_map.pieces
    assert (piece.annotation_start_s, piece.rate, piece.offset_s) == (0.0, 1.0, 0.0)
    assert piece.annotation_end_s == pytest.approx(DURATION_S, abs=0.5)
    assert match.exact_rate == 1
    assert match.confidence > 0.9


def test_speed_up_and_shift_in_another_language():
    rate = float(NTSC / PAL)
    match = by_cues(moved(foreign(FILM, seed=4), rate, 31.7))
    assert match.exact_rate == NTSC / PAL
    assert worst_s(match, rate, 31.7) < 0.06


@pytest.mark.parametrize("rate", [0.943, 1.0213, 1.058])
def test_odd_speed_is_measured(rate):
    match = by_cues(moved(foreign(FILM, seed=5), rate, -4.0 * (rate < 1)))
    assert match.exact_rate is None
    assert match.time_map.pieces[0].rate == pytest.approx(rate, abs=3e-5)
    assert match.confidence > 0.9


def test_speech_alone_with_another_scene_is_found_in_two_pieces():
    copy = heard(moved(later(FILM, 1500.0, 75.0), 1.0, 20.0), seed=6)
    match = align_timing(FILM, copy, "speech", CLOCKS)
    first, second = match.time_map.pieces
    assert (first.offset_s, second.offset_s) == pytest.approx((20.0, 95.0), abs=0.06)
    assert first.annotation_end_s == pytest.approx(1500, abs=15)
    assert match.confidence > 0.9


def test_what_is_missing_lies_in_no_piece():
    pause = next(a for a, b in pairwise(FILM) if a.end_s > 1000 and b.start_s - a.end_s > 2)
    start = pause.end_s + 1
    match = by_cues(without(foreign(FILM, seed=7), start, start + 90))
    first, second = match.time_map.pieces
    assert (first.offset_s, second.offset_s) == pytest.approx((0.0, -90.0), abs=0.06)
    assert match.time_map.to_copy(start + 45) is None
    assert second.annotation_start_s - first.annotation_end_s == pytest.approx(90, abs=0.1)


def test_half_a_film_maps_only_the_half():
    half = DURATION_S / 2
    match = by_cues([c for c in foreign(FILM, seed=8) if c.end_s < half])
    assert match.time_map.to_copy(half - 100) == pytest.approx(half - 100, abs=0.06)
    assert match.time_map.to_copy(half + 100) is None


def test_block_of_other_cues_at_the_start_is_passed_over():
    block = [Cue(3.0 * i, 3.0 * i + 2, "x") for i in range(25)]
    match = by_cues([*block, *moved(foreign(FILM, seed=9), 1.0, 88.0)])
    assert worst_s(match, 1.0, 88.0) < 0.06


@pytest.mark.parametrize("kind", ["cues", "speech"])
@pytest.mark.parametrize("seed", [20, 21])
def test_another_film_is_not_believed(kind: Kind, seed):
    other = uneven(seed, 700)
    copy: tuple[Span, ...] = spans_of(other) if kind == "cues" else heard(other, seed)
    match = align_timing(FILM, copy, kind, CLOCKS)
    assert match.confidence < 0.05
    assert match.evidence.tells


def test_copy_that_is_another_film_from_its_middle_on_is_less_sure():
    half = DURATION_S / 2
    other = [c for c in uneven(22, 700) if c.start_s > half]
    whole = [*[c for c in foreign(FILM, seed=10) if c.end_s < half], *other]
    match = by_cues(whole)
    assert match.evidence.placed < 0.7
    assert match.confidence < 0.65


def test_dialogue_as_regular_as_a_clock_says_little_of_what_it_is():
    beat = [Cue(3.0 * i, 3.0 * i + 2.0, f"line {i}") for i in range(600)]
    other = [Cue(3.0 * i + 0.1, 3.0 * i + 2.0, "x") for i in range(600)]
    match = align_timing(beat, spans_of(other), "cues", Clocks(1810.0))
    assert match.confidence < 0.25


def test_few_intervals_tell_nothing():
    match = align_timing(CLIP, [(1.0, 3.0), (9.0, 11.0), (30.0, 31.0)], "speech", Clocks(42.0))
    assert match.confidence < 0.1
    assert not match.evidence.tells


@pytest.mark.parametrize(("corpus", "copy"), [((), spans_of(CLIP)), (CLIP, ()), (CLIP, ((1, 2),))])
def test_nothing_or_next_to_nothing_gives_no_map(corpus, copy):
    match = align_timing(corpus, copy, "cues", Clocks(42.0))
    assert (match.confidence, match.anchors) == (0.0, ())
    assert match.time_map.pieces == ()


def test_anchors_are_pairs_of_edges_on_the_map():
    match = by_cues(moved(foreign(FILM, seed=11), 1.0, 5.0))
    assert len(match.anchors) == match.evidence.n_pairs > 700
    assert all(abs(a.copy_s - a.annotation_s - 5.0) < 0.6 for a in match.anchors)
