"""The data card of a set, ``README.md`` beside its manifests: what it holds, who spoke, what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pedkit.phones import get_inventory, strip_stress
from synthetic.design import DesignItem, Insertion
from synthetic.output.record import unchecked
from synthetic.output.refusals import kinds


def card(record: Mapping[str, Any], items: Sequence[DesignItem]) -> str:
    """Return the card as Markdown.

    Args:
        record: The finished run record.
        items: What was said.
    """
    settings = record["settings"]
    sections = (_files(record), _errors(record, items), _speakers(record), _refused(record), _phones(items))
    body = [
        f"# Synthetic error speech: {settings['name']}",
        "",
        "Made by machines from designed phones; no person spoke. Phones are those of CMU-39, without stress.",
        "",
        *(line for section in sections for line in (*section, "")),
        "## How it was made",
        "",
        f"Seed {settings['seed']}. {_pairs(record['versions'])}. Commit {record['git_commit'] or 'unknown'}.",
        "",
        f"    {record['command']}",
        "",
        "`run.json` has all settings, `design.jsonl` every item as designed, `refused.jsonl` every refusal.",
    ]
    return "\n".join(body) + "\n"


def _files(record: Mapping[str, Any]) -> Iterator[str]:
    yield "## Files"
    yield ""
    rows = (
        [
            f"{split}.jsonl",
            n["items"],
            n["with_error"],
            n["voices"],
            _pairs(n["levels"]),
            record["manifests"][split],
        ]
        for split, n in record["counts"].items()
    )
    yield from _table(["manifest", "items", "with an error", "voices", "level", "sha256"], rows)


def _errors(record: Mapping[str, Any], items: Sequence[DesignItem]) -> Iterator[str]:
    yield "## Designed errors"
    yield ""
    names = ("substitution", "deletion", "insertion")
    yield from _table(
        ["split", *names],
        ([split, *(n["errors"].get(name, 0) for name in names)] for split, n in record["counts"].items()),
    )
    sources = Counter(item.source or "no error" for item in items)
    yield ""
    yield f"Drawn from: {_pairs(dict(sorted(sources.items())))}."


def _speakers(record: Mapping[str, Any]) -> Iterator[str]:
    yield "## Engines and voices"
    yield ""
    keys = ("engine", "voice", "items", "engine_licence", "voice_licence")
    yield from _table(
        [key.replace("_", " ") for key in keys], ([v[key] for key in keys] for v in record["voices"])
    )
    yield ""
    yield f"Versions: {'; '.join(engine['version'] for engine in record['engines'])}."
    for name, sentence in record["absent_engines"].items():
        yield f"Left out: {name}: {sentence}."
    for sentence in unchecked(record):
        yield ""
        yield f"{sentence}."


def _refused(record: Mapping[str, Any]) -> Iterator[str]:
    refused = record["refused"]
    yield "## Refused"
    yield ""
    yield f"{refused['total']} in all; the self-check looked at {record['self_check']['checked']} requests."
    if not refused["total"]:
        return
    yield ""
    kinds_of = {"stages": "stage", "errors": "what", "engines": "engine", "operations": "designed error"}
    yield from _table(
        ["by", "", "refused"],
        ([heading, name, n] for key, heading in kinds_of.items() for name, n in refused[key].items()),
    )


def _phones(items: Sequence[DesignItem]) -> Iterator[str]:
    yield "## Phones"
    yield ""
    canonical, realized = Counter[str](), Counter[str]()
    changed: dict[str, Counter[str]] = {}
    for item in items:
        canonical.update(strip_stress(item.canonical))
        realized.update(strip_stress(item.realized))
        for operation in item.operations:
            phone = operation.realized if isinstance(operation, Insertion) else operation.canonical
            changed.setdefault(operation.kind, Counter())[strip_stress([phone])[0]] += 1
    edits = ("substitution", "deletion", "insertion")
    yield from _table(
        ["phone", "canonical", "realized", "substituted", "deleted", "inserted"],
        (
            [phone, canonical[phone], realized[phone], *(changed.get(edit, Counter())[phone] for edit in edits)]
            for phone in get_inventory("cmu39").phones
        ),
    )
    unedited = sum(kinds(item) == ["none"] for item in items)
    yield ""
    yield f"{len(items) - unedited} items with an error, {unedited} without."


def _table(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    for row in (heading, ["---"] * len(heading), *rows):
        yield f"| {' | '.join(str(cell).replace('|', '/') for cell in row)} |"


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
