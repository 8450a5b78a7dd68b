import re
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest
import soundfile

from pedkit.data.audio import audio_info, load_audio
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_timit
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from pedkit.phones import ProjectionPolicy
from tests.data.mini_timit import write_nltk, write_timit


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_timit(root, **options)}


@pytest.fixture(params=["upper", "lower", "nltk"])
def corpus(request, tmp_path):
    if request.param == "nltk":
        return write_nltk(tmp_path / "timit")
    return write_timit(tmp_path / "TIMIT", lower=request.param == "lower")


def test_every_layout_gives_the_same_sentences_without_sa_and_without_other_test_speakers(corpus):
    splits = {name: utterance.split for name, utterance in by_id(corpus).items()}
    assert splits == {
        "faks0_si1027": "dev",
        "faks0_sx37": "dev",
        "fcjf0_si1027": "train",
        "fcjf0_sx37": "train",
        "fqqq0_si1027": "train",
        "fqqq0_sx37": "train",
        "mdab0_si1027": "test",
        "mdab0_sx37": "test",
    }


def test_phones_words_and_times(corpus):
    utterance = by_id(corpus)["fcjf0_si1027"]
    said = "L AY V K AE T S EY T B AH T ER"  # q dropped, lone tcl a T, tcl t one T, dx the T of the dictionary
    assert utterance.inventory == "cmu39"
    assert " ".join(utterance.realized) == said
    assert " ".join(utterance.canonical) == said
    assert utterance.canonical_variant == "live~adj"
    assert utterance.words == (
        Word("live", 0, 3, 3000 / 16000, 6000 / 16000),
        Word("cats", 3, 7, 0.375, 0.625),
        Word("ate", 7, 9, 0.65625, 0.8125),
        Word("butter", 9, 13, 0.8125, 1.0625),
    )
    assert utterance.text == "Live cats ate butter."
    assert (utterance.level, utterance.language, utterance.may_upload) == ("sentence", "eng", False)


def test_flap_of_a_d_is_a_d_and_the_spoken_part_of_speech_is_chosen(corpus):
    utterance = by_id(corpus)["fcjf0_sx37"]
    assert " ".join(utterance.canonical) == "L AE D ER Z L IH V"
    assert " ".join(utterance.realized) == "L AE D ER S L IH V"
    assert utterance.canonical_variant == "live~v"


@pytest.mark.parametrize("given", [{"flap": "T"}, ProjectionPolicy(flap="T")])
def test_projection_policy_can_be_given(tmp_path, given):
    utterance = by_id(write_timit(tmp_path), projection=given)["fcjf0_sx37"]
    assert " ".join(utterance.realized) == "L AE T ER S L IH V"


def test_timit61_keeps_the_labels_and_the_dictionary_symbols(tmp_path):
    utterance = by_id(write_timit(tmp_path), inventory="timit61")["fcjf0_sx37"]
    assert " ".join(utterance.realized) == "h# l ae dx axr s pau l ih v h#"
    assert " ".join(utterance.canonical) == "l ae d axr z l ih v"
    assert utterance.inventory == "timit61"


def test_groups_are_harmonised_and_unknown_values_are_missing(corpus):
    utterances = by_id(corpus)
    assert utterances["fcjf0_sx37"].groups == {
        "gender": "female",
        "dialect": "new england",
        "age": 25,  # recorded the day before the 26th birthday
        "age_group": "adult",
        "height": 165.1,  # 65 inches
        "ethnicity": "white",
        "education": "bachelor",
    }
    assert utterances["fqqq0_sx37"].groups == {"gender": "female", "dialect": "northern"}
    assert utterances["faks0_sx37"].groups["age"] == 26  # recorded on the birthday
    assert utterances["mdab0_sx37"].groups["age"] == 61  # born in 1925, not in 2025
    assert utterances["mdab0_sx37"].groups["ethnicity"] == "xyz"  # an undocumented code is taken as it comes
    assert utterances["mdab0_sx37"].speaker == "timit:mdab0"
    raw = utterances["fcjf0_sx37"].groups_raw
    assert (raw["Ht"], raw["Edu"], raw["Comments"]) == ("5'05\"", "BS", "BEST ACCENT SO FAR")


