"""Section `subtitles`: how cues are cleaned and joined to segments."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gazeline.params.base import Section, register


class CleaningParams(Section):
    """Rules, each on or off, applied in this order."""

    mojibake: bool = True
    tags: bool = True
    ads: bool = True
    music: bool = True
    sdh: bool = True
    speakers: bool = True
    hyphens: bool = True
    dashes: bool = True
    backslashes: bool = True
    quotes: bool = True
    whitespace: bool = True
    lowercase: bool = False


@register
class SubtitlesParams(Section):
    """`join` says which cues belong to a segment.

    `midpoint`: the cue's middle lies in the segment; `overlap`: the cue overlaps the segment;
    `released`: the release's own frame numbers overlap, inclusive (reproduces its text).
    """

    join: Literal["midpoint", "overlap", "released"] = "midpoint"
    preset: Literal["custom", "released"] = "custom"
    cleaning: CleaningParams = Field(default_factory=CleaningParams)
