"""An engine for tests: it says what it is told, a tenth of a second a phone, each phone a tone of its own."""

import zlib

import numpy as np

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


class BrokenEngine(ObedientEngine):
    """Stops, as Ctrl-C would, when it is to say its sixth word."""

    def say(self, request):
        if len(self.said) == 5:
            raise KeyboardInterrupt
        return super().say(request)
