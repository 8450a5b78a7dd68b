"""A Sonos Voice Control set of five commands for tests: true layout and keys, invented people and commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import soundfile


def entry(text: str, normalized: str, user: str, milliseconds: int = 500, **speaker: Any) -> dict[str, Any]:
    """Return the entry of one recording in the form of the release."""
    everything = {"age": None, "age_group": None, "dialectal_region": None, "ethnicity": None, "gender": None}
    return {
        "audioLengthMs": milliseconds,
        "content": {"domain": "Music", "subdomain": "TransportControl"},
        "speaker": {**everything, "user_group": "6", "user_id": user, **speaker},
        "transcript": {"label": {"intent": "Mute", "slots": []}, "normalized_text": normalized, "text": text},
    }


def entries() -> dict[str, dict[str, Any]]:
    """Return the metadata by split."""
    older = {"age": "66", "age_group": "55-100", "gender": "male"}
    child = {"age": "9", "age_group": "9-16", "gender": "female"}
    return {
        "train": {
            "audio_aaa": entry("volume off", "volume off", "1", dialectal_region="USA Mid-Atlantic", **older),
            "audio_bbb": entry(
                "Skip 2 songs!", "skip two songs", "1", dialectal_region="USA Mid-Atlantic", **older
            ),
        },
        "dev": {"audio_ccc": entry("play", "play", "2", ethnicity="Latino", **child)},
        "test": {
            "audio_ddd": entry("play zqyx", "play zqyx", "007"),
            "audio_eee": entry("stop", "stop", "3", age="null", gender="N/A", age_group="42-54"),
        },
    }


def write_sonos(root: Path, metadata: dict[str, dict[str, Any]] | None = None) -> Path:
    """Write the miniature and return its root."""
    (root / "metadata").mkdir(parents=True)
    for split, recordings in (metadata or entries()).items():
        (root / "metadata" / f"{split}_metadata.json").write_text(
            json.dumps(recordings, indent=4), encoding="utf-8"
        )
        folder = root / "audios" / split
        folder.mkdir(parents=True)
        for name in recordings:
            soundfile.write(folder / f"{name}.wav", np.zeros(8000), 16000, subtype="PCM_16")
    return root
