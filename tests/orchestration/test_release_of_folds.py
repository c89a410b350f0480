"""`corpus add` takes a release only if it has every film of the folds."""

from __future__ import annotations

from pathlib import Path

import pytest

from gazeline.errors import ReleaseError
from gazeline.orchestration.corpora import Request, prepare
from gazeline.orchestration.templates import choose_text_encoder, template_data

HEAD = (
    ";clip_index;movie_id;annotator;label;concepts;comment;start_frame;end_frame;imdb_key;"
    "movie_title;framerate;subtitle;start_clip;end_clip\n"
)


def folds_films() -> list[str]:
    folds = template_data("mobygaze")["corpora"]["mobygaze"]["folds"]
    return sorted({film for fold in folds for film in (*fold["test"], *fold["validation"])})


def prepared(folder: Path, films: list[str], project: Path):
    rows = [
        f"{i};id_{i};{i};annotator1;Sure;['Body'];[];0;239;{film};Film {i};23.976;;0;9"
        for i, film in enumerate(films)
    ]
    csv = HEAD + "\n".join(rows) + "\n"
    (folder / "mobygaze_dataframe.csv").write_text(csv, encoding="utf-8")
    text = (project / "params.yaml").read_text(encoding="utf-8")
    request = Request("mobygaze", release=str(folder))
    return prepare(request, choose_text_encoder("mobygaze", None), text, folder)


def test_a_release_with_every_film_of_the_folds_is_taken(tmp_path, project):
    assert len(prepared(tmp_path, folds_films(), project).films) == 20


@pytest.mark.parametrize(("n_lacking", "named"), [(1, 1), (6, 4)])
def test_a_release_that_lacks_films_of_the_folds_is_refused(tmp_path, project, n_lacking, named):
    films = folds_films()
    with pytest.raises(ReleaseError) as error:
        prepared(tmp_path, films[n_lacking:], project)
    said = str(error.value)
    assert f"lacks {n_lacking} of the 20 films in the folds of mobygaze" in said
    assert all(film in said for film in films[:named])
    assert ("and 2 more" in said) == (n_lacking == 6)


def test_a_release_of_other_films_is_refused_as_such(tmp_path, project):
    with pytest.raises(ReleaseError, match="annotates none of the 20 films"):
        prepared(tmp_path, ["tt0000001"], project)
