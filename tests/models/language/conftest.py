"""Folders of tiny audio language models, written once for all tests, and models loaded from them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pedkit.models.language import AudioLanguageModel, load_audio_language_model
from tests.models.language.tiny_audio_models import KINDS, save_tiny


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a kind of model."""
    root = tmp_path_factory.mktemp("tiny_audio_models")

    def folder(kind: str) -> Path:
        path = root / kind
        return path if path.is_dir() else save_tiny(kind, path)

    return folder


@pytest.fixture
def load(tiny_folder: Callable[[str], Path]) -> Callable[..., AudioLanguageModel]:
    """Return what loads a tiny model in fp32; with adapters of rank 4 unless told otherwise."""

    def loaded(kind: str, **settings: Any) -> AudioLanguageModel:
        if "adapter" not in settings:
            settings.setdefault("lora", {"r": 4, "alpha": 8})
        settings.setdefault("dtype", "float32")
        return load_audio_language_model(tiny_folder(kind), **settings)

    return loaded


@pytest.fixture(scope="session")
def shared(tiny_folder: Callable[[str], Path]) -> Callable[[str], AudioLanguageModel]:
    """Return what gives the one model of a kind for tests that change nothing about it; rank 4, fp32."""

    @cache
    def model(kind: str) -> AudioLanguageModel:
        return load_audio_language_model(tiny_folder(kind), lora={"r": 4, "alpha": 8}, dtype="float32")

    return model


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Return each kind of model in turn."""
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(params=["qwen2_5_omni_thinker", "audioflamingo3"])
def main_kind(request: pytest.FixtureRequest) -> str:
    """Return the two kinds of the published experiments in turn."""
    return request.param  # type: ignore[no-any-return]
