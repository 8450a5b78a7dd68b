import hashlib
import json
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import soundfile
import torch
from pytorch_lightning import LightningModule, Trainer
from pytorch_lightning.callbacks import ModelCheckpoint

from pedkit.data.augment import Augment
from pedkit.data.conditions import Conditions
from pedkit.data.datamodule import PhoneDataModule
from pedkit.data.filter import filter_manifest
from pedkit.data.manifest import write_manifest
from pedkit.errors import PedkitError


@pytest.fixture
def manifests(make_utterance, tmp_path):
    """Write train.jsonl (12 clips, the last 2 of split dev) and test.jsonl (3 clips)."""
    train = [
        make_utterance(f"t{i}", 0.2 + 0.05 * i, level=i / 100, split="train" if i < 10 else "dev")
        for i in range(12)
    ]
    test = [make_utterance(f"d{i}", 0.3, realized=("S", "<unk>")) for i in range(3)]
    write_manifest(tmp_path / "train.jsonl", train)
    write_manifest(tmp_path / "test.jsonl", test)
    return tmp_path


def module(manifests, **options):
    train = [{"manifest": str(manifests / "train.jsonl"), "split": "train"}]
    dev = {
        "seen": {"manifest": manifests / "train.jsonl", "split": "dev"},
        "real": manifests / "test.jsonl",
    }
    options = {"batch_seconds": 1.2, **options}
    data = PhoneDataModule(options.pop("train", train), options.pop("dev", dev), **options)
    data.setup()
    return data


def names(batch):
    return [utterance.id for utterance in batch.utterances]


def test_train_and_dev_batches(manifests):
    data = module(manifests)
    batches = list(data.train_dataloader())
    assert sorted(name for batch in batches for name in names(batch)) == sorted(f"t{i}" for i in range(10))
    assert len(batches) == len(data.train_dataloader()) == data.total_train_batches(1)
    assert data.total_train_batches(7) == 7 * len(batches)
    assert data.dev_names == ("seen", "real")
    seen, real = data.val_dataloader()
    assert [names(batch) for batch in seen] == [["t10"], ["t11"]]  # 2 x 0.75 s is more than 1.2 s
    assert [names(batch) for batch in real] == [["d0", "d1", "d2"]]
    assert next(iter(real)).targets == (("S",),) * 3


def test_dev_keeps_every_clip_whatever_train_leaves_out(manifests):
    data = module(manifests, unusable="drop_utterance", min_seconds=0.5, max_seconds=0.62)
    assert [u.id for u in data.train_set.utterances] == ["t6", "t7", "t8"]
    assert [len(data.dev_sets[name]) for name in data.dev_names] == [2, 3]


def test_more_processes_than_dev_clips_are_refused(manifests):
    data = module(manifests)
    data.trainer = SimpleNamespace(global_rank=0, world_size=4)
    with pytest.raises(PedkitError, match="one clip for each of 4 processes, but the largest has 3"):
        data.val_dataloader()


def test_dev_is_not_augmented(manifests):
    data = module(manifests, augment=Augment())
    batch = next(iter(data.val_dataloader()[1]))
    assert torch.equal(batch.waveforms, torch.full((3, 4800), 0.25))
    train = next(iter(data.train_dataloader()))
    assert all(len(clip.unique()) > 2 for clip in train.waveforms)  # noise on the constant clips


def test_manifests_are_mixed_repeated_and_limited(manifests):
    path = str(manifests / "train.jsonl")
    train = [
        {"manifest": path, "split": "train", "limit": 5},
        {"manifest": path, "split": "dev", "repeat": 3},
    ]
    data = module(manifests, train=train, dev={"real": manifests / "test.jsonl"})
    drawn = sorted(name for batch in data.train_dataloader() for name in names(batch))
    assert drawn == sorted(["t0", "t2", "t4", "t6", "t8"] + ["t10", "t11"] * 3)


