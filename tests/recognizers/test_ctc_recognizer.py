from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
import torch

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models import BeamDecoder, PhoneVocabulary, random_encoder
from pedkit.recognizers import Clip, CtcRecognizer, ScoringRecognizer, by_length, ctc

WAV2VEC2 = {
    "model_type": "wav2vec2", "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 64, "conv_dim": [16] * 7, "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 2,
}  # fmt: skip


def _recognizer(vocabulary=None, **changes):
    torch.manual_seed(0)
    vocabulary = vocabulary or PhoneVocabulary.of_inventory("cmu39")
    encoder = random_encoder(vocabulary, **{**WAV2VEC2, "feat_extract_norm": "layer", **changes})
    torch.nn.init.normal_(encoder.model.lm_head.weight)  # so that it hears something
    return CtcRecognizer(encoder, vocabulary, name="tiny", batch_size=2, revision="r1", config_hash="c1")


def _clip(name: str, samples: int, sample_rate: int = 16000) -> Clip:
    noise = np.random.default_rng(len(name) + samples).standard_normal(samples).astype(np.float32) * 0.1
    return Clip(Utterance(id=name), noise, sample_rate)


CLIPS = [_clip("a", 31440), _clip("b", 8000), _clip("c", 16000)]


def test_it_is_a_recognizer_that_can_score():
    assert isinstance(_recognizer(), ScoringRecognizer)


def test_clips_keep_their_order_and_batches_do_not_matter():
    recognizer = _recognizer()
    together = recognizer.transcribe(CLIPS)
    alone = [recognizer.transcribe([clip])[0] for clip in CLIPS]
    assert [p.id for p in together] == ["a", "b", "c"]
    assert [p.phones for p in together] == [p.phones for p in alone]
    assert all(p.phones for p in together)
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_allclose(one.confidences, other.confidences, atol=1e-5)


def test_a_clip_without_numbers_fails_and_its_neighbours_do_not(monkeypatch):
    recognizer = _recognizer()
    real = recognizer.encoder.model.forward

    def overflowing(input_values, **others):
        output = real(input_values, **others)
        output.logits[(input_values != 0).sum(1) == 8000] = math.nan
        return output

    whole = recognizer.transcribe(CLIPS)
    monkeypatch.setattr(recognizer.encoder.model, "forward", overflowing)
    found = recognizer.transcribe(CLIPS)
    assert [one.status for one in found] == ["ok", "failed", "ok"]
    assert found[1].reason.startswith("the model's outputs for a clip are not numbers (NaN)")
    assert [found[i].phones for i in (0, 2)] == [whole[i].phones for i in (0, 2)]
    with pytest.raises(PedkitError, match="utterance 'b': the model's outputs for a clip are not numbers"):
        recognizer.log_likelihood(CLIPS[1], ["T"])


def test_a_broken_model_fails_every_clip_and_hears_none():
    recognizer = _recognizer()
    torch.nn.init.constant_(recognizer.encoder.model.lm_head.weight, math.nan)
    assert {one.status for one in recognizer.transcribe(CLIPS)} == {"failed"}


def test_a_prediction_says_where_it_comes_from():
    [prediction] = _recognizer().transcribe(CLIPS[:1])
    assert (prediction.status, prediction.reason, prediction.inventory) == ("ok", None, "cmu39")
    assert (prediction.model, prediction.revision, prediction.config_hash) == ("tiny", "r1", "c1")
    assert prediction.seconds > 0
    assert (prediction.batch_size, prediction.device) == (2, "cpu")


def test_a_second_of_silence_warms_the_model_up_once_and_is_not_timed(monkeypatch):
    recognizer, real, order = _recognizer(), ctc.decode, []
    clock = iter(range(100))
    monkeypatch.setattr(by_length.time, "perf_counter", lambda: order.append("clock") or next(clock))
    monkeypatch.setattr(ctc, "decode", lambda *args: order.append(tuple(args[2].shape)) or real(*args))
    for _ in range(2):
        recognizer.transcribe(CLIPS[:1])
    assert order == [(1, 16000), *["clock", (1, 31440), "clock"] * 2]


def test_times_lie_in_the_clip_in_order_and_without_gaps_of_zero():
    # speechbrain #966, allosaurus #62: 98 frames of 20 ms in 1.965 s, 49 in 1 s.
    for prediction, seconds in zip(_recognizer().transcribe(CLIPS), (1.965, 0.5, 1.0), strict=True):
        starts, ends = zip(*prediction.times, strict=True)
        assert ends[-1] <= seconds
        assert all(start < end for start, end in prediction.times)
        assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
        frames = [time / 0.02 for time in (*starts, *ends[:-1])]
        np.testing.assert_allclose(frames, np.round(frames), atol=1e-9)


def test_confidences_are_posteriors_of_the_phones():
    recognizer = _recognizer()
    [prediction] = recognizer.transcribe(CLIPS[:1])
    logits = recognizer.encoder(torch.from_numpy(CLIPS[0].samples)[None], torch.tensor([31440])).logits[0]
    posteriors = logits.softmax(-1)
    for phone, confidence, (start, end) in zip(
        prediction.phones, prediction.confidences, prediction.times, strict=True
    ):
        column = posteriors[round(start / 0.02) : round(end / 0.02), recognizer.vocabulary.encode([phone])[0]]
        assert confidence == pytest.approx(column.mean().item(), abs=1e-5)


