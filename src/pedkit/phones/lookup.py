"""Which look-up leads from one inventory to another."""

from __future__ import annotations

from collections.abc import Callable

from pedkit.errors import PedkitError
from pedkit.phones.inventory import get_inventory, unknown_phone
from pedkit.phones.ipa_lookup import IpaLookup, ipa_identity
from pedkit.phones.policy import ProjectionPolicy
from pedkit.phones.projection_table import Entry, load_table
from pedkit.phones.spelling import strip_stress
from pedkit.phones.timit import FOLDS

Lookup = Callable[[str], Entry]

_CMU_HINT = "the inventory 'arpabet' takes stress digits and lower case, 'ipa' takes IPA"


def make_lookup(source: str, target: str, policy: ProjectionPolicy) -> Lookup:
    """Return the function from a symbol of ``source`` to its ``Entry`` in ``target``.

    Raises:
        PedkitError: There is no projection between the two.
    """
    if source == target == "ipa":
        return ipa_identity(policy)
    if source == target:
        return _fold(source, {phone: phone for phone in get_inventory(source).phones})
    if (source, target) in FOLDS:
        return _fold(source, FOLDS[source, target])
    if target == "cmu39" and source == "ipa":
        return IpaLookup(policy)
    if target == "cmu39" and source in ("timit61", "arpabet"):
        return _arpabet(source, policy)
    raise PedkitError(
        f"there is no projection from '{source}' onto '{target}'",
        hint="known: ipa, arpabet and timit61 onto cmu39; timit61, timit48 and cmu39 onto timit39; "
        "timit61 and cmu39 onto timit48; each inventory onto itself",
    )


def _fold(source: str, mapping: dict[str, str]) -> Lookup:
    inventory = get_inventory(source)

    def look_up(symbol: str) -> Entry:
        if symbol in mapping:
            return Entry((mapping[symbol],), (), "named map between inventories")
        if symbol not in inventory:
            raise unknown_phone(symbol, inventory, _CMU_HINT if source == "cmu39" else None)
        return Entry((), (symbol,), "has no class in the folded inventory")

    return look_up


def _arpabet(source: str, policy: ProjectionPolicy) -> Lookup:
    table = load_table("arpabet", policy)
    inventory = get_inventory("timit61")

    def look_up(symbol: str) -> Entry:
        if source == "timit61" and symbol not in inventory:
            raise unknown_phone(symbol, inventory)
        key = symbol if source == "timit61" else strip_stress([symbol.lower()])[0]
        return table.get(key, Entry((), (symbol,), "unknown symbol"))

    return look_up
