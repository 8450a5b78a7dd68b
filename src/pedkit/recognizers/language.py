"""`LanguageRecognizer`: phones from an audio language model: tuned by `train.py`, with an adapter, or as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pedkit.data.audio import load_audio
from pedkit.data.json_file import read_object
from pedkit.data.manifest_part import ManifestPart
from pedkit.data.prediction import Prediction
from pedkit.errors import PedkitError
from pedkit.models.language import LanguageModelSource, base_of
from pedkit.models.language.adapter import read_facts
from pedkit.models.language.clips import SAMPLE_RATE, check_clips
from pedkit.models.language.constrained import AnswerConstraint
from pedkit.models.language.description import Description
from pedkit.models.language.hearing import MAX_NEW_TOKENS, HeardAnswer, hear_answers
from pedkit.models.language.model import AudioLanguageModel
from pedkit.models.language.weights import load_weights
from pedkit.models.prompts import Example, Prompt, load_prompt
from pedkit.provenance import EXPORT_FILE
from pedkit.recognizers.by_length import expect_sample_rate, transcribe_by_length
from pedkit.recognizers.device import require_device
from pedkit.recognizers.protocol import Clip
from pedkit.recognizers.run import read_checkpoint, run_checkpoint


class LanguageRecognizer:
    """Greedy answers of an audio language model, read by the rules of docs/audio_language_models/answers.md.

    Args:
        language: The model.
        prompt: What it is asked.
        name: Name of the system in reports; constrained decoding adds itself to it.
        batch_size: Clips answered together.
        examples: Answered recordings that are shown before each question (few-shot).
        constrained: Admit only tokens by which a valid answer over the inventory can go on.
        max_new_tokens: Most tokens of an answer.
        foreign_prompt: Whether the model was trained with another prompt; reports say so.
        revision: Which weights exactly.
        config_hash: Hash of the configuration of the training run.

    Attributes:
        decoder: ``greedy`` or ``constrained``: predictions of the one never continue those of the other.
        prompt_hash: Hash of all that is asked, examples included.

    Raises:
        PedkitError: A setting is out of range.
    """

    def __init__(
        self,
        language: AudioLanguageModel,
        prompt: Prompt,
        *,
        name: str,
        batch_size: int = 8,
        examples: Sequence[tuple[Example, np.ndarray[Any, Any]]] = (),
        constrained: bool = False,
        max_new_tokens: int = MAX_NEW_TOKENS,
        foreign_prompt: bool = False,
        revision: str | None = None,
        config_hash: str | None = None,
    ) -> None:
        if batch_size < 1:
            raise PedkitError(f"expected batch_size to be 1 or more, but got {batch_size}")
        self.language, self.prompt, self.batch_size, self.examples = language, prompt, batch_size, tuple(examples)
        self.name = f"{name}, constrained" if constrained else name
        self.inventory, self.sample_rate = prompt.inventory, SAMPLE_RATE
        self.decoder = "constrained" if constrained else "greedy"
        self.prompt_hash = prompt.request_hash([example for example, _ in self.examples])
        self.revision, self.config_hash, self.max_new_tokens = revision, config_hash, max_new_tokens
        self.device, self.foreign_prompt = str(language.device), foreign_prompt
        self._constraint = (
            AnswerConstraint(language.tokenizer, prompt.inventory, language.end_ids, prompt.template.key)
            if constrained
            else None
        )
        self._warm = False

    @classmethod
    def from_run(
        cls,
        run_dir: str | Path,
        *,
        checkpoint: str | None = None,
        device: str = "cpu",
        batch_size: int = 8,
        prompt: Prompt | None = None,
        force_prompt: bool = False,
        constrained: bool = False,
    ) -> LanguageRecognizer:
        """Load the kept adapters of a run folder into their base model.

        Args:
            run_dir: A folder written by ``train.py``.
            checkpoint: Another checkpoint, relative to the folder; the one kept on dev PER where ``None``.
            device: Where to run.
            batch_size: Clips answered together.
            prompt: Another prompt than that of the training, refused unless forced.
            force_prompt: Ask what the model was not trained to be asked.
            constrained: See the class.

        Raises:
            PedkitError: The folder is no run of an audio language model, the base model is another one, or the
                prompt is not that of the training.
        """
        require_device(device)
        run = run_checkpoint(run_dir, checkpoint)
        described = Description.read(run.folder)
        content = read_checkpoint(run.path)
        asked = described.own_prompt(changed=force_prompt) if prompt is None else prompt
        foreign = _is_foreign(asked, content.get("prompt_hash"), run.path, force=force_prompt)
        language = described.load(device)
        load_weights(language.model, content["state_dict"], run.path)
        return cls(
            language,
            asked,
            name=run.name,
            batch_size=batch_size,
            constrained=constrained,
            foreign_prompt=foreign,
            max_new_tokens=described.max_new_tokens,
            revision=run.revision,
            config_hash=run.config_hash,
        )

    @classmethod
    def from_pretrained(
        cls,
        name: str | None = None,
        *,
        revision: str | None = None,
        adapter: str | None = None,
        prompt: Prompt | None = None,
        force_prompt: bool = False,
        examples: str | Mapping[str, Any] | None = None,
        device: str = "cpu",
        batch_size: int = 8,
        dtype: str = "bfloat16",
        quantization: str | None = None,
        attn_implementation: str | None = None,
        constrained: bool = False,
        max_new_tokens: int = MAX_NEW_TOKENS,
    ) -> LanguageRecognizer:
        """Load a model from a hub or folder as it is (zero-shot), with examples (few-shot), or with an adapter.

        Args:
            name: Hub id or folder; ``None`` for the one that the adapter names.
            revision: Commit or tag on the hub.
            adapter: Folder of a saved adapter (``pedkit export``).
            prompt: What is asked; ``None`` for the adapter's, or ``load_prompt()`` without one.
            force_prompt: Ask what the adapter was not trained to be asked.
            examples: Manifest of recordings whose realized phones are shown as answers; a path or the arguments of
                `ManifestPart`.
            device: Where to run.
            batch_size: Clips answered together.
            dtype: Number format of the weights: ``bfloat16`` or ``float32``.
            quantization: ``4bit`` (extra ``qlora``).
            attn_implementation: ``sdpa``, ``flash_attention_2``, ``eager``; ``None`` for transformers' choice.
            constrained: See the class.
            max_new_tokens: Most tokens of an answer.

        Raises:
            PedkitError: The model, the adapter or the examples cannot be used.
        """
        require_device(device)
        if adapter is not None and name is None:
            name, revision = base_of(adapter)
        if name is None:
            raise PedkitError("expected the name of a model or an adapter", hint="add recognizer.name=...")
        own = _facts_of(name, adapter)
        asked = prompt or (Prompt.from_dict(own["prompt"]) if own.get("prompt") else load_prompt())
        trained = own.get("prompt_hash")
        foreign = trained is not None and _is_foreign(asked, trained, Path(adapter or name), force=force_prompt)
        source = LanguageModelSource(
            name=name, revision=revision, adapter=adapter, dtype=dtype, quantization=quantization,
            attn_implementation=attn_implementation,
        )  # fmt: skip
        language = source.load(device)
        shown = [] if examples is None else _examples(asked, ManifestPart.of(examples))
        return cls(
            language,
            asked,
            name=_title(name, adapter, len(shown), tuned=bool(own)),
            batch_size=batch_size,
            examples=shown,
            constrained=constrained,
            foreign_prompt=foreign,
            max_new_tokens=max_new_tokens,
            revision=own.get("revision") or language.revision,
            config_hash=own.get("config_hash"),
        )

    def transcribe(self, batch: Sequence[Clip]) -> list[Prediction]:
        """Return one `Prediction` a clip, in order; clips are sorted by length and batched inside.

        Raises:
            PedkitError: A clip has another sample rate than the model.
        """
        return transcribe_by_length(
            batch,
            self.batch_size,
            failed=self._failed,
            warm_up=self._warm_up,
            hear=self._hear,
            prediction=self._prediction,
        )

    def log_likelihood(self, clip: Clip, phones: Iterable[str]) -> float:
        """Return the natural log-likelihood of the answer with these phones, given the clip and the prompt.

        Raises:
            PedkitError: A phone is not in the inventory, or the clip cannot be asked about.
        """
        answer = self.prompt.answer(phones)
        reason = self._unusable(clip)
        if reason is not None:
            raise PedkitError(reason, utterance=clip.utterance.id)
        if self.examples:
            raise PedkitError("the likelihood of an answer after examples is not computed", hint="leave them out")
        return self.language.answer_log_likelihood(clip.samples, self.prompt.conversation(clip.utterance), answer)

    def _hear(self, clips: Sequence[Clip], max_new_tokens: int | None = None) -> list[HeardAnswer]:
        return hear_answers(
            self.language,
            self.prompt,
            [clip.samples for clip in clips],
            [clip.utterance for clip in clips],
            examples=self.examples,
            max_new_tokens=max_new_tokens or self.max_new_tokens,
            constraint=self._constraint,
        )

    def _unusable(self, clip: Clip) -> str | None:
        """Return why a clip cannot be asked about."""
        expect_sample_rate(clip, self.sample_rate)
        try:
            check_clips([clip.samples], longest=self.language.builder.longest_seconds)
            self.prompt.conversation(clip.utterance)
        except PedkitError as error:
            return error.message
        return None

    def _failed(self, clip: Clip) -> Prediction | None:
        reason = self._unusable(clip)
        if reason is None:
            return None
        return Prediction(id=clip.utterance.id, status="failed", reason=reason, **self._facts())

    def _warm_up(self, clip: Clip) -> None:
        if not self._warm:
            self._hear([clip], max_new_tokens=1)
            self._warm = True

    def _prediction(self, clip: Clip, heard: HeardAnswer, seconds: float) -> Prediction:
        return heard.answer.prediction(clip.utterance.id, heard.text, **self._facts(), seconds=seconds)

    def _facts(self) -> dict[str, Any]:
        return {
            "batch_size": self.batch_size,
            "device": self.device,
            "model": self.name,
            "revision": self.revision,
            "config_hash": self.config_hash,
            "prompt_hash": self.prompt_hash,
        }


def _is_foreign(prompt: Prompt, trained: str | None, place: Path, *, force: bool) -> bool:
    """Return whether a model was trained with another prompt; refuse that unless forced."""
    foreign = prompt.hash != trained
    if foreign and not force:
        raise PedkitError(
            f"the model was trained with another prompt than '{prompt.name}'",
            file=place,
            hint="leave prompt=... out to take that of the training, or set recognizer.force_prompt=true",
        )
    return foreign


def _facts_of(name: str, adapter: str | None) -> dict[str, Any]:
    """Return what ``pedkit export`` wrote of adapters, or of merged ones; nothing for other models."""
    if adapter is not None:
        return dict(read_facts(adapter).get("facts") or {})
    file = Path(name) / EXPORT_FILE
    return dict(read_object(file).get("facts") or {}) if file.is_file() else {}


def _examples(prompt: Prompt, part: ManifestPart) -> list[tuple[Example, np.ndarray[Any, Any]]]:
    """Read the recordings that are shown as examples."""
    found = []
    for utterance in part.read():
        if utterance.audio is None:
            raise PedkitError("has no audio, so it is no example", utterance=utterance.id, file=part.manifest)
        samples = load_audio(utterance.audio, SAMPLE_RATE)
        found.append((prompt.example(utterance, hashlib.sha256(samples.tobytes()).hexdigest()), samples))
    return found


def _title(name: str, adapter: str | None, examples: int, *, tuned: bool) -> str:
    title = Path(adapter or name).name
    if adapter is not None or tuned:
        return title
    return f"{title}, {examples}-shot" if examples else f"{title}, zero-shot"
