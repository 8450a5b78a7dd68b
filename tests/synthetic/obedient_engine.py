"""An engine for tests: it says what it is told, a tenth of a second a phone, each phone a tone of its own."""

import os
import signal
import time
import zlib
from dataclasses import replace

import numpy as np

from pedkit.errors import PedkitError
from synthetic.engines import Speech


class ObedientEngine:
    name = "obedient"
    version = "obedient 1"
    licence = "MIT"
    reports_phones = True

    def __init__(self, mumbles=None):
        self.mumbles = mumbles
        self.said = []

    def spoken(self, request):
        return request.phones

    def say(self, request):
        self.said.append(request)
        time = np.arange(800) / 8000
        tones = [np.sin(2 * np.pi * (200 + zlib.crc32(phone.encode()) % 2000) * time) for phone in request.phones]
        samples = (0.3 * np.concatenate(tones)).astype(np.float32)
        phones = ("<?>",) if self.mumbles in request.phones else request.phones
        return Speech(samples=samples, sample_rate=8000, phones=phones)

    def voices(self):
        return ["f1", "m1", "f9"]

    def voice_licence(self, voice):
        return {"f1": "CC0-1.0"}.get(voice, "MIT")

    def voice_facts(self, voice):
        return {"gender": "female"} if voice.startswith("f") else {}


def mumbling():
    """Return an engine that promises to say N and then does not."""
    return ObedientEngine(mumbles="N")


class TroubledEngine(ObedientEngine):
    """Breaks in a way of its own for each of five vowels; built in the process that it breaks."""

    def say(self, request):
        vowels = {phone.rstrip("012") for phone in request.phones}
        if "AY" in vowels:
            os.kill(os.getpid(), signal.SIGKILL)
        if "EY" in vowels:
            time.sleep(600)
        if "OW" in vowels:
            raise ValueError("no model for\nthis")
        speech = super().say(request)
        if "IY" in vowels:
            return replace(speech, samples=np.append(speech.samples, np.float32(np.nan)))
        return replace(speech, samples=0 * speech.samples) if "UW" in vowels else speech


class HopelessEngine(ObedientEngine):
    def say(self, request):
        raise PedkitError(f"the voice {request.voice!r} has no data")


class AbsentEngine(ObedientEngine):
    """Cannot be built."""

    def __init__(self):
        raise PedkitError("the speech engine 'absent' is not installed", hint="pip install absent")
