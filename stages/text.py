"""Encode the segment texts of one corpus: `python stages/text.py CORPUS`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.features.common.scratch import SCRATCH
from gazeline.features.text.extract import extract_text
from gazeline.params.base import load_section, read_yaml
from gazeline.params.features import TextParams
from gazeline.params.runtime import RuntimeParams


def main(corpus: str) -> None:
    """Write `data/features/text/<corpus>.parquet`."""

    def work() -> str:
        entry = read_yaml(Path("plan.yaml"))["plan"]["corpora"][corpus]
        report = extract_text(
            Path(f"data/subtitles/{corpus}.parquet"),
            Path(entry["text_encoder"]),
            load_section(TextParams, "features.text"),
            load_section(RuntimeParams, "runtime"),
            Path(f"data/features/text/{corpus}.parquet"),
            scratch=SCRATCH,
        )
        return report.sentence()

    run_stage(f"text@{corpus}", work)


if __name__ == "__main__":
    main(sys.argv[1])
