import pytest

from pedkit.errors import PedkitError
from pedkit.phones import INVENTORY_NAMES, get_inventory, is_vowel


def test_sizes_and_vowels_are_those_of_the_literature():
    sizes = {name: len(get_inventory(name)) for name in INVENTORY_NAMES}
    assert sizes == {"cmu39": 39, "timit61": 61, "timit48": 48, "timit39": 39, "ipa": 0}
    vowels = {name: " ".join(sorted(get_inventory(name).vowels)) for name in INVENTORY_NAMES}
    assert vowels["cmu39"] == "AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW"
    assert vowels["timit61"] == "aa ae ah ao aw ax ax-h axr ay eh er ey ih ix iy ow oy uh uw ux"
    assert vowels["timit39"] == "aa ae ah aw ay eh er ey ih iy ow oy uh uw"


def test_timit39_is_not_cmu39():
    classes = set(get_inventory("timit39").phones)
    assert {"dx", "sil"} <= classes
    assert not classes & {"ao", "zh", "q", "ax"}


def test_index_follows_the_fixed_order():
    cmu = get_inventory("cmu39")
    assert (cmu.index("AA"), cmu.index("ZH")) == (0, 38)
    assert list(cmu.phones) == sorted(cmu.phones)
    with pytest.raises(PedkitError, match=r"inventory 'cmu39', but got 'AH0'"):
        cmu.index("AH0")


def test_ipa_is_open():
    ipa = get_inventory("ipa")
    assert "ɬ" in ipa
    assert "" not in ipa
    assert "a b" not in ipa
    assert None not in ipa
    with pytest.raises(PedkitError, match="no index"):
        ipa.index("ɬ")


@pytest.mark.parametrize("phone", ["ɑː", "ə˞", "ɚ", "aɪ", "ã", "ᵻ"])
def test_ipa_vowels(phone):
    assert is_vowel(phone, "ipa")


@pytest.mark.parametrize("phone", ["t͡ʃ", "n̩", "j", "ʰ", "ˀs", "1", ""])
def test_ipa_consonants_and_leftovers_are_not_vowels(phone):
    assert not is_vowel(phone, "ipa")


def test_vowel_letters_are_the_syllabic_letters_of_panphon():
    import panphon

    table = panphon.FeatureTable()
    vowels, consonants = (
        get_inventory("ipa").vowels,
        "pbtdʈɖcɟkɡqɢʔmɱnɳɲŋɴʙrʀɾɽɸβfvθðszʃʒʂʐʝxɣχʁħʕhɦɬɮʋɹɻjɰlɭʎʟwɥɕʑ",
    )
    syllabic = {c for c in vowels | set(consonants) if table.fts(c) and table.fts(c)["syl"] == 1}
    assert syllabic == {c for c in vowels if table.fts(c)}
    assert {c for c in vowels if not table.fts(c)} == set("ɚɝᵻᵿ")  # letters that panphon lacks


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(PedkitError, match=r"cmu39, timit61.*'cmu40'"):
        get_inventory("cmu40")
