import pytest

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, get_inventory, strip_stress


def test_variants_keep_their_order():
    assert Lexicon.cmudict().pronunciations("a") == (("AH0",), ("EY1",))
    assert ("AY1", "DH", "ER0") in Lexicon.cmudict().pronunciations("either")


def test_comments_case_and_apostrophes():
    lexicon = Lexicon.cmudict()
    assert lexicon.pronunciations("Aalborg")[0] == ("AO1", "L", "B", "AO0", "R", "G")
    assert lexicon.pronunciations("don’t") == lexicon.pronunciations("don't") != ()


def test_unknown_word_has_no_pronunciation():
    assert Lexicon.cmudict().pronunciations("xqzt") == ()
    assert "xqzt" not in Lexicon.cmudict()


def test_every_phone_of_the_dictionary_is_in_cmu39():
    lexicon, cmu = Lexicon.cmudict(), get_inventory("cmu39")
    assert len(lexicon) > 125_000
    used = {phone for word in lexicon for p in lexicon.pronunciations(word) for phone in strip_stress(p)}
    assert used == set(cmu.phones)


def test_read_once():
    assert Lexicon.cmudict() is Lexicon.cmudict()


def test_own_file(tmp_path):
    path = tmp_path / "own.dict"
    path.write_text(";;; old comment\nWug W AH1 G # new word\nwug(2) V UH1 G\n\n:) S M AY1 L\n", encoding="utf-8")
    lexicon = Lexicon.from_file(path)
    assert lexicon.pronunciations("wug") == (("W", "AH1", "G"), ("V", "UH1", "G"))
    assert lexicon.pronunciations(":)") == (("S", "M", "AY1", "L"),)
    assert sorted(lexicon) == [":)", "wug"]


def test_line_without_phones_names_the_line(tmp_path):
    path = tmp_path / "broken.dict"
    path.write_text("one W AH1 N\ntwo\n", encoding="utf-8")
    with pytest.raises(PedkitError, match=r"broken.dict:2: expected a word and its phones"):
        Lexicon.from_file(path)


def test_missing_file(tmp_path):
    with pytest.raises(PedkitError, match=r"nowhere.dict"):
        Lexicon.from_file(tmp_path / "nowhere.dict")


def test_a_byte_order_mark_is_no_part_of_the_first_word(tmp_path):
    path = tmp_path / "windows.dict"
    path.write_bytes(b"\xef\xbb\xbfwug W AH1 G\r\nwugs\tW AH1 G Z\r\n")
    assert sorted(Lexicon.from_file(path)) == ["wug", "wugs"]
