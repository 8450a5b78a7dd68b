"""espeak-ng as a speech engine: four accents of English, about 100 voice variants, a millisecond a word."""

from __future__ import annotations

import difflib
import threading
from collections.abc import Mapping, Sequence

import numpy as np

from pedkit.errors import PedkitError
from synthetic.engines.espeak_accents import ACCENTS, AMERICAN, accent_of
from synthetic.engines.espeak_files import EspeakFiles
from synthetic.engines.espeak_library import EspeakLibrary
from synthetic.engines.espeak_spelling import read_trace, spell
from synthetic.engines.phrases import phrases
from synthetic.engines.protocol import Speech, SpeechRequest

_RATE, _PITCH = 175, 50  # words a minute, and the middle of 0 to 99: the library's defaults
_RATES, _PITCHES = (80, 450), (0, 99)


class EspeakEngine:
    """espeak-ng from the wheel ``espeakng-loader`` (see `SpeechEngine`).

    Voices are ``ACCENT`` or ``ACCENT+VARIANT`` (``en-us``, ``en-gb+f3``); rate is words a minute, 80 to 450, and
    pitch 0 to 99. Phrases of up to 8 words are said in one breath. The engine remembers the phase of its pitch
    flutter from one word to the next, so each request is said by a library that has forgotten everything.

    Raises:
        EngineNotInstalledError: The wheel is not there.
        PedkitError: This system does not unload libraries.
    """

    name = "espeak"
    licence = "GPL-3.0-or-later"
    reports_phones = True
    _lock = threading.Lock()  # of all engines: the C library has one random generator

    def __init__(self) -> None:
        self._files = EspeakFiles()
        self._variants = self._files.variants()
        self._checking = EspeakLibrary(self._files.library("checking"), self._files.data)
        self._checked_accent = AMERICAN
        self._checking.set_voice(AMERICAN)
        self._checking.speak("[[a]]", rate=_RATE, pitch=_PITCH, seed=0)
        self._speaking = EspeakLibrary(self._files.library("speaking"), self._files.data)
        self.version = f"espeak-ng {self._checking.version}"
        self._expect_fresh_state()

    def spoken(self, request: SpeechRequest) -> tuple[str, ...]:
        """Return the phones the engine would say, read from its phoneme trace."""
        self._expect_voice(request.voice)
        _rate_and_pitch(request)
        text, (accent, _) = _input(request), accent_of(request.voice)
        with self._lock:
            if accent != self._checked_accent:  # a variant changes the sound, not the phones
                self._checking.set_voice(accent)
                self._checked_accent = accent
            return read_trace(self._checking.phonemes(text), request.word_starts)

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at 22050 Hz.

        Raises:
            PedkitError: The voice is unknown, rate or pitch is out of range, or a phone is not in CMU-39.
        """
        self._expect_voice(request.voice)
        rate, pitch = _rate_and_pitch(request)
        text, library = _input(request), self._speaking
        with self._lock:
            library.forget()
            library.set_voice(request.voice)
            samples, trace = library.speak(text, rate=rate, pitch=pitch, seed=request.noise_seed)
        scaled = samples.astype(np.float32) / np.float32(32768)
        return Speech(
            samples=scaled, sample_rate=library.sample_rate, phones=read_trace(trace, request.word_starts)
        )

    def voices(self) -> Sequence[str]:
        """Return each accent, alone and with each variant."""
        endings = ["", *(f"+{variant}" for variant in self._variants)]
        return [accent + ending for accent in ACCENTS for ending in endings]

    def voice_licence(self, voice: str) -> str:
        """Return the licence of the engine, which is that of its voices too."""
        self._expect_voice(voice)
        return self.licence

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return the accent, and the gender where the file of the voice variant states it."""
        self._expect_voice(voice)
        accent, variant = accent_of(voice)
        gender = self._files.gender(variant) if variant else None
        facts = {"accent": ACCENTS[accent].accent}
        return facts if gender is None else {**facts, "gender": gender}

    def _expect_voice(self, voice: str) -> None:
        accent, variant = accent_of(voice)
        if voice == accent or variant in self._variants:
            return
        close = difflib.get_close_matches(variant, self._variants, n=3, cutoff=0.5) or self._variants
        raise PedkitError(f"espeak-ng has no voice {voice!r}", hint=f"variants: {', '.join(close)}")

    def _expect_fresh_state(self) -> None:
        word = SpeechRequest(phones=("B", "AH1", "T", "ER0"), voice=AMERICAN)
        first = self.say(word).samples
        if not np.array_equal(first, self.say(word).samples):
            raise PedkitError(
                "this system does not unload libespeak-ng, so that a word would depend on the words before it"
            )


def _input(request: SpeechRequest) -> str:
    accent, _ = accent_of(request.voice)
    return ", ".join(spell(phrase, accent) for phrase in phrases(request))


def _rate_and_pitch(request: SpeechRequest) -> tuple[int, int]:
    return _whole("rate", request.rate, _RATE, _RATES), _whole("pitch", request.pitch, _PITCH, _PITCHES)


def _whole(name: str, value: float | None, own: int, limits: tuple[int, int]) -> int:
    low, high = limits
    if value is not None and not low <= value <= high:
        raise PedkitError(f"expected a {name} from {low} to {high} for espeak-ng, but got {value}")
    return own if value is None else round(value)
