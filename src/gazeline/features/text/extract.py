"""Encode the text of every segment of a corpus and write the token embeddings as a shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from gazeline.console import progress
from gazeline.errors import FeatureError
from gazeline.features.common.device import pick_device
from gazeline.features.common.provenance import provenance
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

    def sentence(self) -> str:
        """Return the summary line of the stage."""
        return (
            f"{self.n_segments} segments, {self.n_empty} without text, "
            f"{self.n_truncated} cut, {self.n_tokens} tokens"
        )


def extract_text(
    subtitles: Path,
    encoder_dir: Path,
    params: TextParams,
    runtime: RuntimeParams,
    out: Path,
) -> TextReport:
    """Write the text shard of a corpus: the last hidden state of every token of every segment.

    Special tokens are kept. A segment without text has no tokens; the row `<empty>` holds what
    stands in for it, stored once: the hidden states of `max_tokens` [MASK] tokens (paper A.4).

    Args:
        subtitles: table of cleaned segment texts.

    Raises:
        EncoderError: the encoder is missing or takes fewer tokens.
        TableError: the texts cannot be read, or the shard cannot be written.
    """
    texts = _texts(subtitles, params)
    encoder = load_text_encoder(encoder_dir, pick_device(runtime), params.max_tokens)
    distinct = sorted({text for text in texts.values() if text})
    tokens = dict(zip(distinct, encoder.tokenize(distinct), strict=True))
    states = _encoded(tokens, encoder, runtime.batch_size)
    placeholder = encoder.encode([(encoder.mask_id,) * params.max_tokens])[0]
    table = _table(texts, tokens, states, placeholder)
    report = TextReport(
        n_segments=len(texts),
        n_empty=sum(not text for text in texts.values()),
        n_truncated=sum(tokens[text].truncated for text in texts.values() if text),
        n_tokens=sum(len(tokens[text].ids) for text in texts.values() if text),
    )
    write_table(table, TEXT, out, _metadata(encoder, encoder_dir, params, report))
    return report


def _texts(subtitles: Path, params: TextParams) -> dict[str, str]:
    """Return the text of each segment, stripped, by segment id."""
    table = read_table(subtitles, SEGMENT_TEXT, ["segment_id", "text"])
    pairs = zip(*(table.column(name).to_pylist() for name in ("segment_id", "text")), strict=True)
    return {
        segment: text.lower().strip() if params.lowercase else text.strip()
        for segment, text in pairs
    }


def _encoded(
    tokens: Mapping[str, Tokens], encoder: TextEncoder, batch_size: int
) -> dict[str, Embeddings]:
    """Return the hidden states of each text; texts of like length share a batch."""
    by_length = sorted(tokens, key=lambda text: (len(tokens[text].ids), text))
    batches = list(_batches(by_length, batch_size))
    states: dict[str, Embeddings] = {}
    for batch in progress(batches, total=len(batches), label="text", unit=" batches"):
        states |= zip(batch, encoder.encode([tokens[text].ids for text in batch]), strict=True)
    return states


def _batches(texts: Sequence[str], batch_size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), batch_size):
        yield texts[start : start + batch_size]


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


def _metadata(
    encoder: TextEncoder, encoder_dir: Path, params: TextParams, report: TextReport
) -> dict[str, str]:
    return {
        **provenance(encoder_dir, encoder.device, "torch", "transformers", "tokenizers"),
        "width": str(encoder.width),
        "max_tokens": str(params.max_tokens),
        "lowercase": "yes" if params.lowercase else "no",
        "placeholder": f"hidden states of {params.max_tokens} mask tokens",
        "segments": str(report.n_segments),
        "segments_without_text": str(report.n_empty),
        "segments_cut": str(report.n_truncated),
    }
