"""Print the tables of docs/findings.md and docs/results.md from the MObyGaze release.

    python benchmarks/findings.py --release DIR

DIR is the folder with mobygaze_dataframe.csv. The stages of the pipeline write the same figures
into metrics/; here they stand side by side, with settings that are not the pipeline's defaults.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import numpy as np
import pandas as pd

from gazeline.corpora.ingest import ingest
from gazeline.evaluation.published import Published, load_published
from gazeline.orchestration.templates import template_data
from gazeline.params.base import load_section
from gazeline.params.corpora import ConceptGroups, IngestParams
from gazeline.params.statistics import AgreementParams, ConsistencyParams, DescriptionParams
from gazeline.params.subset import SubsetParams
from gazeline.params.subtitles import SubtitlesParams
from gazeline.schema.annotations import CUES, FILMS, FOLDS, SEGMENTS
from gazeline.statistics.agreement.measure import (
    distance_samples,
    levels_name,
    measure_agreement,
    threshold_key,
)
from gazeline.statistics.agreement.pairs import PairSample
from gazeline.statistics.agreement.reliability import reliability
from gazeline.statistics.annotations import concept_matrix, from_segments
from gazeline.statistics.consistency.check import check_consistency
from gazeline.statistics.consistency.hypotheses import compare, family_metrics, n_significant
from gazeline.statistics.consistency.word_lists import read_categories, read_word_lists
from gazeline.statistics.description.describe import describe
from gazeline.statistics.overlaps import Floats
from gazeline.subtitles.cleaning.join import JoinRule
from gazeline.subtitles.cleaning.segment_text import SegmentTexts, segment_texts
from gazeline.tables import read_frame

CORPUS = "mobygaze"
CATEGORIES = Path("stages/empath_categories.yaml")
N_CATEGORIES = 10
# The authors' program takes this many of the pairs of different films, without a seed.
N_PAIRS, N_DRAWS, SEED = 200, 400, 0
SPREAD_PERCENT = (5, 95)
Metrics = Mapping[str, Any]
Tables = dict[str, pd.DataFrame]


def main(argv: Sequence[str]) -> None:
    """Ingest the release into a temporary folder and print every table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", type=Path, required=True)
    release = parser.parse_args(argv).release
    entry = template_data(CORPUS)["corpora"][CORPUS]
    groups = ConceptGroups.model_validate(entry["concepts"])
    with TemporaryDirectory() as folder:
        out = Path(folder)
        audit = ingest(CORPUS, release, IngestParams.model_validate(entry), SubsetParams(), out)
        specs = {"films": FILMS, "segments": SEGMENTS, "cues": CUES, "folds": FOLDS}
        tables = {name: read_frame(out / f"{name}.parquet", s) for name, s in specs.items()}
    print_agreement(tables["segments"], groups)
    print_sampling(tables["segments"], groups)
    print_tree(tables, groups)
    print_subtitles(audit["quirks"], tables)
    print_speech(tables, groups)
    print_tokenizers(tables["segments"], groups)


def print_agreement(segments: pd.DataFrame, groups: ConceptGroups) -> None:
    """Print agreement on levels by overlap rule and on concepts by empty-side rule."""
    params = load_section(AgreementParams, "statistics.agreement")
    names = (*groups.visual, *groups.speech, *groups.audio)
    annotations = from_segments(segments, names)
    zero = measure_agreement(annotations, params).metrics
    dropped = params.model_copy(update={"empty_side": "drop", "bootstrap": 0})
    drop = measure_agreement(annotations, dropped).metrics
    levels = zero["levels"][levels_name(params.levels)]
    rows = []
    for t in sorted({*params.thresholds, params.level_threshold}):
        coverage, iou = (levels[rule][threshold_key(t)] for rule in ("coverage", "iou"))
        rows.append([f"{t:g}", *_spans(coverage), *_spans(iou)])
    print_table("Levels by threshold", ["overlap", "coverage α", "σ", "IoU α", "σ"], rows)
    f1 = levels["f1"]
    print(f"F1 distance: alpha {f1['alpha']:.3f}, sigma {f1['sigma']:.2f}")
    at = threshold_key(params.concept_threshold)
    rows = []
    for name in names:
        published, literal = (
            zero[r]["concepts"][name] for r in ("as_published", "literal_reading")
        )
        between = drop["concepts"][name]["coverage"][at]
        pairs = f"{between['n_observed']} ({between['n_expected']})"
        rows.append([name, *_both(published), *_both(between), pairs, *_both(literal)])
    head = [
        "concept",
        "zero α",
        "σ",
        "drop α",
        "σ",
        "pairs left (of different films)",
        "IoU, drop α",
        "σ",
    ]
    print_table(f"Concepts at {params.concept_threshold:g}", head, rows)


