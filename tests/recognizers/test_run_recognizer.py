"""`from_run` takes a run folder of either kind, and no option that means nothing to its model."""

from __future__ import annotations

import json

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models import BeamDecoder, GreedyDecoder, PhoneVocabulary, random_encoder
from pedkit.recognizers import CtcRecognizer, from_run


@pytest.fixture
def run(tmp_path):
    """A run folder of a CTC model from before runs said what kind of model they hold."""
    torch.manual_seed(0)
    vocabulary = PhoneVocabulary(["AA", "T"], "cmu39")
    encoder = random_encoder(
        vocabulary, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2,
    )  # fmt: skip
    vocabulary.save(tmp_path / "vocabulary.json")
    (tmp_path / "encoder.json").write_text(json.dumps(encoder.to_dict()), encoding="utf-8")
    state = {f"encoder.{name}": value for name, value in encoder.state_dict().items()}
    torch.save({"state_dict": state}, tmp_path / "kept.ckpt")
    _record(tmp_path)
    return tmp_path


def _record(folder, **more):
    record = {"name": "demo", "kept": {"checkpoint": "kept.ckpt"}, **more}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")


@pytest.mark.parametrize("more", [{}, {"kind": "ctc"}])
def test_a_ctc_run_gives_a_ctc_recognizer_with_its_options(run, more):
    _record(run, **more)
    decoder = BeamDecoder(beam=2)
    recognizer = from_run(run, batch_size=3, decoder=decoder)
    assert isinstance(recognizer, CtcRecognizer)
    assert (recognizer.name, recognizer.batch_size, recognizer.decoder) == ("demo", 3, decoder)


@pytest.mark.parametrize("option", [{"constrained": True}, {"force_prompt": True}, {"prompt": object()}])
def test_an_option_of_another_kind_of_model_is_refused(run, option):
    with pytest.raises(PedkitError, match=f"{next(iter(option))} is set, but .* another kind: CTC model"):
        from_run(run, **option)


def test_the_usual_decoder_is_no_option_of_a_kind(run):
    assert str(from_run(run, decoder=GreedyDecoder()).decoder) == "greedy"


def test_an_unknown_kind_is_named(run):
    _record(run, kind="transducer")
    with pytest.raises(PedkitError, match=r"of the kind ctc or audio_language_model, but got 'transducer'"):
        from_run(run)
