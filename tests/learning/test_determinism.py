"""Chance is fixed in one place and leaves nothing behind."""

from __future__ import annotations

import pytest
import torch

from gazeline.errors import LearningError
from gazeline.learning.training.determinism import choose_device, reproducible


def test_draws_of_a_block_are_its_seeds_and_the_callers_go_on_as_before():
    torch.manual_seed(5)
    expected = torch.rand(2)
    torch.manual_seed(5)
    with reproducible(1) as generator:
        first = torch.rand(3), torch.rand(3, generator=generator)
        assert torch.are_deterministic_algorithms_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
    torch.testing.assert_close(torch.rand(2), expected)
    with reproducible(1) as generator:
        again = torch.rand(3), torch.rand(3, generator=generator)
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


def test_a_device_that_is_not_there_is_refused():
    if torch.cuda.is_available():
        assert choose_device("cuda").type == "cuda"
    else:
        with pytest.raises(LearningError, match="no cuda device"):
            choose_device("cuda")
    assert choose_device("cpu").type == "cpu"
