"""The sample corpus as tests see it: read back from its files, never from the plan."""

from __future__ import annotations

import ast
import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gazeline.params.sample import SampleParams
from gazeline.sample.make import make_sample
from gazeline.sample.release import write_release
from gazeline.sample.story import tell

VISUAL = {
    "Type of shot",
    "Look",
    "Body",
    "Clothing",
    "Posture",
    "Appearance",
    "Exp of emotion",
    "Activities",
}
MODALITIES = {"visual": VISUAL, "speech": {"Speech"}, "audio": {"Voice", "Soundtrack"}}
VALUE = re.compile(r"'((?:[^'\\]|\\.)*)'|([^,()']+)", re.S)
ROW = re.compile(r"\(((?:'(?:[^'\\]|\\.)*'|[^()'])*)\)[,;]", re.S)
ESCAPED = {"n": "\n"}


@dataclass(frozen=True)
class ReadRelease:
    """The release's files, parsed."""

    folder: Path
    rows: list[dict[str, Any]]
    annotations: list[list[str | None]]
    movies: list[list[str | None]]
    subtitles: list[list[str | None]]

    @property
    def usable(self) -> list[dict[str, Any]]:
        """Return the rows that experiments use: all but `Not Sure`."""
        return [row for row in self.rows if row["label"] != "Not Sure"]


@dataclass(frozen=True)
class MadeCorpus:
    """A whole sample corpus on disk."""

    params: SampleParams
    release: ReadRelease
    films: Path


def read_release(folder: Path) -> ReadRelease:
    """Read a release folder as MObyGaze's are read."""
    path = folder / "mobygaze_dataframe.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows: list[dict[str, Any]] = list(csv.DictReader(file, delimiter=";"))
    for row in rows:
        row["concepts"] = ast.literal_eval(row["concepts"])
        row["start_frame"], row["end_frame"] = int(row["start_frame"]), int(row["end_frame"])
        row["targets"] = {
            name: row["label"] in ("Hard Negative", "Sure") and bool(group & set(row["concepts"]))
            for name, group in MODALITIES.items()
        }
    tables = {
        name: read_dump(folder / "sql_files" / f"tractive_{name}.sql")
        for name in ("annotations", "movies", "subtitles")
    }
    return ReadRelease(folder, rows, **tables)


def read_dump(path: Path) -> list[list[str | None]]:
    """Return the rows of a MySQL dump."""
    text = path.read_text(encoding="utf-8")
    rows = []
    for insert in re.findall(r"^INSERT INTO `\w+` VALUES (.*?;)$", text, re.M | re.S):
        rows += [_values(match[1]) for match in ROW.finditer(insert)]
    return rows


def _values(row: str) -> list[str | None]:
    values: list[str | None] = []
    for match in VALUE.finditer(row):
        if match[2] is not None:
            values.append(None if match[2] == "NULL" else match[2])
        else:
            values.append(re.sub(r"\\(.)", lambda m: ESCAPED.get(m[1], m[1]), match[1], flags=re.S))
    return values


@pytest.fixture(scope="session")
def write_read(tmp_path_factory):
    """Return a function that writes a release alone (no films) and reads it back."""

    def write(seconds: int = 40, seed: int = 7) -> ReadRelease:
        params = SampleParams(seconds=seconds, seed=seed)
        folder = tmp_path_factory.mktemp("release") / "sample"
        write_release(tell(params), params, folder)
        return read_release(folder)

    return write


@pytest.fixture(scope="session")
def read_folder():
    """Return the reader of a release folder."""
    return read_release


@pytest.fixture(scope="session")
def release(write_read) -> ReadRelease:
    """Return the release of 40-second films."""
    return write_read()


@pytest.fixture(scope="session")
def made(tmp_path_factory) -> MadeCorpus:
    """Return a whole corpus of 20-second films."""
    params = SampleParams(seconds=20)
    folder = tmp_path_factory.mktemp("sample")
    make_sample(params, folder / "releases" / "sample", folder / "films")
    return MadeCorpus(params, read_release(folder / "releases" / "sample"), folder / "films")