def test_a_beam_gives_places_and_confidences_too():
    recognizer = _recognizer()
    greedy = recognizer.transcribe(CLIPS)
    recognizer.decoder = BeamDecoder(beam=4)
    for one, other in zip(recognizer.transcribe(CLIPS), greedy, strict=True):
        assert (one.id, one.status, one.model) == (other.id, "ok", "tiny")
        assert len(one.phones) == len(one.times) == len(one.confidences)
        clip = next(clip for clip in CLIPS if clip.utterance.id == one.id)
        assert recognizer.log_likelihood(clip, one.phones) >= recognizer.log_likelihood(
            clip, other.phones
        )  # greedy looks at one path only


def test_a_clip_in_which_nothing_is_heard_is_empty_not_failed():
    recognizer = _recognizer()
    torch.nn.init.constant_(recognizer.encoder.model.lm_head.bias[:1], 100.0)
    [prediction] = recognizer.transcribe(CLIPS[:1])
    assert (prediction.phones, prediction.status) == ((), "empty")
    assert prediction.reason == "the model heard no phone"


def test_a_clip_that_cannot_be_used_fails_alone():
    bad = _clip("bad", 16000)
    bad.samples[7] = np.nan
    short = _clip("short", 399)
    predictions = _recognizer().transcribe([short, CLIPS[1], bad])
    assert [p.status for p in predictions] == ["failed", "ok", "failed"]
    assert predictions[0].reason == "a clip of 0.025 s is shorter than one frame (0.025 s)"
    assert predictions[2].reason == "the clip holds samples that are not finite"
    assert _recognizer().transcribe([]) == []


def test_another_sample_rate_is_refused():
    with pytest.raises(PedkitError, match=r"utterance 'x': expected a clip at 16000 Hz, but got 8000 Hz"):
        _recognizer().transcribe([_clip("x", 8000, 8000)])


def test_a_model_that_is_not_batch_invariant_gets_batches_of_one():
    assert _recognizer(feat_extract_norm="group").batch_size == 1
    assert _recognizer().batch_size == 2


def test_likelihoods_of_all_label_sequences_sum_to_one():
    # Two phones, two frames (720 samples): the label sequences are none, a, b, ab, ba; aa needs three frames.
    recognizer = _recognizer(PhoneVocabulary(["AA", "T"], "cmu39"))
    clip = _clip("d", 720)
    sequences = [(), ("AA",), ("T",), ("AA", "T"), ("T", "AA")]
    total = sum(math.exp(recognizer.log_likelihood(clip, phones)) for phones in sequences)
    assert total == pytest.approx(1.0, abs=1e-6)
    with pytest.raises(PedkitError, match=r"utterance 'd': 2 phones need 3 frames, but 0\.04 s have 2"):
        recognizer.log_likelihood(clip, ["AA", "AA"])


def test_a_likelihood_by_hand_over_all_paths():
    recognizer = _recognizer(PhoneVocabulary(["AA", "T"], "cmu39"))
    clip = _clip("e", 1360)  # 4 frames
    with torch.no_grad():
        output = recognizer.encoder(torch.from_numpy(clip.samples)[None], torch.tensor([1360]))
    probabilities = output.logits[0].softmax(-1).numpy()
    assert len(probabilities) == 4
    expected = 0.0
    for path in itertools.product(range(3), repeat=4):
        labels = [label for label, _ in itertools.groupby(path) if label]
        if labels == [2, 1]:
            expected += float(np.prod([probabilities[frame, label] for frame, label in enumerate(path)]))
    assert recognizer.log_likelihood(clip, ("T", "AA")) == pytest.approx(math.log(expected), abs=1e-5)


def test_a_likelihood_of_an_unknown_phone_is_refused():
    with pytest.raises(PedkitError, match="no output for 'ZZ'"):
        _recognizer().log_likelihood(CLIPS[0], ["T", "ZZ"])


def test_several_likelihoods_are_the_single_ones_of_one_hearing():
    recognizer = _recognizer(PhoneVocabulary(["AA", "T"], "cmu39"))
    clip = _clip("g", 1360)  # 4 frames
    sequences = [("T", "AA"), ("ZZ",), (), ("AA", "AA", "AA"), iter(["AA"])]  # the fourth needs 5 frames
    expected = [recognizer.log_likelihood(clip, phones) for phones in (("T", "AA"), (), ("AA",))]
    heard = []
    recognizer.encoder.register_forward_hook(lambda *_: heard.append(1))
    found = recognizer.log_likelihoods(clip, sequences)
    assert found == [expected[0], None, expected[1], None, expected[2]]
    assert len(heard) == 1
    with pytest.raises(PedkitError, match="shorter than one frame"):
        recognizer.log_likelihoods(_clip("h", 399), sequences)


def test_a_hub_model_brings_its_own_phones(tmp_path):
    table = {"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "t": 4, "ɪ": 5}
    vocabulary = PhoneVocabulary.of_ids({"t": 4, "ɪ": 5}, "ipa", size=6)
    recognizer = _recognizer(vocabulary)
    recognizer.encoder.model.save_pretrained(tmp_path)
    (tmp_path / "vocab.json").write_text(json.dumps(table), encoding="utf-8")
    loaded = CtcRecognizer.from_pretrained(str(tmp_path))
    assert (loaded.inventory, loaded.name) == ("ipa", str(tmp_path))
    assert [p.phones for p in loaded.transcribe(CLIPS)] == [p.phones for p in recognizer.transcribe(CLIPS)]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"device": "no_such"}, r"the device 'no_such' cannot be used: Expected one of.*\(device=cpu can"),
        ({"batch_size": 0}, "expected batch_size to be 1 or more, but got 0"),
    ],
)
def test_what_cannot_run_is_said_at_once(settings, message):
    vocabulary = PhoneVocabulary.of_inventory("cmu39")
    with pytest.raises(PedkitError, match=message):
        CtcRecognizer(random_encoder(vocabulary, **WAV2VEC2), vocabulary, name="tiny", **settings)
