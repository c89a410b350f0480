"""What every shard says of how it was made."""

from __future__ import annotations

from pathlib import Path

import torch

from gazeline.features.common.device import precision
from gazeline.features.common.folder import weights_hash
from gazeline.features.common.loading import library_versions


def provenance(encoder_dir: Path, device: torch.device, *libraries: str) -> dict[str, str]:
    """Return the encoder's name and hash, the arithmetic and the versions of `libraries`."""
    return {
        "encoder": encoder_dir.name,
        "weights_sha256": weights_hash(encoder_dir),
        "precision": precision(device),
        "libraries": library_versions(*libraries),
    }
