"""The shipped tables are what the rules give."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from pedkit.errors import PedkitError
from pedkit.phones import SoftPhones, SoftTable
from pedkit.phones.allovera import Allophone, read_allovera
from pedkit.phones.soft_rules import SoftRules, derive, derive_allophonic, read_features
from pedkit.phones.soft_table import ALLOVERA_LANGUAGES

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


# A sound [x] that English gives to /k/ (the winner), German to /x/ and to /ʃ/, and French to /k/ as well. In the
# feature table k, x and g differ in more than one feature, and ʃ is not in it.
TOY_ROWS = [
    Allophone("eng", "x", "k"), Allophone("deu", "x", "x"), Allophone("deu", "x", "ʃ"), Allophone("fra", "x", "k"),
    Allophone("eng", "x", "g"),
]  # fmt: skip
TOY_FEATURES = {"k": {"a": "+", "b": "+"}, "x": {"a": "-", "b": "-"}, "ɡ": {"a": "0", "b": "0"}}


@pytest.mark.parametrize(
    ("rules", "pairs"),
    [
        # The last English row wins: /g/. Others are /k/ (French), /x/ (German).
        ({}, {"g k": {"eng", "fra"}, "g x": {"deu", "eng"}}),
        ({"cross_language": False}, {"g k": {"eng", "fra"}, "g x": {"deu", "eng"}}),
        ({"both_known": False}, {"g k": {"eng", "fra"}, "g x": {"deu", "eng"}, "g ʃ": {"deu", "eng"}}),
        ({"row": "first"}, {"k x": {"deu", "eng"}}),
        ({"row": "first", "cross_language": False}, {"k x": {"deu", "eng"}, "g k": {"eng"}}),
        ({"row": "first", "tags": "all"}, {"k x": {"deu", "eng", "fra"}}),
        ({"respell": False}, {}),  # g is not in the table, only ɡ is
    ],
)
def test_switches_of_the_second_tier(rules, pairs):
    table = derive("toy", TOY_ROWS, TOY_FEATURES, SoftRules(**rules))
    assert {" ".join(sorted(pair)): set(languages) for pair, languages in table.tier2.items()} == pairs


def test_either_mapping_tags_thirteen_languages_with_d_and_t():
    table = derive("cldf", read_allovera(), read_features(CLDF), SoftRules(tags="all"))
    assert table.tier2[frozenset("dt")] == set(ALLOVERA_LANGUAGES) - {"cmn"}
    assert table.counts[2] == 87


def test_repairs_of_allovera():
    found, repaired = read_allovera(), read_allovera(repair=True)
    assert len(found) - len(repaired) == 4  # the romaji q before a sound: s, t̚, d̚, p̚
    phonemes = {row.phoneme for row in repaired if row.language == "jpn"}
    assert phonemes.isdisjoint({"sh", "ch", "y", "f", "N", "q", "by", "ky", "ry"})
    assert Allophone("jpn", "ʑ", "d͡ʑ") in repaired
    assert Allophone("jpn", "j", "j") in repaired
    assert Allophone("kaz", "ə", "ə") in repaired
    assert Allophone("rus", "ɪ", "a") in repaired
    assert not any(row.phone != row.phone.strip() for row in repaired)
    assert all(found.count(row) == repaired.count(row) for row in found if row.language in ("eng", "deu", "spa"))


def test_repaired_romaji_parts_the_glide_from_the_fricative():
    as_written, repaired = (
        SoftPhones(derive_allophonic(read_allovera(repair=repair)), "jpn", inventory="ipa")
        for repair in (False, True)
    )
    assert as_written.equal("j", "ʑ")
    assert not repaired.equal("j", "ʑ")
    assert repaired.equal("d͡ʑ", "ʑ")
    assert not as_written.known("hʲ")
    assert repaired.known("hʲ")


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
