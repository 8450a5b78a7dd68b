from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary
from pedkit.models.collapse import Run, ctc_collapse
from pedkit.models.decoding import GreedyDecoder
from pedkit.models.forced_alignment import forced_alignment


def _log_probs(frames: int, outputs: int, seed: int) -> np.ndarray:
    logits = torch.randn(frames, outputs, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) * 2
    return logits.log_softmax(-1).numpy()


def test_by_hand():
    # Blank, a, b: the path a a _ b is worth .6 x .5 x .8 x .7, more than any other that collapses to a b.
    posteriors = np.array([[0.3, 0.6, 0.1], [0.4, 0.5, 0.1], [0.8, 0.1, 0.1], [0.2, 0.1, 0.7]])
    assert forced_alignment(np.log(posteriors), [1, 2]) == [Run(1, 0, 2), Run(2, 3, 4)]
    assert forced_alignment(np.log(posteriors), []) == []
    # Twice the same phone: the one frame between them must be blank.
    assert forced_alignment(np.log(posteriors[:3]), [1, 1]) == [Run(1, 0, 1), Run(1, 2, 3)]


@pytest.mark.parametrize("labels", [[1], [2, 1], [1, 1], [3, 3, 2], [1, 2, 3]])
def test_no_path_with_these_labels_is_more_likely(labels):
    log_probs = _log_probs(6, 4, seed=len(labels))
    paths = [path for path in itertools.product(range(4), repeat=6) if ctc_collapse(path) == labels]
    best = max(paths, key=lambda path: sum(log_probs[range(6), path]))
    runs = forced_alignment(log_probs, labels)
    assert [frame for run in runs for frame in range(run.start, run.end)] == [i for i in range(6) if best[i]]
    assert [run.id for run in runs] == labels


def test_it_is_torchaudios():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torchaudio announces changes of the module
        functional = pytest.importorskip("torchaudio.functional")
        for seed, labels in enumerate(([5, 5, 1, 9, 2, 2, 7], [3], list(range(1, 10)))):
            log_probs = torch.from_numpy(_log_probs(40, 10, seed=seed)).float()
            path, _ = functional.forced_align(log_probs[None], torch.tensor([labels], dtype=torch.int32), blank=0)
            runs = forced_alignment(log_probs.double().numpy(), labels)
            own = np.zeros(40, dtype=np.int64)
            for run in runs:
                own[run.start : run.end] = run.id
            assert own.tolist() == path[0].tolist()


def test_greedy_decoding_is_its_own_forced_alignment():
    vocabulary = PhoneVocabulary(["T", "S", "AA"], "cmu39")
    for seed in range(20):
        log_probs = _log_probs(30, 4, seed=seed)
        heard = GreedyDecoder()(torch.from_numpy(log_probs), vocabulary)
        runs = forced_alignment(log_probs, vocabulary.encode(heard.phones))
        assert heard.spans == tuple((run.start, run.end) for run in runs)
        means = [np.exp(log_probs[run.start : run.end, run.id]).mean() for run in runs]
        assert heard.confidences == pytest.approx(means, abs=1e-6)


def test_too_few_frames():
    with pytest.raises(PedkitError, match="2 phones need 3 frames, but there are 2"):
        forced_alignment(_log_probs(2, 3, seed=0), [1, 1])
