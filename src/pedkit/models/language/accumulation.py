"""The loss of an update that is made of several micro-batches, on one or several machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
import torch.distributed as dist
from torch import Tensor

from pedkit.models.language.labels import IGNORED
from pedkit.models.language.loss import AnswerLoss

LossNorm = Literal["token", "sequence", "microbatch_mean"]
"""What one update averages over.

``token``: the answer tokens of the effective batch; ``sequence``: its answers, each by the mean of its tokens;
``microbatch_mean``: its micro-batches, each by the mean of its tokens, as frameworks do that accumulate without
looking ahead: then what a token weighs depends on its neighbours.
"""


@dataclass(frozen=True, slots=True)
class Window:
    """How much there is in one effective batch, over all processes.

    Attributes:
        tokens: Answer tokens, end tokens included.
        answers: Answers.
        microbatches: Micro-batches.
        processes: Processes that share it.
    """

    tokens: int
    answers: int
    microbatches: int
    processes: int = 1

    @classmethod
    def of(cls, microbatches: Sequence[Mapping[str, Tensor]], device: torch.device | str = "cpu") -> Window:
        """Look ahead over the micro-batches of this process and, where there are several, of the others.

        All processes call it together.

        Args:
            microbatches: Inputs with ``labels``, shape ``(batch, tokens)``.
            device: Where the processes exchange numbers.
        """
        labels = [one["labels"] for one in microbatches]
        tokens = sum(int((one[:, 1:] != IGNORED).sum()) for one in labels)
        counts = torch.tensor([tokens, sum(map(len, labels)), len(labels)], dtype=torch.int64, device=device)
        processes = 1
        if dist.is_available() and dist.is_initialized():
            dist.all_reduce(counts)
            processes = dist.get_world_size()
        total, answers, number = counts.tolist()
        return cls(max(total, 1), max(answers, 1), max(number, 1), processes)

    def loss(self, loss: AnswerLoss, norm: LossNorm = "token") -> Tensor:
        """Return the share of one micro-batch in the loss of the update; the shares are summed up.

        It is multiplied by the number of processes, because DDP divides the sum of their gradients by it.

        Args:
            loss: Summed losses of the micro-batch.
            norm: See `LossNorm`.
        """
        if norm == "token":
            share = loss.total / self.tokens
        elif norm == "sequence":
            share = (loss.per_answer / loss.tokens_per_answer).sum() / self.answers
        else:
            share = loss.total / max(loss.tokens, 1) / self.microbatches
        return share * self.processes
