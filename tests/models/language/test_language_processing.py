"""Features and audio tokens: against the extractor itself, the real processors, and the rules of the towers."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import torch
from transformers import WhisperFeatureExtractor

from pedkit.errors import PedkitError
from pedkit.models.language.families import FAMILIES
from pedkit.models.language.features import window_samples
from pedkit.models.language.inputs import InputBuilder
from tests.models.language.tiny_audio_models import ANSWERS, CONVERSATION, MEL_BINS, noise, tiny_tokenizer, tone

CLIPS = [tone(300, 0.6), noise(1, 1.1), noise(2, 1.9)]
OMNI = "qwen2_5_omni_thinker"


@pytest.mark.parametrize(("samples", "frames", "tokens"), [(1600, 10, 2), (9600, 60, 15), (16001, 101, 25)])
def test_frames_and_tokens_by_hand(shared, samples, frames, tokens):
    """100 frames a second, halved by the convolution (rounded up) and by the pooling (rounded down)."""
    features = shared(OMNI).builder.features([np.zeros(samples, np.float32)])
    assert int(features.tensors["feature_attention_mask"].sum()) == frames
    assert features.tokens == [tokens]


def test_omni_windows_end_just_after_the_longest_clip_and_change_no_valid_frame(shared):
    """Section 2.2: 300 s in the released model (30 s here) of which all but the clip is thrown away."""
    builder = shared(OMNI).builder
    ours = builder.features(CLIPS).tensors
    padded = builder.processor.feature_extractor(
        CLIPS, sampling_rate=16_000, padding="max_length", return_attention_mask=True, return_tensors="pt"
    )
    assert padded["input_features"].shape == (3, MEL_BINS, 3000)
    assert ours["input_features"].shape == (3, MEL_BINS, window_samples(len(CLIPS[2])) // 160)
    frames = ours["input_features"].shape[2]
    valid = ours["feature_attention_mask"].bool()
    assert valid.sum(1).tolist() == padded["attention_mask"].sum(1).tolist() == [60, 110, 190]
    theirs = padded["input_features"][:, :, :frames].transpose(1, 2)[valid]
    assert torch.equal(ours["input_features"].transpose(1, 2)[valid], theirs)


@pytest.mark.parametrize("seconds", [0.6, 0.601, 1.0, 1.00006])
def test_windows_are_long_enough_to_lose_nothing(seconds):
    """A window of the clip's own length loses a frame; 200 samples, half an FFT window, more do not."""
    clip = noise(3, seconds)
    extractor = WhisperFeatureExtractor(feature_size=MEL_BINS)
    options = {"sampling_rate": 16_000, "padding": "max_length", "return_attention_mask": True}
    long = extractor(clip, **options, max_length=480_000)
    short = extractor(clip, **options, max_length=window_samples(len(clip)))
    count = int(long["attention_mask"].sum())
    assert int(short["attention_mask"].sum()) == count
    assert np.array_equal(short["input_features"][0][:, :count], long["input_features"][0][:, :count])


@pytest.mark.parametrize("kind", ["audioflamingo3", "voxtral"])
def test_every_window_is_full_and_long_clips_have_several(shared, kind):
    """The towers of these add all their positions, so that other window lengths raise."""
    builder = shared(kind).builder
    clip = noise(4, 4.3)  # windows of 2 s here, 30 s in the released models
    features = builder.features([clip])
    assert features.tensors["input_features"].shape == (3, MEL_BINS, 200)
    # 430 frames -> 215 -> 107 for Audio Flamingo; Voxtral's windows count in full: 3 x 200 / 8
    assert features.tokens == [107 if kind == "audioflamingo3" else 75]


@pytest.mark.parametrize(("kind", "longest"), [(OMNI, 30.0), ("qwen2_audio", 3.0), ("audioflamingo3", 600.0)])
def test_clips_that_would_be_cut_are_refused_by_name(shared, kind, longest):
    builder = shared(kind).builder
    assert builder.longest_seconds == longest
    clip = np.zeros(round((longest + 0.5) * 16_000), np.float32)
    with pytest.raises(
        PedkitError, match=rf"utterance 'u1': the clip has {longest + 0.5:.1f} s, .* first {longest:g} s"
    ):
        builder.features([clip], ["u1"])


