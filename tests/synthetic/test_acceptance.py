import json
import shutil

import numpy as np
import pytest
import torch
from miniature_set import KnowingRecognizer, utterance, write_set
from scipy.stats import norm

from pedkit.data.audio import load_audio
from pedkit.data.manifest import read_manifest
from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary, random_encoder
from pedkit.recognizers import Clip, CtcRecognizer
from synthetic.acceptance import AcceptanceSettings, verify_set
from synthetic.acceptance.forced_choice import ForcedChoice, score
from synthetic.acceptance.near_misses import aligned
from synthetic.acceptance.statistics import refused_share
from synthetic.acceptance.summary import summary

SETTINGS = AcceptanceSettings(unedited_refused=0.25, neighbours=2)
UNEDITED = [utterance(f"u{k}", "B AH T", "B AH T") for k in range(4)]
EDITED = [
    utterance("sub", "B AH T", "B AH D"),
    utterance("del", "B AH T", "B AH", split="test", voice="en-us+m1"),
    utterance("ins", "B AH T", "B AH T Z", split="test", voice="slt", engine="flite"),
]


@pytest.fixture
def made(tmp_path):
    return write_set(tmp_path / "made", UNEDITED + EDITED)


def lines(folder):
    return {line["id"]: line for line in map(json.loads, (folder / "acceptance.jsonl").read_text().splitlines())}


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.json*"))}


def test_each_log_likelihood_is_divided_by_its_own_number_of_phones():
    likelihoods = {("B", "AH", "D"): -6.0, ("B", "AH", "T"): -9.0, ("B", "AH"): -5.0}
    assert score(("B", "AH", "D"), likelihoods) == (-6 / 3 + 5 / 2, ("B", "AH"))  # -9/3 = -3 is the weaker rival
    assert score(("B", "AH"), likelihoods) == (-5 / 2 + 6 / 3, ("B", "AH", "D"))


def test_who_says_what_the_label_says_is_accepted(made):
    record = verify_set(made, KnowingRecognizer(), SETTINGS)
    # One phone off costs 6 nats: -6/3 = -2 a phone for a substitution, -6/2 = -3 for a deletion.
    assert [lines(made)[f"u{k}"]["score"] for k in range(4)] == [2.0] * 4
    assert lines(made)["sub"]["score"] == 2.0
    assert lines(made)["del"]["score"] == 2.0  # B AH T, B AH D and B AH S have three phones
    assert lines(made)["ins"]["score"] == 1.5  # the strongest is B AH T S with four: -6/4
    assert record["accepted"] == {"train": 5, "test": 2}
    assert record["thresholds"] == {"all": {"value": 0.0, "quantile": 2.0, "rank": 1, "unedited": 4}}
    assert record["refused"]["overall"]["refused"] == 0


def test_a_label_that_is_not_what_was_said_is_refused_with_its_reason(made):
    said = {"sub": "B AH T", "del": "B AH S", "ins": "B AH T"}
    record = verify_set(made, KnowingRecognizer(said), SETTINGS)
    found = lines(made)
    assert found["sub"]["score"] == -2.0  # -6/3 against 0 for the canonical phones
    assert (
        found["sub"]["reason"] == "score -2.000 is below 0.000; it sounds more like B AH T (the canonical phones)"
    )
    assert found["del"]["score"] == -3.0  # -6/2 against 0 for the near miss
    assert found["del"]["reason"] == "score -3.000 is below 0.000; it sounds more like B AH S (a near miss)"
    assert found["ins"]["score"] == -1.5
    assert (found["ins"]["rival"], found["ins"]["accepted"]) == ("B AH T", False)
    assert record["accepted"] == {"train": 4, "test": 0}
    by = record["refused"]
    counted = {key: {k: (v["refused"], v["items"]) for k, v in by[key].items()} for key in by if key != "overall"}
    assert counted == {
        "by_error_type": {"deletion": (1, 1), "insertion": (1, 1), "substitution": (1, 1), "unedited": (0, 4)},
        "by_engine": {"espeak": (2, 6), "flite": (1, 1)},
        "by_voice": {"espeak:en-us+f3": (1, 5), "espeak:en-us+m1": (1, 1), "flite:slt": (1, 1)},
        "by_split": {"test": (2, 2), "train": (1, 5)},
    }


def test_the_new_manifests_hold_what_was_accepted_and_its_score(made):
    before = {split: read_manifest(made / f"{split}.jsonl") for split in ("train", "test")}
    verify_set(made, KnowingRecognizer({"sub": "B AH T"}), SETTINGS)
    assert {split: read_manifest(made / f"{split}.jsonl") for split in before} == before
    accepted = read_manifest(made / "train.accepted.jsonl")
    assert [one.id for one in accepted] == ["u0", "u1", "u2", "u3"]
    assert accepted[0].extra == {**UNEDITED[0].extra, "acceptance_score": 2.0, "acceptance": "accepted"}
    assert accepted[0].audio == before["train"][0].audio
    assert [one.extra["acceptance_score"] for one in read_manifest(made / "test.accepted.jsonl")] == [2.0, 1.5]


