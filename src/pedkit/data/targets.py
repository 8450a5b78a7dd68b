"""Which phones a clip is to be heard as: realized or canonical, in the model's inventory."""

from __future__ import annotations

from collections import Counter
from functools import cache

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import Projector
from pedkit.phones.marks import UNUSABLE_PHONES

TARGETS = ("realized", "canonical", "none")
UNUSABLE_POLICIES = ("drop_symbol", "drop_utterance")


class TargetPolicy:
    """Turns an utterance into target phones.

    Args:
        inventory: The model's inventory; other inventories are projected onto it by their names.
        target: ``realized`` = what was said (never silently what should have been said), ``canonical`` = what
            should have been said, ``none`` = no targets.
        unusable: What to do with realized symbols that equal no phone (``<unk>``, ``err``): ``drop_symbol``
            leaves the symbol out and counts it, ``drop_utterance`` leaves the utterance out.

    Attributes:
        dropped_symbols: How often each symbol was left out, ``<unk>`` and ``err`` as well as symbols for which the
            projection has no phone (silences, unknown IPA).

    Raises:
        PedkitError: An option has another value.
    """

    def __init__(
        self, *, inventory: str = "cmu39", target: str = "realized", unusable: str = "drop_symbol"
    ) -> None:
        for name, value, allowed in (("target", target, TARGETS), ("unusable", unusable, UNUSABLE_POLICIES)):
            if value not in allowed:
                raise PedkitError(f"expected '{name}' to be one of {', '.join(allowed)}, but got {value!r}")
        self.inventory, self.target, self.unusable = inventory, target, unusable
        self.dropped_symbols: Counter[str] = Counter()

    def __call__(self, utterance: Utterance) -> tuple[str, ...] | None:
        """Return the target phones, or ``None`` where the utterance is to be left out.

        Raises:
            PedkitError: The utterance has no such phones or no inventory, or a phone is outside its inventory.
        """
        if self.target == "none":
            return ()
        phones = utterance.realized if self.target == "realized" else utterance.canonical
        if phones is None:
            raise PedkitError(
                f"has no {self.target} phones to learn from",
                utterance=utterance.id,
                hint="target=canonical learns from what should have been said"
                if self.target == "realized"
                else None,
            )
        if utterance.inventory is None:
            raise PedkitError("has phones, but no 'inventory' that says which", utterance=utterance.id)
        unusable = [phone for phone in phones if phone in UNUSABLE_PHONES]
        if unusable:
            if self.unusable == "drop_utterance":
                return None
            self.dropped_symbols.update(unusable)
            phones = tuple(phone for phone in phones if phone not in UNUSABLE_PHONES)
        try:
            projected = _projector(utterance.inventory, self.inventory)(phones)
        except PedkitError as error:
            raise error.at(utterance=utterance.id) from None
        if projected.dropped:
            self.dropped_symbols.update(projected.dropped)
        return projected.phones


@cache
def _projector(source: str, target: str) -> Projector:
    return Projector(source, target)
