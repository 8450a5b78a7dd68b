import os
import re
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from pedkit.data.check import check
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_l2arctic
from pedkit.data.readers.l2arctic_labels import PhoneLabel, read_label
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from tests.data.readers.l2arctic_miniature import (
    TRAP_WORDS,
    TRAPS,
    write_audio,
    write_corpus,
    write_grid,
    write_speaker,
)

REAL = os.environ.get("PEDKIT_NC_SAMPLES")

SAME = "the tag says a substitution, but both phones are the same"


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_l2arctic(root, **options)}


def present(root, **options):
    return by_id(root, subset="present", **options)


def one(root, labels, **options):
    write_speaker(root, "TLV", labels)
    return present(root, **options)["TLV_arctic_a0001"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AH0", ("AH", "AH", False, None, ())),
        ("AH0 ", ("AH", "AH", False, None, ())),  # blanks go before the stress digit
        ("k", ("K", "K", False, None, ())),
        ("AX", ("AH", "AH", False, None, ())),
        ("ER0,AH0,s", ("ER", "AH", False, "s", ())),
        ("IH0,EH,s", ("IH", "EH", False, "s", ())),
        ("DH,D,s ", ("DH", "D", False, "s", ())),
        (" DH , D , S ", ("DH", "D", False, "s", ())),
        ("T,sil,d", ("T", None, False, "d", ())),
        ("sil,K,a", (None, "K", False, "a", ())),
        ("sp,AX,a", (None, "AH", False, "a", ())),
        ("R,err,s", ("R", "err", False, "s", ())),
        ("R,ERR*,s", ("R", "err", True, "s", ())),
        ("sil,err,a", (None, "err", False, "a", ())),
        ("AE1,AE1*,s", ("AE", "AE", True, "s", ())),
        ("AE1,AH*,s", ("AE", "AH", True, "s", ())),
        ("AE1*,AH,s", ("AE", "AH", False, "s", ())),  # a star on the canonical side means nothing
        ("AE1*", ("AE", "AE", True, None, ())),
        ("V,W`,s", ("V", "W", False, "s", ("stray marks in 'W`'",))),
        ("ER,AH),s", ("ER", "AH", False, "s", ("stray marks in 'AH)'",))),
        ("AH_,AA0_,s", ("AH", "AA", False, "s", ("stray marks in 'AH_'", "stray marks in 'AA0_'"))),
        ("T,D,s,", ("T", "D", False, "s", ())),
        ("T,,d", ("T", None, False, "d", ())),  # an empty mark is a silence
        ("T,S", ("T", "S", False, None, ("no tag",))),
        ("T,sil", ("T", None, False, None, ("no tag",))),
        ("T,D,", ("T", "D", False, None, ("no tag",))),
        ("T,D,x", ("T", "D", False, None, ("unknown tag 'x'",))),
        ("T,sil,s", ("T", None, False, "s", ("the tag says a substitution, but the phones say a deletion",))),
        ("T,D,d", ("T", "D", False, "d", ("the tag says a deletion, but the phones say a substitution",))),
        ("sil,D,s", (None, "D", False, "s", ("the tag says a substitution, but the phones say an addition",))),
        ("sil,sil,d", (None, None, False, "d", ("the tag says a deletion, but both sides are silent",))),
        ("AH0,AH1,s", ("AH", "AH", False, "s", (SAME,))),
        *((silence, (None, None, False, None, ())) for silence in ("", " ", "sil", "SIL", "sp", "spn", "pau")),
    ],
)
def test_labels(text, expected):
    assert read_label(text) == PhoneLabel(*expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T,d", "'d' may be a tag"),  # the tag of a deletion, or a D in lower case
        ("T,D,s,AH", "one to three fields in the label 'T,D,s,AH', but got 4"),
        ("QQ", "holds 'QQ', which is no phone of cmu39"),
        ("T,IX,s", "holds 'IX', which is no phone"),
        ("err", "does not say which phone was to be said"),
        ("err,T,s", "expected a canonical phone"),
    ],
)
def test_labels_that_cannot_be_told_apart_are_refused(text, message):
    with pytest.raises(PedkitError, match=message):
        read_label(text)


