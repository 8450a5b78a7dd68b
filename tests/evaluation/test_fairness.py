import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from pedkit.data.manifest import read_manifest
from pedkit.errors import PedkitError
from pedkit.evaluation.evaluate import evaluate
from pedkit.evaluation.fairness_files import GROUP_COLUMNS, PAIR_COLUMNS
from pedkit.evaluation.score import score
from pedkit.evaluation.words import score_words
from tests.evaluation.made_up_speakers import FAST
from tests.evaluation.test_evaluate import configuration

ROOT = Path(__file__).parents[2]


def compared(folder, systems=("first",), **settings):
    result = score(
        predictions=[folder / f"{name}.jsonl" for name in systems],
        manifest=folder / "manifest.jsonl",
        groups=["accent"],
        fairness=FAST | settings,
    )
    return result.fairness


def of(rows, **wanted):
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def test_groups_are_compared_by_speaker_with_the_numbers_of_the_definition(manifest, predictions):
    # x:1 (female): one error of 4 and one of 3 phones; x:2 (male): one error of 3
    result = score(predictions=predictions, manifest=manifest, groups=["gender"], fairness=FAST)
    rows = of(result.fairness["systems"]["mine"]["by_group"], metric="per")
    assert [(row["value"], row["mean"], row["n_speakers"], row["n_utterances"]) for row in rows] == [
        ("female", pytest.approx(2 / 7), 1, 2),
        ("male", pytest.approx(1 / 3), 1, 1),
    ]
    assert all(row["interval"]["low"] is None and row["interval"]["reason"] for row in rows)
    [pair] = of(result.fairness["systems"]["mine"]["pairwise"], metric="per")
    assert (pair["p"], pair["stars"], pair["stars_holm"]) == (None, "", "")


def test_the_means_are_those_of_the_speakers_rates(corpus):
    content = compared(corpus, metrics=["per", "f1"])
    system = content["systems"]["first"]
    for metric in ("per", "f1"):
        for row in of(system["by_group"], metric=metric):
            rates = [one["rates"][metric] for one in system["speakers"] if one["groups"]["accent"] == row["value"]]
            assert row["mean"] == pytest.approx(sum(rates) / len(rates))
            assert row["n_speakers"] == len(rates)


def test_a_large_gap_is_found_and_one_speaker_has_no_test(corpus):
    pairs = of(compared(corpus)["systems"]["first"]["pairwise"], metric="per")
    found = {(row["row"], row["column"]): row for row in pairs}
    assert found["english", "indian"]["p_holm"] < 0.05
    assert found["english", "indian"]["interval"]["high"] < 0
    for other in ("english", "indian"):
        row = found[other, "welsh"]
        assert (row["p"], row["stars_holm"], row["n_tests"]) == (None, "", 1)
        assert "1 speaker" in row["reason"]


def test_without_speakers_there_are_point_estimates_only(corpus):
    utterances = [replace(one, speaker=None) for one in read_manifest(corpus / "manifest.jsonl")]
    result = score(predictions=corpus / "first.jsonl", manifest=utterances, groups=["accent"], fairness=FAST)
    system = result.fairness["systems"]["first"]
    rows = of(system["by_group"], metric="per")
    assert all(row["n_speakers"] is None and row["mean"] is None and row["pooled"]["value"] > 0 for row in rows)
    assert all(row["p"] is None for row in system["pairwise"])
    assert "no interval and no test" in " ".join(system["notes"])
    assert (system["speakers"], result.fairness["confounding"]) == ([], [])


def test_one_utterance_without_a_speaker_is_enough_for_no_model(corpus):
    pytest.importorskip("glmm")
    utterances = read_manifest(corpus / "manifest.jsonl")
    utterances[0] = replace(utterances[0], speaker=None)
    settings = {"resamples": 100, "faas": True}
    result = score(predictions=corpus / "first.jsonl", manifest=utterances, groups=["accent"], fairness=settings)
    system = result.fairness["systems"]["first"]
    assert {one["reason"] for one in system["models"]} == {"1 of 39 utterances has no speaker id"}
    assert [one["faas_reason"] for one in system["faas"]] == ["1 of 39 utterances has no speaker id"]