def test_repeats_follow_their_clips_when_others_are_left_out(manifests):
    path = str(manifests / "train.jsonl")
    train = [{"manifest": path, "split": "train"}, {"manifest": path, "split": "dev", "repeat": 2}]
    data = module(manifests, train=train, dev={"real": manifests / "test.jsonl"}, min_seconds=0.62)
    drawn = sorted(name for batch in data.train_dataloader() for name in names(batch))
    assert drawn == ["t10", "t10", "t11", "t11", "t9"]


def test_hashes_of_all_manifests(manifests):
    data = module(manifests)
    expected = {
        str(manifests / name): hashlib.sha256((manifests / name).read_bytes()).hexdigest()
        for name in ("train.jsonl", "test.jsonl")
    }
    assert data.data_hashes == expected


def test_a_recording_in_train_and_dev_is_refused(manifests):
    with pytest.raises(
        PedkitError, match=r"utterance 't0': the dev set 'real' holds a recording of the train set"
    ):
        module(manifests, dev={"real": manifests / "train.jsonl"})


def test_a_recording_that_filter_took_into_another_folder_is_refused(manifests):
    out = manifests / "elsewhere" / "dev.jsonl"
    filter_manifest(manifests / "train.jsonl", out, Conditions(), sample=1)
    with pytest.raises(PedkitError, match=r"the dev set 'real' holds a recording of the train set"):
        module(manifests, train=[manifests / "train.jsonl"], dev={"real": out})


