import pytest

from pedkit.data.check import check, pronunciation_errors
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_cmu_kids
from pedkit.data.readers.cmu_kids_tables import sphinx_phones
from pedkit.errors import PedkitError
from tests.data.readers.cmu_kids_miniature import write_cmu_kids

THINK = ["AY", "TH", "IH", "NG", "K", "IH", "T", "IH", "Z", "AH", "B", "IH", "G", "S", "IY", "T"]


@pytest.fixture
def corpus(tmp_path):
    return write_cmu_kids(tmp_path / "disc")


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_cmu_kids(root, **options)}


def edit(root, name, old, new):
    path = root / "cmu_kids" / "tables" / name
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new).encode())


def test_the_manifest(corpus, tmp_path):
    summary = prepare("cmu_kids", corpus, tmp_path / "m.jsonl")
    assert str(summary).endswith("6 utterances of cmu_kids (no split 6) by 3 speakers, 0.00 h")
    assert summary.hours * 3600 == pytest.approx(6 * 2)
    assert check(tmp_path / "m.jsonl").ok
    assert [utterance.id for utterance in read_manifest(tmp_path / "m.jsonl")] == [
        "fabm2aa1", "fabm2aa2", "facs1ba1", "facs2aa2", "mbak1ba2", "mbak2ab2",
    ]  # fmt: skip


def test_what_was_said_as_prompted_is_no_error(corpus):
    utterance = by_id(corpus)["fabm2aa1"]
    assert list(utterance.canonical) == THINK
    assert list(utterance.realized) == THINK
    assert [(word.text, word.start, word.end) for word in utterance.words] == [
        ("I", 0, 1), ("think", 1, 5), ("it", 5, 7), ("is", 7, 9), ("a", 9, 10), ("big", 10, 13), ("seat", 13, 16),
    ]  # fmt: skip
    assert utterance.text == "I think it is a big seat."
    assert utterance.extra["reference"] == {"lexicon": "alignmnt.dic, then cmudict"}


def test_phones_between_slashes_and_tags_of_noises(corpus):
    utterance = by_id(corpus)["fabm2aa2"]
    assert list(utterance.canonical) == THINK
    assert " ".join(utterance.realized) == "AY S IH NG K IH T IH Z AH B IH G S IY T"
    assert pronunciation_errors(utterance.canonical, utterance.realized, ()) == (1, 0)
    assert utterance.extra["transcript"] == "[begin_noise] I /S IH NG K/ it is a big, seat [end_nosie]"


def test_the_variant_that_was_said_is_chosen(corpus):
    utterance = by_id(corpus)["facs2aa2"]
    assert " ".join(utterance.canonical) == "AY TH IH NG K IH T IH Z EY B IH G S IY T"
    assert " ".join(utterance.realized) == "AY TH IH NG K IH T IH Z EY B IH G S IY"
    assert utterance.canonical_variant == "best: a(2)"


def test_the_numeral_and_words_of_cmudict(corpus):
    utterances = by_id(corpus)
    sheep = utterances["mbak2ab2"]
    assert " ".join(sheep.canonical) == "HH IY HH AE Z T UW HH AH N D R ER D SH IY P"
    assert " ".join(sheep.realized) == "HH IY HH AE Z T UW HH AH N D R ER D SH IY P S"
    assert sheep.text == "He has 200 sheep."
    assert utterances["facs1ba1"].realized == ("G", "OW", "HH", "OW", "M")


def test_an_id_without_words(corpus):
    assert by_id(corpus)["mbak1ba2"].realized is None
    assert by_id(corpus)["mbak1ba2"].canonical == ("G", "OW", "HH", "OW", "M")
    assert by_id(corpus, wordless="silent")["mbak1ba2"].realized == ()


