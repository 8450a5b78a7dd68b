"""What a run says, and why it failed, in a file of its run folder."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def log_file(path: Path) -> Iterator[None]:
    """Copy all messages, and the traceback of what ends the context early, to the end of ``path``."""
    stream = path.open("a", encoding="utf-8")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.getLogger().addHandler(handler)
    try:
        yield
    except BaseException:
        stream.write(traceback.format_exc())
        raise
    finally:
        logging.getLogger().removeHandler(handler)
        stream.close()
