"""`gazeline subtitles FILE`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from gazeline.errors import SubtitleError
from gazeline.params.subtitles import CleaningParams
from gazeline.subtitles.cleaning.rules import chosen_rules
from gazeline.subtitles.srt import write_srt
from gazeline.subtitles.tracks.inspect import clean_cues, cue_record, inspect_subtitles
from gazeline.timeline.rates import exact_rate

LONGEST_LINE = 60


def show_subtitles(
    path: Path,
    *,
    clean: bool,
    as_json: bool,
    out: Path | None,
    force: bool,
    languages: Sequence[str],
    stream_index: int | None,
    fps: Fraction | None,
) -> None:
    """Print what a file holds and, where asked, write its cues."""
    found = inspect_subtitles(path, languages=languages, stream_index=stream_index, fps=fps)
    report = found.to_json()
    if found.file is None and (clean or out):
        raise SubtitleError(
            f"The subtitles of {path.name} are pictures: there is no text to clean or write",
            where=str(path),
        )
    if found.file is not None:
        cues = found.file.cues
        if clean:
            cleaned = clean_cues(found.file, chosen_rules(CleaningParams()))
            cues = cleaned.cues
            report["rules_fired"] = dict(cleaned.fired)
            report["emptied_by_cleaning"] = cleaned.n_emptied
            report["first_cue_cleaned"] = cue_record(cues[0]) if cues else None
            report["last_cue_cleaned"] = cue_record(cues[-1]) if cues else None
        if out:
            write_srt(out, cues, path, force=force)
            report["written"] = {"file": str(out), "cues": len(cues)}
    click.echo(json.dumps(report, indent=2, ensure_ascii=False) if as_json else _readable(report))


def frame_rate(text: str | None) -> Fraction | None:
    """Return the exact frame rate that a person writes, as 23.976 or 24000/1001.

    Raises:
        SubtitleError: it is none.
    """
    if text is None:
        return None
    try:
        return exact_rate(text)
    except (ValueError, ZeroDivisionError) as error:
        raise SubtitleError(f"{text!r} is not a frame rate", todo="write it as 23.976") from error


def _readable(report: Mapping[str, Any]) -> str:
    rows = [*_origin_rows(report), *_cue_rows(report), *_cleaning_rows(report)]
    return "\n".join([report["file"], *(f"  {name:<10} {value}" for name, value in rows)])


def _origin_rows(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = []
    if report["container"]:
        rows.append(("container", report["container"]))
    if report["track"]:
        rows.append(("track", f"{_named(report['track'])}: {report['track_chosen']}"))
    for each in report["picture_tracks"]:
        between = f", from {_clock(each['first_s'][0])} to {_clock(each['last_s'][1])}"
        times = between if each["n_pictures"] else ""
        rows.append(("pictures", f"{_named(each)}: {each['n_pictures']} pictures{times}, no text"))
    rows += [("not read", line) for line in report["unread_tracks"]]
    rows += [("damaged", line) for line in report["complaints"]]
    return rows


def _cue_rows(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    if "format" not in report:
        return []
    rows = [
        ("format", report["format"]),
        ("encoding", f"{report['encoding']} (known by: {report['encoding_by']})"),
        ("cues", f"{report['cues_in']} in, {report['cues_out']} out"),
        ("repaired", _counts(report["repaired"])),
        ("dropped", _counts(report["dropped"])),
    ]
    for name in ("first", "last"):
        cue = report.get(f"{name}_cue_cleaned", report[f"{name}_cue"])
        if cue:
            text = " / ".join(cue["text"].split("\n"))
            short = text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"
            rows.append((name, f"{_clock(cue['start_s'])} – {_clock(cue['end_s'])}  {short}"))
    return rows


def _cleaning_rows(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = []
    if "rules_fired" in report:
        fired = _counts({name: n for name, n in report["rules_fired"].items() if n})
        rows.append(
            ("cleaned", f"{fired}; left empty and dropped: {report['emptied_by_cleaning']}")
        )
    if "written" in report:
        rows.append(("written", f"{report['written']['file']}, {report['written']['cues']} cues"))
    return rows


def _named(track: Mapping[str, Any]) -> str:
    words = [f"stream {track['stream']}", track["codec"], track["language"] or "language not named"]
    words += [name for name in ("default", "forced") if track[name]]
    return ", ".join(words)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"


def _clock(seconds: float) -> str:
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}.{milliseconds:03d}"
