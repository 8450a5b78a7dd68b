"""`WordSettings`: everything that decides what a word error rate means, written beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pedkit.hints import keywords


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSettings:
    """What decides what a word error rate means.

    Attributes:
        normal_form: What happens to both texts first: ``basic`` or ``none`` (`normal_form.normal_form`).
        missing: ``error``, or ``empty``: an utterance without prediction counts as nothing heard.
        failed: ``error``, or ``empty``: the same for predictions with status ``failed``.
        extra: ``error``, or ``ignore`` predictions of ids that are not in the manifest.
        split: Score utterances of this split only.
        groups: Group keys of the manifest to break results down by.
    """

    normal_form: Literal["basic", "none"] = "basic"
    missing: Literal["error", "empty"] = "error"
    failed: Literal["error", "empty"] = "error"
    extra: Literal["error", "ignore"] = "error"
    split: str | None = None
    groups: tuple[str, ...] = ()

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> WordSettings:
        """Build settings from plain keywords, as a configuration or a call gives them.

        Raises:
            PedkitError: A keyword is unknown, or a value is none of those named.
        """
        return cls(**keywords(cls, settings, lists=("groups",)))

    def to_json(self) -> dict[str, Any]:
        """Return every setting."""
        return asdict(self)


WORD_KEYS = tuple(WordSettings.__dataclass_fields__)
"""Names of the settings."""
