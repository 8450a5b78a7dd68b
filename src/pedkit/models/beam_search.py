"""`BeamDecoder`: CTC prefix beam search, with a phone n-gram where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from pedkit.models.decoding import NOT_A_NUMBER, Heard, NotANumberError
from pedkit.models.ngram import NgramTable, PhoneNgram
from pedkit.models.vocabulary import PhoneVocabulary


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A phone sequence and its score (see `BeamDecoder`)."""

    phones: tuple[str, ...]
    score: float


class BeamDecoder:
    """Searches the phone sequence y of the highest score.

    ``score(y) = log P(y | clip) + ngram_weight log P(y </s>) + insertion_bonus len(y)``, where the first term
    sums over all CTC paths of y (prefix search of Graves et al. 2006, section 3.2, with a beam; Hannun et al. 2014
    with a language model). The greedy decoder maximises over paths instead. The n-gram corrects what was heard
    towards what is usually said, so it hides pronunciation errors along with errors of recognition
    (docs/training/decoding.md).

    Outputs that are no phones are never part of a hypothesis.

    Args:
        beam: Prefixes kept after each frame; exact where there are no more prefixes than that.
        ngram: An n-gram, or the ARPA file of one; ``None`` for none.
        ngram_weight: Weight of the n-gram's log-probability.
        insertion_bonus: Added for each phone; an n-gram favours short sequences, and this is against it.

    Raises:
        PedkitError: A number is out of range, or the file holds no n-gram.
    """

    def __init__(
        self,
        *,
        beam: int = 16,
        ngram: str | Path | PhoneNgram | None = None,
        ngram_weight: float = 0.5,
        insertion_bonus: float = 0.0,
    ) -> None:
        if beam < 1:
            raise PedkitError(f"expected beam to be 1 or more, but got {beam}")
        if ngram_weight < 0:
            raise PedkitError(f"expected ngram_weight to be 0 or more, but got {ngram_weight}")
        self.beam, self.ngram_weight, self.insertion_bonus = beam, ngram_weight, insertion_bonus
        self.ngram = PhoneNgram.load(ngram) if isinstance(ngram, str | Path) else ngram
        self._ngram_hash = _identity(ngram)
        self._prepared: tuple[PhoneVocabulary, NgramTable, NDArray[np.int64]] | None = None

    def __str__(self) -> str:
        """Return all that decides what is heard; predictions of another decoder are not continued."""
        return (
            f"beam {self.beam}, n-gram {self._ngram_hash} x {self.ngram_weight:g}, bonus {self.insertion_bonus:g}"
        )

    def __call__(self, logits: Tensor, vocabulary: PhoneVocabulary) -> Heard:
        """Return the best sequence; its places and confidences come from its forced alignment.

        Raises:
            NotANumberError: The logits hold NaN, or an infinity that makes NaN of all posteriors of a frame.
            PedkitError: The n-gram lacks a phone of the vocabulary.
        """
        from pedkit.models.forced_alignment import forced_alignment

        log_probs = logits.detach().double().log_softmax(-1).cpu().numpy()
        best = self.search(log_probs, vocabulary)[0]
        runs = forced_alignment(log_probs, vocabulary.outputs(best.phones), vocabulary.blank)
        posteriors = [np.exp(log_probs[run.start : run.end, run.id]).mean() for run in runs]
        return Heard(
            phones=best.phones,
            confidences=tuple(min(1.0, float(value)) for value in posteriors),
            spans=tuple((run.start, run.end) for run in runs),
            frames=len(log_probs),
            blank_frames=int(np.count_nonzero(log_probs.argmax(-1) == vocabulary.blank)),
        )

    def search(self, log_probs: NDArray[np.float64], vocabulary: PhoneVocabulary) -> list[Hypothesis]:
        """Return the sequences that are left at the end, best first.

        Args:
            log_probs: Natural log-posteriors, shape ``(frames, outputs)``.
            vocabulary: Phones of the outputs.

        Raises:
            NotANumberError: The posteriors hold NaN.
            PedkitError: The n-gram lacks a phone of the vocabulary.
        """
        from pedkit.models.beam_kernel import prefix_beam_search

        if np.isnan(log_probs).any():
            raise NotANumberError(NOT_A_NUMBER)
        table, ids = self._tables(vocabulary)
        tree, nodes, scores = prefix_beam_search(
            np.ascontiguousarray(log_probs, dtype=np.float64),
            ids, vocabulary.blank, table.scores, table.following, table.start, self.beam,
        )  # fmt: skip
        order = np.argsort(-scores, kind="stable").tolist()
        return [
            Hypothesis(tuple(vocabulary.phones[k] for k in _phones(tree, int(nodes[i]))), float(scores[i]))
            for i in order
        ]

    def _tables(self, vocabulary: PhoneVocabulary) -> tuple[NgramTable, NDArray[np.int64]]:
        """Return what each phone is worth in each state of the n-gram, and the outputs of the phones."""
        if self._prepared is None or self._prepared[0] != vocabulary:
            ids = np.asarray(vocabulary.outputs(vocabulary.phones), dtype=np.int64)
            if self.ngram is None:
                table = NgramTable(np.zeros((1, len(ids) + 1)), np.zeros((1, len(ids)), dtype=np.int64), 0)
            else:
                table = self.ngram.table(vocabulary.phones)
            bonus = table.scores * self.ngram_weight
            bonus[:, :-1] += self.insertion_bonus
            self._prepared = vocabulary, NgramTable(bonus, table.following, table.start), ids
        return self._prepared[1], self._prepared[2]


def _identity(ngram: str | Path | PhoneNgram | None) -> str | None:
    """Return by what an n-gram is known again in another process."""
    if isinstance(ngram, PhoneNgram):
        return ngram.digest()[:12]
    return None if ngram is None else file_hash(ngram)[:12]


def _phones(tree: NDArray[np.int64], node: int) -> list[int]:
    """Return the phones of a prefix, from the first to the last."""
    phones = []
    while node > 0:
        phones.append(int(tree[node, 1]))
        node = int(tree[node, 0])
    return phones[::-1]
