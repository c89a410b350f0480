"""Find the encoders that the user names: of params.yaml, a folder, a package, or the hub."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from gazeline.errors import EncoderError
from gazeline.features.common.folder import OLD_WEIGHTS, WEIGHTS
from gazeline.features.common.loading import read_settings
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.orchestration.encoder_copies import ENCODERS, copy_state, read_lock
from gazeline.orchestration.templates import choose_text_encoder, known_corpora, template_data
from gazeline.params.base import PARAMS_FILE
from gazeline.params.encoders import EncoderParams
from gazeline.params.whole import ParamsFile, load_params

Modality = Literal["video", "audio", "text"]
MODALITIES: tuple[Modality, ...] = get_args(Modality)
TYPES: Mapping[str, Modality] = {"xclip": "video", "audio-spectrogram-transformer": "audio"}
PUBLISHED = "mobygaze"
_HUB_ID = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?(?:@[\w./-]+)?")


@dataclass(frozen=True)
class Encoder:
    """An encoder whose files are in `folder`; the folder's name is the encoder's.

    `given` is how the user named it, where `folder` is a copy that the user knows nothing of.
    """

    modality: Modality
    folder: Path
    given: str | None = None

    @property
    def name(self) -> str:
        """Return what shards call the encoder."""
        return self.folder.name


@dataclass(frozen=True)
class Known:
    """Encoders by name, and the ones to take where none is named."""

    encoders: Mapping[str, EncoderParams]
    defaults: Mapping[Modality, tuple[str, ...]]


def known_encoders() -> Known:
    """Return the encoders of the project here and of the corpora that Gazeline knows.

    Raises:
        ParamsError: the project's params.yaml is not valid.
    """
    encoders = {
        name: EncoderParams.model_validate(entry)
        for corpus in known_corpora()
        for name, entry in (template_data(corpus).get("encoders") or {}).items()
    }
    params = load_params() if PARAMS_FILE.is_file() else ParamsFile()
    used = [corpus.encoders.model_dump() for corpus in params.corpora.values()]
    published = dict(template_data(PUBLISHED)["corpora"][PUBLISHED]["encoders"])
    used = used or [published | {"text": choose_text_encoder(PUBLISHED, None)}]
    defaults = {m: tuple(sorted({names[m] for names in used})) for m in MODALITIES}
    return Known(encoders | dict(params.encoders), defaults)


def default_names(known: Known, modality: Modality) -> str:
    """Return the encoder to take for a modality where the user names none.

    Raises:
        EncoderError: the project's corpora use several.
    """
    names = known.defaults[modality]
    if len(names) > 1:
        raise EncoderError(
            f"The corpora use several {modality} encoders: {', '.join(names)}",
            where="params.yaml, corpora",
            todo="choose with --encoder",
        )
    return names[0]


def choose_encoders(
    names: Sequence[str], modalities: Sequence[Modality], known: Known, scratch: Path
) -> list[Encoder]:
    """Return the encoders named, and the default one of each modality that has none.

    Args:
        names: as the user gives them.
        modalities: those asked for; none asks for those of the encoders named, else for all.
        scratch: folder for encoders that are made or copied for this run only.

    Raises:
        EncoderError: an encoder cannot be found, or is for a modality that was not asked for.
    """
    named = [find_encoder(name, known, scratch) for name in dict.fromkeys(names)]
    wanted = list(modalities) or sorted({e.modality for e in named}, key=MODALITIES.index)
    for encoder in named:
        if encoder.modality not in wanted:
            raise EncoderError(
                f"Encoder {encoder.name} is for {encoder.modality}, which is not asked for",
                todo=f"add --modality {encoder.modality}, or leave the encoder out",
            )
    covered = {encoder.modality for encoder in named}
    missing = [m for m in wanted or MODALITIES if m not in covered]
    found = [*named, *(find_encoder(default_names(known, m), known, scratch) for m in missing)]
    _check_distinct(found)
    return sorted(found, key=lambda encoder: MODALITIES.index(encoder.modality))


def find_encoder(name: str, known: Known, scratch: Path) -> Encoder:
    """Return an encoder by its name in params.yaml, folder, package or hub id, in that order.

    Raises:
        EncoderError: it is none of these, or its files cannot be had.
    """
    entry = known.encoders.get(name)
    if entry is not None:
        return Encoder(entry.modality, _folder_of(name, entry, scratch))
    entry = _entry(name, known)
    short = (entry.location or name).partition("@")[0].strip("/").rpartition("/")[2]
    if entry.source == "package":
        short = name.partition("/")[0].replace("_", "-")
    try:
        folder = _folder_of(short or "encoder", entry, scratch)
        kind = str(read_settings(folder, "config.json").get("model_type"))
        return Encoder(_modality_of(kind, short), folder, name)
    except EncoderError as error:
        raise error if entry.source == "hub" else in_user_s_words(error, name) from error


def in_user_s_words(error: EncoderError, given: str) -> EncoderError:
    """Return an error in an encoder that names what the user gave, not our copy of it."""
    return EncoderError(error.what, where=given, todo="mend it, or give --encoder another one")


def _modality_of(kind: str, name: str) -> Modality:
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    if kind not in TYPES and kind not in CONFIG_MAPPING_NAMES:
        raise EncoderError(f"Encoder {name} is of the model type {kind}, which nobody knows")
    return TYPES.get(kind, "text")


def _entry(name: str, known: Known) -> EncoderParams:
    """Return where an encoder comes from that has no entry; its modality is not known yet."""
    if Path(name).expanduser().is_dir():
        return EncoderParams(
            modality="text", source="folder", location=str(Path(name).expanduser().resolve())
        )
    package = _packaged(name)
    if package:
        return EncoderParams(modality="text", source="package", location=package)
    location, _, revision = name.partition("@")
    if not _HUB_ID.fullmatch(name) or not _may_be_hub_id(location, known):
        raise EncoderError(
            f"There is no encoder {name}",
            todo="give a folder in Hugging Face format, an installed package, a hub id with its "
            f"owner (owner/name), or one of {', '.join(sorted(known.encoders))}",
        )
    return EncoderParams(
        modality="text", source="hub", location=location, revision=revision or None
    )


def _may_be_hub_id(location: str, known: Known) -> bool:
    """Tell a hub id from a slip of the pen: few have no owner, and those in use are known."""
    return "/" in location or location in {e.location for e in known.encoders.values()}


def _packaged(name: str) -> str | None:
    """Return package and folder of an installed package that holds an encoder."""
    package, _, inner = name.partition("/")
    package = package.replace("-", "_")
    spec = find_spec(package) if package.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        return None
    root = Path(next(iter(spec.submodule_search_locations)))
    folders = [root / inner] if inner else [root, *sorted(p for p in root.iterdir() if p.is_dir())]
    for folder in folders:
        weights = (folder / OLD_WEIGHTS).is_file() or any(folder.glob(WEIGHTS))
        if weights and (folder / "config.json").is_file():
            return f"{package}/{folder.relative_to(root)}".removesuffix("/.")
    return None


def _folder_of(name: str, entry: EncoderParams, scratch: Path) -> Path:
    """Return the folder of an encoder's files, fetching them where they are not there."""
    if PARAMS_FILE.is_file() and copy_state(name, entry, read_lock()) == "fresh":
        return ENCODERS / name
    if entry.source == "hub":
        return _downloaded(name, entry)
    folder = scratch / hashlib.sha256(repr(entry).encode()).hexdigest()[:12] / name
    if not folder.is_dir():
        fetch_encoder(name, entry, folder)
    return folder


def _downloaded(name: str, entry: EncoderParams) -> Path:
    """Return a hub encoder in the user's cache, downloading it once per revision."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    key = hashlib.sha256(f"{entry.location}@{entry.revision}".encode()).hexdigest()[:16]
    folder = cache / "gazeline" / "encoders" / key / name
    if folder.is_dir():
        return folder
    try:
        fetch_encoder(name, entry, folder)
    except EncoderError as error:
        raise EncoderError(
            error.what,
            where=error.where,
            todo="check the connection; or give --encoder a folder in Hugging Face format, an "
            "installed package, another hub id, or a name in params.yaml",
        ) from error
    return folder


def _check_distinct(encoders: Sequence[Encoder]) -> None:
    """Check that no two encoders of a modality have one name, as their shards would collide."""
    seen: set[tuple[str, str]] = set()
    for encoder in encoders:
        key = encoder.modality, encoder.name
        if key in seen:
            raise EncoderError(
                f"Two {encoder.modality} encoders are called {encoder.name}",
                where=str(encoder.folder),
                todo="give them one at a time, with a folder each for --out",
            )
        seen.add(key)
