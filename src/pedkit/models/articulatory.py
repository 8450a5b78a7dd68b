"""A second task for a CTC model: hear each articulatory feature as a sequence of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import torch
from torch import Tensor, nn

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder, CtcOutput
from pedkit.models.loss import ctc_loss
from pedkit.models.vocabulary import PhoneVocabulary

IMPOSSIBLE = -1e4
"""Logit of an output that a feature does not have: its posterior is exactly 0, and all gradients stay finite."""


class ArticulatoryHeads(nn.Module):
    """A linear CTC head for each of panphon's features, on the hidden states that the phone head sees.

    As in Shahin, Epps and Ahmed (arXiv:2311.07037, 2023), each feature is a CTC task of its own over the sequence
    of its values; unlike there, each has a blank of its own. A phone contributes the value of the feature (+, 0,
    -); a diphthong or affricate of two targets contributes two where they differ: the feature ``hi`` of ``AY`` is
    ``-``, ``+``. Features that are the same for all phones of the vocabulary are left out.

    Args:
        vocabulary: Phones of ``cmu39`` or ``ipa``.
        width: Size of the hidden states.

    Attributes:
        features: Names of the features that are left, as panphon calls them.

    Raises:
        PedkitError: The inventory is another, or no feature tells its phones apart.
    """

    possible: Tensor

    def __init__(self, vocabulary: PhoneVocabulary, width: int) -> None:
        super().__init__()
        names, self._values = feature_values(vocabulary)
        self.features = names
        self._outputs = 4  # blank, -, 0, +
        self.heads = nn.Linear(width, self._outputs * len(names))
        possible = torch.zeros(len(names), self._outputs, dtype=torch.bool)
        for values in self._values.values():
            for feature, sequence in enumerate(values):
                possible[feature, list(sequence)] = True
        possible[:, 0] = True
        self.register_buffer("possible", possible, persistent=False)

    def forward(self, hidden: Tensor, frames: Tensor, labels: Sequence[Sequence[int]]) -> Tensor:
        """Return the mean over clips and features of the CTC loss of a feature's sequence, per value (nats).

        Pairs of a clip and a feature with too few frames for the sequence are left out.

        Args:
            hidden: Input of the phone head, shape ``(batch, frames, width)``.
            frames: Frames of each clip, shape ``(batch,)``.
            labels: Phone ids of each clip.
        """
        clips, size = hidden.shape[0], hidden.shape[1]
        logits = self.heads(hidden).reshape(clips, size, len(self.features), self._outputs)
        logits = logits.float().masked_fill(~self.possible, IMPOSSIBLE).transpose(1, 2).flatten(0, 1)
        sequences = [
            [value for phone in ids for value in self._values[phone][feature]]
            for ids in labels
            for feature in range(len(self.features))
        ]
        return ctc_loss(CtcOutput(logits, frames.repeat_interleave(len(self.features))), sequences).value


def feature_values(
    vocabulary: PhoneVocabulary,
) -> tuple[tuple[str, ...], dict[int, tuple[tuple[int, ...], ...]]]:
    """Return the features that tell phones of a vocabulary apart, and the values of each phone.

    Returns:
        Names of the features; id of a phone -> for each feature its one or two values: 1 for -, 2 for 0, 3 for
        +; none where panphon does not know the phone.

    Raises:
        PedkitError: The inventory is neither ``cmu39`` nor ``ipa``, or no feature tells its phones apart.
    """
    from pedkit.phones import ARPABET_TO_IPA
    from pedkit.phones.features import feature_names, ipa_targets

    if vocabulary.inventory not in ("cmu39", "ipa"):
        raise PedkitError(
            f"expected an inventory with articulatory features, cmu39 or ipa, but got {vocabulary.inventory!r}",
            hint="set model.articulatory: 0",
        )
    found: dict[int, Any] = {}
    outputs = vocabulary.outputs(vocabulary.phones)
    for phone, number in zip(vocabulary.phones, outputs, strict=True):
        symbol = ARPABET_TO_IPA[phone] if vocabulary.inventory == "cmu39" else phone
        targets = ipa_targets(symbol)
        if targets is not None:
            found[number] = targets + 2
    names = feature_names()
    kept = [k for k in range(len(names)) if len({int(v) for targets in found.values() for v in targets[:, k]}) > 1]
    if not kept:
        raise PedkitError(
            f"no articulatory feature tells the {len(vocabulary.phones)} phones of the vocabulary apart",
            hint="set model.articulatory: 0",
        )
    values = {
        number: tuple(tuple(value for value, _ in groupby(targets[:, k].tolist())) for k in kept)
        for number, targets in found.items()
    }
    unknown = {number: ((),) * len(kept) for number in outputs}
    return tuple(names[k] for k in kept), unknown | values


@contextmanager
def head_input(encoder: CtcEncoder) -> Iterator[list[Tensor]]:
    """Collect what the phone head is given while the context lasts, one tensor a forward pass."""
    seen: list[Tensor] = []
    handle = encoder.model.lm_head.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    try:
        yield seen
    finally:
        handle.remove()
