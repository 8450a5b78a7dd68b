"""`Description`: which base model, adapters and prompt the weights of a run folder belong to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object, write_object
from pedkit.errors import PedkitError
from pedkit.models.language.fingerprint import PARTS, differing_part, fingerprint
from pedkit.models.language.model import AudioLanguageModel
from pedkit.models.language.source import LanguageModelSource
from pedkit.models.prompts import Prompt, PromptTemplate

DESCRIPTION = "language_model.json"


@dataclass(frozen=True, slots=True)
class Description:
    """What ``language_model.json`` of a run folder says.

    Attributes:
        file: The file.
        source: The base model at its very revision, with the settings of the adapters.
        fingerprint: Of the base model's weights (`pedkit.models.language.fingerprint`).
        prompt: The prompt of the training as it was kept.
        max_new_tokens: Most tokens of an answer about a dev clip.
    """

    file: Path
    source: LanguageModelSource
    fingerprint: dict[str, str | None]
    prompt: dict[str, Any]
    max_new_tokens: int

    @classmethod
    def write(
        cls,
        folder: Path,
        language: AudioLanguageModel,
        source: LanguageModelSource,
        prompt: Prompt,
        max_new_tokens: int,
    ) -> dict[str, Any]:
        """Write the file and return what ``run.json`` says of it: hash of the prompt, and what trains."""
        facts = {"prompt_hash": prompt.hash, "trainable": language.trainable_facts()}
        content = {
            "source": source.of(language).to_dict(),
            "model_type": language.family.model_type,
            "fingerprint": fingerprint(language.base, language.family),
            "prompt": prompt.to_dict(),
            "max_new_tokens": max_new_tokens,
            **facts,
        }
        write_object(folder / DESCRIPTION, content)
        return facts

    @classmethod
    def read(cls, folder: str | Path) -> Description:
        """Read the file of a run folder.

        Raises:
            PedkitError: It is absent or cannot be understood.
        """
        file = Path(folder) / DESCRIPTION
        content = read_object(file, missing="no such file, so this is no run of an audio language model")
        try:
            return cls(
                file,
                LanguageModelSource.from_dict(content["source"]),
                {part: content["fingerprint"][part] for part in PARTS},
                {key: content["prompt"][key] for key in ("template", "mode", "hash")},
                int(content["max_new_tokens"]),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise PedkitError(f"describes no audio language model ({error})", file=file) from None

    def load(self, device: str = "cpu") -> AudioLanguageModel:
        """Load the base model with adapters that are still to be filled.

        Raises:
            PedkitError: The base model cannot be loaded, or its weights are not those of the training.
        """
        language = self.source.load(device)
        part = differing_part(language.base, language.family, self.fingerprint)
        if part is not None:
            raise PedkitError(
                f"the {part} weights of {self.source.name} are not those that the run was trained on",
                file=self.file,
                hint=f"the run began with the revision {self.source.revision}"
                if self.source.revision
                else "the run began with other weights under this name, of no known revision",
            )
        return language

    def own_prompt(self, *, changed: bool = False) -> Prompt:
        """Return the prompt of the training.

        Args:
            changed: Take it even where this version of pedkit makes other requests of it.

        Raises:
            PedkitError: It gives other requests today than in the training.
        """
        if changed:
            return Prompt(PromptTemplate.from_dict(self.prompt["template"]), self.prompt["mode"])
        try:
            return Prompt.from_dict(self.prompt)
        except PedkitError as error:
            raise error.at(file=self.file) from None
