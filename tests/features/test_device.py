"""Devices are found or refused; batches that do not fit are halved."""

from __future__ import annotations

import pytest
import torch

from gazeline.errors import EncoderError
from gazeline.features.common.device import encode_fitting, inference, pick_device, precision
from gazeline.params.runtime import RuntimeParams


def test_auto_finds_a_device_and_cpu_is_always_there():
    assert pick_device(RuntimeParams(device="auto")).type in ("cpu", "cuda", "mps")
    assert pick_device(RuntimeParams(device="cpu")).type == "cpu"
    assert precision(torch.device("cpu")) == "fp32"


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_device_that_is_not_there_is_an_error():
    with pytest.raises(EncoderError, match="There is no cuda device here") as caught:
        pick_device(RuntimeParams(device="cuda"))
    assert caught.value.where == "params.yaml, runtime.device"


def test_threads_are_those_of_runtime():
    before = torch.get_num_threads()
    pick_device(RuntimeParams(device="cpu", threads=1))
    assert torch.get_num_threads() == 1
    torch.set_num_threads(before)


def test_a_batch_that_does_not_fit_is_halved_and_gives_the_same():
    sizes = []

    def encode(batch: torch.Tensor) -> torch.Tensor:
        sizes.append(len(batch))
        if len(batch) > 3:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return batch * 2

    batch = torch.arange(10)
    assert torch.equal(encode_fitting(encode, batch), batch * 2)
    assert sizes == [10, 5, 2, 3, 5, 2, 3]


def test_one_item_that_does_not_fit_is_an_error():
    def encode(batch: torch.Tensor) -> torch.Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(EncoderError, match="does not hold one item"):
        encode_fitting(encode, torch.zeros(2, 3))


def test_cpu_inference_is_plain_fp32_without_gradients():
    with inference(torch.device("cpu")):
        product = torch.ones(2, 2) @ torch.ones(2, 2)
    assert product.dtype == torch.float32
    assert product.is_inference()
