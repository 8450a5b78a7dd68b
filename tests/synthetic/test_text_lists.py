import pytest

from pedkit.errors import PedkitError
from synthetic.design.lists import numbered_lines


def test_lines_keep_their_numbers_and_comments_are_passed_over(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes("\ufeff# words\r\n butter \r\n\r\nnaïve\n#end".encode())
    assert list(numbered_lines(path)) == [(2, "butter"), (4, "naïve")]


def test_what_cannot_be_read_is_said(tmp_path):
    with pytest.raises(PedkitError, match=r"no\.txt: cannot be read: no such file or directory"):
        list(numbered_lines(tmp_path / "no.txt"))
    (tmp_path / "latin.txt").write_bytes(b"na\xefve\n")
    with pytest.raises(PedkitError, match=r"latin\.txt: expected a list in UTF-8, but byte 3 is not"):
        list(numbered_lines(tmp_path / "latin.txt"))
