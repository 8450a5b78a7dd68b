"""What became of the answers of language models, in one line a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pedkit.report.numbers import count

#: Rules under which an answer has no phones; docs/audio_language_models/answers.md says what each means.
REFUSALS = (
    "text_before", "not_an_object", "malformed", "cut_off", "no_transcription", "no_string", "not_phones",
)  # fmt: skip


def answers_line(system: Mapping[str, Any]) -> str | None:
    """Return how many answers could be read and why others could not; ``None`` for a system without answers.

    Args:
        system: The object of one system in ``scores.json``.
    """
    rules, statuses = system.get("answers"), system.get("statuses", {})
    if not rules:
        return None
    asked = sum(statuses[name] for name in ("ok", "empty", "unparsable"))
    parts = [f"{count(statuses['ok'])} of {count(asked)} answers hold phones"]
    if statuses["empty"]:
        parts.append(f"{count(statuses['empty'])} empty")
    if statuses["unparsable"]:
        reasons = ", ".join(f"{rule} {count(rules[rule])}" for rule in REFUSALS if rule in rules)
        parts.append(f"{count(statuses['unparsable'])} unparsable ({reasons})")
    if statuses["recovered"]:
        parts.append(f"{count(statuses['recovered'])} cut off and recovered")
    return ", ".join(parts)
