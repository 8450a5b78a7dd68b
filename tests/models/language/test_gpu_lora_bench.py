"""The GPU benchmark runs to its end on a CPU with a tiny model; its figures are not looked at."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[3] / "bench" / "gpu_lora.py"


@pytest.mark.parametrize("size", ["qwen2_5_omni_7b", "audio_flamingo_3"])
def test_it_measures_updates_and_answers(size, monkeypatch, capsys):
    options = ["--tiny", "--device", "cpu", "--model", size, "--seconds", "0.5"]
    options += ["--micro-batch", "16", "--new-tokens", "3", "--repeats", "1"]
    monkeypatch.setattr(sys, "argv", [str(BENCH), *options])
    runpy.run_path(str(BENCH), run_name="__main__")
    printed = capsys.readouterr().out
    # r 16 on two layers of width 64: q and o are 64 x 64, k and v 64 x 32
    assert "of which 14,336 train" in printed
    assert 2 * 16 * (2 * (64 + 64) + 2 * (64 + 32)) == 14_336
    assert re.search(r"update of 16 clips: [\d.]+ s, [\d,]+ tokens/s", printed)
    assert re.search(r"16 answers of 3 tokens: [\d.]+ s, [\d,]+ tokens/s", printed)
