"""The demo's training loop under Lightning against a bare PyTorch loop over the same batches.

    python bench/training_loop.py

Both train the demo's model on the same noise of the demo's lengths, in turn; printed is the ratio of the medians
of processor time (1 = Lightning costs nothing). Claimed: at least 0.90.
"""

from __future__ import annotations

import statistics
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import torch
from hydra import compose, initialize_config_dir
from pytorch_lightning import Callback
from torch.utils.data import DataLoader

from pedkit.building import build
from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.models import CtcModule
from pedkit.models.loss import ctc_loss
from pedkit.models.optimization import adamw, scheduler
from pedkit.phones import get_inventory
from pedkit.training.batch_seed import BatchSeed
from pedkit.training.quiet import quiet
from pedkit.training.train_statistics import TrainStatistics

CONF = Path(__file__).resolve().parents[1] / "conf"
ROUNDS, BATCHES, CLAIM = 5, 16, 0.90


def make_batches(clips: int) -> list[AudioBatch]:
    """Half words of 0.5 to 1 s, half sentences of 2 to 5 s, with 10 phones a second."""
    random = np.random.default_rng(0)
    phones = get_inventory("cmu39").phones
    batches = []
    for number in range(BATCHES):
        low, high = (0.5, 1.0) if number % 2 else (2.0, 5.0)
        seconds = np.sort(random.uniform(low, high, clips))
        noise = [0.1 * random.standard_normal(int(16000 * length)).astype(np.float32) for length in seconds]
        samples = [torch.from_numpy(clip) for clip in noise]
        targets = [tuple(random.choice(phones, max(1, int(s * 10))).tolist()) for s in seconds]
        names = [Utterance(id=f"{number}-{i}") for i in range(clips)]
        batches.append(AudioBatch.collate(samples, names, targets))
    return batches


class Stopwatch(Callback):
    """Processor time of the training epoch alone: neither set-up nor tear-down."""

    seconds = 0.0

    def on_train_epoch_start(self, *_: object) -> None:
        """Start."""
        self._start = time.process_time()

    def on_train_epoch_end(self, *_: object) -> None:
        """Stop."""
        self.seconds = time.process_time() - self._start


def lightning_seconds(cfg, module: CtcModule, batches: list[AudioBatch], folder: str) -> float:
    watch = Stopwatch()
    with quiet(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="You defined a `validation_step`")
        trainer = build(
            cfg.trainer, "trainer", callbacks=[watch, BatchSeed(1), TrainStatistics(module.means)],
            logger=[build(cfg.logger.csv, "logger", save_dir=folder)], max_epochs=1, limit_val_batches=0,
            enable_progress_bar=False, enable_checkpointing=False, default_root_dir=folder,
        )  # fmt: skip
        trainer.fit(module, DataLoader(batches, batch_size=None))
    return watch.seconds


def bare_seconds(module: CtcModule, batches: list[AudioBatch]) -> float:
    encoder, vocabulary = module.encoder.train(), module.vocabulary
    optimizer = adamw(encoder, learning_rate=1e-3, weight_decay=0.01, betas=(0.9, 0.999), decay="matrices")
    rates = scheduler(optimizer, warmup=10, total=len(batches), schedule="linear")
    start = time.process_time()
    for batch in batches:
        output = encoder(batch.waveforms, batch.lengths)
        loss = ctc_loss(output, [vocabulary.encode(phones) for phones in batch.targets]).value
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optimizer.step()
        rates.step()
    return time.process_time() - start


def main() -> None:
    with initialize_config_dir(str(CONF), version_base="1.3"):
        cfg = compose("train", ["model.warmup_steps=10"])
    batches = make_batches(cfg.data.max_batch_size)
    module = build(cfg.model, "model")
    module.total_steps = len(batches)
    times: dict[str, list[float]] = {"lightning": [], "bare": []}
    with tempfile.TemporaryDirectory() as folder:
        bare_seconds(module, batches)  # both loops meet a warm allocator
        for _ in range(ROUNDS):
            times["lightning"].append(lightning_seconds(cfg, module, batches, folder))
            times["bare"].append(bare_seconds(module, batches))
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratio = medians["bare"] / medians["lightning"]
    print(f"bare {medians['bare']:.3f} s, Lightning {medians['lightning']:.3f} s for {BATCHES} batches")
    print(f"training loop: {ratio:.3f} of a bare PyTorch loop (claimed: at least {CLAIM:.2f})")
    raise SystemExit(0 if ratio >= CLAIM else 1)


if __name__ == "__main__":
    main()
