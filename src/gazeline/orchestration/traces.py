"""Remove what a film, corpus or experiment left in the workspace and in dvc.lock."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from ruamel.yaml import YAML

from gazeline.files import atomic_path
from gazeline.orchestration.plan import Entry

LOCK = Path("dvc.lock")
STATISTICS = ("agreement", "description", "consistency")


def film_outs(film: str) -> list[Path]:
    """Return what the stages of a film write."""
    return [
        Path(f"data/aligned/{film}.json"),
        *(Path(f"data/features/{kind}/{film}.parquet") for kind in ("video", "audio", "acoustic")),
    ]


def corpus_outs(corpus: str) -> list[Path]:
    """Return what the stages of a corpus write."""
    return [
        Path(f"data/corpora/{corpus}"),
        Path(f"data/subtitles/{corpus}.parquet"),
        Path(f"data/subtitles/{corpus}.json"),
        Path(f"data/features/text/{corpus}.parquet"),
        *(Path(f"metrics/{kind}/{corpus}.json") for kind in STATISTICS),
        *(Path(f"data/plots/{kind}/{corpus}") for kind in STATISTICS),
    ]


def experiment_outs(experiment: str) -> list[Path]:
    """Return what the stages of an experiment write."""
    return [Path(f"data/datasets/{experiment}"), Path(f"data/runs/{experiment}")]


def remove_outs(paths: Iterable[Path]) -> list[Path]:
    """Delete pipeline outputs from the workspace (their cache stays); return those deleted."""
    removed = []
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.exists() or path.is_symlink():
            path.unlink()
        else:
            continue
        removed.append(path)
    return removed


def gone(before: Entry, after: Entry) -> list[Path]:
    """Return the outputs of what one plan has and a later one has not."""
    paths: list[Path] = []
    for film in before.get("films", {}).keys() - after["films"].keys():
        paths += film_outs(film)
    for corpus in before.get("corpora", {}).keys() - after["corpora"].keys():
        paths += corpus_outs(corpus)
    for name in before.get("experiments", {}).keys() - after["experiments"].keys():
        paths += experiment_outs(name)
    for run in before.get("runs", {}).keys() - after["runs"].keys():
        entry = before["runs"][run]
        paths.append(Path(f"data/runs/{entry['experiment']}/fold-{entry['fold']}"))
    for encoder in before.get("encoders", {}).keys() - after["encoders"].keys():
        paths.append(Path(f"data/encoders/{encoder}"))
    return sorted(set(paths))


def leftovers(plan: Entry) -> list[Path]:
    """Return results of films and folds on disk that the plan does not have.

    They are found whatever plan made them, so that a removal that was cut short, or one made by
    hand in params.yaml, leaves nothing in a folder that other stages read.
    """
    films, runs = plan["films"], plan["runs"].values()
    folds = {f"{run['experiment']}/fold-{run['fold']}" for run in runs}
    found = [
        path
        for folder in ("aligned", "features/video", "features/audio", "features/acoustic")
        for path in Path("data", folder).glob("*.*")
        if path.suffix in {".json", ".parquet"} and path.stem not in films
    ]
    found += [
        path
        for path in Path("data/runs").glob("*/fold-*")
        if path.relative_to("data/runs").as_posix() not in folds
    ]
    return sorted(found)


def stage_names(plan: Entry) -> set[str]:
    """Return the name of every stage that `dvc.yaml` has with this plan."""
    names = {"check", "aggregate"}
    names |= {f"sample@{key}" for key in plan["sample"]}
    names |= {f"encoders@{key}" for key in plan["encoders"]}
    for kind in ("ingest", "subtitles", "text", "agreement", "describe", "consistency"):
        names |= {f"{kind}@{key}" for key in plan["corpora"]}
    for kind in ("align", "video", "audio"):
        names |= {f"{kind}@{key}" for key in plan["films"]}
    names |= {f"dataset@{key}" for key in plan["experiments"]}
    return names | {f"train@{key}" for key in plan["runs"]}


def prune_lock(plan: Entry, path: Path = LOCK) -> list[str]:
    """Drop the entries of stages that are no more from `dvc.lock`; return their names."""
    if not path.is_file():
        return []
    yaml = YAML()
    yaml.width = 10_000
    data = yaml.load(path.read_text(encoding="utf-8")) or {}
    stages = data.get("stages", {})
    stale = sorted(stages.keys() - stage_names(plan))
    for name in stale:
        del stages[name]
    if stale:
        with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as file:
            yaml.dump(data, file)
    return stale
