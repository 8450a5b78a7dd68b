"""The TIMIT inventories folded into each other, as named maps."""

from __future__ import annotations

from pedkit.phones._tables import read_tsv
from pedkit.phones.spelling import ARPABET_TO_IPA

_ROWS = {row["timit61"]: row for row in read_tsv("timit.tsv")}

#: TIMIT-61 -> the 48 classes of Lee and Hon (1989); ``q`` has none and is deleted.
TIMIT61_TO_48: dict[str, str] = {phone: row["timit48"] for phone, row in _ROWS.items() if row["timit48"]}
#: TIMIT-61 -> the 39 classes of Lee and Hon (1989), which are not CMU-39; ``q`` has none.
TIMIT61_TO_39: dict[str, str] = {phone: row["timit39"] for phone, row in _ROWS.items() if row["timit39"]}
#: The 48 classes -> the 39.
TIMIT48_TO_39: dict[str, str] = {row["timit48"]: row["timit39"] for row in _ROWS.values() if row["timit48"]}
#: CMU-39 -> the 48 and the 39 classes: every CMU-39 phone is also a label of TIMIT-61.
CMU39_TO_TIMIT48: dict[str, str] = {phone: TIMIT61_TO_48[phone.lower()] for phone in ARPABET_TO_IPA}
CMU39_TO_TIMIT39: dict[str, str] = {phone: TIMIT61_TO_39[phone.lower()] for phone in ARPABET_TO_IPA}

FOLDS: dict[tuple[str, str], dict[str, str]] = {
    ("timit61", "timit48"): TIMIT61_TO_48,
    ("timit61", "timit39"): TIMIT61_TO_39,
    ("timit48", "timit39"): TIMIT48_TO_39,
    ("cmu39", "timit48"): CMU39_TO_TIMIT48,
    ("cmu39", "timit39"): CMU39_TO_TIMIT39,
}

#: Closure -> the releases that may follow it.
RELEASES: dict[str, frozenset[str]] = {
    "bcl": frozenset({"b"}),
    "dcl": frozenset({"d", "jh"}),
    "gcl": frozenset({"g"}),
    "pcl": frozenset({"p"}),
    "tcl": frozenset({"t", "ch"}),
    "kcl": frozenset({"k"}),
}
