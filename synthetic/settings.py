"""From the config to the objects that do the work; the only file that knows its keys."""

from __future__ import annotations

import functools
import pydoc
from collections.abc import Callable
from typing import Any, get_type_hints

from omegaconf import DictConfig, OmegaConf

from pedkit.building import check
from pedkit.hints import conform
from pedkit.phones import Lexicon
from synthetic.building import built
from synthetic.design import Cast, DesignSettings, ErrorSource, read_design_settings, read_lexicon
from synthetic.engines import SpeechEngine
from synthetic.post_processing import PostProcessing

ENGINE = "engine"
"""What designs call the engine where only one speaks and what builds it has no name: its key in the config."""
_SPEECH, _SOURCE, _PROCESSING = "synthetic.speech", "synthetic.source", "synthetic.post_processing"
_CAST_KEYS = {
    "seen": "voices.seen",
    "unseen": "voices.unseen",
    "rate": "rate",
    "pitch": "pitch",
    "weight": "weight",
}
"""Attribute of `Cast` -> its key beside the engine's."""


def settings_record(cfg: DictConfig) -> dict[str, Any]:
    """Return the settings that decide what is made: all but ``output_dir``, ``workers`` and ``time_limit``."""
    return {"seed": cfg.seed, **_plain(cfg, "synthetic", dict[str, Any])}


def design_settings(cfg: DictConfig) -> DesignSettings:
    """Return the numbers of the design; all settings but the engine's are looked at, before anything is made.

    Raises:
        PedkitError: A setting cannot be used.
    """
    seed = _plain(cfg, "seed", int)
    _plain(cfg, "output_dir", str)
    _plain(cfg, "workers", int | None)
    _plain(cfg, "time_limit", float)
    for key in (_SOURCE, _PROCESSING):
        check(_plain(cfg, key, Any), key)
    group = _plain(cfg, "synthetic", dict[str, Any])
    casts = {name: _cast(cfg, place) for name, place in _places(cfg).items()}
    return read_design_settings(seed, group, casts)


def design_lexicon(cfg: DictConfig) -> Lexicon:
    """Return the lexicon that words and pronunciations come from.

    Raises:
        PedkitError: It cannot be read.
    """
    return read_lexicon(_plain(cfg, "synthetic.words.lexicon", str | None))


def _places(cfg: DictConfig) -> dict[str, str]:
    """Return the key of each engine's settings, by the name that designs call the engine."""
    several = _plain(cfg, f"{_SPEECH}.engines", dict[str, Any] | None)
    if several is None:
        return {_own_name(cfg): _SPEECH}
    return {name: f"{_SPEECH}.engines.{name}" for name, part in several.items() if part is not None}


def _own_name(cfg: DictConfig) -> str:
    """Return what the class of the only engine calls itself."""
    target = _plain(cfg, f"{_SPEECH}.engine._target_", str | None)
    try:
        name = getattr(pydoc.locate(target or ""), "name", None)
    except pydoc.ErrorDuringImport:  # named when the engine is built
        name = None
    return name if isinstance(name, str) else ENGINE


def _cast(cfg: DictConfig, place: str) -> Cast:
    hints = get_type_hints(Cast)
    keys = {name: f"{place}.{key}" for name, key in _CAST_KEYS.items()}
    values = {name: _plain(cfg, key, hints[name]) for name, key in keys.items() if name != "weight"}
    weight = _plain(cfg, keys["weight"], float | None)
    return Cast(**values, weight=1.0 if weight is None else weight)


def error_source(cfg: DictConfig) -> ErrorSource:
    """Return the source of errors."""
    source: ErrorSource = built(_plain(cfg, _SOURCE, Any), _SOURCE, ErrorSource, "a source of errors")
    return source


def engines(cfg: DictConfig) -> dict[str, Callable[[], SpeechEngine]]:
    """Return what builds each speech engine, by the name that designs call it."""
    return {
        name: functools.partial(_engine, _plain(cfg, f"{place}.engine", Any), f"{place}.engine")
        for name, place in _places(cfg).items()
    }


def post_processing(cfg: DictConfig) -> PostProcessing:
    """Return the post-processing."""
    made: PostProcessing = built(_plain(cfg, _PROCESSING, Any), _PROCESSING, PostProcessing, "post-processing")
    return made


def _engine(values: Any, place: str) -> SpeechEngine:
    engine: SpeechEngine = built(values, place, SpeechEngine, "a speech engine")
    return engine


def _plain(cfg: DictConfig, key: str, hint: Any) -> Any:
    """Return the value of a key as plain containers in the form of a type hint."""
    value = OmegaConf.select(cfg, key)
    return conform(OmegaConf.to_container(value, resolve=True) if OmegaConf.is_config(value) else value, hint, key)
