"""Soft PER: soft costs act inside the alignment (examples of arXiv 2606.11639 as reconstructed)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pedkit.errors import PedkitError
from pedkit.phones import SoftPhones, get_inventory
from pedkit.scoring import Item, Scorer, ScoringSettings, pair_text

PHONES = get_inventory("cmu39").phones
SOFT = SoftPhones("paper", "eng", inventory="cmu39")
SCORER = Scorer(ScoringSettings(inventory="cmu39"))
sequences = st.lists(st.sampled_from(PHONES), max_size=15).map(tuple)


def counts(u, p, **values):
    scorer = Scorer(ScoringSettings(inventory="cmu39", **values)) if values else SCORER
    [scored] = scorer.score([Item("x", None, tuple(u.split()), tuple(p.split()))])
    return scored.counts


def test_soft_pairs_count_inside_the_alignment():
    # In English D~T and D~DH are pairs of the second tier. Re-scoring the hard alignment would give 2 errors.
    found = counts("D DH", "DH D K")
    assert found.per.value == 1.0
    assert found.soft_per.value == 0.5
    assert (found["soft_substitutions"], found["soft_deletions"], found["soft_insertions"]) == (0, 0, 1)
    assert (found["soft_tier1"], found["soft_tier2"]) == (0, 2)


def test_a_tie_does_not_decide():
    found = counts("D", "DH K")
    assert found.per.numerator == 2
    assert found.soft_per.numerator == 1


def test_exact_matches_come_before_soft_ones():
    found = counts("D T", "T")
    assert found.soft_per.numerator == 1
    assert (found["soft_deletions"], found["soft_tier2"]) == (1, 0)


def test_first_tier_and_unknown_symbols():
    found = counts("S AW", "Z AY")  # s and z share a class; AW and AY are in no table
    assert (found["soft_tier1"], found["soft_substitutions"], found["soft_unknown"]) == (1, 1, 2)
    assert found.soft_per.value == 0.5


@pytest.mark.parametrize(("tiers", "errors"), [((1, 2), 0), ((1,), 1), ((2,), 1)])
def test_a_tier_that_is_switched_off_forgives_nothing(tiers, errors):
    # IH heard as IY is forgiven by the first tier, D heard as T by the second.
    found = counts("IH D K", "IY T K", soft_tiers=tiers)
    assert found.soft_per.numerator == errors
    assert (found["soft_tier1"], found["soft_tier2"]) == (int(1 in tiers), int(2 in tiers))


def test_soft_matches_are_shown():
    [scored] = SCORER.score([Item("x", None, ("S", "D", "K"), ("Z", "T", "K", "AY"))])
    assert [pair.type for pair in scored.alignment.pairs("soft")] == ["tier1", "tier2", None, "ins"]
    assert pair_text(scored.alignment, "soft").splitlines()[2].split() == ["~", "~", "=", "I"]


def naive_soft(u, p):
    """Least (cost, -exact, soft) by the textbook recursion on tuples."""
    table = {(0, 0): (0, 0, 0)}
    for i in range(len(u) + 1):
        for j in range(len(p) + 1):
            ways = []
            if i and j:
                x, y = u[i - 1], p[j - 1]
                step = (0, -1, 0) if x == y else (0, 0, 1) if SOFT.equal(x, y) else (1, 0, 0)
                ways.append((table[i - 1, j - 1], step))
            ways += [(table[i - 1, j], (1, 0, 0))] if i else []
            ways += [(table[i, j - 1], (1, 0, 0))] if j else []
            if ways:
                table[i, j] = min(tuple(a + b for a, b in zip(*way, strict=True)) for way in ways)
    return table[len(u), len(p)]


@given(u=sequences, p=sequences)
@settings(max_examples=150, deadline=None)
def test_against_a_table_of_tuples(u, p):
    [scored] = SCORER.score([Item("x", None, u, p)])
    found = scored.counts
    errors = found["soft_substitutions"] + found["soft_deletions"] + found["soft_insertions"]
    soft = found["soft_tier1"] + found["soft_tier2"]
    exact = len(u) - found["soft_substitutions"] - found["soft_deletions"] - soft
    assert (errors, -exact, soft) == naive_soft(u, p)
    assert abs(len(u) - len(p)) <= errors <= found.per.numerator
    rescored = sum(not (x.type is None or (x.type == "sub" and SOFT.equal(x.reference, x.predicted)))
                   for x in scored.alignment.pairs())  # fmt: skip
    assert errors <= rescored <= found.per.numerator
    [swapped] = SCORER.score([Item("x", None, p, u)])
    assert swapped.counts.soft_per.numerator == found.soft_per.numerator


@given(u=sequences, p=sequences)
@settings(max_examples=60, deadline=None)
def test_soft_cost_one_and_no_preset_are_per(u, p):
    for values in ({"soft_cost": 1.0}, {"soft_preset": "none"}):
        [scored] = Scorer(ScoringSettings(inventory="cmu39", **values)).score([Item("x", None, u, p)])
        assert scored.counts.soft_per == scored.counts.per


@given(u=sequences, p=sequences)
@settings(max_examples=100, deadline=None)
def test_first_tier_alone_is_edit_distance_over_classes(u, p):
    scorer = Scorer(ScoringSettings(inventory="cmu39", language="deu"))
    soft = SoftPhones("paper", "deu", inventory="cmu39")
    assert all(soft.tier(a, b) != 2 for a in PHONES for b in PHONES)  # no pair of CMU-39 phones is tagged German
    [scored] = scorer.score([Item("x", None, u, p)])
    classes = [[min(b for b in PHONES if soft.tier(a, b) in (0, 1)) for a in sequence] for sequence in (u, p)]
    assert scored.counts.soft_per.numerator == Levenshtein.distance(*classes)


def test_soft_cost_in_between():
    found = counts("D AA", "T AA", soft_cost=0.25)
    assert (found.soft_per.numerator, found.soft_per.value) == (0.25, 0.125)
    with pytest.raises(PedkitError, match="multiple of 1/48"):
        ScoringSettings(inventory="cmu39", soft_cost=0.3)


def test_an_extra_pair_is_the_english_flap():
    values = {"inventory": "ipa", "language": "eng"}
    item = Item("x", None, ("t",), ("ɾ",))
    [without] = Scorer(ScoringSettings(**values)).score([item])
    [with_flap] = Scorer(ScoringSettings(**values, soft_extra_pairs=(("t", "ɾ"),))).score([item])
    assert (without.counts.soft_per.value, with_flap.counts.soft_per.value) == (1.0, 0.0)
