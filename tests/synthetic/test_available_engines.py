import pytest
from obedient_engine import ObedientEngine

from pedkit.errors import PedkitError
from synthetic.engines import ENGINES, EngineNotInstalledError, available_engines


def absent():
    raise EngineNotInstalledError("talker", "apt-get install talker")


def test_what_is_installed_is_built_and_the_rest_is_named_with_the_remedy():
    found = available_engines({"one": ObedientEngine, "two": absent})
    assert list(found.engines) == ["one"]
    assert found.engines["one"].voices() == ["f1", "m1", "f9"]
    assert found.absent == {"two": "the speech engine talker is not installed (apt-get install talker)"}


def test_an_engine_that_is_there_and_broken_is_no_absent_one():
    def broken():
        raise PedkitError("its data folder cannot be read")

    with pytest.raises(PedkitError, match="its data folder cannot be read"):
        available_engines({"one": ObedientEngine, "two": broken})


def test_every_engine_pedkit_knows_is_found_or_said_to_be_absent():
    found = available_engines()
    assert found.engines.keys() | found.absent.keys() == set(ENGINES)
    assert not found.engines.keys() & found.absent.keys()
    for name, engine in found.engines.items():
        assert engine.name == name
        assert engine.licence
        assert engine.version
        voice = engine.voices()[0]
        assert set(engine.voice_facts(voice)) <= {"accent", "gender"}
        assert engine.voice_licence(voice)
    assert all("not installed (" in sentence for sentence in found.absent.values())
