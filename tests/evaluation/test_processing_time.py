import numpy as np
import pytest
import soundfile

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.evaluation.processing_time import audio_durations, processing_time, speed_facts


def heard(name, seconds, **fields):
    return Prediction(id=name, phones=("AH",), seconds=seconds, **fields)


def test_rtf_and_rtfx_are_inverses_of_summed_times():
    predictions = [heard("a", 0.5, batch_size=8, device="cpu"), heard("b", 1.5, batch_size=8, device="cpu")]
    found = processing_time(predictions, {"a": 1.0, "b": 7.0})
    assert (found.rtf.value, found.rtf.numerator, found.rtf.denominator) == (
        0.25,
        2.0,
        8.0,
    )  # not the mean of ratios
    assert (found.rtfx.value, found.rtfx.numerator, found.rtfx.denominator) == (4.0, 8.0, 2.0)
    assert (found.clips, found.batch_sizes, found.devices) == (2, (8,), ("cpu",))
    assert found.to_json()["rtf"]["value"] * found.to_json()["rtfx"]["value"] == 1


def test_what_is_not_in_the_sums_is_counted():
    predictions = [
        heard("a", 2.0, device="cuda"),
        heard("b", 1.0, device="cpu"),
        heard("c", None),
        heard("d", 1.0),
        Prediction(id="e", status="failed", reason="broken", seconds=9.0),
    ]
    found = processing_time(predictions, {"a": 4.0, "b": 2.0, "c": 1.0, "e": 1.0})
    assert found.left_out == {"no time": 1, "no length of audio": 1, "failed": 1}
    assert (found.rtf.value, found.devices, found.batch_sizes) == (0.5, ("cpu", "cuda"), ())


def test_without_times_both_are_undefined_with_a_reason():
    found = processing_time([heard("a", None)], {"a": 1.0})
    assert found.rtf.value is found.rtfx.value is None
    assert found.rtf.reason == "no prediction has both a time and a known length of audio"
    assert processing_time([heard("a", 0.0)], {"a": 1.0}).rtfx.reason == "the time spent is 0"


def test_lengths_come_from_the_manifest_or_the_file(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros(8000), 16000)
    utterances = [
        Utterance(id="file", audio=Audio(path=str(tmp_path / "a.wav"))),
        Utterance(id="stated", audio=Audio(path="elsewhere.wav", duration=2.5)),
        Utterance(id="gone", audio=Audio(path="gone.wav")),
        Utterance(id="none"),
    ]
    assert audio_durations(utterances) == {"file": 0.5, "stated": 2.5}


def test_batch_size_and_device_are_in_the_predictions_line():
    line = heard("a", 0.5, batch_size=4, device="cuda").to_dict()
    assert (line["batch_size"], line["device"]) == (4, "cuda")
    assert Prediction.from_dict(line).batch_size == 4
    with pytest.raises(ValueError, match="'batch_size' cannot be 'four'"):
        Prediction.from_dict(line | {"batch_size": "four"})


def test_the_page_says_each_factor_under_its_definition():
    times = processing_time([heard("a", 0.5, batch_size=4, device="cpu")], {"a": 4.0}).to_json()
    assert speed_facts(times) == {
        "RTF: processing / audio time": "0.125 (cpu, batch size 4)",
        "RTFx: audio / processing time": "8",
    }
    assert speed_facts(processing_time([heard("a", None)], {"a": 1.0}).to_json()) == {}
