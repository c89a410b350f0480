"""The ledger: our value beside every figure that the paper prints, or why there is none. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gazeline.evaluation.as_published import PUBLISHED_RUNS
from gazeline.evaluation.published import Published
from gazeline.evaluation.sources import Absent, Metrics, Ours, look_up

CORPUS = "mobygaze"
REPRODUCED, INTERVAL, DIFFERS = "reproduced", "within the interval", "differs"
STAND_IN, OTHER_SETTING, SUBSET = "stand-in", "other setting", "subset"
NO_MEASUREMENT, MISSING = "no measurement", "missing"
STATUSES = (REPRODUCED, INTERVAL, DIFFERS, STAND_IN, OTHER_SETTING, SUBSET, NO_MEASUREMENT, MISSING)
NO_CORPUS, NO_COPIES, NO_WEIGHTS = "corpus not added", "no copies", "no weights"
NO_EXPERIMENT, FAILED = "experiment not in params", "experiment failed"
NOT_MEASURED, UNDEFINED = "not measured", "undefined"
# What the paper names; it does not say which X-CLIP, this one has windows of 16 frames as there.
PAPERS_ENCODERS = {
    "text": "bert-base-uncased",
    "video": "microsoft/xclip-base-patch16-16-frames",
    "audio": "MIT/ast-finetuned-audioset-10-10-0.4593",
}
# A double's rounding, so that a value on the edge of a printed digit counts as printed.
EDGE = 1e-9


@dataclass(frozen=True)
class Setup:
    """What there is of the paper's corpus: whether it is added, has copies, which experiments.

    `left_out` are experiments that cannot run and why; `encoders` the location of the encoder of
    each modality; `subset`: whether only a part was run. `other_settings` says by experiment what
    is otherwise than in the paper, `other_corpus` what is so of the films and segments; `failed`
    why an experiment has no scores although it is in the plan.
    """

    corpus: bool
    copies: bool
    experiments: frozenset[str]
    left_out: Mapping[str, str] = field(default_factory=dict)
    encoders: Mapping[str, str] = field(default_factory=dict)
    subset: bool = False
    other_settings: Mapping[str, str] = field(default_factory=dict)
    other_corpus: str = ""
    failed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """One published figure with ours: `why` says what is missing or what stood in."""

    published: Published
    ours: Ours | None
    status: str
    why: str = ""
    detail: str = ""

    @property
    def difference(self) -> float | None:
        """Return ours minus the published value, where both are numbers."""
        value = self.published.value
        if self.ours is None or isinstance(value, str) or isinstance(self.ours.value, str):
            return None
        return self.ours.value - value

    def to_json(self) -> dict[str, Any]:
        """Return the line as `metrics/ledger.json` has it."""
        line: dict[str, Any] = {
            "id": self.published.id,
            "published": self.published.value,
            "printed": self.published.printed,
            "status": self.status,
        }
        if self.published.approximate:
            line["approximate"] = True
        if self.ours is not None:
            line["ours"] = self.ours.value
            line |= {} if self.ours.n is None else {"n": self.ours.n}
        if self.difference is not None:
            line["difference"] = self.difference
        return line | {k: v for k, v in (("why", self.why), ("detail", self.detail)) if v}


def ledger(published: Sequence[Published], metrics: Metrics, setup: Setup) -> dict[str, Any]:
    """Return the content of `metrics/ledger.json`.

    Returns:
        counts by status and by what is missing and our numbers by id, which DVC compares; and
        `entries`, a list, which it does not: every published figure in the paper's order.
    """
    lines = [line_of(item, metrics, setup) for item in published]
    found = Counter(line.status for line in lines)
    missing = Counter(line.why for line in lines if line.status == MISSING)
    return {
        "n": {"published": len(lines), **{status: found[status] for status in STATUSES}},
        "missing": dict(sorted(missing.items())),
        "ours": {
            line.published.id: line.ours.value
            for line in lines
            if line.ours is not None and not isinstance(line.ours.value, str)
        },
        "entries": [line.to_json() for line in lines],
    }


def line_of(item: Published, metrics: Metrics, setup: Setup) -> Line:
    """Return the line of one published figure."""
    if item.ours is None:
        why = NO_WEIGHTS if "MLLM weights" in item.needs else NOT_MEASURED
        return Line(item, None, MISSING, why, item.why or "")
    found = look_up(item.ours, metrics) if setup.corpus else Absent("")
    if isinstance(found, Absent):
        return Line(item, None, MISSING, *_missing(item, found, metrics, setup))
    if item.setting:
        return Line(item, found, NO_MEASUREMENT, item.setting)
    if setup.subset:
        return Line(item, found, SUBSET, "made from a part of the corpus")
    stand_in, other = _stand_in(item, setup), _other_setting(item, metrics, setup)
    if stand_in or other:
        why = "; ".join(part for part in (stand_in, other) if part)
        return Line(item, found, STAND_IN if stand_in else OTHER_SETTING, why)
    status = _status(item, found)
    return Line(item, found, status, item.note if status == DIFFERS else "")


def _status(item: Published, ours: Ours) -> str:
    """Return whether ours equals the printed digits, lies within the printed interval, or neither.

    A value is never claimed for rounding alone: half a unit of the last printed digit decides.
    """
    if isinstance(item.value, str) or isinstance(ours.value, str) or item.tolerance is None:
        return REPRODUCED if ours.value == item.value else DIFFERS
    apart = abs(ours.value - item.value)
    slack = EDGE * max(abs(item.value), item.tolerance)
    if apart <= item.tolerance + slack or (item.bound and ours.value <= item.value):
        return REPRODUCED
    return INTERVAL if item.ci is not None and apart <= item.ci + slack else DIFFERS


def _stand_in(item: Published, setup: Setup) -> str:
    """Return which encoder stood in for the paper's, or nothing."""
    others = [
        f"{setup.encoders.get(modality, 'another encoder')} in place of {papers}"
        for modality, papers in PAPERS_ENCODERS.items()
        if f"{modality} encoder" in item.needs and setup.encoders.get(modality) != papers
    ]
    return "; ".join(others)


