"""An audio language model with its processor: from clips and conversations to loss, answers and adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from pedkit.errors import PedkitError
from pedkit.models.language import adapter, modes
from pedkit.models.language.clips import Clip
from pedkit.models.language.families import Family
from pedkit.models.language.features import Features
from pedkit.models.language.fingerprint import fingerprint
from pedkit.models.language.generation import Generated, generate, greedy_config
from pedkit.models.language.inputs import InputBuilder
from pedkit.models.language.lora import LoraSettings, add_lora, text_config, trainable_facts
from pedkit.models.language.loss import AnswerLoss, answer_loss
from pedkit.models.language.tower_cache import TowerCache, hear

if TYPE_CHECKING:
    from pedkit.models.prompts import Conversation


class AudioLanguageModel:
    """A model with its processor, made by `pedkit.models.language.load_audio_language_model`.

    Args:
        model: The model of transformers, without adapters.
        family: Its family.
        processor: Its processor.
        name: Hub id or folder.
        revision: Commit on the hub.
        lora: Settings of new adapters; ``None`` for the model as it is.

    Attributes:
        model: The model; with adapters in peft's wrapper.
        builder: Builds inputs without touching the weights, so that workers of a data loader can do it.
        cache: Outputs of the audio tower; ``None`` to compute them each time.
    """

    def __init__(
        self,
        model: Any,
        family: Family,
        processor: Any,
        *,
        name: str,
        revision: str | None = None,
        lora: LoraSettings | None = None,
    ) -> None:
        model.requires_grad_(False)
        self.model = model if lora is None else add_lora(model, family, lora)
        self.model.eval()  # peft leaves its new layers in training mode
        self.family, self.processor, self.name, self.revision, self.lora = family, processor, name, revision, lora
        self.builder = InputBuilder(family, processor, text_config(self.base, family).max_position_embeddings)
        self.cache: TowerCache | None = None

    @property
    def base(self) -> Any:
        """The model of transformers; its adapted layers are inside."""
        return self.model.get_base_model() if self.has_adapter else self.model

    @property
    def tokenizer(self) -> Any:
        """The tokenizer."""
        return self.processor.tokenizer

    @property
    def has_adapter(self) -> bool:
        """Whether LoRA adapters are in place."""
        return self.lora is not None

    @property
    def end_ids(self) -> tuple[int, ...]:
        """Token ids that end an answer: the one that is trained, the tokenizer's own, and the one for padding."""
        ends = (self.builder.end_id, self.tokenizer.eos_token_id, self.builder.pad_id)
        return tuple(dict.fromkeys(number for number in ends if number is not None))

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.base.parameters()).device  # type: ignore[no-any-return]

    def trainable_facts(self) -> dict[str, Any]:
        """Return ``modules``, ``parameters`` and ``layers`` of the adapters, after a check of what trains.

        Raises:
            PedkitError: See `pedkit.models.language.lora.trainable_facts`; or there are no adapters.
        """
        return trainable_facts(self._adapted(), self.family)

    def train_mode(self) -> None:
        """Put the text model in training mode and what is frozen in evaluation mode."""
        modes.train_mode(self.model, self.base, self.family)

    def use_checkpointing(self) -> None:
        """Keep no activations of the text model's layers; the frozen tower is spared."""
        modes.checkpoint_text_model(self.base, self.family)

    def use_cache(self, folder: str | Path) -> None:
        """Keep outputs of the frozen audio tower in a folder, so that each clip is heard once in all epochs."""
        key = f"{self.family.model_type} {fingerprint(self.base, self.family)} {self._tower_dtype()} unrounded"
        self.cache = TowerCache(folder, key)

    def training_inputs(
        self,
        clips: Sequence[Clip],
        conversations: Sequence[Conversation],
        answers: Sequence[str],
        *,
        names: Sequence[str] | None = None,
    ) -> dict[str, torch.Tensor]:
        """Return inputs with ``labels`` of -100 everywhere but on the answers and their end tokens.

        Args:
            clips: One clip for each audio mark of all conversations, in reading order.
            conversations: The prompts.
            answers: The text that each is to be answered with.
            names: Utterance of each conversation, for messages.

        Raises:
            PedkitError: A clip, prompt or answer cannot be used; the utterance is named.
        """
        features = self._cached(clips, names)
        return self.builder.training_inputs(clips, conversations, answers, names=names, features=features)

    def generation_inputs(
        self, clips: Sequence[Clip], conversations: Sequence[Conversation], *, names: Sequence[str] | None = None
    ) -> dict[str, torch.Tensor]:
        """Return prompts padded on the left; arguments and errors are those of `training_inputs`."""
        features = self._cached(clips, names)
        return self.builder.generation_inputs(clips, conversations, names=names, features=features)

    def answer_loss(self, inputs: Mapping[str, torch.Tensor]) -> AnswerLoss:
        """Return the summed cross entropy of the answers of `training_inputs`, with gradients."""
        return answer_loss(self.base, self._ready(inputs))

    def generate(
        self,
        inputs: Mapping[str, torch.Tensor],
        *,
        max_new_tokens: int = 512,
        logits_processor: Sequence[Any] | None = None,
    ) -> Generated:
        """Answer the prompts of `generation_inputs` greedily.

        Args:
            inputs: The prompts.
            max_new_tokens: Most tokens of an answer, its end token included.
            logits_processor: What may rule out tokens, such as the constraint to valid answers.

        Raises:
            PedkitError: Prompt and answer may become longer than the model takes.
        """
        length = inputs["input_ids"].shape[1] + max_new_tokens
        if length > self.builder.context:
            raise PedkitError(
                f"the prompt and {max_new_tokens} new tokens may be {length}, but the model takes "
                f"{self.builder.context}",
                hint="shorten the prompt or lower max_new_tokens",
            )
        config = greedy_config(max_new_tokens=max_new_tokens, end_ids=self.end_ids, pad_id=self.builder.pad_id)
        with modes.evaluating(self.model), torch.no_grad():
            return generate(self.base, self._ready(inputs), self.tokenizer, config, logits_processor)

    def answer_log_likelihood(self, clip: Clip, conversation: Conversation, answer: str) -> float:
        """Return ln P(answer and end token | clip, prompt) in nats."""
        with modes.evaluating(self.model), torch.no_grad():
            return -float(self.answer_loss(self.training_inputs([clip], [conversation], [answer])).total)

    def save_adapter(self, folder: str | Path, facts: Mapping[str, Any]) -> None:
        """Write the adapters alone, with the name and fingerprint of the base model, versions and ``facts``.

        Raises:
            PedkitError: There are no adapters.
        """
        model = self._adapted()
        adapter.save_adapter(
            model,
            self.family,
            Path(folder),
            name=self.name,
            revision=self.revision,
            settings=self.lora or LoraSettings(),
            facts=facts,
        )

    def load_adapter(self, folder: str | Path) -> dict[str, Any]:
        """Put saved weights into the adapters and return the file of facts, with the caller's under ``facts``.

        Raises:
            PedkitError: See `pedkit.models.language.adapter.load_adapter`; or there are no adapters.
        """
        model = self._adapted()
        return adapter.load_adapter(model, self.family, folder, settings=self.lora or LoraSettings())

    def merged_fp32(self) -> AudioLanguageModel:
        """Return a model in float32 with the adapters merged into its weights.

        Merging into bf16 rounds the update away in part, so that predictions change; measure the PER of the merged
        model again. To save memory the weights are taken from this object, which cannot be used afterwards.

        Raises:
            PedkitError: There are no adapters, or the base is quantised.
        """
        model = self._adapted()
        if getattr(self.base, "quantization_method", None) is not None:
            raise PedkitError("a quantised model cannot be merged", hint="load it without quantization")
        merged = model.float().merge_and_unload(safe_merge=True)
        return AudioLanguageModel(merged, self.family, self.processor, name=self.name, revision=self.revision)

    def _adapted(self) -> Any:
        if not self.has_adapter:
            raise PedkitError("expected a model with LoRA adapters, but this one has none")
        return self.model

    def _tower_dtype(self) -> torch.dtype:
        tower = self.base.get_submodule(self.family.audio_tower)
        return next(value.dtype for value in tower.parameters() if value.is_floating_point())  # type: ignore[no-any-return]

    def _ready(self, inputs: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Return inputs on the model's device, features in the audio tower's number format."""
        dtype = self._tower_dtype()
        ready = {
            name: value.to(self.device, dtype) if value.is_floating_point() else value.to(self.device)
            for name, value in inputs.items()
        }
        heard = ready.pop("audio_embeds", None)
        if heard is not None:
            embedded = self.base.get_input_embeddings()(ready["input_ids"])
            audio = (ready["input_ids"] == self.processor.audio_token_id)[..., None]
            ready["inputs_embeds"] = embedded.masked_scatter(audio, heard.to(embedded.dtype))
        return ready

    def _cached(self, clips: Sequence[Clip], names: Sequence[str] | None) -> Features | None:
        """Return what the text model gets for the clips, if a cache is in use."""
        if self.cache is None:
            return None
        outputs = [self._heard(self.cache, clip, names, number) for number, clip in enumerate(clips)]
        return Features({"audio_embeds": torch.cat(outputs)}, [len(output) for output in outputs])

    def _heard(self, cache: TowerCache, clip: Clip, names: Sequence[str] | None, number: int) -> torch.Tensor:
        known = cache.find(clip)
        if known is None:
            name = [names[number]] if names is not None and number < len(names) else None
            features = self.builder.features([clip], name)
            ids = torch.full((1, features.tokens[0]), self.processor.audio_token_id)
            known = hear(self.base, self.family, self._ready({"input_ids": ids, **features.tensors})).cpu()
            cache.keep(clip, known)
        return known
