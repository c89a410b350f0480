"""Encode the sound of one film: `python stages/audio.py FILM`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.common.scratch import SCRATCH
from gazeline.params.base import load_section, read_yaml
from gazeline.params.features import AudioParams
from gazeline.params.runtime import RuntimeParams
from gazeline.params.subset import SubsetParams


def main(film: str) -> None:
    """Write `data/features/audio/<film>.parquet` and `data/features/acoustic/<film>.parquet`."""

    def work() -> str:
        entry = read_yaml(Path("plan.yaml"))["plan"]["films"][film]
        features = Path("data/features")
        report = extract_audio(
            Path(entry["copy"]),
            Path(entry["audio_encoder"]),
            load_section(AudioParams, "features.audio"),
            load_section(RuntimeParams, "runtime"),
            load_section(SubsetParams, "subset").share,
            AudioShards(
                features / "audio" / f"{film}.parquet", features / "acoustic" / f"{film}.parquet"
            ),
            scratch=SCRATCH,
        )
        return report.sentence()

    run_stage(f"audio@{film}", work)


if __name__ == "__main__":
    main(sys.argv[1])
