"""What is said of a film's pictures: the summary line and the metadata of the shard."""

from __future__ import annotations

from dataclasses import dataclass

from gazeline.media.containers import decoder_name
from gazeline.media.pictures.frames import DecodeCounts, no_picture
from gazeline.media.probing.streams import VideoStream
from gazeline.params.features import VideoParams

NAMED_HOLES = 3


@dataclass(frozen=True)
class VideoReport:
    """What was decoded and encoded of a film."""

    n_windows: int
    declared: int | None
    counts: DecodeCounts
    fps: str
    n_resumed: int = 0

    @property
    def measured_fps(self) -> float | None:
        """Return frames decoded per second of film, None for nothing decoded."""
        first, end = self.counts.first_s, self.counts.last_end_s
        if first is None or end is None or end <= first:
            return None
        return self.counts.frames / (end - first)

    def sentence(self) -> str:
        """Return the summary line of the stage."""
        declared = "" if self.declared is None else f" of {self.declared} declared"
        parts = [f"{self.n_windows} windows", f"{self.counts.frames} frames{declared}"]
        measured = "" if self.measured_fps is None else f" ({self.measured_fps:.3f} measured)"
        parts.append(f"{self.fps} frames/s{measured}")
        for name, number in (
            ("broken packets", self.counts.broken_packets),
            ("damaged frames", self.counts.corrupt_frames),
            ("frames out of order", self.counts.out_of_order),
        ):
            if number:
                parts.append(f"{number} {name}")
        parts += [no_picture(hole) for hole in self.counts.holes[:NAMED_HOLES]]
        more = len(self.counts.holes) - NAMED_HOLES
        if more > 0:
            parts.append(f"and {more} more holes, {self.counts.missing_s:.1f} s in all")
        if self.n_resumed:
            parts.append(f"{self.n_resumed} windows were encoded before")
        if self.n_windows == 0:
            parts.append("SHORTER THAN ONE WINDOW: the shard is empty")
        return ", ".join(parts)


def shard_metadata(
    params: VideoParams,
    share: float,
    video: VideoStream,
    report: VideoReport,
) -> dict[str, str]:
    """Return what a video shard says of the decoding and the windows."""
    counts = report.counts
    declared = "unknown" if report.declared is None else str(report.declared)
    return {
        "decoder": decoder_name(),
        "stream": str(video.index),
        "fps": report.fps,
        "fps_measured": f"{report.measured_fps or 0:.6f}",
        "frames_declared": declared,
        "frames_decoded": str(counts.frames),
        "broken_packets": str(counts.broken_packets),
        "corrupt_frames": str(counts.corrupt_frames),
        "frames_out_of_order": str(counts.out_of_order),
        "window_frames": str(params.window_frames),
        "stride_frames": str(params.stride_frames),
        "partial": params.partial,
        "share": str(share),
    }
