import pytest

from synthetic import settings
from synthetic.design import SPLITS, NeighbourSource, UniformSource


def test_short_is_about_a_quarter_of_demo(make_config):
    demo, short = (make_config(f"synthetic={name}", engine=None).synthetic.sizes for name in ("demo", "short"))
    assert dict(demo) == {"train": 640, "dev": 100, "test_seen": 100, "test_unseen": 100}
    for split in SPLITS:
        assert short[split] / demo[split] == pytest.approx(0.25, abs=0.011)
        assert short[split] % 4 == demo[split] % 4 == 0  # half have an error, half of these are substitutions


@pytest.mark.parametrize(("name", "source"), [("neighbour", NeighbourSource), ("uniform", UniformSource)])
def test_each_source_is_built_by_its_name(make_config, name, source):
    built = settings.error_source(make_config(f"synthetic/source={name}", engine=None))
    assert isinstance(built, source)
    assert built.name == name


def test_the_settings_that_decide_the_set_are_recorded_whole(make_config):
    cfg = make_config("seed=3", engine=None)
    record = settings.settings_record(cfg)
    assert record["seed"] == 3
    assert set(record) == {"seed", "name", "sizes", "words", "errors", "source", "speech", "post_processing"}
    assert record["speech"]["rate"] == [140, 190]


@pytest.mark.espeak
def test_the_voices_exist_and_say_their_gender(espeak, make_config):
    design = settings.design_settings(make_config(engine=None))
    seen = [espeak.voice_facts(voice)["gender"] for voice in design.seen_voices]
    unseen = [espeak.voice_facts(voice)["gender"] for voice in design.unseen_voices]
    assert (seen.count("female"), seen.count("male")) == (10, 10)
    assert (unseen.count("female"), unseen.count("male")) == (3, 3)
