"""``python train.py dry_run=true``: numbers worked out by hand."""

from __future__ import annotations

import re

import pytest
import torch
from tone_corpus import write_corpus
from torch import nn

from pedkit.models import PhoneVocabulary, random_encoder
from pedkit.training.dry_run import dry_run
from pedkit.training.memory_estimate import estimate_memory, kept_for_backward


def test_it_counts_what_the_training_would_see(config, tmp_path):
    found = dry_run(config("trainer.max_epochs=3"))
    assert not (tmp_path / "run").exists()
    train, near, far = found.sets
    # 2 + 4 + 8 words of 1, 2 and 3 phones, the last 6 again; 80 ms a phone, 60 ms after each and before the first
    assert (train.clips, train.phones) == (20, 2 * 1 + 4 * 2 + 8 * 3 + 6 * 3)
    assert train.seconds == pytest.approx(20 * 0.06 + 52 * 0.14)
    assert (near.name, near.clips, near.phones) == ("near", 4, 8)
    assert (far.name, far.clips, far.phones) == ("far", 4, 12)
    assert found.epoch_seconds == pytest.approx(train.seconds)
    assert found.updates == 3 * found.batches
    assert found.largest[1] == pytest.approx(0.48)
    assert found.unlearnable.ids == []
    text = str(found)
    assert text.startswith("dry run of tones: nothing is trained, nothing is written\n")
    assert re.search(r"^train +20 clips, 8\.5 s of audio, 52 phones$", text, re.MULTILINE)
    assert re.search(r"^unalignable +none of 20 train clips$", text, re.MULTILINE)


def test_batches_are_shared_out_over_all_gpus(config, monkeypatch):
    from pytorch_lightning.accelerators import CUDAAccelerator

    one = dry_run(config("data.max_batch_size=1"))
    monkeypatch.setattr(CUDAAccelerator, "auto_device_count", lambda: 4)
    all_four = dry_run(config("data.max_batch_size=1", "trainer=gpu", "trainer.devices=-1"))
    assert (one.batches, all_four.batches) == (20, 5)


def test_clips_with_too_few_frames_for_their_phones_are_named(config, tones, tmp_path):
    # 0.48 s are 19 frames of 25 ms; nine equal phones and the blanks between them need 17, ten need 19, eleven 21
    from msgspec.structs import replace

    from pedkit.data.manifest import read_manifest, write_manifest

    manifest = write_corpus(tmp_path, "odd", [("AA", "AA", "AA")] * 3)
    first, second, third = read_manifest(manifest)
    write_manifest(
        manifest,
        [first, replace(second, realized=("AA",) * 10), replace(third, realized=("AA",) * 11)],
    )
    found = dry_run(config(f"data.train=[{manifest}]"))
    assert found.unlearnable.ids == ["odd2"]
    assert "1 of 3 train clips have too few frames for their phones: odd2" in str(found)


class Square(nn.Module):
    """Keeps its input, 4 bytes a sample, for the backward pass."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1000))
        self.frozen = nn.Parameter(torch.ones(500), requires_grad=False)

    def forward(self, waveforms, _lengths):
        return (waveforms * self.weight[:1]) ** 2


def test_memory_is_weights_gradients_averages_and_what_a_batch_keeps():
    # x * w keeps x (and w, which is a weight); square keeps the product: 2 tensors of 1,600 samples of 4 bytes
    module = Square()
    found = estimate_memory(module, module, samples=1600, clips=5, precision="32-true")
    assert (found.weights, found.gradients, found.optimizer) == (6000, 4000, 8000)
    assert found.activations == 5 * 2 * 1600 * 4
    assert found.total == 6000 + 4000 + 8000 + 64000
    assert found.checkpoint == 14000


def test_what_a_clip_keeps_grows_with_its_length_and_leaves_the_model_as_it_was():
    encoder = random_encoder(PhoneVocabulary(["AA"], "cmu39"), hidden_size=16, num_hidden_layers=1,
                             num_attention_heads=2, intermediate_size=32, num_conv_pos_embeddings=16,
                             num_conv_pos_embedding_groups=2).eval()  # fmt: skip
    short, long = (kept_for_backward(encoder, samples) for samples in (16000, 32000))
    assert 1.5 * short < long < 3 * short
    assert not encoder.training
