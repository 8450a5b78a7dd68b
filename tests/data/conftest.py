import numpy as np
import pytest
import soundfile

from pedkit.data.utterance import Audio, Utterance


@pytest.fixture
def make_utterance(tmp_path):
    """Return a function that writes a clip of constant level and describes it."""

    def make(name="a", seconds=0.5, realized=("S", "IH", "T"), level=0.25, **fields):
        path = tmp_path / f"{name}.wav"
        soundfile.write(path, np.full(round(seconds * 16000), level), 16000, subtype="FLOAT")
        fields = {"inventory": "cmu39", "canonical": ("S", "IH", "T"), "realized": realized, **fields}
        return Utterance(id=name, audio=Audio(str(path)), **fields)

    return make
