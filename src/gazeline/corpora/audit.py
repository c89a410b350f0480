"""The data audit: what a release had, what became of it and what is odd about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from gazeline.corpora.release import Quirk, Release
from gazeline.corpora.selection import Selection
from gazeline.params.subset import SubsetParams

Report = dict[str, Any]


def audit(
    corpus: str, release_format: str, whole: Release, selection: Selection, subset: SubsetParams
) -> Report:
    """Return the content of ingest.json; `gazeline.corpora.page` makes the readable page of it.

    Quirks are those of the whole release, also where films are excluded or a subset is taken.
    """
    kept = selection.release
    return {
        "corpus": corpus,
        "format": release_format,
        "sources": {name: dict(facts) for name, facts in whole.sources.items()},
        "missing": list(whole.missing),
        "about": None if whole.about is None else asdict(whole.about),
        "in": _sizes(whole),
        "kept": _sizes(kept),
        "dropped": {
            **{part: dict(reasons) for part, reasons in selection.dropped.items()},
            "before reading": dict(whole.dropped),
        },
        "segments_by_label": _counts(s.label for s in kept.segments),
        "segments_by_annotator": _counts(s.annotator for s in kept.segments),
        "quirks": {quirk.name: _entry(quirk) for quirk in whole.quirks},
        **subset.stamp(),
    }


def _sizes(release: Release) -> dict[str, int]:
    return {
        "films": len(release.films),
        "segments": len(release.segments),
        "cues": len(release.cues),
        **({"events": len(release.events)} if release.events else {}),
        **({"shots": len(release.shots)} if release.shots else {}),
        **({"seconds of series": len(release.series)} if release.series else {}),
    }


def _counts(values: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items()))


def _entry(quirk: Quirk) -> Report:
    entry: Report = {
        "meaning": quirk.meaning,
        "part": quirk.part,
        "action": quirk.action,
        "done": quirk.done,
        "unit": quirk.unit,
        "count": quirk.count,
        "examples": list(quirk.examples),
    }
    optional = {"of": quirk.total, "reason": quirk.unknown, "details": dict(quirk.details) or None}
    return entry | {key: value for key, value in optional.items() if value is not None}
