import pytest

from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_speech_accent_archive
from pedkit.errors import PedkitError
from tests.data.mini_speech_accent_archive import write_speech_accent_archive

PHONES = (
    "P L IY Z K AO L S T EH L AH AE S K HH ER T UW B R IH NG DH IY Z TH IH NG Z W IH DH HH ER F R AH M "
    "DH AH S T AO R"
)


@pytest.fixture
def corpus(tmp_path):
    return write_speech_accent_archive(tmp_path / "archive")


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_speech_accent_archive(root, **options)}


def test_rows_with_a_recording_of_a_person_are_utterances(corpus):
    utterances = by_id(corpus)
    assert list(utterances) == ["english1", "amharic3", "korean2", "english9", "spanish4", "marathi1"]
    utterance = utterances["english1"]
    assert utterance.text == "Please call Stella.  Ask her to bring these things with her from the store."
    assert " ".join(utterance.canonical) == PHONES
    assert utterance.audio.path.endswith("archive/recordings/recordings/english1.mp3")
    assert (utterance.level, utterance.language, utterance.may_upload) == ("passage", "eng", False)
    assert utterance.extra == {"reference": {"lexicon": "cmudict"}}


def test_groups(corpus):
    utterances = by_id(corpus)
    assert utterances["english1"].groups == {
        "gender": "female",
        "age": 27,
        "age_group": "adult",
        "l1": "english",
        "native": True,
        "accent": "english",
        "region": "usa",
        "age_of_onset": 0,
    }
    assert utterances["amharic3"].groups == {
        "gender": "female",  # famale
        "age": 18,
        "age_group": "adult",
        "l1": "amharic",
        "native": False,
        "accent": "amharic",
        "region": "ethiopia",
        "age_of_onset": 9,
    }
    assert utterances["amharic3"].groups_raw["sex"] == "famale"
    # an age of 0, NA, null, an empty country
    assert utterances["korean2"].groups == {"gender": "male", "l1": "korean", "native": False, "accent": "korean"}
    assert utterances["marathi1"].groups["age_group"] == "child"
    assert [utterances[name].speaker for name in ("english9", "korean2")] == [
        "speech_accent_archive:007",
        "speech_accent_archive:korean2",  # a row without a speaker id
    ]


def test_the_flat_layout_and_mp3_lengths(tmp_path):
    root = write_speech_accent_archive(tmp_path / "flat", folder="recordings")
    summary = prepare("speech_accent_archive", root, tmp_path / "m.jsonl")
    assert (summary.utterances, summary.speakers, summary.without_canonical) == (6, 6, 0)
    assert read_manifest(tmp_path / "m.jsonl")[0].audio.duration == pytest.approx(0.5, abs=0.06)  # MP3 pads


def test_a_promised_recording_that_is_not_there(corpus, caplog):
    (corpus / "recordings/recordings/spanish4.mp3").unlink()
    with pytest.raises(
        PedkitError, match=r"speakers_all.csv:7: expected the recording 'spanish4.mp3' .*missing=skip"
    ):
        by_id(corpus)
    assert "spanish4" not in by_id(corpus, missing="skip")
    assert caplog.messages == ["recordings of speech_accent_archive left out, because the file is missing: 1"]


def test_options(corpus):
    assert by_id(corpus, canonical="none")["english1"].canonical is None
    for option in ({"missing": "fill"}, {"canonical": "ipa"}, {"unknown_words": "x"}):
        with pytest.raises(PedkitError, match=f"expected '{next(iter(option))}'"):
            by_id(corpus, **option)


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        (
            "speakers_all.csv",
            "native_language",
            "language",
            "speakers_all.csv:1: expected a column 'native_language'",
        ),
        ("speakers_all.csv", "english1", "", "speakers_all.csv:3: expected a name under 'filename'"),
        (
            "speakers_all.csv",
            "english1",
            "e" * 5000,
            r"e\.mp3:3: utterance 'e+': cannot be looked up: File name too",
        ),
        ("speakers_all.csv", "FALSE,,,", "FALSE,,", "speakers_all.csv:3: expected 12 cells"),
        ("reading-passage.txt", "Stella", "Zqyx", "no pronunciation of 'Zqyx'"),
    ],
)
def test_faults_are_named(corpus, file, before, after, message):
    path = corpus / file
    path.write_text(path.read_text().replace(before, after, 1))
    with pytest.raises(PedkitError, match=message):
        by_id(corpus)


@pytest.mark.parametrize("file", ["speakers_all.csv", "reading-passage.txt"])
def test_half_an_archive(corpus, tmp_path, file):
    (corpus / file).unlink()
    with pytest.raises(PedkitError, match=f"expected the file '{file}' of the corpus speech_accent_archive"):
        by_id(corpus)
    with pytest.raises(PedkitError, match="no such folder"):
        by_id(tmp_path / "nowhere")
