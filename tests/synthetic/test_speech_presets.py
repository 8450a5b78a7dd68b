from pathlib import Path

import pytest
from engine_contexts import request
from hydra import compose, initialize_config_dir
from installed_engines import installed
from omegaconf import OmegaConf

from pedkit.building import check
from synthetic.engines import ENGINES

CONF = Path(__file__).resolve().parents[2] / "conf"
SINGLE = sorted(ENGINES)


def speech(name):
    with initialize_config_dir(str(CONF), version_base="1.3"):
        cfg = compose("synthesize", overrides=[f"synthetic/speech={name}"])
    return OmegaConf.to_container(cfg.synthetic.speech, resolve=True)


def test_there_is_a_preset_for_every_engine():
    files = {path.stem for path in (CONF / "synthetic" / "speech").glob("*.yaml")}
    assert files == {*ENGINES, "several"}


@pytest.mark.parametrize("name", SINGLE)
def test_a_preset_names_its_engine_and_fits_its_arguments(name):
    preset = speech(name)
    assert preset["engine"]["_target_"] == ENGINES[name]
    check(preset["engine"], "synthetic.speech.engine")
    assert not set(preset["voices"]["seen"]) & set(preset["voices"]["unseen"])
    assert set(preset) == {"engine", "voices", "rate", "pitch"}


@pytest.mark.parametrize("name", [name for name in SINGLE if name != "kokoro"])
def test_its_voices_exist_and_can_speak_as_fast_and_as_high_as_it_asks(name):
    preset = speech(name)
    settings = {key: value for key, value in preset["engine"].items() if key != "_target_"}
    engine = installed(name, **settings)
    for voice in [*preset["voices"]["seen"], *preset["voices"]["unseen"]]:
        if voice not in engine.voices():
            continue  # some of an engine's voices are packages of their own
        for which in (0, 1):
            rate, pitch = (
                None if limits is None else limits[which] for limits in (preset["rate"], preset["pitch"])
            )
            asked = request("K AE1 T", voice, rate=rate, pitch=pitch)
            assert engine.say(asked).phones in (asked.phones, None)


def test_several_holds_the_presets_as_they_are_with_weights():
    engines = speech("several")["engines"]
    assert list(engines) == ["espeak", "flite", "festival", "mbrola"]
    for name, preset in engines.items():
        assert preset.pop("weight") > 0
        assert preset == speech(name)
