"""Clips, keys and time for tests of hosted recognizers."""

import threading

import numpy as np

from pedkit.data.utterance import Utterance
from pedkit.recognizers.protocol import Clip

CANARY = "canary-key-0123456789abcdef"
ANSWERS = {
    1: '{"transcription": "θ ɪ ŋ k"}',
    2: '{"transcription": "s ɪ ŋ k"}',
    3: '{"transcription": ""}',
    4: "I cannot hear anything.",
    5: '{"transcription": "b ɪ"}',
    6: '{"transcription": "b i"}',
}


class FakeClock:
    """Time that passes only in waits, which it writes down."""

    def __init__(self):
        self.time, self.waits, self.stopped, self._lock = 0.0, [], False, threading.Lock()

    def now(self):
        return self.time

    def sleep(self, seconds):
        with self._lock:
            if seconds:
                self.waits.append(seconds)
            self.time += seconds
        return not self.stopped

    def stop(self):
        self.stopped = True

    def start(self):
        self.stopped = False


def clip_of(level, name=None, may_upload=True, seconds=0.1, **fields):
    """Return a clip whose every sample is ``level`` / 32768."""
    samples = np.full(round(16000 * seconds), level / 32768, dtype=np.float32)
    return Clip(Utterance(id=name or f"u{level}", may_upload=may_upload, **fields), samples)
