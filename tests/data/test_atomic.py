import errno
import os
import stat
from pathlib import Path

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
    def refused(path, *_):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refused)  # root, who runs many tests, may write everywhere
    with pytest.raises(PedkitError) as error:
        write_text(tmp_path / "a.txt", "text")
    assert str(error.value) == f"{tmp_path / 'a.txt'}: cannot be written: permission denied"


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_who_may_read_a_new_file_is_for_the_umask_to_say(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write_text(tmp_path / "a.txt", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == mode


def test_a_file_that_is_replaced_can_be_read_by_the_same_people(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)
