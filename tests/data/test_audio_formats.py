"""Every container and coding that pedkit says it reads, written by libsndfile or, for SPHERE, by hand."""

import re
import tracemalloc

import numpy as np
import pytest
import soundfile

from pedkit.data.audio import audio_info, load_audio, read_audio
from pedkit.data.sphere import sphere_header
from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError

RAMP = np.arange(-8000, 8000, dtype=np.int16)
FIELDS = {
    "channel_count": 1, "sample_count": 16000, "sample_rate": 16000, "sample_n_bytes": 2,
    "sample_byte_format": "01", "sample_sig_bits": 16,
}  # fmt: skip


def sphere(path, data, *, size=1024, **fields):
    lines = [f"NIST_1A\n{size:>7}\n"]
    for name, value in (FIELDS | fields).items():
        if value is not None:
            kind = "i" if isinstance(value, int) else f"s{len(value)}"
            lines.append(f"{name} -{kind} {value}\n")
    path.write_bytes("".join([*lines, "end_head\n"]).encode("ascii").ljust(size) + data)
    return Audio(str(path))


def glide(rate):
    """Two seconds whose pitch rises, so that no part sounds like another."""
    time = np.arange(2 * rate) / rate
    return 0.5 * np.sin(2 * np.pi * (200 * time + 150 * time**2))


@pytest.mark.parametrize(
    ("name", "subtype", "error"),
    [
        ("a.wav", "PCM_16", 4e-5),
        ("a.wav", "PCM_24", 1e-6),
        ("a.wav", "FLOAT", 1e-7),
        ("a.wav", "ULAW", 0.02),
        ("a.flac", "PCM_16", 4e-5),
        ("a.ogg", "VORBIS", 0.05),
        ("a.mp3", "MPEG_LAYER_III", 0.05),
    ],
)
@pytest.mark.parametrize("rate", [16000, 44100])
def test_a_part_is_the_same_samples_as_in_the_whole(tmp_path, name, subtype, error, rate):
    path = str(tmp_path / name)
    soundfile.write(path, glide(rate), rate, subtype=subtype)
    whole, found = read_audio(Audio(path))
    assert found == rate
    assert len(whole) == 2 * rate
    np.testing.assert_allclose(whole[2000:-2000], glide(rate)[2000:-2000], atol=error)
    for start in (0.0, 0.333, 1.25):
        part, _ = read_audio(Audio(path, start=start, duration=0.5))
        first = round(start * rate)
        np.testing.assert_allclose(part, whole[first : first + round((start + 0.5) * rate) - first], atol=1e-6)


def test_a_part_far_into_an_mp3(tmp_path):
    path = str(tmp_path / "a.mp3")
    soundfile.write(path, np.tile(glide(8000), 66), 8000)  # 132 s
    whole, _ = read_audio(Audio(path))
    part, _ = read_audio(Audio(path, start=130.25, duration=1))
    np.testing.assert_allclose(part, whole[1042000:1050000], atol=1e-6)


def test_opus_is_read_too(tmp_path):
    path = str(tmp_path / "a.ogg")
    soundfile.write(path, glide(48000), 48000, format="OGG", subtype="OPUS")
    heard = load_audio(Audio(path))
    assert len(heard) == 32000
    assert np.corrcoef(heard, glide(16000))[0, 1] > 0.99