def print_sampling(segments: pd.DataFrame, groups: ConceptGroups) -> None:
    """Print how alpha and sigma spread over draws of 200 pairs, beside the printed value.

    `tail` is the smaller share of draws that round to the printed value or lie beyond it.
    """
    params = load_section(AgreementParams, "statistics.agreement")
    names = (*groups.visual, *groups.speech, *groups.audio)
    printed = {entry.ours: entry for entry in load_published() if entry.ours}
    rows, reproduced, of_table = [], 0, 0
    for kind, name, found in distance_samples(from_segments(segments, names), params):
        drawn = draws_of_pairs(found, N_DRAWS, SEED)
        for figure, values in drawn.items():
            path = ("value", f"agreement/as_published/{kind}/{name}/{figure}")
            if path not in printed:
                continue
            entry, ours = printed[path], getattr(reliability(found), figure)
            low, high = np.percentile(values, SPREAD_PERCENT)
            same = abs(ours - float(entry.value)) <= entry.tolerance
            reproduced += same and kind != "levels"
            of_table += kind != "levels"
            shares = (f"{share(values, entry):.3f}" for share in (tail, level))
            rows.append([
                name, figure, entry.printed, f"{ours:z.4f}", "yes" if same else "no",
                f"{low:z.3f}–{high:z.3f}", *shares,
            ])  # fmt: skip
    spread = f"{SPREAD_PERCENT[0]}–{SPREAD_PERCENT[1]} % of draws"
    head = ["", "figure", "printed", "of all pairs", "same digits", spread, "tail",
            "draws that print it"]  # fmt: skip
    print_table(f"{N_DRAWS} draws of {N_PAIRS} pairs, seed {SEED}", head, rows)
    print(f"{reproduced} of {of_table} figures of Table 2 are the printed digits")


def draws_of_pairs(sample: PairSample, n_draws: int, seed: int) -> dict[str, Floats]:
    """Return alpha and sigma by N_PAIRS of the expected pairs, drawn without replacement."""
    rng = np.random.default_rng(seed)
    found: dict[str, list[float]] = {"alpha": [], "sigma": []}
    for _ in range(n_draws):
        taken = rng.choice(len(sample.expected), N_PAIRS, replace=False)
        part = replace(
            sample,
            expected=sample.expected[taken],
            expected_films=sample.expected_films[taken],
        )
        result = reliability(part)
        for figure, values in found.items():
            values.append(getattr(result, figure))
    return {figure: np.array(values, dtype=np.float64) for figure, values in found.items()}


def tail(values: Floats, entry: Published) -> float:
    """Return the smaller share of draws at or beyond the printed value, to its last digit."""
    value, half = float(entry.value), float(entry.tolerance or 0)
    return float(min((values >= value - half).mean(), (values <= value + half).mean()))


def level(values: Floats, entry: Published) -> float:
    """Return the share of draws that round to the printed digits."""
    return float((np.abs(values - float(entry.value)) <= float(entry.tolerance or 0)).mean())


