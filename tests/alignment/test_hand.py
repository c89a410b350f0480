"""Maps made by hand."""

from __future__ import annotations

import pytest

from gazeline.alignment.hand import read_hand_map
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
