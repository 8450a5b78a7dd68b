import pytest
from hypothesis import given
from hypothesis import strategies as st

from pedkit.errors import PedkitError
from pedkit.phones import INVENTORY_NAMES, ProjectionPolicy, Projector, get_inventory, merge_pairs_for, projection
from pedkit.phones._tables import read_tsv

IPA = Projector("ipa")


@pytest.mark.parametrize(
    ("token", "phones"),
    [
        ("əl", "AH L"), ("ɑːɹ", "AA R"), ("ɔːɹ", "AO R"), ("oːɹ", "AO R"), ("ɛɹ", "EH R"), ("ɪɹ", "IH R"),
        ("ʊɹ", "UH R"), ("aɪɚ", "AY ER"), ("aɪə", "AY AH"), ("iə", "IY AH"), ("ju", "Y UW"), ("n̩", "AH N"),
        ("l̩", "AH L"), ("ɹ̩", "ER"), ("ə", "AH"), ("ɐ", "AH"), ("ᵻ", "AH"), ("ɾ", "T"), ("ɫ", "L"), ("ɜː", "ER"),
        ("ɜ", "ER"), ("ɝ", "ER"), ("ɚ", "ER"), ("ə˞", "ER"), ("ɜ˞", "ER"), ("iː", "IY"), ("uː", "UW"),
        ("tʃ", "CH"), ("t͡ʃ", "CH"), ("ʧ", "CH"), ("d͡ʒ", "JH"), ("t͡s", "T S"), ("g", "G"), ("ɡ", "G"),
        ("ç", "HH"), ("c\u0327ː", "HH"), ("x", "HH"), ("r", "R"), ("i5", "IY"), ("aiɜ", "AY"), ("ɑː˞", "AA R"),
        ("tS", "CH"), ("t[", "T"), ('u"', "UW"), ("n̩ː", "AH N"), ("pˈa", "P AA"), ("kǃ", "K"), ("eʲ̃", "EY"),
    ],
)  # fmt: skip
def test_one_token_to_a_sequence(token, phones):
    assert IPA([token]).phones == tuple(phones.split())
    assert IPA([token]).dropped == ()


def test_flat_text_is_read_by_longest_match():
    judge = ("JH", "AH", "JH")
    assert IPA("d͡ʒʌd͡ʒ").phones == IPA("dʒʌdʒ").phones == IPA("ʤʌʤ").phones == judge
    assert IPA("tʃɜːtʃ").phones == ("CH", "ER", "CH")
    assert IPA("hæt ʃɑp").phones == ("HH", "AE", "T", "SH", "AA", "P")
    assert IPA("fɑɹ").phones == ("F", "AA", "R")


def test_token_boundaries_are_trusted():
    assert IPA(["n", "ʌ", "t", "ʃ", "ɛ", "l"]).phones == ("N", "AH", "T", "SH", "EH", "L")
    assert IPA(["a", "ɪ"]).phones == ("AA", "IH")
    assert IPA(["f", "ɜː", "ɹ", "i"]).phones == ("F", "ER", "R", "IY")


def test_forced_pairs_are_merged_and_no_others():
    zipa = Projector("ipa", merge_pairs=[("t", "ʃ"), ("a", "ɪ")])
    assert zipa(["t", "ʃ", "ː", "a", "ɪ", "d", "ʒ"]).phones == ("CH", "AY", "D", "ZH")
    assert zipa(["h", "æ", "t", "▁", "ʃ", "ɑ"]).phones == ("HH", "AE", "T", "SH", "AA")
    assert zipa(["a", "ɪ", "ɪ"]).phones == ("AY", "IH")


def test_pairs_a_vocabulary_forces_apart():
    assert merge_pairs_for(["t", "ʃ", "d", "ʒ", "t͡ʃ", "a", "ɪ", "ʊ", "aʊ"]) == (("a", "ɪ"), ("d", "ʒ"))


def test_lone_marks_belong_to_the_letter_before():
    assert IPA(["ə", "˞"]).phones == ("ER",)
    assert IPA(["t", "ʰ", "n", "̩", "ː"]).phones == ("T", "AH", "N")
    assert IPA(["a", "▁", "ː"]).phones == ("AA",)
    assert IPA(["ː", "a"]) == type(IPA([]))(("AA",), dropped=("ː",))


def test_what_is_no_sound_is_listed_apart_from_what_is_lost():
    result = IPA(["<s>", "ʔ", "ˈ", "a", "▁", "%", "<unk>"])
    assert result.phones == ("AA",)
    assert result.dropped == ("ʔ", "%", "<unk>")
    assert result.ignored == ("<s>", "ˈ", "▁")
    assert IPA.reason("%") == "unknown symbol"
    assert "glottal=drop" in IPA.reason("ʔ")


def test_unlisted_tokens_are_read_in_parts_and_their_losses_named():
    assert IPA(["pɑː%k"]).phones == ("P", "AA", "K")
    assert IPA(["pɑː%k"]).dropped == ("%",)


@given(st.lists(st.text(st.sampled_from("ptkaɪʃɹʔ%ʕː˞̩5ˈ▁S"), min_size=1, max_size=4), max_size=6))
def test_every_token_is_in_the_output_or_listed(tokens):
    result = IPA(tokens)
    if not result.dropped and not result.ignored:
        assert bool(result.phones) == bool(tokens)
    if "%" in "".join(tokens):
        assert any("%" in symbol for symbol in result.dropped)
    assert set(result.phones) <= set(get_inventory("cmu39").phones)


