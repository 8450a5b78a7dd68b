"""pedkit: train and judge models that hear how somebody pronounced something.

Importing this package is cheap: everything below is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pedkit.errors import PedkitError
from pedkit.version import __version__

if TYPE_CHECKING:
    from pedkit.data.manifest import read_manifest, read_predictions, write_manifest
    from pedkit.data.prediction import Prediction
    from pedkit.data.utterance import Utterance
    from pedkit.evaluation.score import score

_LAZY = {
    "score": "pedkit.evaluation.score",
    "Utterance": "pedkit.data.utterance",
    "Prediction": "pedkit.data.prediction",
    "read_manifest": "pedkit.data.manifest",
    "write_manifest": "pedkit.data.manifest",
    "read_predictions": "pedkit.data.manifest",
}

__all__ = [
    "PedkitError",
    "Prediction",
    "Utterance",
    "__version__",
    "read_manifest",
    "read_predictions",
    "score",
    "write_manifest",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'pedkit' has no attribute {name!r}")
