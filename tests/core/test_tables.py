"""Tables are written atomically, checked, and the same bytes each time."""

import errno
import hashlib
from contextlib import suppress

import numpy as np
import pytest

from gazeline import files
from gazeline.errors import TableError
from gazeline.schema.annotations import FOLDS
from gazeline.tables import from_rows, read_frame, read_metadata, read_table, write_table

ROWS = [
    {"fold": 2, "film_id": "b", "split": "test"},
    {"fold": 1, "film_id": "a", "split": "train"},
]


def test_rows_come_back_sorted_by_the_key(tmp_path):
    write_table(from_rows(ROWS, FOLDS), FOLDS, tmp_path / "t.parquet", {"note": "x"})
    assert read_frame(tmp_path / "t.parquet", FOLDS)["film_id"].tolist() == ["a", "b"]
    assert read_metadata(tmp_path / "t.parquet") == {"note": "x"}


def test_the_order_of_rows_does_not_change_the_bytes(tmp_path):
    for name, rows in (("one", ROWS), ("two", ROWS[::-1])):
        write_table(from_rows(rows, FOLDS), FOLDS, tmp_path / name)
    one, two = ((tmp_path / n).read_bytes() for n in ("one", "two"))
    assert hashlib.sha256(one).digest() == hashlib.sha256(two).digest()


def test_a_key_that_occurs_twice_is_refused(tmp_path):
    with pytest.raises(TableError, match="key fold, film_id is not unique"):
        write_table(from_rows([ROWS[0], ROWS[0]], FOLDS), FOLDS, tmp_path / "t.parquet")


def test_other_columns_are_named(tmp_path):
    table = from_rows(ROWS, FOLDS).rename_columns(["fold", "movie", "split"])
    with pytest.raises(TableError, match="film_id is missing; movie is unknown"):
        write_table(table, FOLDS, tmp_path / "t.parquet")


def test_an_empty_value_where_none_may_be_is_refused(tmp_path):
    with pytest.raises(TableError, match="film_id has empty values"):
        write_table(
            from_rows([{"fold": 1, "film_id": None, "split": "x"}], FOLDS),
            FOLDS,
            tmp_path / "t.parquet",
        )


def test_a_full_disk_is_one_clear_error_and_leaves_nothing(tmp_path, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(TableError, match="disk is full: t.parquet was not written"):
        write_table(from_rows(ROWS, FOLDS), FOLDS, tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_or_broken_file_says_what_to_do(tmp_path):
    with pytest.raises(TableError, match="dvc repro"):
        read_table(tmp_path / "none.parquet", FOLDS)
    (tmp_path / "bad.parquet").write_text("not parquet")
    with pytest.raises(TableError, match="cannot be read"):
        read_table(tmp_path / "bad.parquet", FOLDS)


def test_a_table_damaged_anywhere_is_one_error(tmp_path):
    path = tmp_path / "t.parquet"
    write_table(from_rows(ROWS, FOLDS), FOLDS, path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(whole)
        for at in rng.integers(0, len(whole), 8):
            damaged[at] = rng.integers(0, 256)
        path.write_bytes(damaged)
        for read in (lambda: read_table(path, FOLDS), lambda: read_metadata(path)):
            with suppress(TableError):
                read()


def test_a_folder_in_the_place_of_a_table_is_one_error(tmp_path):
    with pytest.raises(TableError, match="cannot be read"):
        read_metadata(tmp_path)


def test_a_table_below_a_file_is_one_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(TableError, match="Cannot write t.parquet"):
        write_table(from_rows(ROWS, FOLDS), FOLDS, tmp_path / "file" / "t.parquet")


def test_json_refuses_what_is_not_finite_and_names_it(tmp_path):
    with pytest.raises(TableError, match=r"a\.b\[1\] is nan"):
        files.write_json(tmp_path / "x.json", {"a": {"b": [1.0, float("nan")]}})
    assert list(tmp_path.iterdir()) == []
