"""Make the embedded sample corpus: the release and the user's copies of its films."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gazeline.params.sample import SampleParams
from gazeline.sample.copies import edit_of
from gazeline.sample.dialogue import on_copy, spoken_on_copy
from gazeline.sample.frames import render
from gazeline.sample.mux import encode, write_srt
from gazeline.sample.release import write_release
from gazeline.sample.sound import soundtrack
from gazeline.sample.staging import reel
from gazeline.sample.story import FilmStory, tell


@dataclass(frozen=True)
class SampleSummary:
    """What was made."""

    n_films: int
    n_rows: int
    n_cues: int
    copies_bytes: int

    def sentence(self) -> str:
        """Return the summary line of the stage."""
        return (
            f"{self.n_films} films, {self.n_rows} annotated rows, {self.n_cues} cues, "
            f"{self.copies_bytes / 1e6:.1f} MB of copies"
        )


def make_sample(params: SampleParams, release_dir: Path, films_dir: Path) -> SampleSummary:
    """Write the release to `release_dir` (replaced) and a copy of each film to `films_dir`.

    The same params give the same bytes wherever the same ffmpeg wheel runs.
    """
    stories = tell(params)
    written = [path for story in stories for path in _write_copy(story, params, films_dir)]
    n_rows = _replace_release(stories, params, release_dir)
    return SampleSummary(
        n_films=len(stories),
        n_rows=n_rows,
        n_cues=sum(len(story.cues) for story in stories),
        copies_bytes=sum(path.stat().st_size for path in written),
    )


def _replace_release(
    stories: tuple[FilmStory, ...], params: SampleParams, release_dir: Path
) -> int:
    """Write the release beside its place first, so that a half-written one is never seen."""
    release_dir.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=release_dir.parent, suffix=".tmp") as folder:
        fresh = Path(folder) / release_dir.name
        n_rows = write_release(stories, params, fresh)
        if release_dir.exists():
            shutil.rmtree(release_dir)
        fresh.rename(release_dir)
    return n_rows


def _write_copy(story: FilmStory, params: SampleParams, films_dir: Path) -> list[Path]:
    """Draw, sound and encode one copy; return the files written."""
    copy = story.facts.copy
    path = films_dir / copy.name
    subtitles = on_copy(story, params)
    captions = spoken_on_copy(story, params.seconds) if copy.subtitles != "none" else []
    frames = render(reel(story, params), captions, copy.fps, boxed_captions=not copy.sound)
    edit = edit_of(story, params.seconds)
    sound = soundtrack(story, edit, params.seed) if copy.sound else None
    encode(path, copy.fps, frames, sound, subtitles if copy.subtitles == "embedded" else None)
    if copy.subtitles != "sidecar":
        return [path]
    write_srt(path.with_suffix(".srt"), subtitles)
    return [path, path.with_suffix(".srt")]
