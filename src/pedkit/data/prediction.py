"""`Prediction`: what a recognizer heard in one utterance; one JSON line of a predictions file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.data.fields import finite_number, identifier, phones_field
from pedkit.errors import PedkitError

STATUSES = ("ok", "empty", "unparsable", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Phones heard in one utterance.

    Attributes:
        id: Id of the utterance in the manifest.
        phones: The phones; empty where nothing usable came.
        inventory: Inventory of ``phones``; the manifest's where ``None``.
        confidences: One number in [0, 1] a phone.
        times: ``(start, end)`` in seconds a phone.
        raw: What the model wrote before parsing (text, or token ids as a string).
        status: ``ok``; ``empty`` and ``unparsable`` score as all phones deleted; ``failed`` is an error of
            the run and is scored only when asked for.
        reason: Why the status is not ``ok``, or what was left out of an answer that is.
        recovered: True where a cut-off answer could be repaired.
        outcome: By which rules the answer of a language model was read, joined by ``+``
            (docs/audio_language_models/answers.md).
        left_out: Symbols among the phones of such an answer that are no phones.
        seconds: Wall-clock seconds spent on this utterance, its share of a batch; loading the model and a first
            call that warms it up are not in it.
        batch_size: How many utterances the model took together at most.
        device: What it ran on (``cpu``, ``cuda``), or the name of the server that was asked.
        usage: What the answer of a hosted model used: tokens by kind, ``requests``, ``from_cache``.
        model: Name of the model. ``revision``, ``config_hash`` and ``prompt_hash`` say which one exactly.
    """

    id: str
    phones: tuple[str, ...] = ()
    inventory: str | None = None
    confidences: tuple[float, ...] | None = None
    times: tuple[tuple[float, float], ...] | None = None
    raw: str | None = None
    status: str = "ok"
    reason: str | None = None
    recovered: bool | None = None
    outcome: str | None = None
    left_out: tuple[str, ...] | None = None
    seconds: float | None = None
    batch_size: int | None = None
    device: str | None = None
    usage: Mapping[str, Any] | None = None
    model: str | None = None
    revision: str | None = None
    config_hash: str | None = None
    prompt_hash: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the predictions line; missing keys are left out."""
        out: dict[str, Any] = {"id": self.id, "phones": list(self.phones), "status": self.status}
        for key in _OPTIONAL:
            value = getattr(self, key)
            if value is not None:
                out[key] = list(value) if isinstance(value, tuple) else value
        return out

    @classmethod
    def from_dict(cls, line: Mapping[str, Any]) -> Prediction:
        """Build a prediction from a line; keys that pedkit does not know are ignored (other tools' files).

        Raises:
            PedkitError: ``id`` or ``phones`` is missing or malformed, or the status is unknown.
        """
        name = identifier(line)
        status = line.get("status", "ok")
        if status not in STATUSES:
            raise PedkitError(
                f"expected 'status' to be one of {', '.join(STATUSES)}, but got {status!r}", utterance=name
            )
        if line.get("phones") is None and status == "ok":
            raise PedkitError("the key 'phones' is missing", utterance=name)
        try:
            phones = phones_field(line.get("phones") or [], "phones")
            rest = _optional(line, len(phones))
        except PedkitError as error:
            raise error.at(utterance=name) from None
        return cls(id=name, phones=phones, status=status, **rest)


_OPTIONAL: dict[str, type | tuple[type, ...]] = {
    "inventory": str,
    "confidences": list,
    "times": list,
    "raw": str,
    "reason": str,
    "recovered": bool,
    "outcome": str,
    "left_out": list,
    "seconds": (int, float),
    "batch_size": int,
    "device": str,
    "usage": dict,
    "model": str,
    "revision": str,
    "config_hash": str,
    "prompt_hash": str,
}


def _optional(line: Mapping[str, Any], count: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, kind in _OPTIONAL.items():
        value = line.get(key)
        if value is None:
            continue
        if not isinstance(value, kind):
            raise PedkitError(f"'{key}' cannot be {value!r}")
        if key == "seconds":
            finite_number(value, key)
        if key == "left_out":
            values[key] = phones_field(value, key)
        else:
            values[key] = _per_phone(line[key], key, count) if kind is list else value
    return values


def _per_phone(value: list[Any], key: str, count: int) -> tuple[Any, ...]:
    if len(value) != count:
        raise PedkitError(f"expected '{key}' to hold one entry a phone ({count}), but got {len(value)}")
    if key == "confidences":
        confidences = tuple(finite_number(entry, key) for entry in value)
        if any(not 0 <= entry <= 1 for entry in confidences):
            raise PedkitError(f"expected 'confidences' from 0 to 1, but got {value!r}")
        return confidences
    for entry in value:
        if not isinstance(entry, list | tuple) or len(entry) != 2:
            raise PedkitError(f"expected 'times' to hold [start, end] pairs, but got {entry!r}")
    times = tuple((finite_number(start, key), finite_number(end, key)) for start, end in value)
    if any(not 0 <= start <= end for start, end in times):
        raise PedkitError(f"expected 'times' with 0 <= start <= end, but got {value!r}")
    return times
