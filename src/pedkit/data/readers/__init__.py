"""Corpus readers: each turns a corpus folder into `Utterance`s. No torch, no audio is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pedkit.data.readers.cmu_kids import read_cmu_kids
from pedkit.data.readers.coraal import read_coraal
from pedkit.data.readers.doreco import read_doreco
from pedkit.data.readers.edacc import read_edacc
from pedkit.data.readers.hub import read_hub
from pedkit.data.readers.kaldi import read_kaldi
from pedkit.data.readers.l2arctic import read_l2arctic
from pedkit.data.readers.pedbench import read_pedbench
from pedkit.data.readers.sonos import read_sonos
from pedkit.data.readers.speech_accent_archive import read_speech_accent_archive
from pedkit.data.readers.speechocean762 import read_speechocean762
from pedkit.data.readers.table import read_mapped_table
from pedkit.data.readers.timit import read_timit
from pedkit.data.readers.tusom2021 import read_tusom2021
from pedkit.data.readers.uaspeech import read_uaspeech
from pedkit.data.readers.voxangeles import read_voxangeles
from pedkit.data.utterance import Utterance

READERS: dict[str, Callable[..., Iterator[Utterance]]] = {
    "cmu_kids": read_cmu_kids,
    "coraal": read_coraal,
    "doreco": read_doreco,
    "edacc": read_edacc,
    "hub": read_hub,
    "kaldi": read_kaldi,
    "l2arctic": read_l2arctic,
    "pedbench": read_pedbench,
    "sonos": read_sonos,
    "speech_accent_archive": read_speech_accent_archive,
    "speechocean762": read_speechocean762,
    "table": read_mapped_table,
    "timit": read_timit,
    "tusom2021": read_tusom2021,
    "uaspeech": read_uaspeech,
    "voxangeles": read_voxangeles,
}
"""Reader by corpus name: ``READERS[name](root, **options)``."""

__all__ = [
    "READERS",
    "read_cmu_kids",
    "read_coraal",
    "read_doreco",
    "read_edacc",
    "read_hub",
    "read_kaldi",
    "read_l2arctic",
    "read_mapped_table",
    "read_pedbench",
    "read_sonos",
    "read_speech_accent_archive",
    "read_speechocean762",
    "read_timit",
    "read_tusom2021",
    "read_uaspeech",
    "read_voxangeles",
]
