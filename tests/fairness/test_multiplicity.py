import pytest

from pedkit.fairness.multiplicity import benjamini_hochberg, holm, stars

P = [0.01, 0.04, 0.03, 0.005]


def test_holm_by_hand():
    # Sorted 0.005 x 4, 0.01 x 3, 0.03 x 2, 0.04 x 1, and no value below the one before.
    assert holm(P) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_hochberg_by_hand():
    # Sorted 0.005 x 4/1, 0.01 x 4/2, 0.03 x 4/3, 0.04 x 4/4, and no value above the one after.
    assert benjamini_hochberg(P) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_undefined_tests_are_no_part_of_the_family(adjust):
    assert adjust([0.01, None, 0.04]) == [*adjust([0.01, 0.04])[:1], None, *adjust([0.01, 0.04])[1:]]
    assert adjust([None]) == [None]
    assert adjust([]) == []
    assert adjust([0.9, 0.8]) == pytest.approx([0.9, 0.9] if adjust is benjamini_hochberg else [1.0, 1.0])


def test_benjamini_hochberg_is_that_of_scipy():
    from scipy.stats import false_discovery_control

    assert benjamini_hochberg([*P, 0.2, 0.2, 0.7]) == pytest.approx(false_discovery_control([*P, 0.2, 0.2, 0.7]))


def test_stars():
    assert [stars(p) for p in (0.0009, 0.001, 0.0099, 0.01, 0.0499, 0.05, None)] == [
        "***",
        "**",
        "**",
        "*",
        "*",
        "",
        "",
    ]
