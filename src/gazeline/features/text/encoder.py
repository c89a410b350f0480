"""BERT-class text encoders: from texts to the embeddings of their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from gazeline.errors import EncoderError
from gazeline.features.common.device import (
    BatchLimit,
    encode_fitting,
    inference,
    staged,
    uses_bf16,
)
from gazeline.features.common.loading import load_model, read_settings
from gazeline.features.common.shards import Embeddings
from gazeline.params.features import Precision

VOCABULARIES = ("vocab.txt", "vocab.json")


@dataclass(frozen=True)
class Tokens:
    """The token ids of a text, special ones included, and whether any were cut off."""

    ids: tuple[int, ...]
    truncated: bool


@dataclass(frozen=True)
class TextEncoder:
    """A text model on its device, with its tokenizer and the width of its output."""

    model: Any
    device: torch.device
    tokenizer: Any
    mask_id: int
    pad_id: int
    width: int
    bf16: bool = False
    limit: BatchLimit = field(default_factory=BatchLimit)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Return the tokens of texts, at most `max_tokens` of `load_text_encoder` each."""
        encodings = self.tokenizer.encode_batch(list(texts))
        return [Tokens(tuple(e.ids), bool(e.overflowing)) for e in encodings]

    def encode(self, batch: Sequence[tuple[int, ...]]) -> list[Embeddings]:
        """Return the last hidden states of token ids, each of shape [tokens, width]."""
        longest = max(len(ids) for ids in batch)
        rows = [[*ids, *[self.pad_id] * (longest - len(ids))] for ids in batch]
        lengths = [len(ids) for ids in batch]
        mask = torch.arange(longest)[None, :] < torch.tensor(lengths)[:, None]
        both = staged(torch.stack([torch.tensor(rows), mask.long()], dim=1), self.device)

        def run(pair: torch.Tensor) -> torch.Tensor:
            ids, attention = pair.to(self.device, non_blocking=True).unbind(dim=1)
            output: torch.Tensor = self.model(
                input_ids=ids, attention_mask=attention
            ).last_hidden_state
            return output.to(torch.float32).cpu()

        with inference(self.device, self.bf16):
            states: Embeddings = encode_fitting(run, both, self.limit).numpy()
        return [state[:length] for state, length in zip(states, lengths, strict=True)]


def load_text_encoder(
    encoder_dir: Path, device: torch.device, max_tokens: int, precision: Precision = "auto"
) -> TextEncoder:
    """Load a BERT-class checkpoint and its tokenizer.

    Raises:
        EncoderError: the folder holds no text encoder, it has no [MASK] token, or it takes fewer
            tokens than `max_tokens`.
    """
    config = read_settings(encoder_dir, "config.json")
    longest = config.get("max_position_embeddings")
    if isinstance(longest, int) and max_tokens > longest:
        raise EncoderError(
            f"Encoder {encoder_dir.name} takes at most {longest} tokens, not {max_tokens}",
            where="params.yaml, features.text.max_tokens",
            todo=f"set it to {longest} or less",
        )
    tokenizer = _tokenizer(encoder_dir, max_tokens)
    mask_id, pad_id = _special_ids(encoder_dir, tokenizer)
    bf16 = uses_bf16(device, precision)
    model = _model(encoder_dir, config).to(device)
    width = int(model.config.hidden_size)
    return TextEncoder(model, device, tokenizer, mask_id, pad_id, width, bf16)


def _model(encoder_dir: Path, config: dict[str, Any]) -> Any:
    """Return the bare model; BERT's own class spares importing the registry of all others."""
    if config.get("model_type") == "bert":
        from transformers.models.bert.modeling_bert import BertModel

        return load_model(BertModel, encoder_dir, add_pooling_layer=False)
    from transformers import AutoModel

    return load_model(AutoModel, encoder_dir)


def _tokenizer(encoder_dir: Path, max_tokens: int) -> Any:
    if (encoder_dir / "tokenizer.json").is_file():
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(encoder_dir / "tokenizer.json"))
    else:
        tokenizer = _built_tokenizer(encoder_dir)
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=max_tokens)
    return tokenizer


def _built_tokenizer(encoder_dir: Path) -> Any:
    """Build the tokenizer of an older checkpoint from its vocabulary files."""
    from transformers import AutoTokenizer

    # Without any of them transformers makes up a vocabulary instead of failing.
    if not any((encoder_dir / name).is_file() for name in VOCABULARIES):
        raise EncoderError(
            f"Encoder {encoder_dir.name} has no tokenizer",
            where=str(encoder_dir),
            todo="take a checkpoint with tokenizer.json or vocab.txt",
        )
    try:
        return AutoTokenizer.from_pretrained(encoder_dir, local_files_only=True).backend_tokenizer
    except (OSError, ValueError, AttributeError) as error:
        raise EncoderError(
            f"Encoder {encoder_dir.name} has no tokenizer: {str(error).splitlines()[0]}",
            where=str(encoder_dir),
            todo="take a checkpoint with tokenizer.json or vocab.txt",
        ) from error


def _special_ids(encoder_dir: Path, tokenizer: Any) -> tuple[int, int]:
    """Return the ids of the mask and padding tokens."""
    settings: dict[str, Any] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):
        if (encoder_dir / name).is_file():
            settings |= read_settings(encoder_dir, name)
    ids = []
    for key, usual in (("mask_token", "[MASK]"), ("pad_token", "[PAD]")):
        token = settings.get(key, usual)
        token = token.get("content") if isinstance(token, dict) else token
        token_id = tokenizer.token_to_id(token or usual)
        if token_id is None:
            raise EncoderError(
                f"Encoder {encoder_dir.name} has no {key.replace('_', ' ')}",
                where=str(encoder_dir),
                todo="choose a BERT-class encoder, trained by masking tokens",
            )
        ids.append(int(token_id))
    return ids[0], ids[1]
