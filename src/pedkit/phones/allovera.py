"""AlloVera: which sounds realize which phonemes in 14 languages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pedkit.phones._tables import TABLES, read_tsv
from pedkit.phones.soft_table import ALLOVERA_LANGUAGES


class Allophone(NamedTuple):
    """One row of AlloVera: in ``language`` the sound ``phone`` realizes ``phoneme``."""

    language: str
    phone: str
    phoneme: str


def read_allovera(
    folder: str | Path = TABLES / "allovera",
    languages: Sequence[str] = ALLOVERA_LANGUAGES,
    *,
    repair: bool = False,
) -> list[Allophone]:
    """Return the rows of AlloVera in the order of ``languages``, those with an empty phone or phoneme left out.

    Args:
        folder: Folder of the language files.
        languages: ISO 639-3 codes; the order matters to rules by which the first or the last row wins.
        repair: True mends what is no IPA (``allovera_repairs.tsv``): the romaji labels of Japanese, of which
            ``j``, ``y``, ``f`` and ``r`` are other sounds in IPA, a Cyrillic schwa in Kazakh, a capital I in
            Russian, and blanks. The shipped tables are made from AlloVera as it is.
    """
    rows = []
    for language in languages:
        content = json.loads((Path(folder) / f"{language}.json").read_text(encoding="utf-8"))
        rows += [Allophone(language, row["phone"], row["phoneme"]) for row in content["mappings"]]
    if repair:
        rows = _repaired(rows)
    return [row for row in rows if row.phone and row.phoneme]


def _repaired(rows: Sequence[Allophone]) -> list[Allophone]:
    repairs = {
        (entry["language"], entry["column"], entry["written"]): entry["repaired"]
        for entry in read_tsv("allovera_repairs.tsv")
    }
    return [
        Allophone(
            language,
            repairs.get((language, "phone", phone), phone),
            repairs.get((language, "phoneme", phoneme), phoneme),
        )
        for language, phone, phoneme in rows
    ]
