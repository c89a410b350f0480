"""Make the embedded sample corpus, six short films with a release in MObyGaze's format."""

from __future__ import annotations

from pathlib import Path

from gazeline.console import run_stage
from gazeline.params.base import load_section
from gazeline.params.sample import SampleParams


def main() -> str:
    """Make the corpus; return the summary line."""
    from gazeline.sample.make import make_sample

    params = load_section(SampleParams, "sample")
    return make_sample(params, Path("data/releases/sample"), Path("data/films")).sentence()


if __name__ == "__main__":
    run_stage("sample", main)
