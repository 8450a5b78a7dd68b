"""`assign_splits`: whole speakers (or other units) to splits, in given shares, the same on every machine."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pedkit.data.draw import lot
from pedkit.data.keys import key_value
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class _Unit:
    """Utterances that must stay together, by their places."""

    name: str
    members: tuple[int, ...]
    stratum: str


def assign_splits(
    utterances: Sequence[Utterance],
    shares: Mapping[str, Fraction],
    *,
    by: Sequence[str] = ("speaker",),
    stratify: str | None = None,
    seed: int = 0,
) -> list[str]:
    """Return a split for each utterance.

    Utterances that have one of the keys ``by`` in common are a unit and stay together, through any number of
    steps. Units come in random order (`pedkit.data.draw.lot`), stratum after stratum; each goes to the split that
    then lacks most of its share of the utterances. What a small stratum cannot share out exactly is made up for by
    the next. So no split gets more than its share and the largest unit together.

    Args:
        utterances: The utterances.
        shares: Split -> share, in any unit (8, 1, 1 or 0.8, 0.1, 0.1); shares in utterances.
        by: Fields or group keys; every utterance must have them.
        stratify: Field or group key whose values are shared out alike; utterances that lack it are a stratum.
        seed: Seed of the order.

    Raises:
        PedkitError: A share is not above 0, an utterance lacks a key, a unit has two values of ``stratify``, or a
            split would get nothing.
    """
    if not shares or min(shares.values()) <= 0:
        raise PedkitError("expected every share to be more than 0, such as train=0.8 dev=0.1 test=0.1")
    units = _units(utterances, by, stratify)
    if len(units) < len(shares):
        what = " and ".join(by)
        raise PedkitError(
            f"expected a {what} at least for each of {len(shares)} splits, but there are {len(units)}"
        )
    total = sum(shares.values())
    wanted = {name: Fraction(0) for name in shares}
    split_of = [""] * len(utterances)
    for stratum in sorted({unit.stratum for unit in units}):
        there = sorted((u for u in units if u.stratum == stratum), key=lambda unit: lot(seed, unit.name))
        size = sum(len(unit.members) for unit in there)
        for name, share in shares.items():
            wanted[name] += share * size / total
        for unit in there:
            neediest = max(wanted, key=wanted.__getitem__)  # the first of equals
            wanted[neediest] -= len(unit.members)
            for place in unit.members:
                split_of[place] = neediest
    empty = [name for name in shares if name not in Counter(split_of)]
    if empty:
        raise PedkitError(f"the split {empty[0]!r} would get nothing: too few units, or too small a share")
    return split_of


def _units(utterances: Sequence[Utterance], by: Sequence[str], stratify: str | None) -> list[_Unit]:
    root = list(range(len(utterances)))

    def find(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    first: dict[tuple[str, str], int] = {}
    for place, utterance in enumerate(utterances):
        for key in by:
            value = key_value(utterance, key)
            if value is None:
                raise PedkitError(
                    f"expected every utterance to have '{key}', by which splits are kept apart",
                    utterance=utterance.id,
                )
            met = first.setdefault((key, str(value)), place)
            root[find(place)] = find(met)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(utterances)):
        members[find(place)].append(place)
    return [
        _unit([utterances[place] for place in places], tuple(places), by, stratify) for places in members.values()
    ]


def _unit(
    utterances: Sequence[Utterance], places: tuple[int, ...], by: Sequence[str], stratify: str | None
) -> _Unit:
    # The name must not depend on the order of the manifest, or the split would.
    name = min(f"{key}={key_value(utterance, key)}" for utterance in utterances for key in by)
    if stratify is None:
        return _Unit(name, places, "")
    values = {str(key_value(utterance, stratify)) for utterance in utterances}
    if len(values) > 1:
        raise PedkitError(
            f"{name} has several values of '{stratify}' ({', '.join(sorted(values))}), so it is in no one stratum",
            utterance=utterances[0].id,
        )
    return _Unit(name, places, values.pop())
