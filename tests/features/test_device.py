"""Devices are found or refused; batches that do not fit are halved."""

from __future__ import annotations

import pytest
import torch

from gazeline.errors import EncoderError
from gazeline.features.common.device import (
    BatchLimit,
    encode_fitting,
    inference,
    pick_device,
    precision_name,
    uses_bf16,
)
from gazeline.params.runtime import RuntimeParams


def test_auto_finds_a_device_and_cpu_is_always_there():
    assert pick_device(RuntimeParams(device="auto")).type in ("cpu", "cuda", "mps")
    assert pick_device(RuntimeParams(device="cpu")).type == "cpu"


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


@pytest.mark.parametrize(
    ("device", "precision", "name"),
    [
        ("cpu", "auto", "fp32"),
        ("cuda", "auto", "bf16 autocast"),
        ("mps", "auto", "fp32"),
        ("cuda", "fp32", "fp32"),
        ("cpu", "bf16", "bf16 autocast"),
    ],
)
def test_precision_is_what_params_say_and_auto_is_bf16_on_cuda_only(device, precision, name):
    assert precision_name(uses_bf16(torch.device(device), precision)) == name


def test_bf16_where_it_is_not_supported_is_an_error():
    with pytest.raises(EncoderError, match="bf16 is not supported on mps"):
        uses_bf16(torch.device("mps"), "bf16")


def test_a_batch_that_does_not_fit_is_halved_and_the_next_one_is_not_tried_whole():
    sizes = []
    limit = BatchLimit()

    def encode(batch: torch.Tensor) -> torch.Tensor:
        sizes.append(len(batch))
        if len(batch) > 3:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return batch * 2

    batch = torch.arange(10)
    assert torch.equal(encode_fitting(encode, batch, limit), batch * 2)
    assert sizes == [10, 5, 2, 2, 2, 2, 2]
    sizes.clear()
    assert torch.equal(encode_fitting(encode, batch[:5], limit), batch[:5] * 2)
    assert sizes == [2, 2, 1]


def test_memory_that_runs_out_on_other_devices_is_seen_too_and_other_errors_are_not_hidden():
    def short_of_memory(batch: torch.Tensor) -> torch.Tensor:
        if len(batch) > 2:
            raise RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)")
        return batch

    assert torch.equal(
        encode_fitting(short_of_memory, torch.arange(5), BatchLimit()), torch.arange(5)
    )

    def broken(batch: torch.Tensor) -> torch.Tensor:
        raise RuntimeError("shapes cannot be multiplied")

    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        encode_fitting(broken, torch.arange(5), BatchLimit())


def test_one_item_that_does_not_fit_is_an_error():
    def encode(batch: torch.Tensor) -> torch.Tensor:
        raise torch.OutOfMemoryError("CUDA out of memory")

    with pytest.raises(EncoderError, match="does not hold one item"):
        encode_fitting(encode, torch.zeros(2, 3), BatchLimit())


def test_cpu_inference_is_plain_fp32_without_gradients():
    with inference(torch.device("cpu"), bf16=False):
        product = torch.ones(2, 2) @ torch.ones(2, 2)
    assert product.dtype == torch.float32
    assert product.is_inference()


def test_bf16_is_used_where_asked_for():
    with inference(torch.device("cpu"), bf16=True):
        product = torch.ones(2, 2) @ torch.ones(2, 2)
    assert product.dtype == torch.bfloat16
