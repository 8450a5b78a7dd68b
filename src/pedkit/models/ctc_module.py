"""`CtcModule`: CTC training of any `CtcEncoder` as a LightningModule."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from pytorch_lightning import LightningModule
from torch import Tensor, nn

from pedkit.data.batch import AudioBatch
from pedkit.data.dataset import PhoneDataset
from pedkit.data.json_file import write_object
from pedkit.errors import PedkitError
from pedkit.models.collapse import frames_needed
from pedkit.models.decoding import Decoder, Heard, NotANumberError, decode
from pedkit.models.encoder import CtcEncoder
from pedkit.models.epoch_means import EpochMeans
from pedkit.models.fitting_data import expect_no_longer, expect_sample_rate
from pedkit.models.loss_fault import expect_finite
from pedkit.models.objective import Loss, Objective
from pedkit.models.optimization import Optimization
from pedkit.models.padding import inside
from pedkit.models.sharding import hold_whole, shard
from pedkit.models.trainable import Unlearnable
from pedkit.models.vocabulary import PhoneVocabulary

log = logging.getLogger(__name__)


class CtcModule(LightningModule):
    """Trains an encoder on the phones of a batch and decodes the dev sets.

    A validation step returns what was heard in each clip (`Heard`); `pedkit.training.DevScores` scores it.

    Args:
        vocabulary: Phones of the output layer.
        encoder: The encoder, or a function that builds one for the vocabulary.
        learning_rate: Peak learning rate of AdamW.
        weight_decay: Decoupled weight decay.
        decay: Which parameters decay: ``matrices`` (no biases, no norms) or ``all``.
        betas: Averaging constants of AdamW.
        warmup_steps: Updates over which the learning rate rises; or give ``warmup_ratio``, a share of all updates.
        warmup_ratio: See ``warmup_steps``.
        schedule: ``linear`` (down to zero at the end) or ``constant``, after the warm-up.
        freeze_feature_encoder: Keep the convolutional feature encoder as it is.
        consistency: Weight of the consistency of two views (CR-CTC) beside the CTC loss (`Objective`).
        articulatory: Weight of the articulatory features as a second task.
        spec_augment: Arguments of `pedkit.models.spec_augment.SpecAugment`; ``None`` for no masks.
        decoder: What turns logits into phones on the dev sets; greedily where ``None``.

    Attributes:
        total_steps: Number of updates of the whole training, set by whoever starts it; the schedule needs it.
        means: What the batches of this epoch were like: ``train_loss`` (of CTC), ``train_consistency`` and
            ``train_articulatory`` where they are on, ``train_blank_share`` and the number of utterances with too
            few frames for their phones, ``train_unalignable``.
    """

    kind = "ctc"
    hopeless: ClassVar[Mapping[str, str]] = {
        "dev_blank_share": "the model hears nothing but the blank yet: train for longer, or change what "
        "docs/training.md names for small models"
    }

    def __init__(
        self,
        vocabulary: PhoneVocabulary,
        encoder: CtcEncoder | Callable[[PhoneVocabulary], CtcEncoder],
        *,
        learning_rate: float = 1e-3,
        weight_decay: float = 0.01,
        decay: str = "matrices",
        betas: Sequence[float] = (0.9, 0.999),
        warmup_steps: int | None = None,
        warmup_ratio: float | None = None,
        schedule: str = "linear",
        freeze_feature_encoder: bool = False,
        consistency: float = 0.0,
        articulatory: float = 0.0,
        spec_augment: Mapping[str, Any] | None = None,
        decoder: Decoder | None = None,
    ) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.encoder = encoder if isinstance(encoder, CtcEncoder) else encoder(vocabulary)
        if freeze_feature_encoder:
            self.encoder.freeze_feature_encoder()
        self.objective = Objective(
            vocabulary, self.encoder, consistency=consistency, articulatory=articulatory, spec_augment=spec_augment
        )
        self.decoder = decoder
        self.total_steps: int | None = None
        self.means = EpochMeans()
        self._optimization = Optimization(
            learning_rate=learning_rate,
            weight_decay=weight_decay,
            decay=decay,
            betas=tuple(betas),
            warmup_steps=warmup_steps,
            warmup_ratio=warmup_ratio,
            schedule=schedule,
        )
        self._views = 2 if consistency else 1
        self._left_out: set[str] = set()

    @property
    def inventory(self) -> str:
        """Inventory of what it hears."""
        return str(self.vocabulary.inventory)

    def check_data(self, train: PhoneDataset, dev: Mapping[str, PhoneDataset]) -> None:
        """Check that every clip can be heard to its end, and that every phone to be learnt has an output.

        Raises:
            PedkitError: A clip cannot, and is named, or a phone has none.
        """
        expect_sample_rate(train, dev, self.encoder.sample_rate)
        model = f"an encoder of type {self.encoder.model_type!r}"
        expect_no_longer(train, dev, self.encoder.front_end.max_samples, model)
        self.vocabulary.encode({phone for target in train.targets for phone in target})

    def describe(self, folder: Path) -> dict[str, Any]:
        """Write ``vocabulary.json`` and ``encoder.json``."""
        self.vocabulary.save(folder / "vocabulary.json")
        write_object(folder / "encoder.json", self.encoder.to_dict())
        return {}

    def unlearnable(self, data: PhoneDataset) -> Unlearnable:
        """Return the clips with fewer frames than a CTC path of their phones needs."""
        samples = torch.from_numpy(np.round(data.seconds * data.sample_rate).astype(np.int64))
        frames = self.encoder.frame_lengths(samples).tolist()
        needed = [frames_needed(self.vocabulary.encode(target)) for target in data.targets]
        clips = zip(data.utterances, frames, needed, strict=True)
        ids = [utterance.id for utterance, have, need in clips if have < need]
        return Unlearnable("unalignable", "have too few frames for their phones", ids)

    def clips_at_once(self, clips: int) -> int:
        """Return ``clips``, or their two views with ``consistency``: a batch goes through the encoder whole."""
        return clips * self._views

    def probe(self) -> nn.Module:
        """Return the encoder."""
        return self.encoder

    def shown(self, batch: AudioBatch) -> str:
        """Return the phones of each utterance with the ids of their outputs; the loss is on all of them."""
        blocks = []
        for utterance, target in zip(batch.utterances, batch.targets, strict=True):
            ids = self.vocabulary.encode(target)
            pairs = "  ".join(f"{phone} {number}" for phone, number in zip(target, ids, strict=True))
            blocks.append(
                f"{utterance.id}: {len(ids)} outputs to be learnt, blank {self.vocabulary.blank}\n  {pairs}"
            )
        return "\n".join(blocks)

    def setup(self, stage: str) -> None:
        """Refuse to leave out layers in one process that others have.

        Raises:
            PedkitError: There are several processes, and layers would be left out.
        """
        del stage
        share = getattr(self.encoder.model.config, "layerdrop", 0.0)
        if share > 0 and self.trainer.world_size > 1:
            raise PedkitError(
                f"model.encoder.layerdrop is {share}, but each of {self.trainer.world_size} processes would leave "
                "out other layers and wait for their gradients in vain",
                hint="set model.encoder.layerdrop=0.0, or train with one process",
            )

    def configure_model(self) -> None:
        """Share the encoder's weights out over processes, where the strategy does so (``trainer=fsdp``)."""
        if self.device_mesh is not None:
            mesh = self.device_mesh["data_parallel"]
            shard(self.encoder, mesh)
            if self.objective.articulatory is not None:
                shard(self.objective.articulatory, mesh)

    def on_load_checkpoint(self, checkpoint: Mapping[str, Any]) -> None:
        """Check that a checkpoint is of this model.

        Raises:
            PedkitError: It holds other weights; the first is named.
        """
        own, given = self.state_dict(), checkpoint["state_dict"]
        for name in dict.fromkeys((*own, *given)):
            shapes = [tuple(one[name].shape) if name in one else None for one in (own, given)]
            if shapes[0] != shapes[1]:
                raise PedkitError(
                    f"the checkpoint is of another model: {name} is {shapes[1] or 'absent'} in it, and "
                    f"{shapes[0] or 'absent'} in the model of these settings",
                    hint="delete it to begin the training anew, or choose another output_dir",
                )

    def on_fit_start(self) -> None:
        """Switch to training mode: ``from_pretrained`` leaves models in evaluation mode, and so does Lightning."""
        self.train()

    def training_step(self, batch: AudioBatch, batch_idx: int) -> Tensor:
        """Return the loss of a batch.

        Raises:
            LossNotFiniteError: The loss is no number in a process; the batch's utterances are named.
        """
        del batch_idx
        if not len(batch):  # none of its recordings could be read
            return self._nothing_learnt(batch)
        labels = [self.vocabulary.encode(phones) for phones in batch.targets]
        loss: Loss = self.objective(self.encoder, batch.waveforms, batch.lengths, labels)
        output = loss.output
        expect_finite(loss.value, batch, self)
        self.log("learning_rate", self.trainer.optimizers[0].param_groups[0]["lr"], on_step=True, on_epoch=False)
        self.means.count("train_unalignable", [batch.utterances[i].id for i in loss.unalignable])
        for position in loss.unalignable:
            self._leave_out(batch, position, int(output.frames[position]))
        for name, part in loss.parts.items() if loss.aligned else ():
            self.means.add(f"train_{name}", float(part.detach()), loss.aligned)
        frames = inside(output.frames, output.logits.shape[1])
        blanks = (output.logits.detach().argmax(-1) == self.vocabulary.blank) & frames
        number = max(int(frames.sum()), 1)
        self.means.add("train_blank_share", int(blanks.sum()) / number, number)
        return loss.value

    def on_validation_start(self) -> None:
        """Gather shared-out weights: processes have different numbers of dev batches and must not wait."""
        hold_whole(self.encoder, True)

    def on_validation_end(self) -> None:
        """Share them out again."""
        hold_whole(self.encoder, False)

    def validation_step(
        self, batch: AudioBatch, batch_idx: int, dataloader_idx: int = 0
    ) -> dict[str, list[Heard]]:
        """Return what was heard in each clip, under ``heard``.

        Raises:
            NotANumberError: The outputs for a clip are no numbers; the batch's utterances are named.
        """
        del batch_idx, dataloader_idx
        try:
            heard = decode(self.encoder, self.vocabulary, batch.waveforms, batch.lengths, self.decoder)
        except NotANumberError as error:
            names = ", ".join(utterance.id for utterance in batch.utterances)
            raise NotANumberError(f"{error.message}, on the dev utterances {names}") from None
        return {"heard": heard}

    def configure_optimizers(self) -> Any:
        """Return AdamW and its schedule.

        Raises:
            PedkitError: ``total_steps`` was not set.
        """
        return self._optimization.of(self, self.total_steps)

    def _nothing_learnt(self, batch: AudioBatch) -> Tensor:
        """Return a loss of 0 by way of all weights.

        Other processes gather weights, compare losses and average gradients: this one must do it with them.
        """
        second = self.encoder.sample_rate
        silence, lengths = batch.waveforms.new_zeros(1, second), batch.lengths.new_tensor([second])
        labels = [self.vocabulary.encode(self.vocabulary.phones[:1])]
        value = self.objective(self.encoder, silence, lengths, labels).value * 0.0
        expect_finite(value, batch, self)
        return value  # type: ignore[no-any-return]  # modules are not typed

    def _leave_out(self, batch: AudioBatch, position: int, frames: int) -> None:
        name, phones = batch.utterances[position].id, batch.targets[position]
        if name not in self._left_out:
            self._left_out.add(name)
            log.warning(
                "utterance '%s' has %d frames, too few for its %d phones; it is left out of the loss",
                name, frames, len(phones),
            )  # fmt: skip