@pytest.mark.parametrize(
    ("train", "dev", "refused"),
    [
        ({"duration": 0.5}, {"start": 0.3}, True),
        ({}, {"start": 0.3}, True),
        ({"duration": 0.5}, {"start": 0.5}, False),
        ({"duration": 0.502}, {"start": 0.5}, False),  # the manifest rounds
        ({"channel": 0}, {"channel": 1}, False),
        ({"channel": 1}, {"channel": 1}, True),
    ],
)
def test_parts_and_channels_of_one_recording(tmp_path, train, dev, refused):
    soundfile.write(tmp_path / "a.wav", np.full((16000, 2 if "channel" in train else 1), 0.1), 16000)
    for name, part in (("train", train), ("dev", dev)):
        line = {"id": name, "audio": {"path": "a.wav", **part}, "inventory": "cmu39", "realized": ["S"]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    data = PhoneDataModule([tmp_path / "train.jsonl"], {"real": tmp_path / "dev.jsonl"})
    if refused:
        with pytest.raises(PedkitError, match=r"'dev': .* the same part of .*a\.wav, in train as 'train'"):
            data.setup()
    else:
        data.setup()
        assert len(data.dev_sets["real"]) == len(data.train_set) == 1


@pytest.mark.parametrize(
    ("train", "message"),
    [
        ([], "at least one train manifest"),
        ("train.jsonl", "'train' to be a list of manifests"),
        ([{"path": "x"}], "a manifest path or to have the keys limit, .* split, but got path"),
        ([{"manifest": "x", "limit": 0}], "x: expected 'limit' to be 1 or more"),
        ([{"manifest": "x", "repeat": 0}], "x: expected 'repeat' to be more than 0"),
        (["missing.jsonl"], "missing.jsonl: no such file"),
    ],
)
def test_unusable_train_lists(manifests, train, message):
    with pytest.raises(PedkitError, match=message):
        module(manifests, train=train)


def test_a_split_that_is_not_there(manifests):
    path = str(manifests / "train.jsonl")
    with pytest.raises(PedkitError, match=r"has no utterance of the split 'test', but dev, train"):
        module(manifests, train=[{"manifest": path, "split": "test"}])


@pytest.mark.parametrize("workers", [0, 2])
def test_worker_processes_change_nothing(manifests, workers):
    expected = module(manifests, augment=Augment(), seed=4).train_dataloader()
    loader = module(manifests, augment=Augment(), seed=4, num_workers=workers).train_dataloader()
    for epoch in (0, 1):
        expected.batch_sampler.set_epoch(epoch)
        loader.batch_sampler.set_epoch(epoch)
        for wanted, got in zip(expected, loader, strict=True):
            assert names(wanted) == names(got)
            assert torch.equal(wanted.waveforms, got.waveforms)


class Listener(LightningModule):
    """Notes which clips come in which epoch; learns nothing worth knowing."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.heard: list[tuple[int, tuple[str, ...]]] = []
        self.validated: list[str] = []

    def training_step(self, batch):
        self.heard.append((self.current_epoch, tuple(names(batch))))
        return (self.weight * batch.waveforms.mean()).sum()

    def validation_step(self, batch, batch_idx, dataloader_idx):  # noqa: ARG002 (Lightning calls it so)
        self.validated += names(batch)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


LIGHTNING_REMARKS = (
    ".*does not have many workers",
    "Checkpoint directory .* exists and is not empty",
    r"`isinstance\(treespec, LeafSpec\)` is deprecated",  # Lightning 2.6 on torch 2.14
)


def fit(manifests, folder, *, epochs, resume=None, stop_after=None, every=None, **trainer):
    listener = Listener()
    keep = ModelCheckpoint(folder, save_top_k=-1, every_n_train_steps=every, filename="{step}", save_last=True)
    with warnings.catch_warnings():
        for remark in LIGHTNING_REMARKS:
            warnings.filterwarnings("ignore", remark)
        Trainer(
            accelerator="cpu", max_epochs=epochs, max_steps=-1 if stop_after is None else stop_after, logger=False,
            callbacks=[keep], use_distributed_sampler=False, enable_progress_bar=False,
            enable_model_summary=False, num_sanity_val_steps=0, **trainer,
        ).fit(listener, datamodule=module(manifests, seed=7), ckpt_path=resume)  # fmt: skip
    return listener


def test_lightning_hears_each_epoch_once_in_its_own_order(manifests, tmp_path):
    listener = fit(manifests, tmp_path / "whole", epochs=3)
    for epoch in range(3):
        heard = [name for number, batch in listener.heard for name in batch if number == epoch]
        assert sorted(heard) == sorted(f"t{i}" for i in range(10))
    orders = {tuple(batch for number, batch in listener.heard if number == epoch) for epoch in range(3)}
    assert len(orders) == 3
    assert sorted(listener.validated) == sorted(["t10", "t11", "d0", "d1", "d2"] * 3)


@pytest.mark.parametrize("steps_into_epoch", [1, 3])
def test_resuming_in_the_middle_of_an_epoch_hears_exactly_the_rest(manifests, tmp_path, steps_into_epoch):
    whole = fit(manifests, tmp_path / "whole", epochs=3)
    steps = len(whole.heard) // 3 + steps_into_epoch
    first = fit(manifests, tmp_path / "cut", epochs=3, stop_after=steps, every=1)
    rest = fit(manifests, tmp_path / "cut", epochs=3, every=1, resume=tmp_path / "cut" / f"step={steps}.ckpt")
    assert len(first.heard) == steps
    assert first.heard + rest.heard == whole.heard


@pytest.mark.parametrize("validate", [{}, {"limit_val_batches": 0}])
def test_resuming_at_the_end_of_an_epoch_goes_on_with_the_next(manifests, tmp_path, validate):
    whole = fit(manifests, tmp_path / "whole", epochs=4, **validate)
    first = fit(manifests, tmp_path / "cut", epochs=2, **validate)
    rest = fit(manifests, tmp_path / "cut", epochs=4, resume=tmp_path / "cut" / "last.ckpt", **validate)
    assert first.heard + rest.heard == whole.heard


def test_other_clips_than_those_of_the_checkpoint_are_warned_of(manifests, caplog):
    state = module(manifests).train_dataloader().state_dict()
    module(manifests).train_dataloader().load_state_dict(state)
    assert caplog.text == ""
    module(manifests, min_seconds=0.5).train_dataloader().load_state_dict(state)
    assert "the train clips are not those of the checkpoint" in caplog.text
