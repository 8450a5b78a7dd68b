"""A speechocean762 of one train and one test speaker for tests: the lists and a scores.json of given words."""

from __future__ import annotations

import json
from pathlib import Path


def word(text: str, phones, scores=None, said: dict[int, str] | None = None) -> dict:
    """Return a word of scores.json; ``said`` maps a phone index to its ``pronounced-phone``."""
    names = phones.split() if isinstance(phones, str) else phones
    entry = {"text": text, "phones": phones, "accuracy": 5, "stress": 10, "total": 5}
    entry["phones-accuracy"] = scores or [0 if said and i in said else 2 for i in range(len(names))]
    if said:
        entry["mispronunciations"] = [
            {"canonical-phone": names[i].rstrip("012"), "index": i, "pronounced-phone": label}
            for i, label in said.items()
        ]
    return entry


def write_speechocean762(root: Path, *words: dict, detail: list[list[str]] | None = None) -> Path:
    """Write a corpus whose utterance 000010001 (train, speaker 0001) and 000020001 (test) hold ``words``."""
    text = " ".join(entry["text"] for entry in words)
    sentence = {"accuracy": 8, "completeness": 10.0, "fluency": 9, "prosodic": 9, "total": 8}
    scores = {}
    for part, speaker in (("train", "0001"), ("test", "0002")):
        name = f"0{speaker}0001"
        folder = root / part
        folder.mkdir(parents=True)
        (folder / "text").write_text(f"{name}\t{text}\n")
        (folder / "utt2spk").write_text(f"{name} {speaker}\n")
        (folder / "wav.scp").write_text(f"{name}\tWAVE/SPEAKER{speaker}/{name}.WAV\n")
        (folder / "spk2age").write_text(f"{speaker}\t17\n")
        (folder / "spk2gender").write_text(f"{speaker}\tf\n")
        scores[name] = {"text": f"{text}.", "words": list(words), **sentence}
    (root / "resource").mkdir()
    (root / "resource" / "scores.json").write_text(json.dumps(scores))
    if detail is not None:
        marks = {name: {"words": [{"phones": experts} for experts in detail]} for name in scores}
        (root / "resource" / "scores-detail.json").write_text(json.dumps(marks))
    return root
