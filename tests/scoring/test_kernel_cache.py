import subprocess
import sys

import numba
import pytest

from pedkit.scoring.kernels import jit


def test_kernels_work_where_nothing_can_be_cached(monkeypatch, caplog):
    real = numba.njit

    def njit(signature, cache=False):
        if cache:
            raise RuntimeError("cannot cache function 'double': no locator available for file 'kernels.py'")
        return real(signature)

    monkeypatch.setattr(numba, "njit", njit)
    with caplog.at_level("INFO", logger=jit.__name__):
        double = jit.kernel("i8(i8)")(lambda x: 2 * x)
    assert double(21) == 42
    assert "NUMBA_CACHE_DIR" in caplog.text


def test_other_errors_are_not_hidden(monkeypatch):
    def njit(signature, cache=False):
        raise RuntimeError("something else")

    monkeypatch.setattr(numba, "njit", njit)
    with pytest.raises(RuntimeError, match="something else"):
        jit.kernel("i8(i8)")(lambda x: x)


def test_importing_the_room_loads_neither_numba_nor_torch_nor_panphon():
    heavy = ("numba", "torch", "panphon", "pandas")
    code = f"import sys, pedkit.scoring; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
