"""A data card: what a manifest holds, where it is from and by which hashes one knows it again, as Markdown."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pedkit.data.atomic import write_text
from pedkit.data.checking.report import COLUMNS, SHOWN, Report, few, group_text
from pedkit.data.corpora import CorpusFacts, corpus_facts
from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from pedkit.version import __version__

_NOTES = 20
_LOOKED_AT = {
    "none": "no file was opened",
    "header": "headers were read",
    "content": "every sample was decoded",
}


def write_card(path: str | Path, report: Report, *, licence: str | None = None, source: str | None = None) -> None:
    """Write the data card of the manifests that a report is about.

    Args:
        path: Markdown file to write.
        report: What `check` found.
        licence: Licence of corpora that pedkit does not know.
        source: Where they are from.

    Raises:
        PedkitError: A manifest cannot be read, or the card would be written over one.
    """
    if Path(path).resolve() in {manifest.resolve() for manifest in report.paths}:
        raise PedkitError("expected another file for the card than the manifest", file=path)
    unknown = CorpusFacts("", licence or "not stated", source or "not stated", "", "")
    sections = (_files(report), _corpora(report, unknown), _counts(report), _groups(report), _findings(report))
    title = " and ".join(manifest.name for manifest in report.paths)
    body = [f"# Data card: {title}", *(line for section in sections for line in ("", *section)), ""]
    body.append(f"Written by pedkit {__version__} (`pedkit check --card`).")
    write_text(path, "\n".join(body) + "\n")


def audio_digest(paths: Iterable[str]) -> tuple[str, int]:
    """Return one sha256 for a set of audio files, and how many could not be read.

    It is the sha256 of the sorted sha256s of the files, in hexadecimal, each followed by a newline; names and
    folders do not matter, so a copy elsewhere has the same.
    """
    hashes, gone = [], 0
    for path in paths:
        try:
            hashes.append(file_hash(path))
        except OSError:
            gone += 1
    lines = "".join(f"{line}\n" for line in sorted(hashes))
    return hashlib.sha256(lines.encode("ascii")).hexdigest(), gone


def _files(report: Report) -> Iterator[str]:
    yield from _table(["manifest", "sha256"], [[path.name, f"`{file_hash(path)}`"] for path in report.paths])
    yield ""
    facts = report.facts
    if report.audio == "none" or not facts.audio_files:
        yield f"Audio: {len(facts.audio_files)} files; {_LOOKED_AT['none']}."
        return
    digest, gone = audio_digest(facts.audio_files)
    lacking = f" ({gone} of them cannot be read)" if gone else ""
    rates = ", ".join(f"{rate} Hz ({count} utterances)" for rate, count in sorted(facts.rates.items()))
    looked = f"{_LOOKED_AT[report.audio]}. {rates}" if rates else "none could be used (see the faults)"
    yield f"Audio: {len(facts.audio_files)} files{lacking}; {looked}."
    yield ""
    yield f"Audio digest (sha256 of the sorted sha256s of the files, one a line): `{digest}`"


def _corpora(report: Report, unknown: CorpusFacts) -> Iterator[str]:
    facts = report.facts
    yield "## Source and licence"
    yield ""
    rows = []
    for corpus, count in facts.corpora.items():
        known = corpus_facts().get(corpus, unknown)
        rows.append([corpus, str(count), known.licence, known.source, known.citation, known.published])
    yield from _table(["corpus", "utterances", "licence", "source", "citation", "published size"], rows)
    yield ""
    if facts.licences:
        yield f"Licences that stand with the utterances: {_counted(facts.licences)}."
        yield ""
    yield f"May be passed on to a hosted recognizer (`may_upload`): {_counted(facts.may_upload)}."


def _counts(report: Report) -> Iterator[str]:
    facts = report.facts
    yield "## Counts"
    yield ""
    heading, *rows = report.rows()
    yield from _table(heading, rows)
    yield ""
    yield f"{COLUMNS}."
    yield ""
    for name, counter in (
        ("language", facts.languages),
        ("inventory", facts.inventories),
        ("level", facts.levels),
    ):
        yield f"- {name}: {_counted(counter)}"


def _groups(report: Report) -> Iterator[str]:
    yield "## Speakers by group"
    yield ""
    if not report.groups:
        yield "No group is stated."
        return
    rows = [[key, group_text(values)] for key, values in sorted(report.groups.items())]
    yield from _table(["key", "speakers"], rows)


def _findings(report: Report) -> Iterator[str]:
    yield "## Faults"
    yield ""
    for kind, faults in report.faults_by_kind.items():
        yield from (f"- {kind}: {fault}" for fault in few(faults, SHOWN))
    if report.ok:
        yield "None was found."
    yield ""
    yield "## Notes"
    yield ""
    yield from (f"- {note}" for note in few(report.notes, _NOTES)) if report.notes else ["None."]


def _table(heading: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    for row in (heading, ["---"] * len(heading), *rows):
        yield f"| {' | '.join(cell.replace('|', '/') for cell in row)} |"


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{value} {count}" for value, count in counter.items())
