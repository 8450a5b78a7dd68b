import numpy as np
import pytest

from pedkit.data.augment import Augment
from pedkit.data.signal import Codec, Room
from pedkit.errors import PedkitError

TONE = (0.3 * np.sin(2 * np.pi * 200 * np.arange(16000) / 16000)).astype(np.float32)


def test_the_same_draw_gives_the_same_clip_and_any_other_another():
    augment = Augment(seed=3)
    first = augment(TONE, utterance="a", epoch=1, copy=0)
    np.testing.assert_array_equal(first, augment(TONE, utterance="a", epoch=1, copy=0))
    others = [
        augment(TONE, utterance="b", epoch=1, copy=0),
        augment(TONE, utterance="a", epoch=2, copy=0),
        augment(TONE, utterance="a", epoch=1, copy=1),
        Augment(seed=4)(TONE, utterance="a", epoch=1, copy=0),
    ]
    assert not any(np.array_equal(first, other) for other in others)
    np.testing.assert_array_equal(TONE, (0.3 * np.sin(2 * np.pi * 200 * np.arange(16000) / 16000)).astype("f4"))


def test_all_off_changes_nothing():
    plain = Augment(speed=0, snr_db=None, gain_db=0)
    np.testing.assert_array_equal(plain(TONE, utterance="a", epoch=0), TONE)


def test_gain_stays_in_its_range_and_uses_it():
    augment = Augment(speed=0, snr_db=None, gain_db=6)
    gains = [
        20 * np.log10(np.abs(augment(TONE, utterance=str(i), epoch=0)).max() / np.abs(TONE).max())
        for i in range(200)
    ]
    assert -6 <= min(gains) < -5
    assert 5 < max(gains) <= 6


def test_loud_clips_are_scaled_not_clipped():
    augment = Augment(speed=0, snr_db=None, gain_db=20)
    loud = [augment(TONE, utterance=str(i), epoch=0) for i in range(50)]
    assert max(np.abs(clip).max() for clip in loud) == 1.0
    for clip in loud:  # still the same shape of wave
        np.testing.assert_allclose(clip / np.abs(clip).max(), TONE / np.abs(TONE).max(), atol=1e-6)


def test_noise_has_the_wanted_level():
    augment = Augment(speed=0, snr_db=(10, 20), gain_db=0)
    levels = []
    for i in range(50):
        noise = augment(TONE, utterance=str(i), epoch=0).astype(np.float64) - TONE
        levels.append(10 * np.log10(np.mean(TONE.astype(np.float64) ** 2) / np.mean(noise**2)))
    assert 9.99 <= min(levels) < 11
    assert 19 < max(levels) <= 20.01


def test_speed_changes_length_and_pitch_together():
    augment = Augment(speed=0.1, snr_db=None, gain_db=0)
    lengths = []
    for i in range(50):
        clip = augment(TONE, utterance=str(i), epoch=0)
        lengths.append(len(clip))
        pitch = np.argmax(np.abs(np.fft.rfft(clip, 160000))) / 10
        assert pitch == pytest.approx(200 * 16000 / len(clip), abs=0.2)
    assert 16000 / 1.1 - 1 <= min(lengths) < 15000
    assert 17000 < max(lengths) <= 16000 / 0.9 + 1


QUIET = {"speed": 0, "snr_db": None, "gain_db": 0}


def _clips(augment, count=100):
    return [augment(TONE, utterance=str(i), epoch=0) for i in range(count)]


def test_rooms_keep_length_and_power_and_come_as_often_as_asked_for():
    augment = Augment(**QUIET, room=Room(), room_share=0.3)
    clips = _clips(augment)
    changed = [clip for clip in clips if not np.array_equal(clip, TONE)]
    assert 20 <= len(changed) <= 40  # 30 expected, standard deviation 4.6
    power = np.mean(TONE.astype(np.float64) ** 2)
    for clip in changed:
        assert len(clip) == len(TONE)
        assert np.mean(clip.astype(np.float64) ** 2) == pytest.approx(power, rel=1e-4)
    assert len({clip.tobytes() for clip in changed}) == len(changed)  # every clip its own room
    again = _clips(augment)
    assert all(np.array_equal(one, other) for one, other in zip(clips, again, strict=True))


def test_one_of_several_codecs_is_drawn():
    codecs = [Codec(kind="mu_law"), Codec(kind="mu_law", sample_rate=8000)]
    expected = {bytes(codec(TONE, 16000)) for codec in codecs} | {bytes(TONE)}
    heard = [bytes(clip) for clip in _clips(Augment(**QUIET, codecs=codecs, codec_share=0.5))]
    assert set(heard) == expected
    assert 35 <= heard.count(bytes(TONE)) <= 65


def test_a_step_does_not_change_the_draws_of_the_others():
    # So a run without rooms and codecs hears what it heard before there were any.
    plain = Augment(seed=1)
    other = Augment(seed=1, room=Room(), room_share=0.0, codecs=[Codec(kind="mu_law")], codec_share=0.0)
    assert all(np.array_equal(one, two) for one, two in zip(_clips(plain, 10), _clips(other, 10), strict=True))


def test_loud_clips_in_rooms_and_noise_never_clip():
    loud = np.clip(TONE * 4, -1, 1)
    augment = Augment(gain_db=20, room=Room(), room_share=1.0)
    peaks = []
    for i in range(30):
        clip = np.abs(augment(loud, utterance=str(i), epoch=0))
        peaks.append(clip.max())
        assert np.count_nonzero(clip == clip.max()) == 1  # clipped, many samples would share the largest value
    assert max(peaks) == 1.0


@pytest.mark.parametrize("samples", [np.zeros(1600, np.float32), np.zeros(1, np.float32)])
def test_silence_stays_finite(samples):
    everything = {"room": Room(), "room_share": 1.0, "codecs": [Codec(kind="mu_law")], "codec_share": 1.0}
    clip = Augment(speed=0, **everything)(samples, utterance="a", epoch=0)
    assert clip.dtype == np.float32
    np.testing.assert_array_equal(clip, samples)


@pytest.mark.parametrize(
    "option",
    [
        {"speed": 1.0},
        {"speed": -0.1},
        {"gain_db": -1},
        {"snr_db": (20, 10)},
        {"room_share": 1.1},
        {"codec_share": -0.1},
    ],
)
def test_values_out_of_range(option):
    with pytest.raises(PedkitError, match=rf"'{next(iter(option))}'"):
        Augment(**option)


def test_a_codec_that_does_not_know_the_rate_is_refused_before_the_first_clip():
    with pytest.raises(PedkitError, match=r"opus knows the sample rates 8000, .*, 48000, but got 22050"):
        Augment(codecs=[Codec("opus")], sample_rate=22050)
    Augment(codecs=[Codec("opus", sample_rate=16000)], sample_rate=22050)
