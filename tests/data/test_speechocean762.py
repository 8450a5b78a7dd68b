import json
import re
from collections import Counter
from pathlib import Path

import pytest

from pedkit.data.readers import read_speechocean762
from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from tests.data.mini_speechocean762 import word, write_speechocean762

SHIPPED = Path(__file__).parents[2] / "data" / "speechocean762"
GROUPS = ("train", "dev", "test")


def first(root, **options):
    return next(iter(read_speechocean762(root, **options)))


@pytest.fixture(scope="module")
def shipped():
    return list(read_speechocean762(SHIPPED))


class TestShippedSubset:
    """The group table of its README, counted by hand from the corpus's own score files when it was made."""

    def test_utterances_speakers_and_phones(self, shipped):
        assert Counter(u.split for u in shipped) == {"train": 160, "dev": 40, "test": 40}
        speakers = {split: {u.speaker for u in shipped if u.split == split} for split in GROUPS}
        assert [len(speakers[split]) for split in GROUPS] == [32, 9, 9]
        assert len(set.union(*speakers.values())) == 50
        phones = Counter()
        for utterance in shipped:
            phones[utterance.split] += len(utterance.canonical)
        assert phones == {"train": 2396, "dev": 633, "test": 671}

    def test_strata_are_balanced(self, shipped):
        strata = Counter((u.split, u.groups["age_group"], u.groups["gender"]) for u in shipped)
        per_stratum = {"train": 40, "dev": 10, "test": 10}
        assert strata == {
            (split, age, gender): per_stratum[split]
            for split in GROUPS
            for age in ("child", "adult")
            for gender in ("female", "male")
        }

    def test_realized_symbols(self, shipped):
        # 246 mispronounced phones: 127 substituted (2 by two phones), 46 deleted, 58 unknown, 15 starred
        assert sum(len(u.realized) for u in shipped) == 2396 + 633 + 671 - 46 + 2
        assert Counter(p for u in shipped for p in u.realized)["<unk>"] == 58
        assert Counter(mark for u in shipped for mark in u.flags.values()) == {"unk": 58, "star": 15}
        columns = Counter(column for u in shipped for column in u.alignment)
        assert columns == {"M": 2396 + 633 + 671 - 46, "D": 46, "I": 2}

    def test_every_listed_recording_is_there(self, shipped):
        assert all(Path(u.audio.path).is_file() for u in shipped)

    def test_an_utterance_in_full(self, shipped):
        utterance = next(u for u in shipped if u.id == "054320092")
        assert utterance.text == "THESE WERE ALL LITTLE GIRLS"
        assert " ".join(utterance.canonical) == "DH IY Z W ER AO L L IH T L G ER L Z"
        assert " ".join(utterance.realized) == "DH EH R W ER AO L L IH T L G ER L Z"  # IY0 -> EH R, Z -> <DEL>
        assert [(w.text, w.start, w.end) for w in utterance.words] == [
            ("THESE", 0, 3), ("WERE", 3, 5), ("ALL", 5, 7), ("LITTLE", 7, 11), ("GIRLS", 11, 15),
        ]  # fmt: skip
        assert utterance.extra["phone_scores"][:5] == [1.6, 0.4, 0.4, 2, 2]
        assert utterance.speaker == "speechocean762:5432"
        assert utterance.groups == {
            "gender": "female", "age": 11, "age_group": "child", "l1": "mandarin", "native": False,
        }  # fmt: skip
        assert utterance.groups_raw == {"gender": "f", "age": "11"}
        assert (utterance.level, utterance.language, utterance.may_upload) == ("sentence", "eng", True)

    def test_strip_hides_the_starred_errors_that_equal_the_canonical_phone(self, shipped):
        stripped = list(read_speechocean762(SHIPPED, star="strip"))
        assert Counter(mark for u in stripped for mark in u.flags.values()) == {"unk": 58}
        assert [u.realized for u in stripped] == [u.realized for u in shipped]
        assert sum(len(u.extra.get("starred", ())) for u in stripped) == 15

    def test_insertions_that_most_experts_agree_on(self):
        agreed = {u.id: u for u in read_speechocean762(SHIPPED, insertion_votes=3)}
        plain = {u.id: u for u in read_speechocean762(SHIPPED)}
        sandwich, before = agreed["000530063"], plain["000530063"]
        # S AE1 N [D] W IH0 CH by four of five experts
        at = next(w.start for w in sandwich.words if w.text == "SANDWICH")
        assert " ".join(sandwich.canonical[at : at + 6]) == "S AE N W IH CH"
        assert "S AE N D W IH CH" in " ".join(sandwich.realized)
        assert len(sandwich.realized) == len(before.realized) + 1
        # N OW0 with [T] by five experts; OW0 scores below 0.5 as well
        assert (
            " ".join(agreed["080020005"].realized).count("T")
            == " ".join(plain["080020005"].realized).count("T") + 1
        )


