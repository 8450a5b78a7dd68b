"""The eleven languages of the bias study, and which engine pronounces which."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from pedkit.data.g2p.engine import IpaEngine
from pedkit.data.g2p.epitran import EpitranIpa
from pedkit.data.g2p.espeak import EspeakIpa
from pedkit.data.g2p.g2p_plus import G2pPlus
from pedkit.errors import PedkitError
from pedkit.phones import primary_subtag

BACKENDS = ("auto", "g2p+", "espeak", "epitran")


@dataclass(frozen=True, slots=True)
class Language:
    """What the engines call a language; ``None`` where they do not have it, or not soundly.

    Attributes:
        name: English name.
        short: ISO 639-1 code, as the bias study writes it.
        espeak: Voice of espeak-ng, also of G2P+'s phonemizer.
        phonemizer: The same where phonemizer has another name for it.
        epitran: Rules of Epitran.
    """

    name: str
    short: str
    espeak: str | None = None
    phonemizer: str | None = None
    epitran: str | None = None


LANGUAGES: dict[str, Language] = {
    "ara": Language("Arabic", "ar", "ar", epitran="ara-Arab"),
    "ben": Language("Bengali", "bn", "bn", epitran="ben-Beng"),
    "eng": Language("English", "en", "en-us"),
    "fra": Language("French", "fr", "fr", phonemizer="fr-fr", epitran="fra-Latn"),
    "hin": Language("Hindi", "hi", "hi", epitran="hin-Deva"),
    "pan": Language("Panjabi", "pa", "pa", epitran="pan-Guru"),
    "sna": Language("Shona", "sn", epitran="sna-Latn"),
    "spa": Language("Spanish", "es", "es", epitran="spa-Latn"),
    "tam": Language("Tamil", "ta", "ta", epitran="tam-Taml"),
    "tel": Language("Telugu", "te", "te", epitran="tel-Telu"),
    "tur": Language("Turkish", "tr", "tr", epitran="tur-Latn"),
}
"""By ISO 639-3 code, the form of `Utterance.language`."""


def listed_code(language: str) -> str:
    """Return which of the languages a code or tag (``eng``, ``en``, ``en-GB``) names; any other one as it came."""
    first = primary_subtag(language)
    return next((code for code, entry in LANGUAGES.items() if first in (code, entry.short)), language)


def open_engine(language: str, backend: str = "auto") -> IpaEngine:
    """Return an engine for one of the eleven languages.

    Args:
        language: ISO 639-3 or 639-1 code, or a tag that begins with one.
        backend: ``g2p+``, ``espeak``, ``epitran``, or ``auto``: G2P+ where it is installed, else espeak-ng, and
            Epitran for Shona, which espeak-ng lacks. Engines differ in their phones, so numbers made with
            different ones do not compare; `IpaEngine.name` says which one it was.

    Raises:
        PedkitError: The language or the backend is unknown, the backend lacks the language, or is not installed.
    """
    if backend not in BACKENDS:
        raise PedkitError(f"expected 'backend' to be one of {', '.join(BACKENDS)}, but got {backend!r}")
    found = LANGUAGES.get(listed_code(language))
    if found is None:
        known = ", ".join(f"{code} ({entry.name})" for code, entry in LANGUAGES.items())
        raise PedkitError(f"there is no G2P for the language {language!r}; there is for {known}")
    if backend == "auto":
        backend = "g2p+" if importlib.util.find_spec("g2p_plus") else "espeak" if found.espeak else "epitran"
    if backend == "g2p+" and found.espeak is not None:
        return G2pPlus("phonemizer", found.phonemizer or found.espeak)
    if backend == "g2p+" and found.epitran is not None:
        return G2pPlus("epitran", found.epitran)
    if backend == "espeak" and found.espeak is not None:
        return EspeakIpa(found.espeak)
    if backend == "epitran" and found.epitran is not None:
        return EpitranIpa(found.epitran)
    raise PedkitError(f"{backend} has no {found.name}", hint="backend=auto takes one that has")
