"""What `pedkit export` writes is loaded by plain transformers and gives the run's own logits."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from transformers import AutoFeatureExtractor, AutoModelForCTC, Wav2Vec2PhonemeCTCTokenizer

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.export import export_run
from pedkit.models import PhoneVocabulary, hub_vocabulary, random_encoder
from pedkit.recognizers import Clip, CtcRecognizer
from pedkit.recognizers.run import load_run

SIZES = {
    "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
    "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2, "initializer_range": 0.3,
}  # fmt: skip
CONV = {"conv_dim": [8, 8], "conv_stride": [20, 16], "conv_kernel": [30, 20], "num_feat_extract_layers": 2}
FAMILIES = {
    "pedkit-log-mel-wav2vec2": SIZES,
    "wav2vec2": SIZES | CONV | {"feat_extract_norm": "layer", "do_stable_layer_norm": True},
    "hubert": SIZES | CONV,  # group norm: no mask
    "wav2vec2-bert": {
        "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
        "feature_projection_input_dim": 160, "conv_depthwise_kernel_size": 5, "initializer_range": 0.3,
    },
    "pedkit-whisper-ctc": {
        "d_model": 16, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 32, "init_std": 0.3,
        "max_source_positions": 100,
    },
}  # fmt: skip


def write_run(folder, model_type="pedkit-log-mel-wav2vec2", lora=None, vocabulary=None):
    """A run folder with random weights, as train.py leaves it."""
    torch.manual_seed(1)
    vocabulary = vocabulary or PhoneVocabulary(["AA", "S", "T"], "cmu39")
    encoder = random_encoder(vocabulary, model_type=model_type, lora=lora, **FAMILIES[model_type])
    if lora:
        for name, weight in encoder.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(weight)  # fresh ones are 0 and change nothing
    (folder / "checkpoints").mkdir(parents=True)
    state = {f"encoder.{name}": value for name, value in encoder.state_dict().items()}
    torch.save({"state_dict": state}, folder / "checkpoints" / "kept.ckpt")
    vocabulary.save(folder / "vocabulary.json")
    (folder / "encoder.json").write_text(json.dumps(encoder.to_dict()), encoding="utf-8")
    record = {
        "name": "tiny", "status": "finished", "seed": 1, "command": "python train.py", "versions": {"torch": "2"},
        "selected_on": "all", "data": [], "settings": {}, "git_commit": None, "config_hash": "c0ffee",
        "kept": {"checkpoint": "checkpoints/kept.ckpt", "epoch": 3, "dev_per": 0.25, "errors": 5,
                 "reference_phones": 20},
    }  # fmt: skip
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def noise(samples, seed=0):
    return (0.1 * np.random.default_rng(seed).standard_normal(samples)).astype(np.float32)


@pytest.mark.parametrize("model_type", FAMILIES)
def test_transformers_gives_the_logits_of_the_run(tmp_path, model_type):
    run = write_run(tmp_path / "run", model_type)
    out = export_run(run, tmp_path / "out")
    assert (out / "model.safetensors").is_file()
    assert not list(out.glob("*.bin"))
    assert {path.stat().st_mode & 0o777 for path in out.rglob("*") if path.is_file()} == {0o644}
    clip = noise(16000)
    encoder = load_run(run).encoder.eval()
    ours = encoder(torch.from_numpy(clip)[None], torch.tensor([len(clip)]))
    model = AutoModelForCTC.from_pretrained(out).eval()
    inputs = AutoFeatureExtractor.from_pretrained(out)(clip, sampling_rate=16000, return_tensors="pt")
    theirs = model(**inputs).logits
    assert theirs.shape == (1, int(ours.frames), 4)
    tolerance = 1e-3 if model_type == "wav2vec2-bert" else 1e-5  # its filter bank is computed by another program
    assert torch.allclose(theirs, ours.logits, atol=tolerance)
    assert float(ours.logits.detach().std()) > 100 * tolerance


def test_lora_is_merged_and_peft_is_not_needed(tmp_path):
    run = write_run(tmp_path / "run", "wav2vec2", lora={"r": 2, "alpha": 4})
    out = export_run(run, tmp_path / "out")
    assert "lora" not in str(list(AutoModelForCTC.from_pretrained(out).state_dict()))
    clip = torch.from_numpy(noise(8000))[None]
    ours = load_run(run).encoder.eval()(clip, torch.tensor([8000])).logits
    inputs = AutoFeatureExtractor.from_pretrained(out)(clip[0].numpy(), sampling_rate=16000, return_tensors="pt")
    assert torch.allclose(AutoModelForCTC.from_pretrained(out).eval()(**inputs).logits, ours, atol=1e-5)


def test_phones_come_out_of_the_tokenizer(tmp_path):
    # t _ t t _ s: grouped first, blanks dropped second
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    tokenizer = Wav2Vec2PhonemeCTCTokenizer.from_pretrained(out)
    assert tokenizer.decode([3, 0, 3, 3, 0, 2]) == "T T S"
    assert PhoneVocabulary.load(out / "vocabulary.json") == PhoneVocabulary(["AA", "S", "T"], "cmu39")


@pytest.mark.parametrize("model_type", FAMILIES)
@pytest.mark.parametrize("inventory", [None, "cmu39"])
def test_the_export_is_a_recognizer_again(tmp_path, model_type, inventory):
    run = write_run(tmp_path / "run", model_type)
    out = export_run(run, tmp_path / "out")
    clips = [Clip(Utterance(id=f"u{n}"), noise(n, n)) for n in (8000, 12000)]
    before = CtcRecognizer.from_run(run).transcribe(clips)
    after = CtcRecognizer.from_pretrained(str(out), inventory=inventory).transcribe(clips)
    assert [one.phones for one in after] == [one.phones for one in before]
    assert {one.inventory for one in after} == {"cmu39"}
    assert sum(len(one.phones) for one in before) > 0


def test_an_inventory_that_the_export_contradicts_is_refused(tmp_path):
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    with pytest.raises(PedkitError, match=r"of the inventory 'cmu39', but inventory is 'ipa' \(leave"):
        CtcRecognizer.from_pretrained(str(out), inventory="ipa")


def test_phones_blank_spellings_and_outputs_without_a_phone_come_back(tmp_path):
    """As a model of a hub has them that was tuned with its own head: ids 1 and 4 mean nothing."""
    own = PhoneVocabulary.of_ids({"n": 3, "N": 5, "t": 0}, "ipa", blank=2, size=6, spellings={"N": "n"})
    out = export_run(write_run(tmp_path / "run", vocabulary=own), tmp_path / "out")
    assert json.loads((out / "vocab.json").read_text())["<unused4>"] == 4
    assert hub_vocabulary(str(out)) == own
    (out / "vocabulary.json").unlink()  # as tools may leave it that know transformers' files alone
    assert hub_vocabulary(str(out)) == PhoneVocabulary.of_ids({"t": 0, "n": 3, "N": 5}, "ipa", blank=2, size=6)


def test_a_vocabulary_file_of_somebody_else_is_left_alone_and_a_broken_own_one_is_named(tmp_path):
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    file = out / "vocabulary.json"
    file.write_text(json.dumps({"version": 2, "ids": [1, 2]}))
    assert hub_vocabulary(str(out), inventory="cmu39").phones == ("AA", "S", "T")
    file.write_text(json.dumps({"inventory": "cmu39", "blank": 0, "size": 4, "ids": {"AA": 9}}))
    with pytest.raises(PedkitError, match=r"vocabulary\.json: the id 9 of 'AA' is the blank's or outside"):
        hub_vocabulary(str(out))


def test_pedkits_own_family_loads_where_there_is_no_pedkit(tmp_path):
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    code = (
        "import sys, torch\nfrom transformers import AutoModelForCTC\n"
        f"model = AutoModelForCTC.from_pretrained({str(out)!r}, trust_remote_code=True).eval()\n"
        "logits = model(torch.linspace(-1, 1, 8000)[None]).logits.detach()\n"
        "print(logits.shape, float(logits.abs().sum()), [m for m in sys.modules if m.startswith('pedkit')])"
    )
    environment = {**os.environ, "HF_MODULES_CACHE": str(tmp_path / "modules")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    ours = AutoModelForCTC.from_pretrained(out).eval()(torch.linspace(-1, 1, 8000)[None]).logits
    assert done.stdout.strip().endswith("[]")
    assert float(done.stdout.split()[3]) == pytest.approx(float(ours.detach().abs().sum()), rel=1e-5)


def test_nothing_is_written_over_and_nothing_half(tmp_path):
    run = write_run(tmp_path / "run")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(PedkitError, match="exists already"):
        export_run(run, tmp_path / "out")
    with pytest.raises(PedkitError, match="holds no evaluation"):
        export_run(run, tmp_path / "other", evaluation=tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out", "run"]
