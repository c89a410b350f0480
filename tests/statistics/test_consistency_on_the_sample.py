"""The cues planted in the sample corpus are found by its own sound and words, others are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soxr

from gazeline.alignment.record import Alignment, CopyClock, write_alignments
from gazeline.corpora.ingest import ingest
from gazeline.features.audio.acoustic import AcousticSeries, write_acoustic
from gazeline.params.base import load_section
from gazeline.params.corpora import ConceptGroups, IngestParams
from gazeline.params.features import AudioParams
from gazeline.params.sample import SampleParams
from gazeline.params.statistics import ConsistencyParams
from gazeline.params.subset import SubsetParams
from gazeline.params.subtitles import SubtitlesParams
from gazeline.sample.copies import edit_of, time_map
from gazeline.sample.release import write_release
from gazeline.sample.sound import RATE, soundtrack
from gazeline.sample.story import tell
from gazeline.schema.annotations import CUES, SEGMENTS
from gazeline.statistics.consistency.check import check_consistency
from gazeline.statistics.consistency.copies import Copies
from gazeline.statistics.consistency.word_lists import read_word_lists
from gazeline.subtitles.cleaning.segment_text import segment_texts
from gazeline.tables import read_frame

pytestmark = pytest.mark.slow

SEEDS = (1, 2, 3)
PARAMS = ConsistencyParams(bins=20)
PLANTED = ConceptGroups(speech=("Speech",), audio=("Soundtrack",))
# Named by chance, whatever is in the film (`gazeline.sample.annotators.UNPLANTED`).
UNPLANTED = ("Posture", "Exp of emotion", "Activities", "Voice")
NOTHING = ConceptGroups(speech=("Posture",), audio=UNPLANTED)


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"seed-{seed}")
def sample_corpus(request, project, tmp_path_factory):
    """Return segments, texts and the copies' sound, as the stages make them, without pictures."""
    folder = tmp_path_factory.mktemp("sample")
    params = SampleParams(seconds=30, seed=request.param)
    stories = tell(params)
    write_release(stories, params, folder / "release")
    settings = load_section(IngestParams, "corpora.sample", project / "params.yaml")
    ingest("sample", folder / "release", settings, SubsetParams(), folder / "corpus")
    segments = read_frame(folder / "corpus" / "segments.parquet", SEGMENTS)
    cues = read_frame(folder / "corpus" / "cues.parquet", CUES)
    for story in stories:
        _write_sound(story, params, folder)
    films = tuple(sorted(story.facts.film_id for story in stories))
    copies = Copies("sample", films, folder, folder / "acoustic", folder / "aligned", folder)
    return segments, segment_texts(segments, cues, SubtitlesParams()).frame, copies


def _write_sound(story, params: SampleParams, folder: Path) -> None:
    """Write the acoustic shard of a film's own sound and the true map to it."""
    series = AcousticSeries(AudioParams())
    if story.facts.copy.sound:
        stereo = soundtrack(story, edit_of(story, params.seconds), params.seed) / 32_768
        series.feed(soxr.resample(stereo.mean(axis=1), RATE, 16_000).astype(np.float32))
    film = story.facts.film_id
    write_acoustic(series.table(), {}, folder / "acoustic" / f"{film}.parquet")
    true_map = time_map(story, params.seconds)
    alignment = Alignment(true_map, "hand", 0, None, 1.0, 1.0, "sure", "")
    clock = CopyClock(float(params.seconds), str(story.facts.copy.fps))
    write_alignments(folder / "aligned" / f"{film}.json", film, clock, {"sample": alignment})


@pytest.fixture
def words(project):
    return read_word_lists(
        project / "stages" / "prompts.yaml", project / "stages" / "empath_categories.yaml"
    )


def test_planted_words_and_sound_are_significant(sample_corpus, words):
    segments, texts, copies = sample_corpus
    metrics = check_consistency(segments, texts, PLANTED, words, PARAMS, copies).metrics
    for annotator in ("annotator1", "annotator2"):
        for source in ("subtitles", "released_text"):
            said = metrics["speech"][source]["annotators"][annotator]["Speech"]
            assert said["feminine"]["q"] < 1e-3
            assert said["feminine"]["effect"] > 0.3
            assert said["appearance"]["effect"] > 0.3
        heard = metrics["acoustic"]["annotators"][annotator]
        for feature in ("zcr", "rms"):
            assert heard[feature]["n_shaded_higher"] > 0.7 * PARAMS.bins
            assert heard[feature]["n_shaded_lower"] == 0


def test_concepts_that_were_named_by_chance_are_not_significant(sample_corpus, words):
    segments, texts, copies = sample_corpus
    metrics = check_consistency(segments, texts, NOTHING, words, PARAMS, copies).metrics
    tested = 0
    for annotator, heard in metrics["acoustic"]["annotators"].items():
        assert [feature.get("n_shaded", 0) for feature in heard.values()] == [0, 0, 0]
        tested += heard["rms"].get("n_positive", 0)
        for source in ("subtitles", "released_text"):
            said = metrics["speech"][source]["annotators"][annotator]["Posture"]
            assert [name for name, test in said.items() if test.get("q", 1) < 0.05] == []
    assert tested >= 5, "too few segments with a chance concept to find anything in"


def test_the_film_without_sound_is_counted(sample_corpus, words):
    segments, texts, copies = sample_corpus
    metrics = check_consistency(segments, texts, PLANTED, words, PARAMS, copies).metrics
    silent = segments["film_id"] == "sample-kite"
    assert metrics["acoustic"]["n_without_sound"] == silent.sum()
