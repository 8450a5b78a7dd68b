import base64
import io

import numpy as np
import soundfile
from msgspec.structs import replace

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.evaluation.clips import audio_address
from pedkit.evaluation.report_page import build_page
from pedkit.evaluation.score import score
from pedkit.evaluation.test_sets import EvaluationSet
from pedkit.report.html import render


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
        "without phones": "0",
    }
    assert page.licences == {"Toy": "mine"}


def test_utterances_without_phones_are_counted_for_each_system_by_status():
    said = [Utterance(id=name, inventory="cmu39", canonical=("K",), realized=("K",)) for name in "abcde"]
    one = [Prediction(id=name, phones=("K",)) for name in "abcde"]
    other = [
        Prediction(id="a", phones=("K",)),
        Prediction(id="b", status="failed", reason="no audio"),
        Prediction(id="c"),
        Prediction(id="d", status="unparsable"),
    ]
    result = score(predictions={"one": one, "other": other}, manifest=said, missing="empty", failed="empty")
    page = build_page({"m": result}, {"m": EvaluationSet.of("m", "m.jsonl")}, title="T")
    facts = {key: text for key, text in page.sets[0].facts.items() if "without" in key}
    assert facts == {
        "without phones: one": "0",
        "without phones: other": "4 (1 empty, 1 unparsable, 1 failed, 1 missing)",
    }


def test_a_g2p_reference_is_not_called_what_was_said():
    """Nobody annotated these: 'said' and 'realized' would be false, and accept-all is right by definition."""
    canonical = [Utterance(id=name, inventory="cmu39", canonical=("AA", "B")) for name in "ab"]
    said = [replace(one, realized=("AA", "B")) for one in canonical]
    heard = [Prediction(id=name, phones=("AA", "T")) for name in "ab"]
    text, annotated = (
        " ".join(render(page_of(utterances, heard, **settings)).split())
        for utterances, settings in ((canonical, {"per_reference": "canonical"}), (said, {}))
    )
    for true_of_g2p, true_of_said in (
        ("predicted phones against the G2P reference", "predicted against realized phones"),
        ("Rows: the phone of the G2P reference", "Rows: the phone that was said"),
        ("alignment of G2P reference and predicted phones", "alignment of realized and predicted phones"),
        ("Share of each phone of the G2P reference", "Share of each said phone"),
        ("Share of reference, %", "Share of said, %"),
        ("insertions per 1,000 reference phones", "insertions per 1,000 phones said"),
        ("2 errors on 4 phones of the G2P reference (PER", "2 errors on 4 phones (PER"),
        (
            "accept-all repeats that reference: its PER is 0",
            "as a transcript it is worse than the intended phones",
        ),
        ('<th scope="row">error</th>', '<th scope="row">realized</th>'),
    ):
        assert (true_of_g2p in text, true_of_said in text) == (True, False)
        assert (true_of_g2p in annotated, true_of_said in annotated) == (False, True)


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
