"""How the copies' clocks differ from the annotation clock: the truth that alignment must find."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from gazeline.params.sample import SampleParams
from gazeline.sample.catalogue import FPS, frames_of
from gazeline.sample.story import FilmStory, tell
from gazeline.timeline.maps import Piece, TimeMap


@dataclass(frozen=True)
class Edit:
    """The copy's frames: `logo_frames`, then the film, with a scene inserted before a frame.

    `cut_frame` is None where nothing is inserted.
    """

    logo_frames: int
    cut_frame: int | None
    inserted_frames: int

    def copy_frame(self, frame: int) -> int:
        """Return the number in the copy of a frame of the annotated film."""
        inserted = self.inserted_frames if self.cut_frame is not None else 0
        after_cut = self.cut_frame is not None and frame >= self.cut_frame
        return frame + self.logo_frames + (inserted if after_cut else 0)


def edit_of(story: FilmStory, seconds: int) -> Edit:
    """Return how a film's copy was edited; lengths shrink with the film."""
    copy = story.facts.copy
    logo = frames_of(min(3.5, max(1.0, 3.5 * seconds / 40))) if copy.logo else 0
    if not copy.inserted_scene:
        return Edit(logo, None, 0)
    middle = story.n_frames / 2
    cut = min((e.end_frame for e in story.events), key=lambda frame: abs(frame - middle))
    return Edit(logo, cut, frames_of(min(5.0, max(1.5, seconds / 8))))


def time_map(story: FilmStory, seconds: int) -> TimeMap:
    """Return the true map of a film's annotation clock to its copy."""
    edit = edit_of(story, seconds)
    fps = story.facts.copy.fps
    edges = [0, *([edit.cut_frame] if edit.cut_frame is not None else []), story.n_frames]
    pieces = []
    for start, end in pairwise(edges):
        shift = edit.copy_frame(start) - start
        interval = (float(start / FPS), float(end / FPS))
        pieces.append(Piece(*interval, rate=float(FPS / fps), offset_s=float(shift / fps)))
    return TimeMap(tuple(pieces))


def truth(params: SampleParams) -> dict[str, TimeMap]:
    """Return the true map from the annotation clock to the copy, for every film."""
    return {story.facts.film_id: time_map(story, params.seconds) for story in tell(params)}
