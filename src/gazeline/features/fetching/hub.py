"""Download an encoder from the Hugging Face hub."""

from __future__ import annotations

import shutil
from pathlib import Path

from gazeline.errors import EncoderError
from gazeline.features.common.folder import KEPT, OLD_WEIGHTS, WEIGHTS
from gazeline.features.fetching.fetch import SOURCES


def download(name: str, location: str, revision: str | None, folder: Path) -> None:
    """Put the files of a hub checkpoint into `folder`, the weights as safetensors.

    Raises:
        EncoderError: the hub cannot be reached, or has no such checkpoint or revision.
    """
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    from huggingface_hub.utils import disable_progress_bars, logging

    # The HTTP library behind the hub client changes between its versions.
    transport_error = HfHubHTTPError.__bases__[0]
    disable_progress_bars()
    logging.set_verbosity_error()  # what comes of it is said below, once
    try:
        # Of the calls that list files, this one does not try a hub that is away for half a minute.
        about = HfApi().model_info(location, revision=revision)
        files = _files([file.rfilename for file in about.siblings or ()])
        snapshot_download(location, revision=revision, allow_patterns=files, local_dir=folder)
    except (HfHubHTTPError, ValueError) as error:
        raise _refused(name, location, revision, error) from error
    except (transport_error, ConnectionError, TimeoutError, LocalEntryNotFoundError) as error:
        raise EncoderError(
            f"The Hugging Face hub cannot be reached for encoder {name}: {_first_line(error)}",
            where=f"hub {location}",
            todo=f"check the connection (and HF_HUB_OFFLINE), or set encoders.{name} to {SOURCES}",
        ) from error
    shutil.rmtree(folder / ".cache", ignore_errors=True)


def _refused(name: str, location: str, revision: str | None, error: Exception) -> EncoderError:
    return EncoderError(
        f"The Hugging Face hub refuses encoder {name}: {_first_line(error)}",
        where=f"hub {location}, revision {revision or 'main'}",
        todo=f"correct encoders.{name} in params.yaml, or set it to {SOURCES}",
    )


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def _files(there: list[str]) -> list[str]:
    """Return the files to fetch; the old weight format only where there is no safetensors."""
    kept = [f for f in there if any(Path(f).match(k) for k in KEPT) and "/" not in f]
    if not any(Path(f).match(WEIGHTS) for f in kept) and OLD_WEIGHTS in there:
        kept.append(OLD_WEIGHTS)
    return sorted(kept)


def to_safetensors(path: Path) -> None:
    """Replace a `pytorch_model.bin` by `model.safetensors` beside it."""
    import torch
    from safetensors.torch import save_file

    tensors = torch.load(path, map_location="cpu", weights_only=True)
    own = {key: value.clone().contiguous() for key, value in tensors.items()}
    save_file(own, path.with_name("model.safetensors"), metadata={"format": "pt"})
    path.unlink()
