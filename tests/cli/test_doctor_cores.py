"""`pedkit doctor` on a machine without a GPU: how many cores there are, and how many torch takes."""

from __future__ import annotations

import os

import torch

from pedkit.cli.doctor import examine


def test_without_a_gpu_the_cores_and_those_in_use_are_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    [found] = [finding for finding in examine() if finding.name == "accelerator"]
    assert (found.ok, found.text) == (None, "none; 8 processor cores, of which torch uses 1 (OMP_NUM_THREADS)")
