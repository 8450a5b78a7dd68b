from pathlib import Path

import numpy as np
import pytest
import soundfile

from pedkit.data.audio import load_audio
from pedkit.data.noise_level import SNR_KEY, estimated_snr
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import DURATION, MEASURED, SNR, AudioMeasures
from pedkit.evaluation.observing import CHUNK, Observer
from pedkit.fairness import METRICS, Observation
from pedkit.fairness.metrics import WORD_METRICS
from pedkit.scoring import Counts

FIELDS = {"utterances": 1, "substitutions": 3, "deletions": 1, "insertions": 1, "reference_phones": 20}
FIELDS |= {"feature_distance": 61, "soft_distance": 96, "TA": 8, "FR_sub": 2, "FR_ins": 1, "FA_sub": 1}
FIELDS |= {"CD_sub": 3, "DE_del": 1, "mdd_utterances": 1}
PHONES = tuple(metric for metric in METRICS if metric not in WORD_METRICS)


@pytest.mark.parametrize("profile", ["full", "no_spurious", "canonical_only", "kaldi3"])
def test_sums_are_those_of_the_definition_and_whole_ones_are_whole(profile):
    one = Utterance(id="u", speaker="c:s", corpus="c", groups={"gender": "f", "native": True})
    counts = Counts.from_fields(FIELDS)
    observer = Observer(metrics=PHONES, attributes=["gender", "gender*native"], profile=profile)
    observer.add(one, counts)
    [seen] = observer.observations()
    assert seen == Observation.of(one, counts, metrics=PHONES, attributes=["gender", "native"], profile=profile)
    assert seen.sums["soft_per"] == (2, 20)
    assert seen.sums["pfer"] == (61 / 48, 20)


def test_order_is_kept_over_chunks():
    observer = Observer(metrics=["per"], attributes=[])
    for k in range(CHUNK + 2):
        observer.add(Utterance(id=str(k)), Counts.from_fields({"reference_phones": k}))
    seen = list(observer.observations())
    assert [one.id for one in seen] == [str(k) for k in range(CHUNK + 2)]
    assert [one.sums["per"] for one in seen] == [(0, k) for k in range(CHUNK + 2)]
    assert list(observer.observations()) == seen  # asking changes nothing


def test_covariates_and_prompts_come_from_the_manifest_and_missing_is_missing():
    observer = Observer(metrics=["per"], attributes=[], covariates=["duration", "age", "snr"], prompt=True)
    audio = Audio("a.wav", duration=2.5)
    observer.add(Utterance(id="a", audio=audio, text="so", groups={"age": 7}, extra={"snr": 12.5}), Counts.zero())
    observer.add(Utterance(id="b"), Counts.zero())
    first, second = observer.observations()
    assert (first.covariates, first.prompt) == ({"duration": 2.5, "age": 7.0, "snr": 12.5}, "so")
    assert (second.covariates, second.prompt) == ({}, None)
    with pytest.raises(
        PedkitError, match="utterance 'c': expected the covariate 'age' to be a number, but got 'old'"
    ):
        observer.add(Utterance(id="c", groups={"age": "old"}), Counts.zero())


def test_an_attribute_that_is_a_covariate_stays_a_category():
    observer = Observer(metrics=["per"], attributes=["native"], covariates=["native", "age"])
    observer.add(Utterance(id="a", groups={"native": False, "age": 7}), Counts.zero())
    [seen] = observer.observations()
    assert (seen.groups, seen.covariates) == ({"native": "false"}, {"age": 7.0})


@pytest.fixture
def recorded(tmp_path):
    """Half a second of speech-like sound, of which the manifest names no length."""
    draw = np.random.default_rng(0)
    samples = draw.gamma(0.4, 0.1, 8000) * draw.choice([-1, 1], 8000) + draw.normal(0, 0.02, 8000)
    soundfile.write(tmp_path / "a.wav", np.clip(samples, -1, 1), 16000)
    return Audio(str(tmp_path / "a.wav"))


def test_length_and_noise_level_are_measured_where_the_manifest_is_silent(recorded):
    observer = Observer(metrics=["per"], attributes=[], covariates=["duration", "snr_db"])
    stated = Audio(recorded.path, duration=0.25)
    for one in (Utterance(id="a", audio=recorded), Utterance(id="b", audio=stated, extra={"snr_db": 12})):
        observer.add(one, Counts.zero())
    observer.add(Utterance(id="c"), Counts.zero())
    first, second, third = observer.observations()
    estimate = estimated_snr(load_audio(recorded))
    assert 0 < estimate < 40
    assert first.covariates == {"duration": 0.5, "snr_db": pytest.approx(estimate)}
    assert second.covariates == {"duration": 0.25, "snr_db": 12.0}
    assert third.covariates == {}


def test_a_recording_is_measured_once_for_all_systems(recorded):
    measures = AudioMeasures()
    for _ in range(2):
        observer = Observer(metrics=["per"], attributes=[], covariates=["duration"], measures=measures)
        observer.add(Utterance(id="a", audio=recorded), Counts.zero())
        Path(recorded.path).unlink(missing_ok=True)  # the second system finds no file
        [seen] = observer.observations()
        assert seen.covariates == {"duration": 0.5}


def test_a_recording_that_cannot_be_read_is_named(tmp_path):
    observer = Observer(metrics=["per"], attributes=[], covariates=["duration"])
    with pytest.raises(
        PedkitError, match=r"no\.wav.*utterance 'a'.*covariate 'duration' is measured from the audio"
    ):
        observer.add(Utterance(id="a", audio=Audio(str(tmp_path / "no.wav"))), Counts.zero())


def test_the_names_of_what_is_measured():
    assert SNR == SNR_KEY
    assert set(MEASURED) == {DURATION, SNR}


def test_word_errors_are_sums_too():
    observer = Observer(metrics=["wer"], attributes=["gender"])
    observer.add_words(Utterance(id="a", groups={"gender": "f"}), 2, 5)
    [seen] = observer.observations()
    assert (seen.sums, seen.groups, seen.reference) == ({"wer": (2, 5)}, {"gender": "f"}, "text")


def test_nothing_seen_is_nothing():
    assert list(Observer(metrics=["per"], attributes=["gender"]).observations()) == []
