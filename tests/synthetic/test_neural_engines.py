"""Mapping tests need no model; the end-to-end ones run tiny random models with the signatures of the real ones."""

import json

import numpy as np
import pytest
from engine_contexts import CMU39, all_contexts, passage, request
from installed_engines import installed

from pedkit.errors import PedkitError
from synthetic.engines import EngineNotInstalledError, neural
from synthetic.engines.kokoro import KokoroEngine
from synthetic.engines.neural import ipa, joined, to_ids
from synthetic.engines.phone_map import symbols
from synthetic.engines.piper import PiperEngine

CHARACTERS = sorted(
    {c for notation in ("piper", "kokoro") for written in symbols(notation).values() for c in written}
)
VOCABULARY = {character: number for number, character in enumerate([*"_^$.,ˈˌ ", *CHARACTERS])}


@pytest.mark.parametrize(
    ("notation", "phones", "text"),
    [
        ("piper", "B AH1 T ER0", "bˈʌtɚ."),
        ("piper", "DH AH0|S IH1 NG IH0 NG|CH AY2 L D", "ðə sˈɪŋɪŋ tʃˌaɪld."),
        ("piper", "HH ER1|IY0", "hˈɜː i."),
        ("kokoro", "B AH1 T ER0", "bˈʌtəɹ."),
        ("kokoro", "CH EY1 JH OW0|HH ER1", "ʧˈAʤO hˈɜɹ."),
        ("kokoro", "B OY1 AW2 AY0", "bˈYˌWI."),
    ],
)
def test_spelling(notation, phones, text):
    assert ipa(request(phones, "v"), notation, "x") == [text]


def test_long_texts_are_cut_into_runs_of_three_phrases():
    runs = ipa(request("|".join(["AH0"] * 50), "v"), "piper", "x")
    assert [run.count("ə") for run in runs] == [24, 24, 2]
    assert runs[0] == "ə ə ə ə ə ə ə ə, ə ə ə ə ə ə ə ə, ə ə ə ə ə ə ə ə."


@pytest.mark.parametrize("notation", ["piper", "kokoro"])
def test_all_phones_in_context_can_be_spelled(notation):
    for phones in all_contexts():
        (text,) = ipa(request(phones, "v"), notation, "x")
        assert VOCABULARY.keys() >= set(text)


def test_a_character_that_the_model_lacks_is_named():
    assert to_ids("ba.", {"a": 5, "b": 7, ".": 1}, "piper") == [7, 5, 1]
    with pytest.raises(PedkitError, match="the vocabulary of this piper model lacks 'ʒ', needed to say 'aʒ'"):
        to_ids("aʒ", {"a": 5}, "piper")


def test_runs_are_joined_with_silence_and_never_clipped():
    out = joined([np.full(3, 0.5, np.float32), np.full(2, -1, np.float32)], 10, "x")
    assert out.tolist() == [0.5, 0.5, 0.5, 0, 0, -1, -1]
    too_loud = joined([np.full(3, 0.5, np.float32), np.full(2, -2, np.float32)], 10, "x")
    assert too_loud.tolist() == [0.25, 0.25, 0.25, 0, 0, -1, -1]
    for broken in (np.zeros(0, np.float32), np.array([np.nan], np.float32)):
        with pytest.raises(PedkitError, match="x made no sound"):
            joined([broken], 10, "x")


class Session:
    """Keeps what it is asked to run; says a tenth of a second of a constant."""

    def __init__(self):
        self.asked = []

    def run(self, _names, inputs):
        self.asked.append(inputs)
        return [np.full((1, 1, 1600), 0.25, np.float32)]


@pytest.fixture
def session(monkeypatch):
    fake = Session()
    for module in ("piper", "kokoro"):
        monkeypatch.setattr(f"synthetic.engines.{module}.expect_onnxruntime", lambda _: None)
        monkeypatch.setattr(f"synthetic.engines.{module}.load_session", lambda *_: fake)
    return fake


@pytest.fixture
def piper_files(tmp_path):
    """Return a function that writes a voice of Piper and returns its path."""

    def write(**changes):
        ids = {character: [number] for character, number in VOCABULARY.items()}
        content = {"audio": {"sample_rate": 16000}, "phoneme_id_map": ids, "piper_version": "1.0.0", **changes}
        (tmp_path / "tiny.onnx.json").write_text(json.dumps(content), encoding="utf-8")
        (tmp_path / "tiny.onnx").write_bytes(b"")
        return str(tmp_path / "tiny.onnx")

    return write


