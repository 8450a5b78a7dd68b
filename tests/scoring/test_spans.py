from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pedkit.errors import PedkitError
from pedkit.scoring import Item, MddCounts, Scorer, ScoringSettings, WordDecisions, span

SCORER = Scorer(ScoringSettings(inventory="cmu39"))


def align(c, u, p):
    [scored] = SCORER.score([Item("x", tuple(c.split()), tuple(u.split()), tuple(p.split()))])
    return scored.alignment


# Grid: (P,P,P) (-,AH,-) (R,R,R) (AA,AO,AO) (B,B,B) (L,L,L) (AH,AH,AH) (M,N,M) (-,-,S)
PROBLEM = ("P R AA B L AH M", "P AH R AO B L AH N", "P R AO B L AH M S")


def nonzero(counts):
    return {name: n for name, n in counts.by_type.items() if n}


def test_both_boundaries_share_a_slot():
    alignment = align(*PROBLEM)
    assert nonzero(span(alignment, 0, 1).counts) == {"TA": 1, "FA_ins": 1}
    assert nonzero(span(alignment, 1, 3).counts) == {"TA": 1, "CD_sub": 1, "FA_ins": 1}
    assert nonzero(span(alignment, 5, 7).counts) == {"TA": 1, "FA_sub": 1, "FR_ins": 1}


def test_left_boundaries_add_up():
    alignment = align(*PROBLEM)
    words = [span(alignment, i, j, boundary="left").counts for i, j in ((0, 1), (1, 3), (3, 7))]
    assert [nonzero(word) for word in words] == [
        {"TA": 1},
        {"TA": 1, "CD_sub": 1, "FA_ins": 1},
        {"TA": 3, "FA_sub": 1, "FR_ins": 1},
    ]
    assert sum(words[1:], words[0]) == MddCounts.of({"TA": 5, "FR_ins": 1, "FA_sub": 1, "FA_ins": 1, "CD_sub": 1})


@given(
    st.lists(st.sampled_from(("AA", "S", "T")), min_size=1, max_size=8),
    st.lists(st.sampled_from(("AA", "S", "T")), max_size=8),
    st.lists(st.sampled_from(("AA", "S", "T")), max_size=8),
    st.data(),
)
@settings(max_examples=100, deadline=None)
def test_left_words_are_a_partition(c, u, p, data):
    [scored] = SCORER.score([Item("x", tuple(c), tuple(u), tuple(p))])
    inner = sorted(data.draw(st.sets(st.integers(1, len(c) - 1)))) if len(c) > 1 else []
    cuts = [0, *inner, len(c)]
    words = [span(scored.alignment, i, j, boundary="left").counts for i, j in pairwise(cuts)]
    assert sum(words[1:], words[0]) == scored.counts.mdd()


def test_word_decisions():
    alignment = align(*PROBLEM)
    spans = [span(alignment, i, j, boundary="left") for i, j in ((0, 1), (1, 3), (3, 5), (5, 7))]
    assert [(one.faulty, one.flagged) for one in spans] == [
        (False, False), (True, True), (False, False), (True, True),
    ]  # fmt: skip
    total = sum(map(WordDecisions.of, spans), WordDecisions())
    assert total == WordDecisions(TA=2, FR=0, FA=0, TR=2)
    rates = total.rates()
    assert (rates["f1"].value, rates["frr"].value) == (1.0, 0.0)
    assert set(rates) == {"frr", "far", "precision", "recall", "f1", "detection_accuracy"}
    assert WordDecisions(FA=1).rates()["precision"].value is None


def test_profiles_and_mistakes():
    alignment = align(*PROBLEM)
    assert nonzero(span(alignment, 5, 7, profile="canonical_only").counts) == {"TA": 1, "FA_sub": 1}
    with pytest.raises(PedkitError, match=r"inside the 7 canonical phones, but got \[3, 8\)"):
        span(alignment, 3, 8)
    with pytest.raises(PedkitError, match="'boundary'"):
        span(alignment, 0, 1, boundary="right")
    with pytest.raises(PedkitError, match="no grid"):
        span(alignment, 0, 1, profile="kaldi3")
    [unjudged] = SCORER.score([Item("u7", None, ("T",), ("T",))])
    with pytest.raises(PedkitError, match="'u7'"):
        span(unjudged.alignment, 0, 1)
