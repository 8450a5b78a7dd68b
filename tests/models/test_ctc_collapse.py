from __future__ import annotations

import pytest

from pedkit.models.collapse import ctc_collapse, ctc_runs, frames_needed

T, S, BLANK = 5, 9, 0


def test_a_repeated_phone_survives_because_blanks_go_last():
    assert ctc_collapse([T, BLANK, T, T, BLANK, S]) == [T, T, S]


@pytest.mark.parametrize(
    ("path", "labels"), [([], []), ([0, 0], []), ([T, T, T], [T]), ([T, S, T], [T, S, T]), ([0, T, 0], [T])]
)
def test_collapse_of_small_paths(path, labels):
    assert ctc_collapse(path) == labels


def test_the_blank_need_not_be_zero():
    assert ctc_collapse([3, 0, 0, 3, 0], blank=3) == [0, 0]


def test_runs_say_which_frames_a_phone_takes():
    assert ctc_runs([0, T, T, 0, 0, T, S]) == [(T, 1, 3), (T, 5, 6), (S, 6, 7)]


@pytest.mark.parametrize(
    ("labels", "frames"), [([], 0), ([T], 1), ([T, T], 3), ([T, S], 2), ([T, T, T], 5), ([T, S, S], 4)]
)
def test_equal_neighbours_need_a_blank_between_them(labels, frames):
    assert frames_needed(labels) == frames