@pytest.fixture
def kokoro_files(tmp_path):
    """Return the arguments of an engine with two voices of 30 styles each."""
    styles = np.arange(30 * 256, dtype="<f4")
    for name in ("af_anna", "bm_bob", "jf_other"):
        styles.tofile(tmp_path / f"{name}.bin")
    (tmp_path / "vocab.json").write_text(json.dumps({"vocab": VOCABULARY}), encoding="utf-8")
    (tmp_path / "tiny.onnx").write_bytes(b"")
    return {
        "voices_folder": str(tmp_path),
        "model": str(tmp_path / "tiny.onnx"),
        "vocabulary": str(tmp_path / "vocab.json"),
    }


def test_piper_is_told_ids_with_a_pad_after_each(session, piper_files):
    engine = PiperEngine(piper_files(), facts={"gender": "female"})
    assert (engine.voices(), engine.version, engine.reports_phones) == (["tiny"], "piper 1.0.0", False)
    speech = engine.say(request("B AH1", "tiny", rate=200))
    assert (speech.phones, speech.sample_rate, speech.samples.size) == (None, 16000, 1600)
    (asked,) = session.asked
    ids = [VOCABULARY[character] for character in "^_b_ˈ_ʌ_._$"]
    assert asked["input"].tolist() == [ids]
    assert asked["input_lengths"].tolist() == [len(ids)]
    assert asked["scales"].tolist() == [0, 0.5, 0]
    assert {name: values.dtype.name for name, values in asked.items()} == {
        "input": "int64", "input_lengths": "int64", "scales": "float32",
    }  # fmt: skip
    assert engine.spoken(request("B AH1", "tiny")) is None
    assert engine.voice_facts("tiny") == {"gender": "female"}
    assert engine.voice_licence("tiny") == "CC0-1.0"


def test_piper_models_of_several_speakers(session, piper_files):
    engine = PiperEngine(piper_files(speaker_id_map={"p1": 0, "p2": 7}))
    assert engine.voices() == ["tiny#p1", "tiny#p2"]
    engine.say(request("B AH1", "tiny#p2"))
    assert session.asked[0]["sid"].tolist() == [7]
    with pytest.raises(PedkitError, match="piper has no voice 'tiny'"):
        engine.say(request("B AH1", "tiny"))


def test_piper_settings_that_cannot_be(session, piper_files, tmp_path):
    engine = PiperEngine(piper_files())
    with pytest.raises(PedkitError, match="piper has no pitch that can be set"):
        engine.say(request("B AH1", "tiny", pitch=100))
    with pytest.raises(PedkitError, match="expected phones of CMU-39, but got 'DX', which piper cannot say"):
        engine.spoken(request("B DX", "tiny"))
    with pytest.raises(PedkitError, match="expected a noise from 0 to 1 for piper, but got 2"):
        PiperEngine(piper_files(), noise=2)
    with pytest.raises(EngineNotInstalledError, match=r"other\.onnx or its \.json is missing"):
        PiperEngine(str(tmp_path / "other.onnx"))
    with pytest.raises(PedkitError, match="expected the description of a Piper voice"):
        PiperEngine(piper_files(audio=None))


def test_kokoro_is_told_ids_between_zeros_and_the_style_of_their_number(session, kokoro_files):
    engine = KokoroEngine(**kokoro_files)
    assert engine.voices() == ["af_anna", "bm_bob"]
    assert engine.voice_facts("bm_bob") == {"accent": "british", "gender": "male"}
    assert engine.voice_licence("bm_bob") == "Apache-2.0"
    assert engine.spoken(request("B AH1", "af_anna")) is None
    speech = engine.say(request("B AH1", "af_anna", rate=80))
    assert (speech.phones, speech.sample_rate, speech.samples.size) == (None, 24000, 1600)
    (asked,) = session.asked
    ids = [VOCABULARY[character] for character in "bˈʌ."]
    assert asked["tokens"].tolist() == [[0, *ids, 0]]
    assert asked["style"].shape == (1, 256)
    assert asked["style"][0, 0] == 4 * 256  # the row of four characters
    assert asked["speed"].tolist() == pytest.approx([0.8])


