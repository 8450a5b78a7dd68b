"""Tiny audio language models of the real classes that have learnt to write down tones, and such tones."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import soundfile
import torch

from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.models.language import AudioLanguageModel, load_audio_language_model
from pedkit.models.prompts import Prompt, load_prompt
from tests.models.language.tiny_audio_models import save_tiny

TONES = {"AA": 400.0, "S": 3000.0}
SWAPPED = {"AA": "S", "S": "AA"}
WORDS = [word for n in (1, 2) for word in itertools.product(TONES, repeat=n)]
TEMPLATE = {
    "name": "short",
    "version": 1,
    "system": "Phones.",
    "user": "Transcribe.",
    "scripted": "Text: {text} Phones: {canonical}",
}


def tone_word(phones: tuple[str, ...], seed: int = 0) -> np.ndarray:
    """0.2 s of a tone a phone with 0.1 s of silence around each, and a little noise of its own."""
    time, silence = np.arange(3200) / 16000, np.zeros(1600)
    parts = [part for phone in phones for part in (0.4 * np.sin(2 * np.pi * TONES[phone] * time), silence)]
    clip = np.concatenate([silence, *parts])
    return (clip + np.random.default_rng(seed).normal(0, 0.01, len(clip))).astype(np.float32)


def write_tones(folder: Path, name: str, copies: int, *, swapped: bool = False, seed: int = 0) -> Path:
    """Write a manifest of every word, ``copies`` times each; ``swapped`` says the other phone of what is heard."""
    utterances = []
    for number, phones in enumerate(WORDS * copies):
        path = folder / "audio" / f"{name}{number}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        clip = tone_word(phones, seed + number)
        soundfile.write(path, clip, 16000, subtype="FLOAT")
        said = tuple(SWAPPED[phone] for phone in phones) if swapped else phones
        utterances.append(
            Utterance(
                id=f"{name}{number}", audio=Audio(str(path), duration=len(clip) / 16000), text="tone",
                inventory="cmu39", canonical=phones, realized=said,
            )
        )  # fmt: skip
    write_manifest(folder / f"{name}.jsonl", utterances)
    return folder / f"{name}.jsonl"


def write_template(folder: Path) -> Path:
    """Write a prompt that is short enough for tiny models."""
    path = folder / "short.json"
    path.write_text(json.dumps(TEMPLATE), encoding="utf-8")
    return path


def tuned_base(kind: str, folder: Path, template: Path, *, steps: int = 160) -> Path:
    """Write a tiny model that writes down the tones it hears: LoRA learns nothing on random weights."""
    save_tiny(kind, folder)
    language = load_audio_language_model(folder, dtype="float32")
    language.model.requires_grad_(True)
    language.model.train()
    prompt = load_prompt(str(template))
    optimizer = torch.optim.AdamW(language.model.parameters(), lr=3e-3, weight_decay=0.0)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 3e-3 * min(1.0, (step + 1) / 10, (steps - step) / 60)
        loss = _loss(language, prompt, seed=100 + 10 * step)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(language.model.parameters(), 1.0)
        optimizer.step()
    language.model.save_pretrained(folder)
    return folder


def _loss(language: AudioLanguageModel, prompt: Prompt, seed: int) -> torch.Tensor:
    clips = [tone_word(word, seed + number) for number, word in enumerate(WORDS)]
    utterance = Utterance(id="u", text="tone", canonical=("AA",), inventory="cmu39")
    inputs = language.training_inputs(
        clips, [prompt.conversation(utterance)] * len(clips), [prompt.answer(word) for word in WORDS]
    )
    found = language.answer_loss(inputs)
    return found.total / found.tokens
