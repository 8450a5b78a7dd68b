import errno
import tempfile

import pytest

from pedkit.data.atomic import replacing, write_text
from pedkit.errors import PedkitError


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "a.txt"
    write_text(path, "old")

    def stop():
        with replacing(path) as stream:
            stream.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_in_the_place_of_the_file_is_said_by_its_own_name(tmp_path):
    with pytest.raises(PedkitError) as error:
        write_text(tmp_path, "text")
    assert str(error.value) == f"{tmp_path}: expected a file to write, but this is a folder"


def test_a_folder_that_cannot_be_written_is_said_with_the_name_of_the_file(tmp_path, monkeypatch):
    def refused(**options):
        raise PermissionError(errno.EACCES, "Permission denied", f"{tmp_path}/{options['prefix']}x1y2")

    monkeypatch.setattr(tempfile, "mkstemp", refused)  # root, who runs many tests, may write everywhere
    with pytest.raises(PedkitError) as error:
        write_text(tmp_path / "a.txt", "text")
    assert str(error.value) == f"{tmp_path / 'a.txt'}: cannot be written: permission denied"
