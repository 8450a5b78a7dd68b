"""From the group ``synthetic`` of the config to `DesignSettings`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pedkit.hints import conform, keywords
from synthetic.building import built
from synthetic.design.cast import Cast
from synthetic.design.embedding import Carriers
from synthetic.design.error_settings import ErrorSettings
from synthetic.design.settings import Addition, DesignSettings, share_of_addition
from synthetic.design.sources import ErrorSource
from synthetic.design.where import Where
from synthetic.design.word_settings import WordSettings

T = TypeVar("T")
PLACE = "synthetic"

_Section = Mapping[str, Any]


def read_design_settings(seed: int, group: _Section, casts: Mapping[str, Cast]) -> DesignSettings:
    """Return the settings of a design.

    Args:
        seed: Seed of everything that is drawn.
        group: The group ``synthetic`` as plain containers; keys that are not about the design are passed over.
        casts: The voices of each engine.

    Raises:
        PedkitError: A value cannot be used; its key is named.
    """
    addition = _optional(group, "addition")
    carriers = _optional(group, "carriers")
    return DesignSettings(
        seed=seed,
        sizes=conform(group.get("sizes"), Mapping[str, int], f"{PLACE}.sizes"),
        casts=casts,
        words=_words(group, PLACE),
        errors=_errors(group, PLACE),
        addition=None if addition is None else _addition(addition, f"{PLACE}.addition"),
        carriers=None if carriers is None else _made(Carriers, carriers, f"{PLACE}.carriers"),
    )


def _optional(group: _Section, name: str) -> _Section | None:
    section: _Section | None = conform(group.get(name), _Section | None, f"{PLACE}.{name}")
    return section


def _made(cls: type[T], values: _Section, place: str) -> T:
    return cls(**keywords(cls, values, place=place))


def _words(group: _Section, place: str) -> WordSettings:
    return _made(WordSettings, conform(group.get("words"), _Section, f"{place}.words"), f"{place}.words")


def _errors(group: _Section, place: str) -> ErrorSettings:
    place = f"{place}.errors"
    values = conform(group.get("errors"), _Section, place)
    where = conform(values.get("where") or {}, _Section, f"{place}.where")
    others = {key: value for key, value in values.items() if key != "where"}
    limits = _made(Where, where, f"{place}.where")
    return ErrorSettings(**keywords(ErrorSettings, others, place=place), where=limits)


def _addition(values: _Section, place: str) -> Addition:
    source = values.get("source")
    errors = conform(values.get("errors") or {}, _Section, f"{place}.errors")
    others = {key: value for key, value in values.items() if key not in ("words", "errors", "source")}
    return Addition(
        **keywords(Addition, others, place=place),
        words=_words({"words": {}, **values}, place),
        errors=_errors({"errors": {"share": share_of_addition(errors.get("minimal_pairs")), **errors}}, place),
        source=None if source is None else built(source, f"{place}.source", ErrorSource, "a source of errors"),
    )
