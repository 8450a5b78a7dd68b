"""A corpus of tones that a tiny model learns in seconds, and the real configuration shrunk to it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from tone_corpus import TONES, write_corpus

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def tones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with train.jsonl (20 words), dev.jsonl and other.jsonl (4 words each) over two phones."""
    folder = tmp_path_factory.mktemp("tones")
    words = [word for n in (1, 2, 3) for word in itertools.product(TONES, repeat=n)]
    write_corpus(folder, "train", [*words, *words[-6:]])
    write_corpus(folder, "dev", words[2:6])
    write_corpus(folder, "other", words[6:10])
    return folder


@pytest.fixture
def config(tones: Path, tmp_path: Path) -> Callable[..., DictConfig]:
    """Compose ``conf/train.yaml`` for the tones, with a tiny model."""

    def make(*overrides: str, output_dir: Path | None = None, tiny: bool = True) -> DictConfig:
        sizes = {
            "hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64,
            "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2, "initializer_range": 0.2,
        }  # fmt: skip
        small = [f"model.encoder.{key}={value}" for key, value in sizes.items()]
        small = [*small, "model.warmup_steps=3"] if tiny else []
        with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
            return compose(
                "train",
                [
                    "experiment=manifests", "name=tones", f"output_dir={output_dir or tmp_path / 'run'}",
                    f"data.train=[{tones / 'train.jsonl'}]",
                    f"data.dev={{near: {tones / 'dev.jsonl'}, far: {tones / 'other.jsonl'}}}",
                    "data.augment=null", "data.max_batch_size=8", "trainer.max_epochs=2",
                    *small, *overrides,
                ],
            )  # fmt: skip

    return make
