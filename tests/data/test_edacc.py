import pytest

from pedkit.data.audio import audio_info
from pedkit.data.readers import read_edacc
from pedkit.data.readers.edacc_background import age_bin
from pedkit.errors import PedkitError
from tests.data.mini_edacc import write_edacc

FIRST = "EDACC-C06-A_000"


@pytest.fixture
def corpus(tmp_path):
    return write_edacc(tmp_path / "edacc")


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_edacc(root, **options)}


def test_segments_with_words_are_utterances(corpus, caplog):
    utterances = by_id(corpus)
    assert {name: (utterance.split, utterance.text) for name, utterance in utterances.items()} == {
        FIRST: ("dev", "WELL I DON'T KNOW"),
        "EDACC-C08-A_000": ("test", "YES"),
        "EDACC-C08-B_000": ("test", "NO ZQYX"),
    }
    assert caplog.messages == ["segments of edacc left out: 1 with <OVERLAP>, 1 with <FOREIGN>"]
    assert by_id(corpus / "edacc_v1.0").keys() == utterances.keys()


def test_segment_phones_and_speaker(corpus):
    utterance = by_id(corpus)["EDACC-C08-A_000"]
    assert (utterance.audio.start, utterance.audio.duration) == (0.25, 1.5)
    assert utterance.audio.path.endswith("edacc_v1.0/data/EDACC-C08_P1.wav")
    assert audio_info(utterance.audio).frames == 48000  # at 32 kHz
    assert utterance.canonical == ("Y", "EH", "S")
    assert utterance.speaker == "edacc:EDACC-C08-A"
    assert (utterance.language, utterance.level, utterance.may_upload) == ("eng", "sentence", True)
    assert by_id(corpus)[FIRST].extra["marks"] == ["<LAUGH>"]
    assert " ".join(by_id(corpus)[FIRST].canonical) == "W EH L AY D OW N T N OW"


def test_groups_from_the_questionnaire(corpus):
    utterances = by_id(corpus, overlap="keep")
    assert utterances[FIRST].groups == {
        "gender": "male",
        "age": 47,  # 2022 - 1975
        "age_group": "adult",
        "edacc_age_group": "45-59",
        "accent": "glaswegian",
        "ethnicity": "white",
        "education": "masters",
        "native": True,
    }
    assert utterances["EDACC-C06-B_000"].groups == {
        "gender": "female",
        "age": 30,
        "age_group": "adult",
        "edacc_age_group": "30-44",
        "accent": "catalan, spanish",
        "education": "phd",
        "age_of_onset": 7,  # 1999 - 1992
        "native": False,
    }
    assert utterances["EDACC-C06-B_000"].groups_raw == {
        "gender": "Female",
        "ethnicity": "Prefer not to say",
        "education": "PhD",
        "accent": "Catalan,  Spanish",
        "second_languages": "Catalan,French",
        "year_of_birth": "1992.0",
        "year_of_english": "1999",
    }


def test_what_was_not_answered_is_missing(corpus):
    utterances = by_id(corpus)
    # no year of birth, NA, null; both l1 and l2 in the scoring file
    assert utterances["EDACC-C08-A_000"].groups == {"gender": "non-binary", "accent": "nigerian"}
    # 'None' as an accent, English before birth, a label that says neither l1 nor l2
    assert utterances["EDACC-C08-B_000"].groups == {
        "gender": "female",
        "age": 15,
        "age_group": "child",
        "edacc_age_group": "15-29",
        "ethnicity": "asian",
        "education": "high school",
    }


def test_ages_follow_the_year_that_is_given(corpus):
    groups = by_id(corpus, recording_year=2020)[FIRST].groups
    assert (groups["age"], groups["edacc_age_group"]) == (45, "45-59")
    assert not {"age", "age_group", "edacc_age_group"} & set(by_id(corpus, recording_year=None)[FIRST].groups)


def test_age_bins():
    bins = [age_bin(age) for age in (14, 15, 29, 30, 44, 45, 59, 60, 75)]
    assert bins == ["0-14", "15-29", "15-29", "30-44", "30-44", "45-59", "45-59", "60+", "60+"]


def test_overlap_and_foreign_words_are_kept_on_request(corpus):
    utterances = by_id(corpus, overlap="keep", unclear="keep")
    assert utterances["EDACC-C06-B_000"].canonical == ("Y", "AE")
    foreign = utterances["EDACC-C06-B_001"]
    assert (foreign.text, foreign.canonical) == ("WE SAY AT HOME", None)
    assert foreign.extra == {"marks": ["<FOREIGN>"]}


def test_unknown_words(corpus):
    assert by_id(corpus)["EDACC-C08-B_000"].canonical is None
    with pytest.raises(PedkitError, match=r"utterance 'EDACC-C08-B_000': .*no pronunciation of 'ZQYX'"):
        by_id(corpus, unknown_words="stop")


def test_a_copy_without_the_scoring_file_does_not_say_who_is_native(corpus):
    for split in ("dev", "test"):
        (corpus / "edacc_v1.0" / split / "stm").unlink()
    assert "native" not in by_id(corpus)[FIRST].groups


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        ("dev/segments", "0.00 1.00", "0.00", r"dev/segments:1: expected 'segment conversation start end'"),
        (
            "dev/segments",
            "0.00 1.00",
            "1.00 0.00",
            r"dev/segments:1: expected a segment that ends after it starts",
        ),
        (
            "dev/segments",
            "B_000 EDACC",
            "A_000 EDACC",
            r"dev/segments:2: the segment 'EDACC-C06-A_000' stands twice",
        ),
        ("dev/text", "A_000", "A_009", r"'EDACC-C06-A_000': the list dev/text lacks this segment"),
        ("dev/utt2spk", "A_000 ", "A_009 ", r"'EDACC-C06-A_000': the list dev/utt2spk lacks this segment"),
        ("linguistic_background.csv", "C06-A", "C07-A", r"has no participant EDACC-C06-A"),
        (
            "linguistic_background.csv",
            "C06-B",
            "C06-A",
            r"background.csv:3: the participant EDACC-C06-A stands twice",
        ),
        ("linguistic_background.csv", "EDACC-C06-B", "", r"background.csv:3: expected a participant"),
        (
            "linguistic_background.csv",
            "PARTICIPANT",
            "SPEAKER",
            r"background.csv:1: expected a column 'PARTICIPANT_ID'",
        ),
        (
            "linguistic_background.csv",
            "year of birth",
            "age",
            r"begins with \"what's your year of birth\?\", but got 0",
        ),
    ],
)
def test_faults_are_named(corpus, file, before, after, message):
    path = corpus / "edacc_v1.0" / file
    path.write_text(path.read_text(encoding="utf-8").replace(before, after, 1), encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        by_id(corpus)


def test_half_an_archive(corpus, tmp_path):
    (corpus / "edacc_v1.0" / "test" / "text").unlink()
    with pytest.raises(PedkitError, match="expected the file 'test/text' of the corpus edacc"):
        by_id(corpus)
    with pytest.raises(PedkitError, match="no such folder"):
        by_id(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "option", [{"overlap": "mix"}, {"unclear": "x"}, {"canonical": "x"}, {"unknown_words": "x"}]
)
def test_unknown_options(corpus, option):
    with pytest.raises(PedkitError, match=f"expected '{next(iter(option))}'"):
        by_id(corpus, **option)


@pytest.mark.parametrize("year", [22, True, "2022"])
def test_a_year_that_is_none_stops(corpus, year):
    with pytest.raises(PedkitError, match="expected 'recording_year' to be a year such as 2022"):
        by_id(corpus, recording_year=year)
