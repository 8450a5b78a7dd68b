"""An EdAcc of two conversations for tests: true layout and headers, invented people and words."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import soundfile

# Curly apostrophes, blanks at the ends and double blanks are the publisher's.
HEADERS = (
    "Timestamp",
    "PARTICIPANT_ID",
    "What is your gender?",
    "What’s your year of birth? (e.g., 1992)",
    "What’s your ethnic background? ",
    "What is your higher level of education?",
    "How would you describe your accent in English? (e.g. Italian, Glaswegian)",
    "Do you speak any second languages? separate them with commas  (e.g., Mandarin,Catalan,French )",
    "What year did you start learning English? (e.g., 1999)",
)
ANSWERS = (
    ("1", "EDACC-C06-A", "Male", "1975", "White ", "Masters", "Glaswegian", "", ""),
    (
        "2",
        "EDACC-C06-B",
        "Female",
        "1992.0",
        "Prefer not to say",
        "PhD",
        "Catalan,  Spanish",
        "Catalan,French",
        "1999",
    ),
    ("3", "EDACC-C08-A", "Non-binary", "eighties", "NA", "null", "Nigerian", "Yoruba", "1985"),
    ("4", "EDACC-C08-B", "Woman", "2007", "Asian", "High School", "None", "Hindi", "2001"),
)

DEV = {
    "segments": (
        "EDACC-C06-A_000 EDACC-C06 0.00 1.00",
        "EDACC-C06-B_000 EDACC-C06 0.90 2.40",
        "EDACC-C06-A_001 EDACC-C06 2.40 2.50",
        "EDACC-C06-A_002 EDACC-C06 2.50 2.60",
        "EDACC-C06-B_001 EDACC-C06 2.60 2.80",
        "EDACC-C06-A_003 EDACC-C06 2.80 3.00",
    ),
    "text": (
        "EDACC-C06-A_000 <LAUGH> WELL I DON'T KNOW",
        "EDACC-C06-B_000 <OVERLAP> YEAH",
        "EDACC-C06-A_001",
        "EDACC-C06-A_002 IGNORE_TIME_SEGMENT_IN_SCORING",
        "EDACC-C06-B_001 WE SAY <foreign> AT HOME",
        "EDACC-C06-A_003 <BREATH>",
    ),
    "utt2spk": (
        "EDACC-C06-A_000 EDACC-C06-A",
        "EDACC-C06-B_000 EDACC-C06-B",
        "EDACC-C06-A_001 EDACC-C06-A",
        "EDACC-C06-A_002 EDACC-C06-A",
        "EDACC-C06-B_001 EDACC-C06-B",
        "EDACC-C06-A_003 EDACC-C06-A",
    ),
    "conv.list": ("EDACC-C06",),
    "stm": (
        ';; CATEGORY "0" "" ""',
        "EDACC-C06 1 EDACC-C06-A 0.00 1.00 <male,l1> <LAUGH> WELL I DON'T KNOW",
        "EDACC-C06 1 EDACC-C06-B 0.90 2.40 <female,l2> <OVERLAP> YEAH",
    ),
}
TEST = {
    "segments": ("EDACC-C08-A_000 EDACC-C08_P1 0.25 1.75", "EDACC-C08-B_000 EDACC-C08_P1 1.75 3.25"),
    "text": ("EDACC-C08-A_000 YES", "EDACC-C08-B_000 NO ZQYX"),
    "utt2spk": ("EDACC-C08-A_000 EDACC-C08-A", "EDACC-C08-B_000 EDACC-C08-B"),
    "conv.list": ("EDACC-C08",),
    "stm": (
        "EDACC-C08_P1 1 EDACC-C08-A 0.25 1.75 <unknown,l1> YES",
        "EDACC-C08_P1 1 EDACC-C08-A 0.25 1.75 <unknown,l2> YES",  # the labels contradict each other
        "EDACC-C08_P1 1 EDACC-C08-B 1.75 3.25 <female,unknown> NO ZQYX",
    ),
}


def write_edacc(root: Path) -> Path:
    """Write the miniature as the archive unpacks and return the folder around it."""
    folder = root / "edacc_v1.0"
    for split, lists in (("dev", DEV), ("test", TEST)):
        (folder / split).mkdir(parents=True)
        for name, lines in lists.items():
            (folder / split / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "data").mkdir()
    for conversation in ("EDACC-C06", "EDACC-C08_P1"):
        soundfile.write(folder / "data" / f"{conversation}.wav", np.zeros(4 * 32000), 32000, subtype="PCM_16")
    with (folder / "linguistic_background.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADERS, *ANSWERS])
    return root
