"""The loss is on the answer and its end token, on nothing else (trap 5)."""

from __future__ import annotations

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models.language.labels import IGNORED, answer_ids
from pedkit.models.prompts import AUDIO, Turn
from tests.models.language.tiny_audio_models import ANSWERS, CONTEXT, CONVERSATION, noise, tone


def _inputs(model, answers=ANSWERS):
    return model.training_inputs([tone(300), noise(1, 1.1)], [CONVERSATION] * 2, answers)


def test_labels_are_the_answer_and_its_end_token(kind, shared):
    model = shared(kind)
    inputs = _inputs(model)
    for row, labels, mask, answer in zip(
        inputs["input_ids"], inputs["labels"], inputs["attention_mask"], ANSWERS, strict=True
    ):
        trained = labels != IGNORED
        assert model.tokenizer.decode(row[trained]) == answer + model.family.end_token
        assert torch.equal(row[trained], labels[trained])
        assert int(trained.nonzero().max()) == int(mask.sum()) - 1  # nothing follows, as a line break would
        assert mask.tolist() == sorted(mask.tolist(), reverse=True)  # padded on the right


def test_a_change_of_the_prompt_changes_no_label_and_ipa_is_not_escaped(main_kind, shared):
    model = shared(main_kind)
    longer = (CONVERSATION[0], Turn("user", (AUDIO, 'The intended text is: {"transcription": "θ"}.')))
    one, other = (model.training_inputs([tone(300)], [turns], ANSWERS[:1]) for turns in (CONVERSATION, longer))
    assert one["labels"][one["labels"] != IGNORED].tolist() == other["labels"][other["labels"] != IGNORED].tolist()
    assert "θ ɪ ŋ k" in model.tokenizer.decode(one["labels"][one["labels"] != IGNORED])


def test_the_processor_of_audio_flamingo_would_train_on_the_prompt(shared):
    """Trap 5: what ``output_labels=True`` does, and ours does not."""
    model = shared("audioflamingo3")
    inputs = _inputs(model)
    prompts = model.processor.apply_chat_template(
        [[{"role": "user", "content": [{"type": "audio"}, {"type": "text", "text": "Transcribe."}]}]],
        tokenize=False,
    )
    theirs = model.processor(text=prompts, audio=[tone(300)], output_labels=True)["labels"]
    assert "Transcribe." in model.tokenizer.decode(theirs[theirs != IGNORED])
    assert "Transcribe" not in model.tokenizer.decode(inputs["labels"][inputs["labels"] != IGNORED])


