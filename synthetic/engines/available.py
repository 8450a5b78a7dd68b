"""Which speech engines are on this machine."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from synthetic.engines.protocol import EngineNotInstalledError, SpeechEngine

ENGINES: Mapping[str, str] = {
    "espeak": "synthetic.engines.espeak.EspeakEngine",
    "flite": "synthetic.engines.flite.FliteEngine",
    "festival": "synthetic.engines.festival.FestivalEngine",
    "mbrola": "synthetic.engines.mbrola.MbrolaEngine",
    "piper": "synthetic.engines.piper.PiperEngine",
    "kokoro": "synthetic.engines.kokoro.KokoroEngine",
}
"""Name of each engine -> what builds it; the files of ``conf/synthetic/speech`` name the same."""


@dataclass(frozen=True, slots=True)
class Available:
    """What was found.

    Attributes:
        engines: The engines that are installed.
        absent: For each that is not, the sentence that says so and how to install it.
    """

    engines: Mapping[str, SpeechEngine]
    absent: Mapping[str, str]


def available_engines(builders: Mapping[str, Callable[[], SpeechEngine]] | None = None) -> Available:
    """Build the engines that are installed.

    Args:
        builders: What builds each engine; ``None`` for all that pedkit knows, with their default settings.

    Raises:
        PedkitError: An engine is there but cannot be used.
    """
    if builders is None:
        builders = {name: functools.partial(_build, place) for name, place in ENGINES.items()}
    engines, absent = {}, {}
    for name, build in builders.items():
        try:
            engines[name] = build()
        except EngineNotInstalledError as error:
            absent[name] = str(error)
    return Available(engines, absent)


def _build(place: str) -> SpeechEngine:
    module, _, name = place.rpartition(".")
    engine: SpeechEngine = getattr(importlib.import_module(module), name)()
    return engine