def test_a_part_of_a_long_file_needs_the_memory_of_the_part(tmp_path):
    path = str(tmp_path / "long.wav")
    soundfile.write(path, np.zeros(16000 * 300, dtype=np.int16), 16000)  # 19 MB as float32
    tracemalloc.start()
    try:
        samples = load_audio(Audio(path, start=200, duration=1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(samples) == 16000
    assert peak < 1_000_000


class TestSphere:
    @pytest.mark.parametrize(("order", "mark"), [("<i2", "01"), (">i2", "10")])
    def test_both_byte_orders(self, tmp_path, order, mark):
        audio = sphere(tmp_path / "a.wav", RAMP.astype(order).tobytes(), sample_byte_format=mark)
        np.testing.assert_array_equal(load_audio(audio) * 32768, RAMP)
        part = Audio(audio.path, start=0.25, duration=0.5)
        np.testing.assert_array_equal(load_audio(part) * 32768, np.arange(-4000, 4000))

    def test_the_header_says_how_long_it_is(self, tmp_path):
        audio = sphere(
            tmp_path / "a.sph", RAMP.astype("<i2").tobytes(), size=2048, comment="x" * 1100, sample_coding="pcm"
        )
        np.testing.assert_array_equal(load_audio(audio) * 32768, RAMP)
        header = sphere_header(audio.path)
        assert (header["sample_count"], header["sample_coding"], len(header["comment"])) == ("16000", "pcm", 1100)

    def test_two_channels_need_a_choice(self, tmp_path):
        both = np.stack([RAMP, -RAMP], axis=1).astype("<i2").tobytes()
        audio = sphere(tmp_path / "a.sph", both, channel_count=2)
        with pytest.raises(PedkitError, match="expected one channel, but the file has 2"):
            load_audio(audio)
        np.testing.assert_array_equal(load_audio(Audio(audio.path, channel=1)) * 32768, -RAMP)

    def test_mu_law_of_the_telephone(self, tmp_path):
        audio = sphere(
            tmp_path / "a.sph", bytes([0xFF, 0x80, 0x00]), sample_coding="ulaw", sample_n_bytes=1,
            sample_byte_format="1", sample_count=3, sample_rate=8000,
        )  # fmt: skip
        samples, rate = read_audio(audio)
        assert rate == 8000
        np.testing.assert_array_equal(samples * 32768, [0, 32124, -32124])  # G.711: zero, largest, smallest

    def test_shorten_is_refused_with_the_way_out(self, tmp_path):
        audio = sphere(tmp_path / "a.wav", b"ajkg\x02", sample_coding="pcm,embedded-shorten-v2.00")
        message = "a.wav: cannot be read as audio: is compressed inside (pcm,embedded-shorten-v2.00) (unpack it"
        for read in (audio_info, load_audio):
            with pytest.raises(PedkitError, match=re.escape(message)):
                read(audio)

    @pytest.mark.parametrize(
        ("count", "message"),
        [
            (20000, "the file breaks off: 20000 samples are announced, 16000 are there"),
            (100, "the header contradicts the file: 100 samples are announced, 16000 are there"),
        ],
    )
    def test_another_number_of_samples_than_announced(self, tmp_path, count, message):
        audio = sphere(tmp_path / "a.wav", RAMP.astype("<i2").tobytes(), sample_count=count)
        for read in (audio_info, load_audio):
            with pytest.raises(PedkitError, match=message):
                read(audio)

    @pytest.mark.parametrize("name", ["sample_rate", "channel_count"])
    def test_a_rate_is_never_assumed(self, tmp_path, name):
        audio = sphere(tmp_path / "a.wav", RAMP.astype("<i2").tobytes(), **{name: None})
        with pytest.raises(PedkitError, match=f"the SPHERE header lacks {name}"):
            load_audio(audio)

    def test_a_missing_count_or_byte_order_is_what_is_there(self, tmp_path):
        audio = sphere(tmp_path / "a.wav", RAMP.astype("<i2").tobytes(), sample_count=None)
        np.testing.assert_array_equal(load_audio(audio) * 32768, RAMP)

    def test_what_only_looks_like_sphere(self, tmp_path):
        path = tmp_path / "a.wav"
        path.write_bytes(b"NIST_1A\nnonsense")
        with pytest.raises(PedkitError, match="the SPHERE header lacks sample_rate"):
            load_audio(Audio(str(path)))
        soundfile.write(path, RAMP, 16000)
        assert sphere_header(path) is None


@pytest.mark.parametrize("name", ["a.mp3", "a.flac"])
def test_a_compressed_file_that_breaks_off_is_found_when_it_is_decoded(tmp_path, name, capfd):
    path = tmp_path / name
    soundfile.write(path, np.random.default_rng(0).normal(0, 0.1, 48000), 16000)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(PedkitError, match=r"breaks off(: 48000 samples are announced| or is damaged)"):
        load_audio(Audio(str(path)))
    assert audio_info(Audio(str(path))).frames == 48000  # the header alone cannot know
    capfd.readouterr()  # libmpg123 writes a warning of its own
