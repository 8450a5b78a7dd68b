"""Wheels that are damaged, and no room for the copy: each is a sentence, not a signal that ends the process."""

import errno
import importlib
import shutil
import sys
from pathlib import Path

import pytest

from pedkit.errors import PedkitError
from synthetic.engines import espeak_files
from synthetic.engines.espeak_files import EspeakFiles

pytestmark = [pytest.mark.espeak, pytest.mark.skipif(sys.platform != "linux", reason="names files as on Linux")]


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """Install a copy of the wheel and return its folder."""
    loader = pytest.importorskip("espeakng_loader", reason="needs the extra 'tts'")
    folder = Path(loader.__file__).parent
    copy = shutil.copytree(folder, tmp_path / "wheel" / folder.name)
    (facts,) = folder.parent.glob("espeakng_loader-*.dist-info")
    shutil.copytree(facts, copy.parent / facts.name)
    monkeypatch.delitem(sys.modules, "espeakng_loader")
    monkeypatch.syspath_prepend(str(copy.parent))
    importlib.invalidate_caches()
    yield copy
    monkeypatch.undo()
    importlib.invalidate_caches()


def test_the_copy_of_the_wheel_will_do(wheel):
    assert EspeakFiles()._library == wheel / "libespeak-ng.so"


@pytest.mark.parametrize(
    "name",
    ["libespeak-ng.so", "espeak-ng-data/phontab", "espeak-ng-data/phondata", "espeak-ng-data/lang/gmw/en-US"],
)
@pytest.mark.parametrize("length", [0, 100])
def test_a_file_that_was_cut_is_named(wheel, name, length):
    whole = (wheel / name).read_bytes()
    (wheel / name).write_bytes(whole[:length])
    with pytest.raises(PedkitError) as caught:
        EspeakFiles()
    assert str(caught.value) == (
        f"{wheel / name}: expected {len(whole)} bytes, as the wheel has them, but got {min(length, len(whole))} "
        "(pip install --force-reinstall --no-deps espeakng-loader)"
    )


def test_a_missing_file_is_named(wheel):
    (wheel / "espeak-ng-data" / "phontab").unlink()
    with pytest.raises(PedkitError, match=r"phontab: cannot be read: no such file or directory \(pip install "):
        EspeakFiles()


def test_a_wheel_without_data(wheel):
    shutil.rmtree(wheel / "espeak-ng-data")
    with pytest.raises(PedkitError, match=r"espeak-ng has no data: .* \(pip install "):
        EspeakFiles()


def test_no_room_for_the_copy(wheel, monkeypatch):
    def full(source, target):
        raise OSError(errno.ENOSPC, "No space left on device", str(source), None, str(target))

    monkeypatch.setattr(espeak_files.shutil, "copyfile", full)
    with pytest.raises(PedkitError) as caught:
        EspeakFiles()
    assert str(caught.value).endswith(
        "/phondata: cannot be written: no space left on device (make room, or name another folder in TMPDIR)"
    )
    assert not str(caught.value).startswith(str(wheel))
