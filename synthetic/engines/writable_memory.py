"""The global variables of a loaded shared library, put back as they were when it was loaded.

A library that keeps its state in global variables forgets everything when it is unloaded and loaded again. Putting
its variables back does the same in a hundredth of the time; what it had allocated it must free first, as before
unloading.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

_LOAD, _READ_ONLY_LATER, _WRITABLE = 1, 0x6474E552, 0x2  # PT_LOAD, PT_GNU_RELRO and PF_W of <elf.h>
_LINK_MAP = 2  # RTLD_DI_LINKMAP of <dlfcn.h>


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


class _LinkMap(ctypes.Structure):  # the first member of struct link_map of <link.h>
    _fields_ = (("base", ctypes.c_uint64),)


class WritableMemory:
    """What a library's variables hold at construction.

    Args:
        library: The library, loaded by the path of its file. It must not be in use meanwhile.

    Raises:
        OSError: This system (other than Linux with 64 bits) does not say where a library's variables lie.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        parts = list(_writable_parts(library))
        if not parts:
            raise OSError(f"the variables of {library._name} were not found")
        self._kept = [(start, ctypes.string_at(start, size), size) for start, size in parts]

    def restore(self) -> None:
        """Put every variable back."""
        for start, content, size in self._kept:
            ctypes.memmove(start, content, size)


def _writable_parts(library: ctypes.CDLL) -> Iterator[tuple[int, int]]:
    """Yield start and size of what stays writable once the library is loaded."""
    if sys.platform != "linux" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return
    base, segments = _base(library), _segments(Path(library._name))
    sealed = max((s.address + s.size for s in segments if s.type == _READ_ONLY_LATER), default=0)
    for segment in segments:
        if segment.type == _LOAD and segment.flags & _WRITABLE:
            first, end = max(segment.address, sealed), segment.address + segment.size
            if end > first:
                yield base + first, end - first


def _base(library: ctypes.CDLL) -> int:
    """Return the address that the segments' own addresses count from.

    ``dl_iterate_phdr`` would say it too, but calls back while it holds a lock of the loader: a thread that loads
    something meanwhile waits for that lock and keeps Python's, without which the callback cannot begin.
    """
    found = ctypes.POINTER(_LinkMap)()
    if ctypes.CDLL(None).dlinfo(ctypes.c_void_p(library._handle), _LINK_MAP, ctypes.byref(found)) != 0:
        raise OSError(f"{library._name} is not loaded")
    return int(found.contents.base)


def _segments(file: Path) -> list[_Segment]:
    """Return what the file says of its segments (Elf64_Ehdr of <elf.h>)."""
    with file.open("rb") as stream:
        header = stream.read(64)
        (start,), (size, count) = struct.unpack_from("=Q", header, 32), struct.unpack_from("=HH", header, 54)
        stream.seek(start)
        table = stream.read(size * count)
    return [_Segment.from_buffer_copy(table, number * size) for number in range(count)]
