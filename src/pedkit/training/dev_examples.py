"""`DevExamples`: the worst dev utterances and the confusions of the kept epoch, for loggers that can show them."""

from __future__ import annotations

import heapq
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch.distributed as dist
from pytorch_lightning import Callback, LightningModule, Trainer

from pedkit.data.audio import load_audio
from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models.trainable import HeardClip
from pedkit.scoring import Pair
from pedkit.training.dev_scores import DevScores

GAP = "∅"
"""What stands for no phone."""


@dataclass(frozen=True, slots=True)
class Example:
    """One dev utterance, with what was heard in it.

    Attributes:
        dev_set: Name of its dev set.
        utterance: The utterance.
        per: Its phone error rate.
        number: Its errors.
        canonical: Phones that should have been said, as text; empty where nobody knows.
        realized: Phones that were said, as text.
        predicted: Phones that were heard, as text.
        errors: What was heard for what: ``S→T`` substituted, ``S→∅`` not heard, ``∅→S`` heard but not said.
    """

    dev_set: str
    utterance: Utterance
    per: float
    number: int
    canonical: str
    realized: str
    predicted: str
    errors: str

    @property
    def id(self) -> str:
        """Id of the utterance."""
        return self.utterance.id


@dataclass(frozen=True, slots=True)
class Examples:
    """What `DevExamples` hands to loggers.

    Attributes:
        worst: The worst utterances by PER, worst first; those without an error are never among them.
        confusions: (reference phone, heard phone) -> how often, over all dev sets; ``∅`` for none.
        sample_rate: Hz of `audio`.
    """

    worst: list[Example]
    confusions: Counter[tuple[str, str]]
    sample_rate: int = 16000

    def audio(self, example: Example, *, upload: bool) -> npt.NDArray[np.float32] | None:
        """Return an utterance's samples, shape ``(samples,)``.

        Args:
            example: One of `worst`.
            upload: Whether the samples leave this machine.

        Returns:
            ``None`` where the licence forbids that, or the recording cannot be read.
        """
        utterance = example.utterance
        if utterance.audio is None or (upload and utterance.may_upload is False):
            return None
        try:
            return load_audio(utterance.audio, self.sample_rate)
        except PedkitError:
            return None


class DevExamples(Callback):
    """After each epoch that becomes the kept one, shows what the model heard to the loggers that can show it.

    It scores nothing where no logger can (``log_dev_examples``). It reads the results of `DevScores`, so it has
    to stand after it.

    Args:
        worst: How many of the worst utterances to show.
    """

    def __init__(self, *, worst: int = 20) -> None:
        self._number = worst
        self._heard: list[tuple[int, Utterance, HeardClip]] = []

    def on_validation_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Forget the last epoch."""
        del trainer, pl_module
        self._heard = []

    def on_validation_batch_end(  # noqa: PLR0917 (Lightning's signature)
        self,
        trainer: Trainer,
        pl_module: LightningModule,
        outputs: Any,
        batch: AudioBatch,
        batch_idx: int,
        dataloader_idx: int = 0,
    ) -> None:
        """Remember what was heard."""
        del pl_module, batch_idx
        if _showing(trainer):
            pairs = zip(batch.utterances, outputs["heard"], strict=True)
            self._heard += [(dataloader_idx, utterance, heard) for utterance, heard in pairs]

    def on_validation_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Score it and show it, where this epoch is the best so far."""
        loggers = _showing(trainer)
        if trainer.sanity_checking or not loggers:
            return
        scores = DevScores.of(trainer)
        if scores.best()[0] != trainer.current_epoch:
            return
        examples = _over_processes(self._examples(scores, str(pl_module.inventory)), self._number)
        self._heard = []
        if trainer.is_global_zero:
            for logger in loggers:
                logger.log_dev_examples(examples, trainer.global_step)

    def _examples(self, scores: DevScores, inventory: str) -> Examples:
        found: list[Example] = []
        confusions: Counter[tuple[str, str]] = Counter()
        for place, name in enumerate(scores.names):
            heard = [(utterance, one) for number, utterance, one in self._heard if number == place]
            for (utterance, _), (item, scored) in zip(heard, scores.score(heard, inventory), strict=True):
                pairs = scored.alignment.pairs()
                confusions.update((pair.reference or GAP, pair.predicted or GAP) for pair in pairs)
                per = scored.counts.per
                if per.value:
                    texts = [" ".join(phones or ()) for phones in (item.canonical, item.realized, item.predicted)]
                    number, errors = int(per.numerator), _errors(pairs)
                    found.append(Example(name, utterance, per.value, number, texts[0], texts[1], texts[2], errors))
        return Examples(_worst(found, self._number), confusions)


def _showing(trainer: Trainer) -> list[Any]:
    """Return the loggers that can show examples."""
    return [one for one in trainer.loggers if getattr(one, "shows_examples", hasattr(one, "log_dev_examples"))]


def _errors(pairs: list[Pair]) -> str:
    return ", ".join(f"{pair.reference or GAP}→{pair.predicted or GAP}" for pair in pairs if pair.type)


def _worst(examples: list[Example], number: int) -> list[Example]:
    return heapq.nsmallest(number, examples, key=lambda one: (-one.per, -one.number, one.dev_set, one.id))


def _over_processes(examples: Examples, number: int) -> Examples:
    if not (dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1):
        return examples
    parts: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(parts, examples)
    confusions = sum((part.confusions for part in parts), Counter[tuple[str, str]]())
    return Examples(_worst([one for part in parts for one in part.worst], number), confusions)
