"""libespeak-ng through ctypes: one loaded copy of the library, and the six calls pedkit needs.

Constants and signatures are those of espeak-ng 1.52, ``src/include/espeak-ng/speak_lib.h``. The library is
GPL-3.0-or-later and not part of pedkit; it is loaded at run time from the wheel ``espeakng-loader``.
"""

from __future__ import annotations

import _ctypes
import ctypes
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from synthetic.engines.writable_memory import WritableMemory

INSTALL_ANEW = "pip install --force-reinstall --no-deps espeakng-loader"
"""What helps where files of the wheel are damaged."""

_SYNCHRONOUS, _SAY_FAILURE = 2, 0x8000  # which the library else ends the process on
_BUFFER_MS = 2_000  # a word comes in one piece: each piece costs a turn of Python's lock
_CHARS_UTF8, _PHONEMES = 0x1, 0x100
_END_PAUSE = 0x1000  # the engine drops what is left when the last piece is not full: let that be silence
_RATE, _PITCH = 1, 3
_SPACE_BETWEEN_MNEMONICS = ord(" ") << 8

_AudioCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
_TraceCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)

_INTEGER, _UNSIGNED, _SIZE = ctypes.c_int, ctypes.c_uint, ctypes.c_size_t
_POINTER, _TEXT = ctypes.c_void_p, ctypes.c_char_p
# Made once: where variables cannot be put back, the library is loaded for every word.
_PROTOTYPES: Mapping[str, Callable[..., Any]] = {
    "espeak_Info": ctypes.CFUNCTYPE(_TEXT, _POINTER),
    "espeak_Initialize": ctypes.CFUNCTYPE(_INTEGER, _INTEGER, _INTEGER, _TEXT, _INTEGER),
    "espeak_SetSynthCallback": ctypes.CFUNCTYPE(None, _AudioCallback),
    "espeak_SetPhonemeCallback": ctypes.CFUNCTYPE(None, _TraceCallback),
    "espeak_SetPhonemeTrace": ctypes.CFUNCTYPE(None, _INTEGER, _POINTER),
    "espeak_SetVoiceByName": ctypes.CFUNCTYPE(_INTEGER, _TEXT),
    "espeak_SetParameter": ctypes.CFUNCTYPE(_INTEGER, _INTEGER, _INTEGER, _INTEGER),
    "espeak_Synth": ctypes.CFUNCTYPE(
        _INTEGER, _TEXT, _SIZE, _UNSIGNED, _INTEGER, _UNSIGNED, _UNSIGNED, _POINTER, _POINTER
    ),
    "espeak_Synchronize": ctypes.CFUNCTYPE(_INTEGER),
    "espeak_Terminate": ctypes.CFUNCTYPE(_INTEGER),
    "espeak_TextToPhonemes": ctypes.CFUNCTYPE(_TEXT, _POINTER, _INTEGER, _INTEGER),
    "espeak_ng_SetRandSeed": ctypes.CFUNCTYPE(_INTEGER, ctypes.c_long),
}

_C_LIBRARY = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)


