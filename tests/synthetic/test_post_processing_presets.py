from pathlib import Path

import numpy as np
import pytest

from synthetic import settings

CONF = Path(__file__).resolve().parents[2] / "conf" / "synthetic" / "post_processing"
PRESETS = sorted(file.stem for file in CONF.glob("*.yaml"))
STEPS = {
    "clean": set(),
    "everyday": {"room", "noise"},
    "noise": {"noise"},
    "room": {"room"},
    "telephone": {"band", "codec"},
}


def test_every_preset_is_tested():
    assert set(PRESETS) == set(STEPS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_the_steps_it_is_named_after(make_config, name):
    cfg = make_config(f"synthetic/post_processing={name}", "seed=5", engine=None)
    settings.design_settings(cfg)
    chain = settings.post_processing(cfg)
    steps = {step for step in ("room", "noise", "band", "codec") if getattr(chain, step) is not None}
    assert steps == STEPS[name]
    assert chain.seed == 5
    word = np.sin(np.arange(4000) / 8).astype(np.float32)
    assert np.abs(chain(word, 22050, "a")).max() == pytest.approx(0.7, abs=1e-6)
