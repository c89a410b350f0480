"""Put a media report into lines for a reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import av

from gazeline.media.inspecting.inspect import MediaReport
from gazeline.media.inspecting.measure import PictureMeasure
from gazeline.media.inspecting.problems import counted
from gazeline.media.probing.names import shown
from gazeline.media.probing.streams import AudioStream, SubtitleStream, VideoStream

Line = tuple[str, str]
FEW = 0.01
RANGES = {"pc": "full range", "tv": "limited range"}


def lines_of(report: MediaReport) -> Iterator[Line]:
    """Yield (heading, text); the heading is empty where the line goes on."""
    info = report.info
    start = f", its clock starts at {_s(info.start_s)}" if info.start_s else ""
    source = "packets" if info.duration_measured else "header"
    yield "container", f"{info.container}, {_s(info.duration_s)} by its {source}{start}"
    yield from _headed("picture", list(_picture(report)))
    yield from _headed("sound", list(_sound(report)))
    yield from _headed("subtitles", [_track(track) for track in info.subtitles] or ["none inside"])
    ignored = [f"stream {s.index}, {s.codec}: {s.why}" for s in info.ignored]
    yield from _headed("ignored", ignored)
    yield from _headed("problems", list(report.problems) or ["none"])


def _headed(heading: str, texts: Sequence[str]) -> Iterator[Line]:
    for number, text in enumerate(texts):
        yield ("" if number else heading), text


def _picture(report: MediaReport) -> Iterator[str]:
    info, video = report.info, report.info.video
    if video is None:
        yield f"none: {info.video_reason}"
        return
    yield f"stream {video.index}, {video.codec}: {info.video_reason}"
    yield shape(video)
    yield rate(video, report.pictures)
    if report.pictures is not None:
        yield frames(video, report.pictures)
    elif not report.measured:
        yield f"{video.n_frames or 'no number of'} frames declared; not decoded"
    yield from _edits(report, video.index)
    for other in info.video_streams:
        if other != video:
            yield f"not taken: stream {other.index}, {other.codec}, {shape(other)}"


def _sound(report: MediaReport) -> Iterator[str]:
    info, audio = report.info, report.info.audio
    if audio is None:
        yield f"none: {info.audio_reason}"
        return
    yield f"stream {audio.index}, {sound_format(audio)}: {info.audio_reason}"
    if report.sound is not None:
        sound = report.sound
        yield f"from {_s(sound.first_s)} to {_s(sound.end_s)}"
    yield from _edits(report, audio.index)
    for other in info.audio_streams:
        if other != audio:
            yield f"not taken: stream {other.index}, {sound_format(other)}"


def _edits(report: MediaReport, index: int) -> Iterator[str]:
    entries = report.edits.get(index, ())
    if entries:
        yield f"edit list, followed: {'; then '.join(edit.sentence() for edit in entries)}"


def shape(video: VideoStream) -> str:
    """Return size, pixels, depth, range, scan and turn of a stream of pictures."""
    width, height = video.display_size
    stored = f"{video.width}x{video.height}"
    same = (width, height) == (video.width, video.height)
    pixels = (
        "square pixels"
        if video.sar == 1
        else f"pixels {video.sar.numerator}:{video.sar.denominator}"
    )
    depth = "unknown depth" if bit_depth(video) is None else f"{bit_depth(video)} bit"
    turn = f"turned {video.rotation}° clockwise" if video.rotation else "upright"
    return ", ".join(
        [
            stored if same else f"{stored} shown as {width}x{height}",
            pixels,
            f"{depth} {video.pixel_format or ''}".strip(),
            range_of(video),
            "interlaced: deinterlaced" if video.interlaced else "progressive",
            turn,
        ]
    )


def range_of(video: VideoStream) -> str:
    """Return the range of values, in words."""
    if str(video.pixel_format).startswith("yuvj"):
        return RANGES["pc"]
    return RANGES.get(video.color_range or "", "range not declared (taken as limited)")


def bit_depth(video: VideoStream) -> int | None:
    """Return the bits of a colour component, None where the pixel format is unknown."""
    try:
        return int(av.VideoFormat(video.pixel_format).components[0].bits)
    except (TypeError, ValueError, IndexError):
        return None


def rate(video: VideoStream, pictures: PictureMeasure | None) -> str:
    """Return the rate declared, and whether the frames keep it."""
    declared = "no credible rate" if video.fps is None else f"{fraction(video.fps)} frames/s"
    if pictures is None:
        varies = "variable by its header" if video.variable else "constant by its header"
        return f"{declared} declared, {varies}"
    return f"{declared} declared, {steadiness(pictures)}"


def steadiness(pictures: PictureMeasure) -> str:
    """Return whether frames are shown equally long, in words."""
    measured = "" if pictures.fps is None else f"{pictures.fps:.3f} measured, "
    if pictures.shortest_s is None or pictures.longest_s is None:
        return f"{measured}one frame"
    if pictures.constant:
        return f"{measured}constant"
    few = pictures.irregular < FEW * pictures.counts.frames
    kind = f"constant but for {counted(pictures.irregular, 'interval')}" if few else "variable"
    return f"{measured}{kind}: {_s(pictures.shortest_s)} to {_s(pictures.longest_s)} a frame"


def frames(video: VideoStream, pictures: PictureMeasure) -> str:
    """Return the frames that decode against those declared, and when they are shown."""
    declared = "none declared" if video.n_frames is None else f"{video.n_frames} declared"
    times = (
        f"first at {_s(pictures.first_s)}, last at {_s(pictures.last_s)}, end {_s(pictures.end_s)}"
    )
    return f"{counted(pictures.counts.frames, 'frame')} decode ({declared}); {times}"


def sound_format(audio: AudioStream) -> str:
    """Return codec, layout, rate, language and title of a stream of sound."""
    extra = [shown(text) for text in (audio.language, audio.title) if text and text != "und"]
    aside = ["commentary or description"] if audio.commentary else []
    named = audio.layout not in {"", "unknown"}
    channels = audio.layout if named else counted(audio.channels, "channel")
    return ", ".join([audio.codec, channels, f"{audio.sample_rate} Hz", *extra, *aside])


def _track(track: SubtitleStream) -> str:
    extra = [shown(text) for text in (track.language, track.title) if text and text != "und"]
    flags = [name for name in ("default", "forced") if getattr(track, name)]
    kind = "text" if track.kind == "text" else "pictures, of no use"
    return ", ".join([f"stream {track.index}", track.codec, kind, *extra, *flags])


def fraction(fps: Fraction) -> str:
    """Return an exact rate, and its decimals where it is no whole number.

    >>> fraction(Fraction(24000, 1001)), fraction(Fraction(25))
    ('24000/1001 (23.976)', '25')
    """
    return str(fps) if fps.denominator == 1 else f"{fps} ({float(fps):.3f})"


def _s(seconds: float) -> str:
    return f"{seconds:.3f} s"
