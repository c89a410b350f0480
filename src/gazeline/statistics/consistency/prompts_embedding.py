"""Embed prompts by the text tower of the video encoder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gazeline.errors import EncoderError, StatisticsError
from gazeline.statistics.overlaps import Floats


def embed_prompts(encoder_dir: Path, prompts: Sequence[str]) -> Floats:
    """Return the projected X-CLIP text features of each prompt, shape [n, d].

    Raises:
        EncoderError: the folder holds no X-CLIP model with a tokenizer.
        StatisticsError: a prompt is longer than the text tower takes.
    """
    import torch

    model, tokenizer = _load(encoder_dir)
    longest = model.config.text_config.max_position_embeddings
    tokens = tokenizer(list(prompts), padding=True, return_tensors="pt")
    for prompt, n_tokens in zip(prompts, tokens["attention_mask"].sum(dim=1), strict=True):
        if n_tokens > longest:
            raise StatisticsError(
                f"a prompt has {n_tokens} tokens, the encoder takes {longest}: {prompt!r}",
                todo="shorten the prompt",
            )
    with torch.inference_mode():
        output = model.get_text_features(
            input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"]
        )
    features: Floats = output.pooler_output.numpy().astype(np.float64)
    return features


def _load(encoder_dir: Path) -> tuple[Any, Any]:
    from transformers import AutoTokenizer
    from transformers.models.x_clip.modeling_x_clip import XCLIPModel
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        model = XCLIPModel.from_pretrained(encoder_dir, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(encoder_dir, local_files_only=True)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise EncoderError(
            f"The text tower of encoder {encoder_dir.name} cannot be loaded: {error}",
            where=str(encoder_dir),
            todo="take an X-CLIP checkpoint with its tokenizer files",
        ) from error
    return model.eval(), tokenizer
