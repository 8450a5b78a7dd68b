from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from miniature_set import utterance, write_set
from omegaconf import open_dict

from pedkit.errors import PedkitError
from synthetic.verify import verify

CONF = Path(__file__).resolve().parents[2] / "conf"


@pytest.fixture
def config(tmp_path):
    """Return a function that composes ``conf/verify.yaml`` for a small set and a recognizer that knows it."""
    made = write_set(tmp_path / "made", [utterance(f"u{k}", "B AH T", "B AH T") for k in range(19)])

    def make(*overrides):
        with initialize_config_dir(str(CONF), version_base="1.3"):
            cfg = compose("verify", overrides=[f"set={made}", *overrides])
        with open_dict(cfg):
            cfg.recognizer = {"_target_": "miniature_set.KnowingRecognizer", "said": {"u3": "P AH"}}
        return cfg

    return make


def test_the_last_lines_say_what_was_accepted_and_what_that_is_worth(config, tmp_path, capsys):
    record = verify(config())
    assert record["settings"] == {"unedited_refused": 0.05, "threshold": None, "within": None, "neighbours": 4}
    first, *_, last = capsys.readouterr().out.splitlines()
    refused = record["refused"]["overall"]["refused"]
    assert first == (
        f"{tmp_path / 'made'}: {19 - refused} of 19 recordings accepted: train.accepted.jsonl ({19 - refused})"
    )
    assert (
        last == f"reasons, scores and rivals: {tmp_path / 'made' / 'acceptance.jsonl'}; by voice: acceptance.json"
    )


def test_settings_are_checked_by_their_names(config):
    with pytest.raises(PedkitError, match="expected within to be"):
        verify(config("within=gender"))
    with pytest.raises(PedkitError, match="expected unedited_refused over 0 and under 1, but got 2"):
        verify(config("unedited_refused=2.0"))
    with pytest.raises(PedkitError, match="expected the folder of a finished set"):
        verify(config("set=nowhere"))


def test_a_model_of_train_py_listens_unless_another_is_chosen():
    with initialize_config_dir(str(CONF), version_base="1.3"):
        assert compose("verify").recognizer._target_ == "pedkit.recognizers.from_run"
