"""Fetch or make the weights of one encoder: `python stages/encoders.py NAME`."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.console import run_stage
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.params.base import load_section
from gazeline.params.encoders import EncoderParams


def main(name: str) -> None:
    """Write `data/encoders/<name>`."""

    def work() -> str:
        params = load_section(EncoderParams, f"encoders.{name}")
        size = fetch_encoder(name, params, Path("data/encoders") / name)
        return f"{params.modality} encoder from {params.source}, {size / 1e6:.1f} MB"

    run_stage(f"encoders@{name}", work)


if __name__ == "__main__":
    main(sys.argv[1])
