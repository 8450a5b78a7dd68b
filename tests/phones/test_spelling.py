from pedkit.phones import (
    ARPABET_TO_ESPEAK,
    ARPABET_TO_IPA,
    IPA_TO_ARPABET,
    TIMIT_TO_IPA,
    Projector,
    get_inventory,
    strip_stress,
)


def test_arpabet_and_ipa_are_inverse_and_complete():
    assert tuple(ARPABET_TO_IPA) == get_inventory("cmu39").phones
    assert len(IPA_TO_ARPABET) == 39
    assert all(IPA_TO_ARPABET[ipa] == phone for phone, ipa in ARPABET_TO_IPA.items())


def test_spellings_that_are_easily_got_wrong():
    assert [ARPABET_TO_IPA[p] for p in ("CH", "ER", "G", "R", "Y", "OW", "HH")] == [
        "t͡ʃ", "ə˞", "\u0261", "ɹ", "j", "oʊ", "h",
    ]  # fmt: skip


def test_timit_spelling_covers_all_but_silence():
    assert set(get_inventory("timit61").phones) - set(TIMIT_TO_IPA) == {"h#", "pau", "epi"}
    assert TIMIT_TO_IPA["dx"] == "ɾ"


def test_strip_stress():
    assert strip_stress(["AH0", "B", "AW1", "T"]) == ("AH", "B", "AW", "T")
    assert strip_stress(["", "ER2"]) == ("", "ER")


def test_the_espeak_spelling_differs_from_ours_in_three_phones_and_means_the_same():
    other = {phone: symbol for phone, symbol in ARPABET_TO_ESPEAK.items() if symbol != ARPABET_TO_IPA[phone]}
    assert other == {"CH": "t\u0283", "JH": "d\u0292", "ER": "\u025a"}  # PEDBench: no tie bar, one symbol
    assert Projector("ipa")(list(ARPABET_TO_ESPEAK.values())).phones == get_inventory("cmu39").phones
