import random
from collections import Counter

import pytest

from pedkit.errors import PedkitError
from synthetic.design import Cast, UniformSource, draw_design
from synthetic.design.cast import drawn


def test_numbers_are_whole_where_their_limits_are_and_none_is_the_voices_own():
    rng = random.Random(1)
    assert {drawn((3, 5), rng) for _ in range(100)} == {3, 4, 5}
    fractions = [drawn((0.5, 1), rng) for _ in range(100)]
    assert all(0.5 <= x <= 1 and round(x, 3) == x for x in fractions)
    assert len(set(fractions)) > 50
    assert drawn(None, rng) is None


def test_engines_speak_by_their_weights_each_with_its_own_voices_and_rates(design_settings, cmudict):
    casts = {
        "a": Cast(seen=["a1", "a2"], unseen=["a9"], rate=(1, 2), weight=3),
        "b": Cast(seen=["b1"], unseen=[], pitch=(0.5, 0.6)),
    }
    design = draw_design(design_settings(casts=casts), cmudict, UniformSource(), lambda _, request: request.phones)
    train = [item for item in design.items if item.split == "train"]
    assert Counter(item.engine for item in train) == {"a": 30, "b": 10}
    assert Counter(item.request.voice for item in train) == {"a1": 15, "a2": 15, "b1": 10}
    assert {item.request.voice for item in design.items if item.split == "test_unseen"} == {"a9"}
    for item in train:
        assert (item.request.rate in (1, 2), item.request.pitch is None) == (
            (True, True) if item.engine == "a" else (False, False)
        )
    # Not first all of one engine, then all of the other.
    assert 0 < [item.engine for item in train[:20]].count("b") < 10


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unseen": ["f1"]}, "'f1' is in both lists"),
        ({"pitch": (65, 35)}, r"expected pitch to be \[lowest, highest\], but got \[65, 35\]"),
        ({"rate": (200, 100)}, r"expected rate to be \[lowest, highest\], but got \[200, 100\]"),
        ({"weight": 0}, "weight of an engine to be over 0, but got 0"),
    ],
)
def test_a_cast_that_cannot_speak_says_so(changes, message):
    with pytest.raises(PedkitError, match=message):
        Cast(**{"seen": ["f1"], "unseen": ["f9"], **changes})
