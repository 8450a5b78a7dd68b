import re
from xml.etree import ElementTree

import pytest

from pedkit.report.svg import LABEL, WIDTH, Bar, Stack, bar_chart, heat_map, stacked_chart


def rectangles(svg, css):
    return [r.attrib for r in ElementTree.fromstring(svg).iter("rect") if r.attrib.get("class") == css]


def test_bars_are_as_long_as_their_values_on_a_round_axis():
    svg = bar_chart([Bar("head"), Bar("a", 0.5, "50.0"), Bar("b", 0.25, "25.0"), Bar("c", None, "–")], title="t")
    plot = WIDTH - LABEL - 80  # the axis ends at 50 %
    assert [float(r["width"]) for r in rectangles(svg, "bar")] == pytest.approx([plot, plot / 2, 1])
    assert re.findall(r">(\d+)%<", svg) == ["0", "10", "20", "30", "40", "50"]


def test_rates_above_one_still_fit():
    svg = bar_chart([Bar("a", 1.3, "130.0")], title="t")
    assert float(rectangles(svg, "bar")[0]["width"]) <= WIDTH - LABEL - 80
    assert ">140%<" in svg.replace("\n", "") or ">150%<" in svg


def test_shares_of_a_stack_fill_the_bar():
    svg = stacked_chart([Stack("head"), Stack("a", {"TA": 3, "FR": 1, "FA": 0})], title="t")
    [accepted], [rejected] = rectangles(svg, "o-TA"), rectangles(svg, "o-FR")
    assert float(accepted["width"]) == pytest.approx(3 * float(rejected["width"]))
    assert rectangles(svg, "o-FA") == []
    assert "n = 4" in svg


def test_cells_of_a_row_darken_with_their_share():
    svg = heat_map({("S", "S"): 3, ("S", "T"): 1}, ["S", "T"], ["S", "T"], title="<t>")
    assert [float(r["fill-opacity"]) for r in rectangles(svg, "hit")] == [
        pytest.approx(0.15 + 0.85 * 0.75, abs=0.01)
    ]
    assert [float(r["fill-opacity"]) for r in rectangles(svg, "miss")] == [
        pytest.approx(0.15 + 0.85 * 0.25, abs=0.01)
    ]
    assert "S heard as T: 1 of 4" in svg
    assert 'aria-label="&lt;t&gt;"' in svg


def test_counts_are_written_as_in_the_tables():
    assert "n = 1\u2009255<" in stacked_chart([Stack("a", {"TA": 1200, "FR": 55})], title="t")
    assert "S heard as S: 1\u2009255 of 1\u2009255" in heat_map({("S", "S"): 1255}, ["S"], ["S"], title="t")


def test_a_map_is_never_made_smaller_than_its_labels_can_bear():
    phones = [f"P{k}" for k in range(40)]
    svg = heat_map({("P0", "P0"): 1}, phones, phones, title="t")
    root = ElementTree.fromstring(svg)
    assert root.attrib["style"] == f"width:{root.attrib['viewBox'].split()[2]}px"
    assert root.attrib["class"] == "map"
    [hit] = rectangles(svg, "hit")
    assert float(hit["width"]) >= 19
