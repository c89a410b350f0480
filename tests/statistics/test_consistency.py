"""External consistency from files: shards, time maps, encoder, word lists."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from gazeline.alignment.record import Alignment, CopyClock, write_alignments
from gazeline.errors import AlignmentError, EncoderError, FeatureError, ParamsError, StatisticsError
from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import ConsistencyParams
from gazeline.schema.features import ACOUSTIC, windows
from gazeline.statistics.consistency.acoustic import compare_curves, is_silent, resampled
from gazeline.statistics.consistency.check import check_consistency
from gazeline.statistics.consistency.copies import Copies, copies_in_plan
from gazeline.statistics.consistency.parts import acoustic_curves, embedded
from gazeline.statistics.consistency.prompts_embedding import embed_prompts
from gazeline.statistics.consistency.testable import NotTestable
from gazeline.statistics.consistency.word_lists import (
    PromptFile,
    WordLists,
    read_categories,
    read_prompts,
)
from gazeline.tables import from_rows, write_table
from gazeline.timeline.maps import Piece, TimeMap
from statistics_tables import segments

WIDTH = 16
GROUPS = ConceptGroups(visual=("Body", "Look"), speech=("Speech",), audio=("Voice",))
PROMPTS = PromptFile(
    concepts={"Body": ("a naked body", "bare skin"), "Look": ("a man stares at a woman",)},
    negative=("a street", "a room"),
)
WORDS = WordLists(PROMPTS, ("love", "money", "war"))
PARAMS = ConsistencyParams(bins=20)
OFFSET_S = 7.0


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> Path:
    """Save a tiny X-CLIP with random weights and a byte-level tokenizer, as the sample has."""
    import torch
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers.models.clip.tokenization_clip import CLIPTokenizer
    from transformers.models.x_clip.configuration_x_clip import XCLIPConfig
    from transformers.models.x_clip.modeling_x_clip import XCLIPModel

    letters = sorted(ByteLevel.alphabet())
    tokens = [*letters, *(f"{c}</w>" for c in letters), "<|startoftext|>", "<|endoftext|>"]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    blocks = {"num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": WIDTH}
    config = XCLIPConfig(
        text_config={**blocks, "intermediate_size": 32, "vocab_size": len(tokens),
                     "max_position_embeddings": 64, "bos_token_id": len(tokens) - 2,
                     "eos_token_id": len(tokens) - 1, "pad_token_id": len(tokens) - 1},
        vision_config={**blocks, "intermediate_size": 32, "mit_hidden_size": WIDTH,
                       "mit_intermediate_size": 32, "mit_num_attention_heads": 2,
                       "image_size": 16, "patch_size": 8, "num_frames": 4},
        projection_dim=WIDTH, prompt_layers=1, prompt_num_attention_heads=2,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("tiny-xclip")
    with torch.random.fork_rng():
        torch.manual_seed(0)
        XCLIPModel(config).eval().save_pretrained(folder)
    CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=64).save_pretrained(folder)
    return folder


def annotated(seed: int = 0, n: int = 60) -> pd.DataFrame:
    """Two films, two annotators, `n` segments of 4 s each; Body, Look, Voice drawn by chance."""
    rng = np.random.default_rng(seed)
    rows = []
    for film in ("a", "b"):
        named = rng.random((n, 3)) < [0.4, 0.4, 0.4]
        for annotator in ("annotator1", "annotator2"):
            for i in range(n):
                picked = [
                    c for c, on in zip(("Body", "Look", "Voice"), named[i], strict=True) if on
                ]
                rows.append((film, annotator, 4 * i, 4 * i + 3, "S", ", ".join(picked)))
    return segments(*rows)


def texts(table: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame({"segment_id": table["segment_id"], "n_cues": 0, "text": ""})


@pytest.fixture
def make_copies(tmp_path, encoder):
    """Write shards in which Body is planted in the windows and Voice in the sound."""

    def make(table: pd.DataFrame, films: tuple[str, ...] = ("a", "b"), planted: bool = True):
        direction = embedded(PROMPTS, ["Body", "Look"], encoder).concepts["Body"][0]
        copies = Copies("c", films, tmp_path / "video", tmp_path / "acoustic",
                        tmp_path / "aligned", encoder)  # fmt: skip
        for k, film in enumerate(films):
            own = table[(table["film_id"] == film) & (table["annotator"] == "annotator1")]
            _write_film(copies, film, own, direction if planted else 0 * direction, seed=k)
        return copies

    return make


def _write_film(copies: Copies, film: str, table: pd.DataFrame, direction, seed: int) -> None:
    rng = np.random.default_rng(seed)
    seconds = int(table["end_s"].max() + OFFSET_S) + 1
    embeddings = rng.normal(size=(seconds, WIDTH)) + 3
    times = np.arange(0, seconds, 0.25)
    rms = 0.1 + 0.01 * rng.random(len(times))
    for segment in table.itertuples():
        start, end = segment.start_s + OFFSET_S, segment.end_s + OFFSET_S
        if "Body" in segment.concepts:
            embeddings[int(start) : int(end)] += 6 * direction
        if "Voice" in segment.concepts:
            rms[(times >= start) & (times < end)] += 0.1
    rows = [
        {"window": i, "start_s": float(i), "end_s": i + 1.0, "complete": True,
         "embedding": vector.astype("<f4").tobytes()}
        for i, vector in enumerate(embeddings)
    ]  # fmt: skip
    spec = windows("video", WIDTH)
    write_table(from_rows(rows, spec), spec, copies.video / f"{film}.parquet", {"width": "16"})
    frames = pa.table(
        {"frame": range(len(times)), "time_s": times, "zcr": np.full(len(times), 0.1),
         "bandwidth_hz": 1000 + rng.random(len(times)), "rms": rms},
        schema=None,
    ).cast(ACOUSTIC.schema)  # fmt: skip
    write_table(frames, ACOUSTIC, copies.acoustic / f"{film}.parquet")
    time_map = TimeMap((Piece(0.0, 10_000.0, 1.0, OFFSET_S),))
    alignment = Alignment(time_map, "hand", 0, None, 1.0, 1.0, "sure", "")
    clock = CopyClock(float(seconds), "25")
    write_alignments(copies.aligned / f"{film}.json", film, clock, {"c": alignment})


def run(table: pd.DataFrame, copies: Copies | None, params: ConsistencyParams = PARAMS):
    return check_consistency(table, texts(table), GROUPS, WORDS, params, copies)


def test_a_planted_cue_is_found_and_an_unplanted_concept_is_not(make_copies):
    for seed in range(3):
        table = annotated(seed)
        metrics = run(table, make_copies(table)).metrics
        for annotator in ("annotator1", "annotator2"):
            seen = metrics["visual"]["annotators"][annotator]
            assert seen["Body"]["q"] < 1e-4
            assert seen["Body"]["effect_size"] == "large"
            assert seen["Look"]["q"] > 0.05
            heard = metrics["acoustic"]["annotators"][annotator]
            assert heard["rms"]["n_shaded_higher"] == PARAMS.bins
            assert heard["zcr"]["n_shaded"] == 0
            assert heard["bandwidth_hz"]["n_shaded"] == 0


def test_nothing_is_found_where_nothing_is_planted(make_copies):
    table = annotated(5)
    copies = make_copies(table, planted=False)
    seen = run(table, copies).metrics["visual"]["annotators"]["annotator1"]
    assert seen["Body"]["q"] > 0.05


def test_numbers_of_both_sides_stand_beside_each_test(make_copies):
    table = annotated()
    entry = run(table, make_copies(table)).metrics["visual"]["annotators"]["annotator2"]["Body"]
    mine = table[table["annotator"] == "annotator2"]
    n = sum("Body" in concepts for concepts in mine["concepts"])
    assert (entry["n_positive"], entry["n_negative"]) == (n, len(mine) - n)


def test_without_copies_only_what_is_said_is_checked():
    table = annotated(n=4)
    consistency = run(table, None)
    assert set(consistency.metrics) == {"speech", "n_segments", "n_films_with_copy"}
    assert "no film has a copy" in consistency.summary
    assert consistency.metrics["speech"]["subtitles"]["n_without_words"] == 16


def test_a_film_without_copy_is_counted(make_copies):
    table = annotated(n=10)
    metrics = run(table, make_copies(table, films=("a",))).metrics
    assert metrics["visual"]["n_without_copy"] == 20
    assert metrics["acoustic"]["n_without_copy"] == 20
    assert metrics["visual"]["n_without_windows"] == 0


def test_silence_short_segments_and_missing_ones_are_counted(make_copies):
    table = segments(
        ("a", "annotator1", 0, 3, "S", "Voice"),
        ("a", "annotator1", 4, 7, "S", ""),
        ("a", "annotator1", 8, 11, "S", ""),
        ("a", "annotator1", 2000, 2003, "S", ""),
        ("b", "annotator1", 0, 3, "S", ""),
    )
    table.loc[2, "end_s"] = table.loc[2, "start_s"] + 0.2
    copies = make_copies(table[:3], films=("a",))
    path = copies.acoustic / "a.parquet"
    frame = pa.parquet.read_table(path).to_pandas()
    frame.loc[frame["time_s"].between(4 + OFFSET_S, 7.9 + OFFSET_S), "rms"] = 0
    rows = pa.Table.from_pandas(frame, schema=ACOUSTIC.schema, preserve_index=False)
    write_table(rows.replace_schema_metadata(None), ACOUSTIC, path)
    write_table(from_rows([], ACOUSTIC), ACOUSTIC, copies.acoustic / "b.parquet")
    text = (copies.aligned / "a.json").read_text(encoding="utf-8")
    (copies.aligned / "b.json").write_text(text, encoding="utf-8")
    both = Copies("c", ("a", "b"), copies.video, copies.acoustic, copies.aligned, copies.encoder)
    curves, counts = acoustic_curves(table, both, 5)
    assert counts == {
        "n_without_copy": 0,
        "n_without_sound": 1,
        "n_not_on_copy": 1,
        "n_too_short": 1,
        "n_silent": 1,
    }
    assert list(np.isnan(curves).any(axis=(1, 2))) == [False, True, True, True, True]


def test_a_concept_without_prompts_is_named(make_copies):
    table = annotated(n=6)
    groups = ConceptGroups(visual=("Body", "Hair"))
    consistency = check_consistency(table, texts(table), groups, WORDS, PARAMS, make_copies(table))
    assert "no prompts for Hair" in consistency.summary
    assert consistency.metrics["visual"]["n_concepts_without_prompts"] == 1


def test_a_concept_nobody_used_is_undefined_and_every_figure_finite(make_copies):
    table = annotated(n=6)
    table["concepts"] = [[] for _ in range(len(table))]
    metrics = run(table, make_copies(table)).metrics
    body = metrics["visual"]["annotators"]["annotator1"]["Body"]
    assert body == {"undefined": 1, "reason": "no segment with Body among those with windows"}
    rms = metrics["acoustic"]["annotators"]["annotator1"]["rms"]
    reason = "no segment with an audio concept among those with sound"
    assert rms == {"undefined": 1, "reason": reason}
    json.dumps(metrics, allow_nan=False)


@pytest.mark.parametrize(("names", "which"), [([], "with"), (["Speech"], "without")])
def test_what_cannot_be_tested_is_not_called_zero(names, which):
    table = annotated(n=6)
    table["concepts"] = [names for _ in range(len(table))]
    table["text_released"] = ""
    said = texts(table).assign(text="love and war")
    groups = ConceptGroups(speech=("Speech",))
    consistency = check_consistency(table, said, groups, WORDS, PARAMS, None)
    reason = f"no segment {which} Speech among those with words"
    assert f"annotator1 not testable: {reason}" in consistency.summary
    assert " 0 of" not in consistency.summary
    speech = consistency.metrics["speech"]
    tested = speech["subtitles"]["tested"]["annotator1"]["Speech"]
    assert (tested["n_tested"], tested["n_significant"], tested["reason"]) == (0, 0, reason)
    assert tested["n_not_testable"] == len(WORDS.categories)
    assert speech["released_text"]["reason"] == "no segment with words"


def test_shaded_bins_are_not_counted_where_no_curve_could_be_compared(make_copies):
    table = annotated(n=6)
    table["concepts"] = [[] for _ in range(len(table))]
    summary = run(table, make_copies(table)).summary
    assert "heard: shaded bins annotator1 not testable: no segment with an audio concept" in summary
    assert "zcr 0" not in summary


def test_missing_files_are_clear_errors(make_copies, tmp_path):
    table = annotated(n=4)
    copies = make_copies(table)
    (copies.video / "b.parquet").unlink()
    with pytest.raises(FeatureError, match="features of b are not there"):
        run(table, copies)
    other = Copies("d", *(getattr(copies, f) for f in
                          ("films", "video", "acoustic", "aligned", "encoder")))  # fmt: skip
    with pytest.raises(AlignmentError, match="not aligned with corpus d"):
        run(table, other)
    nowhere = Copies("c", ("a",), copies.video, copies.acoustic, copies.aligned, tmp_path)
    with pytest.raises(EncoderError, match="cannot be loaded"):
        run(table, nowhere)
    with pytest.raises(StatisticsError, match="16 segments have no row of text"):
        check_consistency(table, texts(table)[:0], GROUPS, WORDS, PARAMS, None)


def test_shards_of_another_width_are_refused(make_copies):
    table = annotated(n=4)
    copies = make_copies(table)
    spec = windows("video", 4)
    vector = np.ones(4, "<f4").tobytes()
    row = {"window": 0, "start_s": 0.0, "end_s": 1.0, "complete": True, "embedding": vector}
    write_table(from_rows([row], spec), spec, copies.video / "a.parquet", {"width": "4"})
    with pytest.raises(FeatureError, match="4 numbers wide, the prompts 16"):
        run(table, copies)


def test_prompts_are_embedded_by_the_text_tower_in_any_batch(encoder):
    both = embed_prompts(encoder, ["a room", "a man stares at a woman"])
    assert both.shape == (2, WIDTH)
    np.testing.assert_allclose(embed_prompts(encoder, ["a room"]), both[:1], atol=1e-5)
    assert not np.allclose(both[0], both[1])
    with pytest.raises(StatisticsError, match="the encoder takes 64"):
        embed_prompts(encoder, ["a very long prompt " * 10])


def test_curves_reach_from_the_first_frame_to_the_last():
    series = np.array([[0.0, 1.0], [2.0, 1.0], [4.0, 4.0]])
    np.testing.assert_allclose(resampled(series, 5), [[0, 1], [1, 1], [2, 1], [3, 2.5], [4, 4]])
    assert is_silent(np.zeros(3))
    assert not is_silent(np.array([0.0, 0.01]))


def test_curves_are_compared_in_each_bin():
    rng = np.random.default_rng(0)
    curves = rng.normal(size=(80, 3))
    positive = np.arange(80) < 30
    curves[positive, 1] += 2
    found = compare_curves(curves, positive)
    assert found is not None
    assert list(found.q < 0.01) == [False, True, False]
    assert found.effect[1] > 0.5
    nobody = compare_curves(curves, np.zeros(80, dtype=bool))
    assert nobody == NotTestable("no segment with an audio concept among those with sound")


def test_the_plan_says_which_films_of_a_corpus_have_a_copy(project):
    from gazeline.params.base import read_yaml

    plan = read_yaml(project / "plan.yaml")["plan"]
    copies = copies_in_plan(plan, "sample")
    assert copies is not None
    assert copies.films[0] == "sample-ferry"
    assert len(copies.films) == 6
    assert copies_in_plan({**plan, "films": {}}, "sample") is None


def test_the_word_lists_of_the_project_fit_its_concepts(project):
    from gazeline.params.base import read_yaml

    prompts = read_prompts(project / "stages" / "prompts.yaml")
    visual = read_yaml(project / "params.yaml")["corpora"]["sample"]["concepts"]["visual"]
    assert set(prompts.concepts) == set(visual)
    longest = max(prompt for each in prompts.concepts.values() for prompt in each)
    assert len(longest) < 100


def test_every_problem_of_a_word_list_is_reported(tmp_path):
    path = tmp_path / "prompts.yaml"
    path.write_text("concepts: {Body: []}\nnegatives: [a street]\n", encoding="utf-8")
    with pytest.raises(ParamsError) as error:
        read_prompts(path)
    assert re.search(r"concepts\.Body", str(error.value))
    assert "did you mean negative?" in str(error.value)
    path.write_text("categories: [love, love]\n", encoding="utf-8")
    with pytest.raises(ParamsError, match="love is given twice"):
        read_categories(path)


def test_all_metrics_are_finite(make_copies):
    table = annotated(n=8)

    def leaves(value):
        if isinstance(value, dict):
            for item in value.values():
                yield from leaves(item)
        else:
            yield value

    for leaf in leaves(run(table, make_copies(table)).metrics):
        assert isinstance(leaf, str) or math.isfinite(leaf)
