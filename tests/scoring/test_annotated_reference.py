"""The alignment of canonical and realized phones as the corpus has it (``reference="annotated"``)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pedkit.errors import PedkitError
from pedkit.scoring import Item, Scorer, ScoringSettings

ANNOTATED = Scorer(ScoringSettings(inventory="cmu39", reference="annotated"), references=("accept_all", "perfect"))
COMPUTED = Scorer(ScoringSettings(inventory="cmu39"))
PHONES = ("IH", "EH", "S", "T", "<unk>")


def item(c, u, p, alignment, flags=()):
    return Item("x", tuple(c.split()), tuple(u.split()), tuple(p.split()), frozenset(flags), alignment)


def outcomes(scorer, *case):
    [scored] = scorer.score([item(*case)])
    return {name: n for name, n in scored.counts.mdd().by_type.items() if n}


@pytest.mark.parametrize(
    ("phones", "alignment", "annotated", "computed"),
    [
        # Two substitutions for the annotator, a deletion and an insertion for the aligner.
        (("T IH", "IH T", "IH T"), "MM", {"CD_sub": 2}, {"CD_del": 1, "TA": 1, "CD_ins": 1}),
        (("T IH", "IH T", "T IH"), "MM", {"FA_sub": 2}, {"FA_del": 1, "TA": 1, "FA_ins": 1}),
        # T left out and said afterwards: nobody but the annotator can know.
        (("S IH T", "S IH T", "S IH T"), "MMDI", {"TA": 2, "FA_del": 1, "FA_ins": 1}, {"TA": 3}),
        # A repeated sound: which of the two was inserted.
        (
            ("S IH", "S S IH", "S S EH"),
            "IMM",
            {"CD_ins": 1, "TA": 1, "FR_sub": 1},
            {"TA": 1, "CD_ins": 1, "FR_sub": 1},
        ),
        # Fewest flagged columns come first: T on S (2 flagged), not S left out and both insertions heard (3).
        (("S", "T EH", "T EH"), "DII", {"DE_del": 1, "FA_ins": 1, "CD_ins": 1}, {"CD_sub": 1, "CD_ins": 1}),
    ],
)
def test_the_annotators_columns_are_kept(phones, alignment, annotated, computed):
    assert outcomes(ANNOTATED, *phones, alignment) == annotated
    assert outcomes(COMPUTED, *phones, alignment) == computed


def test_columns_stand_where_the_annotator_put_them():
    [scored] = ANNOTATED.score([item("S IH", "S S IH", "S IH", "IMM")])
    assert [(x.canonical, x.realized, x.predicted) for x in scored.alignment.columns] == [
        (None, "S", None),
        ("S", "S", "S"),
        ("IH", "IH", "IH"),
    ]


def test_flags_and_unknown_sounds_keep_their_meaning():
    assert outcomes(ANNOTATED, "S IH", "S IH", "S EH", "MM", {1}) == {"TA": 1, "DU_sub": 1}
    # T on the deleted S is one flagged column; on the inserted sound it would be two.
    assert outcomes(ANNOTATED, "S", "<unk>", "T", "DI") == {"DE_del": 1, "FA_ins": 1}
    assert outcomes(ANNOTATED, "S", "<unk>", "T", "M") == {"DU_sub": 1}


@given(
    columns=st.lists(
        st.tuples(st.sampled_from("MDI"), st.sampled_from(PHONES[:4]), st.sampled_from(PHONES)), max_size=7
    ),
    p=st.lists(st.sampled_from(PHONES[:4]), max_size=7),
    flags=st.sets(st.integers(0, 6)),
)
@settings(max_examples=200, deadline=None)
def test_checksums_with_annotated_columns(columns, p, flags):
    letters = "".join(letter for letter, _, _ in columns)
    c = tuple(phone for letter, phone, _ in columns if letter != "I")
    u = tuple(phone for letter, _, phone in columns if letter != "D")
    flags = frozenset(flag for flag in flags if flag < len(c))
    [scored] = ANNOTATED.score([Item("x", c, u, tuple(p), flags, letters)])
    mdd, counts = scored.counts.mdd(), scored.counts
    errors = sum(letter != "M" or x != y or y == "<unk>" for letter, x, y in columns)
    assert counts["canonical_realized_distance"] == errors
    found_errors = mdd.TR + mdd.FA
    assert found_errors == errors + counts["flagged_equal"]
    [computed] = COMPUTED.score([Item("x", c, u, tuple(p), flags)])
    assert (
        mdd.TR + mdd.FR
        == counts["canonical_predicted_distance"]
        == computed.counts.mdd().TR + computed.counts.mdd().FR
    )
    assert counts.per == computed.counts.per
    found = [(x.canonical, x.realized) for x in scored.alignment.columns if x.canonical or x.realized]
    assert found == [(None if k == "I" else x, None if k == "D" else y) for k, x, y in columns]


def test_reference_rows_use_the_same_columns():
    scorer = Scorer(
        ScoringSettings(inventory="cmu39", reference="annotated"), references=("accept_all", "perfect")
    )
    scorer.total([item("S IH T", "S IH T", "S IH T", "MMDI")])
    assert scorer.references["accept_all"].mdd().FA == 2
    # What the annotator heard is S IH T: the phone deleted and said later cannot be seen in it.
    assert scorer.references["perfect"].mdd().FA == 2


def test_utterances_that_are_not_judged_need_no_alignment():
    [scored] = ANNOTATED.score([Item("x", None, ("S",), ("T",))])
    assert (scored.counts["substitutions"], scored.counts["mdd_utterances"]) == (1, 0)


@pytest.mark.parametrize(
    ("alignment", "message"),
    [
        (None, "needs the annotator's alignment, but there is none"),
        ("M", "for 2 canonical and 2 realized phones, but got 'M'"),
        ("MDI", None),
        ("MXM", "for 2 canonical and 2 realized phones, but got 'MXM'"),
        ("MMX", "for 2 canonical and 2 realized phones, but got 'MMX'"),
        ("MMD", "for 2 canonical and 2 realized phones, but got 'MMD'"),
    ],
)
def test_an_alignment_has_to_fit(alignment, message):
    if message is None:
        assert outcomes(ANNOTATED, "S IH", "S IH", "S IH", alignment) == {"TA": 1, "FA_del": 1, "FA_ins": 1}
        return
    with pytest.raises(PedkitError, match=r"utterance 'x'") as error:
        outcomes(ANNOTATED, "S IH", "S IH", "S IH", alignment)
    assert message in str(error.value)


def test_there_are_two_kinds():
    with pytest.raises(PedkitError, match="expected 'reference' to be one of computed, annotated, but got 'mine'"):
        ScoringSettings(inventory="cmu39", reference="mine")
