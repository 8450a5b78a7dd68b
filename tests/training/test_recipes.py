"""The published recipes, on real speech and a stand-in for the hub model: tiny, of its class, with its table."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC

from pedkit.data.audio import load_audio
from pedkit.data.manifest import iter_manifest, write_manifest
from pedkit.data.readers import READERS
from pedkit.errors import PedkitError
from pedkit.models.optimization import rate_factor
from pedkit.phones import get_inventory
from pedkit.recognizers import Clip, CtcRecognizer
from pedkit.training import read_run, train

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "phones" / "data" / "vocabularies" / "espeak_cv_ft_vocab.json"


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """Same class, options and vocabulary as facebook/wav2vec2-xlsr-53-espeak-cv-ft, and no size to speak of."""
    folder = tmp_path_factory.mktemp("hub")
    torch.manual_seed(0)
    config = Wav2Vec2Config(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64, conv_dim=[16] * 7,
        num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2, feat_extract_norm="layer",
        do_stable_layer_norm=True, vocab_size=392, pad_token_id=0, mask_time_prob=0.05, layerdrop=0.1,
    )  # fmt: skip
    Wav2Vec2ForCTC(config).save_pretrained(folder)
    shutil.copy(TABLE, folder / "vocab.json")
    (folder / "preprocessor_config.json").write_text(json.dumps({"do_normalize": True}), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """Four short real clips of speechocean762."""
    path = tmp_path_factory.mktemp("clips") / "clips.jsonl"
    utterances = READERS["speechocean762"](ROOT / "data" / "speechocean762")
    short = sorted((u for u in utterances if u.realized), key=lambda u: (u.audio.duration or 9, u.id))
    write_manifest(path, short[:4])
    return path


def _recipe(name, hub, clips, run, *overrides):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return compose(
            "train",
            [
                f"experiment={name}", f"data.train=[{clips}]", "requires=[]", f"output_dir={run}", "trainer=cpu",
                f"model.encoder.name={hub}", "trainer.precision=bf16-mixed", *overrides,
            ],
        )  # fmt: skip


PUBLISHED = {
    "w2v2p_sw": (25, "sw", "PEDBench, W2V2P-XLSR53 trained on SW alone"),
    "w2v2p_sc": (44, "sc", "PEDBench, W2V2P-XLSR53 trained on SC alone"),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_recipe_is_pedbenchs(name):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("train", [f"experiment={name}"])
    steps, words, recipe = PUBLISHED[name]
    model = cfg.model
    assert (cfg.steps.count, cfg.recipe) == (steps, recipe)
    assert OmegaConf.to_container(cfg.data.train, resolve=True) == [
        {"manifest": f"runs/{words}/synthetic/train.jsonl"}
    ]
    assert (cfg.data.dev, cfg.data.augment, cfg.data.target) == ({}, None, "realized")
    assert model.encoder.name == model.vocabulary.name == "facebook/wav2vec2-xlsr-53-espeak-cv-ft"
    assert (model.encoder.head, model.freeze_feature_encoder, model.encoder.lora) == ("own", True, None)
    assert (model.learning_rate, model.weight_decay) == (1e-5, 0.01)
    assert (model.schedule, model.warmup_ratio, model.warmup_steps) == ("linear", 0.1, None)
    assert cfg.trainer.precision == "bf16-mixed"


@pytest.mark.parametrize("name", ["w2v2p_timit", "w2v2p_timit_sw", "w2v2p_timit_sc"])
def test_the_model_on_timit_is_ours_and_says_so(name):
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        cfg = compose("train", [f"experiment={name}"])
    assert cfg.recipe.startswith("ours, ")
    assert cfg.data.train[0].manifest == "data/timit/manifest.jsonl"
    assert cfg.data.dev.timit.split == "dev"
    assert (cfg.model.learning_rate, cfg.model.encoder.head) == (1e-5, "own")
    assert "steps" not in cfg


@pytest.mark.parametrize("name", ["w2v2p_sw", "w2v2p_sc"])
def test_what_the_paper_leaves_open_is_a_field_that_says_so(name):
    said = [
        line.split(":")[0].strip()
        for file in (f"data/{name[-2:]}", "model/w2v2p_xlsr53", f"experiment/{name}", "steps/cv")
        for line in (ROOT / "conf" / f"{file}.yaml").read_text(encoding="utf-8").splitlines()
        if "PEDBench does not" in line
    ]
    assert set(said) >= {"max_batch_size", "every", "longest", "schedule", "decay", "mask_time_prob", "layerdrop"}


def test_w2v2p_is_trained_for_25_updates_in_its_own_vocabulary(hub, clips, tmp_path):
    run = tmp_path / "run"
    often = [f"data.train=[{{manifest: {clips}, repeat: 13}}]", "data.max_batch_size=2"]  # 26 batches an epoch
    train(_recipe("w2v2p_sw", hub, clips, run, "trainer.log_every_n_steps=1", "trainer.precision=32-true", *often))
    record = read_run(run)
    assert (record["kept"]["step"], record["kept"]["dev_per"]) == (25, None)
    assert record["settings"]["recipe"] == "PEDBench, W2V2P-XLSR53 trained on SW alone"
    before = Wav2Vec2ForCTC.from_pretrained(hub).state_dict()
    after = torch.load(run / "checkpoints" / "last.ckpt", weights_only=True)["state_dict"]
    before.pop("wav2vec2.masked_spec_embed")  # masking is off
    stayed = {name for name, value in before.items() if torch.equal(value, after[f"encoder.model.{name}"])}
    assert {name for name in before if name.startswith("wav2vec2.feature_extractor.")} == stayed
    assert after["encoder.model.lm_head.weight"].shape == (392, 32)

    rows = [line.split(",") for line in (run / "metrics.csv").read_text().splitlines()]
    column = rows[0].index("learning_rate")
    # Warm-up over 10 % of the updates, rounded up; none of the 25 has a rate of 0.
    rates = [float(row[column]) for row in rows[1:] if row[column]]
    assert rates == pytest.approx([1e-5 * rate_factor(step, 3, 25) for step in range(25)])

    recognizer = CtcRecognizer.from_run(run)
    assert recognizer.inventory == "ipa"
    first = next(iter_manifest(clips))
    clip = Clip(first, load_audio(first.audio))
    # The same sum over alignments, asked for in CMU-39 and in the model's own symbols.
    assert recognizer.log_likelihood(clip, ["CH", "ER"]) == recognizer.log_likelihood(clip, ["tʃ", "ɚ"])
    assert set(recognizer.vocabulary.spellings) == set(get_inventory("cmu39").phones)


def test_w2v2p_finds_its_number_of_updates_by_cross_validation(hub, clips, tmp_path):
    short = ["steps=cv", "steps.folds=2", "steps.longest=2", "steps.every=1", "trainer.precision=32-true"]
    per = train(_recipe("w2v2p_sc", hub, clips, tmp_path / "run", *short))
    record = read_run(tmp_path / "run")
    assert record["steps"]["found_by_others"] == 44
    assert record["steps"]["chosen"] in (1, 2)
    assert per == record["steps"]["chosen_per"]


def test_a_model_without_an_output_for_a_phone_stops_before_training(hub, clips, tmp_path):
    """The tokenizers of these models would write ``<unk>`` and go on."""
    lacking = shutil.copytree(hub, tmp_path / "lacking")
    table = json.loads((lacking / "vocab.json").read_text(encoding="utf-8"))
    del table["ɚ"]
    (lacking / "vocab.json").write_text(json.dumps(table), encoding="utf-8")
    with pytest.raises(PedkitError, match="one of the vocabulary's 387 phones, but got 'ɚ' for 'ER'"):
        train(_recipe("w2v2p_sw", lacking, clips, tmp_path / "run"))
    unspelt = _recipe("w2v2p_sw", hub, clips, tmp_path / "run", "model.vocabulary.spelling=null")
    with pytest.raises(PedkitError, match="the model has no output for "):
        train(unspelt)
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_lora_trains_and_saves_the_head_with_it(hub, clips, tmp_path):
    run = tmp_path / "run"
    cfg = _recipe("timit_xlsr53_lora", hub, clips, run, "steps=fixed", "steps.count=2")
    assert OmegaConf.to_container(cfg.model.encoder.lora) == {"r": 16, "alpha": 32, "dropout": 0.0}
    cfg.data.dev = {}
    train(cfg)
    before = Wav2Vec2ForCTC.from_pretrained(hub).state_dict()
    after = torch.load(run / "checkpoints" / "last.ckpt", weights_only=True)["state_dict"]
    base = {name.replace(".base_layer", "").removeprefix("encoder.model."): value for name, value in after.items()}
    assert base["lm_head.weight"].shape == (40, 32)  # fresh, for CMU-39
    assert base["lm_head.bias"].any()  # zeros at first
    others = {name for name in before if not name.startswith(("lm_head", "wav2vec2.masked_spec_embed"))}
    assert all(torch.equal(before[name], base[name]) for name in others)
    assert all(value.any() for name, value in after.items() if "lora_B" in name)  # zeros at first
    assert CtcRecognizer.from_run(run).inventory == "cmu39"
