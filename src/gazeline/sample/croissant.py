"""Describe the sample's release in Croissant 1.0, as MObyGaze's `metadata.json` does its own.

MObyGaze's file has faults; they are tried on small releases in tests/corpora. This one is valid, so
that the sample has a licence and the reader of the format something to accept.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from gazeline.corpora.croissant.context import CONFORMS_TO, CONTEXT

NAME = "Gazeline-sample"
LICENCE = "https://www.apache.org/licenses/LICENSE-2.0"
CITATION = "@misc{gazeline-sample, title={The embedded sample corpus of Gazeline, made from code}}"
PUBLISHED = "2026-11-30"
FORMATS = {".csv": "text/csv", ".json": "application/json", ".sql": "application/sql"}


def write_croissant(folder: Path) -> None:
    """Write `metadata.json` beside the release's files, which must all be there."""
    content = {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": NAME,
        "description": "Six drawn films with invented annotations in the format of MObyGaze, to "
        "try Gazeline on. Nothing in it was seen, said or judged by anyone.",
        "license": LICENCE,
        "citeAs": CITATION,
        "datePublished": PUBLISHED,
        "version": "1.0.0",
        "distribution": [_file(path, folder) for path in sorted(folder.rglob("*.*"))],
    }
    text = json.dumps(content, indent=2) + "\n"
    (folder / "metadata.json").write_text(text, encoding="utf-8")


def _file(path: Path, folder: Path) -> dict[str, Any]:
    data = path.read_bytes()
    name = path.relative_to(folder).as_posix()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{len(data)} B",
        "encodingFormat": FORMATS[path.suffix],
        "sha256": hashlib.sha256(data).hexdigest(),
    }
