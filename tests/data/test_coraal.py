import logging

import pytest

from pedkit.data.audio import audio_info
from pedkit.data.readers import read_coraal
from pedkit.data.readers.coraal_text import read_line
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from tests.data.mini_coraal import write_coraal

FIRST = "ATL_se0_ag1_f_01_1"


@pytest.fixture
def corpus(tmp_path):
    return write_coraal(tmp_path / "coraal")


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_coraal(root, **options)}


def test_lines_of_interviewees_with_clear_words_are_utterances(corpus, caplog):
    with caplog.at_level(logging.WARNING):
        utterances = by_id(corpus)
    assert {name: utterance.text for name, utterance in utterances.items()} == {
        f"{FIRST}-3": 'Well, I\'m the "cat" lady.',
        f"{FIRST}-7": "None",
        "DCB_se2_ag1_m_02_1-2": "They was at the zqyx house.",
        "DCB_se2_ag1_m_02_2-1": "Okay.",
    }
    assert caplog.messages == [
        "lines of coraal left out: 1 whose time does not go forward, 1 with overlap, 1 with unclear words"
    ]


def test_times_phones_and_speaker(corpus):
    utterance = by_id(corpus)[f"{FIRST}-3"]
    assert (utterance.audio.start, utterance.audio.duration) == (1.62, 1.28)
    assert audio_info(utterance.audio).frames == 56448  # 1.28 s at 44.1 kHz
    assert utterance.audio.path.endswith(f"ATL_audio_part01_2020.05/{FIRST}.wav")
    assert utterance.speaker == "coraal:ATL_se0_ag1_f_01"
    assert " ".join(utterance.canonical) == "W EH L AY M DH AH K AE T L EY D IY"
    assert utterance.words[1] == Word("I'm", 3, 5)
    assert utterance.canonical_variant == "first: i'm the"
    assert utterance.extra == {"marks": ["<laugh>"], "reference": {"lexicon": "cmudict"}}
    assert (utterance.language, utterance.level, utterance.may_upload) == ("eng", "sentence", False)
    assert utterance.realized is None


def test_groups_come_from_several_rows_and_bins_stay_as_published(corpus):
    utterances = by_id(corpus)
    assert utterances[f"{FIRST}-3"].groups == {
        "gender": "female",
        "age": 25,
        "age_group": "adult",
        "coraal_age_group": "0-29",  # overlaps the 20-29 of other components
        "education": "some college",
        "coraal_education_group": "3",
        "role": "interviewee",
        "coraal_component": "atl",
    }
    assert utterances[f"{FIRST}-3"].groups_raw["Age.Group"] == "-29"
    assert utterances[f"{FIRST}-3"].groups_raw["Education"] == "Some College"
    first, second = utterances["DCB_se2_ag1_m_02_1-2"], utterances["DCB_se2_ag1_m_02_2-1"]
    assert (first.groups["age"], second.groups["age"]) == (16, 17)
    assert first.groups["coraal_age_group"] == "0-19"
    assert (first.groups["age_group"], first.groups["socioeconomic"]) == ("child", "working class")
    assert "education" not in first.groups  # NA
    assert "Edu.Group" not in first.groups_raw  # the component has no such column


def test_interviewers_and_others_are_read_on_request(corpus):
    utterances = by_id(corpus, speakers="all")
    assert utterances[f"{FIRST}-1"].groups == {"gender": "male", "role": "interviewer", "coraal_component": "atl"}
    assert utterances[f"{FIRST}-9"].groups == {"role": "other", "coraal_component": "atl"}
    assert utterances["DCB_se2_ag1_m_02_1-1"].groups["gender"] == "female"
    assert len(utterances) == 7  # the four above, two interviewers without overlap, one other


def test_overlapping_and_unclear_lines_are_kept_on_request(corpus):
    utterances = by_id(corpus, overlap="keep", unclear="keep")
    assert utterances[f"{FIRST}-4"].text == "Right now?"
    assert " ".join(utterances[f"{FIRST}-4"].canonical) == "R AY T N AW"
    redacted = utterances[f"{FIRST}-6"]
    assert (redacted.text, redacted.canonical) == ("My name is .", None)  # a name was said that is not there
    assert redacted.extra == {"marks": ["/RD-NAME-2/"]}


def test_unknown_words_leave_a_line_without_phones_or_go_to_the_g2p(corpus):
    line = by_id(corpus)["DCB_se2_ag1_m_02_1-2"]
    assert line.canonical is None
    assert line.extra["reference"] == {"lexicon": "cmudict", "oov": ["zqyx"], "unpronounced": ["zqyx"]}
    with pytest.raises(PedkitError, match=r"utterance 'DCB_se2_ag1_m_02_1-2': .*no pronunciation of 'zqyx'"):
        by_id(corpus, unknown_words="stop")
    pytest.importorskip("espeakng_loader", reason="needs the extra 'g2p'")
    spoken = by_id(corpus, unknown_words="g2p")["DCB_se2_ag1_m_02_1-2"]
    assert spoken.canonical is not None
    assert spoken.extra["reference"]["g2p"].startswith("espeak-ng")
    assert by_id(corpus, canonical="none")[f"{FIRST}-3"].canonical is None