def test_tokens_of_a_clip_do_not_depend_on_its_batch(kind, shared):
    builder = shared(kind).builder
    clips = [noise(n, 0.5 + 0.0123 * n) for n in range(4)]
    assert builder.features(clips).tokens == [builder.features([clip]).tokens[0] for clip in clips]


@pytest.mark.parametrize("kind", [OMNI, "audioflamingo3", "qwen2_audio"])
def test_ids_are_those_of_the_processor_itself(shared, kind):
    """The whole call of transformers' processor on whole texts, with its own expansion of the audio token."""
    builder = shared(kind).builder
    ours = builder.training_inputs(CLIPS[:2], [CONVERSATION] * 2, ANSWERS)
    turns = [
        {"role": "system", "content": [{"type": "text", "text": CONVERSATION[0].text}]},
        {"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": CONVERSATION[1].text}]},
    ]
    prompt = builder.processor.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    theirs = builder.processor(
        text=[f"{prompt}{answer}<|im_end|>" for answer in ANSWERS],
        audio=CLIPS[:2],
        text_kwargs={"padding": True, "padding_side": "right"},
        audio_kwargs={"sampling_rate": 16_000},
        return_tensors="pt",
    )
    assert torch.equal(ours["input_ids"], theirs["input_ids"])
    assert torch.equal(ours["attention_mask"], theirs["attention_mask"])


@pytest.mark.skipif(importlib.util.find_spec("torchvision") is None, reason="the real processor needs torchvision")
@pytest.mark.parametrize("kind", [OMNI, "qwen3_omni_moe_thinker"])
def test_audio_processors_are_bit_identical_to_the_real_ones(shared, kind):
    from transformers import (
        Qwen2_5OmniProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
        Qwen3OmniMoeProcessor,
    )

    ours = shared(kind).processor
    cls = Qwen2_5OmniProcessor if kind == OMNI else Qwen3OmniMoeProcessor
    parts = (Qwen2VLImageProcessor(), Qwen2VLVideoProcessor(), ours.feature_extractor, tiny_tokenizer(kind))
    real = cls(*parts, chat_template=ours.chat_template)
    turns = [{"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": "Transcribe."}]}]
    texts = [processor.apply_chat_template(turns, tokenize=False) for processor in (ours, real)]
    assert texts[0] == texts[1]
    batches = [
        processor(text=[texts[0]] * 3, audio=CLIPS, sampling_rate=16_000, padding=True, return_tensors="pt")
        for processor in (ours, real)
    ]
    assert {*batches[0]} == {*batches[1]}
    assert {*batches[0]} >= {"input_ids", "attention_mask", "input_features", "feature_attention_mask"}
    for name in batches[0]:
        assert torch.equal(batches[0][name], batches[1][name]), name


def test_another_sample_rate_of_the_extractor_is_refused(shared):
    processor = shared(OMNI).processor
    wrong = type(processor)(
        feature_extractor=WhisperFeatureExtractor(feature_size=MEL_BINS, sampling_rate=24_000),
        tokenizer=processor.tokenizer,
    )
    with pytest.raises(PedkitError, match="feature extractor for 16000 Hz, but the model's is for 24000 Hz"):
        InputBuilder(FAMILIES[OMNI], wrong, 1024)


def test_prompts_of_voxtral_are_those_of_mistral(shared):
    """Written by mistral-common 1.13 for the same turns but the system one, which it refuses beside audio."""
    processor = shared("voxtral").processor
    turns = [
        {"role": "system", "content": [{"type": "text", "text": "You are a phonetician."}]},
        {"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": "Transcribe."}]},
        {"role": "assistant", "content": [{"type": "text", "text": "k æ t"}]},
        {"role": "user", "content": [{"type": "text", "text": "And this?"}, {"type": "audio"}]},
    ]
    assert processor.apply_chat_template(turns, tokenize=False) == (
        "<s>[INST][BEGIN_AUDIO][AUDIO]You are a phonetician.\n\nTranscribe.[/INST]k æ t</s>"
        "[INST]And this?[BEGIN_AUDIO][AUDIO][/INST]"
    )