def _other_setting(item: Published, metrics: Metrics, setup: Setup) -> str:
    """Return what is otherwise than in the paper with the experiments behind a figure, or nothing.

    Numbers of parameters depend on neither folds nor seeds.
    """
    paths = (item.ours or ())[1:]
    parts = [setup.other_corpus] if any(p.startswith("chance/") for p in paths) else []
    counted = not all(path.endswith("/parameters") for path in paths)
    for name in _experiments_of(item, metrics):
        n = metrics["summary"].get(name, {}).get("n", {})
        n_runs = n.get("folds", 0) * n.get("seeds", 0)
        parts.append(setup.other_settings.get(name, ""))
        if counted and n_runs != PUBLISHED_RUNS:
            parts.append(f"n {n_runs} of {PUBLISHED_RUNS}")
    return "; ".join(dict.fromkeys(part for part in parts if part))


def _missing(item: Published, absent: Absent, metrics: Metrics, setup: Setup) -> tuple[str, str]:
    """Return why a figure is missing, in a word and in detail."""
    if not setup.corpus:
        return NO_CORPUS, ""
    no_copies = "film copies" in item.needs and not setup.copies
    names = _experiments_of(item, metrics)
    if not names:
        return (NO_COPIES, "") if no_copies else (NOT_MEASURED, f"metrics have no {absent.path}")
    if reasons := [setup.left_out[name] for name in names if name in setup.left_out]:
        if "copy" in reasons[0] and "film copies" not in item.needs:
            return NOT_MEASURED, f"its experiment {reasons[0]}"
        return NO_COPIES if "copy" in reasons[0] else NO_EXPERIMENT, reasons[0]
    if reasons := [setup.failed[name] for name in names if name in setup.failed]:
        return FAILED, reasons[0]
    if any(name not in setup.experiments for name in names):
        preset = f"gazeline preset use {_preset_of(item)}"
        return NO_COPIES if no_copies else NO_EXPERIMENT, preset
    return UNDEFINED, f"metrics have no {absent.path}"


def _experiments_of(item: Published, metrics: Metrics) -> list[str]:
    """Return the experiments that a figure's sources name, or that a named comparison is of."""
    paths = [path.split("/") for path in (item.ours or ())[1:]]
    found = [path[1] for path in paths if path[0] == "summary"]
    for path in paths:
        if path[0] == "comparisons":
            named = [part.partition(" vs ")[0] for part in path if " vs " in part]
            found += named or _members(metrics, *path[1:3])
    return found


def _members(metrics: Metrics, corpus: str, question: str) -> list[str]:
    """Return the experiments that answer one question."""
    entry = metrics.get("comparisons", {}).get(corpus, {}).get(question, {})
    return [name for name in entry.get("models", {}) if name != "random"]


def _preset_of(item: Published) -> str:
    if item.id.startswith("text/differential"):
        return "table12"
    if "en_hn_vs_s" in item.id:
        return "table9"
    kinds = {
        "concepts_macro": "table6",
        "bert": "table7",
        "ast_": "table8",
        "parameters/vt": "table10",
    }
    other = next((name for part, name in kinds.items() if part in item.id), "table4")
    return item.source if item.source in {f"table{n}" for n in range(4, 13)} else other
