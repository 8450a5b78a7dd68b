import base64
import io

import numpy as np
import soundfile

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.evaluation.clips import audio_address
from pedkit.evaluation.report_page import build_page
from pedkit.evaluation.score import score
from pedkit.evaluation.test_sets import EvaluationSet


def page_of(utterances, heard, **settings):
    result = score(predictions={"s": heard}, manifest=utterances, **settings)
    one = EvaluationSet.of("toy", {"manifest": "m.jsonl", "title": "Toy", "licence": "mine"})
    return build_page({"toy": result}, {"toy": one}, title="T", stamps={"toy": "Seen data: all of it."})


def test_a_flagged_phone_gets_a_star_so_that_its_outcome_can_be_understood():
    said = Utterance(id="a", inventory="cmu39", canonical=("S", "IH"), realized=("S", "IH"), flags={1: "star"})
    page = page_of([said], [Prediction(id="a", phones=("S", "EH"))])
    [example] = page.sets[0].examples
    assert [(c.canonical, c.realized, c.predicted, c.outcome) for c in example.columns] == [
        ("S", "S", "S", "TA"),
        ("IH", "IH*", "EH", "DU"),
    ]
    assert (example.errors, example.reference, example.audio) == (1, 2, None)


def test_what_must_stand_beside_the_numbers_stands_there():
    said = Utterance(id="a", inventory="cmu39", canonical=("T",), realized=("T",), speaker="toy:7")
    page = page_of([said], [Prediction(id="a", phones=("t", "ʔ"), inventory="ipa")])
    [one] = page.sets
    assert page.notes == ("Toy: Seen data: all of it.",)
    assert one.warnings[0] == "Seen data: all of it."
    assert one.warnings[1].startswith("s: 1 predicted symbol without counterpart in the inventory left out")
    assert one.facts == {
        "utterances": "1",
        "speakers": "1",
        "reference phones": "1",
        "compared with": "realized phones",
        "nothing heard": "0",
    }
    assert page.licences == {"Toy": "mine"}


def test_sounds_without_a_name_are_counted_beside_the_reference_phones_that_leave_them_out():
    canonical, realized = ("S", "IH", "T"), ("S", "<unk>", "err")
    said = Utterance(id="a", inventory="cmu39", canonical=canonical, realized=realized)
    [one] = page_of([said], [Prediction(id="a", phones=("S", "IH", "D"))]).sets
    assert one.facts["reference phones"] == "1"
    assert one.facts["unnamed sounds (<unk>), left out of PER"] == "2"
    [example] = one.examples
    assert (example.unnamed, example.reference, len(example.columns)) == (2, 1, 3)


def test_worst_utterances_come_first_and_right_ones_never():
    phones = {"half": ("K", "AE"), "right": ("K", "AA"), "wrong": ("B", "B")}
    said = [Utterance(id=name, inventory="cmu39", canonical=("K", "AA"), realized=("K", "AA")) for name in phones]
    heard = [Prediction(id=name, phones=p) for name, p in phones.items()]
    assert [e.id for e in page_of(said, heard).sets[0].examples] == ["wrong", "half"]
    assert [e.id for e in page_of(said, heard, worst=1).sets[0].examples] == ["wrong"]
    assert page_of(said, heard, worst=0).sets[0].examples == ()


def test_clips_are_small_and_keep_their_length(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, np.random.default_rng(0).normal(0, 0.1, 16000), 16000)
    address = audio_address(Audio(str(path)))
    kind, data = address.split(";base64,")
    sound = base64.b64decode(data)
    samples, rate = soundfile.read(io.BytesIO(sound))
    assert kind == "data:audio/ogg"
    assert len(samples) / rate == 1.0
    assert len(sound) < 8000  # a quarter of the samples
    assert audio_address(Audio(str(tmp_path / "none.wav"))) is None
    assert audio_address(None) is None