def test_every_trap_in_one_sentence(tmp_path):
    write_speaker(tmp_path, "TLV", TRAPS, words=TRAP_WORDS, text="The cat sat it.\n")
    utterance = present(tmp_path)["TLV_arctic_a0001"]
    assert " ".join(utterance.canonical) == "DH AH K AE T S AH T IH T"
    assert " ".join(utterance.realized) == "D AH K AE err AH ER AH IH S"
    assert utterance.alignment == "MMMMDMMMIMM"  # T deleted, AH inserted
    assert utterance.flags == {5: "err"}
    assert utterance.extra["starred"] == [3]
    assert utterance.extra["tags"] == {"a": 1, "d": 1, "s": 5}
    assert utterance.extra["annotation_notes"] == [
        "'T,ER),s' at 0.5 s: stray marks in 'ER)'",
        f"'IH0,ih1,s' at 0.65 s: {SAME}",
        "'T,S' at 0.7 s: no tag",
    ]
    spans = [(word.text, word.start, word.end) for word in utterance.words]
    assert spans == [("the", 0, 2), ("cat", 2, 5), ("sat", 5, 8), ("it", 8, 10)]
    assert (utterance.words[1].start_time, utterance.words[1].end_time) == pytest.approx((0.2, 0.35))
    assert utterance.text == "The cat sat it."
    assert (utterance.language, utterance.level, utterance.inventory) == ("eng", "sentence", "cmu39")
    assert utterance.may_upload is False


@pytest.mark.parametrize(
    ("star", "realized", "flags"),
    [("strip", "K AE AH", {}), ("error", "K AE AH", {1: "star"}), ("keep", "K AE* AH*", {})],
)
def test_star_policies(tmp_path, star, realized, flags):
    utterance = one(tmp_path, ["K", "AE1,AE1*,s", "T,AH*,s"], star=star)
    assert " ".join(utterance.realized) == realized
    assert utterance.flags == flags
    assert utterance.extra["starred"] == [1, 2]


def splits(utterances):
    """Return the speakers of each split, sorted, as one string."""
    found = defaultdict(list)
    for utterance in utterances.values():
        found[utterance.split].append(utterance.speaker.removeprefix("l2arctic:"))
    return {split: " ".join(sorted(names)) for split, names in found.items()}


def test_splits_by_speakers(tmp_path):
    root = write_corpus(tmp_path)
    assert splits(by_id(root)) == {
        "train": "ABA ASI BWC EBVS ERMS HJK HKK HQTV LXC PNV RRBI SKA",
        "dev": "MBMPS NCC SVBI THV YBAA YDCK",
        "test": "NJS TLV TNI TXHC YKWK ZHAA",
    }
    assert splits(by_id(root, split="alternative")) == {
        "train": "ABA ASI ERMS HJK HKK LXC MBMPS PNV RRBI SKA TLV TXHC",
        "dev": "BWC EBVS THV TNI YBAA YDCK",
        "test": "HQTV NCC NJS SVBI YKWK ZHAA",
    }
    assert list(splits(by_id(root, split="none"))) == [None]


def test_groups_of_all_speakers(tmp_path):
    utterances = by_id(write_corpus(tmp_path))
    groups = [utterance.groups for utterance in utterances.values()]
    assert Counter((group["l1"], group["gender"]) for group in groups) == {
        (l1, gender): 2
        for l1 in ("arabic", "mandarin", "hindi", "korean", "spanish", "vietnamese")
        for gender in ("female", "male")
    }
    assert {group["native"] for group in groups} == {False}
    assert utterances["BWC_arctic_a0001"].groups_raw == {"gender": "M", "l1": "Chinese"}
    assert utterances["BWC_arctic_a0001"].groups == {"gender": "male", "l1": "mandarin", "native": False}


def test_subsets(tmp_path):
    root = write_corpus(tmp_path)
    assert len(by_id(root)) == 24
    assert splits(by_id(root, subset="test6")) == {"test": "NJS TLV TNI TXHC YKWK ZHAA"}
    assert list(by_id(root, subset=["ABA", "TLV"])) == ["ABA_arctic_a0001", "TLV_arctic_a0001"]
    shutil.rmtree(root / "TNI")
    assert len(present(root)) == 23
    for subset in ("all_annotated", "test6"):
        with pytest.raises(PedkitError, match=r"expected the speaker TNI \(TNI/annotation\).*it is not there"):
            by_id(root, subset=subset)