def test_sphere_audio_is_read_as_it_is(corpus):
    audio = by_id(corpus)["fcjf0_sx37"].audio
    assert (audio_info(audio).frames, audio_info(audio).seconds) == (9600, 0.6)
    expected = (np.arange(9600) % 200 - 100) / 32768
    np.testing.assert_array_equal(load_audio(audio), expected.astype(np.float32))


def test_a_riff_copy_beside_the_sphere_file_is_not_a_second_sentence(tmp_path):
    root = write_timit(tmp_path)
    folder = root / "TRAIN" / "DR1" / "FCJF0"
    (folder / "SI1027.WAV.wav").write_bytes((folder / "SI1027.WAV").read_bytes())
    (folder / "SX37.WAV").rename(folder / "SX37.WAV.wav")  # only the copy is left
    utterances = by_id(root)
    assert len(utterances) == 8
    assert utterances["fcjf0_si1027"].audio.path.endswith("SI1027.WAV")
    assert utterances["fcjf0_sx37"].audio.path.endswith("SX37.WAV.wav")


def test_complete_test_set_keeps_dev_apart(tmp_path):
    splits = {name: u.split for name, u in by_id(write_timit(tmp_path), test="complete").items()}
    assert splits["mqqq9_sx37"] == "test"
    assert splits["faks0_sx37"] == "dev"


def test_shipped_speaker_lists_make_the_published_split():
    tables = files("pedkit.data.readers") / "tables"
    dev, core = ((tables / name).read_text().split() for name in ("timit_dev_spk.list", "timit_test_spk.list"))
    assert (len(dev), len(core)) == (50, 24)
    assert (len(dev) * 8, len(core) * 8) == (400, 192)
    assert not set(dev) & set(core)
    assert Counter(name[0] for name in core) == {"m": 16, "f": 8}  # two men and a woman a dialect region


def test_a_copy_without_tables_is_read_on_request(tmp_path):
    root = write_timit(tmp_path)
    for table in (root / "DOC").iterdir():
        table.unlink()
    with pytest.raises(PedkitError, match=re.escape("TIMITDIC.TXT") + ".*canonical=none"):
        by_id(root)
    with pytest.raises(PedkitError, match=re.escape("SPKRINFO.TXT") + ".*speaker_table=none"):
        by_id(root, canonical="none")
    utterance = by_id(root, canonical="none", speaker_table="none")["fqqq0_sx37"]
    assert utterance.canonical is None
    assert utterance.words == ()
    assert " ".join(utterance.realized) == "L AE T ER S L IH V"  # no dictionary to tell T from D
    assert utterance.groups == {"gender": "female", "dialect": "northern"}


def test_word_outside_the_dictionary_stops_or_leaves_canonical_out(tmp_path):
    root = write_timit(tmp_path)
    (root / "TRAIN/DR1/FCJF0/SX37.WRD").write_text("1000 5500 ladders\n5600 8500 lives\n")
    with pytest.raises(
        PedkitError, match=r"utterance 'fcjf0_sx37': TIMITDIC.TXT has no entry for the word 'lives'"
    ):
        by_id(root)
    utterances = by_id(root, unknown_words="skip")
    assert utterances["fcjf0_sx37"].canonical is None
    assert utterances["fcjf0_si1027"].canonical is not None


def test_apostrophe_is_looked_up_with_and_without(tmp_path):
    root = write_timit(tmp_path)
    (root / "TRAIN/DR1/FCJF0/SX37.WRD").write_text("1000 5500 'em\n5600 8500 'live'\n")
    assert " ".join(by_id(root)["fcjf0_sx37"].canonical) == "AH M L IH V"


def test_wrong_folder_says_what_was_expected(tmp_path):
    with pytest.raises(PedkitError, match=r"no such folder"):
        by_id(tmp_path / "nowhere")
    with pytest.raises(PedkitError, match=re.escape(f"{tmp_path}: ") + ".*TRAIN/DR1/FCJF0/SI1027.PHN"):
        by_id(tmp_path)


