"""Lists of experiments behind the paper's tables, merged into `params.yaml` on request.

A preset is a file of `presets/`: `about`, one line, and `experiments`, entries as params.yaml has
them, each with every published setting so that a changed `training:` does not alter it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gazeline.errors import GazelineError, ParamsError
from gazeline.orchestration.edits import apply_text
from gazeline.orchestration.params_text import entry_block, insert_entry
from gazeline.orchestration.plan import read_plan
from gazeline.params.base import Section, parse_yaml, read_text, validate
from gazeline.params.learning import ExperimentParams

FOLDER = Path("presets")
CORPUS = "mobygaze"


class PresetFile(Section):
    """The content of a file of `presets/`."""

    about: str
    experiments: dict[str, ExperimentParams]


@dataclass(frozen=True)
class Preset:
    """A preset: its name, text, what it is about and its experiments by id."""

    name: str
    text: str
    about: str
    experiments: Mapping[str, ExperimentParams]


@dataclass(frozen=True)
class Used:
    """What `preset use` did: entries added and found, and of all of them those left out and why."""

    added: tuple[str, ...]
    present: tuple[str, ...]
    left_out: Mapping[str, str]

    @property
    def can_run(self) -> tuple[str, ...]:
        """Return the experiments of the preset that the plan holds."""
        return tuple(e for e in sorted((*self.added, *self.present)) if e not in self.left_out)


def preset_names(folder: Path = FOLDER) -> list[str]:
    """Return the names of the presets that there are, tables in the order of their numbers."""
    names = [path.stem for path in folder.glob("*.yaml")]
    return sorted(names, key=lambda name: (name.rstrip("0123456789") != "table", len(name), name))


def read_preset(name: str, corpus: str = CORPUS, folder: Path = FOLDER) -> Preset:
    """Read a preset, its experiments renamed to those of `corpus`.

    Raises:
        GazelineError: there is no such preset.
        ParamsError: every problem of the file.
    """
    path = folder / f"{name}.yaml"
    if name not in preset_names(folder):
        known = ", ".join(preset_names(folder)) or f"none: there is no folder {folder}/ here"
        raise GazelineError(f"There is no preset {name}", todo=f"take one of {known}")
    text = _for_corpus(read_text(path), corpus)
    content = validate(PresetFile, parse_yaml(text, path), "preset", path)
    return Preset(name, text, content.about, content.experiments)


def all_presets(folder: Path = FOLDER) -> list[Preset]:
    """Return every preset (see `read_preset`)."""
    return [read_preset(name, folder=folder) for name in preset_names(folder)]


def use_preset(name: str, corpus: str = CORPUS, folder: Path = FOLDER) -> Used:
    """Enter the experiments of a preset in `params.yaml` and expand the plan.

    Raises:
        GazelineError: there is no such preset.
        ParamsError: the corpus is not in `params.yaml`, an experiment is there with other
            settings, or does not fit the corpus; nothing has been changed.
        PlanError: the plan cannot be expanded.
    """
    preset, text = read_preset(name, corpus, folder), read_text()
    new_text, added = with_preset(text, preset, corpus)
    apply_text(new_text)
    left_out = read_plan()["left_out"]
    present = tuple(e for e in preset.experiments if e not in added)
    return Used(added, present, {e: left_out[e] for e in preset.experiments if e in left_out})


def with_preset(text: str, preset: Preset, corpus: str) -> tuple[str, tuple[str, ...]]:
    """Return `params.yaml` with the preset's experiments, and which of them are new.

    Raises:
        ParamsError: as `use_preset`.
    """
    data = parse_yaml(text)
    if corpus not in (data.get("corpora") or {}):
        raise ParamsError(
            f"Preset {preset.name} needs corpus {corpus}, which is not in params.yaml",
            todo=f"run `gazeline corpus add {corpus} …` first, or name another with --corpus",
        )
    present: Mapping[str, Any] = data.get("experiments") or {}
    clashes = [
        difference
        for name, wanted in preset.experiments.items()
        if name in present and (difference := _difference(name, wanted, present[name]))
    ]
    if clashes:
        raise ParamsError(
            f"Preset {preset.name} clashes with params.yaml; nothing was changed",
            where="\n    ".join(clashes),
            todo="rename or remove these experiments, then run the command again",
        )
    added = tuple(name for name in preset.experiments if name not in present)
    if added:
        blocks = [entry_block(preset.text, "experiments", name) for name in added]
        text = insert_entry(text, "experiments", "\n".join(blocks))
    return text, added


def _for_corpus(text: str, corpus: str) -> str:
    return text.replace(f"  {CORPUS}-", f"  {corpus}-").replace(
        f"corpus: {CORPUS}\n", f"corpus: {corpus}\n"
    )


def _difference(name: str, wanted: ExperimentParams, present: Any) -> str | None:
    """Return how an entry of params.yaml differs from the preset's; None where it does not."""
    found = validate(ExperimentParams, present, f"experiments.{name}")
    mine, theirs = wanted.model_dump(), found.model_dump()
    for part in (mine, theirs):
        training = part.pop("training") or {}
        part |= {f"training.{k}": v for k, v in training.items() if v is not None}
    keys = [key for key in {**mine, **theirs} if mine.get(key) != theirs.get(key)]
    if not keys:
        return None
    parts = [f"{key} {theirs.get(key, 'absent')}, not {mine.get(key, 'absent')}" for key in keys]
    return f"experiments.{name}: {'; '.join(parts)}"
