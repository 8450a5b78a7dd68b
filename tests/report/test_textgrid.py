from itertools import pairwise

import pytest
from praatio import textgrid

from pedkit.report.textgrid import column_times, write_textgrid


def test_columns_without_times_are_spread_evenly_between_their_neighbours():
    # middles 0.2 and 0.8 are known, the one between lies at 0.5: edges at 0.35 and 0.65
    edges = column_times([(0.1, 0.3), None, (0.7, 0.9)], 1.0)
    assert [end for _, end in edges] == pytest.approx([0.35, 0.65, 1.0])
    assert [start for start, _ in edges] == pytest.approx([0.0, 0.35, 0.65])


def test_no_times_at_all_share_the_clip():
    assert column_times([None, None], 3.0) == [(0.0, 1.5), (1.5, 3.0)]
    assert column_times([None, None], None)[-1][1] == pytest.approx(0.2)
    assert column_times([], 1.0) == []


@pytest.mark.parametrize(
    "anchors",
    [
        [(0.5, 0.5), (0.5, 0.5), (0.5, 0.6)],  # phones shorter than a frame
        [(0.4, 0.6), (0.1, 0.2), None],  # not in order
        [(0.9, 1.4), (1.5, 1.6)],  # beyond the end
    ],
)
def test_columns_never_overlap_vanish_or_leave_the_clip(anchors):
    edges = column_times(anchors, 1.0)
    assert edges[0][0] == 0
    assert edges[-1][1] == 1.0
    assert all(start < end for start, end in edges)
    assert all(left[1] == right[0] for left, right in pairwise(edges))


def test_praat_reads_what_is_written(tmp_path):
    path = tmp_path / "x.TextGrid"
    write_textgrid(path, {"phones": [(0.1, 0.2, 't͡ʃ "x"'), (0.2, 0.4, "ə")], "empty": []}, 0.5)
    grid = textgrid.openTextgrid(str(path), includeEmptyIntervals=True)
    assert grid.tierNames == ("phones", "empty")
    assert [tuple(e) for e in grid.getTier("phones").entries] == [
        (0, 0.1, ""),
        (0.1, 0.2, 't͡ʃ "x"'),
        (0.2, 0.4, "ə"),
        (0.4, 0.5, ""),
    ]
    assert [tuple(e) for e in grid.getTier("empty").entries] == [(0, 0.5, "")]