def test_a_speaker_still_packed_is_named_with_the_archive(tmp_path):
    root = write_corpus(tmp_path)
    shutil.rmtree(root / "ZHAA")
    (root / "ZHAA.zip").write_bytes(b"PK")
    with pytest.raises(
        PedkitError, match=r"expected the speaker ZHAA .*still packed in .*ZHAA.zip.*subset=present"
    ):
        by_id(root)


def test_only_manual_annotations_and_no_other_files_are_read(tmp_path):
    write_speaker(tmp_path, "ABA")
    write_grid(tmp_path / "ABA" / "textgrid" / "arctic_a0002.TextGrid", ["K"])
    (tmp_path / "ABA" / "annotation" / "._arctic_a0001.TextGrid").write_bytes(b"\0\5\x16\7")
    (tmp_path / "ABA" / "annotation" / "notes.txt").write_text("x")
    assert list(present(tmp_path)) == ["ABA_arctic_a0001"]


def test_folder_of_a_speaker_within_a_folder_of_that_name(tmp_path):  # how the archives unpack
    write_speaker(tmp_path / "ABA", "ABA")
    assert present(tmp_path)["ABA_arctic_a0001"].audio.path.endswith("ABA/ABA/wav/arctic_a0001.wav")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings_and_tier_names(tmp_path, encoding):
    write_speaker(tmp_path, "ABA", ["K", "IY1"], encoding=encoding, tier="Phones")
    assert present(tmp_path)["ABA_arctic_a0001"].canonical == ("K", "IY")


def test_overlapping_zero_length_and_outlying_intervals_are_read_and_noted(tmp_path):
    spans = [(0, 0.05), (0.04, 0.1), (0.1, 0.1), (0.1, 0.9)]
    write_speaker(tmp_path, "YDCK", ["K", "AE1", "S", "T"], name="arctic_a0209", spans=spans)
    utterance = present(tmp_path)["YDCK_arctic_a0209"]
    assert utterance.canonical == utterance.realized == ("K", "AE", "S", "T")
    assert utterance.extra["annotation_notes"] == [
        "interval 3 ('S', 0.1 to 0.1 s) has no length",
        "interval 4 ('T', 0.1 to 0.9 s) lies outside the tier (0 to 0.2 s)",
        "interval 2 ('AE1', 0.04 to 0.1 s) overlaps the one before it",
    ]


def test_the_numbers_of_odd_and_left_out_annotations_are_logged(tmp_path, caplog):
    write_speaker(tmp_path, "ABA", ["K", "AH0,AH1,s"])
    write_speaker(tmp_path, "SKA", ["QQ"])
    with pytest.raises(PedkitError, match=r"arctic_a0001.TextGrid: utterance 'SKA_arctic_a0001': .*faulty=skip"):
        present(tmp_path)
    assert list(present(tmp_path, faulty="skip")) == ["ABA_arctic_a0001"]
    assert caplog.messages == [
        "1 annotations of l2arctic hold something odd: see extra.annotation_notes",
        "1 recordings of l2arctic are left out: SKA_arctic_a0001 "
        "(the label 'QQ' holds 'QQ', which is no phone of cmu39, at 0 s)",
    ]


def test_truncated_annotation_stops_with_the_line(tmp_path):
    path = write_speaker(tmp_path, "ABA")
    path.write_text(path.read_text()[:-200])
    with pytest.raises(
        PedkitError, match=r"arctic_a0001.TextGrid:\d+: utterance 'ABA_arctic_a0001': the file breaks"
    ):
        present(tmp_path)


def test_two_tiers_of_phones_are_refused(tmp_path):
    write_speaker(tmp_path, "ABA", ["K"], tier="IPA")
    with pytest.raises(
        PedkitError, match=r"expected one tier named 'phones', but got none \(its tiers: 'words', 'IPA'"
    ):
        present(tmp_path)
    path = write_speaker(tmp_path, "ABA", ["K"])
    path.write_text(path.read_text().replace('"words"', '"PHONES"'))
    with pytest.raises(PedkitError, match=r"expected one tier named 'phones', but got 2"):
        present(tmp_path)


