"""Encode the frames of one film: `python stages/video.py FILM`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.features.common.scratch import SCRATCH
from gazeline.features.video.extract import extract_video
from gazeline.params.base import load_section, read_yaml
from gazeline.params.features import VideoParams
from gazeline.params.runtime import RuntimeParams
from gazeline.params.subset import SubsetParams


def main(film: str) -> None:
    """Write `data/features/video/<film>.parquet`."""

    def work() -> str:
        entry = read_yaml(Path("plan.yaml"))["plan"]["films"][film]
        report = extract_video(
            Path(entry["copy"]),
            Path(entry["video_encoder"]),
            load_section(VideoParams, "features.video"),
            load_section(RuntimeParams, "runtime"),
            load_section(SubsetParams, "subset").share,
            Path(f"data/features/video/{film}.parquet"),
            scratch=SCRATCH,
        )
        return report.sentence()

    run_stage(f"video@{film}", work)


if __name__ == "__main__":
    main(sys.argv[1])
