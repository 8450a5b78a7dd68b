"""`LossNotFiniteError`: a training that cannot go on, because its loss or its weights are no numbers."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from pytorch_lightning import LightningModule

from pedkit.data.batch import AudioBatch
from pedkit.errors import PedkitError

HINT = "lower learning_rate, lengthen the warm-up, or look at these recordings"


class LossNotFiniteError(PedkitError):
    """The loss, or a weight, is NaN or infinite.

    Args:
        message: What is no number, and when.
        utterances: Ids of the utterances of the batch in this process.
    """

    def __init__(self, message: str, utterances: Iterable[str] = ()) -> None:
        self.utterances = tuple(utterances)
        super().__init__(message, hint=HINT)


def expect_finite(loss: torch.Tensor, batch: AudioBatch, module: LightningModule) -> None:
    """Check the loss of a batch, in all processes: they stop together, or none does.

    Raises:
        LossNotFiniteError: It is no number in one of them; the batch's utterances are named there.
    """
    finite = bool(torch.isfinite(loss))
    if module.trainer.strategy.reduce_boolean_decision(finite):
        return
    names = [utterance.id for utterance in batch.utterances]
    where = f"on the utterances {', '.join(names)}" if not finite else "in another process"
    raise LossNotFiniteError(f"the loss became {loss.item()} at step {module.global_step}, {where}", names)


def expect_finite_gradients(batch: AudioBatch, module: LightningModule) -> None:
    """Check the gradients of an update before it is made; those of all processes are the same by then.

    A finite loss may have an infinite gradient, in 16 bits above all. Clipping makes NaN of it, and then of every
    weight, so that only the next batch would be blamed.

    Raises:
        LossNotFiniteError: One is no number; the batch's utterances are named.
    """
    gradients = [parameter.grad for parameter in module.parameters() if parameter.grad is not None]
    norm = torch.nn.utils.get_total_norm(gradients)
    if bool(torch.isfinite(norm)):
        return
    names = [utterance.id for utterance in batch.utterances]
    raise LossNotFiniteError(
        f"the gradient became {norm.item()} at step {module.global_step}, on the utterances {', '.join(names)}",
        names,
    )
