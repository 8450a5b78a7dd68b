import pytest

from pedkit.errors import PedkitError
from synthetic.engines.voices import FewVoices, Voice


class Engine(FewVoices[Voice]):
    name = "some"


def test_an_engine_states_what_its_table_says_of_the_voices_that_are_installed():
    engine = Engine({"anna": Voice(gender="female", accent="scottish", licence="MIT")})
    assert engine.voices() == ["anna"]
    assert engine.voice_facts("anna") == {"gender": "female", "accent": "scottish"}
    assert engine.voice_licence("anna") == "MIT"
    for method in (engine.voice_facts, engine.voice_licence):
        with pytest.raises(PedkitError, match=r"some has no voice 'bob' \(installed: anna\)"):
            method("bob")
