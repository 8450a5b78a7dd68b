"""The adapter that a server of one's own holds: which weights it has, and what it was trained to be asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pedkit.data.manifest import file_hash
from pedkit.errors import PedkitError
from pedkit.models.prompts import Prompt, load_prompt


@dataclass(frozen=True, slots=True)
class ServedAdapter:
    """What a folder of `pedkit export` says of an adapter.

    Attributes:
        folder: The folder.
        weights: Hash of the weights.
        prompt: What it was trained to be asked; ``None`` where the folder does not say.
        prompt_hash: Hash of that.
    """

    folder: Path
    weights: str
    prompt: Prompt | None
    prompt_hash: str | None

    @classmethod
    def read(cls, folder: str | Path) -> ServedAdapter:
        """Read the folder.

        Raises:
            PedkitError: It holds no adapter, or another version of pedkit asks otherwise than it was trained.
        """
        from pedkit.models.language.adapter import (  # with torch, which other servers do not need
            WEIGHTS_FILE,
            read_facts,
        )

        path = Path(folder)
        if not (path / WEIGHTS_FILE).is_file():
            raise PedkitError(f"expected the folder of an adapter with {WEIGHTS_FILE}", file=path)
        facts = read_facts(path).get("facts") or {}
        prompt = Prompt.from_dict(facts["prompt"]) if facts.get("prompt") else None
        own_hash = None if prompt is None else prompt.hash
        return cls(path, file_hash(path / WEIGHTS_FILE), prompt, facts.get("prompt_hash") or own_hash)

    def asked(self, prompt: Prompt | None, *, force: bool) -> Prompt:
        """Return what is to be asked: the adapter's own prompt where none is chosen.

        Raises:
            PedkitError: Another one is chosen, and not forced.
        """
        chosen = prompt or self.prompt or load_prompt()
        if not force and self.prompt_hash is not None and chosen.hash != self.prompt_hash:
            raise PedkitError(
                f"the adapter was trained with another prompt than '{chosen.name}'",
                file=self.folder,
                hint="leave prompt=... out to take its own, or set recognizer.force_prompt=true",
            )
        return chosen