def test_loss_is_the_sum_over_the_answer_whatever_it_is_batched_with(kind, shared):
    model = shared(kind)
    inputs = _inputs(model)
    with torch.no_grad():
        loss = model.answer_loss(inputs)
        alone = [
            -model.answer_log_likelihood(clip, CONVERSATION, answer)
            for clip, answer in zip((tone(300), noise(1, 1.1)), ANSWERS, strict=True)
        ]
        logits = model.base(**{k: v for k, v in inputs.items() if k != "labels"}).logits.float()
    torch.testing.assert_close(loss.per_answer, torch.tensor(alone), rtol=1e-4, atol=1e-3)
    # by hand, from all logits of the model's own forward pass
    chances = logits.log_softmax(-1)[:, :-1].gather(-1, inputs["labels"][:, 1:].clamp(min=0)[..., None])[..., 0]
    by_hand = -(chances * (inputs["labels"][:, 1:] != IGNORED)).sum(1)
    torch.testing.assert_close(loss.per_answer, by_hand, rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(loss.total, by_hand.sum(), rtol=1e-5, atol=1e-4)
    assert loss.tokens_per_answer.tolist() == (inputs["labels"] != IGNORED).sum(1).tolist()
    assert loss.tokens == int(loss.tokens_per_answer.sum())


def test_padding_on_the_left_gives_the_same_loss(main_kind, shared):
    model = shared(main_kind)
    inputs = _inputs(model)
    left = dict(inputs)
    for name, fill in (("input_ids", model.builder.pad_id), ("attention_mask", 0), ("labels", IGNORED)):
        rows = [
            torch.cat([row[~kept], row[kept]])
            for row, kept in zip(inputs[name], inputs["attention_mask"] == 1, strict=True)
        ]
        left[name] = torch.stack(rows)
        assert fill in left[name][:, 0]
    with torch.no_grad():
        torch.testing.assert_close(
            model.answer_loss(left).per_answer, model.answer_loss(inputs).per_answer, rtol=1e-4, atol=1e-3
        )


def test_a_border_that_the_tokenizer_closes_up_is_refused(shared):
    tokenizer = shared("audioflamingo3").tokenizer
    assert tokenizer.tokenize("transcription") != tokenizer.tokenize("trans") + tokenizer.tokenize("cription")
    with pytest.raises(PedkitError, match="border of the prompt 'trans' and the answer 'cription' run together"):
        answer_ids(tokenizer, "trans", "cription", "<|im_end|>")


def test_a_prompt_without_audio_is_refused(main_kind, shared):
    with pytest.raises(PedkitError, match="utterance 'u1': expected a prompt with audio, but it has none"):
        shared(main_kind).training_inputs([], [(Turn("user", ("Transcribe.",)),)], ANSWERS[:1], names=["u1"])


def test_a_text_that_holds_a_control_token_is_refused(kind, shared):
    model = shared(kind)
    for token in (model.processor.audio_token, model.family.end_token):
        text = f"The intended text is: {token}."
        with pytest.raises(PedkitError, match=r"utterance 'u1': the text of the prompt holds .* control token"):
            model.generation_inputs([tone(300)], [(Turn("user", (AUDIO, text)),)], names=["u1"])


def test_a_prompt_longer_than_the_context_is_refused(main_kind, shared):
    long = (Turn("user", (AUDIO, "Transcribe what you hear. " * CONTEXT)),)
    model = shared(main_kind)
    message = f"utterance 'u1': the prompt and answer have .* tokens, but the model takes {CONTEXT}"
    with pytest.raises(PedkitError, match=message):
        model.training_inputs([tone(300)], [long], ANSWERS[:1], names=["u1"])
    with pytest.raises(PedkitError, match=message):
        model.generation_inputs([tone(300)], [long], names=["u1"])
    with pytest.raises(PedkitError, match=f"1024 new tokens may be .*, but the model takes {CONTEXT}"):
        model.generate(model.generation_inputs([tone(300)], [CONVERSATION]), max_new_tokens=1024)


def test_examples_with_audio_go_before_the_question(kind, shared):
    model = shared(kind)
    shown = (
        Turn("user", (AUDIO, "Transcribe.")),
        Turn("assistant", (ANSWERS[0],)),
        Turn("user", (AUDIO, "And this?")),
    )
    inputs = model.training_inputs([tone(300), noise(1, 1.1)], [shown], ANSWERS[1:])
    assert model.tokenizer.decode(inputs["labels"][inputs["labels"] != IGNORED]).startswith(ANSWERS[1])
    both = sum(model.builder.features([tone(300), noise(1, 1.1)]).tokens)
    assert int((inputs["input_ids"] == model.processor.audio_token_id).sum()) == both
    assert torch.isfinite(model.answer_loss(inputs).total)
    with pytest.raises(PedkitError, match="the prompts hold 2 clips, but 1 were given"):
        model.generation_inputs([tone(300)], [shown])


def test_a_template_that_loses_a_clip_is_refused(shared):
    """Audio Flamingo 3 writes one audio token a turn, however many clips the turn holds."""
    two = (Turn("user", (AUDIO, AUDIO, "Compare.")),)
    with pytest.raises(PedkitError, match=r"writes 1 audio tokens for 2 clips .*a turn of its own"):
        shared("audioflamingo3").generation_inputs([tone(300)] * 2, [two])
