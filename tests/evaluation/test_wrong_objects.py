"""What a call in Python can get wrong: one sentence, never a count of something else."""

import pytest

from pedkit import PedkitError, Prediction, Utterance, score

SAID = Utterance(id="a", inventory="cmu39", canonical=("S", "IH"), realized=("S", "IH"))
HEARD = Prediction(id="a", phones=("S", "IH"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"predictions": [{"id": "a", "phones": ["S"]}]}, r"hold Prediction objects, .* {'id'.*from_dict"),
        ({"predictions": {"mine": None}}, "predictions to be a file or Prediction objects, but got None"),
        ({"predictions": [HEARD, 5]}, "hold Prediction objects, but entry 1 is 5"),
        ({"predictions": [HEARD, HEARD]}, "utterance 'a': this id stands twice"),
        ({"manifest": None}, "manifest to be a file or Utterance objects, but got None"),
        ({"manifest": ["m.jsonl"]}, "hold Utterance objects, but entry 0 is 'm.jsonl'$"),
        ({"manifest": [SAID, SAID], "missing": "empty"}, "utterance 'a': this id stands twice"),
        ({"manifest": []}, "there is no utterance"),
        ({"fairness": True}, "fairness to be a mapping of settings"),
    ],
)
def test_objects_of_another_kind_are_named(wrong, message):
    with pytest.raises(PedkitError, match=message):
        score(**{"predictions": [HEARD], "manifest": [SAID], **wrong})


@pytest.mark.parametrize("phones", ["S", "S IH", float("nan")])
@pytest.mark.parametrize("role", ["canonical", "realized", "predicted"])
@pytest.mark.parametrize("settings", [{}, {"projection": "none", "language": "eng"}])
def test_a_string_where_phones_belong_is_no_list_of_letters(phones, role, settings):
    sequences = {"canonical": ("S",), "realized": ("S",), "predicted": ("S",), role: phones}
    heard = Prediction(id="a", phones=sequences.pop("predicted"))
    with pytest.raises(PedkitError, match=f"utterance 'a': expected '{role}' to be a tuple of phones"):
        score(predictions=[heard], manifest=[Utterance(id="a", inventory="cmu39", **sequences)], **settings)


def test_no_phones_at_all_are_not_an_empty_answer():
    with pytest.raises(PedkitError, match="utterance 'a': expected phones, but got None"):
        score(predictions=[Prediction(id="a", phones=None)], manifest=[SAID])


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"soft_preset": "papre"}, "^expected a soft preset out of paper"),
        ({"soft_preset": "absent.json"}, "^absent.json: this table of soft equivalence cannot be read: No"),
        ({"soft_tiers": [3]}, "^expected tiers out of 1 and 2"),
        ({"soft_extra_pairs": [["t", "ɾ", "english"]]}, "^expected an ISO 639-3 code"),
    ],
)
def test_settings_of_soft_per_are_not_blamed_on_an_utterance(setting, message):
    with pytest.raises(PedkitError, match=message):
        score(predictions=[HEARD], manifest=[SAID], **setting)


def test_a_file_that_is_missing_stops_before_the_first_system_is_scored(tmp_path):
    with pytest.raises(PedkitError, match="absent: no such file"):
        score(
            predictions={"mine": [HEARD], "theirs": tmp_path / "absent"},
            manifest=[SAID],
            output_dir=tmp_path / "o",
        )
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize("setting", [{}, {"split": "test"}])
def test_a_manifest_without_an_utterance_is_named(setting, tmp_path):
    path = tmp_path / "m.jsonl"
    path.touch()
    with pytest.raises(PedkitError, match=f"^{path}: there is no utterance"):
        score(predictions=[HEARD], manifest=path, **setting)
