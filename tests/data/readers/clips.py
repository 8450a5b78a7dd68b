"""Recordings for the miniatures: noise, each clip another, so that `pedkit check` has nothing to say."""

from __future__ import annotations

import zlib

import numpy as np


def noise(name: str, seconds: float) -> np.ndarray:
    """Return samples in [-0.2, 0.2] at 16 kHz that depend on the name of the clip."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    return generator.uniform(-0.2, 0.2, round(seconds * 16000))


def noise16(name: str, seconds: float) -> np.ndarray:
    """Return the same as 16-bit integers, as SPHERE files hold them."""
    return np.round(noise(name, seconds) * 32767).astype(np.int16)