def print_tokenizers(segments: pd.DataFrame, groups: ConceptGroups) -> None:
    """Print how many categories go with speech by our words and by Empath's own splitting."""
    from empath import Empath

    from gazeline.statistics.consistency.speech import category_shares, empath_lexicon, words_of

    q = load_section(ConsistencyParams, "statistics.consistency").q_significant
    categories = read_categories(CATEGORIES)
    texts = segments["text_released"]
    has = concept_matrix(segments, groups.speech)[:, 0]
    own = Empath()
    shares = {"words_of": category_shares(texts.tolist(), empath_lexicon(categories))}
    found = [own.analyze(t, categories=list(categories), normalize=True) for t in texts]
    nothing = dict.fromkeys(categories, np.nan)
    shares["Empath's analyze"] = pd.DataFrame([f or nothing for f in found]).to_numpy()
    rows = []
    for name, values in shares.items():
        counts = []
        for annotator in sorted(segments["annotator"].unique()):
            kept = (segments["annotator"] == annotator).to_numpy() & ~np.isnan(values).any(axis=1)
            family = family_metrics(
                {c: compare(values[kept, k], has[kept]) for k, c in enumerate(categories)}
            )
            counts.append(f"{n_significant(family, q)} of {len(family)} ({kept.sum()} segments)")
        rows.append([name, *counts, f"{np.nansum(values > 0)}"])
    print_table(
        f"Empath on the released text, categories of q < {q:g}",
        ["words by", *sorted(segments["annotator"].unique()), "category found in a segment"], rows,
    )  # fmt: skip
    split = [word for text in texts for word in text.split()]
    plain = [word for word in split if words_of(word) == [word]]
    print(f"{len(plain) / len(split):.1%} of {len(split)} words are the same by both")


def _spans(figures: Metrics) -> list[str]:
    """Return alpha with its interval, and sigma."""
    if "alpha" not in figures:
        return ["–", "–"]
    alpha = f"{figures['alpha']:z.3f}"
    if "alpha_low" in figures:
        alpha += f" ({figures['alpha_low']:z.3f}–{figures['alpha_high']:z.3f})"
    return [alpha, f"{figures['sigma']:.2f}" if "sigma" in figures else "–"]


def _both(figures: Metrics) -> list[str]:
    return [f"{figures[n]:z.2f}" if n in figures else "–" for n in ("alpha", "sigma")]


def print_tree(tables: Tables, groups: ConceptGroups) -> None:
    """Print the scores of the decision tree in-sample and out of sample."""
    params = load_section(DescriptionParams, "statistics.description")
    found = describe(tables["segments"], tables["films"], tables["folds"], groups, params).metrics
    rows = []
    for name in ("in_sample", "out_of_sample"):
        scores = found["tree"][name]
        shown = (f"{scores[score]:.3f}" for score in ("accuracy", "f1", "weighted_f1"))
        rows.append([name, *shown, str(scores["n"])])
    print_table("Decision tree", ["scored", "accuracy", "F1 (S)", "weighted F1", "n"], rows)
    print(f"depth {found['tree']['depth']}, {found['tree']['n_leaves']} leaves")


def print_subtitles(quirks: Metrics, tables: Tables) -> None:
    """Print the audit's counts, and what each join rule makes of the cues, cleaned alike."""
    rows = [
        [name, str(quirk["count"]), quirk["action"], quirk["meaning"]]
        for name, quirk in quirks.items()
        if quirk["count"]
    ]
    print_table("Audit", ["quirk", "count", "action", "meaning"], rows)
    print(f"cue_frame_rate: {quirks['cue_frame_rate']['details']}")
    texts = {join: _joined(tables, join) for join in get_args(JoinRule)}
    released = set_of_words(texts["released"].frame["text"])
    rows = []
    for join, found in texts.items():
        spoken, words = found.report["segments"], set_of_words(found.frame["text"])
        both = [(a, b) for a, b in zip(released, words, strict=True) if a or b]
        same = sum(a == b for a, b in both)
        apart = sum(not a & b for a, b in both)
        cues = f"{found.frame['n_cues'].mean():.2f}"
        rows.append([join, str(spoken["with_text"]), cues, str(same), str(apart), str(len(both))])
    head = ["join", "segments with text", "cues a segment", "same words as by released",
            "no word in common", "of"]  # fmt: skip
    print_table("Joins", head, rows)
    print_drift(tables, texts["released"], texts["overlap"])


