"""Viterbi alignment of given labels with the frames of a CTC model: where each of them was heard."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.models.collapse import Run, ctc_runs, frames_needed
from pedkit.scoring.kernels.jit import kernel


def forced_alignment(log_probs: NDArray[np.float64], labels: Sequence[int], blank: int = 0) -> list[Run]:
    """Return the frames of each label on the most likely path that collapses to the labels.

    The best of the paths that Graves et al. (2006, section 4.1) sum over.

    Args:
        log_probs: Natural log-posteriors, shape ``(frames, outputs)``.
        labels: Ids, none of them the blank.
        blank: Id of the blank.

    Returns:
        One run a label, in order. A label's run holds the frames on the label, not the blanks around it.

    Raises:
        PedkitError: There are too few frames for the labels.
    """
    if frames_needed(labels) > len(log_probs):
        raise PedkitError(
            f"{len(labels)} phones need {frames_needed(labels)} frames, but there are {len(log_probs)}"
        )
    if not labels:
        return []
    ids = np.asarray(labels, dtype=np.int64)
    path = _best_path(np.ascontiguousarray(log_probs, dtype=np.float64), ids, blank)
    return ctc_runs(path.tolist(), blank)


@kernel("i8[::1](f8[:,::1], i8[::1], i8)")
def _best_path(log_probs: NDArray[np.float64], labels: NDArray[np.int64], blank: int) -> NDArray[np.int64]:
    """Return the id of every frame; states are blank, label, blank, label, ..., blank."""
    frames, states = len(log_probs), 2 * len(labels) + 1
    score = np.full(states, -np.inf)
    came = np.zeros((frames, states), dtype=np.int8)
    score[0], score[1] = log_probs[0, blank], log_probs[0, labels[0]]
    for t in range(1, frames):
        # From the last state down, so that score[s - 1] and score[s - 2] are still those of the frame before.
        for s in range(states - 1, -1, -1):
            best, step = score[s], 0
            if s >= 1 and score[s - 1] > best:
                best, step = score[s - 1], 1
            if s >= 3 and s % 2 == 1 and labels[s // 2] != labels[s // 2 - 1] and score[s - 2] > best:
                best, step = score[s - 2], 2
            score[s] = best + log_probs[t, labels[s // 2] if s % 2 == 1 else blank]
            came[t, s] = step
    state = states - 1 if score[states - 1] >= score[states - 2] else states - 2
    path = np.empty(frames, dtype=np.int64)
    for t in range(frames - 1, -1, -1):
        path[t] = labels[state // 2] if state % 2 == 1 else blank
        state -= came[t, state]
    return path
