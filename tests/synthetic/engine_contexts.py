"""Every phone of CMU-39 in initial, medial and final position, for tests of engines."""

import csv
from pathlib import Path

from pedkit.phones import get_inventory
from synthetic.engines import SpeechRequest

CMU39 = get_inventory("cmu39")


def contexts(phone):
    """A phone at both ends of a word, between vowels, and beside the consonants that change their neighbours."""
    if phone in CMU39.vowels:
        around = ["{}1 T", "T {}1", "T {}1 N", "R {}1 L AH0", "S AH1 T {}0 T", "S AH1 T {}0", "N {}2 N AH1 K"]
    else:
        around = ["{} AH1 T", "AH1 {}", "AH1 {} AH0", "S IH1 {} K", "S IH1 {} G", "AH0 {} AA1 P", "AE1 N {} IY0"]
    return [context.format(phone) for context in around]


def all_contexts():
    return [context for phone in CMU39.phones for context in contexts(phone)]


def edited_words():
    lines = (Path(__file__).parent / "data" / "edited_words.tsv").read_text(encoding="utf-8").splitlines()
    return [row[key] for row in csv.DictReader(lines, delimiter="\t") for key in ("canonical", "realized")]


def request(phones, voice, **changes):
    """Return a request of one word, or of several with ``|`` between them."""
    words = [word.split() for word in phones.split("|")]
    starts = [sum(map(len, words[:number])) for number in range(len(words))]
    return SpeechRequest(
        phones=tuple(phone for word in words for phone in word), voice=voice, word_starts=tuple(starts), **changes
    )


def passage(words):
    """Return so many words in a row: long ones and short ones, most phones at both ends of a word."""
    several = ["DH AH0", "W AO1 T ER0", "IH1 Z", "K OW1 L D", "S IH1 NG IH0 NG", "R EH1 D", "AE1 N D", "TH IH1 K"]
    return "|".join(several[number % len(several)] for number in range(words))
