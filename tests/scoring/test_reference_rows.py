import pytest

from pedkit.errors import PedkitError
from pedkit.scoring import REFERENCE_ROWS, Item, Scorer, ScoringSettings, reference_prediction

ITEM = Item("x", ("TH", "IH", "NG"), ("S", "IH", "<unk>"), ("T",), frozenset({1}))
CMU = ScoringSettings(inventory="cmu39")


def rows(items, **settings):
    scorer = Scorer(ScoringSettings(inventory="cmu39", **settings), REFERENCE_ROWS)
    scorer.total(items)
    return scorer.references


def test_rows():
    assert REFERENCE_ROWS == ("accept_all", "empty", "perfect")
    accept, empty, perfect = rows([ITEM]).values()
    assert (accept.mdd().FA, accept.mdd().rates()["recall"].value) == (3, 0.0)
    assert accept.mdd().rates()["precision"].value is None
    assert (empty.mdd().TR, empty["deletions"], empty["empty_predictions"]) == (3, 2, 1)
    # Nobody can name the unknown sound, and nobody who writes phones can signal the marked IH.
    assert perfect.per.value == 0.0
    assert (perfect.mdd().CD, perfect.mdd().DU, perfect.mdd().FA) == (1, 1, 1)


def test_rows_are_what_their_predictions_score():
    items = [ITEM, Item("y", ("T", "AA"), ("T", "AA", "N"), ()), Item("z", (), (), ("K",))]
    for row, counts in rows(items, batch_size=2).items():
        heard = [Item(i.id, i.canonical, i.realized, reference_prediction(i, row), i.flags) for i in items]
        assert Scorer(CMU).total(heard) == counts


def test_a_row_that_nobody_can_fill_in_vanishes():
    unheard = Item("y", ("T", "AA"), None, ("T",))
    found = rows([unheard, ITEM], per_reference="canonical")
    assert list(found) == ["accept_all", "empty"]
    # y is not judged: only x, with its three errors, takes part in detection
    assert (found["accept_all"].per.numerator, found["accept_all"].mdd().FA) == (0, 3)
    assert found["empty"].per.numerator == 5


def test_an_unknown_row():
    with pytest.raises(PedkitError, match="'random'"):
        reference_prediction(ITEM, "random")
