"""What the settings of Soft PER mean, in words; the numbers beside them depend on every one of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pedkit.phones.soft_table import ALLOVERA_LANGUAGES
from pedkit.report.numbers import counted

SOFT_PER = "Soft PER, %"


def soft_words(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return title and meaning of Soft PER.

    Args:
        settings: Of ``scores.json``.
    """
    means, cost = soft_means(settings), settings["soft_cost"]
    if not means or cost == 1:
        return SOFT_PER, "With these settings it is the same as PER."
    what = (
        f"in which a variant of a phone costs {cost:.2g} of an error"
        if cost
        else "that forgives variants of a phone"
    )
    return SOFT_PER, f"PER {what}, by {means}. Never in place of PER."


def forgiven_words(settings: Mapping[str, Any]) -> tuple[str, str]:
    """Return title and meaning of the number of substitutions by variants.

    Args:
        settings: Of ``scores.json``.
    """
    means, cost = soft_means(settings) or "nothing", settings["soft_cost"]
    if cost:
        return (
            "Substitutions by variants",
            f"Soft-equal by {means}; each costs {cost:.2g} of an error in Soft PER.",
        )
    return "Substitutions forgiven", f"How many errors of PER Soft PER lets pass, by {means}."


def coverage(settings: Mapping[str, Any]) -> str:
    """Return sentences on where Soft PER forgives, and how much of an error is left.

    Args:
        settings: Of ``scores.json``.
    """
    pairs: Mapping[str, int] = settings.get("soft_coverage") or {}
    if not pairs:
        return ""
    found = [_classes(settings, list(pairs))]
    if 2 in settings["soft_tiers"]:
        known = ", ".join(f"{counted(number, 'pair')} for {language}" for language, number in pairs.items())
        found.append(f"Its pairs of phones hold in one language each: {known}.")
    else:
        found.append("Its pairs of phones are not in use.")
    if settings["soft_preset"] == "none":
        found = ["It has no table."]
    if further := len(settings["soft_extra_pairs"]):
        found.append(f"{counted(further, 'further pair')} {'was' if further == 1 else 'were'} added.")
    if cost := settings["soft_cost"]:
        found.append(f"A substitution that they make soft-equal still costs {cost:.2g} of an error.")
    return " ".join(found)


def soft_means(settings: Mapping[str, Any]) -> str:
    """Return by what phones are soft-equal; nothing where only the same phone is.

    Args:
        settings: Of ``scores.json``.
    """
    preset, tiers = settings["soft_preset"], () if settings["soft_preset"] == "none" else settings["soft_tiers"]
    classes = "reconstructed classes" if preset == "paper" else "classes"
    parts = [name for tier, name in ((1, classes), (2, "pairs of phones")) if tier in tiers]
    return " and ".join([*parts, *(["added pairs"] if settings["soft_extra_pairs"] else [])])


def _classes(settings: Mapping[str, Any], languages: list[str]) -> str:
    if 1 not in settings["soft_tiers"]:
        return "Its classes are not in use."
    if settings["soft_tier1_scope"] == "universal":
        return "Its classes hold in every language."
    listed = [language for language in languages if language in ALLOVERA_LANGUAGES]
    where = f": {', '.join(listed)}" if listed else ", to which none of these belongs"
    return f"Its classes hold in the languages of AlloVera only{where}."
