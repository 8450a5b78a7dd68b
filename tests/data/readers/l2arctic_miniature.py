"""An L2-ARCTIC for tests in the form of the release; no recording, prompt or annotation of the corpus is in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

SPEAKERS = [
    "ABA", "SKA", "YBAA", "ZHAA", "BWC", "LXC", "NCC", "TXHC", "ASI", "RRBI", "SVBI", "TNI",
    "HJK", "HKK", "YDCK", "YKWK", "EBVS", "ERMS", "MBMPS", "NJS", "HQTV", "PNV", "THV", "TLV",
]  # fmt: skip

STEP = 0.05
"""Length of each interval in seconds."""

# "the cat sat it": everything that the labels of the corpus are known to hold.
TRAPS = [
    "sil", "DH,D,s ", "ah0", "", "K", "AE1,AE1*,s", "T , sil , D", "sp", "S,err,s", "AX", "T,ER),s",
    "sil,AH0,a", "spn", "IH0,ih1,s", "T,S", "SIL", "",
]  # fmt: skip
TRAP_WORDS = [(1, 3, "the"), (4, 7, "cat"), (8, 11, "sat"), (13, 15, "it")]
"""First interval, interval after the last, word."""


def write_speaker(
    root: Path, speaker: str, labels=None, *, name="arctic_a0001", words=(), text="Cat.", **form
) -> Path:
    """Write one annotated sentence of a speaker and return its TextGrid."""
    home = root / speaker
    labels = ["sil", "K", "AE1", "T", "sil"] if labels is None else labels
    write_audio(home / "wav" / f"{name}.wav", len(labels) * STEP)
    (home / "transcript").mkdir(parents=True, exist_ok=True)
    (home / "transcript" / f"{name}.txt").write_text(text)
    return write_grid(home / "annotation" / f"{name}.TextGrid", labels, words, **form)


def write_corpus(root: Path) -> Path:
    """Write all 24 speakers, one sentence each, with the forced alignments and the story that must not be read."""
    for speaker in SPEAKERS:
        write_speaker(root, speaker)
        write_grid(root / speaker / "textgrid" / "arctic_b0001.TextGrid", ["K"])
    write_suitcase(root)
    return root


def write_suitcase(root: Path) -> Path:
    """Write the folder of spontaneous speech: files named by speaker, in lower case."""
    home = root / "suitcase_corpus"
    write_audio(home / "wav" / "aba.wav", 3 * STEP)
    (home / "transcript").mkdir(parents=True, exist_ok=True)
    (home / "transcript" / "aba.txt").write_text("a cat")
    return write_grid(home / "annotation" / "aba.TextGrid", ["AH0", "K,G,s", "AE1"])


def write_audio(path: Path, seconds: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, np.zeros(round(seconds * 44100)), 44100, subtype="PCM_16")


def write_grid(path: Path, labels, words=(), *, tier="phones", encoding="utf-8", spans=None) -> Path:
    """Write a TextGrid in the long form: words, phones, and a third tier called IPA."""
    spans = spans or [(k * STEP, (k + 1) * STEP) for k in range(len(labels))]
    tiers = {
        "words": [(spans[a][0], spans[b - 1][1], text) for a, b, text in words],
        tier: [(*span, label) for span, label in zip(spans, labels, strict=True)],
        "IPA": [(0, len(labels) * STEP, "ə,ɐ,s")],
    }
    end = len(labels) * STEP
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0 ", f"xmax = {end} "]
    lines += ["tiers? <exists> ", f"size = {len(tiers)} ", "item []: "]
    for number, (name, intervals) in enumerate(tiers.items(), start=1):
        lines += [f"    item [{number}]:", '        class = "IntervalTier" ', f'        name = "{name}" ']
        lines += ["        xmin = 0 ", f"        xmax = {end} ", f"        intervals: size = {len(intervals)} "]
        for index, (start, stop, label) in enumerate(intervals, start=1):
            lines += [
                f"        intervals [{index}]:",
                f"            xmin = {start} ",
                f"            xmax = {stop} ",
            ]
            lines += [f'            text = "{label}" ']
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding=encoding)
    return path
