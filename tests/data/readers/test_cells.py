import pytest

from pedkit.data.readers.cells import decoded, present, read_table
from pedkit.errors import PedkitError


def table(tmp_path, text, name="t.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def cells(path, **options):
    return [row.cells for row in read_table(path, **options)]


def test_what_is_missing_and_what_is_text(tmp_path):
    path = table(tmp_path, "id,age,note\n007,NA,n/a\n1e3, Null ,none\n-0,nan,\n\u00a0,None,NAN \nx,N A,nada\n")
    assert cells(path) == [
        {"id": "007", "age": None, "note": None},
        {"id": "1e3", "age": None, "note": None},
        {"id": "-0", "age": None, "note": None},
        {"id": None, "age": None, "note": None},
        {"id": "x", "age": "N A", "note": "nada"},
    ]
    assert read_table(path)[1].written == {"id": "1e3", "age": " Null ", "note": "none"}
    assert (present(" NA "), present(" 0 "), present("False")) == (None, "0", "False")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path, encoding, end):
    path = table(tmp_path, end.join(["id\tphones", "a\tθ ɪ ŋ", "", "b\tç"]), encoding=encoding)
    assert [(row.line, row.cells) for row in read_table(path)] == [
        (2, {"id": "a", "phones": "θ ɪ ŋ"}),
        (4, {"id": "b", "phones": "ç"}),
    ]


def test_another_encoding_must_be_named(tmp_path):
    path = table(tmp_path, "id,name\na,Zoë\n", encoding="cp1252")
    with pytest.raises(PedkitError, match=r"t.csv: expected utf-8 text, but byte 12 is not \(save it as UTF-8\)"):
        read_table(path)
    assert cells(path, encoding="cp1252") == [{"id": "a", "name": "Zoë"}]
    with pytest.raises(PedkitError, match=r"expected ascii text, but byte 12 is not$"):
        read_table(path, encoding="ascii")
    with pytest.raises(PedkitError, match="there is no encoding 'klingon'"):
        read_table(path, encoding="klingon")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,text\na,b;c\n", {"id": "a", "text": "b;c"}),
        ("id;text\na;b,c\n", {"id": "a", "text": "b,c"}),
        ("id\ttext, spoken\na\tb\n", {"id": "a", "text, spoken": "b"}),
        ("id\na\n", {"id": "a"}),
    ],
)
def test_the_delimiter_is_told_from_the_first_line(tmp_path, text, expected):
    assert cells(table(tmp_path, text)) == [expected]


def test_a_delimiter_that_is_named(tmp_path):
    assert cells(table(tmp_path, "id|text\na|b, c\n"), delimiter="|") == [{"id": "a", "text": "b, c"}]
    with pytest.raises(PedkitError, match=r"delimiter of one character, but got '\|\|'"):
        read_table(table(tmp_path, "a||b\n"), delimiter="||")


def test_quotes(tmp_path):
    path = table(tmp_path, 'id,text\na,"he said ""no"",\nthen left"\nb,x\n')
    assert [(row.line, row.cells["text"]) for row in read_table(path)] == [
        (2, 'he said "no",\nthen left'),
        (4, "x"),
    ]
    path = table(tmp_path, 'id\ttext\na\t"No" he said\nb\tx\n', "t.tsv")
    with pytest.raises(PedkitError, match=r"t.tsv:2: not a table: .* \(quoted=false takes quotes as text\)"):
        read_table(path)
    assert [row.cells["text"] for row in read_table(path, quoted=False)] == ['"No" he said', "x"]


def test_columns_without_a_name_are_left_out(tmp_path):
    # the Speech Accent Archive's table ends in empty columns, and pandas writes its index without a name
    path = table(tmp_path, ",id,sex,,\n0,a,f,,\n1,b,m,,x\n")
    assert cells(path) == [{"id": "a", "sex": "f"}, {"id": "b", "sex": "m"}]


def test_names_of_columns_stay_as_they_are(tmp_path):
    path = table(tmp_path, "id,What\u2019s your gender? \na,Female\n")
    assert cells(path) == [{"id": "a", "What\u2019s your gender? ": "Female"}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv:1: expected a first line with the names of the columns"),
        ("\n , \n", "t.csv:1: expected a first line with the names of the columns"),
        ("id,sex,id\n", "t.csv:1: two columns are called 'id'"),
        ("id,sex, id \n", "t.csv:1: two columns are called 'id'"),
        ("id,sex\na,f\nb\n", "t.csv:3: expected 2 cells as in the first line, but got 1"),
        ("id,sex\na,f\n\nb,m,x\n", "t.csv:4: expected 2 cells as in the first line, but got 3"),
        ('id,sex\na,"f\n', "t.csv:2: not a table"),
    ],
)
def test_broken_tables(tmp_path, text, message):
    with pytest.raises(PedkitError, match=message):
        read_table(table(tmp_path, text))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(PedkitError, match=r"none\.csv: no such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(PedkitError, match="cannot be read: Is a directory"):
        decoded(tmp_path)


def test_a_table_without_rows(tmp_path):
    assert read_table(table(tmp_path, "id,sex\n")) == []
