"""`Prediction`: what a recognizer heard in one utterance; one JSON line of a predictions file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.data.utterance import phones_field
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
        reason: Why the status is not ``ok``.
        recovered: True where a cut-off answer could be repaired.
        seconds: Wall-clock seconds spent on this utterance.
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
    seconds: float | None = None
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
        name = line.get("id")
        if not isinstance(name, str) or not name:
            raise PedkitError(f"expected 'id' to be a non-empty string, but got {name!r}")
        status = line.get("status", "ok")
        if status not in STATUSES:
            raise PedkitError(
                f"expected 'status' to be one of {', '.join(STATUSES)}, but got {status!r}", utterance=name
            )
        if line.get("phones") is None and status == "ok":
            raise PedkitError("the key 'phones' is missing", utterance=name)
        try:
            phones = phones_field(line.get("phones") or [], "phones")
        except PedkitError as error:
            raise error.at(utterance=name) from None
        rest = {key: line[key] for key in _OPTIONAL if line.get(key) is not None}
        for key in ("confidences", "times"):
            if key in rest:
                rest[key] = _per_phone(rest[key], key, len(phones), name)
        return cls(id=name, phones=phones, status=status, **rest)


_OPTIONAL = (
    "inventory", "confidences", "times", "raw", "reason", "recovered", "seconds",
    "model", "revision", "config_hash", "prompt_hash",
)  # fmt: skip


def _per_phone(value: Any, key: str, count: int, name: str) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) != count:
        raise PedkitError(
            f"expected '{key}' to hold one entry a phone ({count}), but got {value!r}", utterance=name
        )
    if key == "times":
        return tuple((float(start), float(end)) for start, end in value)
    return tuple(float(v) for v in value)
