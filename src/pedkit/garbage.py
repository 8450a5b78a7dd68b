"""Python's garbage collector, out of the way of work on very many objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Keep Python from searching for garbage cycles while many objects without cycles are made.

    A manifest of 100,000 lines makes millions; the collector would walk through all of them again and again, and
    reading would take twice as long. Of scoring a file a tenth of the time went into it.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # else somebody froze objects, and it is not for us to thaw them
            gc.freeze()  # both together make all objects old ones, so that the collector does not
            gc.unfreeze()  # walk through the new ones at once, which would take a second
        gc.enable()
