import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import pedkit.scoring
from pedkit.scoring import PROFILES, MddCounts
from pedkit.scoring.fields import DETECTION_FIELDS, ERROR_RATE_FIELDS

DOCUMENT = (Path(__file__).parents[2] / "docs/scoring.md").read_text(encoding="utf-8")
MODULES = [f"pedkit.scoring.{module.name}" for module in pkgutil.iter_modules(pedkit.scoring.__path__)]
WITH_EXAMPLES = {"inventory_f1", "mdd", "pairs", "scorer", "text"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0
    assert (result.attempted > 0) == (name.rpartition(".")[2] in WITH_EXAMPLES)


def test_example_of_the_document(capsys):
    [code] = re.findall(r"```python\n(.*?)```", DOCUMENT, flags=re.DOTALL)
    names = {}
    exec(code, names)
    assert names["scored"].counts.per.value == pytest.approx(1 / 3)
    assert names["scored"].counts.mdd().rates()["f1"].value == pytest.approx(2 / 3)
    assert names["total"] == names["scored"].counts
    assert capsys.readouterr().out.splitlines()[-1].split() == ["outcome", "CD", "TA", "FR"]


@pytest.mark.parametrize("name", [*ERROR_RATE_FIELDS, *DETECTION_FIELDS, *PROFILES, *MddCounts.of({}).rates()])
def test_every_number_is_documented(name):
    assert f"`{name}`" in DOCUMENT
