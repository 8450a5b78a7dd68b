import shutil
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from pedkit.data.audio import load_audio
from pedkit.data.check import check
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_tusom2021
from pedkit.errors import PedkitError

SAMPLE = Path(__file__).parents[1] / "samples" / "tusom2021"

# The transcriptions of the sample, segmented by hand.
PHONES = {
    "animals1-34": "x u p i",
    "animals1-46": "m a kʰ ə r i",
    "animals1-62": "ʔ u ə p v ɯ",
    "animals1-10": "ɕ i",
    "animals1-106": "ɕ i k ə d a",
    "animals1-125": "t i t ã",
    "animals1-100": "s ə k v ɯ",
    "animals1-102": "ʔ u t͡ɕʰ i b o ɹ a",
    "animals1-111": "b ɯ ə",
    "animals1-114": "k ɕ i e f ɯ",
    "animals1-118": "b o r̥ õ",
    "animals1-129": "ɹ ɯ t ã",
}


def by_id(root):
    return {utterance.id: utterance for utterance in read_tusom2021(root)}


@pytest.fixture
def copy(tmp_path):
    return shutil.copytree(SAMPLE, tmp_path / "tusom2021")


def test_the_real_sample():
    utterances = by_id(SAMPLE)
    found = {name: " ".join(utterance.realized) for name, utterance in utterances.items()}
    assert found == {name: unicodedata.normalize("NFD", phones) for name, phones in PHONES.items()}
    assert Counter(utterance.split for utterance in utterances.values()) == {"train": 6, "dev": 3, "test": 3}
    assert {name for name, utterance in utterances.items() if utterance.split == "dev"} == set(list(PHONES)[:3])
    one = utterances["animals1-102"]
    assert {key: unicodedata.normalize("NFC", text) for key, text in one.extra.items()} == {
        "gloss": "shrew",
        "no_tones": "ʔut͡ɕʰiboɹa",
        "tone_dias": "ʔùt͡ɕʰìbòɹà",
        "tone_letters": "ʔu˧˩t͡ɕʰi˧˩bo˧˩ɹa˧˩",
    }
    assert (one.inventory, one.language, one.may_upload) == ("ipa", "mis", True)
    assert (one.canonical, one.text, one.groups) == (None, None, {})


def test_the_folder_data_itself_is_taken_too():
    assert list(by_id(SAMPLE / "data")) == list(by_id(SAMPLE))


def test_prepared_and_checked(tmp_path):
    summary = prepare("tusom2021", SAMPLE, tmp_path / "m.jsonl")
    assert (summary.utterances, summary.speakers) == (12, 1)
    report = check(tmp_path / "m.jsonl")
    # true of the corpus: one person recorded all three lists
    assert report.faults == ["the speaker 'tusom2021:speaker' is in the splits dev, test, train"]
    assert report.splits["train"].realized == 30
    assert (report.splits["dev"].realized, report.splits["test"].realized) == (16, 12)


def test_recordings_are_resampled():
    audio = by_id(SAMPLE)["animals1-10"].audio
    assert len(load_audio(audio)) / 16000 == pytest.approx(len(load_audio(audio, 22050)) / 22050, abs=1e-3)


def test_words_that_yaml_takes_for_other_things(copy):
    lines = (f"{word}.wav:\n  gloss: null\n  no_tones: {word}\n" for word in ("no", "on", "nan", "null", "1e3"))
    (copy / "data" / "dev.yml").write_text("".join(lines))
    utterances = by_id(copy)
    assert utterances["no"].realized == ("n", "o")
    assert utterances["on"].realized == ("o", "n")
    assert utterances["nan"].realized == ("n", "a", "n")
    assert utterances["null"].extra["gloss"] == "null"


def test_quoted_and_folded_values(copy):
    entry = '"a b.wav":\n  gloss: a long gloss\n    on two lines\n  no_tones: "\\u0283i"\n  tone_letters:\n'
    (copy / "data" / "dev.yml").write_text(entry)
    utterance = by_id(copy)["a b"]
    assert utterance.realized == ("ʃ", "i")
    assert utterance.extra == {"gloss": "a long gloss on two lines", "no_tones": "ʃi"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.wav:\n  no_tones: a\na.wav:\n  no_tones: b\n", r"dev.yml:3: 'a.wav' stands twice"),
        ("a.wav:\n  no_tones: a\n  no_tones: b\n", r"dev.yml:3: 'no_tones' stands twice"),
        ("a.wav:\n  gloss: x\n", r"dev.yml:2: expected the name of a wav file and 'no_tones'"),
        ("a.mp3:\n  no_tones: x\n", r"expected the name of a wav file .* but got 'a.mp3'"),
        ("a.wav:\n  no_tones: ' '\n", r"dev.yml:2: utterance 'a': expected a transcription"),
        ("a.wav: x\n", r"dev.yml:1: expected names and values"),
        ("- a.wav\n", r"dev.yml:1: expected names and values"),
        ("", r"dev.yml: expected names and values"),
        ("a.wav:\n  no_tones: 'x\n", r"dev.yml:\d: not a YAML file"),
        ("a: b: c\n", r"dev.yml:1: not a YAML file: mapping values are not allowed here"),
    ],
)
def test_broken_lists_are_named(copy, text, message):
    (copy / "data" / "dev.yml").write_text(text)
    with pytest.raises(PedkitError, match=message):
        by_id(copy)


def test_missing_parts(copy, tmp_path):
    with pytest.raises(PedkitError, match="no such folder"):
        by_id(tmp_path / "nowhere")
    (copy / "data" / "wav" / "animals1-34.wav").unlink()
    with pytest.raises(PedkitError, match="utterance 'animals1-34': no such audio file"):
        prepare("tusom2021", copy, tmp_path / "m.jsonl")
    (copy / "data" / "test.yml").unlink()
    with pytest.raises(PedkitError, match=r"expected the file 'data/test.yml' or 'test.yml' of the corpus"):
        by_id(copy)


def test_a_recording_in_two_lists_is_refused(copy, tmp_path):
    shutil.copy(copy / "data" / "train.yml", copy / "data" / "dev.yml")
    with pytest.raises(PedkitError, match="utterance 'animals1-100': the corpus has this id twice"):
        prepare("tusom2021", copy, tmp_path / "m.jsonl")
