"""What an archive that broke off, a wrong copy or a careless editor leaves: no reader takes it for less corpus."""

from pathlib import Path

import pytest

from pedkit.data.prepare import prepare
from pedkit.errors import PedkitError
from tests.data.mini_coraal import write_coraal
from tests.data.mini_edacc import write_edacc
from tests.data.mini_sonos import write_sonos
from tests.data.mini_speech_accent_archive import write_speech_accent_archive
from tests.data.mini_timit import write_timit
from tests.data.readers.cmu_kids_miniature import write_cmu_kids
from tests.data.readers.doreco_miniature import write_bundle
from tests.data.readers.kaldi_miniature import write_generic, write_prism
from tests.data.readers.l2arctic_miniature import write_corpus
from tests.data.readers.pedbench_miniature import write_pedbench
from tests.data.readers.uaspeech_miniature import write_uaspeech

BUILDERS = {
    "cmu_kids": write_cmu_kids,
    "coraal": write_coraal,
    "doreco": write_bundle,
    "edacc": write_edacc,
    "kaldi": write_generic,
    "l2arctic": write_corpus,
    "pedbench": write_pedbench,
    "sonos": write_sonos,
    "speech_accent_archive": write_speech_accent_archive,
    "timit": write_timit,
    "uaspeech": write_uaspeech,
}
OPTIONS = {"timit": {"unknown_words": "skip"}, "uaspeech": {"audio": "audio/original"}}

NEEDED = [
    ("cmu_kids", "cmu_kids/tables/sentence.tbl"),
    ("edacc", "edacc_v1.0/dev/segments"),
    ("edacc", "edacc_v1.0/dev/stm"),
    ("kaldi", "segments"),
    ("kaldi", "spk2age"),
    ("kaldi", "text"),
    ("kaldi", "utt2spk"),
    ("kaldi", "wav.scp"),
    ("l2arctic", "ABA/transcript/arctic_a0001.txt"),
    ("pedbench", "acted.jsonl"),
    ("sonos", "metadata/dev_metadata.json"),
    ("speech_accent_archive", "reading-passage.txt"),
    ("timit", "DOC/SPKRINFO.TXT"),
    ("timit", "DOC/TIMITDIC.TXT"),
    ("timit", "TEST/DR1/FAKS0/SX37.PHN"),
    ("timit", "TEST/DR1/FAKS0/SX37.WRD"),
]


def refused(tmp_path, name, root):
    """Return the sentence with which the corpus is refused, and check that nothing was written."""
    with pytest.raises(PedkitError) as error:
        prepare(name, root, tmp_path / "out" / "m.jsonl", **OPTIONS.get(name, {}))
    assert not list(tmp_path.glob("out/*"))
    return str(error.value)


def built(tmp_path, name):
    BUILDERS[name](tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_a_recording_that_is_a_link_to_itself(tmp_path, name):
    root = built(tmp_path, name)
    clips = [path for path in root.rglob("*.*") if path.suffix.lower() in (".wav", ".sph", ".mp3")]
    clips = [path for path in clips if not path.stem.lower().startswith("sa")]  # of TIMIT, not read
    for clip in clips:
        clip.unlink()
        clip.symlink_to(clip)
    message = refused(tmp_path, name, root)
    assert any(clip.stem in message for clip in clips)


@pytest.mark.parametrize(("name", "needed"), NEEDED)
def test_an_empty_file(tmp_path, name, needed):
    root = built(tmp_path, name)
    (root / needed).write_bytes(b"")
    message = refused(tmp_path, name, root)
    assert Path(needed).name.split("_")[0] in message


@pytest.mark.parametrize(("name", "needed"), NEEDED)
def test_a_folder_where_a_file_should_be(tmp_path, name, needed):
    root = built(tmp_path, name)
    (root / needed).unlink()
    (root / needed).mkdir()
    assert Path(needed).name.split("_")[0].lower() in refused(tmp_path, name, root).lower()


def test_a_set_of_prism_without_recordings(tmp_path):
    root = write_prism(tmp_path / "prism")
    (root / "test_timit" / "wav.scp").write_bytes(b"")
    assert "test_timit/wav.scp: expected lines of 'key value', but the file is empty" in refused(
        tmp_path, "kaldi", root
    )


def test_a_byte_order_mark_does_not_hide_the_first_word(tmp_path):
    from pedkit.data.readers import read_cmu_kids

    root = built(tmp_path, "cmu_kids")
    before = list(read_cmu_kids(root))
    for table in (root / "cmu_kids" / "tables").iterdir():
        table.write_bytes(b"\xef\xbb\xbf" + table.read_bytes())
    assert list(read_cmu_kids(root)) == before


@pytest.mark.parametrize(
    ("name", "file", "old"),
    [("cmu_kids", "cmu_kids/tables/speaker.tbl", "3/9"), ("timit", "TEST/DR1/FAKS0/SX37.PHN", "9600")],
)
def test_numbers_that_python_refuses_to_read(tmp_path, name, file, old):
    root = built(tmp_path, name)
    text = (root / file).read_text()
    assert old in text
    (root / file).write_text(text.replace(old, old[:-1] + "9" * 5000))
    assert f"{Path(file).name}:" in refused(tmp_path, name, root)
