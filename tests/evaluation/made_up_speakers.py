"""A made-up corpus of speakers whose phones are heard wrong at known rates: nobody's speech, and no system's."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from pedkit.phones import get_inventory

PHONES = get_inventory("cmu39").phones
WORDS = ("turn", "the", "light", "off", "please", "what", "time", "is", "it", "now", "call", "me", "later")
ACCENTS = {"english": 20, "indian": 14, "scottish": 10, "chinese": 8, "irish": 5, "welsh": 3}
"""Speakers of each accent, 60 in all."""
EXTRA_ERRORS = {"indian": 1.5, "chinese": 2.2, "welsh": 1.2}
"""Times as many errors as for the other accents."""

FAST = {"resamples": 200, "model": False}
"""Settings of a comparison of groups that takes no time."""


def write_corpus(
    folder: Path,
    *,
    accents: Mapping[str, int] | None = None,
    factors: Mapping[str, float] | None = None,
    utterances: int = 8,
    phones: int = 25,
    spread: float = 0.3,
    seed: int = 1,
) -> None:
    """Write ``manifest.jsonl``, phones of two systems (``first.jsonl``, ``second.jsonl``) and ``words.jsonl``.

    Args:
        folder: Where to.
        accents: Speakers of each accent.
        factors: Times as many errors by accent, in the first system; half the surplus in the second.
        utterances: Of each speaker.
        phones: Of each utterance, on average.
        spread: Standard deviation of the speakers on the log scale.
        seed: Of everything.
    """
    rng = random.Random(seed)
    lines: dict[str, list[object]] = {"manifest": [], "first": [], "second": [], "words": []}
    factors = EXTRA_ERRORS if factors is None else factors
    people = [accent for accent, number in (accents or ACCENTS).items() for _ in range(number)]
    for number, accent in enumerate(people):
        rate = 0.14 * rng.lognormvariate(0, spread)
        factor = factors.get(accent, 1.0)
        groups = {
            "gender": ("female", "male")[number % 2],
            "age_group": ("adult", "child")[number % 5 == 0],
            "accent": accent,
        }
        for k in range(utterances):
            name = f"{number:02d}-{k}"
            canonical = rng.choices(PHONES, k=rng.randint(phones // 2, 3 * phones // 2))
            realized = [rng.choice(PHONES) if rng.random() < 0.12 else phone for phone in canonical]
            line = {"id": name, "inventory": "cmu39", "language": "eng", "corpus": "made_up", "groups": groups}
            words = rng.choices(WORDS, k=rng.randint(4, 12))
            line |= {"speaker": f"made_up:{number}", "text": " ".join(words).capitalize() + "."}
            lines["manifest"].append(line | {"canonical": canonical, "realized": realized})
            lines["words"].append({"id": name, "text": " ".join(heard(words, rate * factor, rng, WORDS))})
            hoped = [c if rng.random() < 0.3 else r for c, r in zip(canonical, realized, strict=True)]
            for system, chance in (("first", rate * factor), ("second", rate * (1 + (factor - 1) / 2))):
                lines[system].append({"id": name, "phones": heard(hoped, chance, rng)})
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in lines.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def heard(said: Sequence[str], chance: float, rng: random.Random, others: Sequence[str] = PHONES) -> list[str]:
    """Return what was said, each replaced or lost with a chance, sometimes with another one after it."""
    out: list[str] = []
    for one in said:
        draw = rng.random()
        if draw < chance * 0.7:
            out.append(rng.choice(others))
        elif draw >= chance * 0.9:
            out.append(one)
        if rng.random() < chance * 0.1:
            out.append(rng.choice(others))
    return out
