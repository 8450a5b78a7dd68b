"""`AudioLanguageModule`: LoRA tuning of an audio language model on phone answers as a LightningModule."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, ClassVar, get_args

import torch
from pytorch_lightning import LightningModule
from torch import Tensor, nn

from pedkit.data.batch import AudioBatch
from pedkit.data.dataset import PhoneDataset
from pedkit.errors import PedkitError
from pedkit.models.epoch_means import EpochMeans
from pedkit.models.fitting_data import expect_sample_rate, stretch
from pedkit.models.language.accumulation import LossNorm, Window
from pedkit.models.language.clips import SAMPLE_RATE, SHORTEST_SECONDS
from pedkit.models.language.description import Description
from pedkit.models.language.hearing import MAX_NEW_TOKENS, HeardAnswer, hear_answers
from pedkit.models.language.microbatches import Microbatch, microbatches, samples
from pedkit.models.language.probe import AnswerProbe
from pedkit.models.language.shown import shown_tokens
from pedkit.models.language.source import LanguageModelSource
from pedkit.models.language.weights import require_names, trained_names
from pedkit.models.loss_fault import expect_finite, expect_finite_gradients
from pedkit.models.optimization import Optimization
from pedkit.models.prompts import Prompt
from pedkit.models.trainable import Unlearnable

log = logging.getLogger(__name__)


class AudioLanguageModule(LightningModule):
    """Trains adapters on the answers of a batch and asks about the dev sets with the same prompt.

    A batch of the loader is one effective batch: it goes through the model in micro-batches, and one update is
    made of it whole. That is why optimization is manual: Lightning's accumulation divides by the number of
    batches, whatever is in them. A validation step returns `HeardAnswer` for each clip.

    Args:
        source: The base model and its adapters.
        prompt: What the model is asked, never ``None``; the answer is the perceived transcription in every mode.
        learning_rate: Peak learning rate of AdamW.
        weight_decay: Decoupled weight decay.
        decay: Which parameters decay: ``matrices`` or ``all``; LoRA has matrices only, DoRA adds vectors.
        betas: Averaging constants of AdamW.
        warmup_steps: Updates over which the learning rate rises; or give ``warmup_ratio``, a share of all updates.
        warmup_ratio: See ``warmup_steps``.
        schedule: ``linear`` (down to zero at the end) or ``constant``, after the warm-up.
        gradient_clip: Largest norm of the gradient of an update; ``None`` for no limit.
        loss_norm: What an update averages over (`pedkit.models.language.accumulation.LossNorm`).
        microbatch: Clips that go through the model together in training; it changes memory and
            speed, and with ``microbatch_mean`` the result.
        max_new_tokens: Most tokens of an answer about a dev clip.

    Attributes:
        language: The model.
        total_steps: Number of updates of the whole training, set by whoever starts it.
        means: ``train_loss`` of this epoch, in nats an answer token.

    Raises:
        PedkitError: The model cannot be loaded or has no adapters, or a setting is out of range.
    """

    kind = "audio_language_model"
    hopeless: ClassVar[Mapping[str, str]] = {
        "dev_unparsable_share": "no answer about the dev sets could be read: train for longer, or look at what is "
        "trained on with debug=tokens"
    }

    def __init__(
        self,
        source: LanguageModelSource,
        prompt: Prompt | None,
        *,
        learning_rate: float = 2e-4,
        weight_decay: float = 0.01,
        decay: str = "matrices",
        betas: Sequence[float] = (0.9, 0.999),
        warmup_steps: int | None = None,
        warmup_ratio: float | None = None,
        schedule: str = "linear",
        gradient_clip: float | None = 1.0,
        loss_norm: LossNorm = "token",
        microbatch: int = 4,
        max_new_tokens: int = MAX_NEW_TOKENS,
    ) -> None:
        super().__init__()
        if prompt is None:
            raise PedkitError(
                "an audio language model needs a prompt",
                hint="add prompt=unscripted or prompt=scripted",
            )
        if loss_norm not in get_args(LossNorm):
            raise PedkitError(f"expected loss_norm to be {' or '.join(get_args(LossNorm))}, but got {loss_norm!r}")
        if microbatch < 1 or max_new_tokens < 1:
            raise PedkitError(
                f"expected microbatch and max_new_tokens to be 1 or more, but got {microbatch} and "
                f"{max_new_tokens}"
            )
        if gradient_clip is not None and gradient_clip <= 0:  # of which Lightning makes no limit
            raise PedkitError(
                f"expected gradient_clip to be above 0, but got {gradient_clip}", hint="null is no limit"
            )
        self.automatic_optimization = False
        self.strict_loading = False  # the checkpoint holds the adapters alone; load_state_dict compares the keys
        self.source, self.prompt, self.inventory = source, prompt, prompt.inventory
        # A quantised model can only be loaded where it will be used.
        place = f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if source.quantization else "cpu"
        self.language = source.load(place)
        self.language.trainable_facts()
        self.adapted = self.language.model
        self.total_steps: int | None = None
        self.means = EpochMeans()
        self._trained = trained_names(self)
        self._optimization = Optimization(
            learning_rate=learning_rate,
            weight_decay=weight_decay,
            decay=decay,
            betas=tuple(betas),
            warmup_steps=warmup_steps,
            warmup_ratio=warmup_ratio,
            schedule=schedule,
        )
        self._clip, self._norm = gradient_clip, loss_norm
        self._microbatch, self._max_new_tokens = microbatch, max_new_tokens

    def check_data(self, train: PhoneDataset, dev: Mapping[str, PhoneDataset]) -> None:
        """Check that every clip can be heard to its end and asked about, and every target be written.

        Raises:
            PedkitError: An utterance cannot; it is named. Or clips to be cached change at each reading.
        """
        if self.language.cache is not None and train.augment is not None:
            raise PedkitError(
                "the outputs of the audio tower cannot be kept while data.augment changes clips at each reading",
                hint="set data.augment=null or model.source.tower_cache=null",
            )
        expect_sample_rate(train, dev, SAMPLE_RATE)
        for data in (train, *dev.values()):
            least, most = stretch(data)
            for utterance, seconds in zip(data.utterances, data.seconds.tolist(), strict=True):
                shortest, longest = seconds * least, seconds * most
                if self._cannot_hear(shortest) or self._cannot_hear(longest):
                    told = f" ({shortest:.2f} to {longest:.2f} s by data.augment.speed)" if most > least else ""
                    raise PedkitError(
                        f"the clip has {seconds:.2f} s{told}, but the model takes {SHORTEST_SECONDS} to "
                        f"{self.language.builder.longest_seconds:g} s",
                        utterance=utterance.id,
                        hint="data.min_seconds and data.max_seconds leave out train clips; dev clips never are",
                    )
                self.prompt.conversation(utterance)
        for phone in sorted({phone for target in train.targets for phone in target}):
            self.prompt.answer([phone])

    def describe(self, folder: Path) -> dict[str, Any]:
        """Write ``language_model.json``; return the hash of the prompt and what trains."""
        return Description.write(folder, self.language, self.source, self.prompt, self._max_new_tokens)

    def unlearnable(self, data: PhoneDataset) -> Unlearnable:
        """Return the clips that are too short or too long for the model."""
        clips = zip(data.utterances, data.seconds.tolist(), strict=True)
        ids = [utterance.id for utterance, seconds in clips if self._cannot_hear(seconds)]
        return Unlearnable("refused", "are too short or too long for the model", ids)

    def clips_at_once(self, clips: int) -> int:
        """Return the size of a micro-batch, or ``clips`` where that is smaller."""
        return min(clips, self._microbatch)

    def probe(self) -> nn.Module:
        """Return what computes the loss of one clip."""
        return AnswerProbe(self.language, self.prompt)

    def shown(self, batch: AudioBatch) -> str:
        """Return all tokens of each conversation, those with loss apart from those without."""
        blocks = []
        for clip, utterance, target in zip(samples(batch), batch.utterances, batch.targets, strict=True):
            inputs = Microbatch([clip], [utterance], [target]).inputs(self.language, self.prompt)
            tokens = shown_tokens(self.language.tokenizer, inputs["input_ids"][0], inputs["labels"][0])
            blocks.append(f"{utterance.id}, prompt {self.prompt.name}:\n{tokens}")
        return "\n".join(blocks)

    def configure_model(self) -> None:
        """Refuse strategies that share out weights.

        Raises:
            PedkitError: The strategy does.
        """
        if self.device_mesh is not None:
            raise PedkitError(
                "adapters of audio language models are not trained with trainer=fsdp",
                hint="trainer=gpu or trainer=ddp; the frozen weights of 7B need 18 GB a GPU, with 4bit 6 GB",
            )

    def on_fit_start(self) -> None:
        """Switch the text model to training mode, which Lightning does not do, and look at what trains.

        Raises:
            PedkitError: The trainer's precision has rounded the adapters.
        """
        self.language.train_mode()
        facts = self.language.trainable_facts()
        log.info("%d adapted modules, %d parameters to train", facts["modules"], facts["parameters"])

    def training_step(self, batch: AudioBatch, batch_idx: int) -> Tensor:
        """Make one update of an effective batch and return its loss.

        Raises:
            LossNotFiniteError: The loss or its gradient is no number in a process; no update is made.
        """
        del batch_idx
        optimizer, rate = self.optimizers(), self.lr_schedulers()
        self.log("learning_rate", optimizer.param_groups[0]["lr"], on_step=True, on_epoch=False)  # type: ignore[union-attr]
        inputs = [one.inputs(self.language, self.prompt) for one in microbatches(batch, self._microbatch)]
        window = Window.of(inputs, self.device)
        optimizer.zero_grad()  # type: ignore[union-attr]
        value = self._backward(inputs, window)
        expect_finite(value, batch, self)
        expect_finite_gradients(batch, self)
        if self._clip is not None:
            self.clip_gradients(optimizer, gradient_clip_val=self._clip, gradient_clip_algorithm="norm")  # type: ignore[arg-type]
        optimizer.step()  # type: ignore[union-attr]
        rate.step()  # type: ignore[union-attr]
        return value

    def validation_step(
        self, batch: AudioBatch, batch_idx: int, dataloader_idx: int = 0
    ) -> dict[str, list[HeardAnswer]]:
        """Return what was answered about each clip, under ``heard``."""
        del batch_idx, dataloader_idx
        heard = hear_answers(
            self.language, self.prompt, samples(batch), batch.utterances, max_new_tokens=self._max_new_tokens
        )
        return {"heard": heard}

    def configure_optimizers(self) -> Any:
        """Return AdamW and its schedule.

        Raises:
            PedkitError: ``total_steps`` was not set.
        """
        return self._optimization.of(self, self.total_steps)

    def state_dict(self, *args: Any, **kwargs: Any) -> dict[str, Any]:  # type: ignore[override]
        """Return the adapters alone; the base stays where it came from."""
        whole = super().state_dict(*args, **kwargs)
        return {name: whole[name] for name in whole if name in self._trained}

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Load adapters.

        Raises:
            PedkitError: The names are not exactly those of this model's adapters; torch would take the rest.
        """
        del strict
        require_names(self._trained, state_dict)
        return super().load_state_dict(state_dict, strict=False, assign=assign)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Write the hash of the prompt beside the weights."""
        checkpoint["prompt_hash"] = self.prompt.hash

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Check that the training goes on with its own prompt.

        Raises:
            PedkitError: It does not.
        """
        if checkpoint.get("prompt_hash") != self.prompt.hash:
            raise PedkitError(
                "the checkpoint was trained with another prompt than this one", hint="choose another output_dir"
            )

    def _backward(self, inputs: Sequence[Mapping[str, Tensor]], window: Window) -> Tensor:
        """Add up the gradients of an effective batch; processes exchange them once, with the last micro-batch."""
        value = torch.zeros((), device=self.device)
        if not inputs:  # none of its recordings could be read; other processes wait for the gradients
            self.manual_backward(torch.stack([p.sum() * 0.0 for p in self.parameters() if p.requires_grad]).sum())
        waiting = getattr(self.trainer.strategy, "block_backward_sync", nullcontext)
        for number, one in enumerate(inputs, start=1):
            with waiting() if number < len(inputs) else nullcontext():
                found = self.language.answer_loss(one)
                loss = window.loss(found, self._norm)
                self.manual_backward(loss)
            value += loss.detach()
            self.means.add("train_loss", float(found.total.detach()) / max(found.tokens, 1), found.tokens)
        return value

    def _cannot_hear(self, seconds: float) -> bool:
        return not SHORTEST_SECONDS <= seconds <= self.language.builder.longest_seconds
