"""A TIMIT of five speakers for tests, in the form of the disc: SPHERE headers and tables written by hand.

No recording, prompt or transcript of the real corpus is in it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

DICTIONARY = """\
; comment line
; word  /phones/
a  /ax/
ate  /ey1 t/
butter  /b ah1 t axr/
cats  /k ae1 t s/
'em  /ax m/
ladders  /l ae1 d axr z/
live~adj  /l ay1 v/
live~v  /l ih1 v/
"""

SPEAKERS = """\
; SPKRINFO
;ID  Sex DR Use  RecDate   BirthDate   Ht    Race Edu  Comments
CJF0  F   1  TRN  03/11/86  03/12/60  5'05"  WHT  BS   BEST ACCENT SO FAR
QQQ0  F   2  TRN  03/11/86  ??/??/??  ?'??"  ???  ??
AKS0  F   1  TST  03/11/86  03/11/60  5'10"  BLK  PHD
DAB0  M   1  TST  12/01/86  06/15/25  6'00"  XYZ  HS
QQQ9  M   8  TST  12/01/86  06/15/25  6'00"  ORN  MS
"""

SPEAKER_FOLDERS = {
    "FCJF0": "TRAIN/DR1",
    "FQQQ0": "TRAIN/DR2",
    "FAKS0": "TEST/DR1",
    "MDAB0": "TEST/DR1",
    "MQQQ9": "TEST/DR8",
}
"""FAKS0 is on Kaldi's dev list, MDAB0 in the core test set, MQQQ9 in neither."""

# "live cats ate butter": a released and a lone closure, a glottal stop, a flap for T
CATS = """\
0 3000 h#
3000 4000 l
4000 5200 ay
5200 6000 v
6000 6500 kcl
6500 7000 k
7000 8500 ae
8500 9000 tcl
9000 10000 s
10000 10500 q
10500 12000 ey
12000 12500 tcl
12500 13000 t
13000 13500 bcl
13500 14000 b
14000 15000 ah
15000 15500 dx
15500 17000 axr
17000 20000 h#
"""
CATS_WORDS = "3000 6000 live\n6000 10000 cats\n10500 13000 ate\n13000 17000 butter\n"

# "ladders live": a flap for D, a substitution (z said as s), the verb
LADDERS = """\
0 1000 h#
1000 2000 l
2000 3000 ae
3000 3500 dx
3500 4500 axr
4500 5500 s
5500 5600 pau
5600 6500 l
6500 7500 ih
7500 8500 v
8500 9600 h#
"""
LADDERS_WORDS = "1000 5500 ladders\n5600 8500 live\n"

SENTENCES = {
    "SA1": (CATS, CATS_WORDS, "Live cats ate butter.", 20000),
    "SI1027": (CATS, CATS_WORDS, "Live cats ate butter.", 20000),
    "SX37": (LADDERS, LADDERS_WORDS, "Ladders live.", 9600),
}


def sphere(samples: np.ndarray, *, announced: int | None = None) -> bytes:
    """Return a NIST SPHERE file of 16-bit little-endian samples at 16 kHz."""
    header = (
        "NIST_1A\n   1024\ndatabase_id -s5 TIMIT\ndatabase_version -s3 1.0\nutterance_id -s8 cjf0_sa1\n"
        f"channel_count -i 1\nsample_count -i {len(samples) if announced is None else announced}\n"
        "sample_rate -i 16000\nsample_min -i -2191\nsample_max -i 2790\nsample_n_bytes -i 2\n"
        "sample_byte_format -s2 01\nsample_sig_bits -i 16\nend_head\n"
    )
    return header.encode("ascii").ljust(1024) + samples.astype("<i2").tobytes()


def write_timit(root: Path, *, lower: bool = False) -> Path:
    """Write the miniature in the LDC's layout, upper or lower case, and return its root."""
    name = str.lower if lower else str.upper
    for speaker, folder in SPEAKER_FOLDERS.items():
        for sentence in SENTENCES:
            _write_sentence(root / name(folder) / name(speaker), name, sentence)
    _write_tables(root / name("DOC"), name)
    return root


def write_nltk(root: Path) -> Path:
    """Write the miniature in the layout of NLTK's sample: no split folders, tables at the top."""
    for speaker, folder in SPEAKER_FOLDERS.items():
        region = folder.rpartition("/")[2].lower()
        for sentence in SENTENCES:
            _write_sentence(root / f"{region}-{speaker.lower()}", str.lower, sentence)
    _write_tables(root, str.lower)
    return root


def _write_sentence(folder: Path, name, sentence: str) -> None:
    phones, words, prompt, length = SENTENCES[sentence]
    folder.mkdir(parents=True, exist_ok=True)
    samples = np.arange(length) % 200 - 100
    (folder / name(f"{sentence}.WAV")).write_bytes(sphere(samples))
    (folder / name(f"{sentence}.PHN")).write_text(phones)
    (folder / name(f"{sentence}.WRD")).write_text(words)
    (folder / name(f"{sentence}.TXT")).write_text(f"0 {length} {prompt}\n")


def _write_tables(folder: Path, name) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name("TIMITDIC.TXT")).write_text(DICTIONARY)
    (folder / name("SPKRINFO.TXT")).write_text(SPEAKERS)
