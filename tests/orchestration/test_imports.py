"""Code dependencies in dvc.yaml are what a stage imports; imports point one way."""

from __future__ import annotations

import subprocess
import sys

import pytest
from ruamel.yaml import YAML

from imports_support import SOURCE, direct_imports, imported_files, module_file

# Words, the reading of parameters and the atomic writing of files: they cannot change a result.
FOUNDATION = {"errors.py", "console.py", "files.py", "params/base.py", "params/runtime.py"}
# Small and stable, so named as a whole: each dependency costs DVC time in every run.
WHOLE = "src/gazeline/timeline"

FOUNDATION_FILES = {str(SOURCE / "gazeline" / name) for name in FOUNDATION}

LAYERS = [
    {"errors"},
    {"files"},
    {"timeline", "tables"},
    {"schema"},
    {"params"},
    {"console"},
    {"media"},
    {"corpora", "subtitles"},
    {"alignment", "features"},
    {"sample"},
    {"statistics", "learning", "evaluation"},
    {"scoring"},
    {"checks"},
    {"orchestration"},
    {"commands"},
    {"cli"},
]
STAGES = [
    "check",
    "sample",
    "encoders",
    "ingest",
    "subtitles",
    "align",
    "video",
    "audio",
    "text",
    "agreement",
    "describe",
    "consistency",
    "dataset",
    "train",
    "aggregate",
]


@pytest.fixture(scope="module")
def graph(project):
    return YAML(typ="safe").load((project / "dvc.yaml").read_text())["stages"]


def definition(graph, stage):
    entry = graph[stage]
    return entry.get("do", entry)


def test_every_stage_is_listed_here_with_a_script_and_a_description(graph, project):
    assert set(graph) == set(STAGES)
    for stage in STAGES:
        assert definition(graph, stage)["desc"]
        assert definition(graph, stage)["cmd"].startswith(f"python stages/{stage}.py")
        lines = (project / f"stages/{stage}.py").read_text().splitlines()
        assert len(lines) <= 60, f"stages/{stage}.py is thick"


@pytest.mark.parametrize("stage", STAGES)
def test_code_dependencies_are_the_modules_a_stage_imports(graph, project, stage):
    needed = {
        str(path.relative_to(project))
        for path in imported_files(project / f"stages/{stage}.py")
        if str(path.relative_to(SOURCE / "gazeline")) not in FOUNDATION
    } | {f"stages/{stage}.py"}
    declared = [d for d in definition(graph, stage)["deps"] if d.endswith(".py") or "src/" in d]
    covered = set()
    for dependency in declared:
        path = project / dependency
        assert path.exists(), f"{stage}: {dependency} does not exist"
        files = path.rglob("*.py") if path.is_dir() else [path]
        covered |= {
            str(f.relative_to(project))
            for f in files
            if f.suffix == ".py" and f.name != "__init__.py" and str(f) not in FOUNDATION_FILES
        }
    assert needed - covered == set(), f"{stage} imports what dvc.yaml does not name"
    unneeded = {name for name in covered - needed if not name.startswith(WHOLE)}
    assert unneeded == set(), f"{stage} names what it does not import"


def layer(path):
    top = path.relative_to(SOURCE / "gazeline").parts[0].removesuffix(".py")
    return next(i for i, names in enumerate(LAYERS) if top in names)


def test_imports_point_one_way():
    backward = []
    for file in (SOURCE / "gazeline").rglob("*.py"):
        if file.name == "__init__.py":
            continue
        for name in direct_imports(file):
            target = module_file(name)
            if target.name == "__init__.py":
                continue
            top = {p.relative_to(SOURCE / "gazeline").parts[0] for p in (file, target)}
            if len(top) == 2 and layer(target) > layer(file):
                backward.append(f"{file.relative_to(SOURCE)} imports {name}")
    assert backward == []


def test_the_command_line_answers_without_heavy_imports():
    code = (
        "import sys; import gazeline.cli; "
        "print([m for m in ('torch', 'transformers', 'dvc', 'pandas', 'pyarrow', 'librosa') "
        "if m in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "[]"