def test_the_gap_of_two_systems_is_compared_on_the_same_speakers(corpus):
    content = compared(corpus, ("first", "second"))
    [row] = of(content["change_of_gap"], metric="per", row="english", column="indian")
    means = {
        (name, one["value"]): one["mean"]
        for name in ("first", "second")
        for one in of(content["systems"][name]["by_group"], metric="per")
    }
    for gap, name in (("first_gap", "first"), ("second_gap", "second")):
        assert row[gap] == pytest.approx(means[name, "english"] - means[name, "indian"])
    assert row["change"] == pytest.approx(row["second_gap"] - row["first_gap"])
    assert row["interval"]["low"] < row["change"] < row["interval"]["high"]


def test_files_hold_every_group_and_pair(corpus, tmp_path):
    cfg = configuration(
        f"predictions={corpus / 'first.jsonl'}", f"manifest={corpus / 'manifest.jsonl'}", f"output_dir={tmp_path}",
        "groups=[accent,gender*accent]", "fairness.resamples=200", "fairness.model=false", "report=true",
    )  # fmt: skip
    evaluate(cfg)
    content = json.loads((tmp_path / "fairness.json").read_text())
    assert content["settings"]["attributes"] == ["accent", "gender & accent"]
    for name, columns, number in (
        ("fairness_groups.csv", GROUP_COLUMNS, 4 * (1 + 3 + 5)),
        ("fairness_pairs.csv", PAIR_COLUMNS, 4 * (3 + 10)),
    ):
        with (tmp_path / name).open(newline="", encoding="utf-8") as stream:
            header, *rows = csv.reader(stream)
        assert (tuple(header), len(rows)) == (columns, number)
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert "female & indian" in scores["systems"]["first"]["groups"]["gender*accent"]["made_up"]
    page = (tmp_path / "report.html").read_text()
    assert "By gender &amp; accent" in page
    assert "PER beside Soft PER" in page


def test_a_table_says_what_the_json_says(corpus, tmp_path):
    score(
        predictions=corpus / "first.jsonl", manifest=corpus / "manifest.jsonl", output_dir=tmp_path,
        groups=["accent"], fairness=FAST,
    )  # fmt: skip
    system = json.loads((tmp_path / "fairness.json").read_text())["systems"]["first"]
    with (tmp_path / "fairness_groups.csv").open(newline="") as stream:
        [row] = of(csv.DictReader(stream), value="indian", metric="frr")
    [group] = of(system["by_group"], value="indian", metric="frr")
    assert float(row["mean"]) == group["mean"]
    assert float(row["low"]) == group["interval"]["low"]
    assert float(row["disparity"]) == group["from_speaker_mean"]["value"]
    assert float(row["disparity_low"]) == group["from_speaker_mean"]["interval"]["low"]
    assert float(row["pooled"]) == group["pooled"]["value"]
    assert row["rate_ratio"] == ""  # no model was fitted
    with (tmp_path / "fairness_pairs.csv").open(newline="") as stream:
        [row] = of(csv.DictReader(stream), row="english", column="welsh", metric="frr")
    assert (row["p"], row["stars_holm"]) == ("", "")
    assert "1 speaker" in row["reason"]


def test_words_are_compared_too(corpus):
    result = score_words(
        predictions=corpus / "words.jsonl", manifest=corpus / "manifest.jsonl", groups=["accent"], fairness=FAST
    )
    rows = result.fairness["systems"]["words"]["by_group"]
    assert {row["metric"] for row in rows} == {"wer"}
    group = result.to_json()["systems"]["words"]["groups"]["accent"]["made_up"]["indian"]
    [row] = of(rows, value="indian")
    assert row["pooled"]["value"] == group["wer"]["value"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ci": "wide"}, "expected fairness.ci to be"),
        ({"metrics": ["cer"]}, "expected a metric out of per, soft_per"),
        ({"metrics": ["wer"]}, "'wer' cannot be compared where phones are scored .metric=wer"),
        ({"resamples": 10}, r"expected 'fairness.resamples' to be from 100 to 1,000,000, but got 10"),
        ({"model_resamples": 19}, r"expected 'fairness.model_resamples' to be from 39 to 100,000, but got 19"),
        ({"seed": -1}, "expected 'fairness.seed' to be 0 or more"),
        ({"model": "yes"}, "expected fairness.model to be"),
        ({"faas": "old"}, "expected fairness.faas to be"),
        ({"colour": 1}, "unknown setting 'fairness.colour'"),
        ({"sets": {"reference": ["a"]}}, "expected fairness.sets.compared to be"),
        (
            {"sets": {"reference": [], "compared": ["a"]}},
            "fairness.sets: expected two sets .* 'reference' is empty",
        ),
        ({"sets": {"reference": ["a", "b"], "compared": ["b"]}}, "fairness.sets: .* but 'b' stands there twice"),
    ],
)
def test_wrong_settings_are_one_sentence(corpus, settings, message):
    with pytest.raises(PedkitError, match=message):
        compared(corpus, **settings)


