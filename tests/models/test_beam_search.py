from __future__ import annotations

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary
from pedkit.models.beam_search import BeamDecoder
from pedkit.models.collapse import ctc_collapse
from pedkit.models.decoding import GreedyDecoder, NotANumberError
from pedkit.models.ngram import END, START, PhoneNgram

VOCABULARY = PhoneVocabulary(["T", "S", "AA"], "cmu39")
SAID = [("S", "AA", "T"), ("T", "AA"), ("AA", "S", "S")]
NGRAM = PhoneNgram.trained(SAID, phones=VOCABULARY.phones, order=3)


def _log_probs(frames: int, outputs: int, seed: int) -> np.ndarray:
    logits = torch.randn(frames, outputs, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 2
    return logits.log_softmax(-1).numpy()


def _every_sequence(log_probs: np.ndarray, vocabulary: PhoneVocabulary) -> dict[tuple[str, ...], float]:
    """Log-probability of each phone sequence, summed over all paths of frames."""
    frames, outputs = log_probs.shape
    table = log_probs.tolist()
    sums: dict[tuple[str, ...], float] = defaultdict(float)
    for path in itertools.product(range(outputs), repeat=frames):
        labels = ctc_collapse(path, vocabulary.blank)
        if all(vocabulary.phone(label) is not None for label in labels):
            sums[vocabulary.decode(labels)] += math.exp(sum(table[t][k] for t, k in enumerate(path)))
    return {phones: math.log(total) for phones, total in sums.items()}


@pytest.mark.parametrize("seed", range(5))
def test_with_room_for_all_prefixes_it_is_exact(seed):
    log_probs = _log_probs(5, 4, seed)
    expected = _every_sequence(log_probs, VOCABULARY)
    found = BeamDecoder(beam=1000).search(log_probs, VOCABULARY)
    assert {one.phones: one.score for one in found} == pytest.approx(expected, abs=1e-9)
    assert found[0].phones == max(expected, key=expected.__getitem__)
    assert all(one.score >= other.score for one, other in itertools.pairwise(found))


@pytest.mark.parametrize("seed", range(5))
def test_with_an_ngram_and_a_bonus_it_is_exact(seed):
    log_probs = _log_probs(5, 4, seed)
    expected = {}
    for phones, value in _every_sequence(log_probs, VOCABULARY).items():
        words = (START, *phones, END)
        language = sum(NGRAM.log_prob(words[i], words[:i]) for i in range(1, len(words)))
        expected[phones] = value + 0.7 * language + 0.3 * len(phones)
    decoder = BeamDecoder(beam=1000, ngram=NGRAM, ngram_weight=0.7, insertion_bonus=0.3)
    found = decoder.search(log_probs, VOCABULARY)
    assert {one.phones: one.score for one in found} == pytest.approx(expected, abs=1e-9)
    assert found[0].phones == max(expected, key=expected.__getitem__)


@pytest.mark.parametrize("beam", [1, 2, 3, 8])
def test_with_less_room_it_finds_true_sequences_with_no_more_than_their_score(beam):
    # A prefix that was dropped and comes back has lost what its paths had gathered before, and gained nothing.
    for seed in range(10):
        log_probs = _log_probs(6, 4, seed)
        exact = _every_sequence(log_probs, VOCABULARY)
        found = BeamDecoder(beam=beam).search(log_probs, VOCABULARY)
        assert len({one.phones for one in found}) == len(found) <= beam
        assert all(one.score <= exact[one.phones] + 1e-9 for one in found)


def test_it_sums_over_paths_where_greedy_takes_the_best_one():
    # Two frames of blank .6, T .4: the best path is all blank (.36), but T has .4 + .6 x .4 = .64.
    vocabulary = PhoneVocabulary(["T"], "cmu39")
    logits = torch.tensor([[0.6, 0.4], [0.6, 0.4]]).log()
    assert GreedyDecoder()(logits, vocabulary).phones == ()
    heard = BeamDecoder()(logits, vocabulary)
    assert (heard.phones, heard.frames, heard.blank_frames) == (("T",), 2, 2)
    # Of T_, _T and TT the forced alignment takes a path of .24: one frame of T at .4.
    assert heard.spans[0] in {(0, 1), (1, 2)}
    assert heard.confidences == pytest.approx((0.4,))


def test_on_clear_logits_it_hears_what_greedy_hears():
    vocabulary = PhoneVocabulary.of_inventory("cmu39")
    logits = torch.randn(80, 40, generator=torch.Generator().manual_seed(1)) * 0.1
    path = [0, 0, 5, 5, 0, 5, 9, 9, 9, 12, 0, 0, 1, 1, 39, 0] * 5
    logits[range(80), path] += 12.0
    greedy, beam = GreedyDecoder()(logits, vocabulary), BeamDecoder()(logits, vocabulary)
    assert (beam.phones, beam.spans, beam.blank_frames) == (greedy.phones, greedy.spans, greedy.blank_frames)
    assert beam.confidences == pytest.approx(greedy.confidences, abs=1e-5)
    assert len(beam.phones) == 30


def test_an_ngram_decides_where_the_clip_does_not():
    logits = torch.zeros(3, 4)
    logits[0, 2] = logits[2, 1] = 9.0  # S ? T, and the ngram has seen S AA T
    logits[1, [1, 3]] = torch.tensor([9.1, 9.0])
    assert BeamDecoder()(logits, VOCABULARY).phones == ("S", "T")
    assert BeamDecoder(ngram=NGRAM, ngram_weight=1.0)(logits, VOCABULARY).phones == ("S", "AA", "T")


def test_outputs_that_are_no_phones_and_another_blank():
    vocabulary = PhoneVocabulary.of_ids({"S": 0, "T": 3}, "cmu39", blank=2, size=4)
    log_probs = _log_probs(5, 4, seed=3)
    found = BeamDecoder(beam=1000).search(log_probs, vocabulary)
    expected = _every_sequence(log_probs, vocabulary)
    assert {one.phones: one.score for one in found} == pytest.approx(expected, abs=1e-9)


def test_an_own_symbol_that_shares_a_name_with_a_spelt_phone():
    """CMU-39 calls ``N`` what espeak writes ``n``; espeak's own ``N`` is another sound with another output."""
    vocabulary = PhoneVocabulary.of_ids({"N": 1, "n": 2, "t": 3}, "ipa", spellings={"N": "n"})
    log_probs = _log_probs(5, 4, seed=4)
    expected = _every_sequence(log_probs, vocabulary)
    found = BeamDecoder(beam=1000).search(log_probs, vocabulary)
    assert {one.phones: one.score for one in found} == pytest.approx(expected, abs=1e-9)
    logits = torch.full((3, 4), -9.0)
    logits[0, 1] = logits[1, 0] = logits[2, 2] = 9.0
    greedy, beam = GreedyDecoder()(logits, vocabulary), BeamDecoder()(logits, vocabulary)
    assert beam.phones == greedy.phones == ("N", "n")
    assert beam.spans == greedy.spans == ((0, 1), (2, 3))
    assert beam.confidences == pytest.approx(greedy.confidences)


def test_a_clip_without_a_frame_holds_no_phone():
    """Trap 14: `Wav2Vec2PhonemeCTCTokenizer.decode([])` raises."""
    for decoder in (GreedyDecoder(), BeamDecoder()):
        heard = decoder(torch.zeros(0, 4), VOCABULARY)
        assert (heard.phones, heard.spans, heard.frames) == ((), (), 0)


@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_outputs_that_are_no_numbers_are_not_taken_for_silence(broken):
    logits = torch.zeros(3, 4)
    logits[1, 2] = broken
    for decoder in (GreedyDecoder(), BeamDecoder()):
        with pytest.raises(NotANumberError, match=r"the model's outputs for a clip are not numbers \(NaN\)"):
            decoder(logits, VOCABULARY)


def test_an_output_that_cannot_be_is_a_number():
    logits = torch.zeros(3, 4)
    logits[:, 0] = logits[:, 3] = -math.inf
    for decoder in (GreedyDecoder(), BeamDecoder()):
        assert set(decoder(logits, VOCABULARY).phones) <= {"T", "S"}


def test_the_name_of_a_decoder_says_which_ngram_in_every_process(tmp_path):
    again = PhoneNgram.trained(
        [("S", "AA", "T"), ("T", "AA"), ("AA", "S", "S")], phones=VOCABULARY.phones, order=3
    )
    other = PhoneNgram.trained(SAID[:2], phones=VOCABULARY.phones, order=3)
    assert str(BeamDecoder(ngram=NGRAM)) == str(BeamDecoder(ngram=again)) != str(BeamDecoder(ngram=other))
    assert "0x" not in str(BeamDecoder(ngram=NGRAM))
    NGRAM.save(tmp_path / "phones.arpa")
    loaded = PhoneNgram.load(tmp_path / "phones.arpa")
    assert str(BeamDecoder(ngram=loaded)) == str(BeamDecoder(ngram=NGRAM))
    assert str(BeamDecoder()) == "beam 16, n-gram None x 0.5, bonus 0"


def test_values_out_of_range(tmp_path):
    with pytest.raises(PedkitError, match="expected beam to be 1 or more, but got 0"):
        BeamDecoder(beam=0)
    with pytest.raises(PedkitError, match="expected ngram_weight to be 0 or more"):
        BeamDecoder(ngram_weight=-1.0)
    with pytest.raises(PedkitError, match=r"gone.arpa: the n-gram cannot be read: No such file"):
        BeamDecoder(ngram=tmp_path / "gone.arpa")
    other = PhoneVocabulary(["T", "IY"], "cmu39")
    with pytest.raises(PedkitError, match=r"the n-gram knows 3 phones, but not 'IY' \(train one"):
        BeamDecoder(ngram=NGRAM)(torch.zeros(2, 3), other)
