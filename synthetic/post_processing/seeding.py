"""Random numbers that depend on what they are for, never on what was drawn before."""

from __future__ import annotations

import hashlib

import numpy as np


def generator(seed: int, item_id: str, step: str) -> np.random.Generator:
    """Return the generator of one step for one item."""
    digest = hashlib.sha256(f"{seed}/{item_id}/{step}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
