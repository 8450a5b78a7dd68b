"""The real configuration, shrunk to tiny models that know tones and are to learn other names for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from tests.training.language.listening_models import tuned_base, write_template, write_tones

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Tones:
    """Manifests whose utterances say the other phone of what is heard, and the prompt."""

    train: Path
    dev: Path
    test: Path
    template: Path


@pytest.fixture(scope="session")
def tones(tmp_path_factory: pytest.TempPathFactory) -> Tones:
    folder = tmp_path_factory.mktemp("tones")
    return Tones(
        write_tones(folder, "train", 4, swapped=True),
        write_tones(folder, "dev", 1, swapped=True, seed=1000),
        write_tones(folder, "test", 1, swapped=True, seed=2000),
        write_template(folder),
    )


@pytest.fixture(scope="session")
def omni(tmp_path_factory: pytest.TempPathFactory, tones: Tones) -> Path:
    """A folder with a tiny Qwen2.5-Omni thinker that writes down tones."""
    return tuned_base("qwen2_5_omni_thinker", tmp_path_factory.mktemp("omni"), tones.template)


def composed(tones: Tones, base: Path, output_dir: Path, *overrides: str) -> DictConfig:
    """Compose ``experiment=audio_language`` for a tiny model."""
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return compose(
            "train",
            [
                "experiment=audio_language", "name=tones", f"output_dir={output_dir}",
                f"data.train=[{tones.train}]", f"data.dev={{dev: {tones.dev}}}", f"prompt.name={tones.template}",
                f"model.source.name={base}", "model.source.dtype=float32", "trainer=cpu",
                "trainer.max_epochs=6", "trainer.gradient_clip_val=null", "data.max_batch_size=8",
                "model.microbatch=3", "model.learning_rate=1e-2", "model.max_new_tokens=24", *overrides,
            ],
        )  # fmt: skip


@pytest.fixture
def compose_training(tones: Tones, tmp_path: Path) -> Callable[..., DictConfig]:
    """`composed`, by default with a run folder of the test's own."""

    def make(base: Path, *overrides: str, output_dir: Path | None = None) -> DictConfig:
        return composed(tones, base, output_dir or tmp_path / "run", *overrides)

    return make
