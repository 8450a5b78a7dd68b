import doctest
import importlib
import pkgutil

import pytest

import pedkit.scoring

MODULES = [f"pedkit.scoring.{module.name}" for module in pkgutil.iter_modules(pedkit.scoring.__path__)]
WITH_EXAMPLES = {"inventory_f1", "mdd", "pairs", "scorer", "text"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0
    assert (result.attempted > 0) == (name.rpartition(".")[2] in WITH_EXAMPLES)
