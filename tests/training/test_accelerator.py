from __future__ import annotations

import os

import pytest

from pedkit.errors import PedkitError
from pedkit.training.accelerator import process_count, require_accelerator


@pytest.fixture(autouse=True)
def two_cores_and_three_gpus(monkeypatch):
    from pytorch_lightning.accelerators import CUDAAccelerator, MPSAccelerator

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(CUDAAccelerator, "auto_device_count", lambda: 3)
    monkeypatch.setattr(MPSAccelerator, "is_available", lambda: False)


@pytest.mark.parametrize(
    ("name", "devices"),
    [
        ("cpu", 2), ("cpu", "2"), ("cpu", "auto"), ("cpu", None), ("gpu", 3), ("gpu", -1), ("cuda", [0, 2]),
        ("cuda", "0,1,2"), ("auto", 99), (None, 1), ("tpu", 8),
    ],
)  # fmt: skip
def test_what_is_there_may_be_used(name, devices):
    require_accelerator(name, devices)


@pytest.mark.parametrize(
    ("name", "devices", "sentence"),
    [
        ("cpu", 99, r"trainer\.devices is 99, but this machine has 2 processor cores \(set .* to at most 2\)"),
        ("cpu", "3", r"trainer\.devices is 3, but this machine has 2"),
        ("gpu", 4, r"trainer\.devices is 4, but this machine has 3 GPUs"),
        ("cuda", "0,1,2,3", r"trainer\.devices is 0,1,2,3, but this machine has 3 GPUs"),
        ("mps", 1, r"trainer\.accelerator is mps, but torch finds no such device"),
    ],
)
def test_more_is_refused_instead_of_waited_for(name, devices, sentence):
    with pytest.raises(PedkitError, match=sentence):
        require_accelerator(name, devices)


@pytest.mark.parametrize(
    ("name", "devices", "processes"),
    [
        ("gpu", -1, 3), ("gpu", "auto", 3), ("auto", "-1", 3), (None, None, 3), ("cuda", [0, 2], 2),
        ("gpu", "0,1", 2), ("gpu", 1, 1), ("cpu", "auto", 1), ("cpu", 2, 2), ("mps", "auto", 1),
        ("tpu", "auto", 1),
    ],
)  # fmt: skip
def test_a_training_has_a_process_a_device(name, devices, processes):
    assert process_count(name, devices) == processes


def test_a_machine_without_any_gpu_has_none(monkeypatch):
    """Lightning counts one MPS device everywhere."""
    from pytorch_lightning.accelerators import CUDAAccelerator

    monkeypatch.setattr(CUDAAccelerator, "auto_device_count", lambda: 0)
    for devices in (1, 2, "auto"):
        with pytest.raises(PedkitError, match=r"is gpu, but torch finds no such device .* \(trainer=cpu trains"):
            require_accelerator("gpu", devices)