class EspeakLibrary:
    """A copy of libespeak-ng.

    The library keeps its state in global variables: load the same file twice and both share it.

    Args:
        library: The shared library.
        data: The folder that holds ``phontab`` and its companions.
    """

    def __init__(self, library: Path, data: Path) -> None:
        self._path, self._data = library, data
        self._chunks: list[bytes] = []
        self._traces: list[bytes] = []
        self._callbacks = (_AudioCallback(self._on_audio), _TraceCallback(self._on_trace))
        self._load()
        self._initialize(_SAY_FAILURE)

    def forget(self) -> None:
        """Become what a freshly loaded library is; the voice must be chosen again."""
        self._call["espeak_Terminate"]()
        if self._as_loaded is not None:
            self._as_loaded.restore()
        else:
            self._unload()
            self._load()
        self._initialize()

    def close(self) -> None:
        """Unload the library."""
        self._call["espeak_Terminate"]()
        self._unload()

    def _load(self) -> None:
        try:
            self._library = ctypes.CDLL(str(self._path))
        except OSError as error:
            reason = str(error).removeprefix(f"{self._path}: ")
            raise PedkitError(f"espeak-ng could not be loaded: {reason}", hint=INSTALL_ANEW) from None
        self._call = _functions(self._library)
        try:
            self._as_loaded: WritableMemory | None = WritableMemory(self._library)
        except OSError:
            self._as_loaded = None

    def _initialize(self, options: int = 0) -> None:
        data = os.fsencode(self._data)
        self.sample_rate: int = self._call["espeak_Initialize"](_SYNCHRONOUS, _BUFFER_MS, data, options)
        if self.sample_rate <= 0:
            raise PedkitError("espeak-ng could not read its data folder", file=self._data, hint=INSTALL_ANEW)
        self._call["espeak_SetSynthCallback"](self._callbacks[0])
        self._call["espeak_SetPhonemeCallback"](self._callbacks[1])
        self._call["espeak_SetPhonemeTrace"](_SPACE_BETWEEN_MNEMONICS, None)

    def _unload(self) -> None:
        if sys.platform == "win32":
            _ctypes.FreeLibrary(self._library._handle)
        else:
            _ctypes.dlclose(self._library._handle)

    @property
    def version(self) -> str:
        """Version of espeak-ng, such as ``1.52.0``."""
        version: bytes = self._call["espeak_Info"](None)
        return version.decode().split()[0]

    def set_voice(self, name: str) -> None:
        """Choose a voice such as ``en-us+f3``.

        Raises:
            PedkitError: The engine does not know it.
        """
        if self._call["espeak_SetVoiceByName"](name.encode()) != 0:
            raise PedkitError(f"espeak-ng has no voice {name!r}")

    def speak(self, text: str, *, rate: int, pitch: int, seed: int) -> tuple[NDArray[np.int16], str]:
        """Say phoneme input such as ``[[k|'a|t2]]``.

        Args:
            text: The input.
            rate: Words a minute, 80 to 450.
            pitch: 0 to 99.
            seed: Seed of the engine's noise.

        Returns:
            The samples up to the last one that is not 0, and the mnemonics of the phonemes that were said,
            separated by blanks.
        """
        self._chunks, self._traces = [], []
        self._call["espeak_ng_SetRandSeed"](seed)
        _C_LIBRARY.srand(seed & 0xFFFFFFFF)  # from which Klatt voices draw their breath
        self._call["espeak_SetParameter"](_RATE, rate, 0)
        self._call["espeak_SetParameter"](_PITCH, pitch, 0)
        raw = text.encode() + b"\0"
        self._call["espeak_Synth"](raw, len(raw), 0, 1, 0, _CHARS_UTF8 | _PHONEMES | _END_PAUSE, None, None)
        self._call["espeak_Synchronize"]()
        samples = np.frombuffer(b"".join(self._chunks), dtype=np.int16)
        sounding = np.flatnonzero(samples)
        samples = samples[: sounding[-1] + 1] if sounding.size else samples[:0]
        return samples, " ".join(trace.decode() for trace in self._traces)

    def phonemes(self, text: str) -> str:
        """Return the mnemonics that ``speak`` would say, without making sound.

        The library takes phoneme input here only after it has spoken some.
        """
        rest = ctypes.c_char_p(text.encode() + b"\0")
        clauses = []
        while rest:
            clause = self._call["espeak_TextToPhonemes"](
                ctypes.byref(rest), _CHARS_UTF8 | _PHONEMES, _SPACE_BETWEEN_MNEMONICS
            )
            clauses.append(clause.decode())
        return " ".join(clauses)

    def _on_audio(self, samples: int | None, count: int, _events: int | None) -> int:
        if samples and count > 0:
            self._chunks.append(ctypes.string_at(samples, 2 * count))
        return 0

    def _on_trace(self, mnemonics: bytes) -> int:
        self._traces.append(mnemonics)
        return 0


def _functions(library: ctypes.CDLL) -> dict[str, Callable[..., Any]]:
    try:
        return {name: prototype((name, library)) for name, prototype in _PROTOTYPES.items()}
    except AttributeError:
        raise PedkitError(
            "expected espeak-ng 1.52 or newer, whose noise can be seeded",
            hint="pip install --upgrade espeakng-loader",
        ) from None
