"""A DoReCo of three bundles for tests, in the form of version 1.2; nothing of the real corpus is in it."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import soundfile

PHONE_COLUMNS = ["lang", "file", "core_extended", "speaker", "wd_ID", "ph_ID", "ph", "start", "end", "tx", "ft"]
WORD_COLUMNS = ["lang", "file", "core_extended", "speaker", "wd_ID", "wd", "start", "end", "ref", "tx", "ft"]
RECORDING_COLUMNS = [
    "id", "name", "spk_code", "spk_age", "spk_age_c", "spk_sex", "rec_date", "rec_date_c", "genre", "genre_stim",
    "gloss", "transl", "sound_quality", "background_noise", "word_tokens", "extended",
]  # fmt: skip

# "na" and "null" are words; one speaker interrupts the other; labels stand for speech without phones.
TALK = [
    # speaker, word, ref, phones, start
    ("AB", "<p:>", "<p:>", ["<p:>"], 0.0),
    ("AB", "na", "0001_talk", ["n", "a:"], 0.5),
    ("AB", "<<fp>m>", "0001_talk", ["<<fp>m>"], 0.7),
    ("AB", "<p:>", "0001_talk", ["<p:>"], 0.8),
    ("AB", "tSkE", "0001_talk", ["tS", "k_h", "E"], 0.9),
    ("CD", "null", "0001_talk", ["N", "<<wip>>", "U"], 1.0),
    ("AB", "<p:>", "<p:>", ["<p:>"], 1.2),
    ("AB", "<<ui>>", "0002_talk", ["<<ui>>"], 1.4),  # a unit without any phone
    ("AB", "kpe", "0003_talk", ["kp", "e"], 1.5),
    ("AB", "<<ui>x>", "0003_talk", ["<<ui>x>"], 1.7),
    ("AB", "****", "0003_talk", ["****"], 1.8),
    ("AB", "t_>u", "0001_talk", ["t_>", "u"], 1.9),  # the ref of the first unit once more
]
STEP = 0.1
"""Length of each phone in seconds."""


def write_bundle(root: Path, glottocode="anal1239", talk=None, *, delimiter=",", audio=True, **changes) -> Path:
    """Write one bundle with one recording and return its folder."""
    folder = root / f"doreco_{glottocode}_core_v1.2"
    file = f"doreco_{glottocode}_talk"
    phones, words = [], []
    for number, (speaker, word, ref, labels, start) in enumerate(TALK if talk is None else talk, start=1):
        name = f"w{number:05d}"
        times = [(round(start + k * STEP, 3), round(start + (k + 1) * STEP, 3)) for k in range(len(labels))]
        words.append([glottocode, file, "core", speaker, name, word, start, times[-1][1], ref, "", ""])
        for (first, last), label in zip(times, labels, strict=True):
            phones.append([glottocode, file, "core", speaker, name, f"p{len(phones)}", label, first, last, "", ""])
    recording = {
        "id": f"{glottocode}_T001", "name": "talk", "spk_code": "AB/CD", "spk_age": "76/na",
        "spk_age_c": "certain", "spk_sex": "f/m", "rec_date": "2016-02-20", "rec_date_c": "certain",
        "genre": "conversation", "genre_stim": "na", "gloss": "none", "transl": "English", "sound_quality": "bad",
        "background_noise": "na", "word_tokens": "7", "extended": "no", **changes,
    }  # fmt: skip
    write_table(folder / f"doreco_{glottocode}_ph.csv", PHONE_COLUMNS, phones, delimiter)
    write_table(folder / f"doreco_{glottocode}_wd.csv", WORD_COLUMNS, words, delimiter)
    row = [recording[name] for name in RECORDING_COLUMNS]
    write_table(folder / f"doreco_{glottocode}_metadata.csv", RECORDING_COLUMNS, [row], delimiter)
    if audio:
        (root / "audio").mkdir(exist_ok=True)
        soundfile.write(root / "audio" / f"{file}.wav", np.zeros(3 * 44100), 44100)
    return folder


def write_table(path: Path, columns, rows, delimiter=",") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([columns, *rows])
