"""The shipped tables are what the rules give."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from pedkit.errors import PedkitError
from pedkit.phones import SoftTable
from pedkit.phones.soft_rules import SoftRules, derive, derive_allophonic, read_allovera, read_features

CLDF = Path(__file__).with_name("data") / "phoible_cldf" / "segment_features.tsv"
# The features of PHOIBLE's development repository cannot be passed on under pedkit's licence. Whoever has a copy
# (raw-data/FEATURES/phoible-segments-features.tsv) can rebuild the shipped tables exactly.
RAW = Path(os.environ.get("PEDKIT_PHOIBLE_RAW", ""))
needs_raw = pytest.mark.skipif(not RAW.is_file(), reason="PEDKIT_PHOIBLE_RAW names no feature table")


def test_allovera_rows():
    rows = read_allovera()
    per_language = Counter(row.language for row in rows)
    assert per_language["eng"] == 47
    assert len(rows) == 714 - 6  # six rows have an empty phone or phoneme
    phones, phonemes = {row.phone for row in rows}, {row.phoneme for row in rows}
    assert (len(phones), len(phonemes), len(phones | phonemes)) == (229, 158, 257)


@pytest.mark.parametrize(
    ("pool", "counts"), [("all", (53, 254, 87)), ("canonical", (78, 254, 87)), ("none", (130, 254, 87))]
)
def test_rules_on_the_cldf_features(pool, counts):
    table = derive("cldf", read_allovera(), read_features(CLDF), SoftRules(pool=pool))
    assert table.counts == counts
    together = any({"t", "d"} <= group for group in table.tier1)
    assert together == (pool == "all")
    assert table.tier2[frozenset("dt")] == {"eng", "kaz", "rus", "vie"}


def test_last_row_and_last_language_win_and_english_overrides():
    table = derive("cldf", read_allovera(), read_features(CLDF))
    assert table.canonical == SoftTable.preset("paper").canonical
    assert table.canonical["ɪ"] == ("eng", "j")
    first = derive("cldf", read_allovera(), read_features(CLDF), SoftRules(row="first"))
    assert first.canonical["ɪ"] == ("eng", "ɪ")


def test_merges_without_features_are_those_of_the_shipped_table():
    table = derive("allovera_only", read_allovera(), read_features(CLDF), SoftRules(pool="none"))
    assert set(table.tier1) == set(SoftTable.preset("allovera_only").tier1)


def test_allophonic_table_is_what_the_rule_gives():
    shipped = SoftTable.preset("allophonic")
    assert derive_allophonic(read_allovera(), shipped.sources).to_json() == shipped.to_json()


def test_table_survives_a_round_trip(tmp_path):
    path = tmp_path / "table.json"
    table = SoftTable.preset("paper")
    path.write_text(json.dumps(table.to_json()), encoding="utf-8")
    assert SoftTable.load(path).to_json() == table.to_json()


def test_feature_table_without_segments(tmp_path):
    path = tmp_path / "features.tsv"
    path.write_text("phone\ttone\na\t0\n", encoding="utf-8")
    with pytest.raises(PedkitError, match="column 'segment'"):
        read_features(path)


@needs_raw
@pytest.mark.parametrize(
    ("name", "pool", "counts"),
    [
        ("paper", "all", (62, 254, 90)),
        ("canonical", "canonical", (79, 254, 90)),
        ("allovera_only", "none", (130, 254, 90)),
    ],
)
def test_shipped_tables_from_the_raw_features(name, pool, counts):
    table = derive(name, read_allovera(), read_features(RAW), SoftRules(pool=pool), SoftTable.preset(name).sources)
    assert table.counts == counts
    assert table.to_json() == SoftTable.preset(name).to_json()
