import csv
from collections import Counter
from importlib.resources import files

import pytest

from pedkit.data.check import check
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_uaspeech
from pedkit.errors import PedkitError
from tests.data.readers.uaspeech_miniature import write_uaspeech


@pytest.fixture
def corpus(tmp_path):
    return write_uaspeech(tmp_path / "UASpeech")


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_uaspeech(root, **options)}


def test_the_manifest(corpus, tmp_path):
    summary = prepare("uaspeech", corpus, tmp_path / "m.jsonl")
    # 8 by M5, F04_B2_C13 by M7; CHOWDERESQUE is in no dictionary
    assert str(summary).endswith(
        "9 utterances of uaspeech (no split 9) by 4 speakers, 0.00 h, 1 without canonical phones"
    )
    assert check(tmp_path / "m.jsonl").ok
    assert [utterance.id for utterance in read_manifest(tmp_path / "m.jsonl")] == [
        "CF77_B1_C1_M5", "CM13_B1_C1_M5", "F04_B1_C1_M5", "F04_B1_D0_M5", "F04_B1_UW1_M5", "F04_B2_C13_M7",
        "F04_B2_UW1_M5", "F04_B3_CW7_M5", "M04_B2_LX_M5",
    ]  # fmt: skip


def test_an_utterance_in_full(corpus):
    utterance = by_id(corpus)["M04_B2_LX_M5"]
    assert (utterance.text, utterance.canonical) == ("X-RAY", ("EH", "K", "S", "R", "EY"))
    assert (utterance.realized, utterance.inventory, utterance.level) == (None, "cmu39", "word")
    assert utterance.speaker == "uaspeech:M04"
    assert utterance.groups == {
        "gender": "male", "dysarthria": True, "severity": 4, "intelligibility": "very low",
    }  # fmt: skip
    assert utterance.groups_raw == {"gender": "M"}
    assert (utterance.may_upload, utterance.language, utterance.split) == (False, "eng", None)
    reference = utterance.extra["reference"]
    assert utterance.extra == {
        "block": "B2", "word_id": "LX", "word_kind": "letter", "microphone": "M5", "reference": reference,
    }  # fmt: skip
    assert reference["lexicon"] == "cmudict"


def test_words_differ_between_blocks_and_may_be_none(corpus):
    utterances = by_id(corpus)
    assert utterances["F04_B1_UW1_M5"].text == "NATURALIZATION"
    assert utterances["F04_B2_UW1_M5"].text == "CHOWDERESQUE"
    assert utterances["F04_B2_UW1_M5"].canonical is None
    assert utterances["F04_B3_CW7_M5"].text == "NONE"
    assert utterances["F04_B3_CW7_M5"].canonical == ("N", "AH", "N")
    names = ("B1_D0", "B1_C1", "B3_CW7", "B1_UW1")
    kinds = [utterances[f"F04_{name}_M5"].extra["word_kind"] for name in names]
    assert kinds == ["digit", "command", "common", "uncommon"]


def test_words_from_label_files(tmp_path):
    labels = by_id(write_uaspeech(tmp_path / "labels", labels=True))
    words = by_id(write_uaspeech(tmp_path / "list"))
    assert {name: u.text for name, u in labels.items()} == {name: u.text for name, u in words.items()}


def test_controls_and_speakers_outside_the_table(corpus):
    utterances = by_id(corpus)
    assert utterances["CM13_B1_C1_M5"].groups == {"gender": "male", "dysarthria": False, "severity": 0}
    assert utterances["CF77_B1_C1_M5"].groups == {"gender": "female", "dysarthria": False}
    assert {u.speaker for u in by_id(corpus, controls=False).values()} == {"uaspeech:F04", "uaspeech:M04"}


def test_microphones(corpus):
    assert sorted(by_id(corpus, microphone="M6")) == ["F04_B1_C1_M6", "F04_B2_C13_M6"]
    everything = by_id(corpus, microphone="all")
    assert len(everything) == 12
    assert everything["F04_B1_C1_M5"].source_id == everything["F04_B1_C1_M6"].source_id == "F04_B1_C1"
    assert by_id(corpus)["F04_B1_C1_M5"].source_id is None
    with pytest.raises(PedkitError, match=r"no recordings by the microphone 'M2' \(there are: M5, M6, M7, all\)"):
        read_uaspeech(corpus, microphone="M2")


