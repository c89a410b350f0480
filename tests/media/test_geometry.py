"""Scaling and cropping follow Hugging Face's image processors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gazeline.media.pictures.geometry import PictureSpec, plan_geometry
from gazeline.media.probing.streams import VideoStream


def stream(width: int, height: int, sar: Fraction = Fraction(1), rotation: int = 0) -> VideoStream:
    rate = Fraction(25)
    return VideoStream(
        0, "h264", width, height, sar, rotation, False, rate, rate, 0.0, 1.0, 25, True
    )


@pytest.mark.parametrize("size", [(1920, 1080), (798, 332), (853, 480), (1080, 1921), (333, 333)])
def test_the_scaled_size_is_that_of_the_processor(size):
    from transformers.image_transforms import get_resize_output_image_size
    from transformers.image_utils import ChannelDimension

    width, height = size
    plan = plan_geometry(stream(width, height), PictureSpec(shortest_edge=224))
    picture = np.zeros((3, height, width), np.uint8)
    expected = get_resize_output_image_size(
        picture, 224, default_to_square=False, input_data_format=ChannelDimension.FIRST
    )
    assert (plan.scaled_height, plan.scaled_width) == expected


def test_the_crop_is_the_centre_rounded_down():
    plan = plan_geometry(stream(1920, 1080), PictureSpec(shortest_edge=224, crop=(224, 224)))
    assert (plan.scaled_width, plan.left, plan.top) == (398, 87, 0)


def test_a_turned_picture_is_scaled_before_it_is_turned():
    plan = plan_geometry(stream(1920, 1080, rotation=90), PictureSpec(shortest_edge=224))
    assert (plan.scaled_width, plan.scaled_height) == (398, 224)
    assert (plan.width, plan.height, plan.quarter_turns) == (224, 398, 1)


def test_an_exact_size_ignores_the_shape():
    plan = plan_geometry(stream(1920, 1080), PictureSpec(height=100, width=50))
    assert (plan.height, plan.width) == (100, 50)


def test_wide_pixels_make_a_wide_picture():
    plan = plan_geometry(stream(720, 576, Fraction(64, 45)), PictureSpec(shortest_edge=288))
    assert (plan.scaled_width, plan.scaled_height) == (512, 288)


@pytest.mark.parametrize(
    "wrong",
    [{}, {"shortest_edge": 8, "height": 8, "width": 8}, {"shortest_edge": 8, "crop": (9, 8)}],
)
def test_contradicting_sizes_are_refused(wrong):
    with pytest.raises(ValueError, match=r"shortest_edge|crop"):
        PictureSpec(**wrong)
