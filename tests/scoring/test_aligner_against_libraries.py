"""The aligner against rapidfuzz, Biopython and jiwer."""

import random

import jiwer
import numpy as np
import pytest
from Bio.Align import PairwiseAligner, substitution_matrices
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pedkit.errors import PedkitError
from pedkit.phones import FEATURE_UNITS, feature_distances, get_inventory
from pedkit.scoring import Item, Scorer, ScoringSettings, edit_counts

PHONES = get_inventory("cmu39").phones
SCORER = Scorer(ScoringSettings(inventory="cmu39"))
sequences = st.lists(st.sampled_from(PHONES), max_size=40).map(tuple)


def one(u, p):
    [scored] = SCORER.score([Item("x", None, u, p)])
    return scored


@given(u=sequences, p=sequences)
@settings(max_examples=200, deadline=None)
def test_unit_distance_is_rapidfuzz(u, p):
    scored = one(u, p)
    assert scored.counts.per.numerator == Levenshtein.distance(u, p)
    pairs = scored.alignment.pairs()
    assert tuple(x.reference for x in pairs if x.reference) == u
    assert tuple(x.predicted for x in pairs if x.predicted) == p
    for name, kind in (("substitutions", "sub"), ("deletions", "del"), ("insertions", "ins")):
        assert scored.counts[name] == sum(x.type == kind for x in pairs)


@pytest.mark.parametrize("length", [1, 63, 64, 65, 127, 128, 129, 200])
def test_distance_of_sequences_around_the_width_of_a_word_is_rapidfuzz(length):
    draw = random.Random(length)
    u = tuple(draw.choices(PHONES[:4], k=length))
    for other in (length, length - 1, length // 2, 2 * length + 3):
        p = tuple(draw.choices(PHONES[:4], k=other))
        for a, b in ((u, p), (p, u)):
            counts = one(a, b).counts
            assert counts.per.numerator == Levenshtein.distance(a, b)
            errors = edit_counts([a], [b])[0]
            assert [counts[name] for name in ("substitutions", "deletions", "insertions")] == errors[1:].tolist()


def test_a_sound_of_unknown_identity_equals_nothing_in_a_long_sequence():
    u = PHONES[:30] * 3
    p = (*u[:70], "<unk>", *u[71:])
    assert one(u, p).counts.per.numerator == 1
    [scored] = SCORER.score([Item("x", u, p, p)])
    assert (scored.counts["canonical_realized_distance"], scored.counts["canonical_predicted_distance"]) == (1, 1)
    assert scored.counts.mdd().DU == 1


def biopython_distance(u, p, cost):
    """Least weighted distance in units of 1/48, gaps at the full distance, by Biopython's Needleman-Wunsch."""
    aligner = PairwiseAligner(mode="global", open_gap_score=-FEATURE_UNITS, extend_gap_score=-FEATURE_UNITS)
    matrix = substitution_matrices.Array("".join(chr(65 + i) for i in range(len(PHONES))), dims=2)
    matrix[:, :] = -cost
    aligner.substitution_matrix = matrix
    spelled = ["".join(chr(65 + PHONES.index(phone)) for phone in sequence) for sequence in (u, p)]
    return -aligner.score(*spelled)


@given(
    u=st.lists(st.sampled_from(PHONES), min_size=1, max_size=30).map(tuple),
    p=st.lists(st.sampled_from(PHONES), min_size=1, max_size=30).map(tuple),
)
@settings(max_examples=100, deadline=None)
def test_feature_distance_is_biopythons_score(u, p):
    scored, expected = one(u, p), biopython_distance(u, p, feature_distances("cmu39"))
    assert scored.counts["feature_distance"] == expected
    assert scored.counts.pfer.numerator == expected / FEATURE_UNITS
    matrix = feature_distances("cmu39")
    shown = 0
    for pair in scored.alignment.pairs("feature"):
        if pair.reference is None or pair.predicted is None:
            shown += FEATURE_UNITS
        else:
            shown += matrix[PHONES.index(pair.reference), PHONES.index(pair.predicted)]
    assert shown == expected


def test_totals_are_jiwers():
    draw = random.Random(5)
    references = [[draw.choice(PHONES) for _ in range(draw.randint(1, 30))] for _ in range(200)]
    predictions = [[x for x in r if draw.random() > 0.1] + draw.choices(PHONES, k=2) for r in references]
    theirs = jiwer.process_words([" ".join(r) for r in references], [" ".join(p) for p in predictions])
    counts = SCORER.total(
        Item(str(k), None, tuple(r), tuple(p))
        for k, (r, p) in enumerate(zip(references, predictions, strict=True))
    )
    errors = theirs.substitutions + theirs.deletions + theirs.insertions
    assert counts.per.numerator == errors
    assert counts.per.value == pytest.approx(theirs.wer)
    # How errors split between substitutions and deletion plus insertion depends on ties, the difference does not.
    assert counts["deletions"] - counts["insertions"] == theirs.deletions - theirs.insertions


@pytest.mark.parametrize(
    ("reference", "predicted", "substitutions", "deletions", "insertions"),
    [("K AE T", "K AH T", 1, 0, 0), ("K AE T", "K T", 0, 1, 0), ("K AE T", "K AE T S", 0, 0, 1)],
)
def test_split_is_jiwers_without_ties(reference, predicted, substitutions, deletions, insertions):
    theirs = jiwer.process_words(reference, predicted)
    assert (theirs.substitutions, theirs.deletions, theirs.insertions) == (substitutions, deletions, insertions)
    [[_, *ours]] = edit_counts([reference.split()], [predicted.split()]).tolist()
    assert ours == [substitutions, deletions, insertions]


def test_edit_counts_are_the_scorers():
    draw = random.Random(7)
    references = [tuple(draw.choices(PHONES, k=draw.randint(0, 20))) for _ in range(1500)]
    predictions = [tuple(draw.choices(PHONES, k=draw.randint(0, 20))) for _ in range(1500)]
    found = edit_counts(references, predictions)
    items = (Item(str(k), None, r, p) for k, (r, p) in enumerate(zip(references, predictions, strict=True)))
    expected = [[s.counts[k] for k in ("substitutions", "deletions", "insertions")] for s in SCORER.score(items)]
    assert np.array_equal(found[:, 1:], expected)
    assert np.array_equal(found[:, 0] + found[:, 1] + found[:, 2], [len(r) for r in references])


def test_edit_counts_of_nothing_and_of_unequal_lengths():
    assert edit_counts([], []).shape == (0, 4)
    with pytest.raises(PedkitError, match="got 2 references and 1 predictions"):
        edit_counts([["T"], ["D"]], [["T"]])


def test_a_long_passage_is_aligned():
    draw = random.Random(3)
    u = tuple(draw.choices(PHONES, k=3000))
    p = tuple(phone for phone in u if draw.random() > 0.1)
    [scored] = SCORER.score([Item("x", u, u, p)])
    assert scored.counts["deletions"] == 3000 - len(p)
    assert 3000 - len(p) == scored.counts.mdd().FR
