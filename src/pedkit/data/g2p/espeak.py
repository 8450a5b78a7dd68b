"""espeak-ng as a G2P: IPA of text in any of its languages, through the shared library of ``espeakng-loader``.

Constants and signatures are those of espeak-ng 1.52, ``src/include/espeak-ng/speak_lib.h``. The library is
GPL-3.0-or-later and not part of pedkit; it is loaded at run time.
"""

from __future__ import annotations

import ctypes
import functools
import re
import threading
from collections.abc import Sequence
from typing import Any

from pedkit.data.g2p.engine import IpaLine, not_installed
from pedkit.errors import PedkitError

_NO_SOUND = 2  # AUDIO_OUTPUT_SYNCHRONOUS: nothing is played
_UTF8 = 1
_IPA = 0x02
_LANGUAGE_MARK = re.compile(r"\(([a-z]{2,3}(?:-[a-z]+)*)\)")
_LOCK = threading.Lock()  # the library keeps its voice in a global variable


class EspeakIpa:
    """espeak-ng with one of its voices (see `IpaEngine`). It reads numerals and signs aloud, in its own way.

    Args:
        voice: Name of a language or accent, such as ``hi`` or ``en-us``.

    Raises:
        PedkitError: The library is not installed, or has no such voice.
    """

    def __init__(self, voice: str) -> None:
        self.voice = voice
        self._library = _load()
        with _LOCK:
            self._choose_voice()

    @property
    def name(self) -> str:
        """Engine, version and voice."""
        version: bytes = self._library.espeak_Info(None)
        return f"espeak-ng {version.decode().split()[0]} ({self.voice})"

    def transcribe(self, lines: Sequence[str]) -> list[IpaLine]:
        """Return the IPA of each line; marks such as ``(en)`` are not part of it."""
        with _LOCK:
            self._choose_voice()
            return [_without_marks(self._phonemes(line)) for line in lines]

    def _choose_voice(self) -> None:
        if self._library.espeak_SetVoiceByName(self.voice.encode()) != 0:
            raise PedkitError(f"espeak-ng has no voice {self.voice!r}")

    def _phonemes(self, line: str) -> str:
        rest = ctypes.c_char_p(line.replace("\0", " ").encode())
        clauses = []
        while rest:  # the library reads one clause a call and moves the pointer, to NULL at the end
            clause: bytes = self._library.espeak_TextToPhonemes(ctypes.byref(rest), _UTF8, _IPA)
            clauses.append(clause.decode())
        return " ".join(" ".join(clauses).split())


def _without_marks(ipa: str) -> IpaLine:
    """Take the marks of a change of language out of ``ʒɛm (en)fʊtbɔːl(fr)``."""
    first, *changes = _LANGUAGE_MARK.split(ipa)
    pieces = [first, *changes[1::2]]
    foreign: dict[str, str] = {}
    for language, piece in list(zip(changes[::2], changes[1::2], strict=True))[
        ::2
    ]:  # every second mark leads back
        foreign[language] = f"{foreign.get(language, '')} {piece.strip()}".strip()
    return IpaLine(" ".join("".join(pieces).split()), foreign)


@functools.cache
def _load() -> Any:
    try:
        import espeakng_loader
    except ImportError:
        raise not_installed("the G2P espeak-ng", "g2p") from None
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    integer, text = ctypes.c_int, ctypes.c_char_p
    library.espeak_Initialize.argtypes = (integer, integer, text, integer)
    library.espeak_SetVoiceByName.argtypes = (text,)
    library.espeak_Info.argtypes, library.espeak_Info.restype = (ctypes.c_void_p,), text
    library.espeak_TextToPhonemes.argtypes = (ctypes.POINTER(text), integer, integer)
    library.espeak_TextToPhonemes.restype = text
    data = espeakng_loader.get_data_path()
    if library.espeak_Initialize(_NO_SOUND, 0, str(data).encode(), 0) <= 0:
        raise PedkitError("espeak-ng could not read its data folder", file=data)
    return library
