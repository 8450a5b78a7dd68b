import hashlib
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import open_dict

from pedkit.phones import Lexicon
from synthetic.design import Cast, DesignSettings, ErrorSettings

CONF = Path(__file__).resolve().parents[2] / "conf"


@pytest.fixture(scope="session")
def espeak():
    pytest.importorskip("espeakng_loader", reason="needs the extra 'tts'")
    from synthetic.engines.espeak import EspeakEngine

    return EspeakEngine()


@pytest.fixture
def design_settings():
    """Return a function that makes settings of small sizes."""

    def make(**changes):
        defaults = {
            "seed": 7,
            "sizes": {"train": 40, "dev": 12, "test_seen": 10, "test_unseen": 8},
            "casts": {"one": Cast(seen=["f1", "f2", "m1"], unseen=["f9", "m9"], rate=(140, 190), pitch=(35, 65))},
        }
        operations = {"substitution": 2, "deletion": 1, "insertion": 1}
        own = {key: changes.pop(key) for key in list(changes) if key in ErrorSettings.__dataclass_fields__}
        errors = ErrorSettings(**{"operations": operations, **own})
        return DesignSettings(**{**defaults, "errors": errors, **changes})

    return make


@pytest.fixture(scope="session")
def cmudict():
    return Lexicon.cmudict()


@pytest.fixture
def make_config(tmp_path):
    """Return a function that composes the real config, small, for an engine that needs no installation."""

    def make(*overrides, engine="obedient_engine.ObedientEngine"):
        with initialize_config_dir(str(CONF), version_base="1.3"):
            cfg = compose(
                "synthesize", overrides=["synthetic=short", f"output_dir={tmp_path / 'out'}", *overrides]
            )
        if engine is not None:
            with open_dict(cfg):
                cfg.synthetic.speech.engine = {"_target_": engine}
                cfg.synthetic.speech.voices = {"seen": ["f1", "m1"], "unseen": ["f9"]}
                cfg.synthetic.sizes = {"train": 8, "dev": 4, "test_seen": 4, "test_unseen": 4}
        return cfg

    return make


@pytest.fixture
def contents():
    """Return a function that hashes every file of a set but those that name the command, and the lock."""

    def hashes(folder):
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        named = {str(path.relative_to(folder)): path for path in files}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in named.items()
            if name not in ("run.json", "README.md", ".lock")
        }

    return hashes
