"""`LossNotFiniteError`: a training that cannot go on, because its loss or its weights are no numbers."""

from __future__ import annotations

from collections.abc import Iterable

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
