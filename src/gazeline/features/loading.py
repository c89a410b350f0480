"""Load a model in Hugging Face format and the settings beside it, or say what is wrong."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gazeline.errors import EncoderError
from gazeline.features.encoder_files import check_folder


def read_settings(encoder_dir: Path, name: str) -> dict[str, Any]:
    """Read a JSON settings file of an encoder.

    Raises:
        EncoderError: it is missing or is not a JSON object.
    """
    check_folder(encoder_dir)
    path = encoder_dir / name
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise EncoderError(
            f"Encoder {encoder_dir.name} has no {name}",
            where=str(encoder_dir),
            todo="take a checkpoint with its processor and tokenizer files",
        ) from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise EncoderError(f"{name} is not JSON: {error}", where=str(path)) from error
    if not isinstance(settings, dict):
        raise EncoderError(f"{name} does not hold an object", where=str(path))
    return settings


def processor_settings(encoder_dir: Path, part: str) -> dict[str, Any]:
    """Read the settings of an image processor or feature extractor.

    They stand in `preprocessor_config.json` or, in newer checkpoints, under `part` in
    `processor_config.json`.
    """
    if (encoder_dir / "preprocessor_config.json").is_file():
        return read_settings(encoder_dir, "preprocessor_config.json")
    if (encoder_dir / "processor_config.json").is_file():
        nested = read_settings(encoder_dir, "processor_config.json").get(part)
        if isinstance(nested, dict):
            return nested
    return read_settings(encoder_dir, "preprocessor_config.json")


def check_type(encoder_dir: Path, config: dict[str, Any], model_type: str, stage: str) -> None:
    """Check that a checkpoint is of the class a stage runs.

    Raises:
        EncoderError: it is another one.
    """
    found = config.get("model_type")
    if found != model_type:
        raise EncoderError(
            f"Encoder {encoder_dir.name} is of type {found}, not {model_type}",
            where=str(encoder_dir / "config.json"),
            todo=f"choose a checkpoint of type {model_type} for {stage}",
        )


def load_model(model_class: Any, encoder_dir: Path, **options: Any) -> Any:
    """Return a model of a transformers class with its weights, ready for inference.

    Raises:
        EncoderError: the weights cannot be read, or leave a part of the model at random.
    """
    from safetensors import SafetensorError
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        model, found = model_class.from_pretrained(
            encoder_dir, output_loading_info=True, local_files_only=True, **options
        )
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise EncoderError(
            f"Encoder {encoder_dir.name} cannot be loaded: {str(error).splitlines()[0]}",
            where=str(encoder_dir),
            todo=f"fetch it again: `dvc repro --force encoders@{encoder_dir.name}`",
        ) from error
    missing = sorted(found["missing_keys"])
    if missing:
        raise EncoderError(
            f"Encoder {encoder_dir.name} lacks {len(missing)} weights, e.g. {missing[0]}",
            where=str(encoder_dir),
            todo=f"choose a checkpoint of class {model_class.__name__}",
        )
    return model.eval()


def library_versions(*names: str) -> str:
    """Return the versions of libraries, as recorded in shards."""
    return ", ".join(f"{name} {version(name)}" for name in names)
