"""PEDBench's three sets in miniature, in the form of docs/corpora/pedbench.md."""

from __future__ import annotations

import json
from pathlib import Path

import soundfile

from tests.data.readers.clips import noise

AUTHENTIC = [
    {
        "id": "c1-think", "audio": "wav/c1-think.wav", "text": "think", "inventory": "cmu39",
        "canonical": "TH IH NG K", "realized": "S IH NG K", "speaker": "pedbench:c1",
        "groups": {"age": 6, "age_group": "child"},
    },
    {
        "id": "c2-the", "audio": "wav/c2-the.wav", "text": "the", "inventory": "cmu39", "canonical": "DH AH",
        "realized": "D IY", "speaker": "pedbench:c2", "split": "dev",
    },
]  # fmt: skip
ACTED = [
    {
        "id": "a1", "audio": "wav/a1.wav", "text": "seat", "inventory": "cmu39", "canonical": "S IY T",
        "realized": "S IH T", "speaker": "pedbench:a1", "source_id": "c9", "level": "word",
    },
]  # fmt: skip
SYNTHETIC = [
    {
        "id": "s1", "audio": "wav/s1.wav", "text": "thin", "inventory": "cmu39", "canonical": "TH IH N",
        "realized": "F IH N", "speaker": "tts:v1", "level": "word",
    },
    {
        "id": "s2", "audio": "wav/s2.wav", "text": "A thin, red line.", "inventory": "cmu39",
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
    """Write the three sets with their recordings and return the folder."""
    for path, lines in (
        (root / "authentic.jsonl", AUTHENTIC),
        (root / "acted.jsonl", ACTED),
        (root / "synthetic" / "manifest.jsonl", SYNTHETIC),
    ):
        write_set(path, lines)
        (path.parent / "wav").mkdir(exist_ok=True)
        for line in lines:
            name = str(line["audio"])
            soundfile.write(path.parent / name, noise(name, 2), 16000)
    return root