def test_speakers(corpus):
    utterances = by_id(corpus)
    assert utterances["fabm2aa1"].groups == {
        "gender": "female", "grade": 3, "age": 9, "age_group": "child", "population": "sum95",
    }  # fmt: skip
    assert utterances["facs1ba1"].groups == {"gender": "female", "grade": 2, "population": "fp"}
    assert utterances["mbak1ba2"].groups == {"gender": "male", "population": "fp"}
    assert utterances["mbak1ba2"].groups_raw == {
        "ID": "mbak", "LOC": "FP", "GR/AGE": "NA/NA", "TOT": "2", "BIN2": "2",
    }  # fmt: skip
    assert utterances["mbak1ba2"].speaker == "cmu_kids:mbak"
    edit(corpus, "speaker.tbl", "mbak\tFP\tNA/NA\t2\t2\r\n", "")
    assert by_id(corpus)["mbak1ba2"].groups == {"gender": "male"}


def test_bins(corpus):
    assert sorted(by_id(corpus, bins=1)) == ["fabm2aa1", "facs1ba1"]
    assert sorted(by_id(corpus, bins="2")) == ["fabm2aa2", "facs2aa2", "mbak1ba2", "mbak2ab2"]
    assert {u.extra["bin"] for u in read_cmu_kids(corpus, bins=2)} == {2}


def test_canonical_by_cmudict_or_not_at_all(corpus):
    utterance = by_id(corpus, canonical="cmudict")["mbak2ab2"]
    # the corpus has HUNDRED with ER: against cmudict that is an error, though the child read it right
    assert " ".join(utterance.canonical[7:-3]) == "HH AH N D R AH D"
    assert pronunciation_errors(utterance.canonical, utterance.realized, ()) == (1, 1)
    own = by_id(corpus)["mbak2ab2"]
    assert pronunciation_errors(own.canonical, own.realized, ()) == (0, 1)
    assert utterance.extra["reference"] == {"lexicon": "cmudict"}
    assert all(u.canonical is None for u in read_cmu_kids(corpus, canonical="none"))


def test_licence_level_and_audio(corpus):
    utterance = by_id(corpus)["fabm2aa1"]
    assert (utterance.may_upload, utterance.level, utterance.language) == (False, "sentence", "eng")
    assert utterance.audio.path.endswith("cmu_kids/kids/fabm/signal/fabm2aa1.sph")


@pytest.mark.parametrize("start", ["", "cmu_kids"])
def test_the_copy_with_kids1(tmp_path, start):
    root = write_cmu_kids(tmp_path, kids="kids1")
    assert len(by_id(root / start)) == 6


