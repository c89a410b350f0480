"""The only reader and writer of Parquet: schema checked, written atomically, same bytes each time.

Every stage depends on this module, so it stays small and stable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from gazeline.errors import TableError
from gazeline.files import atomic_path

DAMAGED = (pa.ArrowException, OSError, UnicodeDecodeError)
"""What pyarrow raises on a file that is damaged or no Parquet, by the place of the damage."""


@dataclass(frozen=True)
class Column:
    """One column: its name, Arrow type, meaning and whether it may be null."""

    name: str
    type: pa.DataType
    meaning: str
    nullable: bool = False


@dataclass(frozen=True)
class TableSpec:
    """A table's contract: what a row is, its columns in order, and the sort key.

    `compression` is "zstd" for annotation tables and "none" for embeddings, which do not
    compress and are read faster plain. `row_group_rows` keeps a row group in the tens of megabytes:
    one group of a gigabyte is read ten times more slowly.
    """

    name: str
    path: str
    row: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    compression: str = "zstd"
    row_group_rows: int = 16_384

    @property
    def schema(self) -> pa.Schema:
        """Return the Arrow schema without file metadata."""
        return pa.schema([pa.field(c.name, c.type, c.nullable) for c in self.columns])


def from_rows(rows: Sequence[Mapping[str, Any]], spec: TableSpec) -> pa.Table:
    """Build a table of `spec` from dictionaries (also from none)."""
    return pa.Table.from_pylist(list(rows), schema=spec.schema)


def from_frame(frame: pd.DataFrame, spec: TableSpec) -> pa.Table:
    """Build a table of `spec` from a data frame with the same column names."""
    missing = [c.name for c in spec.columns if c.name not in frame.columns]
    if missing:
        raise TableError(f"{spec.name} lacks the columns {', '.join(missing)}")
    return pa.Table.from_pandas(
        frame[[c.name for c in spec.columns]], schema=spec.schema, preserve_index=False
    ).replace_schema_metadata(None)


def write_table(
    table: pa.Table, spec: TableSpec, path: Path, metadata: Mapping[str, str] | None = None
) -> None:
    """Write `table`, sorted by the key of `spec`, with pinned options.

    Args:
        metadata: what the file says of itself (encoder, frame rate, ...); no clock, no host name.

    Raises:
        TableError: columns or types differ from `spec`, a value is null where it may not be,
            a key occurs twice, or the disk is full.
    """
    _check(table, spec, path)
    table = _sorted(table, spec)
    schema = spec.schema.with_metadata({k: str(v) for k, v in sorted((metadata or {}).items())})
    table = table.cast(spec.schema).combine_chunks().replace_schema_metadata(schema.metadata)
    with atomic_path(path) as temporary:
        pq.write_table(
            table,
            temporary,
            row_group_size=spec.row_group_rows,
            compression=spec.compression,
            use_dictionary=spec.compression != "none",
            write_statistics=spec.compression != "none",
            data_page_version="1.0",
            version="2.6",
            store_schema=True,
        )


def read_table(path: Path, spec: TableSpec, columns: Sequence[str] | None = None) -> pa.Table:
    """Read a table and check that it has the columns of `spec`.

    Raises:
        TableError: the file is missing, is not Parquet, or was written with another schema.
    """
    try:
        table = pq.read_table(path, columns=None if columns is None else list(columns))
    except FileNotFoundError as error:
        raise TableError(
            f"{spec.name} is not there", where=str(path), todo="run `dvc repro`, or `dvc pull`"
        ) from error
    except DAMAGED as error:
        raise _damaged(spec.name, path, error) from error
    wanted = spec.schema if columns is None else pa.schema([spec.schema.field(c) for c in columns])
    if not table.schema.equals(wanted, check_metadata=False):
        raise TableError(
            f"{spec.name} was written with other columns: {_difference(table.schema, wanted)}",
            where=str(path),
            todo="run `dvc repro` to write it again",
        )
    return table


def read_frame(path: Path, spec: TableSpec, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a table as a data frame (see `read_table`)."""
    frame: pd.DataFrame = read_table(path, spec, columns).to_pandas()
    return frame


def read_metadata(path: Path) -> dict[str, str]:
    """Return what a file says of itself, without Arrow's own entries.

    Raises:
        TableError: the file is missing or is not Parquet.
    """
    try:
        raw = pq.read_schema(path).metadata or {}
        return {k.decode(): v.decode() for k, v in raw.items() if k != b"ARROW:schema"}
    except DAMAGED as error:
        raise _damaged(path.name, path, error) from error


def _damaged(name: str, path: Path, error: Exception) -> TableError:
    first = (str(error).splitlines() or ["no message"])[0]
    return TableError(
        f"{name} cannot be read: {first}",
        where=str(path),
        todo="delete the file and run `dvc checkout`, or `dvc repro` to write it again",
    )


def _sorted(table: pa.Table, spec: TableSpec) -> pa.Table:
    if not spec.key or table.num_rows == 0:
        return table
    keys = table.select(spec.key)
    if keys.group_by(list(spec.key)).aggregate([]).num_rows != table.num_rows:
        raise TableError(f"{spec.name}: the key {', '.join(spec.key)} is not unique")
    return table.sort_by([(name, "ascending") for name in spec.key])


def _check(table: pa.Table, spec: TableSpec, path: Path) -> None:
    if table.schema.names != spec.schema.names or any(
        not table.schema.field(c.name).type.equals(c.type) for c in spec.columns
    ):
        raise TableError(
            f"{spec.name} has other columns than promised: "
            f"{_difference(table.schema, spec.schema)}",
            where=str(path),
        )
    for column in spec.columns:
        if not column.nullable and table.column(column.name).null_count:
            raise TableError(f"{spec.name}.{column.name} has empty values", where=str(path))


def _difference(found: pa.Schema, wanted: pa.Schema) -> str:
    have = {f.name: str(f.type) for f in found}
    want = {f.name: str(f.type) for f in wanted}
    parts = [f"{n} is missing" for n in want if n not in have]
    parts += [f"{n} is unknown" for n in have if n not in want]
    parts += [f"{n} is {have[n]}, not {want[n]}" for n in want if n in have and have[n] != want[n]]
    return "; ".join(parts) or "their order differs"