def test_half_a_corpus_is_refused(tmp_path):
    root = write_timit(tmp_path)
    with pytest.raises(PedkitError, match=r"SPKRINFO.TXT says which part"):  # the folder level below
        by_id(root / "TRAIN", canonical="none", speaker_table="none")
    (root / "TEST").rename(tmp_path.parent / f"{tmp_path.name}-test")
    with pytest.raises(PedkitError, match=r"expected both TRAIN and TEST .* only train"):
        by_id(root)


@pytest.mark.parametrize("ending", ["WAV", "PHN", "WRD", "TXT"])
def test_missing_file_of_a_sentence_is_named(tmp_path, ending):
    root = write_timit(tmp_path)
    (root / f"TRAIN/DR1/FCJF0/SX37.{ending}").unlink()
    with pytest.raises(PedkitError, match=rf"SX37.[A-Z]+: expected the .*'sx37.{ending.lower()}' beside it"):
        by_id(root)


def test_an_archive_that_was_not_unpacked_whole(tmp_path):
    root = write_timit(tmp_path / "TIMIT")
    (root / "TRAIN/DR2/FQQQ0").rename(tmp_path / "elsewhere")
    message = (
        r"TIMIT: SPKRINFO.TXT has 5 speakers, but 1 of them have no folder here, such as fqqq0 .*missing=skip"
    )
    with pytest.raises(PedkitError, match=message):
        by_id(root)
    assert len(by_id(root, missing="skip")) == 6
    sample = write_nltk(tmp_path / "timit")
    (sample / "dr2-fqqq0").rename(tmp_path / "elsewhere2")
    assert len(by_id(sample)) == 6  # NLTK's table has all 630 speakers, its sample 16


def test_riff_audio_under_the_same_name(tmp_path):
    root = write_timit(tmp_path)
    path = root / "TRAIN/DR1/FCJF0/SX37.WAV"
    soundfile.write(path, (np.arange(9600) % 200 - 100).astype(np.int16), 16000, format="WAV")
    audio = by_id(root)["fcjf0_sx37"].audio
    np.testing.assert_array_equal(load_audio(audio) * 32768, np.arange(9600) % 200 - 100)


def test_a_recording_that_breaks_off_stops_prepare(tmp_path):
    root = write_timit(tmp_path / "TIMIT")
    path = root / "TRAIN/DR1/FCJF0/SX37.WAV"
    path.write_bytes(path.read_bytes()[:5000])
    message = r"SX37.WAV: utterance 'fcjf0_sx37': the file breaks off: 9600 samples are announced, 1988 are there"
    with pytest.raises(PedkitError, match=message):
        prepare("timit", root, tmp_path / "m.jsonl")
    assert not (tmp_path / "m.jsonl").exists()


def test_two_copies_below_one_folder_are_refused(tmp_path):
    write_timit(tmp_path / "one")
    write_timit(tmp_path / "two", lower=True)
    with pytest.raises(PedkitError, match=r"utterance 'f[a-z0-9_]*': this sentence lies there twice"):
        by_id(tmp_path)


def test_label_outside_timit_is_named_with_the_file(tmp_path):
    root = write_timit(tmp_path)
    path = root / "TRAIN/DR1/FCJF0/SX37.PHN"
    path.write_text("0 1000 h#\n1000 9600 xx\n")
    with pytest.raises(PedkitError, match=r"SX37.PHN: utterance 'fcjf0_sx37': .*'xx'"):
        by_id(root)
    path.write_text("0 1000 h#\n1000 1000 l\n")
    with pytest.raises(PedkitError, match=r"SX37.PHN:2: .*expected a segment to end after it starts"):
        by_id(root)
    path.write_text("0 1000 h#\n1000 l\n")
    with pytest.raises(PedkitError, match=r"SX37.PHN:2: utterance 'fcjf0_sx37': expected 'start end label'"):
        by_id(root)


@pytest.mark.parametrize(
    "option",
    [
        {"test": "all"},
        {"canonical": "yes"},
        {"speaker_table": "no"},
        {"unknown_words": "drop"},
        {"missing": "ignore"},
        {"projection": {"flop": "T"}},
    ],
)
def test_unknown_option_values_are_refused(tmp_path, option):
    with pytest.raises(PedkitError, match=rf"expected '{next(iter(option))}'"):
        by_id(write_timit(tmp_path), **option)
