"""Encode the text of every segment of a corpus and write the token embeddings as a shard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import torch

from gazeline.console import progress_bar
from gazeline.errors import FeatureError
from gazeline.features.common.device import pick_device
from gazeline.features.common.provenance import provenance
from gazeline.features.common.scratch import Scratch, file_mark, open_scratch
from gazeline.features.common.shards import Embeddings
from gazeline.features.text.encoder import TextEncoder, Tokens, load_text_encoder
from gazeline.params.features import TextParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.annotations import SEGMENT_TEXT
from gazeline.schema.features import EMPTY_TEXT, TEXT
from gazeline.tables import read_table, write_table

MAX_VALUES = 2**31 - 1


@dataclass(frozen=True)
class TextReport:
    """How many segments were encoded, were empty, and were cut."""

    n_segments: int
    n_empty: int
    n_truncated: int
    n_tokens: int
    n_resumed: int = 0

    def sentence(self) -> str:
        """Return the summary line of the stage."""
        resumed = f", {self.n_resumed} texts were encoded before" if self.n_resumed else ""
        return (
            f"{self.n_segments} segments, {self.n_empty} without text, "
            f"{self.n_truncated} cut, {self.n_tokens} tokens{resumed}"
        )


def extract_text(
    subtitles: Path,
    encoder_dir: Path,
    params: TextParams,
    runtime: RuntimeParams,
    out: Path,
    *,
    scratch: Path | None = None,
) -> TextReport:
    """Write the text shard of a corpus: the last hidden state of every token of every segment.

    Special tokens are kept. A segment without text has no tokens; the row `<empty>` holds what
    stands in for it, stored once: the hidden states of `max_tokens` [MASK] tokens (paper A.4).

    Args:
        subtitles: table of cleaned segment texts.
        scratch: folder in which encoded texts outlive a kill; None keeps nothing.

    Raises:
        EncoderError: the encoder is missing or takes fewer tokens.
        TableError: the texts cannot be read, or the shard cannot be written.
    """
    texts = _texts(subtitles, params)
    device = pick_device(runtime)
    encoder = load_text_encoder(encoder_dir, device, params.max_tokens, params.precision)
    distinct = sorted({text for text in texts.values() if text})
    tokens = dict(zip(distinct, encoder.tokenize(distinct), strict=True))
    metadata = _metadata(encoder, encoder_dir, params)
    inputs = {
        **metadata,
        "texts": file_mark(subtitles),
        "device": device.type,
        "threads": torch.get_num_threads(),
        "batch_size": runtime.batch_size,
    }
    with open_scratch(scratch, "text", out, inputs, encoder.width) as kept:
        states = _encoded(tokens, encoder, runtime.batch_size, kept)
        placeholder = encoder.encode([(encoder.mask_id,) * params.max_tokens])[0]
        table = _table(texts, tokens, states, placeholder)
        report = _report(texts, tokens, kept.n_resumed)
        counted = _counted(report)
        write_table(table, TEXT, out, {**metadata, **counted})
    kept.remove()
    return report


def _report(texts: Mapping[str, str], tokens: Mapping[str, Tokens], n_resumed: int) -> TextReport:
    return TextReport(
        n_segments=len(texts),
        n_empty=sum(not text for text in texts.values()),
        n_truncated=sum(tokens[text].truncated for text in texts.values() if text),
        n_tokens=sum(len(tokens[text].ids) for text in texts.values() if text),
        n_resumed=n_resumed,
    )


def _texts(subtitles: Path, params: TextParams) -> dict[str, str]:
    """Return the text of each segment, stripped, by segment id."""
    table = read_table(subtitles, SEGMENT_TEXT, ["segment_id", "text"])
    pairs = zip(*(table.column(name).to_pylist() for name in ("segment_id", "text")), strict=True)
    return {
        segment: text.lower().strip() if params.lowercase else text.strip()
        for segment, text in pairs
    }


def _encoded(
    tokens: Mapping[str, Tokens], encoder: TextEncoder, batch_size: int, kept: Scratch
) -> dict[str, Embeddings]:
    """Return the hidden states of each text; texts of like length share a batch."""
    by_length = sorted(tokens, key=lambda text: (len(tokens[text].ids), text))
    ids = [tokens[text].ids for text in by_length]
    with progress_bar(total=len(ids), label="text", unit=" texts") as advance:
        advance(kept.n_resumed)
        for start in range(kept.n_resumed, len(ids), batch_size):
            batch = ids[start : start + batch_size]
            kept.add(len(batch), np.concatenate(encoder.encode(batch)))
            advance(len(batch))
    ends = np.cumsum([len(row) for row in ids], dtype=np.int64)[:-1]
    return dict(zip(by_length, np.split(kept.rows(), ends), strict=True)) if ids else {}


def _table(
    texts: Mapping[str, str],
    tokens: Mapping[str, Tokens],
    states: Mapping[str, Embeddings],
    placeholder: Embeddings,
) -> pa.Table:
    nothing = placeholder[:0]
    rows = [(EMPTY_TEXT, False, placeholder)]
    for segment, text in texts.items():
        cut = bool(text) and tokens[text].truncated
        rows.append((segment, cut, states[text] if text else nothing))
    rows.sort(key=lambda row: row[0])
    offsets = np.concatenate([[0], np.cumsum([state.size for _, _, state in rows])])
    if offsets[-1] > MAX_VALUES:
        raise FeatureError(
            f"The text features hold {offsets[-1]} values, more than one table takes",
            where="params.yaml, features.text.max_tokens",
            todo="lower it, or choose a narrower encoder",
        )
    flat = np.concatenate([state.reshape(-1) for _, _, state in rows])
    embedding = pa.ListArray.from_arrays(
        pa.array(offsets.astype(np.int32)),
        pa.array(flat),
        type=TEXT.schema.field("embedding").type,
    )
    columns = {
        "segment_id": [segment for segment, _, _ in rows],
        "n_tokens": [len(state) for _, _, state in rows],
        "truncated": [cut for _, cut, _ in rows],
        "embedding": embedding,
    }
    return pa.table(columns, schema=TEXT.schema)


def _metadata(encoder: TextEncoder, encoder_dir: Path, params: TextParams) -> dict[str, str]:
    return {
        **provenance(encoder_dir, encoder.bf16, "torch", "transformers", "tokenizers"),
        "width": str(encoder.width),
        "max_tokens": str(params.max_tokens),
        "lowercase": "yes" if params.lowercase else "no",
        "placeholder": f"hidden states of {params.max_tokens} mask tokens",
    }


def _counted(report: TextReport) -> dict[str, str]:
    return {
        "segments": str(report.n_segments),
        "segments_without_text": str(report.n_empty),
        "segments_cut": str(report.n_truncated),
    }
