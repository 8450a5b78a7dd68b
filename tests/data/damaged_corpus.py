"""Two manifests with planted faults of every kind, and good utterances that could be mistaken for them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import soundfile

from tests.data.mini_timit import sphere

PLANTED = {
    "line",
    "id",
    "inventory",
    "symbol",
    "speaker in two splits",
    "recording in two splits",
    "truncated audio",
    "unreadable audio",
    "more phones than fit",
    "sample rate",
    "silent audio",
    "clipped audio",
    "duplicate audio",
}
NEED_CONTENT = {"silent audio", "clipped audio", "duplicate audio"}
NEED_HEADER = {"truncated audio", "unreadable audio", "more phones than fit", "sample rate"}
SAID = {"inventory": "cmu39", "canonical": "S IH T", "realized": "S IH T", "corpus": "toy"}


def noise(seed: int, seconds: float = 0.5, rate: int = 16000) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.1, round(seconds * rate))


def write_damaged_corpus(folder: Path) -> tuple[Path, Path]:
    """Write ``one.jsonl`` and ``two.jsonl`` with their audio, and return their paths."""
    audio = folder / "audio"
    audio.mkdir(parents=True)
    for seed, name in enumerate(["good", "quiet_start", "peaks", "copied", "long", "shared", "fast"]):
        samples = noise(seed, 2.0 if name in ("long", "shared") else 0.5)
        if name == "quiet_start":
            samples[:4000] = 0
        if name == "peaks":
            samples[::1000] = 1.0  # 8 single samples at full scale are not clipped
        soundfile.write(audio / f"{name}.wav", samples, 16000)
    soundfile.write(audio / "copy.flac", soundfile.read(audio / "copied.wav")[0], 16000, subtype="PCM_16")
    soundfile.write(audio / "silent.wav", np.full(8000, 0.25), 16000)
    soundfile.write(audio / "silent_too.wav", np.full(8000, 0.25), 16000)
    soundfile.write(audio / "clipped.wav", np.clip(30 * noise(7), -1, 1), 16000)
    soundfile.write(audio / "telephone.wav", noise(8, rate=8000), 8000)
    soundfile.write(audio / "stereo.wav", np.stack([noise(9), noise(10)], axis=1), 16000)
    soundfile.write(audio / "nan.wav", np.array([0.1, np.nan, 0.2]), 16000, subtype="FLOAT")
    (audio / "text.wav").write_text("<html>not found</html>")
    _cut(audio / "cut.wav", 12, 0.5)
    _cut(audio / "cut.flac", 13, 0.5)
    _cut(audio / "cut.ogg", 14, 0.5)
    (audio / "cut.sph").write_bytes(sphere(np.arange(1000), announced=16000))
    one, two = folder / "one.jsonl", folder / "two.jsonl"
    _write(one, [*_good(), *_broken_lines(), *_broken_audio()])
    _write(two, _second())
    return one, two


def _cut(path: Path, seed: int, share: float) -> None:
    soundfile.write(path, noise(seed, 2), 16000)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def _line(name: str, clip: str | None = None, split: str = "train", speaker: str = "toy:1", **fields) -> dict:
    line = {"id": name, "split": split, "speaker": speaker, **SAID}
    if clip is not None:
        line["audio"] = f"audio/{clip}"
    return line | fields


def _good() -> list[dict]:
    return [
        _line("good", "good.wav"),
        _line("quiet_start", "quiet_start.wav"),
        _line("peaks", "peaks.wav"),
        _line("copied", "copied.wav"),
        _line("part_1", audio={"path": "audio/long.wav", "start": 0.0, "duration": 1.2}),
        _line("part_2", audio={"path": "audio/long.wav", "start": 1.0, "duration": 1.0}),  # overlaps: allowed
        _line("channel", audio={"path": "audio/stereo.wav", "channel": 1}),
    ]


def _broken_lines() -> list:
    return [
        '{"id": "no json"',
        _line("good", "good.wav", canonical="S IH"),  # the id again
        _line("key", realised="S"),
        _line("odd_inventory", inventory="arpabet"),
        _line("odd_symbol", realized="S IX T"),
        _line("leaking", split="test", speaker="toy:1"),
    ]


def _broken_audio() -> list[dict]:
    return [
        _line("shared_train", audio={"path": "audio/shared.wav", "start": 0.0, "duration": 1.2}),
        _line("shared_test", speaker="toy:2", split="test", audio={"path": "audio/shared.wav", "start": 1.0}),
        *(_line(f"cut_{kind}", f"cut.{kind}") for kind in ("wav", "flac", "ogg", "sph")),
        _line("html", "text.wav"),
        _line("gone", "gone.wav"),
        _line("no_channel", "stereo.wav"),
        _line("too_long", audio={"path": "audio/peaks.wav", "start": 0.4, "duration": 0.5}),
        _line("nan", "nan.wav"),
        _line("telephone", "telephone.wav"),
        _line("silent", "silent.wav"),
        _line("silent_too", "silent_too.wav"),  # silent, but no duplicate of the other
        _line("clipped", "clipped.wav"),
        _line("fast", "fast.wav", canonical="S IH T " * 8, realized="S IH T " * 8),  # 24 phones in half a second
    ]


def _second() -> list:
    return [
        _line("copy", "copy.flac", speaker="toy:3"),
        "not json at all",
        _line("moved", split="dev", speaker="toy:3"),
        _line("unnamed", split=None, speaker="toy:4"),
    ]


def _write(path: Path, lines: list) -> None:
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts))
