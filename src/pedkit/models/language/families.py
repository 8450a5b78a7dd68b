"""The audio language models that can be tuned: where their parts are and how they take audio."""

from __future__ import annotations

from dataclasses import dataclass

from pedkit.errors import PedkitError


@dataclass(frozen=True)
class Family:
    """What differs between families of audio language models.

    Attributes:
        model_type: Value of ``model_type`` in the ``config.json`` of the class that is loaded.
        title: Name in messages and documents.
        class_name: Class of transformers that is loaded.
        frozen_parts: Module paths that never train and stay in evaluation mode.
        language_model: Module path of the text model.
        audio_token: Text of the token that stands for audio in a prompt.
        end_token: Text of the token that ends an answer.
        window_seconds: Length of one mel window.
        longest_seconds: Longest clip; a longer one would be cut without a word.
        clips_per_conversation: How many clips a conversation may hold; ``None`` for any number.
    """

    model_type: str
    title: str
    class_name: str
    frozen_parts: tuple[str, ...]
    language_model: str
    audio_token: str
    end_token: str
    window_seconds: float
    longest_seconds: float
    clips_per_conversation: int | None = None


FAMILIES: dict[str, Family] = {}


def family_of(model_type: str) -> Family:
    """Return the family of a ``model_type``.

    Raises:
        PedkitError: No such family is supported.
    """
    if model_type not in FAMILIES:
        raise PedkitError(f"expected a model of type {', '.join(FAMILIES)}, but got {model_type!r}")
    return FAMILIES[model_type]
