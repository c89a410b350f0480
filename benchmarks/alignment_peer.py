"""ffsubsync on the same cases: it shifts and stretches the corpus's cues to the copy's clock."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from gazeline.subtitles.reading.read import Cue, read_subtitles
from gazeline.timeline.maps import Piece, TimeMap

LIMIT_S = 300


def ffsubsync(folder: Path, corpus: tuple[Cue, ...], command: str) -> TimeMap | None:
    """Return the map that ffsubsync's output stands for, of one piece.

    None where it gives up or takes more than five minutes.
    """
    with tempfile.TemporaryDirectory() as scratch:
        given, made = Path(scratch) / "corpus.srt", Path(scratch) / "synced.srt"
        write_srt(given, corpus)
        reference = folder / "copy.srt"
        if not reference.is_file():
            spans = json.loads((folder / "speech.json").read_text(encoding="utf-8"))["intervals"]
            reference = Path(scratch) / "speech.srt"
            write_srt(reference, tuple(Cue(start, end, "x") for start, end in spans))
        arguments = [command, str(reference), "-i", str(given), "-o", str(made)]
        try:
            done = subprocess.run(arguments, capture_output=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode or not made.is_file():
            return None
        return _map(corpus, read_subtitles(made).cues)


def _map(before: tuple[Cue, ...], after: tuple[Cue, ...]) -> TimeMap | None:
    """Return the line through the starts of the cues; ffsubsync drops those before time 0."""
    kept = before[len(before) - len(after) :]
    if len(after) < 2:
        return None
    rate, offset = np.polyfit([c.start_s for c in kept], [c.start_s for c in after], 1)
    return TimeMap((Piece(0.0, max(c.end_s for c in before) + 30, float(rate), float(offset)),))


def write_srt(path: Path, cues: tuple[Cue, ...]) -> None:
    """Write cues as an SRT file."""
    blocks = [
        f"{i}\n{_stamp(c.start_s)} --> {_stamp(c.end_s)}\n{c.text}\n" for i, c in enumerate(cues, 1)
    ]
    path.write_text("\n".join(blocks), encoding="utf-8")


def _stamp(seconds: float) -> str:
    ms = round(max(0.0, seconds) * 1000)
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"