def test_wrong_labels_measure_what_the_verdicts_are_worth(made):
    record = verify_set(made, KnowingRecognizer(), SETTINGS)
    # Each unedited recording has two near misses by substitution and one by deletion, all of which lose.
    found = {kind: (one["refused"], one["items"]) for kind, one in record["wrong_labels_refused"].items()}
    assert found == {"substitution": (8, 8), "deletion": (4, 4)}
    assert "warning" not in summary(made, record)


def test_a_recognizer_that_hears_nothing_is_said_to_verify_little(made):
    class Deaf(KnowingRecognizer):
        def log_likelihood(self, _, phones):
            return -7.0 * len(tuple(phones))

    record = verify_set(made, Deaf(), SETTINGS)
    assert record["refused"]["overall"]["refused"] == 0  # all scores are 0, and none is below 0
    assert "only 0 of 12 wrong labels were refused, so this recognizer verifies little" in summary(made, record)


def test_the_intervals_are_wilsons():
    k, n, z = 3, 40, norm.ppf(0.975)
    middle, half = (k + z * z / 2) / (n + z * z), z * np.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    found = refused_share(k, n)
    assert (found["low"], found["high"]) == pytest.approx((middle - half, middle + half))
    assert found["share"] == 0.075


def test_killed_and_continued_it_ends_with_the_same_files(made, tmp_path):
    other = shutil.copytree(made, tmp_path / "other")
    verify_set(made, KnowingRecognizer({"ins": "B AH T"}), SETTINGS)

    class Killed(KnowingRecognizer):
        def log_likelihood(self, clip, phones):
            if clip.utterance.id == "sub":
                raise KeyboardInterrupt
            return super().log_likelihood(clip, phones)

    with pytest.raises(KeyboardInterrupt):
        verify_set(other, Killed({"ins": "B AH T"}), SETTINGS)
    assert sorted(lines(other)) == ["u0", "u1", "u2", "u3"]
    text = (other / "acceptance.jsonl").read_text()
    (other / "acceptance.jsonl").write_text(text[:-20])  # the last line was cut off
    recognizer = KnowingRecognizer({"ins": "B AH T"})
    verify_set(other, recognizer, SETTINGS)
    assert set(recognizer.heard) == {"u3", "sub", "del", "ins"}
    assert contents(other) == contents(made)


def test_two_verifications_at_once_do_not_write_each_line_twice(made):
    class Impatient(KnowingRecognizer):
        def log_likelihood(self, clip, phones):
            if not self.heard:
                with pytest.raises(PedkitError, match=r"made: another process is at work on this set"):
                    verify_set(made, KnowingRecognizer(), SETTINGS)
            return super().log_likelihood(clip, phones)

    verify_set(made, Impatient(), SETTINGS)
    assert len((made / "acceptance.jsonl").read_text().splitlines()) == 7


@pytest.mark.parametrize("content", ["[]", "{", "null"])
def test_a_record_that_cannot_be_read_is_named(made, content):
    verify_set(made, KnowingRecognizer({}), SETTINGS)
    (made / "acceptance.json").write_text(content)
    with pytest.raises(PedkitError, match=r"acceptance\.json: it should say whose verdicts .* holds"):
        verify_set(made, KnowingRecognizer({}), SETTINGS)


@pytest.mark.parametrize(
    "change",
    [{"id": "nobody"}, {"likelihoods": {"Z OO": -1.0, "S": -2.0}}, {"likelihoods": {}}],
)
def test_a_line_that_is_not_of_its_recording_is_named(made, change):
    verify_set(made, KnowingRecognizer({}), SETTINGS)
    path = made / "acceptance.jsonl"
    first, *others = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps(json.loads(first) | change), *others]) + "\n")
    with pytest.raises(PedkitError, match=r"acceptance\.jsonl: utterance '\w+': this line is not of a recording"):
        verify_set(made, KnowingRecognizer({}), SETTINGS)


def test_verdicts_change_with_the_settings_without_listening_again(made):
    verify_set(made, KnowingRecognizer(), SETTINGS)
    recognizer = KnowingRecognizer()
    record = verify_set(made, recognizer, AcceptanceSettings(threshold=1.75, neighbours=2))
    assert recognizer.heard == []
    assert record["thresholds"]["all"] == {"value": 1.75, "quantile": None, "rank": None, "unedited": None}
    assert record["accepted"] == {"train": 5, "test": 1}


def test_a_threshold_within_each_engine_needs_unedited_recordings_of_each(made):
    with pytest.raises(PedkitError, match=r"at least 3 unedited recordings of 'flite' .* but got 0"):
        verify_set(made, KnowingRecognizer(), AcceptanceSettings(unedited_refused=0.25, within="engine"))


