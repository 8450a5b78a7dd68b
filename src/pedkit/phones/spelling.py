"""Spellings of phones: ARPAbet, IPA and the labels of TIMIT."""

from __future__ import annotations

from collections.abc import Iterable

from pedkit.phones._tables import read_tsv

#: CMU-39 phone -> IPA, each phone one symbol (diphthongs and affricates too).
ARPABET_TO_IPA: dict[str, str] = {row["phone"]: row["ipa"] for row in read_tsv("cmu39.tsv")}
#: IPA -> CMU-39, the exact inverse of ``ARPABET_TO_IPA``; for other IPA symbols use a ``Projector``.
IPA_TO_ARPABET: dict[str, str] = {ipa: phone for phone, ipa in ARPABET_TO_IPA.items()}
#: CMU-39 phone -> symbol in the vocabulary of espeak-trained models (``facebook/wav2vec2-xlsr-53-espeak-cv-ft``):
#: IPA without tie bars, and the r-coloured schwa as one symbol, as PEDBench writes its targets.
ARPABET_TO_ESPEAK: dict[str, str] = {**ARPABET_TO_IPA, "CH": "tʃ", "JH": "dʒ", "ER": "ɚ"}
#: TIMIT-61 label -> IPA; silences (h#, pau, epi) have none. Closures are unreleased stops.
TIMIT_TO_IPA: dict[str, str] = {row["timit61"]: row["ipa"] for row in read_tsv("timit.tsv") if row["ipa"]}


def strip_stress(phones: Iterable[str]) -> tuple[str, ...]:
    """Return ARPAbet phones without their stress digits: ``AH0`` becomes ``AH``."""
    return tuple(phone[:-1] if phone[-1:] in ("0", "1", "2") else phone for phone in phones)
