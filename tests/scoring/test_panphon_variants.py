import pytest

from pedkit.errors import PedkitError
from pedkit.scoring.panphon_variants import pfer_phoneticxeus, pfer_prism, pfer_zipa


def test_by_hand():
    # pa/ba: voicing, one of 24 features, differs. A deletion costs 1 in panphon's Hamming distance; in its feature
    # edit distance a specified feature costs 1 and an unspecified one (4 of the 24 of "a") one half.
    references, predictions = ["pa", "pata"], ["ba", "pat"]
    assert pfer_prism(references, predictions) == pytest.approx((1 / 24 + 1) / 2)
    assert pfer_zipa(references, predictions) == pytest.approx((1 / 24 + 22 / 24) / 2)
    assert pfer_phoneticxeus(references, predictions) == pytest.approx(100 * (1 / 24 + 22 / 24) / 6)


def test_nothing_and_unequal_lengths():
    assert pfer_prism([], []) is pfer_zipa([], []) is pfer_phoneticxeus([], []) is None
    with pytest.raises(PedkitError, match="got 1 references and 0 predictions"):
        pfer_prism(["a"], [])
