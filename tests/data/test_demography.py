import re
from pathlib import Path

import pytest

from pedkit.data.readers import READERS
from pedkit.data.readers.demography import GROUP_KEYS, age_keys, answer, gender_answer, known, years
from tests.data.mini_coraal import write_coraal
from tests.data.mini_edacc import write_edacc
from tests.data.mini_sonos import write_sonos
from tests.data.mini_speech_accent_archive import write_speech_accent_archive
from tests.data.mini_timit import write_timit

MANUAL = Path(__file__).parents[2] / "docs" / "manifest.md"
MINIATURES = {
    "coraal": write_coraal,
    "edacc": write_edacc,
    "sonos": write_sonos,
    "speech_accent_archive": write_speech_accent_archive,
    "timit": write_timit,
}


def test_the_manual_lists_the_keys():
    section = MANUAL.read_text(encoding="utf-8").partition("### Group keys")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(GROUP_KEYS)


@pytest.mark.parametrize("corpus", MINIATURES)
def test_readers_use_the_shared_keys_or_keys_of_their_own_name(corpus, tmp_path):
    utterances = list(READERS[corpus](MINIATURES[corpus](tmp_path)))
    keys = {key for utterance in utterances for key in utterance.groups}
    assert {key for key in keys if key not in GROUP_KEYS and not key.startswith(f"{corpus}_")} == set()
    values = {value for utterance in utterances for value in utterance.groups.values() if isinstance(value, str)}
    assert values == {value.lower() for value in values}


@pytest.mark.parametrize(
    ("cell", "age"),
    [
        ("31", 31), ("31.0", 31), (" 7 ", 7), ("120", 120), ("007", 7),
        ("0", None), ("121", None), ("about 40", None), ("40-49", None), ("-3", None), ("", None), (None, None),
    ],
)  # fmt: skip
def test_ages_are_whole_years_or_missing(cell, age):
    assert years(cell) == age


def test_answers_in_one_form():
    assert answer("  Some  College ") == "some college"
    assert [answer(cell) for cell in ("", "  ", None, "Prefer not to say", "?")] == [None] * 5
    cells = ("F", "female", "Woman", "m", "MALE", "man", "Non-binary", None)
    assert [gender_answer(cell) for cell in cells] == ["female"] * 3 + ["male"] * 3 + ["non-binary", None]


def test_child_until_18():
    assert [age_keys(age)["age_group"] for age in (17, 18)] == ["child", "adult"]
    assert known(gender="female", **age_keys(None)) == {"gender": "female"}
    assert known(native=False, age=0) == {"native": False, "age": 0}  # false and 0 are values
