"""What `synthetic_evidence.py` compares, and where it keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pedkit.evaluation.test_sets import EvaluationSet

ROOT = Path(__file__).resolve().parents[2]
UNSEEN_VOICES = ROOT / "data/unseen_voices/manifest.jsonl"
SPEECHOCEAN = ROOT / "data/speechocean762"

BATCH = 8
"""Words of an update."""
HELD_OUT, DEV = 150, 100
"""Words of each set that are tested, and that choose the checkpoint."""
BY_THE_SOURCE = "synthetic.errors.operations=null"
"""Substitutions, deletions and insertions in the proportions of the source."""
SEVERAL = "synthetic/speech=several"


@dataclass(frozen=True)
class Condition:
    """What is learnt from.

    Attributes:
        speech: Who speaks.
        errors: Where errors come from.
        against: The condition that differs from it in one thing; ``None`` for the first.
        overrides: The settings of ``python -m synthetic`` that say so.
    """

    speech: str
    errors: str
    against: str | None
    overrides: tuple[str, ...] = ()


CONDITIONS = {
    "one": Condition("espeak, American", "neighbour", None),
    "accents": Condition("espeak, 4 accents", "neighbour", "one"),
    "engines": Condition("several engines", "neighbour", "one", (SEVERAL,)),
    "uniform": Condition("several engines", "uniform", "engines", (SEVERAL, "synthetic/source=uniform")),
    "child": Condition(
        "several engines",
        "patterns: child",
        "engines",
        (SEVERAL, "synthetic/source=patterns", BY_THE_SOURCE),
    ),
    "estimated": Condition(
        "several engines",
        "estimated",
        "engines",
        (SEVERAL, "synthetic/source=estimated", "synthetic.source.manifest={real_train}", BY_THE_SOURCE),
    ),
    "none": Condition("several engines", "none", "engines", (SEVERAL, "synthetic.errors.share=0")),
}

TEST_SETS = {
    "unseen_voices": "Other engines: `data/unseen_voices` (Kokoro and Piper)",
    "real": "Real speakers: the test split of `data/speechocean762`",
    "held_out": "New words by the voices, and with the errors, of the training (a test set of its own each)",
}
"""Name of a test set -> heading of its table."""


@dataclass(frozen=True)
class Plan:
    """What is done, and where."""

    conditions: tuple[str, ...]
    seeds: tuple[int, ...]
    words: int
    epochs: int
    out: Path
    training: tuple[str, ...] = ()

    @property
    def updates(self) -> int:
        """Updates of each training."""
        return self.words // BATCH * self.epochs

    @property
    def real(self) -> Path:
        """The manifest of the real recordings."""
        return self.out / "real" / "manifest.jsonl"

    @property
    def real_train(self) -> Path:
        """The manifest of those whose errors are copied."""
        return self.out / "real" / "train.jsonl"

    def folder(self, condition: str, seed: int) -> Path:
        """Where everything of one training lies."""
        return self.out / condition / f"seed{seed}"

    def runs(self) -> Iterator[tuple[str, int]]:
        """Yield condition and seed of each training, seed by seed."""
        return ((condition, seed) for seed in self.seeds for condition in self.conditions)

    def test_sets(self, condition: str, seed: int) -> dict[str, EvaluationSet]:
        """Return what the model of one training hears."""
        held_out = self.folder(condition, seed) / "synthetic" / "test_seen.jsonl"
        sets = {
            "unseen_voices": {"manifest": str(UNSEEN_VOICES)},
            "real": {"manifest": str(self.real), "split": "test"},
            "held_out": {"manifest": str(held_out)},
        }
        return {name: EvaluationSet.of(name, settings) for name, settings in sets.items()}
