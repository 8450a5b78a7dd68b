"""`KnownPhone`: a phone of a closed inventory, for `msgspec` when it reads a manifest.

Read by this type, the millions of phones of a manifest are symbols that exist already, and no text is made for
each. Type checkers see a string, and a phone of an open inventory may stand wherever the type does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pedkit.phones import INVENTORY_NAMES, get_inventory
from pedkit.phones.marks import UNUSABLE_PHONES

if TYPE_CHECKING:
    KnownPhone = str
else:
    _CLOSED = [name for name in INVENTORY_NAMES if not get_inventory(name).is_open]
    KnownPhone = Literal[
        tuple(sorted({*UNUSABLE_PHONES, *(phone for name in _CLOSED for phone in get_inventory(name).phones)}))
    ]
