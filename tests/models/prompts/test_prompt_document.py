"""The document shows what is sent, and its file is a prompt."""

from __future__ import annotations

import re
from pathlib import Path

from pedkit.data.utterance import Utterance
from pedkit.models.prompts import load_prompt

DOCUMENT = (Path(__file__).parents[3] / "docs" / "audio_language_models" / "prompts.md").read_text(
    encoding="utf-8"
)
THINK = Utterance(id="a", text="think", inventory="cmu39", canonical=("TH", "IH", "NG", "K"))


def test_the_table_of_turns_is_what_is_sent():
    rows = re.findall(r"^\| (system|user)(, scripted only)? \| (.+) \|$", DOCUMENT, re.MULTILINE)
    texts = [(role, bool(scripted), text) for role, scripted, text in rows if text != "(the recording)"]
    system, user = load_prompt(mode="scripted").conversation(THINK)
    assert system.text.splitlines() == [text for role, _, text in texts if role == "system"]
    assert user.text.splitlines() == [text for role, _, text in texts if role == "user"]
    unscripted = load_prompt().conversation(THINK)[1]
    assert unscripted.text.splitlines() == [text for role, only, text in texts if role == "user" and not only]


def test_the_file_is_a_prompt(tmp_path):
    [content] = re.findall(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    file = tmp_path / "my_prompt.json"
    file.write_text(content, encoding="utf-8")
    system, user = load_prompt(str(file), mode="scripted").conversation(THINK)
    assert system.text == 'Listen closely.\nAnswer like this: {"transcription": "k æ t"}'
    assert user.text.endswith("\nThe text was: think. It should sound like this: θ ɪ ŋ k")


def test_the_python_prints_what_it_says(capsys):
    for code in re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL):
        exec(code, {})
        assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.+)", code)