@pytest.mark.parametrize(
    ("choice", "token", "phones"),
    [
        ({"schwa": "IH"}, "ᵻ", "IH"),
        ({"schwa": "IH"}, "ɨ", "IH"),
        ({"schwa": "IH"}, "ə", "AH"),
        ({"flap": "D"}, "ɾ", "D"),
        ({"flap": "canonical"}, "ɾ", "DX"),
        ({"glottal": "T"}, "ʔ", "T"),
        ({"syllabic": "bare"}, "n̩", "N"),
        ({"syllabic": "bare"}, "ɹ̩", "ER"),
    ],
)
def test_policies_for_ipa(choice, token, phones):
    assert Projector("ipa", policy=ProjectionPolicy(**choice))([token]).phones == (phones,)


def test_dropped_flap_is_listed():
    result = Projector("ipa", policy=ProjectionPolicy(flap="drop"))(["ɾ"])
    assert (result.phones, result.dropped) == ((), ("ɾ",))


@pytest.mark.parametrize("name", ["ipa", "arpabet"])
def test_table_rows_are_complete_and_unambiguous(name):
    rows = read_tsv(f"projection_{name}.tsv")
    cmu = set(get_inventory("cmu39").phones)
    keys = [(row["symbol"], row["policy"]) for row in rows]
    assert len(keys) == len(set(keys))
    for row in rows:
        phones = row["phones"].split()
        assert row["reason"], row
        assert row["action"] in ("map", "drop", "ignore")
        assert (row["action"] == "map") == (1 <= len(phones) <= 3), row
        assert set(phones) <= cmu | ({"DX"} if row["policy"] == "flap=canonical" else set()), row
    chosen = {symbol for symbol, policy in keys if policy}
    plain = {symbol for symbol, policy in keys if not policy}
    assert not chosen & plain


def test_same_inventory_is_identity_with_a_membership_check():
    assert Projector("cmu39")(["AH", "T"]).phones == ("AH", "T")
    with pytest.raises(
        PedkitError, match=r"inventory 'cmu39', but got 'AH0' \(the inventory 'arpabet' takes stress digits"
    ):
        Projector("cmu39")(["AH0"])
    with pytest.raises(PedkitError, match="inventory 'timit39', but got 'zh'"):
        Projector("timit39", "timit39")(["zh"])


def test_ipa_onto_itself_is_the_normal_form():
    ipa = Projector("ipa", "ipa")
    result = ipa(["g", "ç", "tʃ", "t͡ʃ", "n\u032a\u030a", "n\u030a\u032a", "ˈa", "S", "<pad>", "<unk>"])
    assert result.phones == ("ɡ", "c\u0327", "t͡ʃ", "t͡ʃ", "n\u032a\u030a", "n\u032a\u030a", "a", "S")
    assert (result.unknown, result.ignored, result.dropped) == (("S",), ("<pad>",), ("<unk>",))
    assert ipa("tʰdtʰ").phones == ("tʰ", "d", "tʰ")
    assert ipa("θ ɪ ŋ").phones == ("θ", "ɪ", "ŋ")


def test_symbols_in_one_string_of_a_list_are_taken_apart():
    assert Projector("ipa", "ipa")(["θ ɪ ŋ"]).phones == ("θ", "ɪ", "ŋ")
    assert IPA(["θ ɪ ŋ"]).phones == ("TH", "IH", "NG")


def test_memory_of_tokens_is_bounded(monkeypatch):
    monkeypatch.setattr(projection, "MEMO_LIMIT", 10)
    projector = Projector("ipa", merge_pairs=[("a", "ɪ")])
    for number in range(100):
        assert projector([f"t{'ʰ' * number}", "a", "ɪ", "%" * (number + 1)]).phones == ("T", "AY")
    assert len(projector._entries) <= 10 + 5


def test_arpabet_in_any_case_with_or_without_stress():
    arpabet = Projector("arpabet")
    assert arpabet("DH AH0 AX ix DX sil").phones == ("DH", "AH", "AH", "IH", "T")
    assert arpabet("DH sil XX") == type(arpabet([]))(("DH",), dropped=("XX",), ignored=("sil",))


@pytest.mark.parametrize(
    ("source", "target"), [("timit39", "cmu39"), ("timit48", "cmu39"), ("ipa", "timit61"), ("x", "cmu39")]
)
def test_inventories_that_cannot_be_combined(source, target):
    with pytest.raises(PedkitError, match=f"no projection from '{source}' onto '{target}'"):
        Projector(source, target)


@pytest.mark.parametrize("name", INVENTORY_NAMES)
@pytest.mark.parametrize("bad", [[None], [""], [3], [["a"]]])
def test_what_is_no_phone_is_named(name, bad):
    with pytest.raises(PedkitError, match=r"expected (every phone to be a non-empty string|a sequence of phones)"):
        Projector(name, name)(bad)


def test_unknown_policy():
    with pytest.raises(PedkitError, match=r"'flap' to be one of T, D, canonical, drop, but got 'R'"):
        ProjectionPolicy(flap="R")
    assert ProjectionPolicy().to_dict() == {
        "schwa": "AH", "flap": "T", "glottal": "drop", "closures": "merge", "syllabic": "schwa",
    }  # fmt: skip