class TestLabels:
    def test_field_report(self, tmp_path):
        """jimbozhang/speechocean762, issues 10 and 11: what R*, <unk> and DZ mean."""
        root = write_speechocean762(
            tmp_path,
            word("THREE", ["TH", "R", "IY0"], said={0: "S", 1: "R*"}),
            word("THE", ["DH", "AH0"], said={0: "<unk>"}),
        )
        utterance = first(root)
        assert utterance.canonical == ("TH", "R", "IY", "DH", "AH")
        assert utterance.realized == ("S", "R", "IY", "<unk>", "AH")
        assert utterance.flags == {1: "star", 3: "unk"}
        assert utterance.extra["starred"] == [1]
        assert utterance.words == (Word("THREE", 0, 3), Word("THE", 3, 5))

    @pytest.mark.parametrize("label", ["DZ", "IR", "X*"])
    def test_illegal_label_stops_with_the_utterance(self, tmp_path, label):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z", said={1: label}))
        message = f"utterance '000010001': the label '{label.rstrip('*')}' is no phone of cmu39"
        with pytest.raises(PedkitError, match=re.escape(message)):
            list(read_speechocean762(root))

    def test_deletion_two_phones_and_a_star_on_another_phone(self, tmp_path):
        root = write_speechocean762(
            tmp_path,
            word("BEAST", "B IY1 S T", said={1: "EH R", 3: "<DEL>"}),
            word("ZOO", "Z UW1", said={0: "S*"}),
        )
        utterance = first(root)
        assert utterance.realized == ("B", "EH", "R", "S", "S", "UW")
        assert utterance.alignment == "MMIMDMM"
        assert utterance.flags == {}  # S for Z differs anyway: no flag is needed to see the error
        assert utterance.extra["starred"] == [4]

    @pytest.mark.parametrize(
        ("star", "realized", "flags"),
        [("error", ("IH", "Z"), {0: "star"}), ("strip", ("IH", "Z"), {}), ("keep", ("IH*", "Z"), {})],
    )
    def test_star_policies(self, tmp_path, star, realized, flags):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z", said={0: "IH*"}))
        utterance = first(root, star=star)
        assert (utterance.realized, dict(utterance.flags)) == (realized, flags)

    def test_stress_digits_may_be_missing_and_phones_may_be_one_string(self, tmp_path):
        root = write_speechocean762(tmp_path, word("HERE", "HH IH R"), word("BOOK", ["B", "UH", "K"]))
        assert first(root).canonical == ("HH", "IH", "R", "B", "UH", "K")

    def test_empty_list_of_mispronunciations_is_none(self, tmp_path):
        entry = word("IS", "IH0 Z") | {"mispronunciations": []}
        assert first(write_speechocean762(tmp_path, entry)).realized == ("IH", "Z")


class TestThreshold:
    SCORES = (0.2, 0.4, 0.5, 1.4)

    def utterance(self, tmp_path, threshold):
        entry = word("CATS", "K AE1 T S", list(self.SCORES), said={0: "G", 1: "EH"})
        return first(write_speechocean762(tmp_path, entry), threshold=threshold)

    def test_below_a_half_is_an_error_a_half_is_not(self, tmp_path):
        utterance = self.utterance(tmp_path, 0.5)
        assert (utterance.realized, dict(utterance.flags)) == (("G", "EH", "T", "S"), {})

    def test_a_lower_threshold_overrules_the_label(self, tmp_path):
        assert self.utterance(tmp_path, 0.3).realized == ("G", "AE", "T", "S")

    def test_a_higher_threshold_flags_phones_of_which_nobody_wrote_what_was_heard(self, tmp_path):
        utterance = self.utterance(tmp_path, 1.5)
        assert (utterance.realized, dict(utterance.flags)) == (("G", "EH", "T", "S"), {2: "accent", 3: "accent"})

    @pytest.mark.parametrize("threshold", [-0.1, 2.5, "low"])
    def test_out_of_range(self, tmp_path, threshold):
        with pytest.raises(PedkitError, match=r"'threshold' to lie between 0 and 2"):
            self.utterance(tmp_path, threshold)


