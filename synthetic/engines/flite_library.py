"""libflite through ctypes: the calls pedkit needs of Flite 2, with the signatures of its ``flite.h``.

The shared libraries come with the distribution (Debian: ``libflite1``). State that lasts between utterances is the
C library's random generator, from which the statistical voices draw their noise; it is seeded before each.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.engines.protocol import EngineNotInstalledError

INSTALL = "apt-get install flite"
_SUPPORT = ("flite", "flite_usenglish", "flite_cmulex")


class _Wave(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_char_p),
        ("sample_rate", ctypes.c_int),
        ("num_samples", ctypes.c_int),
        ("num_channels", ctypes.c_int),
        ("samples", ctypes.POINTER(ctypes.c_short)),
    )


class _Voice(ctypes.Structure):  # the first two members of cst_voice
    _fields_ = (("name", ctypes.c_char_p), ("features", ctypes.c_void_p))


class FliteLibrary:
    """Flite, and the voices of it that are installed.

    Args:
        names: Voices to look for, such as ``slt``.

    Raises:
        EngineNotInstalledError: The library or all of these voices are missing.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        loaded = [_load(name) for name in _SUPPORT]
        if None in loaded:
            raise EngineNotInstalledError("flite", INSTALL)
        self._lib = _declared(loaded[0])
        self._libc = ctypes.CDLL(None)
        self._lib.flite_init()
        self._voices = {name: voice for name in names if (voice := _registered(name))}
        if not self._voices:
            raise EngineNotInstalledError("flite", INSTALL)
        self._stretch = {name: self._own_stretch(name) for name in self._voices}

    @property
    def voices(self) -> list[str]:
        """The voices that are installed."""
        return list(self._voices)

    def _features(self, voice: str) -> int | None:
        features: int | None = ctypes.cast(self._voices[voice], ctypes.POINTER(_Voice)).contents.features
        return features

    def _own_stretch(self, voice: str) -> float:
        if not self._lib.feat_present(self._features(voice), b"duration_stretch"):
            return 1.0
        stretch: float = self._lib.feat_float(self._features(voice), b"duration_stretch")
        return stretch

    def synthesize(
        self, phones: str, voice: str, *, slowness: float, pitch: float, seed: int
    ) -> tuple[NDArray[np.int16], int, list[str]]:
        """Say phones of the radio phone set, separated by blanks; ``pau`` is a pause.

        Args:
            phones: As flite writes them.
            voice: One of ``voices``.
            slowness: Durations relative to the voice's own.
            pitch: F0 relative to the voice's own.
            seed: Of the noise.

        Returns:
            Samples, their rate in Hz, and the names of the segments that were said.
        """
        lib, features = self._lib, self._features(voice)
        lib.feat_set_float(features, b"duration_stretch", self._stretch[voice] * slowness)
        lib.feat_set_float(features, b"f0_shift", pitch)
        self._libc.srand(seed & 0xFFFFFFFF)
        utterance = lib.flite_synth_phones(phones.encode(), self._voices[voice])
        try:
            wave = lib.utt_wave(utterance).contents
            # A copy: the wave goes with the utterance.
            samples = np.ctypeslib.as_array(wave.samples, (wave.num_samples,)).copy()
            return samples, wave.sample_rate, self._segments(utterance)
        finally:
            lib.delete_utterance(utterance)

    def _segments(self, utterance: int) -> list[str]:
        item = self._lib.relation_head(self._lib.utt_relation(utterance, b"Segment"))
        names = []
        while item:
            names.append(self._lib.item_feat_string(item, b"name").decode())
            item = self._lib.item_next(item)
        return names


def _load(name: str) -> Any:
    """Return a shared library; its symbols are seen by those loaded after it, which need them."""
    for file in (ctypes.util.find_library(name), f"lib{name}.so.1"):
        if file is not None:
            try:
                return ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
            except OSError:
                continue
    return None


def _registered(name: str) -> int | None:
    library = _load(f"flite_cmu_us_{name}")
    if library is None:
        return None
    register = getattr(library, f"register_cmu_us_{name}")
    register.argtypes, register.restype = (ctypes.c_void_p,), ctypes.c_void_p
    voice: int | None = register(None)
    return voice


def _declared(lib: Any) -> Any:
    text, pointer, number = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_float
    lib.flite_synth_phones.argtypes, lib.flite_synth_phones.restype = (text, pointer), pointer
    lib.utt_wave.argtypes, lib.utt_wave.restype = (pointer,), ctypes.POINTER(_Wave)
    lib.utt_relation.argtypes, lib.utt_relation.restype = (pointer, text), pointer
    lib.relation_head.argtypes, lib.relation_head.restype = (pointer,), pointer
    lib.item_next.argtypes, lib.item_next.restype = (pointer,), pointer
    lib.item_feat_string.argtypes, lib.item_feat_string.restype = (pointer, text), text
    lib.feat_present.argtypes = (pointer, text)
    lib.feat_float.argtypes, lib.feat_float.restype = (pointer, text), number
    lib.feat_set_float.argtypes = (pointer, text, number)
    lib.delete_utterance.argtypes = (pointer,)
    return lib
