"""Corpus readers: each turns a corpus folder into `Utterance`s. No torch, no audio is opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pedkit.data.readers.l2arctic import read_l2arctic
from pedkit.data.readers.speechocean762 import read_speechocean762
from pedkit.data.readers.table import read_mapped_table
from pedkit.data.readers.timit import read_timit
from pedkit.data.utterance import Utterance

READERS: dict[str, Callable[..., Iterator[Utterance]]] = {
    "l2arctic": read_l2arctic,
    "speechocean762": read_speechocean762,
    "table": read_mapped_table,
    "timit": read_timit,
}
"""Reader by corpus name: ``READERS[name](root, **options)``."""

__all__ = ["READERS", "read_l2arctic", "read_speechocean762", "read_timit"]
