"""`hub_vocabulary`: which output of a model of a hub or a folder means which phone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from transformers import AutoConfig

from pedkit.errors import PedkitError
from pedkit.models.families import blank_of, outputs_of
from pedkit.models.reading import hub_json, reading
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.phones import ARPABET_TO_ESPEAK

SPECIAL_TOKENS = frozenset({"<pad>", "<s>", "</s>", "<unk>", "|", "[PAD]", "[UNK]", "[CLS]", "[SEP]"})
"""Entries of hub vocabularies that are no phones."""

SPELLINGS = {"espeak": ARPABET_TO_ESPEAK}
"""How vocabularies of hub models write CMU-39."""

_UNUSED = re.compile(r"<unused\d+>")
"""How `pedkit export` names outputs without a phone in ``vocab.json``, where each output needs a name."""


def hub_vocabulary(
    name: str, *, inventory: str | None = None, revision: str | None = None, spelling: str | None = None
) -> PhoneVocabulary:
    """Read the vocabulary of a hub model; no tokenizer and no phonemizer is needed.

    What pedkit has exported says itself which phones of which inventory it hears (``vocabulary.json``). Of other
    models the symbols are read from ``vocab.json``, and the inventory must be told.

    With ``spelling`` the model can be trained on CMU-39 phones, each of which has an output then: no target ever
    becomes ``<unk>``, as it silently does in the tokenizers of these models.

    Args:
        name: Hub id or folder.
        inventory: Inventory that the model's symbols belong to; ``None`` for what the model says, else ``ipa``.
        revision: Commit or tag on the hub.
        spelling: How the vocabulary writes CMU-39: ``espeak`` = IPA without tie bars and with ``ɚ``
            (`pedkit.phones.ARPABET_TO_ESPEAK`); ``None`` takes the model's own symbols only.

    Raises:
        PedkitError: There is neither file, ``vocab.json`` is not a flat table of symbols, a phone has no output,
            or the model says that it hears another inventory.
    """
    if spelling not in (None, *SPELLINGS):
        raise PedkitError(f"expected spelling to be {' or '.join(SPELLINGS)}, but got {spelling!r}")
    with reading(name):
        own = hub_json(name, "vocabulary.json", revision)
        table = hub_json(name, "vocab.json", revision)
        config = AutoConfig.from_pretrained(name, revision=revision)
    spellings = None if spelling is None else SPELLINGS[spelling]
    if own is not None and own.keys() >= {"inventory", "blank", "size", "ids"}:  # others may call a file so
        return _said(name, own, inventory, spellings)
    if config.model_type == "whisper":
        raise PedkitError(f"{name} writes words, not phones", hint="train a CTC head on it: model=whisper")
    if table is None:
        raise PedkitError(f"{name} has no vocab.json, so nobody knows what its outputs mean")
    if any(not isinstance(number, int) for number in table.values()):
        raise PedkitError(f"the vocab.json of {name} is not one table of symbols (several languages in one file?)")
    phones = {symbol: number for symbol, number in table.items() if not _is_no_phone(symbol)}
    return PhoneVocabulary.of_ids(
        phones,
        "ipa" if inventory is None else inventory,
        blank=blank_of(config),
        size=outputs_of(config),
        spellings=spellings,
    )


def _said(
    name: str, own: Mapping[str, Any], inventory: str | None, spellings: Mapping[str, str] | None
) -> PhoneVocabulary:
    """Return the vocabulary that a model brings with it."""
    if inventory not in (None, own["inventory"]):
        raise PedkitError(
            f"{name} hears phones of the inventory {own['inventory']!r}, but inventory is {inventory!r}",
            hint="leave inventory out",
        )
    try:
        return PhoneVocabulary.from_dict(own if spellings is None else {**own, "spellings": spellings})
    except PedkitError as error:
        raise error.at(file=f"{name}/vocabulary.json") from None


def _is_no_phone(symbol: str) -> bool:
    return symbol in SPECIAL_TOKENS or _UNUSED.fullmatch(symbol) is not None