class TestFaults:
    def test_old_copy_without_labels(self, tmp_path):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z", [2, 0.4]))
        with pytest.raises(PedkitError, match=r"utterance '000010001': the phone Z scores 0.4.*unlabelled=unk"):
            first(root)
        utterance = first(root, unlabelled="unk")
        assert (utterance.realized, dict(utterance.flags)) == (("IH", "<unk>"), {1: "unk"})

    @pytest.mark.parametrize(
        ("mark", "message"),
        [
            ({"canonical-phone": "S", "index": 1, "pronounced-phone": "T"}, "phone 1 of the word 'IS' to be Z"),
            ({"canonical-phone": "Z", "index": 2, "pronounced-phone": "T"}, "has no single phone 2"),
            ({"canonical-phone": "Z", "index": 1, "pronounced-phone": " "}, "'pronounced-phone' to be a label"),
        ],
    )
    def test_contradicting_labels(self, tmp_path, mark, message):
        entry = word("IS", "IH0 Z", [2, 0]) | {"mispronunciations": [mark]}
        with pytest.raises(PedkitError, match=rf"utterance '000010001': .*{message}"):
            first(write_speechocean762(tmp_path, entry))

    def test_number_of_scores(self, tmp_path):
        with pytest.raises(PedkitError, match=r"one phone score for each of 2 phones of the word 'IS', but got 1"):
            first(write_speechocean762(tmp_path, word("IS", "IH0 Z", [2])))

    def test_utterance_without_scores(self, tmp_path):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z"))
        (root / "resource/scores.json").write_text(json.dumps({}))
        with pytest.raises(PedkitError, match=r"scores\.json: utterance '000010001': expected an entry of"):
            first(root)

    @pytest.mark.parametrize(
        ("entry", "message"),
        [
            (5, "its entry to be keys with values, but got 5"),
            ({"words": 5}, "its entry.words to be a list, but got 5"),
            ({"words": [5]}, "its entry.words[0] to be keys with values, but got 5"),
            ({"words": [{"phones": ["IH0"]}]}, "its entry.words[0].text to be text, but got null"),
            (
                {"words": [{"text": "IS", "phones": 5}]},
                "its entry.words[0].phones to be a list or text, but got 5",
            ),
            (
                {"words": [word("IS", "IH0 Z") | {"phones-accuracy": [2, "x"]}]},
                "its entry.words[0].phones-accuracy[1] to be a number or null, but got 'x'",
            ),
            (
                {"words": [word("IS", "IH0 Z") | {"mispronunciations": [5]}]},
                "its entry.words[0].mispronunciations[0] to be keys with values, but got 5",
            ),
        ],
    )
    def test_an_entry_of_another_form(self, tmp_path, entry, message):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z"))
        path = root / "resource/scores.json"
        path.write_text(json.dumps({"000010001": entry}))
        with pytest.raises(PedkitError) as error:
            first(root)
        assert str(error.value).split(" (")[0] == f"{path}: utterance '000010001': expected {message}"

    @pytest.mark.parametrize(
        "name", ["resource/scores.json", "train/text", "test/wav.scp", "train/utt2spk", "test/spk2age"]
    )
    def test_missing_file_is_named_with_the_folder(self, tmp_path, name):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z"))
        (root / name).unlink()
        with pytest.raises(PedkitError, match=re.escape(f"{root}: expected the file '{name}'")):
            first(root)

    def test_missing_folder(self, tmp_path):
        with pytest.raises(PedkitError, match=re.escape(f"{tmp_path / 'so'}: expected the folder of the corpus")):
            first(tmp_path / "so")

    def test_scores_at_the_top_of_the_corpus(self, tmp_path):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z"))
        (root / "resource/scores.json").rename(root / "scores.json")
        assert first(root).canonical == ("IH", "Z")

    @pytest.mark.parametrize("text", ["[]", "{"])
    def test_broken_scores(self, tmp_path, text):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z"))
        (root / "resource/scores.json").write_text(text)
        with pytest.raises(PedkitError, match=r"scores.json(:1: not a JSON file|: expected a JSON object)"):
            first(root)

    @pytest.mark.parametrize(
        "option", [{"star": "drop"}, {"unlabelled": "skip"}, {"insertion_votes": 6}, {"unk": "skip"}]
    )
    def test_unknown_option_values(self, tmp_path, option):
        with pytest.raises(PedkitError, match=rf"expected '{next(iter(option))}'"):
            first(write_speechocean762(tmp_path, word("IS", "IH0 Z")), **option)


