import warnings

import pytest

from pedkit.data.g2p import IpaLine
from pedkit.data.ipa_references import IpaReferencer
from pedkit.errors import PedkitError


class Fake:
    name = "fake 1.0"

    def __init__(self, **answers):
        self.answers = answers

    def transcribe(self, lines):
        return [self.answers.get(line.split()[0], IpaLine("")) for line in lines]


def referencer(engine, **options):
    return IpaReferencer("fra", engine=engine, **options)


def test_phones_are_normalised_and_the_engine_is_recorded():
    reference = referencer(Fake(bonjour=IpaLine("bɔ̃ʒˈuʁ"))).of("bonjour")
    assert reference.canonical == ("b", "ɔ̃", "ʒ", "u", "ʁ")
    assert reference.record == {"g2p": "fake 1.0", "normalisation": "bias study (reconstruction)"}
    assert reference.fields("ipa") == {
        "inventory": "ipa",
        "canonical": reference.canonical,
        "canonical_variant": None,
        "words": (),
    }


def test_words_that_the_engine_joins_are_reported():
    assert referencer(Fake(to=IpaLine("təbi ɔːɹ"))).of("to be or ...").record["words"] == {"text": 3, "engine": 2}


def test_foreign_parts_are_recorded_with_one_warning():
    foreign = IpaLine("lə fˈʊtbɔːl", {"en": "fˈʊtbɔːl"})
    made = referencer(Fake(le=foreign))
    with pytest.warns(
        UserWarning, match="fake 1.0 took parts of 'le football' for another language.*en 'fˈʊtbɔːl'"
    ):
        references = made.of_lines(["le football", "le football"])
    assert [reference.record["foreign"] for reference in references] == [{"en": "fˈʊtbɔːl"}] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made.of("le football")


@pytest.mark.parametrize("text", ["en 1984", "पृष्ठ २५"])
def test_numerals_are_refused_unless_the_engine_may_read_them(text):
    engine = Fake(**{text.split()[0]: IpaLine("a b")})
    with pytest.raises(PedkitError, match="expected text without numerals"):
        referencer(engine).of(text)
    reference = referencer(engine, oov="skip").of(text)
    assert (reference.canonical, reference.record["unpronounced"]) == (None, "numerals")
    assert referencer(engine, numerals="engine").of(text).canonical == ("a", "b")


def test_lines_without_an_answer_stop_or_are_left_out():
    with pytest.raises(PedkitError, match=r"fake 1\.0 does not pronounce 'quoi'"):
        referencer(Fake()).of("quoi")
    references = referencer(Fake(oui=IpaLine("wi")), oov="skip").of_lines(["quoi", "", "oui"])
    assert [reference.canonical for reference in references] == [None, None, ("w", "i")]
    assert references[0].record["unpronounced"] == "no answer of the engine"
    assert "unpronounced" not in references[1].record
    assert references[0].fields("ipa") == {}


@pytest.mark.parametrize("option", [{"numerals": "spell"}, {"oov": "guess"}])
def test_unknown_options(option):
    with pytest.raises(PedkitError, match=f"expected '{next(iter(option))}'"):
        referencer(Fake(), **option)


@pytest.mark.espeak
@pytest.mark.parametrize(
    ("language", "text", "phones"),
    [
        ("hin", "मेरा नाम", "m eː ɾ aː n aː m"),
        ("spa", "me llamo", "m e ʎ a m o"),
        ("tur", "benim adım", "b e n ɪ m a d ɯ m"),
        ("eng", "church", "tʃ ɜː tʃ"),
        ("fra", "les amis", "l e z a m i"),  # liaison
    ],
)
def test_real_lines(language, text, phones):
    pytest.importorskip("espeakng_loader", reason="needs the extra 'g2p'")
    assert " ".join(IpaReferencer(language, "espeak").of(text).canonical) == phones
