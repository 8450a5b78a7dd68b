"""From manifests to a phone n-gram."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pedkit.data.manifest_part import ManifestPart
from pedkit.data.targets import TargetPolicy
from pedkit.errors import PedkitError
from pedkit.models.ngram import PhoneNgram
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.phones import get_inventory


def ngram_of_manifests(
    parts: Iterable[str | Path | Mapping[str, Any] | ManifestPart],
    *,
    order: int = 3,
    inventory: str = "cmu39",
    target: str = "realized",
) -> PhoneNgram:
    """Train an n-gram on the phones of utterances; no audio is read.

    Args:
        parts: Manifests, each a path or a mapping of the arguments of `ManifestPart`; ``repeat`` has no meaning.
        order: Length of the longest n-gram.
        inventory: Inventory of the model it will help; other inventories are projected onto it. All phones of a
            closed one get a probability; of the open one, ``ipa``, those that the manifests hold.
        target: ``realized`` or ``canonical``.

    Raises:
        PedkitError: A manifest cannot be read, or an utterance has no such phones.
    """
    policy = TargetPolicy(inventory=inventory, target=target)
    sequences = []
    for part in map(ManifestPart.of, parts):
        try:
            found = [policy(utterance) for utterance in part.read()]
        except PedkitError as error:
            raise error.at(file=part.manifest) from None
        sequences += [phones for phones in found if phones is not None]
    if get_inventory(inventory).is_open:
        phones = tuple(sorted({phone for sequence in sequences for phone in sequence}))
    else:
        phones = PhoneVocabulary.of_inventory(inventory).phones
    return PhoneNgram.trained(sequences, phones=phones, order=order)
