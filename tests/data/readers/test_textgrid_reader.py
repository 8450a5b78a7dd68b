import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from praatio import textgrid as praatio_textgrid

from pedkit.data.readers.textgrid import Interval, TextGrid, Tier, read_textgrid
from pedkit.errors import PedkitError
from pedkit.report.textgrid import write_textgrid

LONG = """\
File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0 
xmax = 0.9 
tiers? <exists> 
size = 2 
item []: 
    item [1]:
        class = "IntervalTier" 
        name = "words" 
        xmin = 0 
        xmax = 0.9 
        intervals: size = 1 
        intervals [1]:
            xmin = 0 
            xmax = 0.9 
            text = "say ""it"" 2 times" 
    item [2]:
        class = "IntervalTier" 
        name = "phones" 
        xmin = 0 
        xmax = 0.9 
        intervals: size = 3 
        intervals [1]:
            xmin = 0 
            xmax = 0.25 
            text = "" 
        intervals [2]:
            xmin = 0.25 
            xmax = 0.5 
            text = "IH1,IY,s " 
        intervals [3]:
            xmin = 0.5 
            xmax = 9e-1 
            text = "ɛ" 
"""  # noqa: W291 (Praat writes the blanks)
SHORT = """\
File type = "ooTextFile"
Object class = "TextGrid"

0
0.9
<exists>
2
"IntervalTier"
"words"
0
0.9
1
0
0.9
"say ""it"" 2 times"
"IntervalTier"
"phones"
0
0.9
3
0
0.25
""
0.25
0.5
"IH1,IY,s "
0.5
0.9
"ɛ"
"""
TIERS = (
    Tier("words", (Interval(0, 0.9, 'say "it" 2 times'),), 0, 0.9),
    Tier("phones", (Interval(0, 0.25, ""), Interval(0.25, 0.5, "IH1,IY,s "), Interval(0.5, 0.9, "ɛ")), 0, 0.9),
)


def grid(tmp_path, text, encoding="utf-8") -> TextGrid:
    path = tmp_path / "x.TextGrid"
    path.write_bytes(text.encode(encoding))
    return read_textgrid(path)


def tier_of(tmp_path, *intervals, end=1.0) -> Tier:
    """Read a tier of those intervals, written in the short form as they are."""
    lines = [line for start, stop, label in intervals for line in (start, stop, f'"{label}"')]
    body = ['"IntervalTier"', '"phones"', 0, end, len(intervals), *lines]
    head = ['File type = "ooTextFile"', 'Object class = "TextGrid"', 0, end, "<exists>", 1]
    return grid(tmp_path, "\n".join(map(str, [*head, *body]))).tier("phones")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("text", [LONG, SHORT])
def test_every_form_encoding_and_line_end_gives_the_same_tiers(tmp_path, text, encoding, line_end):
    assert grid(tmp_path, text.replace("\n", line_end), encoding).tiers == TIERS


def test_utf_16_big_endian_with_its_mark(tmp_path):
    assert grid(tmp_path, "\ufeff" + LONG, "utf-16-be").tiers == TIERS


def test_tier_is_found_by_name_in_any_case(tmp_path):
    found = grid(tmp_path, LONG.replace('"phones"', '"Phones "'))
    assert found.tier("phones").intervals == TIERS[1].intervals


def test_missing_tier_names_those_there_are(tmp_path):
    with pytest.raises(PedkitError, match=r"x.TextGrid: expected one tier named 'IPA', but got none \(.*'words'"):
        grid(tmp_path, LONG).tier("IPA")


def test_two_tiers_of_one_name_are_refused_only_when_asked_for(tmp_path):
    found = grid(tmp_path, LONG.replace('"words"', '"PHONES"'))
    assert len(found.tiers) == 2
    with pytest.raises(PedkitError, match=r"expected one tier named 'phones', but got 2"):
        found.tier("phones")


def test_odd_intervals_are_kept_and_named(tmp_path):
    tier = tier_of(tmp_path, (0, 0.4, "a"), (0.3, 0.3, "b"), (0.5, 0.45, "c"), (0.45, 1.5, "d"))
    assert [interval.label for interval in tier.intervals] == ["a", "b", "c", "d"]
    assert tier.oddities() == (
        "interval 2 ('b', 0.3 to 0.3 s) has no length",
        "interval 3 ('c', 0.5 to 0.45 s) ends before it starts",
        "interval 4 ('d', 0.45 to 1.5 s) lies outside the tier (0 to 1 s)",
        "interval 2 ('b', 0.3 to 0.3 s) overlaps the one before it",
    )


def test_a_clean_tier_has_no_oddities_even_with_rounded_boundaries(tmp_path):
    tier = tier_of(tmp_path, (0, 0.3333334, "a"), (0.3333333, 1.0000001, "b"))
    assert tier.oddities() == ()
    assert all(tier.oddities() == () for tier in grid(tmp_path, LONG).tiers)


