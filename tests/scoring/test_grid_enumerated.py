"""The compiled grid against every possible grid on small inputs."""

import naive_grid
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pedkit.scoring import Item, Scorer, ScoringSettings

PHONES = ("IH", "EH", "S", "T", "K")
REALIZED = (*PHONES, "<unk>")
SCORERS = {
    aware: Scorer(ScoringSettings(inventory="cmu39", u_aware=aware, soft_preset="none")) for aware in (True, False)
}

canonicals = st.lists(st.sampled_from(PHONES), max_size=4).map(tuple)
realizeds = st.lists(st.sampled_from(REALIZED), max_size=4).map(tuple)
flag_sets = st.sets(st.integers(0, 3)).map(frozenset)


@given(c=canonicals, u=realizeds, p=canonicals, flags=flag_sets, u_aware=st.booleans())
@settings(max_examples=250, deadline=None)
@example(c=("IH", "T"), u=("IH",), p=("S", "IH"), flags=frozenset(), u_aware=True)
@example(c=("S", "IH", "T"), u=("S", "IH", "T"), p=("S", "EH", "T"), flags=frozenset({1}), u_aware=True)
@example(c=("K", "IH"), u=("<unk>", "IH"), p=("S", "IH"), flags=frozenset(), u_aware=True)
def test_grid_and_counts_are_the_least_of_all(c, u, p, flags, u_aware):
    flags = frozenset(f for f in flags if f < len(c))
    [scored] = SCORERS[u_aware].score([Item("x", c, u, p, flags)])
    columns, outcomes = naive_grid.judge(c, u, p, flags, u_aware)
    assert [(x.canonical, x.realized, x.predicted) for x in scored.alignment.columns] == columns
    assert {name: n for name, n in scored.counts.mdd().by_type.items() if n} == dict(outcomes)


@given(c=canonicals, u=canonicals, p=canonicals)
@settings(max_examples=150, deadline=None)
def test_kaldi3_is_three_kaldi_alignments(c, u, p):
    [scored] = SCORERS[True].score([Item("x", c, u, p)])
    found = scored.counts.mdd("kaldi3").by_type
    assert {name: n for name, n in found.items() if n} == dict(naive_grid.kaldi3(c, u, p))


@given(u=canonicals, p=canonicals)
@settings(max_examples=150, deadline=None)
def test_pair_alignment_is_the_least_of_all(u, p):
    [scored] = SCORERS[True].score([Item("x", None, u, p)])
    assert [(x.reference, x.predicted) for x in scored.alignment.pairs()] == naive_grid.grid(u, p)


@given(u=canonicals, p=canonicals)
@settings(max_examples=150, deadline=None)
def test_plain_ties_are_kaldis(u, p):
    scorer = Scorer(ScoringSettings(inventory="cmu39", tie="plain", soft_preset="none"))
    [scored] = scorer.score([Item("x", None, u, p)])
    assert [(x.reference, x.predicted) for x in scored.alignment.pairs()] == naive_grid.kaldi_align(u, p)


def test_ties_of_the_specification():
    # Section 2.3: spurious S, accepted IH, diagnosed deletion; not "IH heard as S, N heard as IH".
    [scored] = SCORERS[True].score([Item("x", ("IH", "N"), ("IH",), ("S", "IH"))])
    assert [(x.canonical, x.realized, x.predicted, x.outcome, x.type) for x in scored.alignment.columns] == [
        (None, None, "S", "FR", "ins"),
        ("IH", "IH", "IH", "TA", None),
        ("N", None, None, "CD", "del"),
    ]


def test_without_the_realized_phones_the_occupied_column_wins():
    item = Item("x", ("IH", "EH"), ("IH",), ("AH", "IH"))
    [aware], [blind] = SCORERS[True].score([item]), SCORERS[False].score([item])
    assert [(x.canonical, x.predicted) for x in aware.alignment.columns] == [
        (None, "AH"),
        ("IH", "IH"),
        ("EH", None),
    ]
    assert [(x.canonical, x.predicted) for x in blind.alignment.columns] == [("IH", "AH"), ("EH", "IH")]
    assert aware.counts.mdd().by_type["CD_del"] == 1
    assert blind.counts.mdd().by_type["DE_del"] == 1
