"""What Gazeline does about each quirk of a MObyGaze release, in plain words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gazeline.corpora.release import Quirk

_FRAMES_STAND = "the frames stand as released"
_CSV_COUNTS = "the tables have what the CSV says"
_OWN_SPELLING = "read as the canonical name (the paper's)"
_CLIPS = "the column is not used, windows are computed from frames"
_LABELS = "the column is not used, the concepts are"
_CLEANED = "in the table as released; the stage `subtitles` cleans the text"
_NO_CROISSANT = "the file is not used, so no table is affected"
DONE = {
    "rate_printed_oddly": "times are computed with the exact rate",
    "rate_overridden": "times are computed with the rate in params.yaml",
    "rows_out_of_order": "the table is in order of time; `source_row` keeps the released order",
    "overlaps": _FRAMES_STAND,
    "gaps": _FRAMES_STAND,
    "start_clip": _CLIPS,
    "end_clip": _CLIPS,
    "repeated_concepts": "each concept stands once",
    "no_concept": "the list of concepts is empty",
    "concept_at_en": "the level and the concept both stand as released",
    "outside_thesaurus": "it stands in the column `tags`, not in `concepts`",
    "spelling_csv": _OWN_SPELLING,
    "spelling_sql": _OWN_SPELLING,
    "spelling_thesaurus": _OWN_SPELLING,
    "label_speech": _LABELS,
    "label_audio": _LABELS,
    "text_not_lowercase": "`text_released` is as released",
    "text_mojibake": "`text_released` is as released; texts made from the cues are right",
    "cues": "there is nothing to do",
    "cue_mojibake": "the column `text` is right; `text_raw` is as released",
    "cue_tags": _CLEANED,
    "cue_music": _CLEANED,
    "cue_sdh": _CLEANED,
    "cue_empty": "in the table as released; it adds no words",
    "cue_zero_length": "in the table with the length that its time stamps give",
    "cue_out_of_order": "in the table under its released number",
    "cue_overlaps": "both cues are in the table as released",
    "cue_frame_rate": "times come from the time stamps, which are right; frames as released",
    "other_cues": "segment texts are made anew from time stamps; `subtitles.join: released` "
    "makes the released ones",
    "only_in_csv": _CSV_COUNTS,
    "only_in_sql": _CSV_COUNTS,
    "sql_label": _CSV_COUNTS,
    "sql_concepts": _CSV_COUNTS,
    "sql_comment": _CSV_COUNTS,
    "sql_frame_rate": _CSV_COUNTS,
    "sql_title": _CSV_COUNTS,
    "rate_contradicted": "the film table's rate is used; `frame_rates` in params.yaml can "
    "replace it",
    "wrong_time_stamp": "times are computed from frames",
    "movie_mojibake": "the text is not used, titles and genres come from the film list",
    "croissant_errors": _NO_CROISSANT,
    "croissant_warnings": _NO_CROISSANT,
    "croissant": _NO_CROISSANT,
    "licence": "the licence of the paper counts, and is the one in croissant.json",
}


def treated(part: str, quirks: Iterable[Quirk]) -> tuple[Quirk, ...]:
    """Return the quirks of one part of the release with the words for what was done."""
    return tuple(replace(quirk, part=part, done=DONE[quirk.name]) for quirk in quirks)
