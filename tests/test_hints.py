from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.hints import check_arguments, conform


class Entry(TypedDict):
    text: str
    phones: list[str]
    score: NotRequired[float]


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (3, int),
        (np.int64(3), int),
        (3, float),
        (float("inf"), float),
        (None, float | None),
        (True, bool),
        ("a", str),
        ("a", Path),
        (Path("a"), str | Path),
        ("fast", Literal["fast", "slow"]),
        ([1, 2.5], Sequence[float]),
        ({"a": 1}, Mapping[str, int]),
        ({"_target_": "some.thing"}, int),  # built before anybody takes it
        (print, Callable[[str], None]),
        ("anything", Any),
        ({"text": "a", "phones": ["B"], "more": 1}, Entry),
    ],
)
def test_what_fits_comes_back_as_it_is(value, hint):
    assert conform(value, hint, "key") == value


def test_lists_become_tuples_where_the_hint_says_so():
    assert conform([["a", "b"]], tuple[tuple[str, str], ...], "pairs") == (("a", "b"),)
    assert conform(["a"], Sequence[str], "names") == ["a"]


@pytest.mark.parametrize(
    ("value", "hint", "sentence"),
    [
        ("abc", int, "expected key to be a whole number, but got 'abc'"),
        (1.5, int, "expected key to be a whole number, but got 1.5"),
        (True, int, "expected key to be a whole number, but got true"),
        (float("nan"), float, "expected key to be a number, but got nan"),
        (None, float, "expected key to be a number, but got null"),
        ("x", int | float | None, "expected key to be a number or null, but got 'x'"),
        (1, bool, "expected key to be true or false, but got 1"),
        (5, str | Path, "expected key to be text, but got 5 (in quotes it is text: 'key=\"5\"')"),
        ("odd", Literal["fast", "slow"], "expected key to be fast or slow, but got 'odd'"),
        (1, Literal[True], "expected key to be True, but got 1"),
        ("abc", Sequence[str], "expected key to be a list, but got 'abc'"),
        ([None], Sequence[str], "expected key[0] to be text, but got null"),
        ([None], Sequence[str] | str | None, "expected key[0] to be text, but got null"),
        ([1, 2, 3], tuple[int, int], "expected key to be a list of 2, but got [1, 2, 3]"),
        (5, Mapping[str, int], "expected key to be keys with values, but got 5"),
        ({"a": "x"}, Mapping[str, int], "expected key.a to be a whole number, but got 'x'"),
        (5, Callable[[], int], "expected key to be an object with the key _target_, but got 5"),
        ("a", Annotated[list[str], "a list of manifests"], "expected key to be a list of manifests, but got 'a'"),
        ([5], Annotated[list[str], "a list of manifests"], "expected key[0] to be text, but got 5"),
        ({"text": "a"}, Entry, "expected key.phones to be a list, but got null"),
        ({"text": "a", "phones": [], "score": "x"}, Entry, "expected key.score to be a number, but got 'x'"),
        ({"words": 5}, dict[str, list[Entry]], "expected key.words to be a list, but got 5"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named_with_its_place(value, hint, sentence):
    with pytest.raises(PedkitError) as caught:
        conform(value, hint, "key")
    assert str(caught.value) == sentence


class Trainer:
    def __init__(self, rate: float, *, steps: int = None, name="a", **fields: Any) -> None: ...  # noqa: RUF013


def test_arguments_are_checked_against_a_constructor():
    check_arguments(Trainer, {"rate": 1, "steps": None, "name": 5, "width": "x"}, "model")
    with pytest.raises(PedkitError, match=r"^expected model\.steps to be a whole number, but got 'x'$"):
        check_arguments(Trainer, {"rate": 1, "steps": "x"}, "model")


def test_hints_that_only_a_type_checker_knows_are_not_looked_at():
    def function(rate: "Unknown") -> None: ...  # noqa: F821, UP037

    check_arguments(function, {"rate": "x"})
