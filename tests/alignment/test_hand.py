"""Maps made by hand."""

from __future__ import annotations

import pytest

from gazeline.alignment.clocks import Clocks
from gazeline.alignment.hand import maps_by_hand, read_hand_map
from gazeline.errors import AlignmentError
from gazeline.timeline.maps import Piece

LINE = "- {{annotation_start_s: {}, annotation_end_s: {}, rate: {}, offset_s: {}}}\n"


def written(tmp_path, *pieces):
    path = tmp_path / "film.map.yaml"
    path.write_text("pieces:\n" + "".join("  " + LINE.format(*piece) for piece in pieces))
    return path


def test_pieces_are_read_with_the_rate_as_number_or_as_frame_rates(tmp_path):
    path = written(tmp_path, (0, 100, 1.0, 2.5), (110, 200, "23.976/25", 3))
    assert read_hand_map(path).pieces == (
        Piece(0.0, 100.0, 1.0, 2.5),
        Piece(110.0, 200.0, 24000 / 25025, 3.0),
    )


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([(0, 100, 1.0, 0), (90, 200, 1.0, 5)], "overlap"),
        ([(0, 100, 1.0, 50), (100, 200, 1.0, 0)], "go back from 150.0 to 100.0"),
        ([(0, 100, 1.0, 0), (100, 200, 1.0, -0.5)], "go back from 100.000 to 99.500"),
        ([(100, 100, 1.0, 0)], "is empty"),
        ([(0, 100, 3.0, 0)], "rate: .*less than or equal to 2"),
        ([(0, 100, "fast", 0)], "rate"),
        ([(0, 100, "25/0", 0)], "rate"),
        ([(0, 100, "1e400/1", 0)], "too large"),
        ([(0, 100, 1.0, "''")], "offset_s"),
    ],
)
def test_map_that_does_not_fit_together_is_refused(tmp_path, pieces, message):
    with pytest.raises(AlignmentError, match=message):
        read_hand_map(written(tmp_path, *pieces))


@pytest.mark.parametrize("text", ["", "pieces: []", "- 1", "pieces: [{rate: 1}]", "piece: ["])
def test_file_that_is_no_map_is_refused_with_an_example(tmp_path, text):
    path = tmp_path / "film.map.yaml"
    path.write_text(text)
    with pytest.raises(AlignmentError, match="annotation_start_s: 0"):
        read_hand_map(path)


def test_missing_map_names_the_file(tmp_path):
    with pytest.raises(AlignmentError, match=r"film\.map\.yaml"):
        read_hand_map(tmp_path / "film.map.yaml")


def test_map_that_is_a_folder_is_refused_as_one(tmp_path):
    with pytest.raises(AlignmentError, match="cannot be read: it is a folder") as error:
        read_hand_map(tmp_path)
    assert error.value.where == str(tmp_path)


@pytest.mark.parametrize(
    ("piece", "key"),
    [
        ((".nan", 40, 1, 0), "annotation_start_s"),
        ((0, ".nan", 1, 0), "annotation_end_s"),
        ((0, ".inf", 1, 0), "annotation_end_s"),
        ((0, 40, ".nan", 0), "rate"),
        ((0, 40, 1, ".nan"), "offset_s"),
        ((0, 40, 1, "-.inf"), "offset_s"),
    ],
)
def test_number_that_is_not_finite_is_the_one_problem_of_the_map(tmp_path, piece, key):
    path = written(tmp_path, (0, 0.5, 1, 0), piece)
    with pytest.raises(AlignmentError, match="has 1 problem:") as error:
        read_hand_map(path)
    assert f"pieces.1.{key}: should be a finite number" in error.value.what
    assert error.value.where == str(path)
    assert "write it as `pieces:`" in str(error.value)


def test_invalid_piece_does_not_count_as_none(tmp_path):
    with pytest.raises(
        AlignmentError, match="has 1 problem:\n.*offset_s: should be a valid number"
    ):
        read_hand_map(written(tmp_path, (0, 40, 1, "x")))
    path = tmp_path / "film.map.yaml"
    path.write_text("pieces: []")
    with pytest.raises(AlignmentError, match="pieces: should have at least one piece"):
        read_hand_map(path)


# Annotated to 42 s; the copy lasts from 1 to 45 s of its clock.
COPY = Clocks(42.0, copy_start_s=1.0, copy_end_s=45.0)


def on_copy(path, clocks=COPY):
    return maps_by_hand(path, {"sample": clocks})["sample"]


@pytest.mark.parametrize(
    ("piece", "reason"),
    [
        ((0, 40, 1, 100000), "would lie from 100000.000 to 100040.000 s of it"),
        ((0, 40, 1, -1000), "would lie from -1000.000 to -960.000 s of it"),
        ((0, 40, 1, -39), "would lie from -39.000 to 1.000 s of it"),
        ((0, 40, 1, 45), "would lie from 45.000 to 85.000 s of it"),
        ((0, 60, 1, -50), "would lie from -50.000 to 10.000 s of it"),
        ((42, 4000, 1, -40), "starts after the annotations end, at 42.000 s"),
    ],
)
def test_piece_nothing_of_which_lies_on_the_copy_is_refused_by_name(tmp_path, piece, reason):
    path = written(tmp_path, piece)
    with pytest.raises(AlignmentError, match=r"copy, which lasts from 1.000 to 45.000 s") as error:
        on_copy(path)
    named = f"the piece {{annotation_start_s: {piece[0]}, annotation_end_s: {piece[1]}}} {reason}"
    assert named in error.value.what
    assert error.value.where == str(path)


def test_every_piece_off_the_copy_is_named_at_once(tmp_path):
    path = written(tmp_path, (0, 10, 1, 2), (10, 20, 1, 500), (20, 30, 1, 600))
    with pytest.raises(AlignmentError) as error:
        on_copy(path)
    assert "annotation_start_s: 0," not in error.value.what
    assert "annotation_start_s: 10," in error.value.what
    assert "annotation_start_s: 20," in error.value.what


@pytest.mark.parametrize(
    ("pieces", "kept", "coverage"),
    [
        ([(0, 40, 1, 25)], [(0, 20)], 20 / 42),
        ([(0, 42, 1, -10)], [(11, 42)], 31 / 42),
        ([(0, 42, 2, 1)], [(0, 22)], 22 / 42),
        ([(0, 10, 1, 1), (20, 42, 1, 15)], [(0, 10), (20, 30)], 20 / 42),
    ],
)
def test_map_is_cut_to_what_lies_on_the_copy(tmp_path, pieces, kept, coverage):
    found = on_copy(written(tmp_path, *pieces))
    assert [(p.annotation_start_s, p.annotation_end_s) for p in found.pieces] == kept
    assert found.coverage(0, 42) == pytest.approx(coverage)


def test_map_serves_corpora_of_different_length(tmp_path):
    path = written(tmp_path, (0, 10, 1, 1), (20, 42, 1, 2))
    corpora = {"long": COPY, "short": Clocks(15.0, copy_start_s=1.0, copy_end_s=45.0)}
    found = maps_by_hand(path, corpora)
    assert found["long"].pieces == (Piece(0, 10, 1, 1), Piece(20, 42, 1, 2))
    assert found["short"].pieces == (Piece(0, 10, 1, 1),)
    with pytest.raises(AlignmentError, match="before 15.000 s, where the annotations of short end"):
        maps_by_hand(written(tmp_path, (20, 42, 1, 2)), corpora)
