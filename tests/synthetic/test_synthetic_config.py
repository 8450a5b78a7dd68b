import pytest
from omegaconf import OmegaConf

from pedkit.errors import PedkitError
from synthetic import settings
from synthetic.design import SPLITS, NeighbourSource, UniformSource
from synthetic.synthesize import synthesize


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
    assert set(record) == {
        "seed", "name", "sizes", "words", "errors", "source", "speech", "post_processing", "addition", "carriers",
    }  # fmt: skip
    assert record["speech"]["rate"] == [140, 190]


@pytest.mark.espeak
def test_the_voices_exist_and_say_their_gender(espeak, make_config):
    (cast,) = settings.design_settings(make_config(engine=None)).casts.values()
    seen = [espeak.voice_facts(voice)["gender"] for voice in cast.seen]
    unseen = [espeak.voice_facts(voice)["gender"] for voice in cast.unseen]
    assert (seen.count("female"), seen.count("male")) == (10, 10)
    assert (unseen.count("female"), unseen.count("male")) == (3, 3)


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("seed=abc", "seed to be a whole number, but got 'abc'"),
        ("seed=1.5", "seed to be a whole number, but got 1.5"),
        ("workers=x", "workers to be a whole number or null, but got 'x'"),
        ("output_dir=5", "output_dir to be text, but got 5 (in quotes it is text: 'output_dir=\"5\"')"),
        ("synthetic.errors.share=abc", "synthetic.errors.share to be a number, but got 'abc'"),
        ("~synthetic.errors", "synthetic.errors to be keys with values, but got null"),
        ("synthetic.sizes.train=x", "synthetic.sizes.train to be a whole number, but got 'x'"),
        ("synthetic.words.not_in=a.jsonl", "synthetic.words.not_in to be a list, but got 'a.jsonl'"),
        ("synthetic.speech.pitch=5", "synthetic.speech.pitch to be a list or null, but got 5"),
        ("synthetic.speech.rate=[1]", "synthetic.speech.rate to be a list or null, but got [1]"),
        ("synthetic.source.temperature=x", "synthetic.source.temperature to be a number, but got 'x'"),
        ("synthetic.post_processing.peak=x", "synthetic.post_processing.peak to be a number, but got 'x'"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_named_as_it_is_typed(make_config, override, expected):
    with pytest.raises(PedkitError) as caught:
        settings.design_settings(make_config(override, engine=None))
    assert str(caught.value) == f"expected {expected}"


@pytest.mark.parametrize(
    ("key", "what"),
    [
        ("synthetic.speech.engine", "a speech engine"),
        ("synthetic.source", "a source of errors"),
        ("synthetic.post_processing", "post-processing"),
    ],
)
def test_a_target_that_makes_something_else_is_one_sentence(make_config, tmp_path, key, what):
    cfg = make_config(engine=None)
    OmegaConf.update(cfg, key, {"_target_": "os.getcwd"}, merge=False, force_add=True)
    with pytest.raises(PedkitError) as caught:
        synthesize(cfg)
    assert str(caught.value) == f"expected {key}._target_ to name {what}, but os.getcwd makes a str"


@pytest.mark.parametrize(("source", "key"), [("estimated", "manifest"), ("confusions", "confusions")])
def test_a_setting_that_must_be_given_is_named_whole(make_config, source, key):
    with pytest.raises(PedkitError, match=rf"the setting synthetic\.source\.{key} must be given"):
        settings.design_settings(make_config(f"synthetic/source={source}", engine=None))
