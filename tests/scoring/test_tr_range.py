"""The range of TR over all equally good alignments, against every possible grid on small inputs."""

import naive_grid
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pedkit.errors import PedkitError
from pedkit.scoring import Counts, Item, Scorer, ScoringSettings

SCORER = Scorer(ScoringSettings(inventory="cmu39", tr_range=True, soft_preset="none"))
PHONES = ("IH", "S", "T")


def counts(c, u, p, flags=()):
    return SCORER.total([Item("x", tuple(c.split()), tuple(u.split()), tuple(p.split()), frozenset(flags))])


@pytest.mark.parametrize(
    ("c", "u", "p", "expected"),
    [
        # S was said where IH belongs, and P is right: one error, missed.
        ("IH", "S", "IH", (0, 0)),
        ("IH T", "S T", "S T", (1, 1)),
        # The second T was said as S and one T was heard. Either it is the first, and the second is flagged
        # rightly, or it is the second, and the first is flagged wrongly.
        ("T T", "T S", "T", (0, 1)),
        # An inserted phone and a spurious one may be the same column or two.
        ("T", "T S", "T IH", (0, 1)),
        ("", "S", "IH", (0, 1)),
        ("", "", "", (0, 0)),
    ],
)
def test_ranges_by_hand(c, u, p, expected):
    assert counts(c, u, p).tr_range == expected


def naive_range(c, u, p, flags):
    """List every C-U alignment of least cost and every placement of P with the fewest p != c."""
    ways = [naive_grid.columns_of(moves, c, u, None) for moves in naive_grid.all_moves(len(c), len(u))]
    costs = [sum(naive_grid.differ(x, y) for x, y in way) for way in ways]
    found = []
    for way in (way for way, cost in zip(ways, costs, strict=True) if cost == min(costs)):
        for moves in naive_grid.all_moves(len(way), len(p)):
            columns = [(*cu, q) for cu, q in naive_grid.columns_of(moves, way, p, (None, None))]
            places = iter(range(len(c)))
            names = [
                naive_grid.outcome(x, y, q, x is not None and next(places) in flags)[:2] for x, y, q in columns
            ]
            flagged = sum(naive_grid.differ(q, x) for x, _, q in columns)
            found.append((flagged, sum(name in ("CD", "DE", "DU") for name in names)))
    best = [tr for flagged, tr in found if flagged == min(found)[0]]
    return min(best), max(best)


sequences = st.lists(st.sampled_from(PHONES), max_size=4).map(tuple)
realizeds = st.lists(st.sampled_from((*PHONES, "<unk>")), max_size=4).map(tuple)


@given(c=sequences, u=realizeds, p=sequences, flags=st.sets(st.integers(0, 3)))
@settings(max_examples=200, deadline=None)
@example(c=("T", "T"), u=("T", "T"), p=("T",), flags={1})
def test_against_every_grid(c, u, p, flags):
    flags = frozenset(flag for flag in flags if flag < len(c))
    [scored] = SCORER.score([Item("x", c, u, p, flags)])
    assert scored.counts.tr_range == naive_range(c, u, p, flags)
    fewest, most = scored.counts.tr_range
    assert fewest <= scored.counts.mdd().TR <= most


def test_ranges_add_up_and_are_absent_where_they_were_not_computed():
    first, second = counts("T T", "T S", "T"), counts("IH T", "S T", "S T")
    assert (first + second).tr_range == (1, 2)
    assert (first + second).to_json()["tr_range"] == {"fewest": 1, "most": 2}
    plain = Scorer(ScoringSettings(inventory="cmu39")).total([Item("x", ("T",), ("T",), ("T",))])
    assert plain.tr_range is None
    assert plain.to_json()["tr_range"] is None
    assert (first + plain).tr_range is None
    assert Counts.zero().tr_range is None


def test_utterances_that_are_not_judged_take_no_part():
    total = SCORER.total([Item("a", None, ("T",), ("S",)), Item("b", ("T", "T"), ("T", "S"), ("T",))])
    assert total.tr_range == (0, 1)


def test_settings_that_exclude_each_other_and_sequences_that_are_too_long():
    with pytest.raises(PedkitError, match="reference=annotated leaves no choice"):
        ScoringSettings(inventory="cmu39", reference="annotated", tr_range=True)
    with pytest.raises(
        PedkitError, match=r"utterance 'x': tr_range looks through at most 2048 phones, but got 2049"
    ):
        counts("T", "T", "T " * 2049)
