"""Epitran (MIT): IPA by spelling rules, for languages that espeak-ng lacks."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pedkit.data.g2p.engine import IpaLine, not_installed, package_version


class EpitranIpa:
    """Epitran with the rules of one language (see `IpaEngine`). It knows neither numerals nor signs.

    Args:
        code: Language and script as Epitran names them, such as ``sna-Latn``.

    Raises:
        PedkitError: Epitran is not installed.
    """

    def __init__(self, code: str) -> None:
        try:
            from epitran.simple import SimpleEpitran  # `Epitran` loads the same three times over
        except ImportError:
            raise not_installed("the G2P Epitran", "g2p") from None
        self.code = code
        self._rules = SimpleEpitran(code)

    @property
    def name(self) -> str:
        """Engine, version and rules."""
        return f"epitran {package_version('epitran')} ({self.code})"

    def transcribe(self, lines: Sequence[str]) -> list[IpaLine]:
        """Return the IPA of each line, words parted by blanks."""
        return [IpaLine(" ".join(map(self._rules.transliterate, _words(line)))) for line in lines]


def _words(line: str) -> list[str]:
    """Return the words without punctuation; apostrophes are letters of some languages (n' in Shona)."""
    plain = line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    kept = "".join(c if c == "'" or unicodedata.category(c)[0] in "LMN" else " " for c in plain)
    return [word for word in kept.split() if word.strip("'")]
