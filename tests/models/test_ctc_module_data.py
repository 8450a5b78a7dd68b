"""What `CtcModule.check_data` says of data before anything is trained."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pedkit.data.augment import Augment
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models import CtcModule


def _data(*seconds, speed=None, sample_rate=16000):
    """Clips of these lengths; Whisper of 200 frames, 4 s, hears them."""
    return SimpleNamespace(
        seconds=np.array(seconds),
        utterances=[Utterance(id=f"u{number}") for number in range(len(seconds))],
        targets=[("S",)] * len(seconds),
        sample_rate=sample_rate,
        augment=None if speed is None else Augment(speed=speed),
    )


@pytest.fixture
def whisper(tiny, vocabulary):
    return CtcModule(vocabulary, tiny("pedkit-whisper-ctc", max_source_positions=200))


def test_clips_up_to_the_longest_are_taken(whisper):
    whisper.check_data(_data(0.1, 4.0), {"dev": _data(4.0)})
    whisper.check_data(_data(3.6, speed=0.1), {})  # 3.6 / 0.9 = 4


@pytest.mark.parametrize(
    ("train", "dev", "sentence"),
    [
        (_data(1.0, 4.1), _data(1.0), r"utterance 'u1': the clip has 4\.10 s, but .*whisper.* at most 4 s"),
        (_data(1.0), _data(1.0, 1.0, 5.0), r"utterance 'u2': the clip has 5\.00 s, but"),
        (_data(3.7, speed=0.1), _data(4.0), r"'u0': the clip has 3\.70 s \(4\.11 s at the slowest of data\.aug"),
        (_data(1.0, sample_rate=8000), _data(1.0), "data.sample_rate is 8000 Hz, but the model hears 16000 Hz"),
    ],
)
def test_data_that_would_stop_the_training_later_are_named_before_it(whisper, train, dev, sentence):
    with pytest.raises(PedkitError, match=sentence):
        whisper.check_data(train, {"dev": dev})


def test_a_family_without_a_limit_takes_any_clip(tiny, vocabulary):
    CtcModule(vocabulary, tiny()).check_data(_data(1000.0, speed=0.1), {})


def test_two_views_of_a_clip_go_through_the_encoder_together(tiny, vocabulary):
    assert CtcModule(vocabulary, tiny()).clips_at_once(8) == 8
    assert CtcModule(vocabulary, tiny(), consistency=0.2).clips_at_once(8) == 16
