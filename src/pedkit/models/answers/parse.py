"""The rules by which an answer becomes phones: those of PEDBench, and decisions where they leave gaps."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from pedkit.models.answers.answer import Answer
from pedkit.models.answers.cut_off import CUT, complete
from pedkit.models.answers.phones import Phones, read_phones

KEY = "transcription"

_FENCE = re.compile(r"(?:`{3,}|~{3,})(?:[^\S\n]*[\w+-]*[^\S\n]*(?:\n|\Z)|[^\S\n]*json\b)?", re.IGNORECASE)
_HALF_PAIRS = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder(parse_int=float)  # int() refuses long numbers
_BEFORE_PHONES = "it was cut off before the phones"


class _Rules(NamedTuple):
    """The rules that an answer has met so far: its form, and how it deviates from it."""

    form: str
    deviations: tuple[str, ...] = ()

    def also(self, *deviations: str) -> _Rules:
        return self._replace(deviations=(*self.deviations, *deviations))

    def name(self, form: str | None = None) -> str:
        return "+".join((form or self.form, *self.deviations))


def parse_answer(text: str, *, cut_off: bool = False, key: str = KEY) -> Answer:
    """Return the phones of an answer; no text makes this raise.

    White space and a Markdown fence are stripped. Then, as PEDBench says: of a JSON object the value under
    ``transcription`` counts, or the only value of an object with one key; text after the object is ignored, text
    before it makes the answer invalid; without JSON only a plain phone string is kept; a cut-off object is
    recovered where possible; ARPAbet is converted; everything else is an empty prediction. Phones outside CMU-39
    are no fault of the answer: they are kept as IPA and the evaluation projects them.
    docs/audio_language_models/answers.md has the rules with examples.

    Args:
        text: What the model wrote.
        cut_off: Whether the model was stopped at its limit of tokens.
        key: Key that the prompt asks for, where it is not ``transcription``.
    """
    body = _HALF_PAIRS.sub("\N{REPLACEMENT CHARACTER}", text).lstrip().lstrip("\ufeff").lstrip()
    deviations: tuple[str, ...] = ()
    if fence := _FENCE.match(body):
        body = _without_closing_fence(body[fence.end() :].lstrip())
        deviations = ("fenced",)
    if not body.strip():
        return Answer(status="empty", outcome=_Rules("blank", deviations).name(), reason="the answer is blank")
    if body.startswith("{"):
        return _object(body, _Rules("json", deviations), key)
    return _plain(body, cut_off, deviations)


def _without_closing_fence(body: str) -> str:
    """Return the text before a closing fence; white space at the end stays, it closes a phone that was cut off."""
    stripped = body.rstrip()
    return stripped.rstrip("`~") if stripped.endswith(("```", "~~~")) else body


def _object(body: str, rules: _Rules, key: str) -> Answer:
    try:
        found, end = _DECODER.raw_decode(body)
    except (ValueError, RecursionError):
        found, end = complete(body), len(body)
        if not isinstance(found, dict):
            return _refused(rules, "malformed", "it starts like a JSON object and is none")
        rules = rules.also("recovered")
    if body[end:].strip().strip("`~"):
        rules = rules.also("text_after")
    return _value(found, rules, key)


def _value(found: dict[str, Any], rules: _Rules, key: str) -> Answer:
    recovered = "recovered" in rules.deviations
    if key in found:
        value = found[key]
    elif len(found) == 1:
        value = next(iter(found.values()))
        rules = rules._replace(form="json_one_key")
    elif recovered:
        return _refused(rules, "cut_off", _BEFORE_PHONES)
    else:
        return _refused(rules, "no_transcription", f"its object has {len(found)} keys, none of them {key!r}")
    if recovered and isinstance(value, list) and value[-1:] == [None]:
        value = value[:-1]  # the place of the next entry
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        value, rules = " ".join(value), rules.also("list")
    if not isinstance(value, str):
        if value is None and recovered:
            return _refused(rules, "cut_off", _BEFORE_PHONES)
        return _refused(rules, "no_string", f"the value under its key is {_kind(value)} and no string")
    value = _HALF_PAIRS.sub("\N{REPLACEMENT CHARACTER}", value)
    cut = value.endswith(CUT)
    return _answer(read_phones(value.removesuffix(CUT), cut=cut), rules, cut)


def _plain(body: str, cut_off: bool, deviations: tuple[str, ...]) -> Answer:
    rules = _Rules("plain", deviations)
    if _is_json(body):
        return _refused(rules, "not_an_object", "it is JSON, but no object")
    phones = read_phones(body, cut=cut_off)
    if phones.left_out or not (phones.phones or phones.unfinished):
        if "{" in body:
            return _refused(rules, "text_before", "text stands before the JSON object")
        return _refused(rules, "not_phones", "it is neither a JSON object nor a string of phones")
    return _answer(phones, rules.also("recovered") if cut_off else rules, cut_off)


def _answer(read: Phones, rules: _Rules, cut: bool) -> Answer:
    recovered = "recovered" in rules.deviations
    if read.phones:
        met = (
            ("arpabet", read.arpabet),
            ("outside_cmu39", read.inventory != "cmu39"),
            ("left_out", bool(read.left_out)),
        )
        return Answer(
            phones=read.phones,
            inventory=read.inventory,
            outcome=rules.also(*(name for name, holds in met if holds)).name(),
            reason=_remarks(read),
            recovered=recovered,
            left_out=read.left_out,
        )
    if read.left_out:
        return _refused(rules, "not_phones", f"what it gives are no phones: {' '.join(read.left_out[:5])}")
    if cut:
        return _refused(rules, "cut_off", "it was cut off before the first whole phone")
    reason = "it says that no phone was heard"
    return Answer(status="empty", outcome=rules.name(), reason=reason, recovered=recovered)


def _remarks(read: Phones) -> str | None:
    remarks = []
    if read.left_out:
        remarks.append(f"left out, being no phones: {' '.join(read.left_out[:5])}")
    if read.unfinished is not None:
        remarks.append(f"left out, being perhaps unfinished: {read.unfinished}")
    return "; ".join(remarks) or None


def _refused(rules: _Rules, form: str, reason: str) -> Answer:
    deviations = tuple(one for one in rules.deviations if one != "recovered")
    return Answer(status="unparsable", outcome=_Rules(form, deviations).name(), reason=reason)


def _is_json(body: str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list of other things than strings", bool: "true or false"}
    return "null" if value is None else kinds.get(type(value), "a number")
