"""`EvaluationSet`: one set of recordings to evaluate on, as a preset or the command line names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.manifest import file_hash, iter_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.seen import UsedData, jobs_of, refuse_seen, seen_roles
from pedkit.evaluation.seen_recordings import shared_with, used_recordings
from pedkit.evaluation.seen_words import seen_words, trained_texts
from pedkit.evaluation.used_manifests import read_used
from pedkit.hints import check_arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """One test set.

    Attributes:
        name: Short name: folder of its results, label in tables.
        manifest: The manifest.
        split: The split to evaluate on; ``None`` takes the whole manifest.
        groups: Group keys to break its results down by.
        title: Name for readers; ``name`` where empty.
        description: One or two sentences: what these recordings are.
        warnings: Sentences that must stand beside its numbers.
        licence: Licence and attribution of the recordings.
        made_by: The command that makes the manifest, for the error where it is absent.
    """

    name: str
    manifest: Path
    split: str | None = None
    groups: tuple[str, ...] = ()
    title: str = ""
    description: str = ""
    warnings: tuple[str, ...] = ()
    licence: str = ""
    made_by: str = ""

    @classmethod
    def of(cls, name: str, settings: str | Mapping[str, Any]) -> EvaluationSet:
        """Build a set from a preset: a path, or a mapping of the attributes.

        Raises:
            PedkitError: There is no manifest, or a key is unknown.
        """
        values: dict[str, Any] = {"manifest": settings} if isinstance(settings, str) else dict(settings)
        unknown = sorted(set(values) - set(cls.__dataclass_fields__))
        if unknown or values.get("manifest") is None:
            problem = f"has the unknown key '{unknown[0]}'" if unknown else "names no manifest"
            raise PedkitError(f"the test set '{name}' {problem}")
        check_arguments(cls, {**values, "name": name}, f"evaluation.test_sets.{name}")
        lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
        return cls(**(values | lists | {"name": name, "manifest": Path(values["manifest"])}))

    @property
    def heading(self) -> str:
        """Title for readers."""
        return self.title or self.name

    def utterances(self) -> list[Utterance]:
        """Return the utterances of the split.

        Raises:
            PedkitError: The manifest is absent or broken, or the split is empty.
        """
        if not self.manifest.is_file():
            hint = f"make it with: {self.made_by}" if self.made_by else None
            raise PedkitError("no such manifest", file=self.manifest, hint=hint)
        chosen = [u for u in iter_manifest(self.manifest) if self.split is None or u.split == self.split]
        if not chosen:
            raise PedkitError(f"there is no utterance of the split '{self.split}'", file=self.manifest)
        return chosen

    def sha256(self) -> str:
        """Return the hash of the manifest file."""
        return file_hash(self.manifest)


def stamp_seen(sets: Iterable[EvaluationSet], used: tuple[UsedData, ...], *, allow_seen: bool) -> dict[str, str]:
    """Return for each set that the run used before the sentence that must stand beside its results.

    A set was used where its manifest was, or where one of its recordings was by another manifest that is still
    there. One whose words were trained on, by other recordings, has its own sentence and is never refused.

    Raises:
        PedkitError: A set was used before and ``allow_seen`` is false.
    """
    read = read_used(used)
    stamps, recordings, texts = {}, used_recordings(read), trained_texts(read)
    for one in sets:
        roles = seen_roles(used, one.sha256(), one.split)
        utterances = [] if roles or not (recordings or texts) else one.utterances()
        if not roles and recordings:
            shared = shared_with(utterances, recordings)
            roles = tuple(shared)
            if shared and not allow_seen:
                ids = [name for names in shared.values() for name in names]
                raise PedkitError(
                    f"{len(ids)} of the {len(utterances)} recordings of the test set '{one.name}' served "
                    f"{jobs_of(roles)} this model, the first is '{ids[0]}'",
                    file=one.manifest,
                    hint="evaluate on other data, or set allow_seen=true, which is stamped on the report",
                )
        sentence = refuse_seen(one.name, one.manifest, roles, allow_seen=allow_seen)
        if sentence is None and texts:
            sentence = seen_words(utterances, texts)
        if sentence is not None:
            stamps[one.name] = sentence
    return stamps
