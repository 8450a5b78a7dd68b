"""PEDBench's three sets in miniature, in the form of docs/corpora/pedbench.md."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import soundfile

AUTHENTIC = [
    {
        "id": "c1-think", "audio": "wav/a.wav", "text": "think", "inventory": "cmu39", "canonical": "TH IH NG K",
        "realized": "S IH NG K", "speaker": "pedbench:c1", "groups": {"age": 6, "age_group": "child"},
    },
    {
        "id": "c2-the", "audio": "wav/a.wav", "text": "the", "inventory": "cmu39", "canonical": "DH AH",
        "realized": "D IY", "speaker": "pedbench:c2", "split": "dev",
    },
]  # fmt: skip
ACTED = [
    {
        "id": "a1", "audio": "wav/a.wav", "text": "seat", "inventory": "cmu39", "canonical": "S IY T",
        "realized": "S IH T", "speaker": "pedbench:a1", "source_id": "c9", "level": "word",
    },
]  # fmt: skip
SYNTHETIC = [
    {
        "id": "s1", "audio": "wav/a.wav", "text": "thin", "inventory": "cmu39", "canonical": "TH IH N",
        "realized": "F IH N", "speaker": "tts:v1", "level": "word",
    },
    {
        "id": "s2", "audio": "wav/a.wav", "text": "A thin, red line.", "inventory": "cmu39",
        "canonical": "EY TH IH N R EH D L AY N", "realized": "AH F IH N R EH D L AY N", "speaker": "tts:v1",
        "level": "sentence", "source_id": "s1", "target_span": [1, 4],
        "words": [
            {"text": "A", "start": 0, "end": 1}, {"text": "thin", "start": 1, "end": 4},
            {"text": "red", "start": 4, "end": 7}, {"text": "line", "start": 7, "end": 10},
        ],
    },
]  # fmt: skip


def write_set(path: Path, lines: list[dict[str, object]]) -> None:
    """Write the manifest of a set."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_pedbench(root: Path) -> Path:
    """Write the three sets and one recording, which all lines name, and return the folder."""
    write_set(root / "authentic.jsonl", AUTHENTIC)
    write_set(root / "acted.jsonl", ACTED)
    write_set(root / "synthetic" / "manifest.jsonl", SYNTHETIC)
    for folder in (root / "wav", root / "synthetic" / "wav"):
        folder.mkdir()
        soundfile.write(folder / "a.wav", np.full(8000, 0.1), 16000)
    return root
