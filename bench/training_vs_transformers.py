"""Training and dev evaluation against transformers' own: its Trainer with its collator, and one clip at a time.

    python bench/training_vs_transformers.py

Both train the same tiny wav2vec2 (from one folder) on the same words and sentences, in batches of the same number
of clips on average: transformers' Trainer in random batches padded to their longest clip, by the collator of its
CTC example (``examples/pytorch/speech-recognition``), pedkit in buckets of like length. Dev evaluation (decoding
and scores) is compared with the same from one utterance after the other, as tutorials do. Each in turn; printed
are ratios of the medians of processor time. Claimed: at least 1.5 times the utterances a second, and 3 times for
dev sets of words; with sentences of seconds one thread is busy with arithmetic that batches cannot save.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
import torch
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from pytorch_lightning import Callback
from transformers import (
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    Wav2Vec2Config,
    Wav2Vec2FeatureExtractor,
    Wav2Vec2ForCTC,
)
from transformers.utils import logging

from pedkit.building import build
from pedkit.data.audio import load_audio
from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.models import ctc_collapse
from pedkit.phones import get_inventory
from pedkit.scoring import Item, Scorer, ScoringSettings
from pedkit.training import DevScores
from pedkit.training.batch_seed import BatchSeed
from pedkit.training.planned_steps import PlannedSteps
from pedkit.training.quiet import quiet
from pedkit.training.train_statistics import TrainStatistics

CONF = Path(__file__).resolve().parents[1] / "conf"
ROUNDS, CLIPS, BATCH, TRAINING, EVALUATION = 3, 80, 8, 1.5, 3.0
SIZES: dict[str, Any] = {
    "hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 96,
    "conv_dim": [16] * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
    "feat_extract_norm": "layer", "do_stable_layer_norm": True, "vocab_size": 40,
    "mask_time_prob": 0.0, "layerdrop": 0.0, "ctc_loss_reduction": "mean", "ctc_zero_infinity": True,
}  # fmt: skip


def write_clips(folder: Path, name: str, *, words_only: bool = False) -> list[Utterance]:
    """Half words of 0.4 to 1 s, half sentences of 2 to 8 s, of noise, with 8 phones a second."""
    random = np.random.default_rng(len(name))
    phones = get_inventory("cmu39").phones
    utterances = []
    for number in range(CLIPS):
        seconds = random.uniform(0.4, 1.0) if words_only or number % 2 else random.uniform(2.0, 8.0)
        path = folder / f"{name}{number}.wav"
        soundfile.write(path, 0.1 * random.standard_normal(int(16000 * seconds)), 16000)
        said = tuple(random.choice(phones, max(1, int(8 * seconds))).tolist())
        audio = Audio(str(path), duration=int(16000 * seconds) / 16000)
        utterances.append(Utterance(id=f"{name}{number}", audio=audio, inventory="cmu39", realized=said))
    write_manifest(folder / f"{name}.jsonl", utterances)
    return utterances


class Stopwatch(Callback):
    """Processor time of the train batches, or of a dev set."""

    seconds = 0.0

    def on_train_epoch_start(self, *_: object) -> None:
        """Start."""
        self._start = time.process_time()

    on_validation_start = on_train_epoch_start

    def on_train_batch_end(self, *_: object) -> None:
        """Stop."""
        self.seconds = time.process_time() - self._start

    on_validation_end = on_train_batch_end


def pedkit_trainer(cfg: Any, folder: str, *callbacks: Callback) -> Any:
    return build(
        cfg.trainer, "trainer", enable_checkpointing=False, enable_progress_bar=False, default_root_dir=folder,
        callbacks=list(callbacks), logger=[build(cfg.logger.csv, "logger", save_dir=folder)], limit_val_batches=0,
    )  # fmt: skip


def pedkit_seconds(cfg: Any, folder: str) -> tuple[float, int]:
    """Return processor time of an epoch and the number of updates."""
    watch, module, data = Stopwatch(), build(cfg.model, "model"), build(cfg.data, "data")
    with quiet():
        trainer = pedkit_trainer(cfg, folder, TrainStatistics(module.means), BatchSeed(1), PlannedSteps(), watch)
        trainer.fit(module, datamodule=data)
    return watch.seconds, trainer.global_step


def pedkit_dev_seconds(cfg: Any, manifest: Path) -> float:
    """Return processor time of the dev scores of one manifest, whose audio is in memory."""
    module = build(cfg.model, "model")
    data = build({**OmegaConf.to_container(cfg.data, resolve=True), "dev": {"dev": str(manifest)}}, "data")
    data.setup()
    for place in range(len(data.dev_sets["dev"])):
        _ = data.dev_sets["dev"][place]
    watch = Stopwatch()
    with quiet():
        trainer = build(
            cfg.trainer, "trainer", logger=False, enable_checkpointing=False, enable_progress_bar=False,
            callbacks=[DevScores(), watch],
        )  # fmt: skip
        trainer.validate(module, datamodule=data, verbose=False)
    return watch.seconds


class TheirStopwatch(TrainerCallback):
    """Processor time of the train batches."""

    seconds = 0.0

    def on_epoch_begin(self, *_: object, **__: object) -> None:
        """Start."""
        self._start = time.process_time()

    def on_epoch_end(self, *_: object, **__: object) -> None:
        """Stop."""
        self.seconds = time.process_time() - self._start


def transformers_seconds(hub: str, rows: list[dict[str, Any]], folder: str) -> tuple[float, int]:
    """Return processor time of an epoch of transformers' Trainer and the number of updates."""
    extractor = Wav2Vec2FeatureExtractor.from_pretrained(hub)

    def collate(features: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
        """Pad as ``DataCollatorCTCWithPadding`` of the example does."""
        batch = extractor.pad([{"input_values": f["input_values"]} for f in features], return_tensors="pt")
        longest = max(len(f["labels"]) for f in features)
        labels = [f["labels"] + [-100] * (longest - len(f["labels"])) for f in features]
        return {**batch, "labels": torch.tensor(labels)}

    model = Wav2Vec2ForCTC.from_pretrained(hub)
    model.freeze_feature_encoder()
    watch = TheirStopwatch()
    arguments = TrainingArguments(
        folder, per_device_train_batch_size=BATCH, num_train_epochs=1, learning_rate=1e-4, warmup_steps=2,
        weight_decay=0.01, save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True, logging_steps=10,
        dataloader_pin_memory=False, log_level="error",
    )  # fmt: skip
    trainer = Trainer(model, arguments, collate, train_dataset=rows, callbacks=[watch])
    trainer.remove_callback(PrinterCallback)
    trainer.train()
    return watch.seconds, trainer.state.global_step


def one_by_one_seconds(hub: str, utterances: list[Utterance]) -> float:
    """Return processor time of the same scores from one utterance after the other."""
    extractor, model = Wav2Vec2FeatureExtractor.from_pretrained(hub), Wav2Vec2ForCTC.from_pretrained(hub).eval()
    phones = get_inventory("cmu39").phones
    samples = [load_audio(utterance.audio) for utterance in utterances]  # as pedkit's, in memory
    scorer = Scorer(ScoringSettings("cmu39"))
    start = time.process_time()
    total = None
    for utterance, clip in zip(utterances, samples, strict=True):
        inputs = extractor(clip, sampling_rate=16000, return_tensors="pt")
        with torch.no_grad():
            ids = model(**inputs).logits.argmax(-1)[0].tolist()
        heard = tuple(phones[number - 1] for number in ctc_collapse(ids, 0))
        counts = scorer.total([Item(utterance.id, None, utterance.realized, heard)])
        total = counts if total is None else total + counts
    return time.process_time() - start


def main() -> None:
    logging.disable_progress_bar()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hub = str(folder / "hub")
        torch.manual_seed(0)
        Wav2Vec2ForCTC(Wav2Vec2Config(**SIZES)).save_pretrained(hub)
        (folder / "hub" / "preprocessor_config.json").write_text(
            json.dumps({"do_normalize": True, "return_attention_mask": True, "sampling_rate": 16000})
        )
        train = write_clips(folder, "train")
        dev = {"words": write_clips(folder, "words", words_only=True), "mixed": write_clips(folder, "mixed")}
        mean = statistics.mean(utterance.audio.duration for utterance in train)
        with initialize_config_dir(str(CONF), version_base="1.3"):
            cfg = compose(
                "train",
                [
                    "experiment=manifests", "name=bench", "model=pretrained", f"model.encoder.name={hub}",
                    f"data.train=[{folder}/train.jsonl]", f"data.dev={{dev: {folder}/mixed.jsonl}}",
                    f"data.batch_seconds={1.7 * BATCH * mean}", "data.max_batch_size=null", "data.augment=null",
                    "trainer.max_epochs=1", f"output_dir={folder}/run",
                ],
            )  # fmt: skip
        extractor = Wav2Vec2FeatureExtractor.from_pretrained(hub)
        phones = {phone: number for number, phone in enumerate(get_inventory("cmu39").phones, start=1)}
        rows = [
            {
                "input_values": extractor(load_audio(one.audio), sampling_rate=16000).input_values[0],
                "labels": [phones[phone] for phone in one.realized],
            }
            for one in train
        ]
        run(cfg, hub, rows, dev, folder)


def run(cfg: Any, hub: str, rows: list[dict[str, Any]], dev: dict[str, list[Utterance]], folder: Path) -> None:
    times: dict[str, list[float]] = defaultdict(list)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(ROUNDS + 1):
            ours, updates = pedkit_seconds(cfg, str(folder / "run"))
            theirs, their_updates = transformers_seconds(hub, rows, str(folder / "theirs"))
            taken = {"pedkit": ours, "transformers": theirs}
            for name, utterances in dev.items():
                taken[f"{name} at once"] = pedkit_dev_seconds(cfg, folder / f"{name}.jsonl")
                taken[f"{name} one by one"] = one_by_one_seconds(hub, utterances)
            if number:  # the first round loads and compiles
                for key, value in taken.items():
                    times[key].append(value)
    medians = {key: statistics.median(values) for key, values in times.items()}
    training = medians["transformers"] / medians["pedkit"]
    evaluation = {name: medians[f"{name} one by one"] / medians[f"{name} at once"] for name in dev}
    print(f"updates an epoch: pedkit {updates}, transformers {their_updates}")
    print(f"utterances a second: {CLIPS / medians['pedkit']:.1f} against {CLIPS / medians['transformers']:.1f}")
    print(f"training: {training:.2f} times transformers' Trainer (claimed: at least {TRAINING})")
    print(f"dev words: {evaluation['words']:.2f} times one utterance at a time (claimed: at least {EVALUATION})")
    print(f"dev words and sentences: {evaluation['mixed']:.2f} times one utterance at a time")
    raise SystemExit(0 if training >= TRAINING and evaluation["words"] >= EVALUATION else 1)


if __name__ == "__main__":
    main()