def print_drift(tables: Tables, released: SegmentTexts, overlap: SegmentTexts) -> None:
    """Print how the text by frame leaves the text by time, by quarter of the film."""
    segments = tables["segments"]
    ends = tables["films"].set_index("film_id")["duration_s"]
    quarter = (4 * segments["start_s"] / segments["film_id"].map(ends)).astype(int).clip(0, 3)
    cues = tables["cues"]
    by_frame_s = (cues["start_frame"] + cues["end_frame"]) / 2 * 1001 / 24000
    late_s = by_frame_s - (cues["start_s"] + cues["end_s"]) / 2
    films = tables["films"].set_index("film_id")
    drifting = films["annotation_fps_num"] == 24000
    cue_quarter = (4 * cues["start_s"] / cues["film_id"].map(ends)).astype(int).clip(0, 3)
    shift = late_s[cues["film_id"].map(drifting)].groupby(cue_quarter).median()
    words = [set_of_words(found.frame["text"]) for found in (released, overlap)]
    rows = []
    for index in range(4):
        both = [(a, b) for a, b, q in zip(*words, quarter, strict=True) if q == index and (a or b)]
        same, apart = sum(a == b for a, b in both), sum(not a & b for a, b in both)
        shares = (f"{count / len(both):.1%}" for count in (same, apart))
        rows.append([str(index + 1), f"{shift[index]:.1f} s", *shares, str(len(both))])
    head = ["quarter of the film", "cues late by", "same words", "no word in common", "segments"]
    print_table("Released text beside the cues that overlap in time", head, rows)


def set_of_words(texts: Iterable[str]) -> list[frozenset[str]]:
    """Return the different words of each text."""
    from gazeline.statistics.consistency.speech import words_of

    return [frozenset(words_of(text)) for text in texts]


def _joined(tables: Tables, join: JoinRule) -> SegmentTexts:
    return segment_texts(tables["segments"], tables["cues"], SubtitlesParams(join=join))


def print_speech(tables: Tables, groups: ConceptGroups) -> None:
    """Print the Empath categories that go with speech concepts, by annotator and source of text."""
    params = load_section(ConsistencyParams, "statistics.consistency")
    words = read_word_lists(Path("stages/prompts.yaml"), CATEGORIES)
    text = _joined(tables, "midpoint").frame
    found = check_consistency(tables["segments"], text, groups, words, params, None)
    print(f"\n{found.summary}")
    for source, part in found.metrics["speech"].items():
        print(f"\n{source}: {part['n_without_words']} segments without words")
        for annotator, families in part["annotators"].items():
            for concept, family in families.items():
                print_family(f"{concept}, {annotator}, {source}", family)


def print_family(title: str, family: Metrics) -> None:
    """Print the categories of the smallest q values."""
    tests = {name: test for name, test in family.items() if "q" in test}
    first = sorted(tests, key=lambda name: (tests[name]["q"], tests[name]["p"], name))
    rows = [
        [name, f"{tests[name]['effect']:+.3f}", tests[name]["effect_size"],
         f"{tests[name]['q']:.1e}"]
        for name in first[:N_CATEGORIES]
    ]  # fmt: skip
    sizes = tests[first[0]]
    print_table(
        f"{title} (n {sizes['n_positive']} with, {sizes['n_negative']} without)",
        ["category", "effect", "size", "q"], rows,
    )  # fmt: skip


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title}\n")
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main(sys.argv[1:])