class TestFaults:
    @pytest.mark.parametrize(
        ("name", "old", "new", "message"),
        [
            ("transcrp.tbl", "fabm2aa1 I", "fabm2aa3 I", r"transcrp\.tbl:1: expected an id of 8 characters"),
            ("transcrp.tbl", "facs1ba1 go", "fabm2aa1 go", r"transcrp\.tbl:3: 'fabm2aa1' stands twice"),
            ("transcrp.tbl", "/S IH NG K/", "/S IH NG K", "'fabm2aa2': expected slashes in pairs"),
            ("transcrp.tbl", "[end_nosie]", "[end_nosie", "'fabm2aa2': expected brackets in pairs"),
            (
                "transcrp.tbl",
                "/S IH NG K/",
                "/S IX QQ/",
                "'fabm2aa2': expected phones of Sphinx-II, but got 'S IX QQ'",
            ),
            ("transcrp.tbl", "go home", "go hmoe", "'facs1ba1': the dictionary has no pronunciation of 'hmoe'"),
            ("sentence.tbl", "Go home!", "Go hmoe!", "'facs1ba1': the dictionary has no pronunciation of 'hmoe'"),
            ("sentence.tbl", "1ba\t3\t", "1bb\t3\t", "'facs1ba1': sentence.tbl has no sentence '1ba'"),
            ("sentence.tbl", "1ba\t3\t", "1ba 3 ", r"sentence\.tbl:3: expected 'id TAB count TAB sentence'"),
            ("speaker.tbl", "3/9", "9", r"speaker\.tbl:3: expected ID, LOC, GR/AGE, TOT and BIN2"),
            ("speaker.tbl", "3/9", "3/nine", r"speaker\.tbl:3: expected an age of 1 to 120 whole years"),
            ("alignmnt.dic", "GO                \tG OW", "GO G OW", r"alignmnt\.dic:4: expected a word, a tab"),
        ],
    )
    def test_lines_that_are_not_as_documented(self, corpus, name, old, new, message):
        edit(corpus, name, old, new)
        with pytest.raises(PedkitError, match=message):
            list(read_cmu_kids(corpus))

    def test_what_cannot_be_read_may_be_left_out(self, corpus):
        edit(corpus, "transcrp.tbl", "/S IH NG K/", "/S IH NG K")
        edit(corpus, "sentence.tbl", "Go home!", "Go hmoe!")
        utterances = by_id(corpus, unreadable="skip")
        assert (utterances["fabm2aa2"].realized, utterances["facs1ba1"].canonical) == (None, None)
        assert list(utterances["fabm2aa2"].canonical) == THINK
        assert utterances["facs1ba1"].realized == ("G", "OW", "HH", "OW", "M")

    def test_recordings_and_transcripts_come_in_pairs(self, corpus):
        signal = corpus / "cmu_kids" / "kids" / "fabm" / "signal"
        (signal / "fabm2ab1.sph").write_bytes((signal / "fabm2aa1.sph").read_bytes())
        with pytest.raises(PedkitError, match=r"fabm2ab1\.sph: utterance 'fabm2ab1': transcrp\.tbl has no line"):
            read_cmu_kids(corpus)
        (signal / "fabm2ab1.sph").unlink()
        (signal / "fabm2aa1.sph").rename(signal / "notes.sph")
        with pytest.raises(PedkitError, match=r"notes\.sph: expected an id of 8 characters"):
            read_cmu_kids(corpus)
        (signal / "notes.sph").unlink()
        with pytest.raises(PedkitError, match=r"'fabm2aa1': expected its recording .*unpacked as a whole"):
            read_cmu_kids(corpus)

    def test_two_copies_and_missing_tables(self, corpus, tmp_path):
        write_cmu_kids(corpus / "again")
        with pytest.raises(PedkitError, match="this recording lies there twice"):
            read_cmu_kids(corpus)
        (tmp_path / "empty").mkdir()
        with pytest.raises(PedkitError, match=r"expected the file 'tables/sentence\.tbl'"):
            read_cmu_kids(tmp_path / "empty")
        half = write_cmu_kids(tmp_path / "half")
        (half / "cmu_kids" / "tables" / "alignmnt.dic").unlink()
        with pytest.raises(PedkitError, match=r"expected the file 'tables/alignmnt\.dic' of the corpus cmu_kids"):
            read_cmu_kids(half)

    def test_a_broken_recording(self, corpus, tmp_path):
        path = corpus / "cmu_kids" / "kids" / "fabm" / "signal" / "fabm2aa1.sph"
        path.write_bytes(path.read_bytes()[:-1000])
        with pytest.raises(PedkitError, match=r"fabm2aa1\.sph.*breaks off: 32000 samples are announced, 31500"):
            prepare("cmu_kids", corpus, tmp_path / "m.jsonl")
        assert not (tmp_path / "m.jsonl").exists()

    def test_options(self, corpus):
        for wrong in ({"bins": 3}, {"canonical": "g2p"}, {"unreadable": "no"}, {"wordless": "none"}):
            with pytest.raises(PedkitError, match=f"expected '{next(iter(wrong))}' to be one of"):
                read_cmu_kids(corpus, **wrong)


@pytest.mark.parametrize(
    ("symbols", "phones"),
    [
        ("AX IX AXR DX", "AH IH ER T"),
        ("BD DD GD KD PD TD TS", "B D G K P T T S"),
        ("sil s ih1 SIL", "S IH"),
    ],
)
def test_symbols_of_sphinx(symbols, phones):
    assert " ".join(sphinx_phones(symbols.split())) == phones
