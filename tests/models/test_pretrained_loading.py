from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path

import pytest
import torch
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, Wav2Vec2ForPreTraining

from pedkit.errors import PedkitError
from pedkit.models import hub_vocabulary, pretrained_encoder
from pedkit.phones import Projector, get_inventory

VOCABULARIES = Path(__file__).parents[1] / "phones" / "data" / "vocabularies"

# Made-up table in the layout of facebook/wav2vec2-xlsr-53-espeak-cv-ft: special tokens first, then IPA.
TABLE = {"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "n": 4, "s": 5, "t": 6, "ə": 7, "aɪ": 8, "tʃ": 9}


def _config(**changes):
    sizes = {
        "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64,
        "conv_dim": [16] * 7, "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2,
        "vocab_size": len(TABLE), "feat_extract_norm": "layer", "do_stable_layer_norm": True,
    }  # fmt: skip
    return Wav2Vec2Config(**{**sizes, **changes})


@pytest.fixture
def hub(tmp_path):
    torch.manual_seed(0)
    model = Wav2Vec2ForCTC(_config())
    model.save_pretrained(tmp_path)
    (tmp_path / "vocab.json").write_text(json.dumps(TABLE), encoding="utf-8")
    (tmp_path / "preprocessor_config.json").write_text(json.dumps({"do_normalize": False}), encoding="utf-8")
    return tmp_path, model


def test_a_models_own_phones_are_read_without_a_tokenizer(hub):
    vocabulary = hub_vocabulary(str(hub[0]))
    assert vocabulary.phones == ("n", "s", "t", "ə", "aɪ", "tʃ")
    assert (vocabulary.blank, len(vocabulary), vocabulary.inventory) == (0, 10, "ipa")
    assert vocabulary.decode([3, 9, 0, 8]) == ("tʃ", "aɪ")


@torch.no_grad()
def test_with_its_own_head_it_computes_what_the_hub_model_does(hub):
    folder, model = hub
    encoder = pretrained_encoder(hub_vocabulary(str(folder)), name=str(folder), head="own")
    waveform = torch.randn(1, 8000, generator=torch.Generator().manual_seed(3))
    output = encoder(waveform, torch.tensor([8000]))
    torch.testing.assert_close(output.logits, model.eval()(waveform).logits)
    assert encoder.front_end.normalize is False  # as its preprocessor says


def test_a_fresh_head_is_fresh_even_where_the_old_one_would_fit(hub, vocabulary):
    folder, model = hub
    own = hub_vocabulary(str(folder))
    fresh = pretrained_encoder(own, name=str(folder))
    assert fresh.model.lm_head.weight.shape == model.lm_head.weight.shape
    assert not torch.allclose(fresh.model.lm_head.weight, model.lm_head.weight)
    assert not fresh.model.lm_head.bias.any()
    assert fresh.model.lm_head.weight.std().item() == pytest.approx(2 / 32**0.5, rel=0.1)
    layer = "wav2vec2.encoder.layers.0.feed_forward.output_dense.weight"
    assert torch.equal(fresh.model.get_parameter(layer), model.get_parameter(layer))
    other = pretrained_encoder(vocabulary, name=str(folder))
    assert other.model.lm_head.out_features == 40
    assert other.model.config.pad_token_id == 0


def test_a_model_without_any_head_gets_one_silently(tmp_path, vocabulary, caplog):
    Wav2Vec2ForPreTraining(_config(codevector_dim=32, proj_codevector_dim=32)).save_pretrained(tmp_path)
    with caplog.at_level(logging.WARNING):
        encoder = pretrained_encoder(vocabulary, name=str(tmp_path), mask_time_prob=0.0, layerdrop=0.0)
    assert encoder.model.lm_head.out_features == 40
    assert encoder.model.config.mask_time_prob == 0.0
    assert not caplog.records


def test_a_model_that_is_not_there_is_one_sentence(tmp_path, vocabulary):
    with pytest.raises(PedkitError, match=r"the model .*nowhere cannot be loaded: .*\(check the name"):
        pretrained_encoder(vocabulary, name=str(tmp_path / "nowhere"))


def test_a_vocabulary_that_does_not_fit_the_head_is_refused(hub, vocabulary):
    with pytest.raises(PedkitError, match="has 10 outputs, the vocabulary has 40"):
        pretrained_encoder(vocabulary, name=str(hub[0]), head="own")
    with pytest.raises(PedkitError, match="expected head to be fresh or own, but got 'new'"):
        pretrained_encoder(vocabulary, name=str(hub[0]), head="new")


def test_an_unknown_field_of_the_configuration_is_named(hub, vocabulary):
    with pytest.raises(PedkitError, match="has no field 'mask_prob'"):
        pretrained_encoder(vocabulary, name=str(hub[0]), mask_prob=0.0)


def test_a_vocabulary_of_several_languages_or_none_is_refused(hub):
    folder, _ = hub
    (folder / "vocab.json").write_text(json.dumps({"eng": {"a": 5}}), encoding="utf-8")
    with pytest.raises(PedkitError, match="not one table of symbols"):
        hub_vocabulary(str(folder))
    (folder / "vocab.json").unlink()
    with pytest.raises(PedkitError, match=r"has no vocab\.json"):
        hub_vocabulary(str(folder))


def test_every_cmu39_phone_has_an_output_of_the_espeak_model_and_none_is_unk(tmp_path):
    """PEDBench writes its targets in the vocabulary of wav2vec2-xlsr-53-espeak-cv-ft, whose file this is."""
    shutil.copy(VOCABULARIES / "espeak_cv_ft_vocab.json", tmp_path / "vocab.json")
    _config(vocab_size=392, pad_token_id=0).save_pretrained(tmp_path)
    table = json.loads((tmp_path / "vocab.json").read_text(encoding="utf-8"))
    vocabulary = hub_vocabulary(str(tmp_path), spelling="espeak")
    phones = get_inventory("cmu39").phones
    ids = vocabulary.encode(phones)
    assert len(set(ids)) == 39
    assert not set(ids) & {table["<unk>"], table["<pad>"], table["<s>"], table["</s>"]}
    assert [table[symbol] for symbol in ("tʃ", "dʒ", "ɚ", "ɡ")] == vocabulary.encode(["CH", "JH", "ER", "G"])
    assert Projector("ipa")(vocabulary.decode(ids)).phones == phones
    assert (table["<pad>"], vocabulary.blank, len(vocabulary)) == (0, 0, 392)


def test_a_model_that_lacks_a_phone_of_the_spelling_is_refused(hub):
    with pytest.raises(PedkitError, match="one of the vocabulary's 6 phones, but got 'ɑ' for 'AA'"):
        hub_vocabulary(str(hub[0]), spelling="espeak")
    with pytest.raises(PedkitError, match="expected spelling to be espeak, but got 'xsampa'"):
        hub_vocabulary(str(hub[0]), spelling="xsampa")
