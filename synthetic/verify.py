"""``python -m synthetic.verify set=DIR``: let a recognizer check whether recordings say what their labels say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hydra
from omegaconf import DictConfig, OmegaConf

from pedkit.entrypoint import run

CONF = Path(__file__).resolve().parents[1] / "conf"


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="verify")
def main(cfg: DictConfig) -> None:
    """Verify what the configuration describes (docs/synthetic/acceptance.md)."""
    verify(cfg)


def verify(cfg: DictConfig) -> dict[str, Any]:
    """Verify a set and print what came of it.

    Args:
        cfg: ``set``, ``recognizer`` and the settings of `synthetic.acceptance.AcceptanceSettings`.

    Returns:
        The record, as ``acceptance.json`` holds it.

    Raises:
        PedkitError: As `synthetic.acceptance.verify_set`, or a setting cannot be used.
    """
    from pedkit.building import build
    from pedkit.hints import conform, keywords
    from synthetic.acceptance import AcceptanceSettings, verify_set
    from synthetic.acceptance.summary import summary
    from synthetic.made_set import MadeSet

    plain: Any = OmegaConf.to_container(cfg, resolve=True)
    recognizer, folder = plain.pop("recognizer"), Path(conform(plain.pop("set"), str, "set"))
    settings = AcceptanceSettings(**keywords(AcceptanceSettings, plain))
    MadeSet(folder)  # before the recognizer is loaded
    record = verify_set(folder, build(recognizer, "recognizer"), settings, quiet=False)
    print(summary(folder, record))
    return record


if __name__ == "__main__":
    run(main)
