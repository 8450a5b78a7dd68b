"""Engines for tests: the real one where it is installed, a clean skip elsewhere."""

import importlib

import pytest

from synthetic.engines import ENGINES, EngineNotInstalledError


def installed(name, **settings):
    module, _, engine = ENGINES[name].rpartition(".")
    try:
        return getattr(importlib.import_module(module), engine)(**settings)
    except EngineNotInstalledError as error:
        pytest.skip(str(error))
