"""Flite as a speech engine: four American voices, exact phones, a few milliseconds a word."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping

import numpy as np

from synthetic.engines.diphones import with_gaps
from synthetic.engines.flite_library import FliteLibrary
from synthetic.engines.phone_map import symbol
from synthetic.engines.phrases import phrases
from synthetic.engines.protocol import Speech, SpeechRequest
from synthetic.engines.radio_phones import read_segments
from synthetic.engines.voices import FewVoices, Voice, expect_percent

_PAUSE = "pau"
_VOICES: Mapping[str, Voice] = {
    "kal16": Voice(gender="male", accent="american", licence="MIT-Festival"),
    "awb": Voice(gender="male", accent="scottish", licence="MIT-Festival"),
    "rms": Voice(gender="male", accent="american", licence="MIT-Festival", has_pitch=False),
    "slt": Voice(gender="female", accent="american", licence="MIT-Festival"),
}


class FliteEngine(FewVoices[Voice]):
    """Flite from its shared library (see `SpeechEngine`).

    Rate and pitch are percent of the voice's own: 120 is a fifth faster or higher. The engine takes no stress:
    of an unstressed phone only AH0 sounds otherwise. ``rms`` has no other pitch than its own.

    Raises:
        EngineNotInstalledError: The library is not there.
    """

    name = "flite"
    version = "flite 2"
    licence = "MIT-Festival"
    reports_phones = True

    def __init__(self) -> None:
        self._library = FliteLibrary(tuple(_VOICES))
        super().__init__({name: _VOICES[name] for name in self._library.voices})
        self._lock = threading.Lock()

    def _rate_and_pitch(self, request: SpeechRequest) -> tuple[float, float]:
        rate = expect_percent("rate", request.rate, self.name)
        return rate, self._voice(request.voice).pitch(request.pitch, self.name)

    def spoken(self, request: SpeechRequest) -> tuple[str, ...]:
        """Return the request's phones, with a mark such as ``<hh-k>`` where the voice lacks the diphone."""
        self._rate_and_pitch(request)
        return with_gaps(request.phones, _written(request), engine=self.name, voice=request.voice, pause=_PAUSE)

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at 16 kHz; the phones are those of the segments that were joined."""
        promised = self.spoken(request)
        rate, pitch = self._rate_and_pitch(request)
        with self._lock:
            samples, sample_rate, segments = self._library.synthesize(
                _with_pauses(_written(request)),
                request.voice,
                slowness=100 / rate,
                pitch=pitch,
                seed=request.noise_seed,
            )
        said = read_segments(segments, request.phones)
        return Speech(
            samples=samples.astype(np.float32) / np.float32(32768),
            sample_rate=sample_rate,
            phones=promised if said == request.phones else said,
        )


def _written(request: SpeechRequest) -> list[list[str]]:
    return [[symbol(phone, "flite", "flite") for word in phrase for phone in word] for phrase in phrases(request)]


def _with_pauses(written: list[list[str]]) -> str:
    return " ".join([_PAUSE, *itertools.chain.from_iterable([*phrase, _PAUSE] for phrase in written)])
