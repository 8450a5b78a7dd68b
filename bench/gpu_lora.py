"""LoRA on a 7B audio language model of random weights: step time, tokens a second and peak memory on one GPU.

    python bench/gpu_lora.py --model qwen2_5_omni_7b
    python bench/gpu_lora.py --model audio_flamingo_3 --micro-batch 8 --no-checkpointing
    python bench/gpu_lora.py --tiny --device cpu            # the same program on a model of 0.1 million parameters

The sizes are those of the released models, so that time and memory are too; what it answers is nonsense. An update
is one effective batch of 16 clips, as in training: frozen weights in bf16, adapters of rank 16 in fp32, AdamW.
Decoding is greedy with a batch of 16 and a fixed number of new tokens; prompts have about the length of ours.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import transformers
from transformers import WhisperFeatureExtractor

from pedkit.models.language.families import Family
from pedkit.models.language.features import window_samples
from pedkit.models.language.generation import greedy_config
from pedkit.models.language.labels import IGNORED
from pedkit.models.language.lora import LoraSettings, add_lora, trainable_facts
from pedkit.models.language.loss import answer_loss
from pedkit.models.language.modes import checkpoint_text_model, evaluating, train_mode
from pedkit.models.language.sizes import SIZES, released_config

EFFECTIVE_BATCH, PROMPT_TOKENS, ANSWER_TOKENS = 16, 180, 60


@dataclass
class Bench:
    """A model with adapters and what it is fed."""

    family: Family
    model: Any
    extractor: Any
    audio_token: int
    vocabulary: int
    device: str
    dtype: torch.dtype

    @property
    def base(self) -> Any:
        """The model without peft's wrapper."""
        return self.model.get_base_model()

    def inputs(self, clips: int, seconds: float, *, answers: bool) -> dict[str, torch.Tensor]:
        """Return clips of noise with random prompts, and labels on random answers."""
        generator = torch.Generator().manual_seed(0)
        samples = [torch.randn(round(seconds * 16_000), generator=generator).numpy() * 0.1 for _ in range(clips)]
        trimmed = {"max_length": window_samples(len(samples[0]))} if self.family.windows == "trimmed" else {}
        heard = self.extractor(
            samples, sampling_rate=16_000, padding="max_length", return_attention_mask=True, return_tensors="pt",
            **trimmed,
        )  # fmt: skip
        mask = "feature_attention_mask" if self.family.windows == "trimmed" else "input_features_mask"
        frames = int(heard["attention_mask"][0].sum())
        tokens = ((frames - 1) // 2 + 1 - 2) // 2 + 1
        text = PROMPT_TOKENS + (ANSWER_TOKENS if answers else 0)
        ids = torch.randint(10, self.vocabulary, (clips, text), generator=generator)
        ids[ids == self.audio_token] = 10
        ids = torch.cat([ids[:, :20], torch.full((clips, tokens), self.audio_token), ids[:, 20:]], 1)
        batch = {
            "input_ids": ids,
            "attention_mask": torch.ones_like(ids),
            "input_features": heard["input_features"].to(self.dtype),
            mask: heard["attention_mask"],
        }
        if answers:
            batch["labels"] = ids.clone()
            batch["labels"][:, :-ANSWER_TOKENS] = IGNORED
        return {name: value.to(self.device) for name, value in batch.items()}


def build(size: str, device: str, dtype: torch.dtype, attention: str | None, *, tiny: bool) -> Bench:
    """Build a model of random weights and add adapters of rank 16."""
    family, config = released_config(size)
    if tiny:
        config = shrunk(config)
    config.audio_token_id = audio_token = min(config.audio_token_id, config.text_config.vocab_size - 1)
    options = {} if attention is None else {"attn_implementation": attention}
    with torch.device(device):
        base = getattr(transformers, family.class_name)._from_config(config, dtype=dtype, **options)
    model = add_lora(base, family, LoraSettings())
    audio = config.audio_config
    window = audio.max_source_positions // 50  # seconds, of which the towers of full windows hear no other length
    extractor = WhisperFeatureExtractor(feature_size=audio.num_mel_bins, chunk_length=window)
    return Bench(family, model, extractor, audio_token, config.text_config.vocab_size, device, dtype)


def shrunk(config: Any) -> Any:
    """Return a configuration of the same kind with two narrow layers in each part."""
    narrow = {
        "text_config": {
            "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
            "num_key_value_heads": 2, "vocab_size": 500, "layer_types": None, "bos_token_id": None,
            "eos_token_id": None,
        },
        "audio_config": {
            "num_mel_bins": 16, "d_model": 32, "hidden_size": 32, "encoder_layers": 2, "num_hidden_layers": 2,
            "encoder_attention_heads": 4, "num_attention_heads": 4, "encoder_ffn_dim": 64, "intermediate_size": 64,
            "output_dim": 64, "max_source_positions": 100,
        },
        "vision_config": {
            "depth": 1, "hidden_size": 32, "num_heads": 2, "intermediate_size": 32, "out_hidden_size": 64,
            "fullatt_block_indexes": [0],
        },
    }  # fmt: skip
    fields = config.to_dict()
    for part in narrow.keys() & fields.keys():
        fields[part] |= {key: value for key, value in narrow[part].items() if key in fields[part]}
    rope = fields["text_config"]["rope_parameters"]
    if "mrope_section" in rope:
        rope["mrope_section"] = [2, 3, 3]
    return type(config)(**{key: value for key, value in fields.items() if key not in ("model_type", "dtype")})


def timed(bench: Bench, work: Callable[[], Any], repeats: int) -> float:
    """Return the median seconds of a piece of work after one round that is not counted."""
    seconds = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        work()
        if bench.device.startswith("cuda"):
            torch.cuda.synchronize()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[1:])


