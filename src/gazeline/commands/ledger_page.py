"""The ledger as a Markdown page: our value beside every published one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gazeline.evaluation.ledger import MISSING, STATUSES

TITLES = {
    "table2": "Table 2: agreement per concept",
    "table3": "Table 3: visual concepts against prompts",
    "table4": "Table 4: any visual concept",
    "table5": "Table 5: visual concepts across annotators",
    "table6": "Table 6: each visual concept",
    "table7": "Table 7: the speech concept from text",
    "table8": "Table 8: voice or soundtrack",
    "table9": "Table 9: hard negatives",
    "table10": "Table 10: video, text and both",
    "table11": "Table 11: the Differential model",
    "table12": "Table 12: the Differential model across annotators",
    "table13": "Table 13: language models, zero-shot",
    "table14": "Table 14: language models by modality",
    "table15": "Table 15: language models, few-shot",
    "table18": "Table 18: genres",
    "table19": "Table 19: share of positives per film",
    "table20": "Table 20: localisation",
    "text": "Figures in the text and captions",
}
INTRODUCTION = """\
# Ledger: the paper's figures and ours

Written by `gazeline ledger --out FILE` from `metrics/ledger.json`; do not edit. Every figure that
the MObyGaze paper prints (arXiv 2505.22084v3) stands here with ours, or with what is missing.

| status | meaning |
|---|---|
| reproduced | ours rounds to the printed digits (within half a unit of the last one) |
| within the interval | it does not, but lies in the interval that the paper prints around it |
| differs | neither |
| stand-in | measured with another encoder than the paper's: shown, never counted as reproduced |
| other setting | other settings than the preset's, fewer folds or seeds: likewise |
| subset | measured on a part of the corpus |
| no measurement | set by this project (a setting, a list), or so by definition |
| missing | there is no figure of ours, and why |

n is the number of (fold, seed) runs of an experiment, of folds for guessing, of pairs of
annotations for agreement, of segments for shares and counts; blank where it is none of these.
Guessing is the share of the classes on the paper's folds, from the annotations alone. ≈ marks what
the paper itself calls approximate.
"""
COUNTED = tuple(name for name in ("published", *STATUSES) if name != MISSING)
HEADER = ("figure", "published", "ours", "difference", "n", "status")


def ledger_page(found: Mapping[str, Any]) -> str:
    """Return the page of a ledger (the content of `metrics/ledger.json`)."""
    parts = [INTRODUCTION, _counts(found)]
    for source, entries in _by_source(found["entries"]):
        lines = [_line(entry) for entry in entries]
        parts.append(f"## {TITLES.get(source, source)}\n\n{_table(HEADER, lines)}")
    return "\n".join(parts)


def count_rows(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return how many figures have each status, and what the missing ones lack."""
    n, missing = found["n"], found["missing"]
    rows = [(name, str(n[name])) for name in COUNTED if n[name]]
    return rows + [(f"missing: {why}", str(count)) for why, count in missing.items()]


def _counts(found: Mapping[str, Any]) -> str:
    note = ""
    if "subset" in found:
        note = "\n**These figures come from a part of the corpus only.**\n"
    return _table(("figures", "n"), count_rows(found)) + note


def _by_source(entries: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[Any]]]:
    groups: dict[str, list[Any]] = {}
    for entry in entries:
        groups.setdefault(entry["id"].partition("/")[0], []).append(entry)
    return iter(sorted(groups.items(), key=lambda item: list(TITLES).index(item[0])))


def _line(entry: Mapping[str, Any]) -> tuple[str, ...]:
    status = ": ".join(part for part in (entry["status"], entry.get("why")) if part)
    if entry.get("detail"):
        status += f" ({entry['detail']})"
    return (
        entry["id"].partition("/")[2].replace("_", " "),
        ("≈ " if entry.get("approximate") else "") + entry["printed"].replace("|", "/"),
        _number(entry.get("ours")),
        _number(entry.get("difference"), sign=True),
        str(entry.get("n", "")),
        status,
    )


def _number(value: float | str | None, *, sign: bool = False) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int):
        return f"{value:+d}" if sign else str(value)
    return f"{value:+.3g}" if sign else f"{value:.4g}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
