"""What the neural engines share: spelling in IPA, characters to ids, an onnx session on one thread."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from synthetic.arpabet import split_stress
from synthetic.engines.phone_map import symbol
from synthetic.engines.phrases import phrases
from synthetic.engines.protocol import EngineNotInstalledError, SpeechRequest

_STRESS_MARKS = {"1": "ˈ", "2": "ˌ", "0": "", "": ""}
_PHRASES_A_RUN = 3  # at most 24 words, well below Kokoro's 510 characters
_BETWEEN_RUNS = 0.2  # seconds


def ipa(request: SpeechRequest, notation: str, engine: str) -> list[str]:
    """Return the request in IPA: one text for each run of the model, each ending in a full stop.

    Stress marks stand before the vowel, words are separated by blanks and phrases by commas.

    Raises:
        PedkitError: A phone is not in CMU-39.
    """
    spelled = [
        " ".join("".join(_STRESS_MARKS[split_stress(phone)[1]] + symbol(phone, notation, engine) for phone in word)
                 for word in phrase)
        for phrase in phrases(request)
    ]  # fmt: skip
    runs = (spelled[at : at + _PHRASES_A_RUN] for at in range(0, len(spelled), _PHRASES_A_RUN))
    return [", ".join(run) + "." for run in runs]


def to_ids(text: str, vocabulary: Mapping[str, int], engine: str) -> list[int]:
    """Return the ids of the characters of a text.

    Raises:
        PedkitError: The vocabulary lacks one.
    """
    missing = sorted(set(text) - vocabulary.keys())
    if missing:
        raise PedkitError(f"the vocabulary of this {engine} model lacks {missing[0]!r}, needed to say {text!r}")
    return [vocabulary[character] for character in text]


def expect_onnxruntime(engine: str) -> None:
    """Make sure that onnxruntime can be imported, without the second that importing it takes.

    Raises:
        EngineNotInstalledError: It is not there.
    """
    if importlib.util.find_spec("onnxruntime") is None:
        raise EngineNotInstalledError(engine, "pip install 'pedkit[neural]' brings onnxruntime")


def load_session(model: Path, seed: int | None = None) -> Any:
    """Return an onnx session that runs on one thread of the CPU, so that processes can share the machine.

    Args:
        model: The file.
        seed: Of the noise that the model draws; it goes on from there in each run of this session.

    Raises:
        PedkitError: The file is no onnx model.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if seed is not None:
        onnxruntime.set_seed(seed)
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class of its own for every status, all of them plain exceptions
        raise PedkitError(f"not an onnx model that can be run: {error}", file=model) from None


def joined(runs: Sequence[NDArray[np.float32]], sample_rate: int, engine: str) -> NDArray[np.float32]:
    """Return the samples of all runs with silence between them, in [-1, 1]: softer where they were louder.

    Raises:
        PedkitError: A run holds no finite samples.
    """
    pieces: list[NDArray[np.float32]] = []
    for run in runs:
        if run.size == 0 or not np.isfinite(run).all():
            raise PedkitError(f"{engine} made no sound")
        if pieces:
            pieces.append(np.zeros(round(_BETWEEN_RUNS * sample_rate), dtype=np.float32))
        pieces.append(run.astype(np.float32, copy=False))
    samples = np.concatenate(pieces)
    peak = np.float32(np.abs(samples).max())
    return samples / peak if peak > 1 else samples
