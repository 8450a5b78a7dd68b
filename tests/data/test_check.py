import json
from pathlib import Path

import pytest

from pedkit.data.check import check, pronunciation_errors
from pedkit.data.checking.card import write_card
from pedkit.data.manifest import write_manifest
from pedkit.data.prepare import prepare
from pedkit.errors import PedkitError

DATA = Path(__file__).parents[2] / "data"


def write(tmp_path, *lines):
    path = tmp_path / "m.jsonl"
    path.write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


def test_the_shipped_corpus_has_the_numbers_of_its_readme(tmp_path):
    prepare("speechocean762", DATA / "speechocean762", tmp_path / "m.jsonl")
    report = check(tmp_path / "m.jsonl")
    assert report.ok
    rows = {
        name: (c.utterances, len(c.speakers), c.canonical, c.mispronounced, c.deleted, c.faulty)
        for name, c in report.splits.items()
    }
    assert rows == {
        "train": (160, 32, 2396, 124, 21, 46),
        "dev": (40, 9, 633, 40, 4, 15),
        "test": (40, 9, 671, 82, 21, 24),
    }
    assert [round(c.seconds / 60, 1) for c in report.splits.values()] == [9.0, 2.9, 2.8]
    assert sum(report.groups["gender"].values()) == 50
    assert report.notes == ["realized symbols that equal no phone: <unk> 58"]


def test_the_unseen_voices():
    report = check(DATA / "unseen_voices" / "manifest.jsonl")
    counts = report.splits["test"]
    assert report.ok
    assert (counts.utterances, len(counts.speakers), counts.faulty) == (234, 21, 150)
    assert report.groups["gender"] == {"female": 11, "male": 10}
    assert counts.seconds == pytest.approx(152.71, abs=0.6)


@pytest.mark.parametrize(
    ("realized", "flags", "expected"),
    [
        ("S IH T", [], (0, 0)),
        ("S IH T", [1], (1, 0)),  # a starred label: wrong although equal
        ("S <unk> T", [1], (1, 0)),  # an unknown sound is one error, not two
        ("S T", [], (1, 0)),
        ("S IH T S", [], (0, 1)),
        ("EH R IH T", [], (1, 1)),
        ("", [], (3, 0)),
    ],
)
def test_errors_of_an_utterance(realized, flags, expected):
    assert pronunciation_errors(["S", "IH", "T"], realized.split(), flags) == expected


@pytest.mark.parametrize(
    ("alignment", "flags", "expected"),
    [
        ("MDMI", {}, (0, 1, 1, 1)),  # the annotator: IH was left out, S added
        ("MDMI", {"2": "star"}, (1, 1, 1, 1)),
        ("MMM", {"0": "star"}, (3, 0, 0, 1)),
    ],
)
def test_the_annotators_alignment_decides(tmp_path, alignment, flags, expected):
    line = {"id": "a", "inventory": "cmu39", "canonical": "S IH T", "realized": "S T S", "flags": flags}
    counts = check(write(tmp_path, line | {"alignment": alignment})).splits["no split"]
    assert (counts.mispronounced - counts.deleted, counts.deleted, counts.inserted, counts.faulty) == expected


