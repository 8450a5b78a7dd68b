"""ARPAbet phones with stress digits, as lexicons and engines use them."""

from __future__ import annotations

import functools

from pedkit.phones import get_inventory

CMU39 = get_inventory("cmu39")


@functools.cache  # there are about 70 phones, and a design looks at each many thousand times
def split_stress(phone: str) -> tuple[str, str]:
    """Return the phone without its stress digit, and the digit (empty for consonants)."""
    symbol = phone.rstrip("012")
    return symbol, phone[len(symbol) :]


def base(phone: str) -> str:
    """Return the phone without its stress digit."""
    return split_stress(phone)[0]
