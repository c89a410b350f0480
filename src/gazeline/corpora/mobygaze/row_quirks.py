"""What is odd about the rows of the annotations file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby, pairwise

from gazeline.corpora.mobygaze.annotations_csv import CLIP_FRAMES, AnnotationsFile, Row
from gazeline.corpora.mobygaze.vocabulary import concept, sort_concepts
from gazeline.corpora.release import Action, Quirk, examples_of
from gazeline.subtitles.mojibake import repaired
from gazeline.timeline.rates import exact_rate

ROWS = "segments"
# What the first byte of two- and three-byte UTF-8 sequences becomes when read as Latin-1.
_BROKEN_STARTS = "ÂÃâ"


def row_quirks(file: AnnotationsFile, rates: Mapping[str, Fraction]) -> list[Quirk]:
    """Return the quirks of the rows; `rates` is the annotation frame rate by film in use."""
    rows = file.rows
    return [
        *_rate_quirks(rows, rates),
        *_neighbour_quirks(rows),
        *_clip_quirks(rows),
        *_concept_quirks(rows),
        *_modality_quirks(rows),
        *_text_quirks(rows),
    ]


def _rows_quirk(
    name: str, meaning: str, action: Action, found: list[str], total: int, **details: int
) -> Quirk:
    return Quirk(
        name, meaning, action, ROWS, len(found), total, examples_of(found), details=details
    )


def _rate_quirks(rows: tuple[Row, ...], rates: Mapping[str, Fraction]) -> Iterator[Quirk]:
    odd = [
        f"{row.name}: {row.framerate} for {rates[row.imdb_key]}"
        for row in rows
        if exact_rate(row.framerate).denominator == 1001 and row.framerate != "23.976"
    ]
    meaning = "frame rate not printed as 23.976 that means 24000/1001 all the same"
    yield _rows_quirk("rate_printed_oddly", meaning, "repaired", odd, len(rows))
    overridden = [
        f"{row.name}: {row.framerate} released, {rates[row.imdb_key]} in params"
        for row in rows
        if exact_rate(row.framerate) != rates[row.imdb_key]
    ]
    meaning = "frame rate replaced by `frame_rates` of params.yaml"
    yield _rows_quirk("rate_overridden", meaning, "repaired", overridden, len(rows))


def _neighbour_quirks(rows: tuple[Row, ...]) -> Iterator[Quirk]:
    """Compare neighbours of one annotator in one film; a film is one block of rows."""
    disorder, overlaps, gaps = [], [], []
    for _, block in groupby(rows, key=lambda row: (row.imdb_key, row.annotator)):
        listed = list(block)
        disorder += [b.name for a, b in pairwise(listed) if b.start_frame < a.start_frame]
    for _, block in groupby(
        sorted(rows, key=_place), key=lambda row: (row.imdb_key, row.annotator)
    ):
        for before, after in pairwise(block):
            step = after.start_frame - before.end_frame - 1
            frames = "1 frame" if abs(step) == 1 else f"{abs(step)} frames"
            if step < 0:
                overlaps.append(f"{after.name}: {frames} shared with {before.clip_index}")
            elif step > 0:
                gaps.append(f"{after.name}: a gap of {frames} after {before.clip_index}")
    total = len(rows)
    yield _rows_quirk(
        "rows_out_of_order", "row that begins before the row above it", "repaired", disorder, total
    )
    meaning = "overlap with the annotator's segment before"
    yield _rows_quirk("overlaps", meaning, "kept", overlaps, total)
    meaning = "gap to the annotator's segment before"
    yield _rows_quirk("gaps", meaning, "kept", gaps, total)


def _place(row: Row) -> tuple[str, str, int, int]:
    return row.imdb_key, row.annotator, row.start_frame, row.source_row


def _clip_quirks(rows: tuple[Row, ...]) -> Iterator[Quirk]:
    starts = [
        f"{row.name}: {row.start_clip}, not {row.start_frame // CLIP_FRAMES}"
        for row in rows
        if row.start_clip is not None and row.start_clip != row.start_frame // CLIP_FRAMES
    ]
    ends = [
        f"{row.name}: {row.end_clip}, not {row.end_frame // CLIP_FRAMES}"
        for row in rows
        if row.end_clip is not None and row.end_clip != row.end_frame // CLIP_FRAMES
    ]
    meaning = "{0} that is not {1} // 16"
    for name, frame, found in (
        ("start_clip", "start_frame", starts),
        ("end_clip", "end_frame", ends),
    ):
        yield _rows_quirk(name, meaning.format(name, frame), "repaired", found, len(rows))


def _concept_quirks(rows: tuple[Row, ...]) -> Iterator[Quirk]:
    sorted_rows = [(row, sort_concepts(row.concepts)) for row in rows]
    total = len(rows)
    twice = [
        f"{row.name}: {len(row.concepts)} entries, {len(row.concepts) - names.repeated} distinct"
        for row, names in sorted_rows
        if names.repeated
    ]
    entries = sum(names.repeated for _, names in sorted_rows)
    meaning = "concept given more than once"
    yield _rows_quirk("repeated_concepts", meaning, "repaired", twice, total, entries=entries)
    bare = [
        row
        for row, names in sorted_rows
        if row.level != "EN" and not names.concepts and not names.tags
    ]
    levels = Counter(row.level for row in bare)
    meaning = "level other than EN without any concept"
    named = [f"{row.name}: {row.level}" for row in bare]
    yield _rows_quirk("no_concept", meaning, "kept", named, total, **dict(sorted(levels.items())))
    easy = [
        f"{row.name}: {', '.join(names.concepts + names.tags)}"
        for row, names in sorted_rows
        if row.level == "EN" and (names.concepts or names.tags)
    ]
    yield _rows_quirk("concept_at_en", "level EN, although a concept is given", "kept", easy, total)
    outside = [f"{row.name}: {', '.join(names.tags)}" for row, names in sorted_rows if names.tags]
    meaning = "concept outside the thesaurus"
    yield _rows_quirk("outside_thesaurus", meaning, "kept", outside, total)
    yield spellings("spelling_csv", "the CSV", (name for row in rows for name in row.concepts))


def spellings(name: str, where: str, entries: Iterable[str]) -> Quirk:
    """Return how many concept entries are spelt otherwise than the canonical name."""
    variants = Counter(e for e in entries if concept(e) not in (None, e))
    shown = [f"{each!r} for {concept(each)!r}" for each in sorted(variants)]
    meaning = f"concept spelt otherwise in {where}"
    count = variants.total()
    return Quirk(name, meaning, "repaired", "entries", count, None, examples_of(shown, 5))


def _modality_quirks(rows: tuple[Row, ...]) -> Iterator[Quirk]:
    """Check the columns that only the older generation has against the concepts."""
    for name, concepts in (("label_speech", {"Speech"}), ("label_audio", {"Voice", "Soundtrack"})):
        if getattr(rows[0], name) is None:
            continue
        wrong = [
            f"{row.name}: {getattr(row, name)}"
            for row in rows
            if getattr(row, name) != int(bool(concepts & set(sort_concepts(row.concepts).concepts)))
        ]
        meaning = f"{name} that the concepts contradict"
        yield _rows_quirk(name, meaning, "dropped", wrong, len(rows))


def _text_quirks(rows: tuple[Row, ...]) -> Iterator[Quirk]:
    upper = [f"{row.name}: {_shown(row.text)}" for row in rows if row.text != row.text.lower()]
    meaning = "released text with upper case, though the datasheet says lower-cased"
    yield _rows_quirk("text_not_lowercase", meaning, "kept", upper, len(rows))
    broken = [row for row in rows if looks_broken(row.text)]
    shown = [f"{row.name}: {_shown(_broken_part(row.text))}" for row in broken]
    meaning = "released text in which UTF-8 was read as Latin-1"
    whole = sum(repaired(row.text) != row.text for row in broken)
    yield _rows_quirk(
        "text_mojibake", meaning, "kept", shown, len(rows), repairable_as_a_whole=whole
    )


def looks_broken(text: str) -> bool:
    """Return whether a text, or a part of it, was UTF-8 read as Latin-1."""
    if text.isascii():
        return False
    if repaired(text) != text:
        return True
    return any(_is_broken_pair(a, b) for a, b in pairwise(text))


def _is_broken_pair(first: str, second: str) -> bool:
    # Of a broken à (C3 A0) the second byte is a no-break space, which cleaning made a plain one.
    return first in _BROKEN_STARTS and ("\x80" <= second <= "\xbf" or (first + second) == "Ã ")


def _broken_part(text: str) -> str:
    at = next(index for index, char in enumerate(text) if not char.isascii())
    return text[max(0, at - 12) : at + 12]


def _shown(text: str, most: int = 40) -> str:
    text = text.strip()
    return json.dumps(text if len(text) <= most else text[: most - 1] + "…", ensure_ascii=False)
