"""Have the shards of a manifest on disk, unchanged, or say which command gets them.

DVC sees only the manifest of a dataset as a dependency of `train`, so in a fresh clone it does not
bring the shards behind it: they are fetched here, from the local cache or the remote.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from gazeline.errors import FeatureError
from gazeline.learning.common.hashing import file_md5
from gazeline.learning.common.manifest import Shard

log = logging.getLogger(__name__)


def ensure_shards(shards: Iterable[Shard], experiment: str, root: Path) -> None:
    """Fetch the shards that are absent and check the content of all.

    Raises:
        FeatureError: shards can neither be found nor fetched, or changed since they were listed.
    """
    wanted = list(shards)
    absent = [shard for shard in wanted if not (root / shard.path).is_file()]
    if absent:
        _fetch([shard.path for shard in absent], root)
    still = [shard for shard in absent if not (root / shard.path).is_file()]
    if still:
        paths = " ".join(shard.path for shard in still)
        raise FeatureError(
            f"{len(still)} of the {len(wanted)} feature files of {experiment} are not here",
            where=", ".join(shard.path for shard in still),
            todo=f"run `dvc pull {paths}`, or `dvc repro {' '.join(s.stage for s in still)}`",
        )
    changed = [shard for shard in wanted if file_md5(root / shard.path) != shard.md5]
    if changed:
        raise FeatureError(
            f"Features changed since the dataset of {experiment} was listed",
            where=", ".join(shard.path for shard in changed),
            todo=f"run `dvc repro dataset@{experiment}`",
        )


def _fetch(paths: Sequence[str], root: Path) -> None:
    """Try the local cache, then the remote; what fails is seen by the file being absent."""
    for verb in ("checkout", "pull"):
        command = [sys.executable, "-m", "dvc", verb, *paths]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        log.info("dvc %s: %s", verb, done.stderr.strip())
