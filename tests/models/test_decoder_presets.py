from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from pedkit.building import build
from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.evaluation.identity import Identity
from pedkit.models import BeamDecoder, CtcModule, GreedyDecoder, PhoneNgram
from pedkit.models.decoding import NotANumberError

CONF = str(Path(__file__).parents[2] / "conf")


def _composed(root: str, *overrides: str) -> dict:
    with initialize_config_dir(CONF, version_base="1.3"):
        return OmegaConf.to_container(compose(root, overrides=list(overrides)), resolve=True)


@pytest.mark.parametrize(("root", "part"), [("train", "model"), ("evaluate", "recognizer")])
def test_one_override_chooses_the_decoder(root, part, tmp_path):
    assert isinstance(build(_composed(root)[part]["decoder"], "decoder"), GreedyDecoder)
    PhoneNgram.trained([("S", "AA")], phones=("S", "AA")).save(tmp_path / "n.arpa")
    settings = _composed(root, "decoder=beam", "decoder.beam=3", f"decoder.ngram={tmp_path}/n.arpa")
    decoder = build(settings[part]["decoder"], "decoder")
    assert (decoder.beam, decoder.ngram.phones, decoder.ngram_weight) == (3, ("AA", "S"), 0.5)


def test_a_command_without_the_group_decodes_greedily():
    assert _composed("verify")["recognizer"]["decoder"] is None


def test_dev_sets_are_decoded_by_the_given_decoder(tiny, vocabulary):
    encoder = tiny()
    batch = AudioBatch.collate([torch.randn(8000)], [Utterance(id="a")], [()])
    module = CtcModule(vocabulary, encoder, decoder=BeamDecoder(beam=2))
    expected = BeamDecoder(beam=2)(encoder(batch.waveforms, batch.lengths).logits[0], vocabulary)
    assert module.eval().validation_step(batch, 0)["heard"] == [expected]


def test_dev_clips_of_which_the_outputs_are_no_numbers_are_named(tiny, vocabulary):
    module = CtcModule(vocabulary, tiny()).eval()
    torch.nn.init.constant_(module.encoder.model.lm_head.weight, float("nan"))
    batch = AudioBatch.collate([torch.randn(8000)] * 2, [Utterance(id="a"), Utterance(id="b")], [(), ()])
    with pytest.raises(NotANumberError, match=r"\(NaN\): its weights .*, on the dev utterances a, b$"):
        module.validation_step(batch, 0)


def test_predictions_of_another_decoder_are_set_aside(tmp_path):
    common = {"recognizer": "r", "revision": "1", "config_hash": None, "manifest_sha256": "m", "split": None}
    Identity(**common).claim(tmp_path)
    (tmp_path / "predictions.jsonl").write_text("{}\n")
    Identity(**common).claim(tmp_path)
    assert (tmp_path / "predictions.jsonl").exists()
    Identity(**common, decoder=str(BeamDecoder(beam=3))).claim(tmp_path)
    assert not (tmp_path / "predictions.jsonl").exists()
    assert len(list(tmp_path.glob("predictions.1.*.jsonl"))) == 1
    assert str(BeamDecoder(beam=3)) == "beam 3, n-gram None x 0.5, bonus 0"
