"""From a design item to the manifest's `Utterance`."""

from __future__ import annotations

from collections.abc import Mapping

from pedkit.data.utterance import Audio, Utterance, Word
from pedkit.phones import strip_stress
from synthetic.design.item import DesignItem
from synthetic.design.operations import Insertion, operation_to_dict
from synthetic.engines import SpeechEngine


def utterance(item: DesignItem, audio: Audio, engine: SpeechEngine, groups: Mapping[str, str]) -> Utterance:
    """Return the utterance of an item in CMU-39 without stress.

    ``extra.phone_flags`` says of each canonical phone whether it is said: ``correct``, ``substitution`` or
    ``deletion``. The manifest's own ``flags`` are for errors that the phones do not show, which these do. Inserted
    phones are no canonical ones; ``extra.design`` lists them with the others.

    Args:
        item: What was said.
        audio: Where it lies.
        engine: Who said it; with the voice it names the speaker.
        groups: What the engine states about the voice (`SpeechEngine.voice_facts`).
    """
    canonical = strip_stress(item.canonical)
    request = item.request
    changed = {op.position: op.kind for op in item.operations if not isinstance(op, Insertion)}
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
        speaker=f"{engine.name}:{request.voice}",
        groups=groups,
        extra={
            "engine": engine.name,
            "engine_version": engine.version,
            "engine_licence": engine.licence,
            "voice": request.voice,
            "voice_licence": engine.voice_licence(request.voice),
            "rate": request.rate,
            "pitch": request.pitch,
            "design_id": item.design_id,
            "phone_flags": [changed.get(position, "correct") for position in range(len(canonical))],
            "design": [operation_to_dict(operation) for operation in item.operations],
        },
    )
