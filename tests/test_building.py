from __future__ import annotations

import pytest

from pedkit.building import build, check
from pedkit.errors import PedkitError


class Inner:
    def __init__(self, width: int) -> None:
        if width < 0:
            raise ValueError(f"negative\nwidth {width}")
        if width == 0:
            raise ZeroDivisionError
        self.width = width


class Outer:
    def __init__(self, inner: Inner, rate: float = 1.0) -> None:
        if rate < 0:
            raise PedkitError(f"expected rate to be 0 or more, but got {rate}")
        self.inner, self.rate = inner, rate


def outer(width=3, **values):
    return {
        "_target_": f"{__name__}.Outer",
        "inner": {"_target_": f"{__name__}.Inner", "width": width},
        **values,
    }


def test_objects_are_built_inside_one_another():
    made = build(outer(), "model", rate=0.5)
    assert (made.inner.width, made.rate) == (3, 0.5)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (outer("abc"), "expected model.inner.width to be a whole number, but got 'abc'"),
        (outer(rate="x"), "expected model.rate to be a number, but got 'x'"),
        (outer(rate="???"), "the setting model.rate must be given (add model.rate=... to the command)"),
        (outer("???"), "the setting model.inner.width must be given (add model.inner.width=... to the command)"),
        (outer(rate=-1.0), "expected rate to be 0 or more, but got -1.0"),
        (outer(-3), "model cannot be built from these settings: negative width -3"),
        (
            outer(foo=1),
            "model cannot be built from these settings: Outer.__init__() got an unexpected keyword argument 'foo'",
        ),
        (outer(_target_="pedkit.models.Foo"), "model._target_ names 'pedkit.models.Foo', which does not exist"),
        (
            outer(_target_=5),
            "expected model._target_ to be text, but got 5 (in quotes it is text: 'model._target_=\"5\"')",
        ),
        (5, "expected model to be a preset or to have the key _target_, but got 5"),
    ],
)
def test_what_cannot_be_built_is_one_sentence(settings, sentence):
    with pytest.raises(PedkitError) as caught:
        build(settings, "model")
    assert str(caught.value) == sentence


def test_a_fault_of_a_constructor_stays_what_it_is():
    with pytest.raises(ZeroDivisionError):
        build(outer(0), "model")


def test_all_parts_are_checked_before_any_is_built():
    with pytest.raises(PedkitError, match=r"^expected callbacks\[1\]\.inner\.width to be a whole number"):
        check({"model": outer(-3), "callbacks": [outer(), outer("x")]})
