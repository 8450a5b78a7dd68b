import json

import pytest

from pedkit.errors import PedkitError
from pedkit.evaluation.seen import UsedData, refuse_seen, seen_roles, used_before, used_by_model, used_data


@pytest.mark.parametrize(
    ("used_split", "asked_split", "overlap"),
    [
        (None, None, True),
        (None, "test", True),
        ("train", None, True),
        ("train", "train", True),
        ("train", "test", False),
    ],
)
def test_splits_of_one_manifest_are_told_apart(used_split, asked_split, overlap):
    assert UsedData("train", "abc", used_split).overlaps("abc", asked_split) is overlap
    assert UsedData("train", "abc", used_split).overlaps("another", asked_split) is False


def test_a_run_says_what_it_used(tmp_path):
    data = [
        {"role": "train", "name": "real", "path": "m.jsonl", "sha256": "aa", "split": "train"},
        {"role": "dev", "name": "real", "path": "m.jsonl", "sha256": "aa", "split": "dev"},
        {"role": "train", "name": "words", "path": "w.jsonl", "sha256": "bb"},
    ]
    (tmp_path / "run.json").write_text(json.dumps({"name": "x", "data": data}))
    used = used_data(tmp_path)
    assert seen_roles(used, "aa", "test") == ()
    assert seen_roles(used, "aa", "dev") == ("dev",)
    assert seen_roles(used, "aa", None) == ("train", "dev")
    assert seen_roles(used, "bb", "test") == ("train",)


def test_seen_data_is_refused_and_stamped_when_allowed():
    with pytest.raises(PedkitError) as error:
        refuse_seen("real", "m.jsonl", ("train", "dev"), allow_seen=False)
    assert str(error.value).startswith(
        "m.jsonl: the test set 'real' served to train and to choose the checkpoint of this model (evaluate"
    )
    assert refuse_seen("real", "m.jsonl", ("dev",), allow_seen=True).startswith(
        "Seen data: this set served to choose the checkpoint of this model."
    )
    assert refuse_seen("real", "m.jsonl", (), allow_seen=False) is None


@pytest.mark.parametrize("content", [None, "{", '{"data": [{}]}', '{"data": 3}', "[]"])
def test_a_folder_that_is_no_run_is_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(PedkitError, match="run"):
        used_data(tmp_path)


def test_an_exported_model_says_what_it_used_and_hands_it_on(tmp_path):
    data = [{"role": "train", "name": None, "path": "m.jsonl", "sha256": "aa", "split": "train"}]
    (tmp_path / "pedkit.json").write_text(json.dumps({"run": "x", "data": data}))
    assert used_by_model(tmp_path) == (UsedData("train", "aa", "train", "m.jsonl"),)
    assert used_before({"encoder": {"name": str(tmp_path)}}) == [
        {"role": "train", "name": "before", "path": f"{tmp_path}: m.jsonl", "sha256": "aa", "split": "train"}
    ]


@pytest.mark.parametrize("model", [{}, {"encoder": 3}, {"encoder": {"name": None}}, {"encoder": {"name": "a/b"}}])
def test_of_weights_from_elsewhere_nothing_is_known(model):
    assert used_before(model) == []
