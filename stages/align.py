"""Stage `align`: map the annotation clock of a film to the clock of its copy."""

from __future__ import annotations

import sys
from pathlib import Path

from gazeline.alignment.align import align_film
from gazeline.alignment.corpus import read_corpus_clock
from gazeline.alignment.record import write_alignments
from gazeline.console import run_stage
from gazeline.params.alignment import AlignParams
from gazeline.params.base import load_section, read_yaml
from gazeline.params.corpora import FilmParams


def main(film_id: str) -> str:
    """Align one film with every corpus it is in and return the summary line."""
    entry = read_yaml(Path("plan.yaml"))["plan"]["films"][film_id]
    copy, subtitles, hand_map = (Path(entry[key]) for key in ("copy", "subtitles", "map"))
    folders = {Path(entry[key]) for key in ("corpus_1", "corpus_2")}
    aligned = align_film(
        film_id,
        copy,
        subtitles if subtitles != copy else None,
        hand_map if hand_map != copy else None,
        {folder.name: read_corpus_clock(folder, film_id) for folder in sorted(folders)},
        load_section(AlignParams, "align"),
        load_section(FilmParams, f"films.{film_id}"),
    )
    write_alignments(Path(f"data/aligned/{film_id}.json"), film_id, aligned.copy, aligned.corpora)
    return "; ".join(
        f"{name} by {a.method}, {a.status}, confidence {a.confidence:.2f}: {a.sentence}"
        for name, a in aligned.corpora.items()
    )


if __name__ == "__main__":
    run_stage(f"align@{sys.argv[1]}", lambda: main(sys.argv[1]))
