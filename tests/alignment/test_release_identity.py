"""On the real release: a copy on the annotation clock has the release's own clips."""

from __future__ import annotations

import numpy as np
import pytest

from alignment.dialogues import jittered
from alignment.rhythms import foreign, spans_of
from gazeline.alignment.clocks import Clocks
from gazeline.alignment.text import align_text
from gazeline.alignment.timing import align_timing
from gazeline.corpora.mobygaze.adapter import read_release
from gazeline.corpora.mobygaze.annotations_csv import read_annotations
from gazeline.subtitles.reading.read import Cue
from gazeline.timeline.windows import windows_touching

CLIP_FRAMES = 16


@pytest.fixture(scope="module")
def release(shared):
    """Return per film its rate, its cues and its rows as released."""
    folder = shared / "mobygaze"
    whole = read_release(folder, {"tt0375679": "23.976"})
    rows = read_annotations(folder / "mobygaze_dataframe.csv").rows
    cues = {film.film_id: [] for film in whole.films}
    for cue in whole.cues:
        cues[cue.film_id].append(Cue(cue.start_s, max(cue.start_s, cue.end_s), cue.text))
    return {
        film.film_id: (
            film.fps,
            sorted(cues[film.film_id], key=lambda c: c.start_s),
            [row for row in rows if row.imdb_key == film.film_id],
        )
        for film in whole.films
    }


def clips(time_map, fps, row):
    """Return the first and last clip that a row touches in a copy at its own frame rate."""
    ((start_s, end_s),) = time_map.intervals_to_copy(
        float(row.start_frame / fps), float((row.end_frame + 1) / fps)
    )
    starts = np.arange(row.end_frame // CLIP_FRAMES + 3) * CLIP_FRAMES / float(fps)
    ends = starts + CLIP_FRAMES / float(fps)
    first, stop = windows_touching(starts, ends, (start_s, end_s), 0.5 / float(fps))
    return first, stop - 1


def check(time_map, fps, rows):
    assert len(time_map.pieces) == 1
    assert (time_map.pieces[0].rate, time_map.pieces[0].offset_s) == (1.0, 0.0)
    for row in rows:
        found = clips(time_map, fps, row)
        assert found == (row.start_frame // CLIP_FRAMES, row.end_frame // CLIP_FRAMES)
        assert row.start_clip is None or found[0] == row.start_clip


@pytest.mark.slow
def test_windows_of_every_film_are_the_clips_of_the_release(release):
    assert len(release) == 20
    for fps, cues, rows in release.values():
        end_s = float(max(row.end_frame + 1 for row in rows) / fps) + 60
        clocks = Clocks(end_s, fps, fps, 0.0, end_s)
        check(align_text(cues, jittered(cues, 1, 0.05), clocks).time_map, fps, rows)


@pytest.mark.slow
@pytest.mark.parametrize("film", ["tt0097576", "tt0120338"])
def test_so_they_are_by_timing_alone(release, film):
    fps, cues, rows = release[film]
    end_s = float(max(row.end_frame + 1 for row in rows) / fps) + 60
    clocks = Clocks(end_s, fps, fps, 0.0, end_s)
    check(align_timing(cues, spans_of(foreign(cues, 1)), "cues", clocks).time_map, fps, rows)
