"""Put a media report into plain values, for JSON."""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from gazeline.media.inspecting.inspect import MediaReport
from gazeline.media.inspecting.measure import PictureMeasure, SoundMeasure
from gazeline.media.inspecting.words import bit_depth
from gazeline.media.probing.streams import VideoStream


def record_of(report: MediaReport) -> dict[str, Any]:
    """Return everything a report says; what is unknown is None, exact rates are text."""
    info = report.info
    return {
        "file": str(info.path),
        "container": info.container,
        "origin_s": float(info.origin_s),
        "start_s": info.start_s,
        "duration_s": info.duration_s,
        "measured": report.measured,
        "video": None if info.video is None else info.video.index,
        "video_reason": info.video_reason,
        "video_streams": [_video(stream) for stream in info.video_streams],
        "pictures": None if report.pictures is None else _pictures(report.pictures),
        "audio": None if info.audio is None else info.audio.index,
        "audio_reason": info.audio_reason,
        "audio_streams": [asdict(stream) for stream in info.audio_streams],
        "sound": None if report.sound is None else _sound(report.sound),
        "subtitles": [asdict(track) for track in info.subtitles],
        "ignored": [asdict(stream) for stream in info.ignored],
        "edits": {
            str(index): [_plain(asdict(edit)) for edit in entries]
            for index, entries in sorted(report.edits.items())
        },
        "problems": list(report.problems),
    }


def error_record(path: Path, error: Any) -> dict[str, Any]:
    """Return what is said of a file that cannot be read."""
    return {
        "file": str(path),
        "error": {"what": error.what, "where": error.where, "todo": error.todo},
    }


def _video(stream: VideoStream) -> dict[str, Any]:
    width, height = stream.display_size
    return _plain(asdict(stream)) | {
        "fps": None if stream.fps is None else str(stream.fps),
        "fps_decimal": None if stream.fps is None else float(stream.fps),
        "variable_by_header": stream.variable,
        "display_width": width,
        "display_height": height,
        "bit_depth": bit_depth(stream),
    }


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {
        key: (str(value) if "fps" in key or key == "sar" else float(value))
        if isinstance(value, Fraction)
        else value
        for key, value in values.items()
    }


def _pictures(pictures: PictureMeasure) -> dict[str, Any]:
    counts = pictures.counts
    return {
        "frames": counts.frames,
        "first_s": pictures.first_s,
        "last_s": pictures.last_s,
        "end_s": pictures.end_s,
        "fps": pictures.fps,
        "constant": pictures.constant,
        "irregular_intervals": pictures.irregular,
        "shortest_s": pictures.shortest_s,
        "longest_s": pictures.longest_s,
        "broken_packets": counts.broken_packets,
        "corrupt_frames": counts.corrupt_frames,
        "out_of_order": counts.out_of_order,
    }


def _sound(sound: SoundMeasure) -> dict[str, Any]:
    return {
        "first_s": sound.first_s,
        "end_s": sound.end_s,
        "broken_packets": sound.counts.broken_packets,
        "padded_s": sound.counts.padded_s,
        "cut_s": sound.counts.cut_s,
    }