def test_covariates_enter_the_models_as_numbers_or_as_categories(corpus):
    pytest.importorskip("glmm")
    utterances = [
        replace(one, extra={"snr_db": 10 + k % 7})
        for k, one in enumerate(read_manifest(corpus / "manifest.jsonl"))
    ]
    settings = {"resamples": 100, "model_resamples": 39, "metrics": ["per"], "covariates": ["snr_db", "gender"]}
    content = score(
        predictions=corpus / "first.jsonl", manifest=utterances, groups=["accent", "gender"], fairness=settings
    ).fairness
    by_accent, by_gender = content["systems"]["first"]["models"]
    assert by_accent["formula"].startswith("per errors ~ snr_db + gender + accent + offset")
    assert {"snr_db", "gender=male", "accent=indian"} < set(by_accent["coefficients"])
    assert by_gender["formula"].startswith("per errors ~ snr_db + gender + offset")
    assert by_gender["p"] is not None


def test_a_key_that_is_named_twice_is_compared_once(corpus):
    content = score(
        predictions=corpus / "first.jsonl",
        manifest=corpus / "manifest.jsonl",
        groups=["accent", "accent*accent", "gender*accent*gender"],
        fairness=FAST,
    ).fairness
    assert content["settings"]["attributes"] == ["accent", "gender & accent"]


def test_a_covariate_that_no_utterance_has_is_named(corpus):
    with pytest.raises(
        PedkitError,
        match=r"no utterance has the covariate 'snr' \(duration, snr_db are measured where there is audio",
    ):
        compared(corpus, covariates=["snr"])


def test_models_and_faas_without_their_extra_say_its_name(corpus, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert compared(corpus, model=None)["systems"]["first"]["models"] == []
    for settings in ({"model": True}, {"faas": True}):
        with pytest.raises(
            PedkitError, match=r"need the extra 'glmm', which is not installed \(pip install 'pedkit\[glmm\]'"
        ):
            compared(corpus, **settings)


@pytest.mark.parametrize("settings", [{"fairness": None, "groups": ["accent"]}, {"fairness": FAST}])
def test_without_groups_or_settings_nothing_is_compared(corpus, tmp_path, settings):
    result = score(
        predictions=corpus / "first.jsonl", manifest=corpus / "manifest.jsonl", output_dir=tmp_path, **settings
    )
    assert result.fairness is None
    assert not list(tmp_path.glob("fairness*"))


def test_a_file_without_groups_is_scored_without_statistics_and_without_jiwer(corpus):
    command = [f"predictions={corpus / 'first.jsonl'}", f"manifest={corpus / 'manifest.jsonl'}"]
    code = (
        f"import runpy, sys; sys.argv = ['evaluate.py', *{command!r}]\n"
        "runpy.run_path('evaluate.py', run_name='__main__')\n"
        "heavy = ('torch', 'jiwer', 'scipy.stats', 'scipy.special', 'glmm', 'pedkit.fairness.frame')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_what_a_group_key_lacks_is_named(corpus):
    with pytest.raises(PedkitError, match=r"no utterance has the group key 'acent' \(did you mean 'accent'\?\)"):
        score(
            predictions=corpus / "first.jsonl", manifest=corpus / "manifest.jsonl", groups=["acent"], fairness=FAST
        )


def test_words_cannot_be_heard_and_phones_need_no_text(corpus):
    with pytest.raises(PedkitError, match="metric=wer compares texts that were heard already"):
        evaluate(configuration("metric=wer"))
