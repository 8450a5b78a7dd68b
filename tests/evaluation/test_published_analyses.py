"""The commands of docs/fairness.md, each run on a manifest that holds a reference problem."""

import csv
import json
import re
import shlex
from pathlib import Path

import pytest

from pedkit.evaluation.evaluate import evaluate
from pedkit.evaluation.fairness_files import GROUP_COLUMNS, PAIR_COLUMNS
from tests.evaluation.made_up_speakers import write_corpus
from tests.evaluation.test_evaluate import configuration

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/fairness.md").read_text(encoding="utf-8")
CASES = ROOT / "tests/fairness/cases"
COMMANDS = re.findall(r"```sh\n(.*?)\n```", DOCUMENT, flags=re.DOTALL)


def rows_of(name):
    with (CASES / name).open(newline="") as stream:
        return list(csv.DictReader(stream))


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def run(folder, word):
    """Run the one documented command that holds a word, in a folder, and return ``fairness.json``."""
    [command] = [command for command in COMMANDS if word in command]
    _, program, *overrides = shlex.split(command)
    assert program == "evaluate.py"
    pairs = dict(override.split("=", 1) for override in overrides)
    for key in ("predictions", "manifest", "output_dir"):
        pairs[key] = str(folder / pairs[key])
    evaluate(configuration(*(f"{key}={value}" for key, value in pairs.items())))
    assert Path(pairs["output_dir"], "report.html").exists()
    return json.loads(Path(pairs["output_dir"], "fairness.json").read_text())


def test_the_first_two_commands_run_as_they_stand(tmp_path):
    write_corpus(tmp_path, accents={"english": 17, "indian": 17}, utterances=1)
    (tmp_path / "first.jsonl").rename(tmp_path / "theirs.jsonl")
    (tmp_path / "words.jsonl").rename(tmp_path / "texts.jsonl")
    assert run(tmp_path, "theirs.jsonl")["settings"]["attributes"] == ["gender", "accent", "gender & accent"]
    assert run(tmp_path, "texts.jsonl")["settings"]["metrics"] == ["wer"]


def test_the_bias_study_can_be_run_again(tmp_path):
    # 25 utterances of 400 phones a speaker make rates of four decimals exact
    manifest, heard = [], []
    for row in rows_of("welch_a.csv"):
        errors = round(float(row["per"]) * 10_000)
        for k in range(25):
            wrong = errors // 25 + (k < errors % 25)
            name = f"{row['speaker']}-{k}"
            manifest.append(
                {"id": name, "inventory": "ipa", "language": "eng", "corpus": "study", "speaker": row["speaker"],
                 "canonical": ["t"] * 400, "groups": {"ethnicity": row["group"]}}
            )  # fmt: skip
            heard.append({"id": name, "phones": ["m"] * wrong + ["t"] * (400 - wrong)})
    write(tmp_path / "edacc.jsonl", manifest)
    write(tmp_path / "model.jsonl", heard)
    content = run(tmp_path, "bias_study")
    expected = json.loads((CASES / "welch_a.json").read_text())
    system = content["systems"]["model"]
    assert content["settings"]["metrics"] == ["per", "soft_per"]
    for row in system["by_group"]:
        if row["metric"] == "per":
            group = expected["groups"][row["value"]]
            rule = group["paper_rule"]
            assert (row["n_speakers"], row["interval"]["method"]) == (group["n_speakers"], rule)
            assert row["mean"] == pytest.approx(group["mean"], abs=1e-12)
            assert row["from_speaker_mean"]["value"] == pytest.approx(
                group["disparity_from_speaker_mean"], abs=1e-12
            )
            for end, value, deviation in zip(
                ("low", "high"), group[rule], group[f"{rule}_mc_sd_at_10000"], strict=True
            ):
                tolerance = 5 * deviation + 0.0006 * (group["n_speakers"] < 10)
                assert row["interval"][end] == pytest.approx(value, abs=tolerance)
    pairs = {frozenset((row["row"], row["column"])): row for row in system["pairwise"] if row["metric"] == "per"}
    for pair in expected["pairs"]:
        found = pairs[frozenset((pair["row"], pair["col"]))]
        assert found["p"] == pytest.approx(pair["p"], rel=1e-6)
        assert found["p_holm"] == pytest.approx(pair["p_holm"], rel=1e-6)


def test_faas_can_be_computed_again(tmp_path):
    pytest.importorskip("glmm")
    names = {
        "gender": "gender",
        "first_language": "l1",
        "socioeconomic_bkgd": "socioeconomic",
        "ethnicity": "ethnicity",
    }
    manifest, heard = [], []
    for k, row in enumerate(rows_of("glmm_b.csv")):
        length, errors = int(row["ref_len"]), int(row["errors"])
        wrong = min(errors, length)
        words = ["wrong"] * wrong + ["word"] * (length - wrong) + ["more"] * (errors - wrong)
        manifest.append(
            {"id": str(k), "corpus": "fair_speech", "speaker": row["speaker"], "text": " ".join(["word"] * length),
             "groups": {name: row[column] for column, name in names.items()}}
        )  # fmt: skip
        heard.append({"id": str(k), "text": " ".join(words)})
    write(tmp_path / "fair_speech.jsonl", manifest)
    write(tmp_path / "whisper.jsonl", heard)
    [found] = run(tmp_path, "fairness.faas")["systems"]["whisper"]["faas"]
    expected = json.loads((CASES / "glmm_b.json").read_text())["faas"]["published"]
    assert found["form"] == "published"
    for column, name in names.items():
        category, published = found["categories"][name], expected["categories"][column]
        assert category["category_score"] == pytest.approx(published["category_score"], abs=0.02)
        assert category["likelihood_ratio"]["p"] == pytest.approx(published["p"], rel=0.02)
    assert found["overall_score"] == pytest.approx(29.347, abs=0.02)
    assert found["faas"] == pytest.approx(23.417, abs=0.01)


def test_the_python_snippets_say_what_they_print():
    first, second = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)
    for snippet in (first, second):
        names = {}
        lines = snippet.strip().splitlines()
        exec(compile("\n".join(line for line in lines if "  # " not in line), "fairness.md", "exec"), names)
        for line in (line for line in lines if "  # [" in line or "  # (" in line):
            code, said = line.split("  # ", 1)
            value = re.match(r"\[.*\]|\([\d, ]+\)", said)[0]
            assert eval(code, names) == eval(value)


@pytest.mark.parametrize("columns", [GROUP_COLUMNS, PAIR_COLUMNS])
def test_every_column_is_documented(columns):
    named = set(re.findall(r"`(\w+)`", DOCUMENT))
    for suffix in ("_low", "_high"):
        named.add(f"disparity_from_group_means{suffix}")
    assert set(columns) - named - {"system", "attribute", "corpus", "value", "metric"} == set()
