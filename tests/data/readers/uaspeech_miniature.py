"""A UASpeech for tests, in the form of the release: no recording or list of the real corpus is in it."""

from __future__ import annotations

from pathlib import Path

import soundfile

from tests.data.readers.clips import noise

FILES = {
    "audio/original/F04": (
        "F04_B1_C1_M5", "F04_B1_C1_M6", "F04_B1_D0_M5", "F04_B1_UW1_M5", "F04_B2_UW1_M5", "F04_B2_C13_M7",
        "F04_B2_C13_M6", "F04_B3_CW7_M5",
    ),
    "audio/original/M04": ("M04_B2_LX_M5", "M04_B2_LX_M7"),
    "audio/original/control/CM13": ("CM13_B1_C1_M5",),
    "audio/original/control/CF77": ("CF77_B1_C1_M5",),
}  # fmt: skip
"""CF77 is in no table of speakers. F04_B2_C13 has no recording by M5."""

WORDS = {
    "C1": "COMMAND", "C13": "ENTER", "D0": "ZERO", "LX": "X-RAY", "CW7": "NONE", "B1_UW1": "NATURALIZATION",
    "B2_UW1": "CHOWDERESQUE",
}  # fmt: skip


def write_uaspeech(root: Path, *, labels: bool = False) -> Path:
    """Write the miniature with a word list, or with master label files instead, and return its root."""
    by_speaker: dict[str, list[str]] = {}
    for folder, names in FILES.items():
        (root / folder).mkdir(parents=True)
        for name in names:
            soundfile.write(root / folder / f"{name}.wav", noise(name, 1), 16000)
            by_speaker.setdefault(name.partition("_")[0], []).append(name)
    (root / "doc").mkdir()
    if not labels:
        lines = [f"{word},{name}" for name, word in WORDS.items()]
        (root / "doc" / "speaker_wordlist.csv").write_text("\n".join(["WORD,FILE NAME", *lines]) + "\n")
        return root
    for speaker, names in by_speaker.items():
        (root / "mlf" / speaker).mkdir(parents=True)
        text = "#!MLF!#\n" + "".join(f'"*/{name}.lab"\n{_word(name)}\n.\n' for name in names)
        (root / "mlf" / speaker / f"{speaker}_word.mlf").write_text(text)
    return root


def _word(name: str) -> str:
    _, block, word, _ = name.split("_")
    return WORDS.get(word) or WORDS[f"{block}_{word}"]
