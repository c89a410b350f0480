"""A copy is linked under its film's name, or under a free one where that name is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from gazeline.errors import GazelineError
from gazeline.orchestration.films import Copy, add_film, link_copies, link_path, register_copies
from gazeline.orchestration.links import Links, described, unlink
from gazeline.params.base import parse_yaml
from media.clips import write_greys

NAME = Path("data/films/sample-orchard.mkv")


@pytest.fixture
def copy(tmp_path, monkeypatch) -> Copy:
    monkeypatch.chdir(tmp_path)
    NAME.parent.mkdir(parents=True)
    for name in ("orchard_pal.mkv", "orchard_pal.srt"):
        (tmp_path / name).touch()
    return Copy("sample-orchard", tmp_path / "orchard_pal.mkv", tmp_path / "orchard_pal.srt")


def linked(copy: Copy) -> tuple[str, str]:
    """Register and link a copy as `film add` does; return the names entered."""
    text = register_copies("films: {}\n", [copy], {copy.film_id: ["sample"]})
    with Links() as links:
        link_copies([copy], links)
    entry = parse_yaml(text)["films"][copy.film_id]
    return entry["copy"], entry["subtitles"]


def test_a_name_that_is_free_is_taken(copy):
    assert linked(copy)[0] == str(NAME)
    assert NAME.resolve() == copy.path


def test_where_the_sample_s_own_file_has_the_name_the_next_free_one_is_taken(copy):
    NAME.write_bytes(b"the sample's")
    names = ("data/films/sample-orchard-2.mkv", "data/films/sample-orchard.srt")
    assert linked(copy) == linked(copy) == names
    assert NAME.read_bytes() == b"the sample's"
    assert Path(names[0]).resolve() == copy.path
    other = copy.path.with_name("other.mkv")
    other.touch()
    assert link_path(copy.film_id, other) == NAME.with_name("sample-orchard-3.mkv")
    assert unlink(Path(names[0]))
    assert link_path(copy.film_id, other) == NAME.with_name("sample-orchard-2.mkv")


def test_the_file_that_has_the_name_is_registered_where_it_is(copy):
    NAME.touch()
    assert link_path(copy.film_id, NAME) == NAME


def test_a_link_is_described_with_where_it_leads_and_a_file_without(copy):
    assert described(copy.path) == str(copy.path)
    NAME.symlink_to(copy.path)
    assert described(NAME) == f"{NAME} → {copy.path}"


def test_one_file_is_not_the_copy_of_two_films(copy):
    copy.subtitles.unlink()
    write_greys(copy.path, 5, "25")
    NAME.symlink_to(copy.path)
    Path("params.yaml").write_text(
        "films:\n  sample-orchard: {copy: data/films/sample-orchard.mkv, corpora: [sample]}\n"
    )
    for file in (copy.path, NAME):
        with pytest.raises(GazelineError, match="the copy of sample-orchard already") as told:
            add_film(Copy("sample-glass", file), ["sample"])
        assert "give the copy of sample-glass" in told.value.todo
    assert not Path("data/films/sample-glass.mkv").exists()
