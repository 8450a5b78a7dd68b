"""The global variables of a loaded shared library, put back as they were when it was loaded.

A library that keeps its state in global variables forgets everything when it is unloaded and loaded again. Putting
its variables back does the same in a hundredth of the time; what it had allocated it must free first, as before
unloading.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator

_LOAD, _READ_ONLY_LATER, _WRITABLE = 1, 0x6474E552, 0x2  # PT_LOAD, PT_GNU_RELRO and PF_W of <elf.h>


class _Segment(ctypes.Structure):  # Elf64_Phdr of <elf.h>
    _fields_ = (
        ("type", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("offset", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("physical", ctypes.c_uint64),
        ("file_size", ctypes.c_uint64),
        ("size", ctypes.c_uint64),
        ("alignment", ctypes.c_uint64),
    )


class _Loaded(ctypes.Structure):  # the first members of struct dl_phdr_info of <link.h>
    _fields_ = (
        ("base", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("segments", ctypes.POINTER(_Segment)),
        ("count", ctypes.c_uint16),
    )


_Visit = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Loaded), ctypes.c_size_t, ctypes.c_void_p)


class WritableMemory:
    """What a library's variables hold at construction.

    Args:
        library: The file that was loaded, by the name it was loaded by. It must not be in use meanwhile.

    Raises:
        OSError: This system (other than Linux with 64 bits) does not say where a library's variables lie.
    """

    def __init__(self, library: str) -> None:
        parts = list(_writable_parts(library))
        if not parts:
            raise OSError(f"the variables of {library} were not found")
        self._kept = [(start, ctypes.string_at(start, size), size) for start, size in parts]

    def restore(self) -> None:
        """Put every variable back."""
        for start, content, size in self._kept:
            ctypes.memmove(start, content, size)


def _writable_parts(library: str) -> Iterator[tuple[int, int]]:
    """Yield start and size of what stays writable once the library is loaded."""
    if sys.platform != "linux" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    segments: list[tuple[int, int, int, int]] = []

    def visit(loaded: ctypes._Pointer[_Loaded], _size: int, _data: int | None) -> int:
        one = loaded.contents
        if one.name != library.encode():
            return 0
        segments.extend((s.type, s.flags, one.base + s.address, s.size) for s in one.segments[: one.count])
        return 1

    ctypes.CDLL(None).dl_iterate_phdr(_Visit(visit), None)
    sealed = max((start + size for kind, _, start, size in segments if kind == _READ_ONLY_LATER), default=0)
    for kind, flags, start, size in segments:
        if kind == _LOAD and flags & _WRITABLE:
            first = max(start, sealed)
            yield first, start + size - first
