import pytest

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.fairness import METRICS, Observation, metric_sums, word_error_sums
from pedkit.scoring import Counts

COUNTS = Counts.from_fields(
    {"utterances": 1, "substitutions": 3, "deletions": 1, "insertions": 1, "reference_phones": 20}
    | {"feature_distance": 60, "soft_distance": 96, "TA": 8, "FR_sub": 2, "FR_ins": 1, "FA_sub": 1}
    | {"CD_sub": 3, "DE_del": 1}
)


@pytest.mark.parametrize(
    ("metric", "sums"),
    [
        ("per", (5, 20)),
        ("pfer", (1.25, 20)),
        ("soft_per", (2.0, 20)),
        ("frr", (3, 11)),
        ("far", (1, 5)),
        ("der_li", (1, 4)),
        ("der_pedbench", (3 + 1 + 1, 8 + 3 + 1 + 4)),
        ("f1", (8, 8 + 3 + 1)),
    ],
)
def test_every_metric_is_a_ratio_of_sums(metric, sums):
    assert metric_sums(COUNTS, "full", metric) == sums


def test_the_profile_decides_what_detection_counts():
    assert metric_sums(COUNTS, "no_spurious", "frr") == (2, 10)


def test_word_errors_come_from_text():
    assert word_error_sums("the cat sat down", "the bat sat down now") == (2, 4)
    assert word_error_sums("  ", "uh huh") == (2, 0)
    assert word_error_sums("so be it", "") == (3, 3)


@pytest.mark.parametrize(("said", "heard"), [("a\tb", "a b"), ("a b", "a\nb"), ("a\u2003b", " a  b ")])
def test_words_stand_between_white_space_of_any_kind(said, heard):
    assert word_error_sums(said, heard) == (0, 2)


def test_word_errors_cannot_be_had_from_counts_of_phones():
    with pytest.raises(PedkitError, match="rate of words"):
        metric_sums(COUNTS, "full", "wer")


def test_an_unknown_metric_names_the_known_ones():
    with pytest.raises(PedkitError, match=r"per, soft_per, pfer.*'cer'"):
        metric_sums(COUNTS, "full", "cer")


def test_an_utterance_becomes_an_observation():
    utterance = Utterance(id="u", speaker="c:s", corpus="c", groups={"gender": "f", "native": False})
    seen = Observation.of(utterance, COUNTS, metrics=["per"], attributes=["gender", "native", "accent"])
    assert seen.groups == {"gender": "f", "native": "false", "accent": "unknown"}
    assert (seen.id, seen.speaker, seen.corpus, seen.prompt) == ("u", "c:s", "c", None)
    assert seen.sums == {"per": (5, 20)}
    assert seen.reference == "realized phones"


def test_a_g2p_reference_is_remembered_and_a_missing_corpus_is_unknown():
    counts = Counts.from_fields({"utterances": 1, "g2p_references": 1, "reference_phones": 4})
    seen = Observation.of(Utterance(id="u"), counts, metrics=["per", "f1"], attributes=[])
    assert (seen.reference, seen.corpus, seen.speaker) == ("G2P reference", "unknown", None)
    assert seen.sums["f1"] == (0, 0)


@pytest.mark.parametrize("sums", [(float("nan"), 1), (1, float("inf")), (-1, 1)])
def test_sums_are_finite_and_not_negative(sums):
    with pytest.raises(PedkitError, match="utterance 'u': expected the sums of 'per'"):
        Observation("u", None, "c", {}, {"per": sums})


def test_covariates_are_finite():
    with pytest.raises(PedkitError, match=r"covariate 'snr'.*nan"):
        Observation("u", None, "c", {}, {}, {"snr": float("nan")})


def test_the_metrics_are_those_of_the_issue():
    assert METRICS == ("per", "soft_per", "pfer", "frr", "far", "der_li", "der_pedbench", "f1", "wer")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sums": {"per": ("3", 10)}}, "utterance 'u': expected the sums of 'per' to be a numerator"),
        ({"sums": {"per": (None, 10)}}, "but got None / 10"),
        ({"sums": {"per": 3}}, "but got 3"),
        ({"sums": {"per": (1, 2, 3)}}, r"but got \(1, 2, 3\)"),
        ({"sums": {"per": (1e300, 1e300)}}, r"from 0 to 2 \*\* 53, but got 1e\+300"),
        ({"groups": {"age": 18}}, r"expected the group 'age' to be text, but got 18 .*numbers as text, '18'"),
        ({"groups": {"native": True}}, "expected the group 'native' to be text, but got True"),
        ({"groups": {"accent": None}}, "to be text, but got None .*leave the key out where it is not known"),
        ({"speaker": 7}, "expected the speaker to be text, but got 7"),
        ({"speaker": ""}, "expected the speaker to be text, but got '' .*None where it is not known"),
        ({"covariates": {"duration": "long"}}, "expected the covariate 'duration' .* but got 'long'"),
    ],
)
def test_what_is_no_text_or_no_number_is_named(wrong, message):
    given = {"id": "u", "speaker": "s", "corpus": "c", "groups": {}, "sums": {"per": (1, 2)}} | wrong
    with pytest.raises(PedkitError, match=message):
        Observation(**given)


def test_every_public_name_is_the_same_thing_however_often_it_is_asked_for():
    import types

    import pedkit.fairness

    for name in pedkit.fairness.__all__:
        first, second = getattr(pedkit.fairness, name), getattr(pedkit.fairness, name)
        assert first is second, name
        assert not isinstance(first, types.ModuleType), name
