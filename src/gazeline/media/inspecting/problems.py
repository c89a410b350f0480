"""Compare what a film file declares with what decodes, and name what a user should know. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from gazeline.media.inspecting.measure import PictureMeasure, SoundMeasure
from gazeline.media.pictures.frames import no_picture
from gazeline.media.probing.streams import MediaInfo, VideoStream

APART_S = 1.0
"""Sound and picture that start or end further apart than this are named."""
NAMED_HOLES = 3
RATE_SHARE = 0.01
HDR = {"smpte2084": "PQ", "arib-std-b67": "HLG"}


def find_problems(
    info: MediaInfo, pictures: PictureMeasure | None, sound: SoundMeasure | None
) -> tuple[str, ...]:
    """Return every problem in a sentence; what was not decoded is not compared."""
    found = list(info.problems)
    if info.video is not None:
        found += _declared(info.video)
    if info.video is not None and pictures is not None:
        found += _of_pictures(info, info.video, pictures)
    if sound is not None:
        found += _of_sound(sound)
    if pictures is not None and sound is not None:
        found += _apart(pictures, sound)
    if info.subtitles and all(track.kind == "bitmap" for track in info.subtitles):
        found.append("all subtitles are pictures, not text")
    return tuple(found)


def counted(number: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "window"), counted(2, "window")
    ('1 window', '2 windows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _declared(video: VideoStream) -> Iterator[str]:
    if video.transfer in HDR:
        yield f"the picture is HDR ({HDR[video.transfer]}); its colours are not mapped to SDR"
    if video.fps is None:
        yield "no credible frame rate is declared"


def _of_pictures(info: MediaInfo, video: VideoStream, pictures: PictureMeasure) -> Iterator[str]:
    counts = pictures.counts
    if video.n_frames is not None and counts.frames != video.n_frames:
        yield f"{counted(counts.frames, 'frame')} decode of {video.n_frames} declared"
    if counts.broken_packets:
        yield f"{counted(counts.broken_packets, 'broken packet')} of the picture cannot be decoded"
    if counts.corrupt_frames:
        yield f"damage is in {counted(counts.corrupt_frames, 'frame')}, kept as decoded"
    if counts.out_of_order:
        yield f"no time after the one before has {counted(counts.out_of_order, 'frame')}, dropped"
    if counts.back_s is not None:
        yield f"the clock goes back at {counts.back_s:.1f} s; rejoin the parts (ffmpeg -f concat)"
    yield from map(no_picture, counts.holes[:NAMED_HOLES])
    if len(counts.holes) > NAMED_HOLES:
        n_more = counted(len(counts.holes) - NAMED_HOLES, "more hole")
        yield f"{n_more} in the picture, {counts.missing_s:.1f} s in all"
    declared_s = video.duration_s or (info.end_s - pictures.first_s)
    missing_s = declared_s - (pictures.end_s - pictures.first_s)
    if missing_s > APART_S:
        yield f"the picture ends {missing_s:.3f} s before the end that is declared"
    if video.fps and pictures.fps and not pictures.irregular and _off(video, pictures.fps):
        yield f"{float(video.fps):.3f} frames/s are declared, {pictures.fps:.3f} are there"


def _off(video: VideoStream, fps: float) -> bool:
    declared = float(video.fps or 0)
    return abs(fps - declared) > RATE_SHARE * declared


def _of_sound(sound: SoundMeasure) -> Iterator[str]:
    counts = sound.counts
    if counts.broken_packets:
        yield f"{counted(counts.broken_packets, 'broken packet')} of the sound cannot be decoded"
    got_s = (counts.last_end_s or 0.0) - (counts.first_s or 0.0)
    if counts.declared_s is not None and counts.declared_s - got_s > APART_S:
        yield f"the sound ends {counts.declared_s - got_s:.3f} s before the end that is declared"
    gaps_s = counts.padded_s - max(0.0, sound.first_s)
    if gaps_s > 1e-3:
        yield f"gaps of {gaps_s:.3f} s in the sound are filled with silence"
    if counts.cut_s > 1e-3:
        yield f"{counts.cut_s:.3f} s of sound lie before time 0 or overlap, and are cut"


def _apart(pictures: PictureMeasure, sound: SoundMeasure) -> Iterator[str]:
    late_s, early_s = sound.first_s - pictures.first_s, pictures.end_s - sound.end_s
    for apart_s, verb, over, under in (
        (late_s, "starts", "after", "before"),
        (early_s, "ends", "before", "after"),
    ):
        if abs(apart_s) > APART_S:
            side = over if apart_s > 0 else under
            yield f"the sound {verb} {abs(apart_s):.3f} s {side} the picture"