def test_missing_parts_of_the_corpus(tmp_path):
    with pytest.raises(PedkitError, match=r"no such folder"):
        by_id(tmp_path / "nowhere")
    with pytest.raises(PedkitError, match=r"such as ABA/annotation/\*.TextGrid .*unpack the archives"):
        by_id(tmp_path)
    write_speaker(tmp_path, "ABA")
    (tmp_path / "ABA" / "transcript" / "arctic_a0001.txt").unlink()
    with pytest.raises(
        PedkitError, match=r"transcript/arctic_a0001.txt: utterance 'ABA_arctic_a0001': no such file"
    ):
        present(tmp_path)
    (tmp_path / "ABA" / "transcript" / "arctic_a0001.txt").write_text("\n")
    with pytest.raises(PedkitError, match="expected the prompt, but the file is empty"):
        present(tmp_path)
    shutil.rmtree(tmp_path / "ABA" / "annotation")
    (tmp_path / "ABA" / "annotation").mkdir()
    with pytest.raises(PedkitError, match="ABA/annotation: expected TextGrids of manual annotation"):
        present(tmp_path)


def test_two_copies_and_strangers_are_refused(tmp_path):
    write_speaker(tmp_path / "a", "ABA")
    write_speaker(tmp_path / "b", "ABA")
    with pytest.raises(
        PedkitError, match=r"the speaker ABA lies there twice, also as .*give the folder of one copy"
    ):
        present(tmp_path)
    shutil.rmtree(tmp_path / "b")
    write_speaker(tmp_path, "BDL")  # of CMU ARCTIC
    with pytest.raises(PedkitError, match="'BDL' is no speaker of L2-ARCTIC"):
        present(tmp_path)


def test_the_suitcase_story_is_read_on_request_only(tmp_path):
    root = write_corpus(tmp_path)
    story = present(root, part="suitcase")
    assert list(story) == ["ABA_suitcase"]
    assert story["ABA_suitcase"].realized == ("AH", "G", "AE")
    assert (story["ABA_suitcase"].level, story["ABA_suitcase"].text) == ("passage", "a cat")
    assert story["ABA_suitcase"].audio.path.endswith("suitcase_corpus/wav/aba.wav")
    with pytest.raises(PedkitError, match=r"expected the speaker BWC \(suitcase_corpus/annotation\)"):
        by_id(root, part="suitcase")
    with pytest.raises(PedkitError, match="there is no speaker 'SKA'"):  # did not tell it
        by_id(root, part="suitcase", subset=["SKA"])


def test_canonical_phones_from_the_prompt(tmp_path):
    # cmudict: either = IY DH ER, AY DH ER; the second was said. The annotator wrote the first and starred the R.
    labels = ["IY1,AY1,s", "DH", "ER0,ER0*,s", "K", "AE1", "T,err,s"]
    write_speaker(tmp_path, "ABA", labels, text="Either cat.")
    annotated = present(tmp_path, star="error")["ABA_arctic_a0001"]
    assert " ".join(annotated.canonical) == "IY DH ER K AE T"
    assert annotated.flags == {2: "star", 5: "err"}
    utterance = present(tmp_path, star="error", canonical="g2p")["ABA_arctic_a0001"]
    assert " ".join(utterance.canonical) == "AY DH ER K AE T"
    assert " ".join(utterance.realized) == "AY DH ER K AE err"
    assert utterance.canonical_variant == "best: either(2)"
    assert utterance.alignment is None  # it was that of the annotators' canonical phones
    assert utterance.flags == {2: "star", 5: "err"}
    assert utterance.words == (Word("Either", 0, 3), Word("cat", 3, 6))
    assert utterance.extra["reference"] == {"lexicon": "cmudict"}
    first = present(tmp_path, canonical="g2p", variant="first")["ABA_arctic_a0001"]
    assert " ".join(first.canonical) == "IY DH ER K AE T"


def test_flags_follow_their_phones_where_the_dictionary_differs(tmp_path):
    # The annotator left out the T of "hunts"; the dictionary has it: the star of the S moves from 3 to 4.
    write_speaker(tmp_path, "ABA", ["HH", "AH1", "N", "S,S*,s"], text="Hunts.")
    utterance = present(tmp_path, star="error", canonical="g2p")["ABA_arctic_a0001"]
    assert " ".join(utterance.canonical) == "HH AH N T S"
    assert utterance.flags == {4: "star"}
    assert utterance.extra["starred"] == [4]


