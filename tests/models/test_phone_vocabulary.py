from __future__ import annotations

import pytest

from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary
from pedkit.phones import get_inventory


def test_blank_is_zero_and_phones_follow_in_order():
    vocabulary = PhoneVocabulary(["AA", "T", "S"], "cmu39")
    assert vocabulary.encode(["S", "AA", "S"]) == [3, 1, 3]
    assert vocabulary.decode([3, 0, 1]) == ("S", "AA")
    assert (len(vocabulary), vocabulary.blank, vocabulary.inventory) == (4, 0, "cmu39")


def test_an_inventory_gives_one_output_a_phone_and_the_blank():
    vocabulary = PhoneVocabulary.of_inventory("cmu39")
    assert vocabulary.phones == get_inventory("cmu39").phones
    assert len(vocabulary) == 40


def test_unknown_phones_are_all_named():
    with pytest.raises(PedkitError, match=r"no output for 'ER', 'ZH'.*2 phones of the inventory 'cmu39'"):
        PhoneVocabulary(["AA", "T"], "cmu39").encode(["T", "ZH", "ER"])


def test_saved_and_loaded_it_is_the_same(tmp_path):
    vocabulary = PhoneVocabulary.of_ids({"θ": 4, "ɪ": 7}, "ipa", blank=2, size=10)
    vocabulary.save(tmp_path / "vocabulary.json")
    loaded = PhoneVocabulary.load(tmp_path / "vocabulary.json")
    assert loaded == vocabulary
    assert (loaded.blank, len(loaded), loaded.encode(["ɪ"])) == (2, 10, [7])
    assert loaded != PhoneVocabulary.of_ids({"θ": 4, "ɪ": 7}, "ipa", blank=3, size=10)


def test_ids_without_a_phone_are_left_out_when_decoding():
    vocabulary = PhoneVocabulary.of_ids({"t": 5}, "ipa", blank=0)
    assert vocabulary.decode([0, 1, 5, 3]) == ("t",)
    assert vocabulary.phone(3) is None


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        ({}, "at least one phone"),
        ({"T": 0}, "blank's"),
        ({"T": 9}, "outside the 3 outputs"),
        ({"T": 1, "S": 1}, "share one"),
        ({"Q": 1}, "but got 'Q'"),
    ],
)
def test_impossible_numberings_are_refused(ids, sentence):
    with pytest.raises(PedkitError, match=sentence):
        PhoneVocabulary.of_ids(ids, "cmu39", size=3)


def test_no_phone_and_no_size_is_refused_too():
    with pytest.raises(PedkitError, match="at least one phone"):
        PhoneVocabulary.of_ids({}, "cmu39")


def test_a_phone_twice_is_refused():
    with pytest.raises(PedkitError, match="but got 'T' twice"):
        PhoneVocabulary(["T", "S", "T"], "cmu39")


def test_an_open_inventory_has_no_list_of_phones():
    with pytest.raises(PedkitError, match="'ipa' is open"):
        PhoneVocabulary.of_inventory("ipa")


def test_a_file_that_is_missing_or_broken_is_named(tmp_path):
    with pytest.raises(PedkitError, match=r"none\.json: no such file"):
        PhoneVocabulary.load(tmp_path / "none.json")
    (tmp_path / "half.json").write_text('{"inventory": "cmu39"', encoding="utf-8")
    with pytest.raises(PedkitError, match=r"half\.json:1: not a JSON file"):
        PhoneVocabulary.load(tmp_path / "half.json")
    (tmp_path / "other.json").write_text('{"inventory": "cmu39"}', encoding="utf-8")
    with pytest.raises(PedkitError, match=r"other\.json: expected a vocabulary with .*'ids'"):
        PhoneVocabulary.load(tmp_path / "other.json")


def test_phones_of_another_inventory_are_written_as_the_vocabulary_does(tmp_path):
    vocabulary = PhoneVocabulary.of_ids({"t": 5, "tʃ": 6, "ɚ": 8}, "ipa", spellings={"CH": "tʃ", "ER": "ɚ"})
    assert vocabulary.encode(["CH", "t", "ER"]) == [6, 5, 8]
    assert vocabulary.decode([6, 5, 8]) == ("tʃ", "t", "ɚ")  # what it hears is in its own inventory
    assert ("CH" in vocabulary, "tʃ" in vocabulary) == (False, True)
    vocabulary.save(tmp_path / "vocabulary.json")
    loaded = PhoneVocabulary.load(tmp_path / "vocabulary.json")
    assert loaded == vocabulary
    assert loaded.encode(["ER"]) == [8]
    with pytest.raises(PedkitError, match="no output for 'T'"):
        loaded.encode(["CH", "T"])


def test_a_spelling_goes_before_an_own_phone_of_the_same_name():
    vocabulary = PhoneVocabulary.of_ids({"n": 5, "N": 6}, "ipa", spellings={"N": "n"})
    assert vocabulary.encode(["N", "n"]) == [5, 5]
    assert vocabulary.decode([5, 6]) == ("n", "N")
    assert vocabulary.outputs(vocabulary.decode([6, 5])) == [6, 5]


def test_a_spelling_without_an_output_is_refused():
    with pytest.raises(PedkitError, match="one of the vocabulary's 2 phones, but got 'dʒ' for 'JH'"):
        PhoneVocabulary.of_ids({"t": 5, "tʃ": 6}, "ipa", spellings={"CH": "tʃ", "JH": "dʒ"})
