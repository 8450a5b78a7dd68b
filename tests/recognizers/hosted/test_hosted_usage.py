"""What answers cost: worked out by hand, unknown where something is."""

import pytest
from chat_server import USAGE, completion
from hosted_parts import clip_of

from pedkit.evaluation.usage import usage_facts
from pedkit.recognizers.hosted.tokens import Tokens
from pedkit.recognizers.hosted.usage import Prices

PRICES = {"input": 2.5, "input_audio": 40.0, "input_cached": 1.0, "output": 10.0}


def test_tokens_are_read_as_openai_and_as_gemini_count_them():
    assert Tokens.of(USAGE) == Tokens(300, 100, 0, 20, 0)
    hidden = {"prompt_tokens": 21, "completion_tokens": 5, "total_tokens": 86}  # 60 of hidden reasoning
    assert Tokens.of(hidden) == Tokens(input=21, output=65)
    assert Tokens.of({"prompt_tokens": 21, "completion_tokens": 5}) == Tokens(input=21, output=5)
    for nothing in (None, [], {}, {"prompt_tokens": "many", "completion_tokens": -1, "total_tokens": True}):
        assert Tokens.of(nothing) == Tokens()


@pytest.mark.parametrize(
    ("tokens", "prices", "cost"),
    [
        (Tokens(300, 100, 0, 20, 0), PRICES, (200 * 2.5 + 100 * 40 + 20 * 10) / 1e6),
        (Tokens(300, 0, 120, 20), PRICES, (180 * 2.5 + 120 * 1 + 20 * 10) / 1e6),
        (Tokens(300, None, None, 20), {"input": 1.0, "input_audio": 1.0, "output": 2.0}, 340 / 1e6),
        (Tokens(300, 100, 0, 20), {}, "the price input is not known"),
        (Tokens(100, 100, 0, 20), {"output": 1.0}, "the price input_audio is not known"),
        (Tokens(300, 100, 0, 20), {"input": 1.0, "input_audio": 1.0}, "the price output is not known"),
        (Tokens(300, None, 0, 20), PRICES, "the server does not say how many of the tokens sent are audio"),
        (
            Tokens(300, 100, 50, 20),
            PRICES,
            "the server does not say how many of the tokens in its cache are audio",
        ),
        (Tokens(300, 0, 50, 20), {"input": 1.0, "output": 1.0}, "the price input_cached is not known"),
        (Tokens(300, 100), PRICES, "the server does not say how many tokens it used"),
        (Tokens(0, 0, 0, 0), {}, 0.0),
    ],
)
def test_a_cost_is_right_or_says_what_is_missing(tokens, prices, cost):
    found = Prices(**prices).of(tokens)
    assert found == (cost if isinstance(cost, str) else pytest.approx(cost))


def test_usage_adds_up_and_says_what_came_from_the_cache(recognizer, server):
    recognizer().transcribe([clip_of(1)])
    server.script = [(500, {}, "down"), completion('{"transcription": "s"}', usage={**USAGE, "total_tokens": 330})]
    server.script += [(500, {}, "down")] * 2
    one = recognizer(prices=PRICES, traffic={"max_tries": 2})
    heard = one.transcribe([clip_of(1), clip_of(2), clip_of(5)])
    usage = one.usage(heard)
    assert {key: usage[key] for key in ("answers", "from_cache", "requests", "unanswered")} == {
        "answers": 2, "from_cache": 1, "requests": 3, "unanswered": 1,
    }  # fmt: skip
    assert usage["tokens"] == {"input": 600, "input_audio": 200, "input_cached": 0, "output": 50, "reasoning": 0}
    assert usage["cost"]["value"] == pytest.approx((400 * 2.5 + 200 * 40 + 50 * 10) / 1e6)
    assert usage["models"] == {"listener-2026-11-01": 2}
    assert usage["prices_per_million_tokens"] == {**PRICES, "currency": "USD"}
    facts = usage_facts(usage)
    assert facts["cost of all answers"] == "0.0095 USD"
    assert facts["tokens sent"] == "600 (200 of audio)"
    unknown = recognizer().usage(heard)
    assert unknown["cost"] == {"value": None, "currency": "USD", "reason": "the price input is not known"}
    assert usage_facts(unknown)["cost of all answers"] == "– (the price input is not known)"


def test_one_answer_without_numbers_makes_the_sum_unknown(recognizer, server):
    server.script = [completion('{"transcription": "s"}', usage=None)]
    one = recognizer(prices=PRICES)
    usage = one.usage(one.transcribe([clip_of(1), clip_of(2)]))
    assert usage["tokens"]["input"] is None
    assert usage["cost"]["reason"] == "the server does not say how many tokens it used"


def test_seconds_are_median_and_nearest_rank(recognizer):
    one = recognizer()
    assert one.usage([])["seconds"] == {"median": None, "p95": None, "max": None}
    from pedkit.data.prediction import Prediction

    heard = [Prediction(id=str(i), seconds=float(i), usage={}) for i in range(1, 21)]
    assert one.usage(heard)["seconds"] == {"median": 10.0, "p95": 19.0, "max": 20.0}
