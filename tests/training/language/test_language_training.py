"""Trainings of a tiny Qwen2.5-Omni: LoRA learns a new mapping, alone holds it, and repeats itself to the bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from omegaconf import OmegaConf

from pedkit.data.manifest import file_hash, read_manifest
from pedkit.errors import PedkitError
from pedkit.models import AudioLanguageModule
from pedkit.models.language import AudioLanguageModel
from pedkit.models.prompts import load_prompt
from pedkit.recognizers import Clip, from_run
from pedkit.training import read_run, train
from tests.training.language.listening_models import WORDS, tone_word

KILLED = Path(__file__).parents[1] / "killed_training.py"
LISTENING = Path(__file__).parents[1] / "listening.py"


@pytest.fixture(scope="module")
def trained(omni, tones, tmp_path_factory):
    """A finished run folder."""
    from tests.training.language.conftest import composed

    folder = tmp_path_factory.mktemp("trained") / "run"
    train(composed(tones, omni, folder))
    return folder


def _clips(manifest, seed):
    return [Clip(u, tone_word(WORDS[n % len(WORDS)], seed + n)) for n, u in enumerate(read_manifest(manifest))]


def _state(run, name="last"):
    return torch.load(run / "checkpoints" / f"{name}.ckpt", weights_only=True)


def test_lora_learns_a_new_mapping_and_the_best_epoch_is_kept(trained):
    rows = (trained / "metrics.csv").read_text(encoding="utf-8").splitlines()
    header = rows[0].split(",")
    pers = [float(row.split(",")[header.index("dev_per")]) for row in rows[1:] if row.split(",")[1]]
    record = read_run(trained)
    assert (record["status"], record["kind"]) == ("finished", "audio_language_model")
    assert pers[0] > 0.3  # still near the old names
    assert record["kept"]["dev_per"] == min(pers) == 0.0
    assert record["kept"]["epoch"] == pers.index(0.0) + 1
    assert record["kept"]["reference_phones"] == 10


def test_the_adapter_alone_holds_the_change(trained, omni, tones):
    before = {file.name: file_hash(file) for file in omni.iterdir() if file.is_file()}
    heard = from_run(trained, batch_size=4).transcribe(_clips(tones.test, 5000))
    assert [one.phones for one in heard] == [u.realized for u in read_manifest(tones.test)]
    from pedkit.recognizers import LanguageRecognizer

    plain = LanguageRecognizer.from_pretrained(str(omni), prompt=load_prompt(str(tones.template)), dtype="float32")
    unchanged = plain.transcribe(_clips(tones.test, 5000))
    assert [one.phones for one in unchanged] == [u.canonical for u in read_manifest(tones.test)]
    assert {file.name: file_hash(file) for file in omni.iterdir() if file.is_file()} == before


def test_a_checkpoint_holds_adapters_the_prompt_and_no_base(trained):
    checkpoint = _state(trained)
    names = list(checkpoint["state_dict"])
    assert len(names) == 2 * 4 * 2  # A and B, four projections, two layers
    assert all("lora_" in name and "language_model" in name for name in names)
    assert all(value.dtype == torch.float32 for value in checkpoint["state_dict"].values())  # trap 19
    record = read_run(trained)
    assert checkpoint["prompt_hash"] == record["prompt_hash"]
    assert record["trainable"] == {"modules": 8, "parameters": 14336, "layers": 2}
    described = json.loads((trained / "language_model.json").read_text(encoding="utf-8"))
    assert described["prompt"]["hash"] == record["prompt_hash"]


def test_the_same_seed_gives_the_same_weights_and_another_one_others(omni, trained, compose_training, tmp_path):
    for name, seed in (("same", 1), ("other", 2)):
        train(compose_training(omni, f"seed={seed}", "trainer.max_epochs=1", output_dir=tmp_path / name))
    one, other = (_state(tmp_path / name)["state_dict"] for name in ("same", "other"))
    again = tmp_path / "again"
    train(compose_training(omni, "trainer.max_epochs=1", output_dir=again))
    assert all(torch.equal(value, _state(again)["state_dict"][name]) for name, value in one.items())
    assert not all(torch.equal(value, other[name]) for name, value in one.items())


def test_text_model_trains_with_dropout_and_checkpointing_and_towers_do_not(omni, compose_training, monkeypatch):
    """Trap 1: from_pretrained and Lightning leave everything in evaluation mode, after a validation as well."""
    seen = []
    loss = AudioLanguageModel.answer_loss

    def looking(self, inputs):
        text, family = self.base.get_submodule(self.family.language_model), self.family
        frozen = [m for part in family.frozen_parts for m in self.base.get_submodule(part).modules()]
        calls = []
        handles = [layer.self_attn.q_proj.register_forward_pre_hook(lambda *_: calls.append(1))
                   for layer in text.layers]  # fmt: skip
        found = loss(self, inputs)
        found.total.backward(retain_graph=True)
        for handle in handles:
            handle.remove()
        modes = all(m.training for m in text.modules()), any(m.training for m in frozen)
        differs = bool(loss(self, inputs).total != found.total)
        seen.append((modes, differs, len(calls)))
        return found

    monkeypatch.setattr(AudioLanguageModel, "answer_loss", looking)
    train(compose_training(omni, "trainer.max_epochs=2", "model.source.lora.dropout=0.5", "model.microbatch=8"))
    # Two layers, computed once forwards and once again backwards. Fresh adapters are 0, whatever is dropped.
    assert seen == [((True, False), False, 4), *([((True, False), True, 4)] * 5)]


def test_another_prompt_is_refused_unless_forced(trained, tones):
    scripted = load_prompt(str(tones.template), "scripted")
    with pytest.raises(PedkitError, match=r"trained with another prompt than 'short v1 scripted'.*force_prompt"):
        from_run(trained, prompt=scripted)
    recognizer = from_run(trained, prompt=scripted, force_prompt=True)
    assert recognizer.transcribe(_clips(tones.test, 5000)[:1])[0].prompt_hash == scripted.hash
    own = from_run(trained)
    assert own.transcribe(_clips(tones.test, 5000)[:1])[0].prompt_hash == read_run(trained)["prompt_hash"]


def test_another_base_under_the_same_name_is_refused(omni, tones, tmp_path):
    import shutil

    from tests.models.language.tiny_audio_models import save_tiny
    from tests.training.language.conftest import composed

    base = tmp_path / "base"
    shutil.copytree(omni, base)
    train(composed(tones, base, tmp_path / "run", "trainer.max_epochs=1", "trainer.limit_train_batches=1"))
    shutil.rmtree(base)
    save_tiny("qwen2_5_omni_thinker", base, seed=3)
    with pytest.raises(PedkitError, match=r"language_model\.json: the text weights of .* are not those"):
        from_run(tmp_path / "run")


@pytest.mark.slow
def test_a_killed_training_ends_as_if_it_had_not_been(omni, compose_training, tmp_path):
    """Traps 9 and 10: killed within an epoch and at its end, weights and averages are equal to the bit."""
    cfg = compose_training(
        omni, "trainer.max_epochs=2", "callbacks.last.every_updates=1", "model.source.lora.dropout=0.2"
    )
    OmegaConf.save(cfg, tmp_path / "config.yaml")
    done = subprocess.run(
        [sys.executable, str(KILLED), str(tmp_path / "config.yaml"), str(tmp_path), "batch:0.2", "batch:1.1"],
        env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    whole = _state(tmp_path / "never")
    for point in ("batch:0.2", "batch:1.1"):
        resumed = _state(tmp_path / point)
        for part in ("state_dict", "optimizer_states", "lr_schedulers"):
            assert _equal(whole[part], resumed[part]), (point, part)
        assert read_run(tmp_path / point)["kept"] == read_run(tmp_path / "never")["kept"]
        assert whole["global_step"] == resumed["global_step"] == 6


def _equal(one, two):
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(_equal(one[key], two[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(two) and all(map(_equal, one, two))
    return torch.equal(one, two) if isinstance(one, torch.Tensor) else one == two


@pytest.mark.slow
def test_two_processes_make_the_updates_of_one(omni, compose_training, tones, tmp_path):
    """Traps 6, 7, 8 and 18 under DDP: one effective batch of 24 clips, whole or halved, and six dev clips."""
    still = ("data.max_batch_size=24", "trainer.max_epochs=2", "model.microbatch=5", "model.learning_rate=1e-3")
    train(compose_training(omni, *still, output_dir=tmp_path / "one"))
    cfg = compose_training(
        omni, *still, "trainer=ddp", "trainer.accelerator=cpu", "trainer.precision=32-true",
        output_dir=tmp_path / "two",
    )  # fmt: skip
    OmegaConf.save(cfg, tmp_path / "config.yaml")
    done = subprocess.run(
        [sys.executable, str(LISTENING), str(tmp_path / "config.yaml"), str(tmp_path / "heard")],
        env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False, timeout=500,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    one, two = read_run(tmp_path / "one"), read_run(tmp_path / "two")
    assert two["kept"] == one["kept"]
    heard = [
        [json.loads(line) for line in (tmp_path / f"heard.{rank}").read_text().splitlines()] for rank in (0, 1)
    ]
    shares = [sorted(u for kind, ids in share[:1] for u in ids) for share in heard]
    assert [len(share) for share in shares] == [12, 12]
    assert sorted(shares[0] + shares[1]) == sorted(u.id for u in read_manifest(tones.train))
    dev = sorted(u for share in heard for kind, ids in share if kind == "dev" for u in ids)
    assert dev == sorted([u.id for u in read_manifest(tones.dev)] * 2)
    states = [_state(tmp_path / name) for name in ("one", "two")]
    assert states[0]["global_step"] == states[1]["global_step"] == 2
    for name, value in states[0]["state_dict"].items():
        assert torch.allclose(value, states[1]["state_dict"][name], atol=2e-5), name


def test_a_module_needs_a_prompt_and_settings_in_range(omni, tones):
    from pedkit.models.language import LanguageModelSource

    source = LanguageModelSource(name=str(omni), dtype="float32", lora={})
    prompt = load_prompt(str(tones.template))
    with pytest.raises(PedkitError, match=r"needs a prompt .*prompt=unscripted"):
        AudioLanguageModule(source, None)
    with pytest.raises(PedkitError, match="loss_norm to be token or sequence or microbatch_mean, but got 'mean'"):
        AudioLanguageModule(source, prompt, loss_norm="mean")
    with pytest.raises(PedkitError, match="microbatch and max_new_tokens to be 1 or more, but got 0 and 512"):
        AudioLanguageModule(source, prompt, microbatch=0)
    with pytest.raises(PedkitError, match="a model with LoRA adapters, but this one has none"):
        AudioLanguageModule(LanguageModelSource(name=str(omni), dtype="float32"), prompt)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("trainer.accumulate_grad_batches=4", r"trainer\.accumulate_grad_batches is 4, .*\(data\.max_batch_size"),
        ("trainer.gradient_clip_val=1.0", r"trainer\.gradient_clip_val is 1\.0, .*\(model\.gradient_clip"),
        ("model.gradient_clip=0", r"expected gradient_clip to be above 0, but got 0 \(null is no limit\)"),
        ("model.gradient_clip=-1", "expected gradient_clip to be above 0, but got -1"),
    ],
)
def test_settings_of_lightning_that_would_do_nothing_are_refused(omni, compose_training, override, message):
    """Trap 18: it divides by the number of batches, whatever is in them; a limit of 0 is none to it."""
    with pytest.raises(PedkitError, match=message):
        train(compose_training(omni, override))


def test_what_the_tower_makes_of_changing_clips_is_not_kept(omni, compose_training, tmp_path):
    """Each reading would be another clip: nothing would be found again, and the folder would grow for ever."""
    changing = "+data.augment={_target_: pedkit.data.augment.Augment, gain_db: 3}"
    with pytest.raises(PedkitError, match=r"cannot be kept while data\.augment changes clips"):
        train(compose_training(omni, changing, f"model.source.tower_cache={tmp_path / 'heard'}"))


def test_weights_under_other_names_are_refused(omni, tones):
    """strict=False alone would take a mistyped name without a word."""
    from pedkit.models.language import LanguageModelSource

    source = LanguageModelSource(name=str(omni), dtype="float32", lora={})
    module = AudioLanguageModule(source, load_prompt(str(tones.template)))
    state = module.state_dict()
    assert set(state) == {name for name, value in module.named_parameters() if value.requires_grad}
    name = next(iter(state))
    with pytest.raises(PedkitError, match=r"other adapters than those of this model: it lacks adapted\."):
        module.load_state_dict({n: v for n, v in state.items() if n != name})
    with pytest.raises(PedkitError, match=r"it holds adapted\.typo"):
        module.load_state_dict({**state, "adapted.typo": state[name]})


def test_rounded_adapters_are_refused(omni, compose_training):
    """Trap 19: Lightning's bf16-true casts adapters and the averages of AdamW."""
    with pytest.raises(PedkitError, match=r"expected adapters in float32.*bf16-true"):
        train(compose_training(omni, "trainer.precision=bf16-true"))