class TestSplits:
    def test_without_a_list_there_is_no_dev_set(self, tmp_path):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z"))
        assert [u.split for u in read_speechocean762(root)] == ["train", "test"]

    def test_list_beside_the_corpus_or_elsewhere(self, tmp_path):
        root = write_speechocean762(tmp_path / "so", word("IS", "IH0 Z"))
        (root / "dev_spk.list").write_text("0001\n")
        assert [u.split for u in read_speechocean762(root)] == ["dev", "test"]
        (tmp_path / "mine.list").write_text("\n")
        mine = read_speechocean762(root, dev_speakers=tmp_path / "mine.list")
        assert [u.split for u in mine] == ["train", "test"]
        (tmp_path / "mine.list").write_text("0001\n0002\n")
        with pytest.raises(PedkitError, match=r"mine.list:2: '0002' is no speaker of train"):
            read_speechocean762(root, dev_speakers=tmp_path / "mine.list")

    def test_seventeen_years_are_a_child(self, tmp_path):
        groups = first(write_speechocean762(tmp_path, word("IS", "IH0 Z"))).groups
        assert (groups["age"], groups["age_group"]) == (17, "child")


class TestExperts:
    def test_marks_of_each_expert(self, tmp_path):
        experts = ["B (EH0) R", "(B EH0) {R}", "{B [L] EH0} R", "B EH0 R [AH0]", "B {EH0} (R)"]
        root = write_speechocean762(
            tmp_path, word("BEAR", "B EH0 R"), word("IS", "IH0 Z"), detail=[experts, ["IH0 (Z)"] * 5]
        )
        assert first(root, experts=True).extra["expert_phone_scores"] == [
            [2, 0, 2, 2, 0], [0, 0, 1, 2, 0], [1, 1, 2, 2, 0], [2, 2, 2, 2, 0], [2, 1, 0, 2, 0],
        ]  # fmt: skip
        assert "expert_phone_scores" not in first(root).extra
        assert first(root, experts=True).realized == ("B", "EH", "R", "IH", "Z")

    def test_the_means_of_the_shipped_marks_are_the_phone_scores(self):
        same, phones = 0, 0
        for utterance in read_speechocean762(SHIPPED, experts=True):
            marks = utterance.extra["expert_phone_scores"]
            assert len(marks) == 5
            for given, score in zip(zip(*marks, strict=True), utterance.extra["phone_scores"], strict=True):
                phones += 1
                same += round(sum(given) / 5, 1) == score
        assert (same, phones) == (3682, 3700)  # the marks are of an earlier revision (its README)


class TestUnknownSounds:
    def test_utterances_with_one_can_be_left_out(self, tmp_path):
        root = write_speechocean762(tmp_path, word("IS", "IH0 Z", said={1: "<unk>"}))
        assert first(root).realized == ("IH", "<unk>")
        assert list(read_speechocean762(root, unk="drop")) == []

    def test_in_the_shipped_subset(self, shipped):
        kept = list(read_speechocean762(SHIPPED, unk="drop"))
        assert [u.id for u in kept] == [u.id for u in shipped if "<unk>" not in u.realized]
        assert 0 < len(kept) < 240


class TestInsertions:
    def test_votes_decide(self, tmp_path):
        experts = ["B EH0 [L] R", "B [L] (EH0) R [AH0] [AH0]", "B {EH0} [L] R [AH0]", "B EH0 [L L] R", "B EH0 R"]
        root = write_speechocean762(tmp_path, word("BEAR", "B EH0 R"), detail=[experts])
        realized = {votes: " ".join(first(root, insertion_votes=votes).realized) for votes in (1, 2, 3, 4)}
        assert realized == {1: "B L EH L L R AH AH", 2: "B EH L R AH", 3: "B EH L R", 4: "B EH R"}
        assert first(root, insertion_votes=1).alignment == "MIMIIMII"

    def test_of_two_phones_the_canonical_one_is_no_insertion(self, tmp_path):
        root = write_speechocean762(tmp_path, word("RED", "R EH1 D", said={0: "AH R*"}))
        utterance = first(root)
        assert (utterance.realized, utterance.alignment) == (("AH", "R", "EH", "D"), "IMMM")
        assert utterance.flags == {0: "star"}

    def test_expert_with_another_number_of_phones(self, tmp_path):
        root = write_speechocean762(tmp_path, word("BEAR", "B EH0 R"), detail=[["B EH0"] * 5])
        with pytest.raises(PedkitError, match=r"utterance '000010001': expected 3 phones beside the inserted"):
            first(root, insertion_votes=3)

    def test_detail_file_is_needed_only_then(self, tmp_path):
        root = write_speechocean762(tmp_path, word("BEAR", "B EH0 R"))
        assert first(root).realized == ("B", "EH", "R")
        with pytest.raises(PedkitError, match=re.escape("'resource/scores-detail.json'")):
            first(root, insertion_votes=3)