def test_kokoro_settings_that_cannot_be(session, kokoro_files, tmp_path):
    engine = KokoroEngine(**kokoro_files)
    with pytest.raises(PedkitError, match="kokoro has no pitch that can be set"):
        engine.say(request("B AH1", "af_anna", pitch=100))
    with pytest.raises(PedkitError, match="kokoro has no voice 'jf_other'"):
        engine.say(request("B AH1", "jf_other"))
    with pytest.raises(PedkitError, match="kokoro says at most 29 characters at once, but got"):
        engine.say(request(passage(20), "af_anna"))
    (tmp_path / "af_anna.bin").write_bytes(b"1234")
    with pytest.raises(PedkitError, match="expected rows of 256 float32 numbers, but got 1 numbers"):
        engine.say(request("B AH1", "af_anna"))
    (tmp_path / "vocab.json").write_text("[]")
    with pytest.raises(PedkitError, match="expected JSON with the ids of characters under 'vocab'"):
        KokoroEngine(**kokoro_files)
    with pytest.raises(EngineNotInstalledError, match=r"no English voices in nowhere; pip install kokoro"):
        KokoroEngine(**{**kokoro_files, "voices_folder": "nowhere"})


@pytest.mark.parametrize("engine", [PiperEngine, KokoroEngine])
def test_without_onnxruntime_the_extra_is_named(monkeypatch, engine):
    monkeypatch.setattr(neural.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EngineNotInstalledError, match=r"pip install 'pedkit\[neural\]' brings onnxruntime"):
        engine()


def tiny_model(path, inputs):
    """Write a model with these inputs and one output of shape (samples,): a few random numbers times the speed."""
    onnx = pytest.importorskip("onnx")
    helper, kinds = onnx.helper, onnx.TensorProto
    signature = [helper.make_tensor_value_info(name, getattr(kinds, kind), shape) for name, kind, shape in inputs]
    scale = inputs[-1][0]
    noise = np.random.default_rng(0).uniform(-0.3, 0.3, 1000).astype(np.float32)
    nodes = [
        helper.make_node("ReduceMax", [scale], ["factor"], keepdims=0),
        helper.make_node("Mul", ["noise", "factor"], ["audio"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        signature,
        [helper.make_tensor_value_info("audio", kinds.FLOAT, [1000])],
        [onnx.numpy_helper.from_array(noise, "noise")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)
    return noise


def test_a_tiny_piper_model_speaks(piper_files):
    pytest.importorskip("onnxruntime")
    path = piper_files()
    noise = tiny_model(
        path, [("input", "INT64", [1, "n"]), ("input_lengths", "INT64", [1]), ("scales", "FLOAT", [3])]
    )
    speech = PiperEngine(path).say(request("B AH1 T ER0", "tiny"))
    assert np.allclose(speech.samples, noise)  # length 1 is the largest of the scales
    assert np.allclose(PiperEngine(path, noise=0.5).say(request("B AH1 T ER0", "tiny")).samples, noise)


def test_a_tiny_kokoro_model_speaks(kokoro_files):
    pytest.importorskip("onnxruntime")
    noise = tiny_model(
        kokoro_files["model"],
        [("tokens", "INT64", [1, "n"]), ("style", "FLOAT", [1, 256]), ("speed", "FLOAT", [1])],
    )
    engine = KokoroEngine(**kokoro_files)
    assert np.allclose(engine.say(request("B AH1", "bm_bob", rate=50)).samples, noise / 2)
    assert engine.say(request("B AH1", "bm_bob")).samples.dtype == np.float32


def test_a_file_that_is_no_model_is_named(piper_files):
    pytest.importorskip("onnxruntime")
    with pytest.raises(PedkitError, match=r"tiny\.onnx: not an onnx model that can be run"):
        PiperEngine(piper_files()).say(request("B AH1", "tiny"))


def test_the_real_joe_says_every_phone_and_always_the_same():
    engine = installed("piper")
    (voice,) = engine.voices()
    for phone in CMU39.phones:
        engine.spoken(request(f"{phone} AH1 {phone}", voice))
    word = request("B AH1 T ER0", voice)
    alone = engine.say(word).samples
    engine.say(request("K AE1 T", voice))
    assert np.array_equal(engine.say(word).samples, alone)
    assert 0.2 < alone.size / 22050 < 1.5


def test_the_real_kokoro_always_says_the_same():
    engine = installed("kokoro")
    voice = engine.voices()[0]
    word = request("B AH1 T ER0", voice)
    alone = engine.say(word).samples
    engine.say(request("K AE1 T", voice))
    assert np.array_equal(engine.say(word).samples, alone)
    assert 0.2 < alone.size / 24000 < 3