def peak_memory(bench: Bench) -> str:
    """Return the peak memory since the last call."""
    if not bench.device.startswith("cuda"):
        return "not measured on a CPU"
    peak = torch.cuda.max_memory_allocated() / 1e9
    torch.cuda.reset_peak_memory_stats()
    return f"{peak:.1f} GB"


def measure_training(bench: Bench, micro: int, seconds: float, repeats: int) -> None:
    """Print the time of one update of 16 clips."""
    inputs = bench.inputs(micro, seconds, answers=True)
    weights = [value for value in bench.model.parameters() if value.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=2e-4, weight_decay=0.01)
    train_mode(bench.model, bench.base, bench.family)

    def update() -> None:
        optimizer.zero_grad()
        for _ in range(EFFECTIVE_BATCH // micro):
            (answer_loss(bench.base, inputs).total / (EFFECTIVE_BATCH * ANSWER_TOKENS)).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()

    took = timed(bench, update, repeats)
    tokens = EFFECTIVE_BATCH * inputs["input_ids"].shape[1]
    rate = f"{tokens / took:,.0f} tokens/s"
    print(f"update of {EFFECTIVE_BATCH} clips: {took:.3f} s, {rate}, peak memory {peak_memory(bench)}")
    print(f"  231 updates (an epoch of TIMIT): {231 * took / 60:.1f} min")


def measure_decoding(bench: Bench, seconds: float, new_tokens: int, repeats: int) -> None:
    """Print the time of a batch of greedy answers."""
    inputs = bench.inputs(EFFECTIVE_BATCH, seconds, answers=False)
    config = greedy_config(max_new_tokens=new_tokens, end_ids=[0], pad_id=0)
    config.min_new_tokens = new_tokens

    def answer() -> None:
        with evaluating(bench.model), torch.no_grad():
            bench.base.generate(**inputs, generation_config=config)

    took = timed(bench, answer, repeats)
    print(
        f"{EFFECTIVE_BATCH} answers of {new_tokens} tokens: {took:.3f} s, "
        f"{EFFECTIVE_BATCH * new_tokens / took:,.0f} tokens/s, peak memory {peak_memory(bench)}"
    )


def main() -> None:
    """Measure one model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=SIZES, default=SIZES[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--micro-batch", type=int, default=4, choices=(1, 2, 4, 8, 16))
    parser.add_argument("--seconds", type=float, default=3.0, help="length of a clip; sentences of TIMIT have 3.1")
    parser.add_argument("--new-tokens", type=int, default=ANSWER_TOKENS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--attention", help="sdpa, flash_attention_2, eager")
    parser.add_argument("--no-checkpointing", action="store_true")
    parser.add_argument("--tiny", action="store_true", help="two narrow layers in fp32, to try the program")
    options = parser.parse_args()
    dtype = torch.float32 if options.tiny else torch.bfloat16
    torch.manual_seed(0)
    bench = build(options.model, options.device, dtype, options.attention, tiny=options.tiny)
    if not options.no_checkpointing:
        checkpoint_text_model(bench.base, bench.family)
    facts = trainable_facts(bench.model, bench.family)
    total = sum(value.numel() for value in bench.base.parameters())
    print(f"{bench.family.title}: {total:,} parameters, of which {facts['parameters']:,} train")
    print(f"memory before the first update: {peak_memory(bench)}")
    measure_training(bench, options.micro_batch, options.seconds, options.repeats)
    measure_decoding(bench, options.seconds, options.new_tokens, options.repeats)


if __name__ == "__main__":
    main()