def test_label_over_two_lines_and_comments(tmp_path):
    text = SHORT.replace('"ɛ"', '"two\nlines"').replace("<exists>", "<exists> ! 7 tiers once")
    assert grid(tmp_path, text).tier("phones").intervals[2].label == "two\nlines"


def test_point_tier(tmp_path):
    text = SHORT.replace('"IntervalTier"\n"words"\n0\n0.9\n1\n0\n0.9\n', '"TextTier"\n"words"\n0\n0.9\n1\n0.5\n')
    tier = grid(tmp_path, text).tier("words")
    assert tier.intervals == (Interval(0.5, 0.5, 'say "it" 2 times'),)
    assert (tier.is_points, tier.oddities()) == (True, ())


def test_no_tiers(tmp_path):
    assert grid(tmp_path, 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<absent>\n').tiers == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "breaks off: expected the file type"),
        ('File type = "ooTextFile"\nObject class = "Pitch 1"\n', "expected a TextGrid as a text file"),
        ("hello", "breaks off"),
        (SHORT[: SHORT.rindex('"ɛ"')], ":29: the file breaks off: expected a label"),
        (SHORT[: SHORT.rindex("ɛ")], ":29: the file breaks off within quotes: expected a label"),
        (LONG.replace("size = 3", "size = 2"), r":34: expected the end of the file, but got '0.5': a count is"),
        (LONG.replace("size = 1 ", "size = 2 "), r"expected where an interval starts, but got '\"IntervalTier\"'"),
        (SHORT.replace("0.25\n0.5", "0.25\n0,5"), r"expected where an interval ends, but got '\"IH1"),
        (SHORT.replace('"IntervalTier"\n"phones"', '"Tier"\n"phones"'), r":16: expected an IntervalTier"),
        (SHORT.replace("<exists>\n2", "<exists>\n-2"), "expected the number of tiers, but got -2"),
        (
            SHORT.replace("<exists>\n2", "<exists>\n1e999"),
            "expected the number of tiers, but got a number too large",
        ),
    ],
)
def test_broken_files_are_named_with_the_line(tmp_path, text, message):
    with pytest.raises(PedkitError, match=message) as caught:
        grid(tmp_path, text)
    assert "x.TextGrid" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_encodings_and_missing_files_are_refused(tmp_path):
    with pytest.raises(PedkitError, match=r"expected utf-8 text.*let Praat save it as UTF-8"):
        grid(tmp_path, LONG.replace("ɛ", "é"), "latin-1")
    with pytest.raises(PedkitError, match="no such file"):
        read_textgrid(tmp_path / "none.TextGrid")
    path = tmp_path / "odd.TextGrid"
    path.write_bytes(LONG.encode("utf-16")[:-3])  # cut within a character
    with pytest.raises(PedkitError, match="expected utf-16 text"):
        read_textgrid(path)


labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
times = st.floats(min_value=-10, max_value=1000, allow_nan=False).map(lambda value: float(f"{value:.6f}"))
intervals = st.lists(st.builds(Interval, times, times, labels), max_size=4)
tiers = st.lists(st.builds(Tier, labels, intervals.map(tuple), times, times), max_size=3)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("grid") / "x.TextGrid"


def in_short_form(tiers):
    lines = ['File type = "ooTextFile short"', '"TextGrid"', "0", "1", "<exists>", str(len(tiers))]
    for tier in tiers:
        lines += ['"IntervalTier"', quoted(tier.name), repr(tier.start), repr(tier.end), str(len(tier.intervals))]
        for start, end, label in tier.intervals:
            lines += [repr(start), repr(end), quoted(label)]
    return "\n".join(lines)


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


@given(tiers, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_whatever_is_written_is_read(path, written, encoding):
    path.write_bytes(in_short_form(written).encode(encoding))
    assert list(read_textgrid(path).tiers) == written


in_order = st.lists(st.integers(1, 500), min_size=1, max_size=5).map(
    lambda widths: [(sum(widths[:i]) / 100, sum(widths[: i + 1]) / 100) for i in range(len(widths))]
)


@given(in_order, st.lists(labels, min_size=5, max_size=5))
def test_what_the_report_writes_is_read_here_and_by_praatio(path, spans, names):
    names = [re.sub(r"[^\w\"]", "", name) for name in names]  # praatio trims labels
    written = [(*span, name) for span, name in zip(spans, names, strict=False)]
    write_textgrid(path, {"phones": written}, spans[-1][1])
    found = read_textgrid(path).tier("phones").intervals
    assert [(round(start, 6), round(end, 6), label) for start, end, label in found] == written
    theirs = praatio_textgrid.openTextgrid(str(path), includeEmptyIntervals=True).getTier("phones")
    assert [tuple(entry) for entry in theirs.entries] == [tuple(interval) for interval in found]