def test_a_clip_that_the_model_cannot_hear_is_named_before_the_training(omni, compose_training, tones, tmp_path):
    import soundfile
    from msgspec.structs import replace

    from pedkit.data.manifest import write_manifest
    from pedkit.data.utterance import Audio

    soundfile.write(tmp_path / "short.wav", np.zeros(800, dtype=np.float32), 16000)
    short = replace(read_manifest(tones.dev)[0], id="short", audio=Audio(str(tmp_path / "short.wav")))
    write_manifest(tmp_path / "short.jsonl", [short])
    with pytest.raises(
        PedkitError, match=r"short\.jsonl:1: utterance 'short': the clip has 0\.05 s, but the model"
    ):
        train(compose_training(omni, f"data.dev={{dev: {tmp_path / 'short.jsonl'}}}"))

    soundfile.write(tmp_path / "short.wav", np.zeros(1680, dtype=np.float32), 16000)  # 0.105 s, at 1.1 times 0.095
    cfg = compose_training(omni, f"data.train=[{tmp_path / 'short.jsonl'}]", output_dir=tmp_path / "faster")
    cfg.data.augment = {"_target_": "pedkit.data.augment.Augment", "speed": 0.1}
    with pytest.raises(PedkitError, match=r"the clip has 0\.1\d s \(0\.10 to 0\.12 s by data\.augment\.speed\)"):
        train(cfg)


