import pytest

from pedkit.data.g2p import LANGUAGES, EspeakWords, IpaLine, open_engine, transcribe
from pedkit.data.g2p import epitran as epitran_file
from pedkit.data.g2p import espeak as espeak_file
from pedkit.errors import PedkitError


class Fake:
    name = "fake 1.0"

    def __init__(self, answers=None):
        self.answers, self.asked = answers, []

    def transcribe(self, lines):
        self.asked += lines
        return [IpaLine(line.upper()) for line in lines] if self.answers is None else self.answers


@pytest.fixture(scope="module")
def espeak():
    pytest.importorskip("espeakng_loader", reason="needs the extra 'g2p'")


@pytest.fixture(scope="module")
def epitran():
    pytest.importorskip("epitran", reason="needs the extra 'g2p'")


def test_each_line_has_its_answer_also_blank_ones_and_the_engine_sees_no_blank_line():
    engine = Fake()
    answers = transcribe(engine, ["hello", "...", "", "big\n world "])
    assert [line.text for line in answers] == ["HELLO", "", "", "BIG WORLD"]
    assert engine.asked == ["hello", "big world"]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_answers_is_refused(count):
    with pytest.raises(PedkitError, match=f"expected 2 answers of fake 1.0, one a line, but got {count}"):
        transcribe(Fake([IpaLine("a")] * count), ["hello", "world"])


@pytest.mark.espeak
def test_espeak_answers_line_by_line_and_joins_words_as_it_likes(espeak):
    answers = transcribe(open_engine("en", "espeak"), ["hello", "...", "", "world", "to be or not to be"])
    assert [line.text for line in answers] == ["həlˈoʊ", "", "", "wˈɜːld", "təbi ɔːɹ nˌɑːt tə bˈiː"]


@pytest.mark.espeak
def test_espeak_marks_of_another_language_are_told_apart(espeak):
    engine = open_engine("fra", "espeak")
    (line,) = engine.transcribe(["j'aime le football et le week-end ici"])
    assert "(" not in line.text
    assert line.foreign == {"en": "fˈʊtbɔːl wˈiːkˈɛnd"}
    assert line.text.startswith("ʒˈɛm lə- fˈʊtbɔːl ")
    assert line.text.endswith(" isˈi")
    assert engine.name == "espeak-ng 1.52.0 (fr)"


@pytest.mark.espeak
def test_two_voices_do_not_disturb_each_other(espeak):
    spanish, english = open_engine("spa", "espeak"), open_engine("eng", "espeak")
    first = spanish.transcribe(["jota"])
    english.transcribe(["jota"])
    assert spanish.transcribe(["jota"]) == first == [IpaLine("xˈota")]


@pytest.mark.espeak
def test_clauses_and_nul_characters_are_read_to_the_end(espeak):
    (line,) = open_engine("eng", "espeak").transcribe(["yes. no!\0 yes"])
    assert line.text == "jˈɛs nˈoʊ jˈɛs"


@pytest.mark.espeak
@pytest.mark.parametrize(
    ("word", "phones"),
    [
        ("pedkit", "P EH D K IH T"),
        ("ladder", "L AE D ER"),  # a flap without a t in the spelling
        ("butter", "B AH T ER"),
        ("button", "B AH T AH N"),  # espeak's glottal stop
        ("memory", "M EH M ER IY"),  # no R between ER and a vowel
        ("churches", "CH ER CH IH Z"),
        ("hmm", "HH AH M"),
    ],
)
def test_unknown_english_words_in_cmu39(espeak, word, phones):
    assert " ".join(EspeakWords().pronounce(word)) == phones


def test_shona_through_epitran(epitran):
    engine = open_engine("sna", "auto" if _lacks_g2p_plus() else "epitran")
    lines = engine.transcribe(["Zita rangu, ndinonzi!", "n\N{RIGHT SINGLE QUOTATION MARK}anga '"])
    assert [line.text for line in lines] == ["zita raŋɡu ndinonzi", "ŋaŋɡa"]
    assert engine.name.endswith("(sna-Latn)")


def test_indic_vowel_signs_survive(epitran):
    (line,) = open_engine("hin", "epitran").transcribe(["मेरा"])
    assert line.text == "meraː"


@pytest.mark.espeak
@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"sna"}))
def test_ten_of_the_eleven_languages_have_an_espeak_voice(espeak, language):
    engine = open_engine(language, "espeak")
    assert engine.name == f"espeak-ng 1.52.0 ({LANGUAGES[language].espeak})"


def test_the_eleven_languages_of_the_study():
    assert " ".join(sorted(entry.short for entry in LANGUAGES.values())) == "ar bn en es fr hi pa sn ta te tr"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("deu",), r"no G2P for the language 'deu'; there is for ara \(Arabic\), .*tur \(Turkish\)"),
        (("eng", "flite"), "expected 'backend' to be one of auto, g2p\\+, espeak, epitran, but got 'flite'"),
        (("sna", "espeak"), "espeak has no Shona"),
        (("eng", "epitran"), "epitran has no English"),
    ],
)
def test_what_is_not_there_is_said(arguments, message):
    with pytest.raises(PedkitError, match=message):
        open_engine(*arguments)


def test_missing_packages_name_their_extra(monkeypatch):
    espeak_file._load.cache_clear()
    for module in ("espeakng_loader", "epitran.simple", "g2p_plus.wrappers.epitran_wrapper"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(PedkitError, match=r"espeak-ng is not installed \(pip install 'pedkit\[g2p\]'"):
        espeak_file.EspeakIpa("fr")
    with pytest.raises(PedkitError, match=r"Epitran is not installed \(pip install 'pedkit\[g2p\]'"):
        epitran_file.EpitranIpa("sna-Latn")
    with pytest.raises(PedkitError, match=r"G2P\+ is not installed \(pip install 'pedkit\[g2p-plus\]'"):
        open_engine("sna", "g2p+")


def test_unknown_espeak_voice(espeak):
    with pytest.raises(PedkitError, match="espeak-ng has no voice 'klingonese'"):
        espeak_file.EspeakIpa("klingonese")


def test_g2p_plus_is_taken_where_it_is_installed(espeak):
    pytest.importorskip("g2p_plus", reason="needs the extra 'g2p-plus'")
    engine = open_engine("eng")
    answers = transcribe(engine, ["hello", "", "to be or not to be"])
    assert [line.text for line in answers] == ["h ə l oʊ", "", "t ə b i ɔ ɹ n ɑ t t ə b iː"]
    assert engine.name.startswith("g2p-plus 0.")
    assert "espeak-ng 1.52" in engine.name
    assert transcribe(open_engine("sna"), ["zita rangu"]) == [IpaLine("z i t a r a ŋ ɡ u")]


def _lacks_g2p_plus():
    try:
        import g2p_plus  # noqa: F401
    except ImportError:
        return True
    return False
