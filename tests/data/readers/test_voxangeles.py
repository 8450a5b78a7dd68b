import os
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pedkit.data.check import check
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_voxangeles
from pedkit.errors import PedkitError
from tests.data.readers.l2arctic_miniature import write_grid

REAL = os.environ.get("PEDKIT_NC_SAMPLES")

TABLE = """\
lang	file	raw	intermediate1	intermediate2	updated
nan	nan-001-001	tsʰá	ts a	tsa	t͡sʰa
nan	nan-001-002	na	n a	na	na
nan	nan-002-001	nan	n a n	nan	nan
nan	nan-002-002	NA	NA	NA	NA
nan	nan-002-003	"a	a	a	"a
xho	xho-001-001	ǃa	ǃ a	ǃa	ǃa
zul	zul-001-001	a	a	a	a
"""
"""Words that tables take for a missing value, a real missing value (R's NA), a lone quotation mark, and a language
that is not there (zul)."""

PHONES = {"nan-001-001": ["", "tsʰ", "a", ""], "xho-001-001": ["ǃ", "a"]}


def write_corpus(root: Path, *, encoding="utf-8") -> Path:
    (root / "transcriptions").mkdir(parents=True)
    (root / "transcriptions" / "voxangeles_transcriptions.tsv").write_text(TABLE, encoding=encoding)
    for line in TABLE.splitlines()[1:-1]:
        language, name, *_ = line.split("\t")
        folder = root / "data" / "audited_aligned" / language
        folder.mkdir(parents=True, exist_ok=True)
        soundfile.write(folder / f"{name}.wav", np.zeros(4410), 44100)
        write_grid(folder / f"{name}.TextGrid", PHONES.get(name, ["a"]), encoding="utf-16")
    return root


def pack(root: Path, language: str) -> Path:
    """Replace the folder of a language by its archive, as it is released, with what macOS adds."""
    folder = root / "data" / "audited_aligned" / language
    archive = folder.with_suffix(".zip")
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for path in sorted(folder.iterdir()):
            target.write(path, f"{language}/{path.name}")
        target.writestr(f"__MACOSX/{language}/._nan-001-001.wav", b"x")
        target.writestr(f"{language}/.DS_Store", b"x")
    shutil.rmtree(folder)
    return archive


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_voxangeles(root, **options)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_updated_transcriptions(tmp_path, encoding):
    utterances = by_id(write_corpus(tmp_path, encoding=encoding))
    assert {name: utterance.realized for name, utterance in utterances.items()} == {
        "nan-001-001": ("t͡sʰ", "a"),
        "nan-001-002": ("n", "a"),  # a word, no missing value
        "nan-002-001": ("n", "a", "n"),
        "nan-002-002": None,  # R's NA: capitals are no IPA
        "nan-002-003": ('"', "a"),
        "xho-001-001": ("ǃ", "a"),
    }
    first = utterances["nan-001-001"]
    assert first.extra == {"recording": "nan-001", "raw": "tsʰá"}
    assert (first.language, first.inventory, first.level, first.may_upload) == ("nan", "ipa", "word", False)
    assert (first.canonical, first.speaker, first.split, first.groups) == (None, None, None, {})


def test_segments_of_the_tier(tmp_path):
    root = write_corpus(tmp_path)
    shutil.rmtree(root / "transcriptions")  # not needed then
    utterances = by_id(root, transcription="phones")
    assert utterances["nan-001-001"].realized == ("tsʰ", "a")
    assert utterances["xho-001-001"].realized == ("ǃ", "a")
    assert "annotation_notes" not in utterances["xho-001-001"].extra


def test_odd_intervals_are_noted(tmp_path):
    root = write_corpus(tmp_path)
    grid = root / "data" / "audited_aligned" / "xho" / "xho-001-001.TextGrid"
    write_grid(grid, ["ǃ", "a"], spans=[(0, 0.06), (0.05, 0.1)])
    found = by_id(root, transcription="phones")["xho-001-001"]
    assert found.realized == ("ǃ", "a")
    assert found.extra["annotation_notes"] == ["interval 2 ('a', 0.05 to 0.1 s) overlaps the one before it"]


def test_chosen_languages(tmp_path):
    root = write_corpus(tmp_path)
    assert list(by_id(root, languages=["xho"])) == ["xho-001-001"]
    with pytest.raises(PedkitError, match="there is no language 'zul' in this folder"):
        by_id(root, languages=["zul"])
    with pytest.raises(PedkitError, match="expected 'languages' to be a list"):
        by_id(root, languages="xho")


def test_archives_are_unpacked_on_request(tmp_path):
    root = write_corpus(tmp_path / "corpus")
    unpacked = by_id(root)
    archive = pack(root, "nan")
    with pytest.raises(PedkitError, match=r"nan.zip: the language 'nan' is still packed .*unpack=FOLDER"):
        by_id(root)
    assert list(by_id(root, languages=["xho"])) == ["xho-001-001"]
    again = by_id(root, unpack=tmp_path / "here")
    assert {name: utterance.realized for name, utterance in again.items()} == {
        name: utterance.realized for name, utterance in unpacked.items()
    }
    folder = tmp_path / "here" / "nan"
    assert Path(again["nan-001-001"].audio.path) == folder / "nan-001-001.wav"
    assert len(list(folder.iterdir())) == 10  # five words; nothing of what macOS adds
    assert [path.name for path in folder.parent.iterdir()] == ["nan"]
    archive.write_bytes(b"")  # not looked at again
    assert by_id(root, unpack=tmp_path / "here") == again


