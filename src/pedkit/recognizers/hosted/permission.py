"""Which recordings may be sent to somebody else: those whose manifest says so, and no others."""

from __future__ import annotations

from collections.abc import Iterable

from pedkit.data.utterance import Utterance
from pedkit.recognizers.protocol import RecognizerStoppedError


def check_permission(utterances: Iterable[Utterance], host: str) -> None:
    """Check that every recording may be passed on: ``may_upload`` is true. Missing is taken as no.

    Raises:
        RecognizerStoppedError: One may not; how many, and the first of them, are named.
    """
    number, forbidden, unsaid = 0, [], []
    for utterance in utterances:
        number += 1
        if utterance.may_upload is None:
            unsaid.append(utterance.id)
        elif not utterance.may_upload:
            forbidden.append(utterance.id)
    if forbidden:
        raise RecognizerStoppedError(
            f"{len(forbidden)} of {number} recordings may not be sent to {host}: their may_upload is false",
            utterance=forbidden[0],
            hint="recognizer.own_server=true says that the server is yours and audio stays with you",
        )
    if unsaid:
        raise RecognizerStoppedError(
            f"{len(unsaid)} of {number} recordings do not say whether they may be sent to {host}",
            utterance=unsaid[0],
            hint="write may_upload: true into the manifest where the licence and the speakers allow it; "
            "recognizer.own_server=true says that the server is yours",
        )
