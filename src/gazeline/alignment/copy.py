"""What alignment needs to know of a copy: its clock and the dialogue it carries."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from gazeline.alignment.record import CopyClock
from gazeline.errors import MediaError
from gazeline.media.binaries import find_binaries
from gazeline.timeline.rates import exact_rate

# The clocks of these formats may start anywhere; players and decoding start them at 0.
ANY_ORIGIN = {"mpegts", "mpeg", "mpegtsraw"}
NOT_A_FILM = {"tty", "image2", "ico", "srt", "webvtt", "ass"}
BITMAP_CODECS = {"dvd_subtitle", "hdmv_pgs_subtitle", "dvb_subtitle", "xsub", "dvb_teletext"}
MOST_CREDIBLE_FPS = 300

Entry = dict[str, Any]


@dataclass(frozen=True)
class Track:
    """An embedded subtitle track; `index` is ffprobe's stream index."""

    index: int
    codec: str
    language: str | None
    default: bool
    forced: bool

    @property
    def is_text(self) -> bool:
        """Say whether the track holds words, not pictures of them."""
        return self.codec not in BITMAP_CODECS

    def describe(self) -> str:
        """Return `stream 2, eng, default`."""
        words = [f"stream {self.index}", self.language or "language not named"]
        words += ["default"] * self.default + ["forced"] * self.forced
        return ", ".join(words)


@dataclass(frozen=True)
class CopyFile:
    """A copy's clock, in seconds, its exact frame rate (None without video), and its tracks."""

    path: Path
    start_s: float
    end_s: float
    fps: Fraction | None
    tracks: tuple[Track, ...]

    @property
    def clock(self) -> CopyClock:
        """Return the part that is written beside the maps."""
        fps = None if self.fps is None else str(self.fps)
        return CopyClock(duration_s=self.end_s - self.start_s, fps=fps)


def examine_copy(path: Path) -> CopyFile:
    """Ask ffprobe for a copy's clock and subtitle tracks.

    Raises:
        MediaError: the file is missing, or has neither video nor sound.
    """
    if not path.is_file():
        raise MediaError(
            f"The copy {path.name} is not there",
            where=str(path),
            todo="put the copy there, or correct films.<film>.copy in params.yaml",
        )
    data = _ask(path, "-show_format", "-show_streams")
    container: Entry = data.get("format", {})
    names = set(str(container.get("format_name", "")).split(","))
    streams: list[Entry] = data.get("streams", [])
    video = next((s for s in streams if s.get("codec_type") == "video" and _moves(s)), None)
    main = video or next((s for s in streams if s.get("codec_type") == "audio"), None)
    if main is None or names & NOT_A_FILM:
        raise _not_a_film(path, "it has neither moving pictures nor sound")
    start = 0.0 if names & ANY_ORIGIN else _number(container.get("start_time")) or 0.0
    return CopyFile(
        path=path,
        start_s=start,
        end_s=start + _length_s(path, container, main),
        fps=None if video is None else _fps(video),
        tracks=tuple(_track(s) for s in streams if s.get("codec_type") == "subtitle"),
    )


def extract_track(copy: CopyFile, track: Track) -> str:
    """Return an embedded text track as SRT, on the copy clock.

    Raises:
        MediaError: ffmpeg cannot read it.
    """
    # ffmpeg moves a file's first time stamp to 0; the copy clock keeps it.
    keep_clock = ["-copyts"] if copy.start_s else []
    command = [find_binaries().ffmpeg, "-v", "error", "-nostdin", *keep_clock]
    command += ["-i", str(copy.path), "-map", f"0:{track.index}", "-c:s", "srt", "-f", "srt", "-"]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise MediaError(
            f"The subtitles of {copy.path.name} cannot be read: {_last_line(done.stderr)}",
            where=f"{copy.path}, {track.describe()}",
            todo="put a subtitle file beside the copy and name it in films.<film>.subtitles",
        )
    return done.stdout.decode("utf-8", "replace")


def _ask(path: Path, *what: str) -> Entry:
    command = [find_binaries().ffprobe, "-v", "error", *what, "-of", "json", str(path)]
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise _not_a_film(path, f"ffprobe says: {_last_line(done.stderr)}")
    data: Entry = json.loads(done.stdout.decode("utf-8", "replace"))
    return data


def _not_a_film(path: Path, reason: str) -> MediaError:
    return MediaError(
        f"{path.name} is not a film: {reason}",
        where=str(path),
        todo="check that the file plays; replace it with a complete copy",
    )


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else "no reason given"


def _moves(stream: Entry) -> bool:
    disposition = stream.get("disposition", {})
    return not (disposition.get("attached_pic") or disposition.get("still_image"))


def _length_s(path: Path, container: Entry, main: Entry) -> float:
    """Return how long the main stream lasts: subtitles and sound may outlast the picture."""
    tags = {key.split("-")[0].upper(): value for key, value in main.get("tags", {}).items()}
    own = _number(main.get("duration")) or _clock(str(tags.get("DURATION", "")))
    whole = _number(container.get("duration"))
    declared = [length for length in (own, whole) if length]
    return min(declared) if declared else _measured_s(path, main)


def _measured_s(path: Path, main: Entry) -> float:
    """Return the time between a stream's first and last packet, where no header says it."""
    entries = ("-select_streams", str(main["index"]), "-show_entries", "packet=pts_time")
    times = [_number(p.get("pts_time")) for p in _ask(path, *entries).get("packets", [])]
    known = [t for t in times if t is not None]
    if not known:
        raise _not_a_film(path, "it has no packet with a time stamp")
    return max(known) - min(known)


def _clock(value: str) -> float | None:
    """Return `00:01:10.417` in seconds (Matroska's tag)."""
    numbers = [_number(part) for part in value.split(":")]
    if len(numbers) != 3 or None in numbers:
        return None
    hours, minutes, seconds = (n or 0.0 for n in numbers)
    return hours * 3600 + minutes * 60 + seconds


def _fps(video: Entry) -> Fraction | None:
    """Return the average frame rate if it is credible, else the nominal one."""
    for name in ("avg_frame_rate", "r_frame_rate"):
        numerator, _, denominator = str(video.get(name, "")).partition("/")
        if numerator.isdigit() and denominator.isdigit() and int(denominator) and int(numerator):
            rate = Fraction(int(numerator), int(denominator))
            if rate <= MOST_CREDIBLE_FPS:
                return exact_rate(rate)
    return None


def _track(stream: Entry) -> Track:
    disposition = stream.get("disposition", {})
    return Track(
        index=int(stream["index"]),
        codec=str(stream.get("codec_name", "unknown")),
        language=stream.get("tags", {}).get("language"),
        default=bool(disposition.get("default")),
        forced=bool(disposition.get("forced")),
    )


def _number(value: object) -> float | None:
    try:
        return float(str(value))
    except ValueError:
        return None