def test_each_engine_has_its_own_threshold(tmp_path):
    flite = [utterance(f"f{k}", "B AH T", "B AH T", engine="flite") for k in range(3)]
    made = write_set(tmp_path / "made", UNEDITED + flite)

    class HardOfHearing(KnowingRecognizer):  # of flite's voice it makes little
        def log_likelihood(self, clip, phones):
            strange = clip.utterance.id.startswith("f") and tuple(phones) == clip.utterance.realized
            return super().log_likelihood(clip, phones) - 30 * strange

    record = verify_set(made, HardOfHearing(), AcceptanceSettings(unedited_refused=0.25, within="engine"))
    assert record["thresholds"]["espeak"]["value"] == 0.0
    assert record["thresholds"]["flite"]["value"] == -8.0  # -30/3 against -6/3
    assert record["refused"]["overall"]["refused"] == 0


def test_lines_of_another_recognizer_are_not_mixed_in(made):
    verify_set(made, KnowingRecognizer(), SETTINGS)
    other = KnowingRecognizer()
    other.revision = "r2"
    with pytest.raises(PedkitError, match=r"of another recognizer: .*'r1'.*, not .*'r2'.*delete acceptance.jsonl"):
        verify_set(made, other, SETTINGS)


def test_a_recording_that_cannot_be_weighed_is_refused_and_tried_again(made):
    moved = made / "audio" / "moved.flac"
    (made / "audio" / "sub.flac").rename(moved)
    record = verify_set(made, KnowingRecognizer(unknown="Z"), SETTINGS)
    found = lines(made)
    assert found["sub"]["reason"].startswith("could not be verified: ")
    assert found["sub"]["score"] is None
    assert found["ins"]["reason"] == "could not be verified: 'Z' is not in the vocabulary"
    assert record["accepted"] == {"train": 4, "test": 1}
    moved.rename(made / "audio" / "sub.flac")
    recognizer = KnowingRecognizer()
    assert verify_set(made, recognizer, SETTINGS)["accepted"] == {"train": 5, "test": 2}
    assert set(recognizer.heard) == {"sub", "ins"}


def test_where_nothing_can_be_weighed_the_run_fails(made):
    with pytest.raises(PedkitError, match="none of 7 recordings could be weighed; the first: 'AH' is not"):
        verify_set(made, KnowingRecognizer(unknown="AH"), SETTINGS)


def test_only_recognizers_that_can_weigh_phones_will_do(made):
    class Silent:
        name, inventory = "silent", "cmu39"

        def transcribe(self, _):
            return []

    with pytest.raises(PedkitError, match="but silent cannot weigh phones"):
        verify_set(made, Silent(), SETTINGS)
    timit = KnowingRecognizer()
    timit.inventory = "timit61"
    with pytest.raises(PedkitError, match="cmu39 or ipa, but knowing hears timit61"):
        verify_set(made, timit, SETTINGS)


def test_a_recognizer_of_ipa_is_asked_in_ipa(made):
    asked = set()

    class Ipa(KnowingRecognizer):
        inventory = "ipa"

        def log_likelihood(self, _, phones):
            asked.update(phones)
            return -1.0

    verify_set(made, Ipa(), SETTINGS)
    assert {"b", "ʌ", "t", "d"} <= asked


def test_a_folder_without_a_finished_set_is_named(tmp_path):
    with pytest.raises(PedkitError, match=r"run\.json.*expected the folder of a finished set"):
        verify_set(tmp_path, KnowingRecognizer(), SETTINGS)


def test_a_ctc_model_weighs_the_phones_of_a_recording(made):
    torch.manual_seed(0)
    vocabulary = PhoneVocabulary.of_inventory("cmu39")
    encoder = random_encoder(
        vocabulary, model_type="wav2vec2", hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=64, conv_dim=[16] * 7, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2,
        feat_extract_norm="layer",
    )  # fmt: skip
    recognizer = CtcRecognizer(encoder, vocabulary, name="tiny")
    one = read_manifest(made / "train.jsonl")[4]
    [columns] = aligned([one])
    weighed = ForcedChoice(recognizer, 1).weigh(one, columns)
    clip = Clip(one, load_audio(one.audio))
    expected = {
        tuple(text.split()): recognizer.log_likelihood(clip, text.split())
        for text in ("B AH D", "B AH T", "B AH DH", "B AH")
    }
    assert weighed.likelihoods == expected
    value, rival = score(("B", "AH", "D"), weighed.likelihoods)
    others = {phones: ll / len(phones) for phones, ll in expected.items() if phones != ("B", "AH", "D")}
    assert value == expected["B", "AH", "D"] / 3 - max(others.values())
    assert others[rival] == max(others.values())


def test_a_recognizer_that_weighs_many_at_once_says_why_it_refuses_a_label(made):
    class AtOnce(KnowingRecognizer):
        def log_likelihoods(self, clip, sequences):
            return [None if "D" in phones else self.log_likelihood(clip, phones) for phones in sequences]

    record = verify_set(made, AtOnce(unknown="D"), SETTINGS)
    found = lines(made)
    assert found["sub"]["reason"] == "could not be verified: 'D' is not in the vocabulary"
    assert set(found["del"]["likelihoods"]) == {"B AH", "B AH T", "B AH S"}  # without the rival B AH D
    assert record["refused"]["overall"]["refused"] == 1
