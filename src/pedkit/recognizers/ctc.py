"""`CtcRecognizer`: phones from a CTC model, out of a run folder or from a model hub."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from pedkit.data.prediction import Prediction
from pedkit.errors import PedkitError
from pedkit.models.collapse import frames_needed
from pedkit.models.decoding import NOT_A_NUMBER, Decoder, GreedyDecoder, Heard, NotANumberError, decode
from pedkit.models.encoder import CtcEncoder
from pedkit.models.vocabulary import PhoneVocabulary
from pedkit.recognizers.by_length import expect_sample_rate, transcribe_by_length
from pedkit.recognizers.device import require_device
from pedkit.recognizers.protocol import Clip
from pedkit.recognizers.run import load_run


class CtcRecognizer:
    """CTC decoding with confidence and times of every phone.

    Args:
        encoder: The model; it is switched to evaluation mode.
        vocabulary: Its phones.
        name: Name of the system in reports.
        batch_size: Clips decoded together; 1 where the model is not batch-invariant.
        device: ``cpu``, ``cuda``, ...
        decoder: `pedkit.models.GreedyDecoder` (``None``) or `pedkit.models.BeamDecoder`.
        revision: Which weights exactly (hash of a checkpoint, commit on a hub).
        config_hash: Hash of the configuration of the training run.
    """

    def __init__(
        self,
        encoder: CtcEncoder,
        vocabulary: PhoneVocabulary,
        *,
        name: str,
        batch_size: int = 16,
        device: str = "cpu",
        decoder: Decoder | None = None,
        revision: str | None = None,
        config_hash: str | None = None,
    ) -> None:
        if batch_size < 1:
            raise PedkitError(f"expected batch_size to be 1 or more, but got {batch_size}")
        require_device(device)
        self.encoder, self.vocabulary = encoder.to(device).eval(), vocabulary
        self.name, self.inventory, self.sample_rate = name, vocabulary.inventory, encoder.sample_rate
        self.batch_size = batch_size if encoder.batch_invariant else 1
        self.decoder = GreedyDecoder() if decoder is None else decoder
        self.device, self.revision, self.config_hash = device, revision, config_hash
        self._warm = False

    @classmethod
    def from_run(
        cls,
        run_dir: str | Path,
        *,
        checkpoint: str | None = None,
        device: str = "cpu",
        batch_size: int = 16,
        decoder: Decoder | None = None,
    ) -> CtcRecognizer:
        """Load the kept checkpoint of a run folder; the folder alone is enough, whatever it was trained from.

        Args:
            run_dir: A folder written by ``train.py``.
            checkpoint: Another checkpoint, relative to the folder; the one kept on dev PER where ``None``.
            device: Where to run.
            batch_size: Clips decoded together.
            decoder: What turns its logits into phones; greedily where ``None``.

        Raises:
            PedkitError: The folder is not a run folder, or holds no such checkpoint.
        """
        run = load_run(run_dir, checkpoint)
        return cls(
            run.encoder,
            run.vocabulary,
            name=run.name,
            batch_size=batch_size,
            device=device,
            decoder=decoder,
            revision=run.revision,
            config_hash=run.config_hash,
        )

    @classmethod
    def from_pretrained(
        cls,
        name: str,
        *,
        inventory: str | None = None,
        revision: str | None = None,
        device: str = "cpu",
        batch_size: int = 16,
        decoder: Decoder | None = None,
    ) -> CtcRecognizer:
        """Load a CTC model with its own phone vocabulary, such as ``facebook/wav2vec2-xlsr-53-espeak-cv-ft``.

        Args:
            name: Hub id or folder.
            inventory: Inventory that the model's symbols belong to; ``None`` for what an exported model says, and
                ``ipa`` for others.
            revision: Commit or tag on the hub.
            device: Where to run.
            batch_size: Clips decoded together.
            decoder: What turns its logits into phones; greedily where ``None``.

        Raises:
            PedkitError: The model cannot be loaded, is of an unsupported family, or hears another inventory.
        """
        from pedkit.models.hub_phones import hub_vocabulary
        from pedkit.models.loading import pretrained_encoder

        vocabulary = hub_vocabulary(name, inventory=inventory, revision=revision)
        encoder = pretrained_encoder(vocabulary, name=name, revision=revision, head="own")
        return cls(
            encoder,
            vocabulary,
            name=name,
            batch_size=batch_size,
            device=device,
            decoder=decoder,
            revision=revision,
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
            prediction=self._from_heard,
        )

    def _failed(self, clip: Clip) -> Prediction | None:
        reason = self._unusable(clip)
        return None if reason is None else self._prediction(clip, status="failed", reason=reason)

    def _hear(self, clips: Sequence[Clip]) -> list[Heard | None]:
        """Return what was heard in each clip, ``None`` where the outputs of the model are no numbers."""
        try:
            return [*decode(self.encoder, self.vocabulary, *self._pad(clips), self.decoder)]
        except NotANumberError:
            return [None] if len(clips) == 1 else [self._hear([clip])[0] for clip in clips]

    def _warm_up(self, clip: Clip) -> None:
        """Run the model once, on a second of silence."""
        del clip
        if self._warm:
            return
        longest, shortest = self.encoder.front_end.max_samples, self.encoder.front_end.min_samples
        samples = max(min(self.sample_rate, longest or self.sample_rate), shortest)
        silence, lengths = torch.zeros(1, samples, device=self.device), torch.tensor([samples], device=self.device)
        with suppress(NotANumberError):  # the clips will tell
            decode(self.encoder, self.vocabulary, silence, lengths, self.decoder)
        self._warm = True

    def log_likelihood(self, clip: Clip, phones: Iterable[str]) -> float:
        """Return the natural log-likelihood of ``phones`` given the clip, summed over all CTC alignments.

        Raises:
            PedkitError: A phone is not in the vocabulary, the clip is unusable or too short for the phones, or the
                model's outputs for it are not numbers.
        """
        ids = self.vocabulary.encode(phones)
        return self._summed(ids, self._log_probs(clip), clip)

    def log_likelihoods(self, clip: Clip, sequences: Iterable[Iterable[str]]) -> list[float | None]:
        """Return the `log_likelihood` of each of several phone sequences; the model hears the clip once for all.

        Returns:
            The very numbers of `log_likelihood`; ``None`` for a sequence that it would refuse.

        Raises:
            PedkitError: The clip is unusable, or the model's outputs for it are not numbers.
        """
        log_probs = self._log_probs(clip)
        found: list[float | None] = []
        for phones in sequences:
            try:
                found.append(self._summed(self.vocabulary.encode(phones), log_probs, clip))
            except PedkitError:
                found.append(None)
        return found

    @torch.no_grad()
    def _log_probs(self, clip: Clip) -> Tensor:
        """Return natural log-probabilities of the clip, shape (frames, vocabulary)."""
        reason = self._unusable(clip)
        if reason is not None:
            raise PedkitError(reason, utterance=clip.utterance.id)
        output = self.encoder(*self._pad([clip]))
        log_probs: Tensor = output.logits[0, : int(output.frames)].float().log_softmax(-1)
        if log_probs.isnan().any():
            raise NotANumberError(NOT_A_NUMBER, utterance=clip.utterance.id)
        return log_probs

    def _summed(self, ids: Sequence[int], log_probs: Tensor, clip: Clip) -> float:
        """Return the log-likelihood of phone ids, summed over all alignments."""
        frames = len(log_probs)
        if frames_needed(ids) > frames:
            raise PedkitError(
                f"{len(ids)} phones need {frames_needed(ids)} frames, but {clip.seconds:.2f} s have {frames}",
                utterance=clip.utterance.id,
            )
        if not ids:  # the one path without phones; torch's CTC loss wants at least one label on some devices
            return float(log_probs[:, self.vocabulary.blank].sum())
        loss = nn.functional.ctc_loss(
            log_probs[:, None],
            torch.tensor([ids], device=self.device),
            torch.tensor([frames]),
            torch.tensor([len(ids)]),
            blank=self.vocabulary.blank,
            reduction="sum",
        )
        return -float(loss)

    def _unusable(self, clip: Clip) -> str | None:
        expect_sample_rate(clip, self.sample_rate)
        longest, shortest = self.encoder.front_end.max_samples, self.encoder.front_end.min_samples
        if len(clip.samples) < shortest:
            return (
                f"a clip of {clip.seconds:.3f} s is shorter than one frame ({shortest / self.sample_rate:.3f} s)"
            )
        if longest is not None and len(clip.samples) > longest:
            most = longest / self.sample_rate
            return f"a clip of {clip.seconds:.1f} s is longer than the {most:g} s the model can take"
        if not np.isfinite(clip.samples).all():
            return "the clip holds samples that are not finite"
        return None

    def _pad(self, clips: Sequence[Clip]) -> tuple[Tensor, Tensor]:
        lengths = torch.tensor([len(clip.samples) for clip in clips])
        waveforms = torch.zeros(len(clips), int(lengths.max()))
        for row, clip in zip(waveforms, clips, strict=True):
            row[: len(clip.samples)] = torch.from_numpy(np.ascontiguousarray(clip.samples, dtype=np.float32))
        return waveforms.to(self.device), lengths.to(self.device)

    def _from_heard(self, clip: Clip, heard: Heard | None, seconds: float) -> Prediction:
        if heard is None:
            return self._prediction(clip, status="failed", reason=NOT_A_NUMBER, seconds=seconds)
        step = self.encoder.seconds_per_frame
        times = tuple((start * step, min(end * step, clip.seconds)) for start, end in heard.spans)
        status, reason = ("ok", None) if heard.phones else ("empty", "the model heard no phone")
        return self._prediction(
            clip,
            phones=heard.phones,
            confidences=heard.confidences,
            times=times,
            seconds=seconds,
            status=status,
            reason=reason,
        )

    def _prediction(self, clip: Clip, **fields: object) -> Prediction:
        return Prediction(
            id=clip.utterance.id,
            inventory=self.inventory,
            batch_size=self.batch_size,
            device=str(self.device),
            model=self.name,
            revision=self.revision,
            config_hash=self.config_hash,
            **fields,  # type: ignore[arg-type]
        )
