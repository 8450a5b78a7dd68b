from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.models.epoch_means import EpochMeans
from pedkit.training.train_statistics import TrainStatistics


class _Logger:
    def __init__(self):
        self.rows = []

    def log_metrics(self, metrics, step):
        self.rows.append((step, metrics))


def _batch(*lengths, unreadable=()):
    clips = [torch.zeros(length) for length in lengths]
    names = [Utterance(id=f"u{length}") for length in lengths]
    batch = AudioBatch.collate(clips, names, [()] * len(clips))
    return AudioBatch(batch.waveforms, batch.lengths, batch.utterances, batch.targets, unreadable=unreadable)


def _epoch(statistics, batches, monkeypatch, seconds=2.0):
    clock = iter([100.0, *[100.0 + seconds] * len(batches)])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    module = SimpleNamespace(device="cpu", log=lambda *_, **__: None)
    logger = _Logger()
    strategy = SimpleNamespace(reduce=lambda value, **_: value)
    trainer = SimpleNamespace(loggers=[logger], strategy=strategy, current_epoch=2, global_step=9)
    statistics.on_train_epoch_start(trainer, module)
    for number, batch in enumerate(batches):
        statistics.on_train_batch_end(trainer, module, None, batch, number)
    statistics.on_train_epoch_end(trainer, module)
    [(step, values)] = logger.rows
    assert (step, values["epoch"]) == (8, 2)
    return values


def test_the_padded_share_is_of_all_samples_not_a_mean_of_batches(monkeypatch):
    values = _epoch(TrainStatistics(EpochMeans()), [_batch(10, 6), _batch(30, 30, 20)], monkeypatch)
    assert values["train_padded_share"] == pytest.approx((4 + 10) / (20 + 90))
    assert values["train_utterances_per_second"] == 2.5  # 5 in 2 s
    assert values["train_unreadable"] == 0


def test_unreadable_clips_are_counted_each_epoch_and_named_once(monkeypatch, caplog):
    statistics = TrainStatistics(EpochMeans())
    faults = [(("a", "a.wav: no such audio file"),), (("b", "b.wav: bad"),)]
    batches = [_batch(10, unreadable=faults[0]), _batch(unreadable=faults[1])]
    for _ in range(2):
        values = _epoch(statistics, batches, monkeypatch)
        assert values["train_unreadable"] == 2
    assert caplog.text.count("left out of its batch: a.wav: no such audio file") == 1
