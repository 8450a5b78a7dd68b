"""Group keys and values that mean the same in every corpus.

Nothing is guessed: what a corpus does not say is missing. Bins that a corpus publishes have a key of their own
that begins with the corpus (``sonos_age_group``), because they differ between corpora and overlap within some.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pedkit.errors import PedkitError

GROUP_KEYS: Mapping[str, str] = {
    "accent": "accent as the corpus names it",
    "age": "years at the recording",
    "age_group": "child (under 18) or adult",
    "age_of_onset": "age in years at which learning the language began",
    "dialect": "dialect region",
    "dysarthria": "whether the speaker has a motor speech disorder",
    "education": "highest level",
    "ethnicity": "as the corpus asked for it",
    "gender": "female, male, or the speaker's own word",
    "height": "cm",
    "intelligibility": "how well others understand the speaker: high, mid, low, very low",
    "l1": "first language",
    "native": "whether the language spoken is a first language",
    "region": "where the speaker comes from",
    "role": "part in a conversation: interviewee, interviewer, other",
    "severity": "of a speech disorder, on the corpus's own scale",
    "socioeconomic": "social or economic class as the corpus has it",
}
"""The keys that mean the same in every corpus. Texts are in lower case."""

ADULT_FROM = 18
"""Age in years from which a speaker counts as an adult."""

_GENDERS = {
    "f": "female", "female": "female", "woman": "female",
    "m": "male", "male": "male", "man": "male",
}  # fmt: skip
_NO_ANSWER = frozenset({"prefer not to say", "prefer not to answer", "rather not say", "unknown", "-", "?", "??"})
_YEARS = re.compile(r"(\d{1,3})(?:\.0*)?")
OLDEST = 120
"""Age in years above which a number is no age."""


def gender(mark: str) -> str:
    """Return ``female`` or ``male`` for the usual spellings.

    Raises:
        PedkitError: Another mark came.
    """
    try:
        return _GENDERS[mark.strip().lower()]
    except KeyError:
        raise PedkitError(f"expected a gender of f, m, female or male, but got {mark!r}") from None


def gender_answer(cell: str | None) -> str | None:
    """Return ``female`` or ``male`` for the usual spellings, any other answer as it is (see `answer`)."""
    text = answer(cell)
    return None if text is None else _GENDERS.get(text, text)


def answer(cell: str | None) -> str | None:
    """Return what somebody answered, in lower case with single blanks; ``None`` where they did not."""
    text = " ".join((cell or "").lower().split())
    return None if not text or text in _NO_ANSWER else text


def years(cell: str | None) -> int | None:
    """Return an age of 1 to 120 whole years (``31``, ``31.0``); ``None`` for everything else."""
    match = _YEARS.fullmatch((cell or "").strip())
    number = int(match[1]) if match else 0
    return number if 0 < number <= OLDEST else None


def require_years(cell: str) -> int:
    """Return an age of 1 to 120 whole years.

    Raises:
        PedkitError: The cell says something else.
    """
    age = years(cell)
    if age is None:
        raise PedkitError(f"expected an age of 1 to {OLDEST} whole years, but got {cell!r}")
    return age


def age_group(age: float) -> str:
    """Return ``child`` (under 18 years) or ``adult``."""
    return "adult" if age >= ADULT_FROM else "child"


def age_keys(age: int | None) -> dict[str, int | str | None]:
    """Return ``age`` and ``age_group``."""
    return {"age": age, "age_group": None if age is None else age_group(age)}


def known(**groups: str | int | float | bool | None) -> dict[str, str | int | float | bool]:
    """Return the keys that have a value."""
    return {key: value for key, value in groups.items() if value is not None}
