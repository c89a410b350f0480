"""Make a small X-CLIP whose prompts find what they name among a few drawn looks.

Its towers are random; the projection of the text tower alone is fitted, to drawn and captioned
clips (`tiny_looks`). A prompt of these words then lies near windows of that look, so that the
visual concept score can be tried on the sample. Nothing of a film or an annotation goes into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gazeline.features.fetching.tiny_looks import LOOKS, captions, clips, words
from gazeline.features.fetching.tiny_vocabulary import clip_vocabulary, word_merges

FRAMES = 16
IMAGE_SIZE = 32
PROMPT_TOKENS = 128
TEXT_WIDTH = 256
"""Wide enough to tell the words of `tiny_looks` apart: of 36 prompts and 8 negative ones, three in
four come out nearest their look (one in two at 64)."""
SPREAD = 0.1
GAIN = 3.0
"""Weights spread wider than usual, so that a small random net tells its inputs apart: with a red
square among squares of any colour, a linear probe reaches AP .84-.93 (.65-.78 at the defaults)."""
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
CLIPS, CAPTIONS = 40, 150
"""Clips and captions of each look."""
RIDGE = 1e-4

Vectors = torch.Tensor


def make_xclip(out_dir: Path) -> None:
    """Write the model and its tokenizer into an existing folder, from torch's random state."""
    from transformers.models.clip.tokenization_clip import CLIPTokenizer
    from transformers.models.x_clip.modeling_x_clip import XCLIPModel

    merges = word_merges(words())
    vocabulary = clip_vocabulary(merges)
    tokenizer = CLIPTokenizer(vocab=vocabulary, merges=merges, model_max_length=PROMPT_TOKENS)
    model = XCLIPModel(_config(vocabulary)).eval()
    with _one_thread(), torch.no_grad():
        _read_evenly(model)
        _teach(model, tokenizer, np.random.default_rng(torch.initial_seed()))
    model.save_pretrained(out_dir)
    tokenizer.save_pretrained(out_dir)


def image_processor() -> dict[str, Any]:
    """Return the settings of the published X-CLIP checkpoints, at the tiny size."""
    return {
        "image_processor_type": "VideoMAEImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": IMAGE_SIZE},
        "resample": 2,
        "do_center_crop": True,
        "crop_size": {"height": IMAGE_SIZE, "width": IMAGE_SIZE},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": list(MEAN),
        "image_std": list(STD),
    }


def _config(vocabulary: dict[str, int]) -> Any:
    from transformers.models.x_clip.configuration_x_clip import XCLIPConfig

    text = {
        "num_hidden_layers": 1,
        "num_attention_heads": 4,
        "hidden_size": TEXT_WIDTH,
        "intermediate_size": 128,
        "vocab_size": len(vocabulary),
        "max_position_embeddings": PROMPT_TOKENS,
        "bos_token_id": vocabulary["<|startoftext|>"],
        "eos_token_id": vocabulary["<|endoftext|>"],
        "pad_token_id": vocabulary["<|endoftext|>"],
    }
    vision = {
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "hidden_size": 64,
        "intermediate_size": 256,
        "mit_hidden_size": 64,
        "mit_intermediate_size": 256,
        "mit_num_attention_heads": 4,
        "image_size": IMAGE_SIZE,
        "patch_size": 8,
        "num_frames": FRAMES,
        "initializer_range": SPREAD,
        "initializer_factor": GAIN,
    }
    return XCLIPConfig(
        text_config=text,
        vision_config=vision,
        projection_dim=64,
        prompt_layers=1,
        prompt_num_attention_heads=4,
        initializer_factor=GAIN,
    )


@contextmanager
def _one_thread() -> Iterator[None]:
    """Add in one order, so that the weights are the same bytes on any number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _read_evenly(model: Any) -> None:
    """Let the text tower weigh all words of a prompt alike, wherever they stand."""
    model.text_model.embeddings.position_embedding.weight.zero_()
    for layer in model.text_model.encoder.layers:
        layer.self_attn.q_proj.weight.zero_()
        layer.self_attn.q_proj.bias.zero_()


def _teach(model: Any, tokenizer: Any, rng: np.random.Generator) -> None:
    """Fit the text projection by ridge regression: from captions to where their look lies."""
    looks = _looks(model, rng)
    told = [captions(look, CAPTIONS, rng) for look in LOOKS]
    hidden = _hidden(model, tokenizer, [caption for each in told for caption in each])
    wanted = looks.repeat_interleave(CAPTIONS, dim=0)
    penalty = RIDGE * len(hidden) * torch.eye(hidden.shape[1], dtype=hidden.dtype)
    weights = torch.linalg.solve(hidden.T @ hidden + penalty, hidden.T @ wanted)
    model.text_projection.weight.copy_(weights.T)


def _looks(model: Any, rng: np.random.Generator) -> Vectors:
    """Return the direction from the mean of all looks to each, shape [looks, width]."""
    means = [_seen(model, look, rng) for look in LOOKS]
    apart = torch.stack(means) - torch.stack(means).mean(dim=0)
    return torch.nn.functional.normalize(apart)


def _seen(model: Any, look: str, rng: np.random.Generator) -> Vectors:
    pixels = torch.from_numpy(clips(look, CLIPS, FRAMES, IMAGE_SIZE, rng)).permute(0, 1, 4, 2, 3)
    inputs = (pixels / 255 - torch.tensor(MEAN).view(3, 1, 1)) / torch.tensor(STD).view(3, 1, 1)
    embeddings = model.get_video_features(pixel_values=inputs).pooler_output.double()
    mean: Vectors = torch.nn.functional.normalize(embeddings).mean(dim=0)
    return mean


def _hidden(model: Any, tokenizer: Any, texts: Sequence[str]) -> Vectors:
    tokens = tokenizer(list(texts), padding=True, return_tensors="pt")
    output = model.text_model(
        input_ids=tokens["input_ids"], attention_mask=tokens["attention_mask"]
    )
    hidden: Vectors = output.pooler_output.double()
    return hidden
