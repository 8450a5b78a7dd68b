"""espeak-ng as a speech engine: American English, about 100 voice variants, a millisecond a word."""

from __future__ import annotations

import difflib
import threading
from collections.abc import Mapping, Sequence

import numpy as np

from pedkit.errors import PedkitError
from synthetic.engines.espeak_files import LANGUAGE, EspeakFiles
from synthetic.engines.espeak_library import EspeakLibrary
from synthetic.engines.espeak_spelling import read_trace, spell
from synthetic.engines.protocol import Speech, SpeechRequest

_RATE, _PITCH = 175, 50  # words a minute, and the middle of 0 to 99: the library's defaults


class EspeakEngine:
    """espeak-ng from the wheel ``espeakng-loader`` (see `SpeechEngine`).

    Voices are ``en-us`` or ``en-us+VARIANT``; rate is words a minute, 80 to 450, and pitch 0 to 99. The engine
    remembers the phase of its pitch flutter from one word to the next, so each word is said by a freshly loaded
    library.

    Raises:
        PedkitError: The wheel is not installed, or this system does not unload libraries.
    """

    name = "espeak"
    licence = "GPL-3.0-or-later"
    reports_phones = True

    def __init__(self) -> None:
        self._files = EspeakFiles()
        self._variants = self._files.variants()
        self._lock = threading.Lock()
        self._checking = EspeakLibrary(self._files.library("checking"), self._files.data)
        self._checking.set_voice(LANGUAGE)
        self._checking.speak("[[a]]", rate=_RATE, pitch=_PITCH, seed=0)
        self.version = f"espeak-ng {self._checking.version}"
        self._expect_fresh_state()

    def spoken(self, request: SpeechRequest) -> tuple[str, ...]:
        """Return the phones the engine would say, read from its phoneme trace."""
        self._expect_voice(request.voice)
        with self._lock:
            self._checking.set_voice(request.voice)
            return read_trace(self._checking.phonemes(spell(request.phones)))

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at 22050 Hz.

        Raises:
            PedkitError: The voice is unknown or the engine makes no sound.
        """
        self._expect_voice(request.voice)
        own = self._files.library(f"thread-{threading.get_ident()}")
        with EspeakLibrary(own, self._files.data) as library:
            library.set_voice(request.voice)
            samples, trace = library.speak(
                spell(request.phones),
                rate=_RATE if request.rate is None else round(request.rate),
                pitch=_PITCH if request.pitch is None else round(request.pitch),
                seed=request.noise_seed,
            )
            sample_rate = library.sample_rate
        scaled = samples.astype(np.float32) / np.float32(32768)
        return Speech(samples=scaled, sample_rate=sample_rate, phones=read_trace(trace))

    def voices(self) -> Sequence[str]:
        """Return ``en-us`` and its variants."""
        return [LANGUAGE, *(f"{LANGUAGE}+{variant}" for variant in self._variants)]

    def voice_licence(self, voice: str) -> str:
        """Return the licence of the engine, which is that of its voices too."""
        self._expect_voice(voice)
        return self.licence

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return the gender that the file of the voice variant states, if any."""
        self._expect_voice(voice)
        _, plus, variant = voice.partition("+")
        gender = self._files.gender(variant) if plus else None
        return {} if gender is None else {"gender": gender}

    def _expect_voice(self, voice: str) -> None:
        language, plus, variant = voice.partition("+")
        known = self._variants
        if language == LANGUAGE and (not plus or variant in known):
            return
        close = difflib.get_close_matches(variant, known, n=3, cutoff=0.5) or known
        raise PedkitError(
            f"expected a voice '{LANGUAGE}' or '{LANGUAGE}+VARIANT' of espeak-ng, but got {voice!r}",
            hint=f"variants: {', '.join(close)}",
        )

    def _expect_fresh_state(self) -> None:
        word = SpeechRequest(phones=("B", "AH1", "T", "ER0"), voice=LANGUAGE)
        first = self.say(word).samples
        if not np.array_equal(first, self.say(word).samples):
            raise PedkitError(
                "this system does not unload libespeak-ng, so that a word would depend on the words before it"
            )