def test_a_prompt_is_refused_where_it_would_do_nothing(compose_training, omni):
    cfg = compose_training(omni)
    cfg.model = {"_target_": "pedkit.models.CtcModule"}
    with pytest.raises(PedkitError, match=r"prompt=\.\.\. is for audio language models"):
        train(cfg)


def test_the_gradient_of_a_whole_update_is_clipped_once(omni, compose_training, monkeypatch, tmp_path):
    """Not that of each micro-batch: three of them give the clipped gradient of one."""
    step, norms = AudioLanguageModule.training_step, {}

    def looking(self, batch, batch_idx):
        value = step(self, batch, batch_idx)
        gradients = [value.grad for value in self.parameters() if value.requires_grad]
        norms.setdefault(self._microbatch, []).append(float(torch.nn.utils.get_total_norm(gradients)))
        return value

    monkeypatch.setattr(AudioLanguageModule, "training_step", looking)
    states = []
    for size in (3, 8):
        settings = ("trainer.max_epochs=1", f"model.microbatch={size}", "model.gradient_clip=0.05")
        train(compose_training(omni, *settings, "model.learning_rate=1e-3", output_dir=tmp_path / str(size)))
        states.append(_state(tmp_path / str(size))["optimizer_states"][0]["state"])
    assert norms == {size: pytest.approx([0.05] * 3, rel=1e-4) for size in (3, 8)}
    for one, other in zip(*(state.values() for state in states), strict=True):
        torch.testing.assert_close(one["exp_avg"], other["exp_avg"], rtol=1e-3, atol=1e-5)


