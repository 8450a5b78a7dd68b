"""Tensors for training and generation, from clips, conversations and answers; needs no weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import torch

from pedkit.errors import PedkitError
from pedkit.models.language.clips import SAMPLE_RATE, Clip, check_clips
from pedkit.models.language.families import Family
from pedkit.models.language.features import Features, extract_features
from pedkit.models.language.labels import IGNORED, answer_ids, padded
from pedkit.models.language.prompt_text import audio_marks, expand_audio, render_prompt

if TYPE_CHECKING:
    from pedkit.models.prompts import Conversation


class InputBuilder:
    """Builds the inputs of one model; it can be sent to the workers of a data loader.

    Args:
        family: The family.
        processor: Its processor, whose feature extractor must be one for 16 kHz.
        context: Most tokens that the text model takes, prompt and answer together.

    Raises:
        PedkitError: The feature extractor is for another sample rate.
    """

    def __init__(self, family: Family, processor: Any, context: int) -> None:
        rate = processor.feature_extractor.sampling_rate
        if rate != SAMPLE_RATE:
            raise PedkitError(
                f"expected a feature extractor for {SAMPLE_RATE} Hz, but the model's is for {rate} Hz"
            )
        self.family, self.processor, self.context = family, processor, context
        tokenizer = processor.tokenizer
        self.tokenizer = tokenizer
        self.end_id: int = _token_id(tokenizer, family.end_token)
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = family.end_token  # padding is masked everywhere, so that any token serves
        self.pad_id: int = tokenizer.pad_token_id

    @property
    def longest_seconds(self) -> float:
        """Length of the longest clip that the model hears to its end."""
        limits = (
            getattr(self.processor, "max_audio_len", None),  # Audio Flamingo 3 cuts there, with a mere log message
            self.family.longest_seconds,
            self.processor.feature_extractor.chunk_length,
        )
        return float(next(limit for limit in limits if limit is not None))

    def features(self, clips: Sequence[Clip], names: Sequence[str] | None = None) -> Features:
        """Check clips and extract their features.

        Raises:
            PedkitError: A clip cannot be used; the utterance is named.
        """
        check_clips(clips, longest=self.longest_seconds, names=names)
        features = extract_features(self.family, self.processor, clips)
        if min(features.tokens) < 1:
            deaf = features.tokens.index(0)
            raise PedkitError(
                "the clip gives no audio token, so the model would not hear it",
                utterance=None if names is None else names[deaf],
            )
        return features

    def training_inputs(
        self,
        clips: Sequence[Clip],
        conversations: Sequence[Conversation],
        answers: Sequence[str],
        *,
        names: Sequence[str] | None = None,
        features: Features | None = None,
    ) -> dict[str, torch.Tensor]:
        """Return inputs padded on the right, with ``labels`` on the answers and end tokens only.

        Args:
            clips: One clip for each audio mark of all conversations, in reading order.
            conversations: The prompts.
            answers: The text that each is to be answered with.
            names: Utterance of each conversation, for messages.
            features: Features of the clips, where they are known already.

        Raises:
            PedkitError: Something cannot be used; the utterance is named.
        """
        features, prompts = self._prompts(clips, conversations, names, features)
        rows, labels = [], []
        for number, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
            first, second = answer_ids(self.tokenizer, prompt, answer, self.family.end_token)
            self._check_length(len(first) + len(second), None if names is None else names[number])
            rows.append(first + second)
            labels.append([IGNORED] * len(first) + second)
        return self._batch(rows, features, left=False) | {"labels": padded(labels, IGNORED, left=False)}

    def generation_inputs(
        self,
        clips: Sequence[Clip],
        conversations: Sequence[Conversation],
        *,
        names: Sequence[str] | None = None,
        features: Features | None = None,
    ) -> dict[str, torch.Tensor]:
        """Return prompts padded on the left: with padding on the right a batch is answered unlike its clips alone.

        Arguments and errors are those of `training_inputs`.
        """
        features, prompts = self._prompts(clips, conversations, names, features)
        rows = [self.tokenizer(prompt, add_special_tokens=False)["input_ids"] for prompt in prompts]
        for number, row in enumerate(rows):
            self._check_length(len(row), None if names is None else names[number])
        return self._batch(rows, features, left=True)

    def _prompts(
        self,
        clips: Sequence[Clip],
        conversations: Sequence[Conversation],
        names: Sequence[str] | None,
        features: Features | None,
    ) -> tuple[Features, list[str]]:
        """Return the features of the clips and the prompts with their audio tokens."""
        marks = [audio_marks(conversation) for conversation in conversations]
        texts = [
            render_prompt(self.processor, conversation, name=None if names is None else names[number])
            for number, conversation in enumerate(conversations)
        ]
        if sum(marks) != len(clips):
            raise PedkitError(f"the prompts hold {sum(marks)} clips, but {len(clips)} were given")
        if features is None:
            owners = None if names is None else [names[n] for n, count in enumerate(marks) for _ in range(count)]
            features = self.features(clips, owners)
        tokens = list(_cut(features.tokens, marks))
        audio_token = self.processor.audio_token
        return features, [expand_audio(text, audio_token, own) for text, own in zip(texts, tokens, strict=True)]

    def _check_length(self, length: int, name: str | None) -> None:
        if length > self.context:
            raise PedkitError(
                f"the prompt and answer have {length} tokens, but the model takes {self.context}", utterance=name
            )

    def _batch(self, rows: list[list[int]], features: Features, *, left: bool) -> dict[str, torch.Tensor]:
        return {
            "input_ids": padded(rows, self.pad_id, left=left),
            "attention_mask": padded([[1] * len(row) for row in rows], 0, left=left),
            **features.tensors,
        }


def _cut(values: Sequence[int], sizes: Sequence[int]) -> Iterator[Sequence[int]]:
    start = 0
    for size in sizes:
        yield values[start : start + size]
        start += size


def _token_id(tokenizer: Any, token: str) -> int:
    number = tokenizer.convert_tokens_to_ids(token)
    if number is None or number == tokenizer.unk_token_id:
        raise PedkitError(f"the tokenizer of the model has no token {token!r}")
    return int(number)
