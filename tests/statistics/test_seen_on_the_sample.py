"""The planted visual cue is found in the sample's own frames by the encoder the sample ships with.

Frames, prompts, encoder and score are those of the pipeline; only the film's encoding to a file and
its decoding are left out, which tests/features and tests/pipeline try.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from PIL import Image

from gazeline.corpora.ingest import ingest
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.features.video.encoder import load_video_encoder
from gazeline.params.base import load_section
from gazeline.params.corpora import IngestParams
from gazeline.params.encoders import EncoderParams
from gazeline.params.sample import SampleParams
from gazeline.params.statistics import ConsistencyParams
from gazeline.params.subset import SubsetParams
from gazeline.sample.catalogue import FPS
from gazeline.sample.frames import render
from gazeline.sample.release import write_release
from gazeline.sample.scenery import HEIGHT, WIDTH
from gazeline.sample.staging import reel
from gazeline.sample.story import tell
from gazeline.schema.annotations import SEGMENTS
from gazeline.statistics.annotations import concept_matrix
from gazeline.statistics.consistency.hypotheses import compare, family_metrics
from gazeline.statistics.consistency.parts import embedded
from gazeline.statistics.consistency.placement import windows_in
from gazeline.statistics.consistency.visual import film_scores
from gazeline.statistics.consistency.word_lists import read_word_lists
from gazeline.tables import read_frame

pytestmark = pytest.mark.slow

SEEDS = (1, 2, 3)
SECONDS = 40
FRAMES = 16
# Every eighth frame is drawn and stands for the next seven too: it saves most of the time.
DRAWN = 8
PLANTED = ("Body", "Clothing")
UNPLANTED = ("Posture", "Exp of emotion", "Activities")


@pytest.fixture(scope="module")
def encoder(project, tmp_path_factory):
    """Return the folder of the sample's video encoder, as params.yaml has it."""
    folder = tmp_path_factory.mktemp("encoder") / "tiny-xclip"
    params = load_section(EncoderParams, "encoders.tiny-xclip", project / "params.yaml")
    fetch_encoder("tiny-xclip", params, folder)
    return folder


@pytest.fixture(scope="module")
def prompts(project):
    stages = project / "stages"
    return read_word_lists(stages / "prompts.yaml", stages / "empath_categories.yaml").prompts


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed-{seed}")
def seen(request, project, encoder, tmp_path_factory):
    """Return the segments of a sample and, per film, its windows' times and embeddings."""
    folder = tmp_path_factory.mktemp("sample")
    params = SampleParams(seconds=SECONDS, seed=request.param)
    stories = tell(params)
    write_release(stories, params, folder / "release")
    settings = load_section(IngestParams, "corpora.sample", project / "params.yaml")
    ingest("sample", folder / "release", settings, SubsetParams(), folder / "corpus")
    segments = read_frame(folder / "corpus" / "segments.parquet", SEGMENTS)
    tower = load_video_encoder(encoder, torch.device("cpu"))
    films = {story.facts.film_id: tower.encode(windows(story, params)) for story in stories}
    return segments.sort_values("segment_id").reset_index(drop=True), films


def windows(story, params):
    """Draw the windows of the annotated version: no logo and no inserted scene, FPS throughout."""
    copy = replace(story.facts.copy, logo=False, inserted_scene=False, fps=FPS)
    story = replace(story, facts=replace(story.facts, copy=copy))
    shots = [
        replace(shot, n_frames=max(1, round(shot.n_frames / DRAWN))) for shot in reel(story, params)
    ]
    pictures = [small(frame) for frame in render(shots, (), FPS, boxed_captions=False)]
    frames = np.repeat(np.stack(pictures), DRAWN, axis=0)
    n = len(frames) // FRAMES
    return frames[: n * FRAMES].reshape(n, FRAMES, *frames.shape[1:])


def small(frame):
    """Scale a frame as the encoder's processor file says: 32 pixels high, the middle of it."""
    picture = Image.frombytes("RGB", (WIDTH, HEIGHT), frame)
    wide = round(32 * WIDTH / HEIGHT)
    left = (wide - 32) // 2
    scaled = picture.resize((wide, 32), Image.Resampling.BILINEAR)
    return np.asarray(scaled.crop((left, 0, left + 32, 32)))


def scores_of(seen, vectors):
    """Return the visual concept score of each segment, shape [segments, concepts]."""
    segments, films = seen
    found = np.full((len(segments), len(vectors.concepts)), np.nan)
    for film, embeddings in films.items():
        starts = np.arange(len(embeddings)) * FRAMES / float(FPS)
        rows = np.flatnonzero(segments["film_id"] == film)
        spans = segments.loc[rows, ["start_s", "end_s"]].itertuples(index=False)
        ends, half = starts + FRAMES / float(FPS), 0.5 / float(FPS)
        touched = [windows_in([tuple(span)], starts, ends, half) for span in spans]
        quantile = ConsistencyParams().quantile
        found[rows] = film_scores(embeddings.astype(np.float64), touched, vectors, quantile)
    return found


def families(segments, has, scores, names):
    """Return the tests of each annotator, as the stage makes them."""
    scored = ~np.isnan(scores).any(axis=1)
    for annotator in ("annotator1", "annotator2"):
        rows = scored & (segments["annotator"] == annotator).to_numpy()
        yield family_metrics(
            {name: compare(scores[rows, c], has[rows, c]) for c, name in enumerate(names)}
        )


def test_planted_concepts_are_seen_and_those_named_by_chance_are_not(seen, prompts, encoder):
    names = list(prompts.concepts)
    scores = scores_of(seen, embedded(prompts, names, encoder))
    has = concept_matrix(seen[0], names)
    n_tested = 0
    for family in families(seen[0], has, scores, names):
        for name in PLANTED:
            assert family[name]["q"] < 0.01
            assert family[name]["effect"] > 0.5
        for name in UNPLANTED:
            assert family[name].get("q", 1) > 0.05
            n_tested += family[name].get("n_positive", 0)
    assert n_tested >= 5, "too few segments with a chance concept to find anything in"


def test_a_common_concept_that_nothing_shows_is_not_found_by_the_planted_ones_prompts(
    seen, prompts, encoder
):
    segments = seen[0]
    names = list(PLANTED)
    scores = scores_of(seen, embedded(prompts, names, encoder))
    chance = np.random.default_rng(0).random((len(segments), len(names))) < 0.4
    for family in families(segments, chance, scores, names):
        assert min(family[name]["n_positive"] for name in names) > 5
        assert all(family[name]["q"] > 0.05 for name in names)


def test_prompts_of_what_is_in_any_film_do_not_find_the_cue(seen, prompts, encoder):
    """The score must come from the words: with streets and rooms for a dress it is turned over."""
    swapped = prompts.model_copy(
        update={
            "concepts": {"Clothing": prompts.negative[3:7]},
            "negative": prompts.concepts["Clothing"],
        }
    )
    scores = scores_of(seen, embedded(swapped, ["Clothing"], encoder))
    has = concept_matrix(seen[0], ["Clothing"])
    for family in families(seen[0], has, scores, ["Clothing"]):
        assert family["Clothing"]["effect"] < -0.3
