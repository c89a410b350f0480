"""The data audit as a page for a scholar, in Markdown, from the content of ingest.json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

Entry = Mapping[str, Any]

LEVELS = {"EN": "Easy Negative", "HN": "Hard Negative", "NS": "Not Sure", "S": "Sure"}
ACTIONS = {"kept": "Kept", "repaired": "Repaired", "dropped": "Left out"}
DETAILS = {
    "entries": "entries too many: {}",
    "films": "films concerned: {}",
    "in_time": "by time stamps: {}",
    "repairable_as_a_whole": "{} could be repaired as a whole",
    "worst_drift_s": "at worst {} s off",
}
# Units of quirks of which every example is given, since each is another fault.
LISTED_UNITS = ("errors", "warnings", "faults")


def page(report: Entry) -> str:
    """Return the page: what was read, what was kept, and each quirk with what was done about it."""
    return "\n".join(
        [
            f"# Audit of the corpus {report['corpus']}",
            "",
            "What the release has, what the tables made of it have, and everything odd that was "
            "found. Written by the stage `ingest`; the same facts stand in `ingest.json` for "
            "programs to read.",
            *_subset(report),
            *_read(report),
            *_kept(report),
            *_odd(report["quirks"]),
        ]
    )


def _subset(report: Entry) -> Iterator[str]:
    if "subset" in report:
        films = report["subset"]["films"]
        which = f"{films} films" if films else "all films"
        yield ""
        yield (
            f"**The tables hold a subset only: {which}, the first {report['subset']['share']:.0%} "
            "of each.** The quirks below are those of the whole release."
        )


def _read(report: Entry) -> Iterator[str]:
    yield from ("", "## What was read", "")
    yield f"A release in the format `{report['format']}`."
    yield ""
    for name, facts in report["sources"].items():
        counted = next(key for key, value in facts.items() if isinstance(value, int))
        others = [f"{key} {value}" for key, value in facts.items() if key != counted]
        more = f" ({'; '.join(others)})" if others else ""
        yield f"- {name}: {facts[counted]:,} {counted}{more}"
    for line in report["missing"]:
        yield f"- Missing: {line}"
    yield from ("", _terms(report["about"]))


def _terms(about: Entry | None) -> str:
    if about is None:
        return "The release does not say whose it is, so `croissant.json` gives no licence."
    cite = f"; cite <{about['url']}>" if about["url"] else ""
    licence = f"under the licence <{about['licence']}>" if about["licence"] else "by its own terms"
    terms = f"This is {about['name']}, {licence}{cite}."
    return f"{terms} {about['conditions']}".rstrip()


def _kept(report: Entry) -> Iterator[str]:
    yield from ("", "## What was kept", "")
    yield "| | in the release | in the tables | left out |"
    yield "|---|---:|---:|---|"
    for part, n_in in report["in"].items():
        reasons = [f"{n:,} {why}" for why, n in report["dropped"][part].items() if n]
        yield f"| {part} | {n_in:,} | {report['kept'][part]:,} | {'; '.join(reasons) or 'none'} |"
    unread = [f"{n:,} {what}" for what, n in report["dropped"]["before reading"].items() if n]
    if unread:
        yield from ("", f"Not counted above: {'; '.join(unread)}.")
    total = report["kept"]["segments"]
    for title, counts in (
        ("level", {f"{k} ({LEVELS.get(k, k)})": n for k, n in report["segments_by_label"].items()}),
        ("annotator", report["segments_by_annotator"]),
    ):
        if counts:
            yield from ("", f"| {title} | segments | share |", "|---|---:|---:|")
            for name, n in counts.items():
                yield f"| {name} | {n:,} | {_share(n, total)} |"


def _odd(quirks: Mapping[str, Entry]) -> Iterator[str]:
    yield from ("", "## What is odd about the release", "")
    yield (
        "Nothing is changed silently. *Kept* means that the tables have it as released, *repaired* "
        "that they have what is right instead, *left out* that they do not have it. The name in "
        "brackets is the one in `ingest.json`."
    )
    for part in dict.fromkeys(entry["part"] for entry in quirks.values()):
        own = {name: entry for name, entry in quirks.items() if entry["part"] == part}
        yield from ("", f"### {part}", "")
        yield from _part(own)
    yield ""


def _part(quirks: Mapping[str, Entry]) -> Iterator[str]:
    for name, entry in quirks.items():
        if entry["count"]:
            yield from _found(name, entry)
    absent = [entry["meaning"] for entry in quirks.values() if entry["count"] == 0]
    if absent:
        yield f"- Looked for and not found: {'; '.join(absent)}."
    for reason, meanings in _unknown(quirks.values()).items():
        yield f"- Could not be looked for, since {reason}: {'; '.join(meanings)}."


def _unknown(entries: Iterable[Entry]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for entry in entries:
        if entry["count"] is None:
            reasons.setdefault(escape(_plain(entry["reason"])), []).append(entry["meaning"])
    return reasons


def _found(name: str, entry: Entry) -> Iterator[str]:
    details = [_detail(key, value) for key, value in entry.get("details", {}).items()]
    also = f" ({', '.join(each for each in details if each)})" if any(details) else ""
    yield f"- **{_how_many(entry)}:** {entry['meaning']}{also}. [{name}]"
    yield f"  *{ACTIONS[entry['action']]}*: {entry['done']}."
    if entry["unit"] in LISTED_UNITS:
        yield from (f"  - {_code(example)}" for example in entry["examples"])
    elif entry["examples"]:
        yield f"  For example {_code(entry['examples'][0])}"


def _how_many(entry: Entry) -> str:
    count = _counted(entry["count"], entry["unit"])
    if "of" not in entry:
        return count
    return f"{count} of {entry['of']:,} ({_share(entry['count'], entry['of'])})"


def _counted(count: int, unit: str) -> str:
    one = "entry" if unit == "entries" else unit.removesuffix("s")
    return f"{count:,} {one if count == 1 else unit}"


def _share(count: int, total: int) -> str:
    if not total:
        return "–"
    share = 100 * count / total
    return f"{share:.1f} %" if share >= 0.05 or not count else "under 0.1 %"


def _detail(key: str, value: float) -> str:
    if key == "share":
        return ""
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.2f}"
    return DETAILS[key].format(shown) if key in DETAILS else f"{key} {shown}"


def _plain(text: str) -> str:
    return " ".join(text.split())


def _code(text: str) -> str:
    """Return text as a code span, which shows tags and stars as they are."""
    text = _plain(text)
    fence = "`" if "`" not in text else "``"
    inner = f" {text} " if "`" in text else text
    return f"{fence}{inner}{fence}"
