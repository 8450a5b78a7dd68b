"""The code of pedkit's own model families beside their weights, so that they load without pedkit."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

from pedkit.data.atomic import write_text
from pedkit.data.json_file import read_object, write_object
from pedkit.models.log_mel_wav2vec2 import LogMelWav2Vec2Config, LogMelWav2Vec2ForCTC
from pedkit.models.whisper_ctc import WhisperCtcConfig, WhisperEncoderForCTC

_OWN: dict[str, tuple[str, type[Any], type[Any]]] = {
    LogMelWav2Vec2Config.model_type: ("log_mel_wav2vec2", LogMelWav2Vec2Config, LogMelWav2Vec2ForCTC),
    WhisperCtcConfig.model_type: ("whisper_ctc", WhisperCtcConfig, WhisperEncoderForCTC),
}
_SHARED = ("log_mel", "padding")
_REGISTER = re.compile(r"^Auto\w+\.register\(.*\)\n", re.MULTILINE)
_UNUSED = re.compile(r"^from transformers import (AutoConfig, AutoModelForCTC, )", re.MULTILINE)


def add_own_code(folder: Path, model_type: str) -> None:
    """Put the code of a family of pedkit into an exported folder and name it in ``config.json``.

    Transformers runs it only with ``trust_remote_code=True``, or not at all where `pedkit.models` is imported.
    Nothing is added for families of transformers.

    Args:
        folder: The folder; it holds ``config.json``.
        model_type: The family.
    """
    if model_type not in _OWN:
        return
    module, config, model = _OWN[model_type]
    for name in (module, *_SHARED):
        write_text(folder / f"{name}.py", _standing_alone(name))
    settings = read_object(folder / "config.json")
    settings["auto_map"] = {
        "AutoConfig": f"{module}.{config.__name__}",
        "AutoModelForCTC": f"{module}.{model.__name__}",
    }
    write_object(folder / "config.json", settings)


def _standing_alone(module: str) -> str:
    """Return a module's source with its neighbours beside it and not in pedkit; loading it registers nothing."""
    source = files("pedkit.models").joinpath(f"{module}.py").read_text(encoding="utf-8")
    source = source.replace("from pedkit.models.", "from .")
    return _UNUSED.sub("from transformers import ", _REGISTER.sub("", source))
