"""Fields of an encoder that are set: they do something, or they are refused by name."""

from __future__ import annotations

import json

import pytest
import torch
from transformers import AutoModelForCTC

from pedkit.errors import PedkitError
from pedkit.models import pretrained_encoder
from pedkit.models.encoder_config import USED_FIELDS
from pedkit.models.families import encoder_from_dict

SDPA = ["pedkit-log-mel-wav2vec2", "pedkit-whisper-ctc", "wav2vec2", "hubert", "unispeech-sat", "wav2vec2-bert"]
# Read where a module is made, without any effect on what it computes.
READ_IN_VAIN = {
    "pedkit-log-mel-wav2vec2": {"vocab_size"},  # the vocabulary's
    "pedkit-whisper-ctc": {
        "ctc_vocab_size", "encoder_layerdrop", "pad_token_id", "scale_embedding", "tie_word_embeddings",
    },
}  # fmt: skip


@pytest.mark.parametrize("implementation", ["eager", "sdpa"])
@pytest.mark.parametrize("family", SDPA)
def test_the_way_of_attention_reaches_the_layers_and_is_no_part_of_the_model(tiny, family, implementation):
    encoder = tiny(family, attn_implementation=implementation)
    assert encoder.model.config._attn_implementation == implementation
    assert "attn_implementation" not in json.dumps(encoder.to_dict())


@torch.no_grad()
def test_a_pretrained_model_takes_it_too_and_computes_the_same(tiny, vocabulary, tmp_path):
    tiny("wav2vec2").model.save_pretrained(tmp_path)
    clip, logits = torch.linspace(-1, 1, 8000)[None], {}
    for implementation in ("eager", "sdpa"):
        encoder = pretrained_encoder(vocabulary, name=str(tmp_path), attn_implementation=implementation)
        assert encoder.model.wav2vec2.encoder.layers[0].attention.config._attn_implementation == implementation
        encoder.model.lm_head.weight.fill_(0.1)
        logits[implementation] = encoder(clip, torch.tensor([8000])).logits
    torch.testing.assert_close(logits["eager"], logits["sdpa"])


def test_an_older_description_that_names_it_is_built_as_it_was_trained(tiny, vocabulary):
    described = tiny("wav2vec2").to_dict()
    described["config"]["attn_implementation"] = "eager"
    assert encoder_from_dict(described, vocabulary).model.config._attn_implementation == "sdpa"


def test_a_way_of_attention_that_there_is_not_is_refused(tiny, vocabulary, tmp_path):
    sentence = "expected attn_implementation to be null, sdpa, flash_attention_2, eager, but got 'fast'"
    with pytest.raises(PedkitError, match=sentence):
        tiny("wav2vec2", attn_implementation="fast")
    with pytest.raises(PedkitError, match=r"'wavlm' cannot have attn_implementation sdpa: WavLMForCTC does not"):
        tiny("wavlm", attn_implementation="sdpa")
    tiny("wavlm").model.save_pretrained(tmp_path)
    with pytest.raises(PedkitError, match=r"'wavlm' cannot have attn_implementation sdpa: .*\(leave it null\)"):
        pretrained_encoder(vocabulary, name=str(tmp_path), attn_implementation="sdpa")


@pytest.mark.parametrize(
    ("family", "field"),
    [
        ("pedkit-log-mel-wav2vec2", "mask_time_prob"),
        ("pedkit-log-mel-wav2vec2", "conv_dim"),
        ("pedkit-log-mel-wav2vec2", "feat_proj_dropout"),
        ("pedkit-log-mel-wav2vec2", "add_adapter"),
        ("pedkit-whisper-ctc", "encoder_layerdrop"),
        ("pedkit-whisper-ctc", "mask_time_prob"),
        ("pedkit-whisper-ctc", "decoder_layers"),
    ],
)
def test_a_field_without_effect_is_refused(tiny, family, field):
    with pytest.raises(PedkitError, match=f"the field {field} has no effect in an encoder of type '{family}'"):
        tiny(family, **{field: 0.5})


def test_what_cannot_be_on_may_be_off(tiny):
    """As conf/model/pretrained.yaml has it, which may go on from an exported model of pedkit's own family."""
    encoder = tiny("pedkit-log-mel-wav2vec2", mask_time_prob=0.0, mask_time_min_masks=0, layerdrop=0.0)
    assert encoder.model.config.mask_time_prob == 0.0


@pytest.mark.parametrize("field", ["dtype", "vocab_size", "pad_token_id"])
def test_what_is_decided_elsewhere_cannot_be_set(tiny, field):
    with pytest.raises(PedkitError, match=f"the field {field} of the encoder cannot be set: "):
        tiny("wav2vec2", **{field: 3})


def test_names_that_a_family_has_for_its_own_are_taken(tiny):
    assert tiny("pedkit-whisper-ctc", hidden_size=16).model.config.d_model == 16
    with pytest.raises(PedkitError, match="has no field 'hiden_size'; did you mean 'hidden_size'"):
        tiny(hiden_size=16)


@pytest.mark.parametrize("family", USED_FIELDS)
def test_the_fields_that_may_be_set_are_those_that_are_read(tiny, family, monkeypatch):
    """Whatever transformers changes: all that is read while a model is made, trained and heard with."""
    config = tiny(family).model.config
    names, read = set(config.to_dict()) - {"_name_or_path", "dtype", "model_type"}, set()

    def recording(self, name):
        read.add(name)
        return object.__getattribute__(self, name)

    monkeypatch.setattr(type(config), "__getattribute__", recording)
    lengths = torch.tensor([8000, 4000])
    for stable in (False, True):
        config.do_stable_layer_norm = stable
        model = AutoModelForCTC.from_config(config)
        mask = torch.arange(8000) < lengths[:, None]
        for training in (True, False):
            model.train(training)(torch.randn(2, 8000) * mask, mask.long())
    monkeypatch.undo()
    assert read & names == USED_FIELDS[family] | READ_IN_VAIN[family]
