"""Words of tones, one tone a phone, as recordings with a manifest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Audio, Utterance

TONES = {"AA": 400.0, "S": 3000.0}


def tone(phones: tuple[str, ...]) -> np.ndarray:
    """80 ms of a tone a phone, 60 ms of silence between them."""
    time = np.arange(1280) / 16000
    silence = np.zeros(960)
    parts = [part for phone in phones for part in (0.5 * np.sin(2 * np.pi * TONES[phone] * time), silence)]
    return np.concatenate([silence, *parts]).astype(np.float32)


def write_corpus(folder: Path, name: str, words: list[tuple[str, ...]]) -> Path:
    utterances = []
    for number, phones in enumerate(words):
        path = folder / "audio" / f"{name}{number}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, tone(phones), 16000)
        utterances.append(
            Utterance(
                id=f"{name}{number}", audio=Audio(str(path)), inventory="cmu39", canonical=phones, realized=phones
            )
        )
    write_manifest(folder / f"{name}.jsonl", utterances)
    return folder / f"{name}.jsonl"
