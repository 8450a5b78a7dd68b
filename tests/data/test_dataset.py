import logging
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from pedkit.data import dataset as dataset_module
from pedkit.data.augment import Augment
from pedkit.data.dataset import PhoneDataset
from pedkit.data.sampler import Draw
from pedkit.errors import PedkitError


def test_samples_targets_and_lengths(make_utterance):
    data = PhoneDataset([make_utterance("a", 0.5), make_utterance("b", 0.25, realized=("S",), level=-0.5)])
    np.testing.assert_array_equal(data.seconds, [0.5, 0.25])
    sample = data[1]
    assert torch.equal(sample.samples, torch.full((4000,), -0.5))
    assert (sample.utterance.id, sample.target) == ("b", ("S",))
    batch = data.collate([data[0], data[1]])
    assert batch.waveforms.shape == (2, 8000)
    assert batch.lengths.tolist() == [8000, 4000]
    assert batch.targets == (("S", "IH", "T"), ("S",))
    assert batch.waveforms[1, 4000:].abs().max() == 0


def test_clips_out_of_range_are_left_out_counted_and_named(make_utterance, caplog):
    """k2-fsa/icefall issues 135 and 1352: clips too short for their phones; here by their length."""
    clips = [make_utterance(name, seconds) for name, seconds in (("a", 0.04), ("b", 0.5), ("c", 2.5), ("d", 0.03))]
    with caplog.at_level(logging.WARNING):
        data = PhoneDataset(clips, min_seconds=0.1, max_seconds=2.0)
    assert [u.id for u in data.utterances] == ["b"]
    assert data.kept.tolist() == [1]
    assert data.left_out == {"too short": ["a", "d"], "too long": ["c"]}
    assert "2 of 3 utterances left out, too short: a, d" in caplog.text
    assert len(PhoneDataset(clips)) == 4  # no limits unless asked for


def test_unusable_phones(make_utterance):
    clips = [make_utterance("a", realized=("S", "<unk>")), make_utterance("b")]
    assert PhoneDataset(clips).targets == [("S",), ("S", "IH", "T")]
    data = PhoneDataset(clips, unusable="drop_utterance")
    assert [u.id for u in data.utterances] == ["b"]
    assert data.left_out == {"unusable phones": ["a"]}


def test_a_file_that_cannot_be_read_stops_with_its_utterance_or_is_left_out(make_utterance, tmp_path, caplog):
    good, bad, gone = make_utterance("good"), make_utterance("bad"), make_utterance("gone")
    Path(bad.audio.path).write_bytes(Path(bad.audio.path).read_bytes()[:1000])
    Path(gone.audio.path).unlink()
    with pytest.raises(PedkitError, match=r"gone.wav: utterance 'gone': no such audio file"):
        PhoneDataset([good, gone])
    data = PhoneDataset([good, bad, gone], bad_audio="skip", name="dev 'real'")
    assert [u.id for u in data.utterances] == ["good"]
    assert data.left_out == {"unreadable": ["bad", "gone"]}
    assert "dev 'real': 2 of 3 utterances left out, unreadable: bad, gone" in caplog.text
    assert "utterance 'bad': the file breaks off" in caplog.text


def test_a_file_that_vanishes_later_is_named(make_utterance):
    utterance = make_utterance("a")
    data = PhoneDataset([utterance])
    Path(utterance.audio.path).unlink()
    with pytest.raises(PedkitError, match=r"a.wav: utterance 'a': no such audio file"):
        data[0]


def test_a_file_that_vanishes_later_is_left_out_of_its_batch_where_that_is_wanted(make_utterance):
    clips = [make_utterance("a", 0.5), make_utterance("b", 0.25)]
    data = PhoneDataset(clips, bad_audio="skip")
    Path(clips[0].audio.path).unlink()
    batch = data.collate([data[0], data[1]])
    assert [utterance.id for utterance in batch.utterances] == ["b"]
    assert (batch.waveforms.shape, batch.targets) == ((1, 4000), (("S", "IH", "T"),))
    assert batch.unreadable == (("a", f"{clips[0].audio.path}: utterance 'a': no such audio file"),)
    nothing = data.collate([data[0]])
    assert (len(nothing), nothing.waveforms.shape) == (0, (0, 0))


def test_a_known_length_is_believed_if_the_file_is_there(make_utterance, monkeypatch):
    utterance = make_utterance("a", 0.5)
    utterance = replace(utterance, audio=replace(utterance.audio, duration=0.25))
    monkeypatch.setattr(dataset_module, "audio_info", lambda _: pytest.fail("the file was opened"))
    data = PhoneDataset([utterance])
    assert data.seconds.tolist() == [0.25]
    assert len(data[0].samples) == 4000


def test_cache_decodes_once_up_to_its_limit(make_utterance, monkeypatch):
    read = []
    load = dataset_module.load_audio
    monkeypatch.setattr(
        dataset_module, "load_audio", lambda audio, rate: read.append(audio.path) or load(audio, rate)
    )
    data = PhoneDataset([make_utterance("a", 0.5), make_utterance("b", 0.5)], cache_seconds=0.75)
    for _ in range(3):
        assert torch.equal(data[0].samples, torch.full((8000,), 0.25))
        assert torch.equal(data[1].samples, torch.full((8000,), 0.25))
    assert [Path(path).stem for path in read] == ["a", "b", "b", "b"]


def test_augmentation_follows_the_draw_and_leaves_the_cache_alone(make_utterance):
    augment = Augment(seed=1)
    data = PhoneDataset([make_utterance("a")], cache_seconds=10, augment=augment)
    first = data[Draw(0, epoch=1, copy=1)].samples
    assert torch.equal(first, data[Draw(0, epoch=1, copy=1)].samples)
    expected = augment(np.full(8000, 0.25, np.float32), utterance="a", epoch=1, copy=1)
    assert torch.equal(first, torch.from_numpy(expected))
    assert not torch.equal(first, data[Draw(0, epoch=2, copy=1)].samples)


def test_utterance_without_audio(make_utterance):
    with pytest.raises(PedkitError, match=r"utterance 'a': has no audio"):
        PhoneDataset([replace(make_utterance("a"), audio=None)])
    with pytest.raises(PedkitError, match=r"'bad_audio' to be stop or skip"):
        PhoneDataset([], bad_audio="ignore")
