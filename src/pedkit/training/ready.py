"""From a configuration to data and model that are ready to be trained: what trainings and dry runs begin with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypedDict, get_type_hints

from omegaconf import DictConfig, OmegaConf

from pedkit.building import build, check
from pedkit.errors import PedkitError
from pedkit.hints import conform
from pedkit.secrets import refuse_secrets

MAX_SEED = 2**32 - 1
"""The largest seed that numpy takes."""

_Part = Annotated[dict[str, Any], "a preset"]


class _Settings(TypedDict):
    """What trainings read of the configuration."""

    name: str
    seed: int
    select_on: str
    output_dir: str
    requires: list[dict[str, str]] | None
    data: _Part
    model: _Part
    trainer: _Part
    steps: dict[str, Any] | None
    callbacks: dict[str, dict[str, Any] | None]
    logger: dict[str, dict[str, Any] | None] | None


def startable(cfg: DictConfig) -> dict[str, Any]:
    """Return the configuration as plain containers, once the files are there that other commands make.

    Raises:
        PedkitError: As `resolved`; or a file of ``requires`` is missing, and the command that makes it is named.
    """
    settings = resolved(cfg)
    for need in settings.get("requires") or ():
        if not Path(need["file"]).is_file():
            raise PedkitError("no such file", file=need["file"], hint=f"make it with: {need['command']}")
    return settings


def resolved(cfg: DictConfig) -> dict[str, Any]:
    """Return the configuration as plain containers.

    Raises:
        PedkitError: A value that must be said (``???``) was not, one is of another kind, or one is a secret.
    """
    missing = list(missing_settings(cfg))
    if missing:
        raise PedkitError(f"the setting {missing[0]} must be given", hint=f"add {missing[0]}=... to the command")
    settings: dict[str, Any] = OmegaConf.to_container(cfg, resolve=True)  # type: ignore[assignment]
    refuse_secrets(settings)  # before a message could repeat one
    if settings.get("prompt") and "prompt" not in settings["model"]:
        raise PedkitError("prompt=... is for audio language models, and this model is none", hint="leave it out")
    for key, hint in get_type_hints(_Settings, include_extras=True).items():
        conform(settings.get(key), hint, key)
    if not 0 <= settings["seed"] <= MAX_SEED:
        raise PedkitError(f"expected seed to be from 0 to {MAX_SEED}, but got {settings['seed']}")
    return settings


def missing_settings(cfg: DictConfig, place: str = "") -> Iterator[str]:
    """Yield the dotted names of the values that must be said (``???``) and were not."""
    for key in map(str, cfg):
        if OmegaConf.is_interpolation(cfg, key):
            continue
        if OmegaConf.is_missing(cfg, key):
            yield f"{place}{key}"
        elif OmegaConf.is_dict(cfg[key]):
            yield from missing_settings(cfg[key], f"{place}{key}.")


def ready_data(settings: Mapping[str, Any]) -> Any:
    """Return the data module, set up; the settings are checked and the seed is set before.

    Args:
        settings: The resolved configuration.

    Raises:
        PedkitError: A setting cannot be used, or an utterance, which is named with its manifest and line.
    """
    from pytorch_lightning import seed_everything

    check(settings)
    seed_everything(settings["seed"], workers=True, verbose=False)
    data = build(settings["data"], "data")
    with places_named(data):
        data.setup()
    return data


def ready_model(settings: Mapping[str, Any], data: Any) -> Any:
    """Return the module that is to be trained on these data.

    Args:
        settings: The resolved configuration.
        data: What `ready_data` returned.

    Raises:
        PedkitError: The model cannot be built, or cannot learn these data.
    """
    module = build(settings["model"], "model")
    with places_named(data):
        module.check_data(data.train_set, data.dev_sets)
    return module


@contextmanager
def places_named(data: Any) -> Iterator[None]:
    """Say of an utterance that cannot be used where its manifest has it."""
    try:
        yield
    except PedkitError as error:
        raise data.located(error) from error
