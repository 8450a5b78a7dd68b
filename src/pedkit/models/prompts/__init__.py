"""What an audio language model is asked: versioned templates, conversations, and a hash of all that is in them."""

from pedkit.models.prompts.conversation import AUDIO, Conversation, Example, Turn, clip_utterances
from pedkit.models.prompts.prompt import MODES, Prompt, load_prompt
from pedkit.models.prompts.template import PromptTemplate, load_template, template_names
from pedkit.models.prompts.user_text import plain_text

__all__ = [
    "AUDIO",
    "MODES",
    "Conversation",
    "Example",
    "Prompt",
    "PromptTemplate",
    "Turn",
    "clip_utterances",
    "load_prompt",
    "load_template",
    "plain_text",
    "template_names",
]
