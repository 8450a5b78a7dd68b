"""Which software computed a score."""

from __future__ import annotations

import importlib.metadata
import platform

from pedkit.version import __version__

SCORING_PACKAGES = ("numpy", "numba")
"""What computes scores; nothing else that is installed can change one."""


def scoring_versions() -> dict[str, str]:
    """Return the version of pedkit, of Python and of `SCORING_PACKAGES`."""
    packages = {name: importlib.metadata.version(name) for name in SCORING_PACKAGES}
    return {"pedkit": __version__, "python": platform.python_version(), **packages}
