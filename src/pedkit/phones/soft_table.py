"""The table behind soft equivalence: classes for every language, pairs for some."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError
from pedkit.phones._tables import TABLES

_TIE_BARS = str.maketrans({"g": "ɡ", "\u0361": None, "\u035c": None})

#: The languages of AlloVera (ISO 639-3).
ALLOVERA_LANGUAGES = (
    "amh", "cmn", "deu", "eng", "fra", "ita", "jav", "jpn", "kaz", "rus", "spa", "tgl", "tur", "vie",
)  # fmt: skip


@dataclass(frozen=True)
class SoftTable:
    """Which IPA symbols are soft-equal.

    Attributes:
        name: Name of the preset, or of the own table.
        tier1: Classes of symbols that are equal in every language; every known symbol is in exactly one.
        tier2: Unordered pairs of symbols -> the languages (ISO 639-3) in which they are equal.
        canonical: Phone -> (language, phoneme) that won it; empty where the rule has no winners.
        sources: What the table was made from.
    """

    name: str
    tier1: tuple[frozenset[str], ...]
    tier2: Mapping[frozenset[str], frozenset[str]]
    canonical: Mapping[str, tuple[str, str]]
    sources: Mapping[str, str]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of classes, of symbols and of pairs."""
        return len(self.tier1), sum(len(group) for group in self.tier1), len(self.tier2)

    def coverage(self, language: str) -> int:
        """Return how many pairs of the second tier hold in a language (ISO 639-3)."""
        return sum(language in languages for languages in self.tier2.values())

    def save(self, path: str | Path) -> Path:
        """Write a table file, which ``SoftTable.load`` and ``soft_preset=FILE.json`` read."""
        target = Path(path)
        text = json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"
        target.write_text(text, encoding="utf-8")
        return target

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of a table file."""
        return {
            "preset": self.name,
            "sources": dict(self.sources),
            "canonical": {p: {"lang": lang, "phoneme": q} for p, (lang, q) in sorted(self.canonical.items())},
            "tier1": sorted(sorted(group) for group in self.tier1),
            "tier2": [
                {"pair": pair, "languages": languages}
                for pair, languages in sorted((sorted(p), sorted(langs)) for p, langs in self.tier2.items())
            ],
        }

    @classmethod
    def preset(cls, name: str) -> SoftTable:
        """Return a table that ships with pedkit: ``paper``, ``canonical``, ``allovera_only`` or ``allophonic``."""
        return cls.load(TABLES / "softper" / f"{name}.json")

    @classmethod
    def load(cls, path: str | Path) -> SoftTable:
        """Read a table file.

        Raises:
            PedkitError: The file is not a table of soft equivalence.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            return cls(
                name=content["preset"],
                tier1=tuple(frozenset(group) for group in content["tier1"]),
                tier2={frozenset(row["pair"]): frozenset(row["languages"]) for row in content["tier2"]},
                canonical={p: (row["lang"], row["phoneme"]) for p, row in content.get("canonical", {}).items()},
                sources=content.get("sources", {}),
            )
        except OSError as error:
            raise PedkitError(
                f"this table of soft equivalence cannot be read: {error.strerror}", file=path
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PedkitError(
                f"expected a soft-equivalence table (JSON with preset, tier1, tier2), but got {error!r}",
                file=path,
            ) from None


def soft_spelling(symbol: str) -> str:
    """Return the spelling under which symbols are compared: NFD, ``ɡ`` for ``g``, no tie bars, no outer blanks."""
    return unicodedata.normalize("NFD", symbol.strip().translate(_TIE_BARS))
