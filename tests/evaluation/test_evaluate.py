import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from pedkit.data.manifest import file_hash, read_manifest, write_manifest
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.evaluate import evaluate
from pedkit.evaluation.settings import ScoreSettings

ROOT = Path(__file__).parents[2]
REAL = "evaluation.test_sets.real"


class Parrot:
    """Hears what was realized; fails on one clip if told to. ``heard`` counts clips over all instances."""

    name, inventory, sample_rate = "parrot", "cmu39", 16000
    heard = 0

    def __init__(self, revision="aaaa1111", poison="", run_dir=None):
        self.revision, self.config_hash, self._poison, self.run_dir = revision, None, poison, run_dir

    def transcribe(self, batch):
        if any(clip.utterance.id == self._poison for clip in batch):
            raise RuntimeError("out of memory")
        Parrot.heard += len(batch)
        return [Prediction(id=clip.utterance.id, phones=clip.utterance.realized) for clip in batch]


class NeverBuilt:
    """A recognizer whose loading would be too late."""

    def __init__(self):
        raise AssertionError("it was loaded")


def configuration(*overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("evaluate", overrides=list(overrides))
    OmegaConf.set_struct(cfg, False)
    return cfg


@pytest.fixture
def recordings(tmp_path):
    """Two clips of split test and one of split train, in one manifest."""
    utterances = []
    for name, split, gender in (("a", "test", "female"), ("b", "test", "male"), ("c", "train", "male")):
        path = tmp_path / "audio" / f"{name}.flac"
        path.parent.mkdir(exist_ok=True)
        soundfile.write(path, np.zeros(8000), 16000)
        utterances.append(
            Utterance(
                id=name, audio=Audio(str(path)), inventory="cmu39", language="eng", split=split, corpus="toy",
                canonical=("TH", "IH"), realized=("S", "IH"), groups={"gender": gender}, text=f"word {name}",
            )
        )  # fmt: skip
    path = tmp_path / "real.jsonl"
    write_manifest(path, utterances)
    Parrot.heard = 0
    return path


@pytest.fixture
def hearing(recordings, tmp_path):
    """A configuration of one test set, heard by a parrot."""
    cfg = configuration(f"output_dir={tmp_path / 'out'}")
    cfg.recognizer = {"_target_": f"{__name__}.Parrot"}
    cfg.evaluation = {
        "output_dir": "unused",
        "title": "Parrot",
        "notes": ["A demonstration."],
        "test_sets": {
            "toy": {"manifest": str(recordings), "split": "test", "groups": ["gender"], "licence": "mine"}
        },
    }
    return cfg


def test_hearing_writes_predictions_scores_and_one_report(hearing, tmp_path):
    result = evaluate(hearing)["toy"]
    assert result["parrot"].counts.mdd().CD == 2
    assert result.settings["split"] == "test"
    out = tmp_path / "out"
    assert sorted(file.name for file in out.iterdir()) == ["config.yaml", "report.html", "run.json", "toy"]
    assert {"predictions.jsonl", "scores.json", "alignment.csv"} <= {file.name for file in (out / "toy").iterdir()}
    scores = json.loads((out / "toy" / "scores.json").read_text())
    assert list(scores["systems"]["parrot"]["groups"]["gender"]["toy"]) == ["female", "male"]
    record = json.loads((out / "run.json").read_text())
    assert (record["revision"], record["data"][0]["split"], record["faults"]) == ("aaaa1111", "test", [])
    time = record["data"][0]["processing_time"]
    assert time["clips"] + sum(time["left_out"].values()) == len(
        scores["systems"]["parrot"]["groups"]["gender"]["toy"]
    )
    assert {"rtf", "rtfx", "batch_sizes", "devices"} <= set(time)
    page = (out / "report.html").read_text()
    assert "A demonstration." in page
    assert "data:audio/ogg;base64," not in page  # nothing was heard wrongly, so there is no worst utterance


def test_worst_utterances_can_be_listened_to(hearing, recordings, tmp_path):
    worse = [json.loads(line) for line in recordings.read_text().splitlines()]
    predictions = tmp_path / "p.jsonl"
    predictions.write_text("".join(json.dumps({"id": u["id"], "phones": "B IH"}) + "\n" for u in worse))
    cfg = configuration(
        f"predictions={predictions}", f"manifest={recordings}", f"output_dir={tmp_path / 'o'}", "report=true"
    )
    evaluate(cfg)
    page = (tmp_path / "o" / "report.html").read_text()
    assert len(re.findall(r'<audio [^>]*src="data:audio/ogg;base64,', page)) == 3
    assert "word a" in page


def test_a_second_run_hears_nothing_again_and_another_checkpoint_everything(hearing, tmp_path, capsys):
    evaluate(hearing)
    evaluate(hearing)
    assert Parrot.heard == 2
    assert (
        f"toy: 2 predictions reused from {tmp_path / 'out' / 'toy' / 'predictions.jsonl'}"
        in capsys.readouterr().out
    )
    hearing.recognizer.revision = "bbbb2222"
    evaluate(hearing)
    assert Parrot.heard == 4
    hearing.recognizer.revision = "aaaa1111"
    evaluate(hearing)  # back again: what the first one heard is taken up
    assert Parrot.heard == 4
    assert len(list((tmp_path / "out" / "toy").glob("predictions.bbbb2222.*.jsonl"))) == 1


def test_failed_clips_end_with_an_error_after_everything_else_is_written(hearing, recordings, tmp_path):
    hearing.recognizer.poison = "a"
    hearing.evaluation.test_sets.other = {"manifest": str(recordings), "split": "train"}
    with pytest.raises(PedkitError, match="toy: 1 failed of 2 clips, the first is 'a': out of memory"):
        evaluate(hearing)
    assert (tmp_path / "out" / "other" / "scores.json").exists()
    assert (tmp_path / "out" / "report.html").exists()
    assert not (tmp_path / "out" / "toy" / "scores.json").exists()
    hearing.failed = "empty"
    with pytest.raises(PedkitError, match="1 failed of 2 clips"):
        evaluate(hearing)
    scores = json.loads((tmp_path / "out" / "toy" / "scores.json").read_text())
    assert scores["systems"]["parrot"]["statuses"]["failed"] == 1
    assert scores["systems"]["parrot"]["per"]["value"] == 0.5


@pytest.fixture
def trained(hearing, recordings, tmp_path):
    """The same, where the recognizer comes from a run that used the split ``train`` of the manifest."""

    def _trained(split):
        entry = {
            "role": "train",
            "name": "real",
            "path": str(recordings),
            "sha256": file_hash(recordings),
            "split": split,
        }
        (tmp_path / "run.json").write_text(json.dumps({"data": [entry]}))
        hearing.recognizer.run_dir = str(tmp_path)
        return hearing

    return _trained


def test_another_split_of_a_manifest_that_was_trained_on_is_fine(trained):
    assert set(evaluate(trained("train"))) == {"toy"}


@pytest.mark.parametrize("split", ["test", None])
def test_data_that_was_trained_on_is_refused_before_anything_is_heard(trained, split):
    with pytest.raises(PedkitError, match="the test set 'toy' served to train this model"):
        evaluate(trained(split))
    assert Parrot.heard == 0


def test_seen_data_is_stamped_where_it_is_allowed(trained, tmp_path):
    cfg = trained("test")
    cfg.allow_seen = True
    evaluate(cfg)
    assert "Seen data: this set served to train this model." in (tmp_path / "out" / "report.html").read_text()
    assert json.loads((tmp_path / "out" / "run.json").read_text())["data"][0]["seen"].startswith("Seen data")


def test_one_manifest_of_the_command_line_replaces_the_preset(hearing, recordings):
    hearing.manifest, hearing.split = str(recordings), "train"
    [(name, result)] = evaluate(hearing).items()
    assert (name, result["parrot"].counts["utterances"]) == ("real", 1)
    folder = Path(hearing.output_dir)
    assert {"scores.json", "predictions.jsonl", "report.html"} <= {file.name for file in folder.iterdir()}
    assert "demonstration" not in (folder / "report.html").read_text(encoding="utf-8")  # that is the preset's note


def test_without_a_report_no_page_of_an_older_result_is_left(hearing):
    evaluate(hearing)
    page = Path(hearing.output_dir) / "report.html"
    assert page.exists()
    hearing.report = False
    evaluate(hearing)
    assert not page.exists()


def test_a_page_of_something_else_stays(hearing):
    hearing.report = False
    page = Path(hearing.output_dir) / "report.html"
    page.parent.mkdir(parents=True)
    page.write_text("of something else")
    evaluate(hearing)
    assert page.read_text() == "of something else"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"groups": ["gendre"]},
            r"real.jsonl: no utterance has the group key 'gendre' \(did you mean 'gender'\?\)",
        ),
        ({"groups": "acent"}, "no utterance has the group key 'acent'"),
        ({"fairness.covariates": ["nope"]}, "no utterance has the covariate 'nope'"),
        (
            {"fairness.covariates": ["word"]},
            "utterance 'a': expected the covariate 'word' to be a number, but got",
        ),
        ({"evaluation.test_sets.toy.groups": ["acent"]}, "no utterance has the group key 'acent'"),
        ({"split": "train"}, r"names its own split \(add manifest=FILE, or set evaluation.test_sets.toy.split\)"),
        ({"output_dir": None, "evaluation.output_dir": None}, r"no place for its results \(add output_dir=DIR\)"),
    ],
)
def test_what_cannot_be_scored_is_said_before_anything_is_heard(hearing, recordings, settings, sentence):
    lines = [json.loads(line) | {"extra": {"word": "x"}} for line in recordings.read_text().splitlines()]
    recordings.write_text("".join(json.dumps(line) + "\n" for line in lines))
    hearing.recognizer = {"_target_": f"{__name__}.NeverBuilt"}
    for key, value in settings.items():
        OmegaConf.update(hearing, key, value)
    with pytest.raises(PedkitError, match=sentence):
        evaluate(hearing)


