"""Saying the items of a design in processes: each item once, whatever an engine does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError
from synthetic.design import DesignItem
from synthetic.speaking.progress import Progress
from synthetic.speaking.saying import Refused, Spoken
from synthetic.speaking.workers import Failure, Workers

_PATIENCE = 10  # items that may fail before the first one succeeds


@dataclass(slots=True)
class Outcome:
    """What became of the items: the audio of each by id, or why it has none."""

    audio: dict[str, Audio] = field(default_factory=dict)
    refused: dict[str, Refused] = field(default_factory=dict)


def speak_items(
    items: Sequence[DesignItem],
    workers: Workers[DesignItem, Spoken | Refused],
    made: Mapping[str, Audio] | None,
) -> Outcome:
    """Say the items whose audio is not there yet, and show how far it is.

    Args:
        items: What to say.
        workers: Processes that say them (see `Sayer`); the outcome does not depend on their number.
        made: Audio that is there already, by item id; ``None`` where all items have been submitted already.

    Raises:
        PedkitError: The folder failed, or the engines fail at every item; the audio of other items stays.
    """
    outcome = Outcome(audio=dict(made or {}))
    missing = [item for item in items if item.id not in outcome.audio]
    with Progress(len(missing), "recordings") as progress:
        for item, answer in workers.answers(() if made is None else missing):
            if isinstance(answer, Spoken):
                outcome.audio[item.id] = answer.audio
            else:
                outcome.refused[item.id] = _refused(answer)
            progress.advance()
            count = len(outcome.refused)
            if count == min(_PATIENCE, len(missing)) and not outcome.audio:
                reason = outcome.refused[item.id].reason
                raise PedkitError(f"none of the first {count} items could be said: {reason}", utterance=item.id)
    return outcome


def _refused(answer: Refused | Failure) -> Refused:
    if isinstance(answer, Failure):
        return Refused("engine_stopped", answer.reason)
    return answer
