import pytest

from pedkit.scoring import InventoryScore, inventory_f1, macro_inventory_f1


def test_exact():
    # A = {p, b, t}, B = {p, b, d, k}: 2 common, P = 2/3, R = 2/4, F1 = 4/7
    score = inventory_f1(["p", "b", "t", "t"], ["p", "b", "d", "k"])
    assert (score.precision, score.recall) == (pytest.approx(2 / 3), 0.5)
    assert score.f1 == pytest.approx(4 / 7)


def test_look_alikes_are_one_phone():
    assert inventory_f1(["g", "ʤ"], ["ɡ", "d͡ʒ"]) == InventoryScore(1.0, 1.0, 1.0)


def test_identical_and_disjoint():
    assert inventory_f1(["p", "b"], ["b", "p"]) == InventoryScore(1.0, 1.0, 1.0)
    assert inventory_f1(["p"], ["b"]) == InventoryScore(0.0, 0.0, 0.0)


def test_fuzzy_by_features():
    # t and d differ in voicing only, one of 24 features; k differs from p (its nearest) in more.
    score = inventory_f1(["t"], ["d"], fuzzy=True)
    assert score == InventoryScore(*[pytest.approx(23 / 24)] * 3)
    same = inventory_f1(["T"], ["D"], inventory="cmu39", fuzzy=True)
    assert same.f1 == pytest.approx(23 / 24)
    mixed = inventory_f1(["t", "d"], ["t"], fuzzy=True)
    assert (mixed.precision, mixed.recall) == (pytest.approx((1 + 23 / 24) / 2), 1.0)


def test_undefined_and_macro():
    empty = inventory_f1([], ["p"])
    assert (empty.f1, empty.reason) == (None, "no predicted phones")
    assert inventory_f1(["p"], []).reason == "no reference phones"
    scores = {"deu": inventory_f1(["p"], ["p"]), "spa": inventory_f1(["p"], ["b"]), "fra": empty}
    macro = macro_inventory_f1(scores)
    assert (macro.f1, macro.languages, macro.undefined) == (0.5, 2, 1)
    assert macro_inventory_f1({"fra": empty}).f1 is None
