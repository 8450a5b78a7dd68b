import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pedkit.data.manifest import file_hash, read_manifest
from pedkit.data.prepare import parse_options, prepare
from pedkit.errors import PedkitError
from pedkit.version import __version__
from tests.data.mini_speechocean762 import word, write_speechocean762
from tests.data.mini_timit import write_timit

SHIPPED = Path(__file__).parents[2] / "data" / "speechocean762"


def corpus(tmp_path, *, audio=True):
    root = write_speechocean762(tmp_path / "corpus", word("IS", "IH0 Z"))
    for speaker in ("0001", "0002") if audio else ():
        folder = root / "WAVE" / f"SPEAKER{speaker}"
        folder.mkdir(parents=True)
        soundfile.write(folder / f"0{speaker}0001.WAV", np.zeros(8000), 16000)
    return root


def test_the_shipped_corpus(tmp_path):
    summary = prepare("speechocean762", SHIPPED, tmp_path / "m.jsonl")
    assert dict(summary.splits) == {"train": 160, "dev": 40, "test": 40}
    assert (summary.utterances, summary.speakers, summary.without_canonical) == (240, 50, 0)
    assert summary.hours * 60 == pytest.approx(14.7, abs=0.1)  # 9.0 + 2.9 + 2.8 minutes
    assert "240 utterances of speechocean762 (train 160, dev 40, test 40) by 50 speakers, 0.24 h" in str(summary)
    assert len(read_manifest(tmp_path / "m.jsonl")) == 240


def test_what_the_reader_says_survives_the_file(tmp_path):
    root = write_timit(tmp_path / "timit")
    summary = prepare("timit", root, tmp_path / "m.jsonl", unknown_words="skip")
    assert dict(summary.splits) == {"dev": 2, "train": 4, "test": 2}
    utterance = next(u for u in read_manifest(tmp_path / "m.jsonl") if u.id == "fcjf0_sx37")
    assert utterance.audio.duration == 0.6
    assert " ".join(utterance.realized) == "L AE D ER S L IH V"
    assert utterance.words[1].start_time == 0.35


def test_how_it_was_made_stands_beside_it(tmp_path):
    root = corpus(tmp_path)
    out = tmp_path / "m.jsonl"
    prepare("speechocean762", root, out, threshold=1.0, command="pedkit prepare ...")
    record = json.loads((tmp_path / "m.provenance.json").read_text())
    assert record["settings"] == {
        "corpus": "speechocean762", "root": str(root), "durations": True, "options": {"threshold": 1.0},
    }  # fmt: skip
    assert record["outputs"] == [{"path": str(out), "sha256": file_hash(out), "utterances": 2}]
    assert (record["verb"], record["command"], record["pedkit"]) == ("prepare", "pedkit prepare ...", __version__)


def test_audio_is_opened_unless_told_otherwise(tmp_path):
    root = corpus(tmp_path, audio=False)
    with pytest.raises(PedkitError, match=r"000010001.WAV: utterance '000010001': no such audio file"):
        prepare("speechocean762", root, tmp_path / "m.jsonl")
    assert list(tmp_path.iterdir()) == [root]  # neither a manifest nor a half of one
    summary = prepare("speechocean762", root, tmp_path / "m.jsonl", durations=False)
    assert summary.hours is None
    assert str(summary).endswith("(train 1, test 1) by 2 speakers")
    assert read_manifest(tmp_path / "m.jsonl")[0].audio.duration is None


def test_one_of_several_channels_is_chosen(tmp_path):
    root = corpus(tmp_path)
    soundfile.write(root / "WAVE" / "SPEAKER0001" / "000010001.WAV", np.zeros((8000, 2)), 16000)
    with pytest.raises(
        PedkitError, match=r"000010001.WAV: utterance '000010001': expected one channel.* \(--channel 0"
    ):
        prepare("speechocean762", root, tmp_path / "m.jsonl")
    with pytest.raises(PedkitError, match=r"utterance '000010001': there is no channel 2: the file has 2"):
        prepare("speechocean762", root, tmp_path / "m.jsonl", channel=2)
    with pytest.raises(PedkitError, match="a channel can be chosen only where recordings are opened"):
        prepare("speechocean762", root, tmp_path / "m.jsonl", channel=1, durations=False)
    prepare("speechocean762", root, tmp_path / "m.jsonl", channel=1)
    assert [u.audio.channel for u in read_manifest(tmp_path / "m.jsonl")] == [1, None]
    assert json.loads((tmp_path / "m.provenance.json").read_text())["settings"]["channel"] == 1


@pytest.mark.parametrize("root", ["t.csv", "."])
def test_a_file_of_the_corpus_is_never_written_over(tmp_path, root):
    table = tmp_path / "t.csv"
    table.write_text("id,text\na,is\n")
    with pytest.raises(PedkitError, match=r"t\.csv: expected another file to write"):
        prepare("table", tmp_path / root, table)
    assert table.read_text() == "id,text\na,is\n"
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_a_corpus_without_utterances_is_no_manifest(tmp_path):
    (tmp_path / "wav.scp").write_text("a a.wav\n")
    (tmp_path / "text").write_text("b B\n")
    with pytest.raises(PedkitError, match="expected at least one utterance, but the corpus has none"):
        prepare("kaldi", tmp_path, tmp_path / "m.jsonl", incomplete="skip")
    assert not (tmp_path / "m.jsonl").exists()


def test_a_failure_keeps_the_manifest_of_before(tmp_path):
    root = corpus(tmp_path)
    prepare("speechocean762", root, tmp_path / "m.jsonl")
    before = (tmp_path / "m.jsonl").read_bytes()
    next(root.glob("WAVE/*/*.WAV")).unlink()
    with pytest.raises(PedkitError):
        prepare("speechocean762", root, tmp_path / "m.jsonl")
    assert (tmp_path / "m.jsonl").read_bytes() == before


def test_unknown_names_are_answered_with_known_ones(tmp_path):
    with pytest.raises(PedkitError, match=r"no corpus 'timt' \(there are: .*timit.*\); did you mean 'timit'"):
        prepare("timt", tmp_path, tmp_path / "m.jsonl")
    with pytest.raises(PedkitError, match=r"no option of speechocean762 'treshold' .* did you mean 'threshold'"):
        prepare("speechocean762", tmp_path, tmp_path / "m.jsonl", treshold=1)


def test_options_of_the_command_line():
    pairs = ["threshold=0.5", "star=strip", "insertion_votes=null", 'projection={"flap": "D"}', "dev_speakers=a=b"]
    assert parse_options(pairs) == {
        "threshold": 0.5,
        "star": "strip",
        "insertion_votes": None,
        "projection": {"flap": "D"},
        "dev_speakers": "a=b",
    }
    lists = ["sets=[acted]", "levels=[word, sentence]", 'names=["a b"]', "ranks=[1,2]", "missing=[x", "none=[]"]
    assert parse_options(lists) == {
        "sets": ["acted"],
        "levels": ["word", "sentence"],
        "names": ["a b"],
        "ranks": [1, 2],
        "missing": "[x",
        "none": [],
    }
    for pair in ("threshold", "=1"):
        with pytest.raises(PedkitError, match=f"name=value, but got '{pair}'"):
            parse_options([pair])


def test_reading_a_corpus_needs_neither_torch_nor_an_audio_library():
    code = "import sys, pedkit.data.readers, pedkit.data.prepare, pedkit.data.check\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "soundfile", "soxr", "torchaudio"} & set(done.stdout.split())
