"""Peak memory of an extraction over a long film, against one over a short film.

Both films are made by ffmpeg (low resolution, with sound); video and audio are extracted with
encoders that do nothing, each in a process of its own.

    python benchmarks/memory.py [--short 3] [--long 30] [--height 90]
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from synthetic import NoEncoder, NoSoundEncoder, make_film, no_encoder, no_sound_encoder

MEBI = 2**20


def extract(film: Path, root: Path) -> None:
    """Extract both modalities of a film and print the peak memory of this process, bytes."""
    from gazeline.features.audio.extract import AudioShards, extract_audio
    from gazeline.features.video.extract import extract_video
    from gazeline.params.features import AudioParams, VideoParams
    from gazeline.params.runtime import RuntimeParams

    runtime = RuntimeParams(device="cpu")
    with no_encoder(NoEncoder()):
        extract_video(film, root, VideoParams(), runtime, 1.0, root / "v.parquet")
    shards = AudioShards(root / "a.parquet", root / "acoustic.parquet")
    with no_sound_encoder(NoSoundEncoder()):
        extract_audio(film, root, AudioParams(), runtime, 1.0, shards)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def peak(minutes: float, height: int, root: Path) -> int:
    """Return the peak memory over a film of that length, bytes."""
    film = make_film(root / f"{minutes:g}.mp4", height, minutes * 60, sound=True)
    command = [sys.executable, __file__, "--film", str(film)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", type=float, default=3, help="minutes")
    parser.add_argument("--long", type=float, default=30, help="minutes")
    parser.add_argument("--height", type=int, default=90)
    parser.add_argument("--film", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        if arguments.film:
            extract(arguments.film, root)
            return 0
        short, long = (peak(m, arguments.height, root) for m in (arguments.short, arguments.long))
    print(
        f"peak memory: {short / MEBI:.0f} MiB over {arguments.short:g} minutes, "
        f"{long / MEBI:.0f} MiB over {arguments.long:g}: {long / short:.2f}x (goal 1.2)"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
