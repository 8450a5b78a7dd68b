"""Any Kaldi-style data folder, and the evaluation sets of PRiSM. Manual: ``docs/corpora/kaldi.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.readers.column_values import PHONE_FORMS, PhoneCells, group_value, number
from pedkit.data.readers.columns import Cell
from pedkit.data.readers.demography import age_group
from pedkit.data.readers.files import require_folder, resolved
from pedkit.data.readers.kaldi_folder import PRISM_SETS, KaldiFolder, read_folders
from pedkit.data.readers.options import require_text_lists, require_text_maps, require_texts
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.phones import get_inventory

CORPUS = "kaldi"
_NUMBERS = ("age", "height")


def read_kaldi(
    root: str | Path,
    *,
    realized: str | None = None,
    canonical: str | None = None,
    inventory: str | None = None,
    phones: str | None = None,
    drop: Sequence[str] = (),
    groups: Mapping[str, str] | None = None,
    corpus: str | None = None,
    language: str | None = None,
    speaker_prefix: str | None = None,
    audio_folder: str = "",
    incomplete: str = "stop",
    may_upload: bool | None = None,
) -> Iterator[Utterance]:
    """Yield the utterances of one data folder, or of each data folder in ``root``, in the order of their lists.

    Args:
        root: A folder with ``wav.scp``, or one that holds such folders; a split is called like its folder.
        realized: List with the phones that were said; by default PRiSM's ``text.good`` where there is one.
        canonical: List with the phones that should have been said.
        inventory: Inventory of these phones; by default ``ipa`` for ``text.good``.
        phones: ``flat`` (by default for ``ipa``) or ``separated`` by blanks.
        drop: Symbols of these lists that are no phones.
        groups: Group key -> list by speaker or utterance, such as ``{"l1": "spk2l1"}``; ``spk2gender`` and
            ``spk2age`` are read by themselves.
        corpus: Name of the corpus; by default that of ``root``, for PRiSM's sets that of the set.
        language: ISO 639-3 code where no list says it.
        speaker_prefix: Written before each speaker; by default ``corpus:``.
        audio_folder: Where relative paths of ``wav.scp`` start; by default ``root``.
        incomplete: An utterance that a list lacks: ``stop``, or ``skip`` = it is left out.
        may_upload: Whether the licence lets the audio be passed on; known of PRiSM's sets.

    Raises:
        PedkitError: There is no data folder, or a list is not as documented; file and line are named.
    """
    texts = {"realized": realized, "canonical": canonical, "corpus": corpus, "audio_folder": audio_folder}
    require_texts(**texts, language=language, speaker_prefix=speaker_prefix, inventory=inventory, phones=phones)
    require_text_lists(drop=drop)
    require_text_maps(groups=groups)
    folder = require_folder(root, CORPUS)
    if inventory is not None:
        get_inventory(inventory)
    if phones not in (None, *PHONE_FORMS):
        raise PedkitError(f"expected 'phones' to be one of {', '.join(PHONE_FORMS)}, but got {phones!r}")
    if incomplete not in ("stop", "skip"):
        raise PedkitError(f"expected 'incomplete' to be one of stop, skip, but got {incomplete!r}")
    if realized is None and canonical is None and inventory is None:
        inventory = "ipa"  # only text.good can be read then, and PRiSM's phones are IPA
    sources = [
        _Source(
            folder=lists,
            base=folder / audio_folder,
            corpus=corpus or lists.prism_set or folder.resolve().name,
            split="test" if lists.prism_set else lists.path.resolve().name,
            phones=_phone_cells(lists, inventory, phones, drop),
            language=language,
            prefix=speaker_prefix,
            skip=incomplete == "skip",
            may_upload=PRISM_SETS.get(lists.prism_set or "") if may_upload is None else may_upload,
        )
        for lists in read_folders(folder, realized=realized, canonical=canonical, groups=groups or {})
    ]
    return (utterance for source in sources for utterance in source.utterances())


@dataclass(frozen=True, slots=True)
class _Source:
    folder: KaldiFolder
    base: Path
    corpus: str
    split: str
    phones: PhoneCells | None
    language: str | None
    prefix: str | None
    skip: bool
    may_upload: bool | None

    def utterances(self) -> Iterator[Utterance]:
        for name in self.folder.recordings if self.folder.segments is None else self.folder.segments:
            try:
                lacking = self.folder.lacking(name)
                if lacking and self.skip:
                    continue
                if lacking:
                    raise PedkitError(
                        f"the list of {lacking[0]} lacks this utterance", hint="incomplete=skip leaves it out"
                    )
                yield self._utterance(name)
            except PedkitError as error:
                raise error.at(file=self.folder.path, utterance=name) from None

    def _utterance(self, name: str) -> Utterance:
        folder = self.folder
        speaker = None if folder.speaker is None else folder.speaker[name]
        groups, raw = self._groups(name, speaker)
        prefix = f"{self.corpus}:" if self.prefix is None else self.prefix
        return Utterance(
            id=name,
            audio=self._audio(name),
            text=(folder.words or {}).get(name) or None,
            language=folder.language.get(name, self.language),
            split=self.split,
            corpus=self.corpus,
            inventory=self.phones.inventory if self.phones else None,
            canonical=self._phones(name, folder.canonical),
            realized=self._phones(name, folder.realized),
            speaker=prefix + speaker if speaker else None,
            groups=groups,
            groups_raw=raw,
            may_upload=self.may_upload,
        )

    def _audio(self, name: str) -> Audio:
        part = self.folder.part(name)
        path, channel = self.folder.recordings[part.recording]
        if self.folder.segments is None:
            duration = number(Cell("utt2dur", self.folder.seconds.get(name), False))
            if duration is not None and duration <= 0:
                raise PedkitError(f"expected utt2dur to be longer than 0, but got {duration}")
        else:
            duration = None if part.end is None else round(part.end - part.start, 6)
        return Audio(resolved(self.base, path), channel, part.start, duration)

    def _phones(self, name: str, lines: Mapping[str, str] | None) -> tuple[str, ...] | None:
        line = None if lines is None else lines[name]
        return self.phones.split(line, "phones") if line and self.phones else None

    def _groups(self, name: str, speaker: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
        groups: dict[str, Any] = {}
        raw: dict[str, Any] = {}
        for key, values in self.folder.groups.items():
            written = values.get(name, values.get(speaker) if speaker else None)
            value = (
                None if written is None else group_value(key, Cell(key, written, False), numeric=key in _NUMBERS)
            )
            raw |= {} if not written else {key: written}
            groups |= {} if value is None else {key: value}
        if "age" in groups and "age_group" not in groups:
            groups["age_group"] = age_group(groups["age"])
        return groups, raw


def _phone_cells(
    folder: KaldiFolder, inventory: str | None, form: str | None, drop: Sequence[str]
) -> PhoneCells | None:
    if folder.realized is None and folder.canonical is None:
        return None
    if inventory is None:
        raise PedkitError(
            "expected 'inventory' to say which symbols the phones are",
            file=folder.path,
            hint="inventory=cmu39 for ARPAbet, inventory=ipa for IPA",
        )
    return PhoneCells(inventory, form or ("flat" if inventory == "ipa" else "separated"), drop=frozenset(drop))
