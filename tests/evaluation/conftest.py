"""Three utterances whose counts are worked out by hand in the tests that use them."""

import json

import pytest

from tests.evaluation.made_up_speakers import write_corpus

MANIFEST = [
    # one substitution, diagnosed; one false alarm
    {
        "id": "a",
        "canonical": "TH IH NG K",
        "realized": "S IH NG K",
        "speaker": "x:1",
        "groups": {"gender": "female"},
    },
    # one phone said and not heard
    {"id": "b", "canonical": "K AE T", "realized": "K AE T", "speaker": "x:1", "groups": {"gender": "female"}},
    # one inserted phone, missed
    {"id": "c", "canonical": "G OW", "realized": "G OW L", "speaker": "x:2", "groups": {"gender": "male"}},
]
PREDICTIONS = {"a": "S IH N K", "b": "K AE", "c": "G OW"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Twelve speakers of two accents; one of a third."""
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, accents={"english": 6, "indian": 6, "welsh": 1}, factors={"indian": 3.0}, utterances=3)
    return folder


@pytest.fixture
def write(tmp_path):
    """Write JSON lines under a name and return the path."""

    def _write(name, lines):
        path = tmp_path / name
        path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
        return path

    return _write


@pytest.fixture
def manifest(write):
    return write(
        "manifest.jsonl", [{"inventory": "cmu39", "language": "eng", "corpus": "toy"} | u for u in MANIFEST]
    )


@pytest.fixture
def predictions(write):
    return write("mine.jsonl", [{"id": name, "phones": phones} for name, phones in PREDICTIONS.items()])
