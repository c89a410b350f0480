"""The three parts of external consistency: what is seen, said and heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from gazeline.errors import FeatureError
from gazeline.params.statistics import ConsistencyParams
from gazeline.statistics.annotations import Bools, concept_matrix
from gazeline.statistics.consistency.acoustic import (
    FEATURES,
    CurveComparison,
    compare_curves,
    is_silent,
    resampled,
)
from gazeline.statistics.consistency.copies import Copies, acoustic_shards, video_shards
from gazeline.statistics.consistency.hypotheses import (
    Metrics,
    compare,
    family_counts,
    family_metrics,
    family_words,
    significant_digits,
    undefined_metrics,
)
from gazeline.statistics.consistency.prompts_embedding import embed_prompts
from gazeline.statistics.consistency.speech import category_shares, empath_lexicon
from gazeline.statistics.consistency.testable import NotTestable
from gazeline.statistics.consistency.visual import PromptVectors, centre_prompts, film_scores
from gazeline.statistics.consistency.word_lists import PromptFile
from gazeline.statistics.overlaps import Floats

MIN_FRAMES = 2
Curves = dict[str, dict[str, CurveComparison | NotTestable]]


@dataclass(frozen=True)
class Part:
    """The metrics of a part and its words in the summary.

    Attributes:
        curves: annotator → acoustic feature → curves, for plotting.
    """

    metrics: Metrics
    summary: str
    curves: Curves = field(default_factory=dict)


def visual_part(
    segments: pd.DataFrame,
    concepts: Sequence[str],
    prompts: PromptFile,
    copies: Copies,
    params: ConsistencyParams,
) -> Part:
    """Compare the visual concept score of segments with and without each concept."""
    tested = [name for name in concepts if name in prompts.concepts]
    lacking = [name for name in concepts if name not in prompts.concepts]
    metrics: Metrics = {"n_concepts_without_prompts": len(lacking)}
    note = f" (no prompts for {', '.join(lacking)})" if lacking else ""
    if not tested:
        reason = undefined_metrics("no visual concept has prompts")
        return Part({**metrics, **reason}, f"seen: nothing to test{note}")
    vectors = embedded(prompts, tested, copies.encoder)
    scores = visual_scores(segments, vectors, copies, params.quantile)
    scored = _complete(scores)
    has = concept_matrix(segments, tested)
    families = {
        annotator: family_metrics(
            {
                name: compare(scores[rows, c], has[rows, c], name, "windows")
                for c, name in enumerate(tested)
            }
        )
        for annotator, rows in _by_annotator(segments, scored)
    }
    with_copy = segments["film_id"].isin(copies.films).to_numpy()
    metrics |= {
        "n_without_copy": int((~with_copy).sum()),
        "n_without_windows": int((with_copy & ~scored).sum()),
        "annotators": families,
        "tested": _tested(families, params.q_significant),
    }
    found = _count_words(families, params.q_significant)
    return Part(metrics, f"seen: concepts that their prompts go with: {found}{note}")


def embedded(prompts: PromptFile, concepts: Sequence[str], encoder: Path) -> PromptVectors:
    """Embed the prompts of the concepts and the negative ones, centred together."""
    lists = [prompts.concepts[name] for name in concepts]
    vectors = embed_prompts(encoder, [*(p for each in lists for p in each), *prompts.negative])
    *positive, negative = np.split(vectors, np.cumsum([len(each) for each in lists]))
    return centre_prompts(dict(zip(concepts, positive, strict=True)), negative)


def visual_scores(
    segments: pd.DataFrame, prompts: PromptVectors, copies: Copies, quantile: float
) -> Floats:
    """Return the score of each segment for each concept, NaN without windows, shape [n, c].

    Raises:
        FeatureError: windows and prompts were not encoded by the same kind of encoder.
    """
    width = prompts.negatives.shape[1]
    scores = np.full((len(segments), len(prompts.concepts)), np.nan)
    for shard in video_shards(copies, segments):
        if shard.values.shape[1] != width:
            raise FeatureError(
                f"The windows of {shard.film_id} are {shard.values.shape[1]} numbers wide, "
                f"the prompts {width}",
                where=str(copies.video / f"{shard.film_id}.parquet"),
                todo=f"run `dvc repro video@{shard.film_id}` with the encoder of the corpus",
            )
        found = film_scores(shard.values, shard.touched, prompts, quantile)
        scores[shard.segments] = found
    return scores


def speech_part(
    segments: pd.DataFrame,
    texts: pd.Series[str],
    concepts: Sequence[str],
    categories: Sequence[str],
    params: ConsistencyParams,
) -> Part:
    """Compare the Empath categories of what is said in segments with and without each concept.

    Both the joined text and, where the release has one, the released text are compared.
    """
    lexicon = empath_lexicon(categories)
    has = concept_matrix(segments, concepts)
    metrics: Metrics = {}
    words = []
    for source, said in (("subtitles", texts), ("released_text", segments["text_released"])):
        shares = category_shares(said.tolist(), lexicon)
        spoken = _complete(shares)
        metrics[source] = {"n_without_words": int((~spoken).sum())}
        if not spoken.any():
            metrics[source] |= undefined_metrics("no segment with words")
            words.append(f"no words in {source}")
            continue
        annotators = {
            annotator: {
                name: _category_family(shares[rows], has[rows, c], name, list(lexicon))
                for c, name in enumerate(concepts)
            }
            for annotator, rows in _by_annotator(segments, spoken)
        }
        metrics[source]["annotators"] = annotators
        metrics[source]["tested"] = {
            annotator: _tested(found, params.q_significant)
            for annotator, found in annotators.items()
        }
        for name in concepts:
            families = {annotator: found[name] for annotator, found in annotators.items()}
            found = _count_words(families, params.q_significant)
            words.append(f"categories that go with {name} in {source}: {found}")
    return Part(metrics, f"said: {'; '.join(words)}")


def _category_family(
    shares: Floats, positive: Bools, concept: str, categories: Sequence[str]
) -> Metrics:
    return family_metrics(
        {
            name: compare(shares[:, k], positive, concept, "words")
            for k, name in enumerate(categories)
        }
    )


def acoustic_part(
    segments: pd.DataFrame, concepts: Sequence[str], copies: Copies, params: ConsistencyParams
) -> Part:
    """Compare the acoustic curves of segments with any audio concept and without."""
    curves, counts = acoustic_curves(segments, copies, params.bins)
    heard = _complete(curves.reshape(len(curves), -1))
    positive = np.asarray(concept_matrix(segments, concepts).any(axis=1), dtype=np.bool_)
    compared: Curves = {
        annotator: {
            feature: compare_curves(curves[rows, :, f], positive[rows])
            for f, feature in enumerate(FEATURES)
        }
        for annotator, rows in _by_annotator(segments, heard)
    }
    annotators: Metrics = {
        annotator: {name: _curve_metrics(c, params.q_shaded) for name, c in features.items()}
        for annotator, features in compared.items()
    }
    shaded = "; ".join(
        f"{annotator} {_shaded_words(features)}" for annotator, features in annotators.items()
    )
    left_out = ", ".join(f"{n} {key.removeprefix('n_')}" for key, n in counts.items() if n)
    summary = f"heard: shaded bins {shaded or 'none'}" + (f" ({left_out})" if left_out else "")
    return Part({**counts, "annotators": annotators}, summary, compared)


def acoustic_curves(
    segments: pd.DataFrame, copies: Copies, bins: int
) -> tuple[Floats, dict[str, int]]:
    """Return the curves of each segment, NaN where it has none, and why, by count.

    Returns:
        shape [n, bins, features], and the segments without copy, without sound (of the film),
        not on the copy, too short (under two analysis frames) and silent.
    """
    curves = np.full((len(segments), bins, len(FEATURES)), np.nan)
    with_copy = segments["film_id"].isin(copies.films).to_numpy()
    counts = {
        "n_without_copy": int((~with_copy).sum()),
        "n_without_sound": 0,
        "n_not_on_copy": 0,
        "n_too_short": 0,
        "n_silent": 0,
    }
    for shard in acoustic_shards(copies, segments):
        for row, touched in zip(shard.segments, shard.touched, strict=True):
            series = shard.values[touched]
            if not len(shard.values):
                counts["n_without_sound"] += 1
            elif not len(touched):
                counts["n_not_on_copy"] += 1
            elif len(touched) < MIN_FRAMES:
                counts["n_too_short"] += 1
            elif is_silent(series[:, FEATURES.index("rms")]):
                counts["n_silent"] += 1
            else:
                curves[row] = resampled(series, bins)
    return curves, counts


def _shaded_words(features: Metrics) -> str:
    reasons = sorted({entry["reason"] for entry in features.values() if "reason" in entry})
    if reasons:
        return f"not testable: {'; '.join(reasons)}"
    return ", ".join(f"{feature} {entry['n_shaded']}" for feature, entry in features.items())


def _curve_metrics(comparison: CurveComparison | NotTestable, q_shaded: float) -> Metrics:
    if isinstance(comparison, NotTestable):
        return undefined_metrics(comparison.reason)
    shaded = comparison.q < q_shaded
    return {
        "n_positive": comparison.n_positive,
        "n_negative": comparison.n_negative,
        "n_shaded": int(shaded.sum()),
        "n_shaded_higher": int((shaded & (comparison.effect > 0)).sum()),
        "n_shaded_lower": int((shaded & (comparison.effect < 0)).sum()),
        "mean_difference": significant_digits((comparison.positive - comparison.negative).mean()),
        "mean_effect": significant_digits(comparison.effect.mean()),
        "smallest_q": significant_digits(comparison.q.min()),
    }


def _complete(values: Floats) -> Bools:
    """Return which rows have a value everywhere."""
    return np.asarray(~np.isnan(values).any(axis=1), dtype=np.bool_)


def _by_annotator(segments: pd.DataFrame, kept: Bools) -> list[tuple[str, Bools]]:
    """Return each annotator with the rows of theirs that are kept."""
    annotator = segments["annotator"].to_numpy()
    return [(str(name), (annotator == name) & kept) for name in np.unique(annotator.astype(str))]


def _tested(families: dict[str, Metrics], q: float) -> Metrics:
    """Return name (of an annotator or a concept) → how much of its family was tested."""
    return {name: family_counts(family, q) for name, family in families.items()}


def _count_words(families: dict[str, Metrics], q: float) -> str:
    return ", ".join(f"{name} {family_words(family, q)}" for name, family in families.items())
