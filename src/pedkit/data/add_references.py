"""Canonical phones for the utterances of a manifest that have text and no phones to compare with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.g2p.languages import listed_code
from pedkit.data.ipa_references import IpaReferencer
from pedkit.data.located import located
from pedkit.data.manifest import iter_manifest, write_manifest
from pedkit.data.provenance import replaced_input, write_provenance
from pedkit.data.references import Reference, Referencer, cmudict_referencer
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

PHONES = ("auto", "cmu39", "ipa")
_BATCH = 256  # lines that an engine gets at once
_ENGLISH = "eng"


@dataclass(slots=True)
class ReferenceSummary:
    """What was written.

    Attributes:
        path: The manifest.
        kept: Utterances that had canonical phones, or have no text.
        made: Utterances that got them, by what made them.
        unpronounced: Utterances whose text could not be pronounced.
    """

    path: Path
    kept: int = 0
    made: Counter[str] = field(default_factory=Counter)
    unpronounced: int = 0

    def __str__(self) -> str:
        sources = ", ".join(f"{count} by {name}" for name, count in self.made.items()) or "none"
        return (
            f"{self.path}: canonical phones added: {sources}; "
            f"left without, because the text cannot be pronounced: {self.unpronounced}; "
            f"left as they were: {self.kept}"
        )


def add_references(
    manifest: str | Path,
    out: str | Path,
    *,
    phones: str = "auto",
    backend: str = "auto",
    unknown_words: str = "skip",
    numerals: str = "refuse",
    command: str | None = None,
) -> ReferenceSummary:
    """Write a manifest in which every utterance with text and without canonical phones has some.

    How it was made stands beside it (`pedkit.data.provenance.write_provenance`).

    Args:
        manifest: The manifest to read.
        out: The manifest to write; it may be the same.
        phones: ``cmu39`` = English by cmudict (`Referencer`); ``ipa`` = any of the eleven languages by a G2P
            (`IpaReferencer`); ``auto`` = ``cmu39`` for English and ``ipa`` for the others.
        backend: Engine of ``ipa`` (see `pedkit.data.g2p.open_engine`).
        unknown_words: A text that cannot be pronounced: ``stop``, or ``skip`` = it stays without; for English in
            CMU-39 also ``g2p`` (see `cmudict_referencer`).
        numerals: For ``ipa``: ``refuse``, or ``engine`` = read as the engine reads them.
        command: The command line, for the record.

    Returns:
        How many utterances got phones, and from where.

    Raises:
        PedkitError: An utterance names no language, or has realized phones in another inventory, or flags or a
            target span that do not fit the phones of its text; a text cannot be pronounced and ``unknown_words``
            is ``stop``; or an option is unknown.
    """
    if phones not in PHONES:
        raise PedkitError(f"expected 'phones' to be one of {', '.join(PHONES)}, but got {phones!r}")
    summary = ReferenceSummary(Path(out))
    engines = _Engines(phones, backend, unknown_words, numerals)
    in_place = Path(out).is_file() and Path(manifest).resolve() == Path(out).resolve()
    source = replaced_input(manifest) if in_place else manifest
    try:
        count = write_manifest(out, _added(iter_manifest(manifest), engines, summary))
    except PedkitError as error:
        raise located(error, [manifest]) from None
    settings = {"phones": phones, "backend": backend, "unknown_words": unknown_words, "numerals": numerals}
    write_provenance(
        out, verb="reference", settings=settings, inputs=[source], outputs={out: count}, command=command
    )
    return summary


class _Engines:
    """What pronounces which language, opened when it is first needed."""

    def __init__(self, phones: str, backend: str, unknown_words: str, numerals: str) -> None:
        self._phones, self._backend = phones, backend
        self._unknown_words, self._numerals = unknown_words, numerals
        self._open: dict[str, Referencer | IpaReferencer] = {}

    def inventory(self, language: str) -> str:
        """Return the inventory of the references in a language."""
        if self._phones == "auto":
            return "cmu39" if language == _ENGLISH else "ipa"
        return self._phones

    def references(self, language: str, utterances: Sequence[Utterance]) -> list[Reference]:
        """Return one reference an utterance."""
        if language not in self._open:
            self._open[language] = self._opened(language)
        referencer = self._open[language]
        if isinstance(referencer, IpaReferencer):
            return referencer.of_lines([utterance.text or "" for utterance in utterances])
        return [referencer.of(utterance.text or "", utterance.realized) for utterance in utterances]

    def _opened(self, language: str) -> Referencer | IpaReferencer:
        if self.inventory(language) == "ipa":
            oov = "stop" if self._unknown_words == "stop" else "skip"
            return IpaReferencer(language, self._backend, numerals=self._numerals, oov=oov)
        if language != _ENGLISH:
            raise PedkitError(f"there is no dictionary in cmu39 for the language {language!r}", hint="phones=ipa")
        return cmudict_referencer(self._unknown_words)


def _added(utterances: Iterable[Utterance], engines: _Engines, summary: ReferenceSummary) -> Iterator[Utterance]:
    for language, run in groupby(utterances, key=lambda u: _language(u, engines)):
        if language is None:
            for utterance in run:
                summary.kept += 1
                yield utterance
            continue
        while batch := list(islice(run, _BATCH)):
            yield from _with_references(batch, language, engines, summary)


def _language(utterance: Utterance, engines: _Engines) -> str | None:
    """Return the language in which phones must be made, or ``None`` where none must."""
    if utterance.canonical is not None or not utterance.text:
        return None
    if utterance.language is None:
        raise PedkitError("expected a language, without which text has no phones", utterance=utterance.id)
    language = listed_code(utterance.language)
    inventory = engines.inventory(language)
    if utterance.realized is not None and utterance.inventory != inventory:
        raise PedkitError(
            f"canonical phones in {inventory} cannot stand beside realized ones in {utterance.inventory}",
            utterance=utterance.id,
        )
    return language


def _with_references(
    batch: Sequence[Utterance], language: str, engines: _Engines, summary: ReferenceSummary
) -> Iterator[Utterance]:
    for utterance, reference in zip(batch, engines.references(language, batch), strict=True):
        extra = {**utterance.extra, "reference": dict(reference.record)}
        if reference.canonical is None:
            summary.unpronounced += 1
        else:
            summary.made[reference.record.get("g2p") or reference.record["lexicon"]] += 1
        made = replace(utterance, **reference.fields(engines.inventory(language)), extra=extra)
        if made.flags or made.target_span:  # made for other phones, perhaps
            Utterance.from_dict(made.to_dict())
        yield made