def test_word_outside_the_dictionary(tmp_path):
    write_speaker(tmp_path, "ABA", ["K,K*,s"], text="Xqzzv.")
    with pytest.raises(PedkitError, match=r"utterance 'ABA_arctic_a0001': .* no pronunciation of 'Xqzzv'"):
        present(tmp_path, canonical="g2p")
    utterance = present(tmp_path, canonical="g2p", unknown_words="skip", star="error")["ABA_arctic_a0001"]
    assert utterance.canonical is None
    assert utterance.flags == {}
    assert utterance.realized == ("K",)
    assert utterance.extra["reference"]["unpronounced"] == ["Xqzzv"]


@pytest.mark.espeak
def test_word_outside_the_dictionary_from_a_g2p(tmp_path):
    pytest.importorskip("espeakng_loader")
    write_speaker(tmp_path, "ABA", ["K"], text="Strib cat.")
    utterance = present(tmp_path, canonical="g2p", unknown_words="g2p")["ABA_arctic_a0001"]
    assert " ".join(utterance.canonical) == "S T R IH B K AE T"
    assert utterance.extra["reference"]["oov"] == ["Strib"]
    assert utterance.extra["reference"]["g2p"].startswith("espeak")


@pytest.mark.parametrize(
    "option",
    [
        {"split": "usual"},
        {"canonical": "cpl"},
        {"star": "drop"},
        {"faulty": "no"},
        {"part": "all"},
        {"subset": "test"},
        {"variant": "last"},
    ],
)
def test_unknown_option_values_are_refused(tmp_path, option):
    with pytest.raises(PedkitError, match=rf"expected '{next(iter(option))}'"):
        by_id(write_corpus(tmp_path), **option)
    with pytest.raises(PedkitError, match="there is no speaker 'NOBODY'"):
        by_id(tmp_path, subset=["NOBODY"])


def test_prepared_and_checked(tmp_path):
    out = tmp_path / "m.jsonl"
    summary = prepare("l2arctic", write_corpus(tmp_path / "corpus"), out)
    assert (summary.utterances, summary.speakers, dict(summary.splits)) == (
        24,
        24,
        {"train": 12, "dev": 6, "test": 6},
    )
    assert summary.hours == pytest.approx(24 * 0.25 / 3600)
    report = check(out)
    assert report.ok
    assert report.splits["test"].canonical == 18


def test_missing_recording_stops(tmp_path):
    root = write_corpus(tmp_path)
    (root / "NJS" / "wav" / "arctic_a0001.wav").unlink()
    with pytest.raises(PedkitError, match="utterance 'NJS_arctic_a0001': no such audio file"):
        prepare("l2arctic", root, tmp_path / "m.jsonl")
    assert not (tmp_path / "m.jsonl").exists()


@pytest.mark.skipif(not REAL, reason="PEDKIT_NC_SAMPLES does not name the folder of the non-commercial samples")
def test_two_real_annotations(tmp_path):
    root = tmp_path / "corpus"
    for name, seconds, sentence in (("ABA", 2.39, "arctic_a0005"), ("TLV", 4.51, "arctic_a0003")):
        shutil.copytree(Path(REAL or "") / "l2arctic_sample" / name, root / name)
        write_audio(root / name / "wav" / f"{sentence}.wav", seconds)
    prepare("l2arctic", root, tmp_path / "m.jsonl", subset="present")
    aba, tlv = read_manifest(tmp_path / "m.jsonl")
    assert " ".join(aba.canonical) == "W IH L W IY EH V ER F AO R G EH T IH T"
    assert " ".join(aba.realized) == "W IH L W IY EH V AH F AO R G EH T EH T"
    assert aba.extra == {"tags": {"s": 2}}
    assert [word.text for word in aba.words] == ["will", "we", "ever", "forget", "it"]
    assert aba.audio.duration == pytest.approx(2.39, abs=1e-4)
    assert " ".join(tlv.canonical) == (
        "F AO R DH AH T W EH N T IY AH TH T AY M DH AE T IY V N IH NG DH AH T UW M EH N SH UH K HH AE N D Z"
    )
    assert " ".join(tlv.realized) == (
        "F AO R D AH T W EH N D IY S T AY M D AE T IY V AH N IH NG D AH T UW M EH N S UH K HH AE N D S"
    )
    assert tlv.alignment == "M" * 11 + "D" + "M" * 9 + "I" + "M" * 18
    assert tlv.extra == {"tags": {"a": 1, "d": 1, "s": 7}}
    assert re.fullmatch(r"For the twentieth time .* shook hands\.", tlv.text)
    assert (aba.split, tlv.split) == ("train", "test")
