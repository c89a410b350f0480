"""Describe the canonical tables of a corpus in Croissant 1.0.

Plain JSON, so that writing it needs no reader of the format: a test validates it with one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from gazeline.corpora.croissant.context import CONFORMS_TO, CONTEXT
from gazeline.corpora.release import About
from gazeline.params.subset import SubsetParams
from gazeline.schema.annotations import CUES, FILMS, FOLDS, SEGMENTS
from gazeline.tables import Column, TableSpec

TABLES = (FILMS, SEGMENTS, CUES, FOLDS)
# Columns that hold another table's key.
REFERENCES = {"film_id": FILMS}
Json = dict[str, Any]


def description(corpus: str, about: About | None, subset: SubsetParams, folder: Path) -> Json:
    """Return the Croissant description of the tables that stand in `folder`.

    Files are named relative to the description, so that a corpus's folder can be handed on whole.

    Args:
        about: whose data this is, where the release says; else licence and citation are left out.
    """
    names = [_file_name(spec) for spec in TABLES]
    return {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": corpus,
        "description": _summary(corpus, about, subset),
        **({} if about is None else _rights(about)),
        "distribution": [_file(folder / name) for name in names],
        "recordSet": [_record_set(spec) for spec in TABLES],
    }


def _summary(corpus: str, about: About | None, subset: SubsetParams) -> str:
    sentences = [
        f"The corpus {corpus} as Gazeline reads it: its films, the segments that annotators "
        "delimited in them, the subtitle cues and the folds. Times are in seconds on the clock "
        "of the annotations."
    ]
    if about is not None:
        sentences += [f"Derived from {about.name}.", *filter(None, [about.conditions])]
    if subset.active:
        sentences.append(f"{subset.caption()}.")
    return " ".join(sentences)


def _rights(about: About) -> Json:
    rights = {"license": about.licence, "citeAs": about.citation, "url": about.url}
    return {name: value for name, value in rights.items() if value}


def _file_name(spec: TableSpec) -> str:
    return Path(spec.path).name


def _file(path: Path) -> Json:
    data = path.read_bytes()
    return {
        "@type": "cr:FileObject",
        "@id": path.name,
        "name": path.name,
        "contentUrl": path.name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _record_set(spec: TableSpec) -> Json:
    return {
        "@type": "cr:RecordSet",
        "@id": spec.name,
        "name": spec.name,
        "description": f"Each record is {spec.row}.",
        "key": [{"@id": f"{spec.name}/{name}"} for name in spec.key],
        "field": [_field(spec, column) for column in spec.columns],
    }


def _field(spec: TableSpec, column: Column) -> Json:
    repeated = pa.types.is_list(column.type)
    field: Json = {
        "@type": "cr:Field",
        "@id": f"{spec.name}/{column.name}",
        "name": column.name,
        "description": column.meaning + ("; may be empty" if column.nullable else ""),
        "dataType": _data_type(column.type.value_type if repeated else column.type),
        "source": {
            "fileObject": {"@id": _file_name(spec)},
            "extract": {"column": column.name},
        },
    }
    if repeated:
        field["repeated"] = True
    return field | dict(_reference(spec, column))


def _reference(spec: TableSpec, column: Column) -> Iterator[tuple[str, Json]]:
    target = REFERENCES.get(column.name)
    if target is not None and target is not spec:
        yield "references", {"field": {"@id": f"{target.name}/{column.name}"}}


def _data_type(arrow: pa.DataType) -> str:
    if pa.types.is_integer(arrow):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(arrow) else "sc:Text"
