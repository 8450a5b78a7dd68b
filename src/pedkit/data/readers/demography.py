"""Group values that mean the same in every corpus."""

from __future__ import annotations

from pedkit.errors import PedkitError

ADULT_FROM = 18
"""Age in years from which a speaker counts as an adult."""

_GENDERS = {"f": "female", "female": "female", "m": "male", "male": "male"}


def gender(mark: str) -> str:
    """Return ``female`` or ``male`` for the usual spellings.

    Raises:
        PedkitError: Another mark came.
    """
    try:
        return _GENDERS[mark.strip().lower()]
    except KeyError:
        raise PedkitError(f"expected a gender of f, m, female or male, but got {mark!r}") from None


def age_group(age: int) -> str:
    """Return ``child`` (under 18 years) or ``adult``."""
    return "adult" if age >= ADULT_FROM else "child"
