from __future__ import annotations

import sys
import time
from types import SimpleNamespace

from pedkit.training.progress import Progress, epoch_line

METRICS = {
    "train_loss": 3.25,
    "train_blank_share": 0.875,
    "dev_per": 0.5,
    "dev_per_near": 0.25,
    "dev_per_far": 0.75,
}


def test_the_line_of_an_epoch():
    line = epoch_line(2, 40, METRICS, 4.21, best=0.6)
    assert line == "epoch 3/40  loss 3.250  blank 0.88  dev PER 0.500 (near 0.250, far 0.750)  4.2 s  best so far"


def test_no_better_than_before_and_no_end_in_sight():
    assert epoch_line(0, -1, METRICS, 1.0, best=0.5).startswith("epoch 1  loss")
    assert not epoch_line(0, -1, METRICS, 1.0, best=0.5).endswith("best so far")
    assert epoch_line(0, 1, {}, 0.5, best=0.5) == "epoch 1/1  0.5 s"


def test_a_bar_in_a_terminal_and_plain_lines_elsewhere(monkeypatch, capsys):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert Progress().is_enabled
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    progress = Progress()
    assert not progress.is_enabled
    shown = SimpleNamespace(
        is_global_zero=True, callback_metrics=METRICS, current_epoch=2, max_epochs=40,
        num_training_batches=1, fit_loop=None, is_last_batch=True, sanity_checking=False,
    )  # fmt: skip
    progress.setup(shown, None, "fit")
    progress.train_progress_bar = progress.init_train_tqdm()
    progress.on_validation_epoch_start(shown, None)
    progress.on_train_epoch_end(shown, None)
    printed = capsys.readouterr().out
    assert printed.startswith("epoch 3/40  loss 3.250  blank 0.88  dev PER 0.500 (near 0.250, far 0.750)")
    assert (printed.count("\n"), "\r" in printed) == (1, False)
    progress.on_train_epoch_end(shown, None)  # an epoch without dev scores: those of before are still known
    assert "dev PER" not in capsys.readouterr().out


def test_a_resumed_epoch_is_timed_from_the_resume(monkeypatch, capsys):
    """Lightning calls no ``on_train_epoch_start`` for it."""
    clock = iter([1000.0, 1002.5])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    progress = Progress(bar=False)
    shown = SimpleNamespace(
        is_global_zero=True, callback_metrics={}, current_epoch=2, max_epochs=40,
        num_training_batches=1, fit_loop=None, is_last_batch=True,
    )  # fmt: skip
    progress.setup(shown, None, "fit")
    progress.on_train_start(shown, None)
    progress.on_train_epoch_end(shown, None)
    assert capsys.readouterr().out == "epoch 3/40  2.5 s\n"
