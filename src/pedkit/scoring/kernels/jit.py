"""The decorator of every kernel: compiled for one exact signature, cached where a folder can be written."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

_LOG = logging.getLogger(__name__)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(signature: str) -> Callable[[_Function], _Function]:
    """Compile a function for one signature.

    numba keeps the machine code beside the source, else in the user's cache folder (``NUMBA_CACHE_DIR`` where it
    is set). Where none of them can be written the function is compiled anew in each process instead of failing.
    """

    def compiled(function: _Function) -> _Function:
        try:
            return cast(_Function, numba.njit(signature, cache=True)(function))
        except (RuntimeError, OSError) as error:
            # numba says "cannot cache function ...: no locator available" as a plain RuntimeError.
            if isinstance(error, RuntimeError) and "cannot cache" not in str(error):
                raise
            _LOG.info("compiled kernels are not kept: %s (set NUMBA_CACHE_DIR to a writable folder)", error)
            return cast(_Function, numba.njit(signature)(function))

    return compiled