def test_blocks_as_splits(corpus):
    splits = {u.id.split("_")[1]: u.split for u in read_uaspeech(corpus, split="blocks")}
    assert splits == {"B1": "train", "B2": "test", "B3": "train"}


def test_two_versions_below_one_folder(corpus):
    twin = corpus / "audio" / "noisereduce" / "F04"
    twin.mkdir(parents=True)
    (twin / "F04_B1_C1_M5.wav").write_bytes(b"")
    with pytest.raises(PedkitError, match=r"F04_B1_C1_M5\.wav: this recording lies there twice.*audio=FOLDER"):
        read_uaspeech(corpus)
    assert len(by_id(corpus, audio="audio/original")) == 9


def test_the_table_of_speakers():
    text = files("pedkit.data.readers").joinpath("tables", "uaspeech_speakers.tsv").read_text()
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t"))
    assert Counter(row["severity"] for row in rows) == {"0": 13, "1": 5, "2": 3, "3": 3, "4": 4}
    assert all(row["gender"] == row["speaker"].removeprefix("C")[0] for row in rows)
    assert all((row["severity"] == "0") == row["speaker"].startswith("C") for row in rows)


class TestFaults:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "WORD,FILE NAME\nCOMMAND,C1\n",
                r"utterance 'F04_B1_D0_M5': speaker_wordlist\.csv has no word for D0",
            ),
            ("WORD,FILE\nCOMMAND,C1\n", r"speaker_wordlist\.csv:2: expected the columns WORD and FILE NAME"),
            ("WORD,FILE NAME\nCOMMAND,\n", r"speaker_wordlist\.csv:2: expected the columns WORD and FILE NAME"),
            ("WORD,FILE NAME\nA,C1\nB,c1\n", r"speaker_wordlist\.csv:3: c1 has two words"),
        ],
    )
    def test_word_lists(self, corpus, text, message):
        (corpus / "doc" / "speaker_wordlist.csv").write_text(text)
        with pytest.raises(PedkitError, match=message):
            list(read_uaspeech(corpus))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("COMMAND\n", r"F04_word\.mlf:1: expected the name of a label file, but got 'COMMAND'"),
            ('"*/F04_B1_C1_M5.lab"\nA\nB\n.\n', r"F04_word\.mlf:3: F04_B1_C1_M5 has two words"),
        ],
    )
    def test_label_files(self, tmp_path, text, message):
        root = write_uaspeech(tmp_path, labels=True)
        (root / "mlf" / "F04" / "F04_word.mlf").write_text(text)
        with pytest.raises(PedkitError, match=message):
            read_uaspeech(root)

    def test_no_words_at_all(self, corpus, tmp_path):
        (corpus / "doc" / "speaker_wordlist.csv").rename(tmp_path / "mine.csv")
        with pytest.raises(PedkitError, match=r"expected doc/speaker_wordlist\.csv or mlf.*wordlist=FILE"):
            read_uaspeech(corpus)
        assert len(by_id(corpus, wordlist=str(tmp_path / "mine.csv"))) == 9

    def test_a_word_that_the_dictionary_lacks_may_stop(self, corpus):
        with pytest.raises(PedkitError, match=r"utterance 'F04_B2_UW1_M5': .*no pronunciation of 'CHOWDERESQUE'"):
            list(read_uaspeech(corpus, unknown_words="stop"))
        assert all(u.canonical is None for u in read_uaspeech(corpus, canonical="none"))

    def test_other_names_folders_and_options(self, corpus, tmp_path):
        with pytest.raises(PedkitError, match="expected 'split' to be one of none, blocks"):
            read_uaspeech(corpus, split="speakers")
        with pytest.raises(PedkitError, match="expected 'controls' to be true or false"):
            read_uaspeech(corpus, controls="no")
        with pytest.raises(PedkitError, match="expected 'microphone' to be text, but got 5"):
            read_uaspeech(corpus, microphone=5)
        with pytest.raises(PedkitError, match="expected recordings of UASpeech"):
            read_uaspeech(corpus, audio="doc")
        (corpus / "audio" / "original" / "F04" / "F04_B4_C1_M5.wav").write_bytes(b"")
        with pytest.raises(PedkitError, match=r"F04_B4_C1_M5\.wav: expected a name such as F04_B2_C13_M7\.wav"):
            read_uaspeech(corpus)
        with pytest.raises(PedkitError, match="no such folder"):
            read_uaspeech(tmp_path / "none")