def test_a_loss_that_is_no_number_stops_before_the_update(omni, compose_training, monkeypatch, tmp_path):
    loss, calls = AudioLanguageModel.answer_loss, []

    def broken(self, inputs):
        calls.append(1)
        found = loss(self, inputs)
        return replace(found, total=found.total * float("nan")) if len(calls) == 5 else found

    monkeypatch.setattr(AudioLanguageModel, "answer_loss", broken)
    with pytest.raises(PedkitError, match=r"the loss became nan at step 1, on the utterances train\d+, "):
        train(compose_training(omni))
    stopped = torch.load(tmp_path / "run" / "checkpoints" / "stopped.ckpt", weights_only=True)
    assert stopped["global_step"] == 1
    assert all(torch.isfinite(value).all() for value in stopped["state_dict"].values())


def test_a_gradient_that_is_no_number_stops_before_the_update(omni, compose_training, monkeypatch, tmp_path):
    """The loss is finite still; clipping would make NaN of every weight and blame the next batch."""
    loss, calls = AudioLanguageModel.answer_loss, []

    def broken(self, inputs):
        calls.append(1)
        found = loss(self, inputs)
        if len(calls) == 5:
            found.total.register_hook(lambda gradient: gradient * float("inf"))
        return found

    monkeypatch.setattr(AudioLanguageModel, "answer_loss", broken)
    with pytest.raises(
        PedkitError, match=r"the gradient became (inf|nan) at step 1, on the utterances train\d+, "
    ):
        train(compose_training(omni))
    stopped = torch.load(tmp_path / "run" / "checkpoints" / "stopped.ckpt", weights_only=True)
    assert stopped["global_step"] == 1
    assert all(torch.isfinite(value).all() for value in stopped["state_dict"].values())


def test_an_update_without_any_readable_clip_changes_nothing_but_decay(
    omni, compose_training, monkeypatch, tmp_path
):
    from pedkit.models.language import module

    monkeypatch.setattr(module, "microbatches", lambda *_: [])
    train(compose_training(omni, "trainer.max_epochs=1", "model.weight_decay=0.0"))
    state = _state(tmp_path / "run")
    assert state["global_step"] == 3
    assert all(not value.any() for name, value in state["state_dict"].items() if "lora_B" in name)
