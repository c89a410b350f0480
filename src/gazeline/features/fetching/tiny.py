"""Make small encoders of the real classes, for the sample corpus and for tests.

Their weights are random, but for one matrix (`tiny_xclip`). They are saved in Hugging Face format
with working tokenizers and processor files, so that they are loaded through the same code as the
real checkpoints. The same seed gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from gazeline.features.fetching.tiny_vocabulary import SPECIAL_TOKENS, wordpieces
from gazeline.features.fetching.tiny_xclip import image_processor, make_xclip

TEXT_TOKENS = 512
MEL_BINS = 64
FBANK_FRAMES = 208
"""Two seconds of sound are 198 analysis frames; 208 is the next multiple of the patch size."""
SPREAD = 0.1
"""Weights spread wider than usual, so that a small random net tells its inputs apart."""


def make_tiny(modality: str, seed: int, out_dir: Path) -> None:
    """Write a tiny encoder of a modality (video, audio or text) into an existing folder."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        _MAKERS[modality](out_dir)


def _make_xclip(out_dir: Path) -> None:
    make_xclip(out_dir)
    _write(out_dir / "preprocessor_config.json", image_processor())


def _make_ast(out_dir: Path) -> None:
    from transformers.models.audio_spectrogram_transformer import (
        configuration_audio_spectrogram_transformer as configuration,
    )
    from transformers.models.audio_spectrogram_transformer import (
        modeling_audio_spectrogram_transformer as modeling,
    )

    config = configuration.ASTConfig(
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        frequency_stride=16,
        time_stride=16,
        num_mel_bins=MEL_BINS,
        max_length=FBANK_FRAMES,
        initializer_range=SPREAD,
    )
    modeling.ASTModel(config).eval().save_pretrained(out_dir)
    settings = {
        "feature_extractor_type": "ASTFeatureExtractor",
        "feature_size": 1,
        "sampling_rate": 16_000,
        "num_mel_bins": MEL_BINS,
        "max_length": FBANK_FRAMES,
        "do_normalize": True,
        "mean": -4.2677393,
        "std": 4.5689974,
        "padding_value": 0.0,
        "padding_side": "right",
        "return_attention_mask": False,
    }
    _write(out_dir / "preprocessor_config.json", settings)


def _make_bert(out_dir: Path) -> None:
    from transformers.models.bert.configuration_bert import BertConfig
    from transformers.models.bert.modeling_bert import BertModel
    from transformers.models.bert.tokenization_bert import BertTokenizer

    pieces = wordpieces()
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=TEXT_TOKENS,
        initializer_range=SPREAD,
        pad_token_id=SPECIAL_TOKENS.index("[PAD]"),
    )
    BertModel(config, add_pooling_layer=False).eval().save_pretrained(out_dir)
    vocabulary = {piece: index for index, piece in enumerate(pieces)}
    BertTokenizer(vocab=vocabulary, model_max_length=TEXT_TOKENS).save_pretrained(out_dir)


_MAKERS: Mapping[str, Callable[[Path], None]] = {
    "video": _make_xclip,
    "audio": _make_ast,
    "text": _make_bert,
}


def _write(path: Path, settings: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(settings, indent=2, sort_keys=True) + "\n", encoding="utf-8")
