import re
from xml.etree import ElementTree

import pytest

from pedkit.report.fairness.interval_chart import LABEL, Row, interval_chart
from pedkit.report.fairness.matrix import Cell, matrix
from pedkit.report.fairness.strip_plot import Strip, strip_plot


def of_class(svg, word):
    return [node for node in ElementTree.fromstring(svg).iter() if word in node.attrib.get("class", "").split()]


def test_points_and_whiskers_stand_where_the_axis_says():
    rows = [
        Row("a", 20.0, 10.0, 40.0, "20.0"),
        Row("b", 30.0, None, None, "n/a (1 speaker)", "1 speaker", hollow=True),
    ]
    svg = interval_chart(rows, title="t", unit="%", line=25.0)
    [whisker] = of_class(svg, "whisker")
    first, second = of_class(svg, "point")
    scale = float(first.attrib["cx"]) - float(whisker.attrib["x1"])  # ten units
    assert float(whisker.attrib["x2"]) - float(whisker.attrib["x1"]) == pytest.approx(3 * scale, abs=0.2)
    assert float(second.attrib["cx"]) - float(first.attrib["cx"]) == pytest.approx(scale, abs=0.2)
    [line] = of_class(svg, "overall")
    assert float(line.attrib["x1"]) - float(first.attrib["cx"]) == pytest.approx(scale / 2, abs=0.2)
    assert ("hollow" in second.attrib["class"], "hollow" in first.attrib["class"]) == (True, False)
    assert "n/a (1 speaker)" in svg


def test_what_is_undefined_has_no_point_and_a_rate_of_zero_none_among_ratios():
    assert of_class(interval_chart([Row("a", None, None, None, "n/a")], title="t"), "point") == []
    svg = interval_chart([Row("a", 0.0, 0.0, 0.4, "0"), Row("b", 1.0)], title="t", ratio=True, line=1.0)
    assert len(of_class(svg, "point")) == 1
    [whisker] = of_class(svg, "whisker")
    assert float(whisker.attrib["x1"]) == LABEL


def test_a_long_label_is_cut_and_whole_where_it_is_pointed_at():
    name = "southern american english <of the coast>"
    svg = interval_chart([Row(name, 1.0)], title="t")
    [shown] = [node for node in of_class(svg, "label") if node.text.startswith("southern")]
    assert shown.text.endswith("…")
    assert shown[0].text == name


def test_cells_of_a_matrix_are_coloured_by_sign_and_size_and_undefined_ones_hatched():
    cells = {
        ("a", "b"): Cell(-4.0, "-4.0", "a is 4 points lower"),
        ("b", "a"): Cell(4.0, "+4.0", "x"),
        ("a", "c"): Cell(2.0, "+2.0", "x"),
        ("b", "c"): Cell(0.0, "0.0", "x"),
        ("c", "b"): Cell(None, "n/a", "one speaker"),
    }
    svg = matrix(cells, ["a", "b", "c"], ["a", "b", "c"], title="t")
    assert [node.attrib["fill-opacity"] for node in of_class(svg, "higher")] == ["0.10", "0.20"]
    assert [node.attrib["fill-opacity"] for node in of_class(svg, "lower")] == ["0.20"]
    wide = matrix(
        {("a", "b"): Cell(-40.0, "-40.0", "x"), ("b", "a"): Cell(20.0, "+20.0", "x")}, "ab", "ab", title="t"
    )
    assert [node.attrib["fill-opacity"] for node in of_class(wide, "lower")] == ["0.50"]
    assert [node.attrib["fill-opacity"] for node in of_class(wide, "higher")] == ["0.25"]
    assert len(of_class(svg, "hatch")) == len(of_class(svg, "undefined")) == 1
    assert len(of_class(svg, "cell")) == 4
    assert "url(" not in svg
    assert "<title>one speaker</title>" in svg


def test_hatching_stays_inside_its_cell():
    [path] = of_class(matrix({("a", "a"): Cell(None, "n/a", "")}, ["a"], ["a"], title="t"), "hatch")
    [box] = of_class(matrix({("a", "a"): Cell(None, "n/a", "")}, ["a"], ["a"], title="t"), "undefined")
    left, top, width, height = (float(box.attrib[key]) for key in ("x", "y", "width", "height"))
    points = [tuple(map(float, pair)) for pair in re.findall(r"[ML]([\d.]+) ([\d.]+)", path.attrib["d"])]
    assert len(points) > 8
    assert all(left <= x <= left + width and top <= y <= top + height for x, y in points)


def test_every_speaker_is_a_dot_with_its_name():
    strips = [
        Strip("a", "3 speakers", {"<s1>": 10.0, "s2": 20.0, "s3": 10.0}, 13.3),
        Strip("b", "0 speakers", {}, None),
    ]
    svg = strip_plot(strips, title="t")
    dots = of_class(svg, "dot")
    assert len(dots) == 3
    assert len({(dot.attrib["cx"], dot.attrib["cy"]) for dot in dots}) == 3  # equal values do not hide each other
    assert "&lt;s1&gt;: 10.0%" in svg
    assert len(of_class(svg, "mean")) == 1
