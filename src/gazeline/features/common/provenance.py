"""What every shard says of how it was made."""

from __future__ import annotations

from pathlib import Path

from gazeline.features.common.device import precision_name
from gazeline.features.common.folder import weights_hash
from gazeline.features.common.loading import library_versions


def provenance(encoder_dir: Path, bf16: bool, *libraries: str) -> dict[str, str]:
    """Return the encoder's name and hash, the arithmetic and the versions of `libraries`."""
    return {
        "encoder": encoder_dir.name,
        "weights_sha256": weights_hash(encoder_dir),
        "precision": precision_name(bf16),
        "libraries": library_versions(*libraries),
    }
