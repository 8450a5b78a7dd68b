from __future__ import annotations

import pytest

from pedkit.errors import PedkitError
from pedkit.training.planned_steps import planned_steps


def test_timit_in_batches_of_sixteen_for_six_epochs():
    assert planned_steps(3696 // 16, max_epochs=6, max_steps=-1) == 1386


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({"max_epochs": 3, "max_steps": -1}, 30),
        ({"max_epochs": 3, "max_steps": 25}, 25),
        ({"max_epochs": -1, "max_steps": 25}, 25),
        ({"max_epochs": None, "max_steps": 25}, 25),
        ({"max_epochs": 3, "max_steps": -1, "accumulate": 4}, 9),  # 4 + 4 + 2 batches
        ({"max_epochs": 3, "max_steps": -1, "limit": 4}, 12),
        ({"max_epochs": 3, "max_steps": -1, "limit": 400}, 30),
        ({"max_epochs": 3, "max_steps": -1, "limit": 0.5}, 15),
        ({"max_epochs": 3, "max_steps": -1, "limit": 1.0}, 30),
    ],
)
def test_ten_batches_an_epoch(settings, steps):
    assert planned_steps(10, **settings) == steps


def test_an_endless_training_has_no_schedule():
    with pytest.raises(PedkitError, match=r"max_epochs or trainer\.max_steps, but got neither"):
        planned_steps(10, max_epochs=-1, max_steps=-1)
