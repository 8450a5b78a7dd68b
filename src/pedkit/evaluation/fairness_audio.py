"""`AudioMeasures`: covariates that come from the recording where the manifest does not state them."""

from __future__ import annotations

from collections.abc import Callable

from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

DURATION, SNR = "duration", "snr_db"


class AudioMeasures:
    """Length and noise level of recordings, each read once however many systems are compared."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Audio], float | None] = {}

    def measure(self, name: str, utterance: Utterance) -> float | None:
        """Return a covariate of `MEASURED` of one utterance.

        Returns:
            ``duration`` in seconds, ``snr_db`` in decibels; ``None`` where there is no audio, or no estimate.

        Raises:
            PedkitError: The audio cannot be read; the utterance is named.
        """
        if utterance.audio is None:
            return None
        place = name, utterance.audio
        if place not in self._found:
            try:
                self._found[place] = MEASURED[name](utterance)
            except PedkitError as error:
                hint = f"the covariate '{name}' is measured from the audio; the manifest may state it instead"
                raise PedkitError(error.message, hint=hint, utterance=utterance.id, file=error.file) from None
        return self._found[place]


def _seconds(utterance: Utterance) -> float | None:
    from pedkit.data.audio import audio_info

    return None if utterance.audio is None else audio_info(utterance.audio).seconds


def _decibels(utterance: Utterance) -> float | None:
    from pedkit.data.noise_level import utterance_snr

    return utterance_snr(utterance)


MEASURED: dict[str, Callable[[Utterance], float | None]] = {DURATION: _seconds, SNR: _decibels}
"""Name of a covariate -> how it is measured."""
