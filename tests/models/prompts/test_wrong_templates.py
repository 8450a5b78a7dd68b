"""Names that are no template, and files that nobody could send."""

import json

import pytest

from pedkit.errors import PedkitError
from pedkit.models.prompts import load_prompt


@pytest.mark.parametrize("name", ["/no/prompt", "cmu39_*", "**", "../templates/cmu39_json", "", "a\0", "["])
def test_only_the_name_of_a_template_is_one(name):
    with pytest.raises(PedkitError, match=r"expected the name of a prompt \(cmu39_json\) or a \.json file"):
        load_prompt(name)


def test_a_file_that_is_nested_for_ever_or_holds_half_a_sign_is_refused(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(PedkitError, match="not a JSON file"):
        load_prompt(str(file))
    for user in ("Listen \ud83d", ["Listen", "\udc00"]):
        file.write_text(json.dumps({"name": "m", "version": 1, "system": "s", "user": user}), encoding="utf-8")
        with pytest.raises(PedkitError, match="the key 'user' of a prompt holds half a surrogate pair"):
            load_prompt(str(file))
