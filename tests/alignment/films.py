"""Film files with subtitles, made by ffmpeg."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from gazeline.media.probing.binaries import find_binaries
from gazeline.subtitles.reading.read import Cue


def srt(cues: Sequence[Cue]) -> str:
    """Return cues as the text of an SRT file."""
    blocks = [
        f"{i}\n{_stamp(c.start_s)} --> {_stamp(c.end_s)}\n{c.text}\n" for i, c in enumerate(cues, 1)
    ]
    return "\n".join(blocks)


def make_film(
    path: Path,
    seconds: float,
    fps: str = "24000/1001",
    tracks: Mapping[str, Sequence[Cue]] | None = None,
    *,
    video: bool = True,
    options: Sequence[str] = (),
) -> Path:
    """Write a film with tiny pictures (or only sound) and one subtitle track per language."""
    sources = ["-f", "lavfi"]
    sources += ["-i", f"color=c=gray:s=64x36:r={fps}" if video else "sine=frequency=300"]
    maps, languages = ["-map", "0"], []
    for number, (language, cues) in enumerate((tracks or {}).items()):
        file = path.with_name(f"{path.stem}.{language}.srt")
        file.write_text(srt(cues), encoding="utf-8")
        sources += ["-i", str(file)]
        maps += ["-map", str(number + 1)]
        languages += [f"-metadata:s:s:{number}", f"language={language}"]
    subtitles = "mov_text" if path.suffix == ".mp4" else "srt"
    encode = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac", "-c:s", subtitles]
    command = [find_binaries().ffmpeg, "-v", "error", "-y", *sources, *maps, *languages]
    command += [*encode, *options, "-t", str(seconds), str(path)]
    subprocess.run(command, check=True)
    return path


def _stamp(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"
