"""The files of an encoder in the project: which they are, whether they are there, their hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gazeline.errors import EncoderError

WEIGHTS = "*.safetensors"
OLD_WEIGHTS = "pytorch_model.bin"
KEPT = (
    "config.json",
    WEIGHTS,
    "model.safetensors.index.json",
    "preprocessor_config.json",
    "processor_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
)


def weights_hash(encoder_dir: Path) -> str:
    """Return the SHA-256 over the names and contents of an encoder's files.

    Raises:
        EncoderError: the folder is not there or holds no encoder.
    """
    total = hashlib.sha256()
    for path in encoder_files(encoder_dir):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        total.update(f"{path.name}\0{digest}\n".encode())
    return total.hexdigest()


def encoder_files(encoder_dir: Path) -> list[Path]:
    """Return the files of an encoder, sorted by name.

    Raises:
        EncoderError: the folder is not there or holds no encoder.
    """
    check_folder(encoder_dir)
    return sorted(p for p in encoder_dir.iterdir() if p.is_file() and is_kept(p))


def check_folder(encoder_dir: Path) -> None:
    """Check that a folder holds an encoder.

    Raises:
        EncoderError: it is not there, or lacks its configuration or weights.
    """
    name = encoder_dir.name
    todo = f"run `dvc repro encoders@{name}`, or `dvc pull encoders@{name}`"
    if not encoder_dir.is_dir():
        raise EncoderError(f"Encoder {name} is not there", where=str(encoder_dir), todo=todo)
    if not (encoder_dir / "config.json").is_file():
        raise EncoderError(f"Encoder {name} has no config.json", where=str(encoder_dir), todo=todo)
    if not any(encoder_dir.glob(WEIGHTS)):
        raise EncoderError(f"Encoder {name} has no weights", where=str(encoder_dir), todo=todo)


def is_kept(path: Path) -> bool:
    """Return whether a file belongs to an encoder in the project."""
    return any(path.match(pattern) for pattern in KEPT)
