"""What is said about folders and templates that cannot be used."""

from __future__ import annotations

import pytest

from pedkit.errors import PedkitError
from pedkit.models.language.loading import base_of
from pedkit.models.language.prompt_text import render_prompt
from tests.models.language.tiny_audio_models import CONVERSATION, tiny_processor


def test_an_adapter_folder_that_is_not_there(tmp_path):
    with pytest.raises(PedkitError, match="no such folder of an adapter") as caught:
        base_of(tmp_path / "absent")
    assert "absent" in str(caught.value)


def test_a_chat_template_without_an_audio_token():
    processor = tiny_processor("qwen2_5_omni_thinker")
    processor.chat_template = processor.chat_template.replace("<|AUDIO|>", "")
    with pytest.raises(PedkitError, match=r"writes 0 audio tokens for 1 clips .*has to write '<\|AUDIO\|>'"):
        render_prompt(processor, CONVERSATION)
