"""What a page calls the phones that predictions are compared with: those that were said, or a G2P's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceWords:
    """Words for the reference of PER.

    Attributes:
        is_g2p: True where nobody annotated what was said, so that systems that repeat the reference are right.
        aligned: The two sequences on a direct alignment.
        errors: What an error is counted against.
        phone: One phone of it.
        column: Heading of a column of such phones.
        share: Heading of a column of shares of each.
        each: Each phone of it, in the title of a figure.
        per_thousand: What insertions are counted per.
        phones: Some of its phones, after a number and "phone" or "phones".
    """

    is_g2p: bool
    aligned: str
    errors: str
    phone: str
    column: str
    share: str
    each: str
    per_thousand: str
    phones: str


REALIZED = ReferenceWords(
    is_g2p=False,
    aligned="realized and predicted phones",
    errors="predicted against realized phones",
    phone="the phone that was said",
    column="Said",
    share="Share of said, %",
    each="each said phone",
    per_thousand="1,000 phones said",
    phones="",
)
G2P = ReferenceWords(
    is_g2p=True,
    aligned="G2P reference and predicted phones",
    errors="predicted phones against the G2P reference",
    phone="the phone of the G2P reference, whatever was said",
    column="Reference",
    share="Share of reference, %",
    each="each phone of the G2P reference",
    per_thousand="1,000 reference phones",
    phones=" of the G2P reference",
)


def reference_words(scores: Mapping[str, Any]) -> ReferenceWords:
    """Return the words for a test set.

    Args:
        scores: Content of ``scores.json``.
    """
    return G2P if scores.get("settings", {}).get("per_reference") == "canonical" else REALIZED