def test_all_faults_are_listed_not_only_the_first(tmp_path):
    said = {"inventory": "cmu39", "canonical": "S", "realized": "S"}
    odd = {"inventory": "cmu39", "canonical": "S IH T", "realized": "S IX T"}
    path = write(
        tmp_path,
        {"id": "a", "split": "train", "speaker": "s:1", **odd},
        {"id": "a", "split": "test", "speaker": "s:1", **odd, "canonical": "IX", "realized": "IX"},
        {"id": "b", "realised": "S"},
        {"id": "c", "canonical": "S", "realized": "S"},
        {"id": "d", **said, "words": [{"text": "x", "start": 0, "end": 2}]},
        {"id": "e", **said, "flags": {"1": "star"}, "target_span": [0, 3]},
    )
    report = check(path)
    assert sorted(report.faults) == sorted([
        "line 2: the id 'a' stands already on line 1",
        "line 3: utterance 'b': unknown manifest key 'realised' (put your own keys under 'extra')",
        "utterance 'c': expected an inventory out of cmu39, timit61, timit48, timit39, ipa, but got None",
        "line 5: utterance 'd': 'words' points past the 1 canonical phones",
        "line 6: utterance 'e': 'target_span' points past the 1 canonical phones",
        "the speaker 's:1' is in the splits test, train",
        "the symbol 'IX' is outside the inventory cmu39 (3 times, first in utterance 'a')",
    ])  # fmt: skip
    assert not report.ok
    assert "FAULT, speaker in two splits: the speaker 's:1' is in the splits test, train" in str(report)
    assert str(report).endswith("7 faults")


def test_what_is_lacking_is_a_note(tmp_path):
    report = check(write(tmp_path, {"id": "a"}, {"id": "b", "inventory": "ipa", "canonical": "s ɪ t"}))
    assert report.ok
    assert report.notes == [
        "utterances without a speaker: 2",
        "utterances without canonical phones: 1",
        "utterances without realized phones: 2",
        "utterances without audio: 2",
    ]


def test_a_speaker_with_two_genders_is_noted(tmp_path):
    lines = [{"id": str(i), "speaker": "s:1", "groups": {"gender": g, "age": 20 + i}} for i, g in enumerate("fmf")]
    report = check(write(tmp_path, *lines))
    assert "the speaker 's:1' has several values of 'gender': f, m" in report.notes
    assert "speakers by age: 20 to 22" in str(report)


def test_audio_that_cannot_be_read_is_a_fault(make_utterance, tmp_path):
    good, gone = make_utterance("good"), make_utterance("gone")
    Path(gone.audio.path).unlink()
    write_manifest(tmp_path / "m.jsonl", [good, gone])
    assert check(tmp_path / "m.jsonl").faults == [f"{gone.audio.path}: utterance 'gone': no such audio file"]
    unopened = check(tmp_path / "m.jsonl", audio="none")
    assert unopened.ok
    assert "utterances without a known length: 2" in unopened.notes


def test_nothing_at_all_and_empty_values_are_faults(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    assert check(empty).faults_by_kind == {"line": [f"{empty}: there is no utterance"]}
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a", "speaker": "", "split": "dev"}\n{"id": "b", "text": ""}\n')
    found = check(path).faults_by_kind
    assert found["empty value"] == ["utterance 'b': 'text' is empty, not missing"]
    (fault,) = found["line"]
    assert fault.startswith("line 1: utterance 'a': expected 'speaker' to be a string that is not empty")


def test_a_card_is_never_written_over_its_manifest(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a"}\n')
    with pytest.raises(PedkitError, match=r"m\.jsonl: expected another file for the card"):
        write_card(path, check(path))
    assert path.read_text() == '{"id": "a"}\n'


def test_a_card_of_recordings_that_cannot_be_opened(tmp_path):
    (tmp_path / "m.jsonl").write_text('{"id": "a", "audio": "none.wav"}\n')
    write_card(tmp_path / "card.md", check(tmp_path / "m.jsonl"))
    text = (tmp_path / "card.md").read_text()
    assert "Audio: 1 files (1 of them cannot be read); none could be used (see the faults)." in text


def test_broken_lines_and_files(tmp_path):
    report = check(write(tmp_path, {"id": "a"}, '{"id": \n', {"id": "c"}))
    assert len(report.faults) == 1
    assert report.faults[0].startswith("line 2: not a JSON line")
    assert report.splits["no split"].utterances == 2
    with pytest.raises(PedkitError, match=r"nowhere.jsonl: no such file"):
        check(tmp_path / "nowhere.jsonl")
