"""The documents list exactly the keys, columns and fields that are written."""

import csv
import json
import re
from pathlib import Path

import pytest

from pedkit.evaluation.alignment_text import ALIGNMENT_COLUMNS
from pedkit.evaluation.rows import CONFUSION_COLUMNS, PHONE_COLUMNS, UTTERANCE_COLUMNS
from pedkit.evaluation.score import score
from pedkit.evaluation.settings import ScoreSettings
from pedkit.scoring import FIELDS, OUTCOME_FIELDS

DOCS = Path(__file__).parents[2] / "docs"
EVALUATION = (DOCS / "evaluation.md").read_text(encoding="utf-8")
RATE = {"value", "numerator", "denominator", "reason"}


def documented():
    """Return path -> form, as the table of ``scores.json`` has them."""
    table = EVALUATION[EVALUATION.index("`scores.json` (a test") : EVALUATION.index("`alignment.csv`: ")]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| `")]
    return {path: form.strip() for paths, form in rows for path in re.findall(r"`([^`]+)`", paths)}


class Checker:
    """Walks through scores and keeps which documented paths were met, and which keys no path allows."""

    def __init__(self, forms):
        self.forms, self.met, self.strange = forms, set(), []

    def walk(self, value, path="", at=""):
        """Check what stands under one documented path; ``at`` is its place in the file."""
        form = self.forms.get(path, "")
        self.met.add(path)
        if form == "RATE":
            assert set(value) == RATE, at
            return
        named = re.findall("`(.+)`", form)
        starts = named if form.startswith("as ") else [path, *named]
        children = {child: f"{start}.{child}".lstrip(".") for start in starts for child in self.children(start)}
        if not isinstance(value, dict):
            return
        free = next((child for child in children if child.isupper()), None)
        for key, inner in value.items():
            child = key if key in children else free
            if child is None:
                self.strange.append(f"{at}.{key}".lstrip("."))
            else:
                self.walk(inner, children[child], f"{at}.{key}")

    def children(self, start):
        start = f"{start}." if start else ""
        return {path.removeprefix(start).split(".")[0] for path in self.forms if path.startswith(start)}


@pytest.fixture
def scores(write, tmp_path):
    said = {"id": "a", "inventory": "cmu39", "canonical": "TH IH NG K", "realized": "S IH NG K", "corpus": "toy",
            "words": [{"text": "think", "start": 0, "end": 4}], "target_span": [0, 2],
            "groups": {"gender": "female"}}  # fmt: skip
    heard = {"id": "a", "inventory": "ipa", "phones": "s ɪ ʔ k", "outcome": "json"}
    predictions = write("p.jsonl", [heard])
    score(
        predictions=predictions, manifest=write("m.jsonl", [said]), output_dir=tmp_path / "out",
        groups=["gender"], tr_range=True,
    )  # fmt: skip
    return tmp_path / "out"


def test_scores_json_has_the_documented_keys_and_no_other(scores, write):
    checker = Checker(documented())
    checker.walk(json.loads((scores / "scores.json").read_text(encoding="utf-8")))
    assert checker.strange == []
    # a symbol that no table knows stands in IPA only
    line = {"id": "a", "inventory": "ipa", "language": "deu", "realized": "t S"}
    other = score(predictions=write("q.jsonl", [{"id": "a", "phones": "t"}]), manifest=write("n.jsonl", [line]),
                  projection="none")  # fmt: skip
    checker.walk(other.to_json())
    assert checker.strange == []
    assert set(checker.forms) - checker.met == set()


def test_the_check_finds_what_is_not_documented(scores):
    content = json.loads((scores / "scores.json").read_text(encoding="utf-8"))
    content["systems"]["p"]["colour"] = 1
    content["systems"]["p"]["mdd_profiles"]["kaldi3"]["shade"] = 1
    content["systems"]["p"]["groups"]["gender"]["toy"]["female"]["tint"] = {}
    forms = documented()
    del forms["systems.NAME.statuses.STATUS"]
    checker = Checker(forms)
    checker.walk(content)
    assert checker.strange == [
        "systems.p.mdd_profiles.kaldi3.shade",
        "systems.p.groups.gender.toy.female.tint",
        "systems.p.statuses",
        "systems.p.colour",
    ]


def test_settings_are_those_of_the_command(scores):
    settings = json.loads((scores / "scores.json").read_text(encoding="utf-8"))["settings"]
    assert set(settings) == set(ScoreSettings.__dataclass_fields__) | {
        "inventory",
        "soft_coverage",
        "manifest",
        "predictions",
    }


@pytest.mark.parametrize(
    ("file", "columns"),
    [
        ("alignment.csv", ALIGNMENT_COLUMNS),
        ("utterances.csv", UTTERANCE_COLUMNS),
        ("confusions.csv", CONFUSION_COLUMNS),
        ("phones.csv", PHONE_COLUMNS),
    ],
)
def test_columns_of_the_tables_are_documented_in_order(scores, file, columns):
    paragraph = next(part for part in EVALUATION.split("\n\n") if part.startswith(f"`{file}`: "))
    text = paragraph.replace("TA, FR_sub, FR_del, ...", ", ".join(OUTCOME_FIELDS))
    named = ", ".join(re.findall(r"`([^`]+)`", text)[1:]).replace("\n", " ").split(", ")
    assert named[: len(columns)] == list(columns)
    with (scores / file).open(newline="", encoding="utf-8") as stream:
        assert next(csv.reader(stream)) == list(columns)


def test_every_count_is_documented():
    text = (DOCS / "scoring.md").read_text(encoding="utf-8")
    table = text[text.index("| field | counts |") : text.index("## Error rates")]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("|")]
    named = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    outcomes = {*OUTCOME_FIELDS, *(f"kaldi3_{name}" for name in OUTCOME_FIELDS)}
    assert set(named) - outcomes == set(FIELDS) - outcomes
    assert {"TA", "FR_sub", "DU_ins", "kaldi3_TA"} <= set(named)
