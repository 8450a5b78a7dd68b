"""The data card says what was made; its numbers are counted by hand or by the manifests."""

import re
from collections import Counter

import pytest

from pedkit.data.manifest import read_manifest
from synthetic.synthesize import synthesize


@pytest.fixture
def made(make_config, tmp_path):
    synthesize(make_config("seed=3", engine="obedient_engine.mumbling"))
    return tmp_path / "out"


def rows(card, heading):
    """Return the cells of the table under a heading."""
    section = card.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_card_counts_what_the_manifests_hold(made):
    card = (made / "README.md").read_text()
    sets = {
        split: read_manifest(made / f"{split}.jsonl") for split in ("train", "dev", "test_seen", "test_unseen")
    }
    everything = [utterance for items in sets.values() for utterance in items]
    assert {row[0]: int(row[1]) for row in rows(card, "Files")} == {f"{s}.jsonl": len(u) for s, u in sets.items()}
    kinds = Counter(operation["type"] for u in sets["train"] for operation in u.extra["design"])
    expected = [str(kinds[kind]) for kind in ("substitution", "deletion", "insertion")]
    assert rows(card, "Designed errors")[0] == ["train", *expected]

    phones = {row[0]: [int(cell) for cell in row[1:]] for row in rows(card, "Phones")}
    assert len(phones) == 39
    canonical = Counter(phone for u in everything for phone in u.canonical)
    realized = Counter(phone for u in everything for phone in u.realized)
    assert {phone: counts[0] for phone, counts in phones.items()} == {p: canonical[p] for p in phones}
    assert {phone: counts[1] for phone, counts in phones.items()} == {p: realized[p] for p in phones}
    for column, kind in enumerate(("substitution", "deletion", "insertion"), start=2):
        wrong = [operation for u in everything for operation in u.extra["design"] if operation["type"] == kind]
        assert sum(counts[column] for counts in phones.values()) == len(wrong)


def test_the_card_names_voices_licences_and_refusals(made):
    card = (made / "README.md").read_text()
    splits = ("train", "dev", "test_seen", "test_unseen")
    speakers = Counter(u.extra["voice"] for split in splits for u in read_manifest(made / f"{split}.jsonl"))
    licences = {"f1": "CC0-1.0", "f9": "MIT", "m1": "MIT"}
    assert rows(card, "Engines and voices") == [
        ["obedient", voice, str(speakers[voice]), "MIT", licence] for voice, licence in licences.items()
    ]
    refused = len((made / "refused.jsonl").read_text().splitlines())
    assert ["stage", "speaking", str(refused)] in rows(card, "Refused")
    assert refused + sum(speakers.values()) == 20
    assert re.search(r"^Seed 3\. pedkit ", card, re.MULTILINE)
