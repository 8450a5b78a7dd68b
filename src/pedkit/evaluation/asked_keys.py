"""Group keys and covariates that nobody has, found before hours of hearing and not after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import MEASURED, AudioMeasures
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.observing import Observer
from pedkit.fairness import Observation
from pedkit.fairness.groups import UNKNOWN, GroupSums
from pedkit.scoring import Counts


class _Measurable(AudioMeasures):
    """Takes for granted that what is measured from audio can be, without opening it."""

    def measure(self, name: str, utterance: Utterance) -> float | None:
        return 0.0 if name in MEASURED and utterance.audio is not None else None


def check_asked(utterances: Iterable[Utterance], groups: Sequence[str], compare: FairnessSettings | None) -> None:
    """Check that there are utterances with each key that will be asked for once all is heard.

    Args:
        utterances: The test set.
        groups: Group keys to break results down by.
        compare: How groups are compared; ``None`` where they are not.

    Raises:
        PedkitError: No utterance has a group key or covariate, or a covariate is no number; it is named.
    """
    if not groups:
        return
    covariates = () if compare is None else compare.covariates
    sums, nothing = GroupSums(groups), Counts.zero()
    observer = Observer(metrics=("wer",), attributes=groups, covariates=covariates, measures=_Measurable())
    for utterance in utterances:
        sums.add(utterance, nothing)
        observer.add_words(utterance, 0, 0)
    sums.groups()  # raises where no utterance has a key
    expect_covariates(observer.observations(), covariates)


def expect_covariates(observations: Iterable[Observation], covariates: Sequence[str]) -> None:
    """Raise a `PedkitError` where no utterance has one of the covariates, neither as a number nor as a group."""
    known: set[str] = set()
    for one in observations:
        known |= one.covariates.keys() | {key for key, value in one.groups.items() if value != UNKNOWN}
    for name in covariates:
        if name not in known:
            measured = f"{', '.join(MEASURED)} are measured where there is audio"
            raise PedkitError(f"no utterance has the covariate '{name}'", hint=measured)
