import shutil
import subprocess
import sys
from contextlib import closing

import pytest

from pedkit.errors import PedkitError
from synthetic.engines import espeak_library

pytestmark = [pytest.mark.espeak, pytest.mark.skipif(sys.platform != "linux", reason="other systems load anew")]


@pytest.mark.parametrize("folder", ["blanks and ʃ", "odd\udcff\udce9"])
def test_a_folder_of_any_name_will_do(espeak, tmp_path, folder):
    """The second is no UTF-8: Linux allows any bytes."""
    (tmp_path / folder).mkdir()
    path = shutil.copyfile(espeak._files.library("speaking"), tmp_path / folder / "lib.so")
    data = shutil.copytree(espeak._files.data, tmp_path / folder / "data")
    with closing(espeak_library.EspeakLibrary(path, data)) as library:
        assert library._as_loaded is not None
        library.set_voice("en-us")
        said, _ = library.speak("[[a]]", rate=175, pitch=50, seed=0)
        library.forget()
        library.set_voice("en-us")
        assert said.size > 0
        assert library.speak("[[a]]", rate=175, pitch=50, seed=0)[0].tolist() == said.tolist()


WHILE_LOADING = """
import ctypes, pathlib, shutil, sys, threading
from synthetic.engines.writable_memory import WritableMemory

source = pathlib.Path(sys.argv[1])
library, done = ctypes.CDLL(str(source)), threading.Event()

def load_others():
    for number in range(200):
        ctypes.CDLL(shutil.copyfile(source, source.with_name(f"{number}.so")))
    done.set()

thread = threading.Thread(target=load_others)
thread.start()
while not done.is_set():
    WritableMemory(library)
thread.join()
"""


def test_another_thread_may_load_libraries_meanwhile(espeak, tmp_path):
    path = shutil.copyfile(espeak._files.library("speaking"), tmp_path / "lib.so")
    subprocess.run([sys.executable, "-c", WHILE_LOADING, str(path)], check=True, timeout=120)


def test_a_file_that_is_no_library_is_named(espeak, tmp_path):
    path = tmp_path / "lib.so"
    path.write_text("not a library")
    with pytest.raises(PedkitError) as caught:
        espeak_library.EspeakLibrary(path, espeak._files.data)
    assert str(caught.value) == (
        "espeak-ng could not be loaded: file too short (pip install --force-reinstall --no-deps espeakng-loader)"
    )


def test_data_that_cannot_be_used_does_not_end_the_process(espeak, tmp_path):
    path = shutil.copyfile(espeak._files.library("speaking"), tmp_path / "lib.so")
    (tmp_path / "data").mkdir()
    with pytest.raises(PedkitError, match=r"data: espeak-ng could not read its data folder \(pip install"):
        espeak_library.EspeakLibrary(path, tmp_path / "data")
