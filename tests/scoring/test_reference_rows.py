import pytest

from pedkit.errors import PedkitError
from pedkit.scoring import REFERENCE_ROWS, Item, Scorer, ScoringSettings, reference_item

ITEM = Item("x", ("TH", "IH", "NG"), ("S", "IH", "<unk>"), ("T",), frozenset({1}))


def mdd(row):
    return Scorer(ScoringSettings(inventory="cmu39")).total([reference_item(ITEM, row)])


def test_rows():
    assert REFERENCE_ROWS == ("accept_all", "empty", "perfect")
    accept, empty, perfect = (mdd(row) for row in REFERENCE_ROWS)
    assert (accept.mdd().FA, accept.mdd().rates()["recall"].value) == (3, 0.0)
    assert accept.mdd().rates()["precision"].value is None
    assert (empty.mdd().TR, empty["deletions"], empty["empty_predictions"]) == (3, 2, 1)
    # Nobody can name the unknown sound, and nobody who writes phones can signal the marked IH.
    assert perfect.per.value == 0.0
    assert (perfect.mdd().CD, perfect.mdd().DU, perfect.mdd().FA) == (1, 1, 1)


def test_mistakes():
    with pytest.raises(PedkitError, match="'random'"):
        reference_item(ITEM, "random")
    with pytest.raises(PedkitError, match=r"utterance 'x'.*'realized'"):
        reference_item(Item("x", ("T",), None, ()), "perfect")