def test_a_preset_without_a_folder_is_one_sentence(hearing):
    hearing.output_dir = None
    del hearing.evaluation.output_dir
    with pytest.raises(PedkitError, match="the preset names no place for its results"):
        evaluate(hearing)


def test_covariates_that_there_are_let_hearing_begin(hearing):
    hearing.fairness.covariates, hearing.groups = ["duration", "split", "gender"], ["gender", "split"]
    hearing.fairness.model = False
    assert evaluate(hearing)["toy"].fairness["settings"]["covariates"] == ("duration", "split", "gender")
    assert Parrot.heard == 2


def test_a_missing_manifest_names_the_command_that_makes_it(hearing, tmp_path):
    hearing.evaluation.test_sets.toy = {"manifest": str(tmp_path / "none.jsonl"), "made_by": "python -m synthetic"}
    with pytest.raises(PedkitError, match=r"none.jsonl: no such manifest \(make it with: python -m synthetic\)"):
        evaluate(hearing)


def test_a_missing_run_says_what_to_do(recordings, tmp_path):
    cfg = configuration(
        f"manifest={recordings}", f"output_dir={tmp_path / 'out'}", f"recognizer.run_dir={tmp_path / 'nothing'}"
    )
    with pytest.raises(PedkitError, match=r"nothing: expected a run folder with run.json \(train first"):
        evaluate(cfg)


