"""The compiled loop of CTC prefix beam search."""

# ruff: noqa: PLR0917 - compiled functions take no keyword arguments
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pedkit.scoring.kernels.jit import kernel

_F = NDArray[np.float64]
_I = NDArray[np.int64]


@kernel("f8(f8, f8)")
def _log_add(a: float, b: float) -> float:
    if a < b:
        a, b = b, a
    return a if b == -np.inf else a + np.log1p(np.exp(b - a))


@kernel("i8(i8[:,::1], i8, i8, i8)")
def _child(tree: _I, node: int, phone: int, size: int) -> int:
    """Return the node of a prefix with one more phone; ``size``, the next free one, where it is new."""
    child = int(tree[node, 2])
    while child >= 0 and tree[child, 1] != phone:
        child = int(tree[child, 3])
    if child >= 0:
        return child
    tree[size, 0], tree[size, 1], tree[size, 2], tree[size, 3] = node, phone, -1, tree[node, 2]
    tree[node, 2] = size
    return size


@kernel("i8[::1](f8[::1], i8)")
def _highest(scores: _F, number: int) -> _I:
    """Return the places of the highest finite scores, at most ``number``; of equal ones the earlier."""
    finite = np.flatnonzero(scores > -np.inf)
    if len(finite) <= number:
        return finite
    least = np.partition(scores[finite], len(finite) - number)[len(finite) - number]
    above = np.flatnonzero(scores > least)
    equal = np.flatnonzero(scores == least)[: number - len(above)]
    return np.sort(np.concatenate((above, equal)))


@kernel("void(i8[:,::1], i8[::1], i8[::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1])")
def _unite(tree: _I, nodes: _I, slot: _I, language: _F, new_blank: _F, new_phone: _F, ranks: _F) -> None:
    """Rank the prefixes themselves; where a prefix and its extension are both here, they are one prefix.

    Args:
        tree: As `prefix_beam_search` returns it.
        nodes: Nodes of the prefixes.
        slot: Place of each node among ``nodes``, -1 where it is not there.
        language: Score of each prefix by the language model.
        new_blank: Scores that end in the blank; column k is the prefix with phone k more, the last one itself.
        new_phone: Scores that end in a phone, alike; changed.
        ranks: Scores by which prefixes are kept, alike; changed.
    """
    itself = ranks.shape[1] - 1
    for i in range(len(nodes)):
        parent, last = tree[nodes[i], 0], tree[nodes[i], 1]
        if parent >= 0 and slot[parent] >= 0:
            j = slot[parent]
            new_phone[i, itself] = _log_add(new_phone[i, itself], new_phone[j, last])
            ranks[j, last] = -np.inf
        ranks[i, itself] = _log_add(new_blank[i, itself], new_phone[i, itself]) + language[i]


@kernel("Tuple((i8[:,::1], i8[::1], f8[::1]))(f8[:,::1], i8[::1], i8, f8[:,::1], i8[:,::1], i8, i8)")
def prefix_beam_search(
    log_probs: _F, ids: _I, blank: int, bonus: _F, following: _I, start: int, beam: int
) -> tuple[_I, _I, _F]:
    """Search the most likely phone sequences.

    Args:
        log_probs: Log-posteriors, shape ``(frames, outputs)``.
        ids: Output of each phone, shape ``(phones,)``.
        blank: Output of the blank.
        bonus: Score of each phone, and in the last column of the end, by state of the language model, shape
            ``(states, phones + 1)``.
        following: State after each phone, shape ``(states, phones)``.
        start: State at the beginning.
        beam: Prefixes kept after each frame.

    Returns:
        The tree of prefixes, shape ``(nodes, 4)`` (parent, phone, first child, next sibling); the nodes that are
        left; their scores, the end included.
    """
    frames, phones = len(log_probs), len(ids)
    tree = np.full((frames * beam + 1, 4), -1, dtype=np.int64)
    size = 1
    nodes = np.zeros(1, dtype=np.int64)
    states, language = np.full(1, start, dtype=np.int64), np.zeros(1)
    on_blank, on_phone = np.zeros(1), np.full(1, -np.inf)
    slot = np.full(frames * beam + 1, -1, dtype=np.int64)
    for t in range(frames):
        kept = len(nodes)
        for i in range(kept):
            slot[nodes[i]] = i
        # Row i holds the prefix itself in the last column and the prefix with one more phone in the others.
        new_blank = np.full((kept, phones + 1), -np.inf)
        new_phone = np.full((kept, phones + 1), -np.inf)
        ranks = np.full((kept, phones + 1), -np.inf)
        for i in range(kept):
            last = tree[nodes[i], 1]
            total = _log_add(on_blank[i], on_phone[i])
            for k in range(phones):
                before = on_blank[i] if k == last else total
                new_phone[i, k] = before + log_probs[t, ids[k]]
                ranks[i, k] = new_phone[i, k] + language[i] + bonus[states[i], k]
            new_blank[i, phones] = total + log_probs[t, blank]
            if last >= 0:
                new_phone[i, phones] = on_phone[i] + log_probs[t, ids[last]]
        _unite(tree, nodes, slot, language, new_blank, new_phone, ranks)
        for i in range(kept):
            slot[nodes[i]] = -1
        best = _highest(ranks.ravel(), beam)
        found = len(best)
        new_nodes, new_states, new_language = np.empty(found, np.int64), np.empty(found, np.int64), np.empty(found)
        next_blank, next_phone = np.empty(found), np.empty(found)
        for place in range(found):
            i, k = best[place] // (phones + 1), best[place] % (phones + 1)
            next_blank[place], next_phone[place] = new_blank[i, k], new_phone[i, k]
            if k == phones:
                new_nodes[place], new_states[place], new_language[place] = nodes[i], states[i], language[i]
            else:
                new_nodes[place] = _child(tree, nodes[i], k, size)
                size = max(size, new_nodes[place] + 1)
                new_states[place] = following[states[i], k]
                new_language[place] = language[i] + bonus[states[i], k]
        nodes, states, language = new_nodes, new_states, new_language
        on_blank, on_phone = next_blank, next_phone
    scores = np.empty(len(nodes))
    for i in range(len(nodes)):
        scores[i] = _log_add(on_blank[i], on_phone[i]) + language[i] + bonus[states[i], phones]
    return tree, nodes, scores
