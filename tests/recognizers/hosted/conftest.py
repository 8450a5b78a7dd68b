import pytest
from chat_server import ChatServer
from hosted_parts import ANSWERS, CANARY, FakeClock

from pedkit.recognizers.hosted import HostedRecognizer


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
    # Slow, and nobody here speaks TLS.
    monkeypatch.setattr("ssl.SSLContext.load_verify_locations", lambda *_, **__: None)
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
