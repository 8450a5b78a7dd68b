"""`confounding`: which attributes of speakers go together, so that a gap may belong to another attribute."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from pedkit.errors import PedkitError
from pedkit.fairness.association import (
    SEVERAL,
    AttributePair,
    CovariateByGroup,
    attribute_pair,
    covariate_by_group,
)
from pedkit.fairness.groups import UNKNOWN
from pedkit.fairness.observation import Observation
from pedkit.fairness.sample import Attribute, attribute_name, joined_value


@dataclass(frozen=True, slots=True)
class Confounding:
    """All pairs of attributes, and every number by every attribute."""

    pairs: tuple[AttributePair, ...]
    covariates: tuple[CovariateByGroup, ...]

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data; what is undefined is ``None`` with a reason."""
        return {
            "pairs": [asdict(one) for one in self.pairs],
            "covariates": [asdict(one) for one in self.covariates],
        }


def confounding(
    observations: Iterable[Observation],
    attributes: Sequence[Attribute],
    *,
    covariates: Sequence[str] = (),
    pool_corpora: bool = False,
) -> Confounding:
    """Say which attributes and covariates go together. Every speaker counts once, however much he or she said.

    Args:
        observations: The utterances of one system.
        attributes: Names in ``Observation.groups``; every pair of them is looked at.
        covariates: Names in ``Observation.covariates``, looked at by every attribute.
        pool_corpora: True takes observations of several corpora together.

    Raises:
        PedkitError: No observation has a speaker, or observations of several corpora come together.
    """
    observed = [one for one in observations if one.speaker is not None]
    if not observed:
        raise PedkitError("attributes are compared by speaker, and no observation has a speaker")
    corpora = sorted({one.corpus for one in observed})
    if len(corpora) > 1 and not pool_corpora:
        raise PedkitError(
            f"expected observations of one corpus, but got several: {', '.join(corpora)}",
            hint="a table for each, or pool_corpora=True",
        )
    values = {attribute_name(one): _by_speaker(observed, one) for one in attributes}
    numbers = {name: _means(observed, name) for name in covariates}
    return Confounding(
        tuple(attribute_pair(first, second, values) for first, second in combinations(values, 2)),
        tuple(covariate_by_group(name, one, numbers[name], values[one]) for name in covariates for one in values),
    )


def _by_speaker(observed: Sequence[Observation], attribute: Attribute) -> dict[str, str | None]:
    """Return the value of each speaker, see `pedkit.fairness.association.Values`."""
    keys = (attribute,) if isinstance(attribute, str) else attribute
    seen: dict[str, set[str]] = defaultdict(set)
    for one in observed:
        seen[str(one.speaker)].add(joined_value(one, keys))
    known = {speaker: found - {UNKNOWN} for speaker, found in seen.items()}
    return {speaker: SEVERAL if len(found) > 1 else next(iter(found), None) for speaker, found in known.items()}


def _means(observed: Sequence[Observation], covariate: str) -> dict[str, float]:
    found: dict[str, list[float]] = defaultdict(list)
    for one in observed:
        if covariate in one.covariates:
            found[str(one.speaker)].append(one.covariates[covariate])
    if not found:
        raise PedkitError(f"no observation has the covariate '{covariate}'")
    return {speaker: math.fsum(numbers) / len(numbers) for speaker, numbers in found.items()}