def test_a_hub_model_needs_its_name(recordings, tmp_path):
    cfg = configuration("recognizer=pretrained", f"manifest={recordings}", f"output_dir={tmp_path / 'out'}")
    with pytest.raises(PedkitError, match=r"the setting recognizer\.name must be given"):
        evaluate(cfg)


def test_a_manifest_of_the_command_line_needs_a_place_for_its_results(recordings):
    with pytest.raises(PedkitError, match=r"needs a place for its results \(add output_dir=DIR\)"):
        evaluate(configuration(f"manifest={recordings}"))


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("manifest=[a,b]", "expected manifest to be one path or null, but got ['a', 'b']"),
        ("manifest=", "expected manifest to be one path, but got ''"),
        ("predictions=5", "expected predictions to be one path or a list or null, but got 5"),
        ("report=maybe", "expected report to be true or false or null, but got 'maybe'"),
        ("textgrids=null", "expected textgrids to be true or false, but got null"),
        ("groups=[null]", "expected groups[0] to be text, but got null"),
        ("worst=x", "expected worst to be a whole number, but got 'x'"),
        ("soft_cost=x", "expected soft_cost to be a number, but got 'x'"),
        (f"{REAL}.groups=gender", f"expected {REAL}.groups to be a list, but got 'gender'"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_said_before_anything_is_heard(override, sentence):
    with pytest.raises(PedkitError) as error:
        evaluate(configuration(override))
    assert str(error.value) == sentence


def test_predictions_need_a_manifest(tmp_path):
    with pytest.raises(PedkitError, match="needs the manifest they are predictions of"):
        evaluate(configuration("predictions=p.jsonl"))


def test_without_an_output_folder_only_the_table_is_printed(manifest, predictions, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    evaluate(configuration(f"predictions={predictions}", f"manifest={manifest}"))
    out = capsys.readouterr().out
    assert "mine" in out
    assert "accept-all" in out
    assert sorted(tmp_path.iterdir()) == before


def test_settings_of_the_file_are_the_settings_of_the_python_call():
    cfg = OmegaConf.to_container(configuration())
    stated = {key: value for key, value in cfg.items() if key in ScoreSettings.__dataclass_fields__}
    assert set(stated) == set(ScoreSettings.__dataclass_fields__)
    stated["groups"] = ()  # null: the test set's own
    assert ScoreSettings.of(stated).to_json() == ScoreSettings().to_json()


@pytest.mark.parametrize("preset", ["demo", "short"])
def test_presets_name_sets_that_the_demo_makes(preset):
    cfg = configuration(f"evaluation={preset}")
    sets = cfg.evaluation.test_sets
    assert list(sets) == ["synthetic_seen", "synthetic_unseen", "other_engines", "real"]
    assert cfg.recognizer.run_dir == f"runs/{preset}/train"
    assert cfg.evaluation.output_dir == f"runs/{preset}/evaluation"
    assert sets.real.split == "test"
    own = [str(one.manifest) for name, one in sets.items() if name != "other_engines"]
    assert all(path.startswith(f"runs/{preset}/") for path in own)
    assert len(read_manifest(ROOT / sets.other_engines.manifest)) == 234


def test_recognizer_presets_fit_the_calls_they_make():
    import inspect

    from hydra.utils import get_method

    for preset in ("run", "pretrained"):
        values = OmegaConf.to_container(configuration(f"recognizer={preset}").recognizer)
        parameters = inspect.signature(get_method(values.pop("_target_"))).parameters
        assert set(values) <= set(parameters)


def test_the_command_scores_a_file_and_words_its_errors(manifest, predictions, tmp_path):
    def run(*arguments):
        command = [sys.executable, str(ROOT / "evaluate.py"), f"manifest={manifest}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)

    done = run(f"predictions={predictions}", f"output_dir={tmp_path / 'out'}", "groups=[gender]")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "out" / "scores.json").exists()
    failed = run("predictions=nothing.jsonl")
    assert (failed.returncode, failed.stderr) == (1, "error: nothing.jsonl: no such file\n")
    failed = run(f"predictions={predictions}", "misssing=empty")
    assert failed.returncode == 1
    assert failed.stderr.startswith("error: ")
    assert "'misssing'" in failed.stderr
    assert len(failed.stderr.splitlines()) == 1
