"""From a design item to the manifest's `Utterance`."""

from __future__ import annotations

from collections.abc import Mapping

from pedkit.data.utterance import Audio, Utterance, Word
from pedkit.phones import strip_stress
from synthetic.design.item import DesignItem
from synthetic.design.operations import operation_to_dict


def utterance(
    item: DesignItem, audio: Audio, *, engine: str, version: str, licence: str, groups: Mapping[str, str]
) -> Utterance:
    """Return the utterance of an item in CMU-39 without stress.

    Args:
        item: What was said.
        audio: Where it lies.
        engine: Name of the engine; with the voice it names the speaker.
        version: Version of the engine.
        licence: Licence of the engine, SPDX.
        groups: What is known about the voice, in pedkit's group keys.
    """
    canonical = strip_stress(item.canonical)
    request = item.request
    return Utterance(
        id=item.id,
        audio=audio,
        text=item.text,
        language="eng",
        split=item.split,
        corpus="synthetic",
        inventory="cmu39",
        canonical=canonical,
        realized=strip_stress(item.realized),
        words=tuple(Word(word.text, word.start, word.end) for word in item.words),
        target_span=item.target_span,
        level=item.level,
        source_id=item.source_id,
        speaker=f"{engine}:{request.voice}",
        groups=groups,
        extra={
            "engine": engine,
            "engine_version": version,
            "engine_licence": licence,
            "voice": request.voice,
            "rate": request.rate,
            "pitch": request.pitch,
            "design": [operation_to_dict(operation) for operation in item.operations],
        },
    )
