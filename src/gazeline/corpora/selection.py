"""Leave out excluded films and what is outside the subset, and count it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from gazeline.corpora.release import Cue, Event, Reading, Release, Segment, Shot
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams

# End times are quotients of frames and rates: equal ones may differ in the last bit.
TOLERANCE_S = 1e-9
Timed = TypeVar("Timed", Segment, Cue, Event, Shot, Reading)
Item = Segment | Cue | Event | Shot | Reading


@dataclass(frozen=True)
class Selection:
    """The release with what is left out taken out, and what was dropped, by reason.

    `durations_s` are those of the whole films, also in a subset.
    """

    release: Release
    durations_s: Mapping[str, float]
    dropped: Mapping[str, Mapping[str, int]]


def select(release: Release, params: IngestParams, subset: SubsetParams) -> Selection:
    """Apply `exclude`, `subset.films` and `subset.share`, in this order.

    A segment, cue, shot or second is in a share of a film when it ends within it.
    """
    durations_s = _durations_s(release)
    excluded = {f.film_id for f in release.films if f.film_id in params.exclude}
    outside = {
        f.film_id
        for f in release.films
        if subset.films and f.film_id not in subset.films and f.film_id not in excluded
    }
    kept = {f.film_id for f in release.films} - excluded - outside
    limits_s = {film: subset.share * durations_s[film] for film in kept}
    if subset.share == 1:
        limits_s = dict.fromkeys(kept, float("inf"))
    reasons = {"excluded": excluded, "outside the subset's films": outside}
    dropped = {
        "films": {reason: len(films) for reason, films in reasons.items()},
        "segments": _dropped(release.segments, reasons, limits_s),
        "cues": _dropped(release.cues, reasons, limits_s),
        **({"events": _dropped(release.events, reasons, limits_s)} if release.events else {}),
        **({"shots": _dropped(release.shots, reasons, limits_s)} if release.shots else {}),
        **({"series": _dropped(release.series, reasons, limits_s)} if release.series else {}),
    }
    chosen = replace(
        release,
        films=tuple(f for f in release.films if f.film_id in kept),
        segments=_within(release.segments, limits_s),
        cues=_within(release.cues, limits_s),
        events=_within(release.events, limits_s),
        shots=_within(release.shots, limits_s),
        series=_within(release.series, limits_s),
        annotated=tuple(a for a in release.annotated if a.film_id in kept),
    )
    return Selection(chosen, {f: durations_s[f] for f in sorted(kept)}, dropped)


def _durations_s(release: Release) -> dict[str, float]:
    durations = {film.film_id: 0.0 for film in release.films}
    items: list[Item] = [
        *release.segments,
        *release.cues,
        *release.events,
        *release.shots,
        *release.series,
    ]
    for item in items:
        durations[item.film_id] = max(durations[item.film_id], item.end_s)
    return durations


def _within(items: Sequence[Timed], limits_s: Mapping[str, float]) -> tuple[Timed, ...]:
    return tuple(item for item in items if _ends_within(item, limits_s))


def _ends_within(item: Item, limits_s: Mapping[str, float]) -> bool:
    return item.film_id in limits_s and item.end_s <= limits_s[item.film_id] + TOLERANCE_S


def _dropped(
    items: Sequence[Item],
    reasons: Mapping[str, set[str]],
    limits_s: Mapping[str, float],
) -> dict[str, int]:
    counts = {
        reason: sum(item.film_id in films for item in items) for reason, films in reasons.items()
    }
    late = sum(i.film_id in limits_s and not _ends_within(i, limits_s) for i in items)
    return counts | {"beyond the subset's share": late}
