import json

import pytest

from pedkit.errors import PedkitError
from pedkit.evaluation.score import score

WORDS = [{"text": "ka", "start": 0, "end": 2}, {"text": "t", "start": 2, "end": 3}]
LINE = {"id": "a", "inventory": "cmu39", "canonical": "K AE T", "realized": "K AE T", "words": WORDS}


def spans(write, line, predicted, **settings):
    manifest = write("m.jsonl", [line])
    path = write("p.jsonl", [{"id": "a", "phones": predicted}])
    result = score(predictions=path, manifest=manifest, **settings)
    return json.loads(json.dumps(result.to_json()))["systems"]["p"]["spans"]


def test_an_insertion_between_words_belongs_to_the_target_but_to_one_word_only(write):
    found = spans(write, LINE | {"target_span": [0, 2]}, "K AE S T")
    target, words = found["target"], found["words"]
    assert (target["boundary"], target["words"], target["mdd"]["counts"]["TA"], target["mdd"]["counts"]["FR"]) == (
        "both",
        1,
        2,
        1,
    )
    assert (words["boundary"], words["words"], words["mdd"]["counts"]["TA"], words["mdd"]["counts"]["FR"]) == (
        "left",
        2,
        3,
        1,
    )
    assert target["word_level"]["counts"] == {"TA": 0, "FR": 1, "FA": 0, "TR": 0}
    assert words["word_level"]["counts"] == {"TA": 1, "FR": 1, "FA": 0, "TR": 0}
    assert words["word_level"]["rates"]["frr"]["value"] == 0.5


def test_words_of_an_utterance_add_up_to_it(write):
    line = LINE | {"realized": "G AE T"}
    words = spans(write, line, "G AE")["words"]
    assert words["mdd"]["counts"] == {"TA": 1, "FR": 1, "FA": 0, "CD": 1, "DE": 0, "DU": 0}
    assert words["word_level"]["counts"] == {"TA": 0, "FR": 1, "FA": 0, "TR": 1}


def test_manifests_without_words_have_no_word_scores(write):
    line = {key: value for key, value in LINE.items() if key != "words"}
    assert spans(write, line, "K") == {"target": None, "words": None}


def test_words_have_no_kaldi_profile_and_fall_back_to_the_grid(write):
    assert spans(write, LINE, "K AE T", profile="kaldi3")["words"]["mdd"]["profile"] == "full"


def test_a_word_outside_its_utterance_names_file_and_line(write, tmp_path):
    with pytest.raises(PedkitError) as error:
        spans(write, LINE | {"words": [{"text": "x", "start": 1, "end": 9}]}, "K AE T")
    assert str(error.value).startswith(f"{tmp_path / 'm.jsonl'}:1: utterance 'a': 'words' points past the 3")
