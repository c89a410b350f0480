"""`gazeline media`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from gazeline.errors import MediaError
from gazeline.media.inspecting.inspect import MediaReport, inspect
from gazeline.media.inspecting.record import error_record, record_of
from gazeline.media.inspecting.words import lines_of
from gazeline.media.probing.names import shown
from gazeline.orchestration.outside.preview import Preview, preview
from gazeline.orchestration.outside.settings import Settings, read_settings
from gazeline.orchestration.sidecars import subtitles_beside

COLUMN = 11


def show_media(files: Sequence[Path], *, as_json: bool, quick: bool) -> int:
    """Print what will be decoded of each file; return 1 where a file is of no use."""
    settings = read_settings()
    status = 0
    for file in files:
        status = max(status, _show(file, settings, as_json=as_json, quick=quick))
    return status


def _show(file: Path, settings: Settings, *, as_json: bool, quick: bool) -> int:
    try:
        report = inspect(file, quick=quick, threads=settings.runtime.workers)
    except MediaError as error:
        if as_json:
            click.echo(json.dumps(error_record(file, error)))
        else:
            click.echo(f"\n{error}", err=True)
        return 1
    made = preview(report, settings.features.video, settings.features.audio)
    (_print_json if as_json else _print)(report, made)
    return 0 if report.usable else 1


def _print(report: MediaReport, made: Preview) -> None:
    click.echo(shown(str(report.info.path)))
    beside = ", ".join(shown(path.name) for path in subtitles_beside(report.info.path))
    lines = [*lines_of(report), *([("beside it", beside)] if beside else [])]
    for heading, text in [*lines, ("gazeline", made.sentence())]:
        click.echo(f"  {heading:<{COLUMN}}{text}")
    for error in report.refusals if not report.usable else ():
        click.echo(f"\n{error}", err=True)


def _print_json(report: MediaReport, made: Preview) -> None:
    """Print one line of JSON per file, so that several files are JSON lines."""
    gazeline = {
        "windows": made.windows,
        "chunks": made.chunks,
        "exact": made.exact,
        "sentence": made.sentence(),
    }
    beside = [path.name for path in subtitles_beside(report.info.path)]
    record = {**record_of(report), "subtitles_beside": beside, "gazeline": gazeline}
    click.echo(json.dumps(record, allow_nan=False))