def test_components_can_be_chosen(corpus):
    assert {name[:3] for name in by_id(corpus, components=["dcb"])} == {"DCB"}
    with pytest.raises(PedkitError, match="nothing of the component ROC"):
        by_id(corpus, components=["ROC", "ATL"])


@pytest.mark.parametrize("suffix", [".wav", ".txt"])
def test_half_a_recording_stops_or_is_left_out(corpus, suffix, caplog):
    next(corpus.rglob(f"DCB_se2_ag1_m_02_2{suffix}")).unlink()
    lacking = {".wav": "recording", ".txt": "transcript"}[suffix]
    with pytest.raises(PedkitError, match=f"no {lacking} of DCB_se2_ag1_m_02_2 .*missing=skip"):
        by_id(corpus)
    assert "DCB_se2_ag1_m_02_2-1" not in by_id(corpus, missing="skip")
    assert "audio or transcript is missing: 1" in caplog.text


def test_metadata_must_be_there_once(corpus):
    path = corpus / "DCB" / "DCB_metadata_2018.10.06.txt"
    (corpus / "DCB_metadata_2020.05.txt").write_bytes(path.read_bytes())
    with pytest.raises(
        PedkitError, match=r"one file 'DCB_metadata_<date>.txt' .* but got DCB/DCB_.*, DCB_metadata"
    ):
        by_id(corpus)
    (corpus / "DCB_metadata_2020.05.txt").unlink()
    path.unlink()
    with pytest.raises(PedkitError, match="but got none"):
        by_id(corpus)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("Content", "Contents", r"_1.txt:1: expected the columns .* 'Content' is missing"),
        ("0.5000\tThey", "early\tThey", r"_1.txt:3: expected seconds under 'StTime', but got 'early'"),
        ("0.5000\tThey", "nan\tThey", r"_1.txt:3: expected seconds under 'StTime', but got 'nan'"),
        ("house.\t", "house. ", r"_1.txt:3: expected 5 cells"),
    ],
)
def test_faulty_transcripts_are_named(corpus, before, after, message):
    path = next(corpus.rglob("DCB_se2_ag1_m_02_1.txt"))
    path.write_text(path.read_text().replace(before, after))
    with pytest.raises(PedkitError, match=message):
        by_id(corpus)


def test_metadata_without_speakers_is_named(corpus):
    path = corpus / "DCB" / "DCB_metadata_2018.10.06.txt"
    text = path.read_text()
    path.write_text(text.replace("CORAAL.Spkr", "Speaker"))
    with pytest.raises(PedkitError, match=r"2018.10.06.txt:1: expected a column 'CORAAL.Spkr'"):
        by_id(corpus)
    path.write_text(text.replace("DCB\tDCB_se2_ag1_m_02\t", "DCB\tNA\t", 1))
    with pytest.raises(PedkitError, match=r"2018.10.06.txt:2: expected a speaker and a file"):
        by_id(corpus)


def test_wrong_folder_and_two_copies(tmp_path, corpus):
    with pytest.raises(PedkitError, match="no such folder"):
        by_id(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(PedkitError, match=r"expected transcripts such as 'ATL_se0_ag1_f_01_1\.txt'"):
        by_id(tmp_path / "empty")
    path = next(corpus.rglob("DCB_se2_ag1_m_02_2.txt"))
    (corpus / path.name).write_bytes(path.read_bytes())
    with pytest.raises(PedkitError, match="lies there twice"):
        by_id(corpus)


@pytest.mark.parametrize(
    "option",
    [
        {"speakers": "everyone"}, {"overlap": "mix"}, {"unclear": "guess"}, {"missing": "fill"},
        {"canonical": "g2p"}, {"unknown_words": "guess"},
    ],
)  # fmt: skip
def test_unknown_options(corpus, option):
    with pytest.raises(PedkitError, match=f"expected '{next(iter(option))}'"):
        by_id(corpus, **option)


@pytest.mark.parametrize(
    ("content", "text", "marks", "overlap", "unclear"),
    [
        ("Okay.", "Okay.", (), False, False),
        ("(pause 1.02)", "", ("(pause 1.02)",), False, False),
        ("[<laugh>]", "", ("<laugh>",), True, False),
        ("Yeah [I] (laughing) know", "Yeah I know", ("(laughing)",), True, False),
        ("the /unintelligible/ one", "the one", ("/unintelligible/",), False, True),
        ("the /?/", "the", ("/?/",), False, True),
        ("I was < there", "I was there", (), False, True),  # a mark that is not closed
        ("...", "", (), False, False),
    ],
)
def test_marks(content, text, marks, overlap, unclear):
    line = read_line(content)
    assert (line.text, line.marks, line.overlap, line.unclear) == (text, marks, overlap, unclear)