def test_damaged_archives_leave_nothing_behind(tmp_path):
    root = write_corpus(tmp_path / "corpus")
    archive = pack(root, "nan")
    data = archive.read_bytes()
    for broken in (data[: len(data) // 2], data[:60] + b"\0" * 40 + data[100:], b""):
        archive.write_bytes(broken)
        with pytest.raises(PedkitError, match=r"nan.zip: not a whole zip archive: .*copy it again"):
            by_id(root, unpack=tmp_path / "here")
        assert list((tmp_path / "here").iterdir()) == []


def test_two_files_of_one_name_in_an_archive(tmp_path):
    root = write_corpus(tmp_path / "corpus")
    archive = pack(root, "xho")
    with zipfile.ZipFile(archive, "a") as target:
        target.writestr("old/xho-001-001.wav", b"x")
    with pytest.raises(PedkitError, match=r"two files in it are called 'xho-001-001.wav'"):
        by_id(root, unpack=tmp_path / "here")


def test_words_without_recording_are_counted(tmp_path, caplog):
    root = write_corpus(tmp_path)
    (root / "data" / "audited_aligned" / "nan" / "nan-001-002.wav").unlink()
    assert len(by_id(root)) == 5
    assert caplog.messages == ["1 words of the table have no recording, the first is nan-001-002"]


def test_missing_parts(tmp_path):
    with pytest.raises(PedkitError, match="no such folder"):
        by_id(tmp_path / "nowhere")
    with pytest.raises(PedkitError, match="expected the folder 'data/audited_aligned'"):
        by_id(tmp_path)
    root = write_corpus(tmp_path / "corpus")
    audited = root / "data" / "audited_aligned"
    (audited / "xho" / "xho-001-001.TextGrid").unlink()
    assert len(by_id(root)) == 6  # only asked for with transcription=phones
    with pytest.raises(PedkitError, match=r"xho-001-001.wav: utterance 'xho-001-001': .*'xho-001-001.TextGrid'"):
        by_id(root, transcription="phones")
    soundfile.write(audited / "xho" / "xho-001-009.wav", np.zeros(4410), 44100)
    with pytest.raises(
        PedkitError, match=r"utterance 'xho-001-009': '.*voxangeles_transcriptions.tsv' has no line"
    ):
        by_id(root)
    (audited / "xho" / "xho-001-009.wav").rename(audited / "xho" / "word.wav")
    with pytest.raises(PedkitError, match=r"expected a name such as 'bsq-002-016.wav'"):
        by_id(root)
    shutil.rmtree(audited / "xho")
    (audited / "xho").mkdir()
    with pytest.raises(PedkitError, match=r"expected recordings such as 'xho-001-001.wav'"):
        by_id(root)
    shutil.rmtree(audited)
    audited.mkdir()
    with pytest.raises(PedkitError, match="expected a folder or a zip archive a language"):
        by_id(root)


def test_broken_tables(tmp_path):
    root = write_corpus(tmp_path)
    path = root / "transcriptions" / "voxangeles_transcriptions.tsv"
    path.write_text(TABLE.replace("updated", "audited"))
    with pytest.raises(PedkitError, match=r"transcriptions.tsv:1: expected a column 'updated'"):
        by_id(root)
    path.write_text(TABLE + TABLE.splitlines()[1] + "\n")
    with pytest.raises(PedkitError, match=r"transcriptions.tsv:9: 'nan-001-001' stands twice"):
        by_id(root)
    path.unlink()
    with pytest.raises(PedkitError, match=r"expected the file 'transcriptions/voxangeles_transcriptions.tsv'"):
        by_id(root)


def test_unknown_transcription_is_refused(tmp_path):
    with pytest.raises(PedkitError, match="expected 'transcription' to be one of updated, phones"):
        by_id(write_corpus(tmp_path), transcription="raw")


def test_prepared_and_checked(tmp_path):
    summary = prepare("voxangeles", write_corpus(tmp_path / "corpus"), tmp_path / "m.jsonl")
    assert (summary.utterances, summary.without_canonical) == (6, 6)
    report = check(tmp_path / "m.jsonl")
    assert report.ok
    assert report.splits["no split"].realized == 11


@pytest.mark.skipif(not REAL, reason="PEDKIT_NC_SAMPLES does not name the folder of the non-commercial samples")
@pytest.mark.parametrize("transcription", ["updated", "phones"])
def test_the_real_sample(tmp_path, transcription):
    prepare("voxangeles", Path(REAL or "") / "voxangeles", tmp_path / "m.jsonl", transcription=transcription)
    utterances = {utterance.id: utterance for utterance in read_manifest(tmp_path / "m.jsonl")}
    assert {name: " ".join(utterance.realized) for name, utterance in utterances.items()} == {
        "bsq-002-000": "s u",
        "bsq-002-005": "h͡w ɔ",
        "bsq-002-006": "h͡w i e",
        "bsq-002-008": "d͡ʒ e",
        "bsq-002-009": "t͡ʃ a",
        "bsq-002-013": "h w ɛ",
        "bsq-002-016": "ɡ͡b o",
        "bsq-002-017": "p a p a",
        "bsq-002-023": "pʰ l ɔ n ɔ",
        "bsq-002-026": "ɡ m ɛ",
    }
    assert check(tmp_path / "m.jsonl").ok
