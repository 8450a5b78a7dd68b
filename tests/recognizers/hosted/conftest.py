import threading

import numpy as np
import pytest
from chat_server import ChatServer

from pedkit.data.utterance import Utterance
from pedkit.recognizers.hosted import HostedRecognizer
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


@pytest.fixture
def server():
    one = ChatServer(ANSWERS)
    yield one
    one.close()


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture(autouse=True)
def key(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEST_API_KEY", CANARY)
    return CANARY


@pytest.fixture
def recognizer(server, clock, tmp_path):
    """Make recognizers in front of the server; one request at a time unless told otherwise."""

    def make(**settings):
        traffic = {"concurrency": 1, "timeout": 5.0, **settings.pop("traffic", {})}
        given = {"model": "listener", "base_url": server.url, "api_key_env": "TEST_API_KEY"}
        places = {"cache_dir": tmp_path / "cache", "clock": clock}
        return HostedRecognizer(**{**given, **places, **settings, "traffic": traffic})

    make.server = server
    return make
