"""Audio in, predictions out: line by line, resumable, and no clip can take others down with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from pedkit.data.audio import audio_info, load_audio
from pedkit.data.jsonl import dump_line, write_jsonl
from pedkit.data.manifest import read_predictions
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.recognizers.protocol import Clip, Recognizer, RecognizerStoppedError

CHUNK = 64
"""Clips that are in memory together; the recognizer makes its own batches of them."""

_CLIP_FAULTS = (PedkitError, OSError, ValueError, RuntimeError)
"""What one clip or one batch may raise (torch's out-of-memory error is a RuntimeError)."""


@dataclass(frozen=True, slots=True)
class Transcription:
    """What happened.

    Attributes:
        path: The predictions file.
        written: Clips heard in this call.
        resumed: Clips that the file already held.
        failed: Id and reason of each clip that failed.
    """

    path: Path
    written: int
    resumed: int
    failed: tuple[tuple[str, str], ...]


def transcribe(
    recognizer: Recognizer, utterances: Sequence[Utterance], path: str | Path, *, quiet: bool = True
) -> Transcription:
    """Hear each utterance and write one prediction a line, flushed as it comes.

    Utterances that ``path`` already holds are not heard again, except those that failed. The longest clips come
    first, so that a lack of memory shows at once. A clip that cannot be read or heard becomes a line with status
    ``failed`` and its reason; a fault that no other clip would be spared ends the call.

    Args:
        recognizer: Anything that follows the protocol.
        utterances: What to hear; each needs ``audio``.
        path: The predictions file to write or to continue.
        quiet: False shows a progress bar on stderr.

    Raises:
        RecognizerStoppedError: Nothing more can be heard. What was heard is in ``path``; the same call continues.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    done = _finished(target)
    waiting = [utterance for utterance in utterances if utterance.id not in done]
    failed = []
    with target.open("a", encoding="utf-8", newline="\n") as stream:
        chunks = list(_chunks(_longest_first(waiting)))
        console = Console(stderr=True, quiet=quiet)
        for chunk in track(chunks, description=f"hearing {len(waiting)} clips", console=console, transient=True):
            for prediction in _hear(recognizer, chunk):
                stream.write(dump_line(prediction.to_dict()))
                stream.flush()
                if prediction.status == "failed":
                    failed.append((prediction.id, prediction.reason or "no reason given"))
    return Transcription(target, len(waiting), len(utterances) - len(waiting), tuple(failed))


def _finished(path: Path) -> set[str]:
    """Return the ids that need not be heard again; drop a line cut off by a crash, and failed ones."""
    if not path.exists():
        return set()
    content = path.read_bytes()
    if not content.endswith(b"\n") and content:
        path.write_bytes(content[: content.rfind(b"\n") + 1])
    found = read_predictions(path)
    kept = {name: prediction for name, prediction in found.items() if prediction.status != "failed"}
    if len(kept) < len(found):
        write_jsonl(path, (prediction.to_dict() for prediction in kept.values()))
    return set(kept)


def _longest_first(utterances: Iterable[Utterance]) -> list[Utterance]:
    return sorted(utterances, key=_seconds, reverse=True)


def _seconds(utterance: Utterance) -> float:
    if utterance.audio is None:
        return 0.0
    if utterance.audio.duration is not None:
        return utterance.audio.duration
    try:
        return audio_info(utterance.audio).seconds
    except _CLIP_FAULTS:
        return 0.0  # the fault is reported when the clip is read


def _chunks(utterances: Sequence[Utterance]) -> Iterator[Sequence[Utterance]]:
    for start in range(0, len(utterances), CHUNK):
        yield utterances[start : start + CHUNK]


def _hear(recognizer: Recognizer, utterances: Sequence[Utterance]) -> Iterator[Prediction]:
    clips = []
    for utterance in utterances:
        loaded = _load(utterance, getattr(recognizer, "sample_rate", 16000))
        if isinstance(loaded, Prediction):
            yield loaded
        else:
            clips.append(loaded)
    try:
        predictions = recognizer.transcribe(clips) if clips else []
    except RecognizerStoppedError:
        raise
    except _CLIP_FAULTS:
        # One clip of the batch is at fault: hear them one by one to find it, and to keep the others.
        for clip in clips:
            yield _hear_one(recognizer, clip)
        return
    yield from predictions


def _hear_one(recognizer: Recognizer, clip: Clip) -> Prediction:
    try:
        return recognizer.transcribe([clip])[0]
    except RecognizerStoppedError:
        raise
    except _CLIP_FAULTS as error:
        return _failed(clip.utterance, error, recognizer.name)


def _load(utterance: Utterance, sample_rate: int) -> Clip | Prediction:
    if utterance.audio is None:
        return _failed(utterance, PedkitError("the manifest names no audio"))
    try:
        return Clip(utterance, load_audio(utterance.audio, sample_rate), sample_rate)
    except _CLIP_FAULTS as error:
        return _failed(utterance, error)


def _failed(utterance: Utterance, error: BaseException, model: str | None = None) -> Prediction:
    return Prediction(id=utterance.id, status="failed", reason=str(error) or type(error).__name__, model=model)
