"""Every measure by its one name: title, formula, direction, and where it stands in ``scores.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Rate = Mapping[str, Any]
"""``{"value", "numerator", "denominator", "reason"}`` as in ``scores.json``."""

UNDEFINED: Rate = {"value": None, "numerator": None, "denominator": None, "reason": "not computed"}


@dataclass(frozen=True, slots=True)
class Measure:
    """How one measure is named, explained and found.

    Attributes:
        key: Name in ``scores.json``, in configs and in code.
        title: Name in tables and on pages.
        formula: The formula in plain characters.
        meaning: One sentence for readers who do not know the field.
        lower_is_better: Direction.
        detection: True for the rates of mispronunciation detection, which stand under ``mdd.rates``.
    """

    key: str
    title: str
    formula: str
    meaning: str
    lower_is_better: bool = True
    detection: bool = True


MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        Measure(
            "per",
            "PER",
            "(S + D + I) / N",
            "Phone error rate: substituted, deleted and inserted phones per reference phone. "
            "It can pass 100 % when many phones are inserted.",
            detection=False,
        ),
        Measure(
            "pfer",
            "PFER",
            "(sum of feature distances + D + I) / N",
            "Phone error rate in which a substitution costs the share of the 24 articulatory features that "
            "differ, so T heard as D costs little and T heard as AA much.",
            detection=False,
        ),
        Measure(
            "soft_per",
            "Soft PER",
            "(S + D + I) / N, soft-equal phones free",
            "Phone error rate that forgives phones counted as variants of each other. It forgives many real "
            "errors too, so it is never a headline number. The phone classes are a reconstruction.",
            detection=False,
        ),
        Measure(
            "wer",
            "WER",
            "(S + D + I) / N, in words",
            "Word error rate: substituted, deleted and inserted words per word of the text.",
            detection=False,
        ),
        Measure(
            "frr",
            "FRR",
            "FR / (TA + FR)",
            "False rejection rate: share of false alarms among all columns without an error of the speaker. FR "
            "holds correctly said phones heard as another phone or not at all, and phones that the system heard "
            "where the reference has none. These add to the denominator too, so it differs between systems.",
        ),
        Measure(
            "far",
            "FAR",
            "FA / (FA + TR)",
            "False acceptance rate: share of the pronunciation errors that the system lets pass.",
        ),
        Measure(
            "der_li",
            "DER (Li)",
            "DE / (CD + DE)",
            "Diagnosis error rate: among the detected errors of which it is known what was said, the share heard "
            "as a third phone (Li, Qian and Meng 2017). Detected errors without a usable label (DU) are left out.",
        ),
        Measure(
            "der_pedbench",
            "DER (PEDBench)",
            "(FR + FA + DE) / (TA + FR + FA + TR)",
            "Share of all outcomes on which system and annotator disagree. False rejections dominate it. The "
            "denominator is our reading of the published wording.",
        ),
        Measure(
            "precision",
            "Precision",
            "TR / (TR + FR)",
            "Share of the flagged phones that really were errors.",
            lower_is_better=False,
        ),
        Measure(
            "recall",
            "Recall",
            "TR / (TR + FA)",
            "Share of the errors that were flagged; the same as 1 - FAR.",
            lower_is_better=False,
        ),
        Measure(
            "f1",
            "F1",
            "2 TR / (2 TR + FR + FA)",
            "Harmonic mean of precision and recall of error detection.",
            lower_is_better=False,
        ),
        Measure(
            "detection_accuracy",
            "Detection accuracy",
            "(TA + TR) / (TA + FR + FA + TR)",
            "Share of all columns in which flag and truth agree. Correct phones dominate it.",
            lower_is_better=False,
        ),
        Measure(
            "diagnosis_accuracy",
            "Diagnosis accuracy",
            "CD / (CD + DE)",
            "Among the detected errors of which it is known what was said, the share heard as the phone that was "
            "said; the same as 1 - DER (Li).",
            lower_is_better=False,
        ),
        Measure(
            "strict_f1",
            "Strict F1",
            "2 CD / (2 CD + 2 DE + FR + FA)",
            "F1 that counts an error only when it was found and named; like DER (Li), it leaves out DU.",
            lower_is_better=False,
        ),
    )
}

WORD_HEADLINE = ("wer",)
"""The same where words were scored."""

HEADLINE = ("per", "pfer", "frr", "far", "der_li", "der_pedbench", "precision", "recall", "f1")
"""Columns of the headline table, in order."""

OUTCOMES: dict[str, str] = {
    "TA": "true acceptance: said as intended, heard as intended",
    "FR": "false rejection: said as intended, heard otherwise; or a phone heard where the reference has none",
    "FA": "false acceptance: an error heard as the intended phone",
    "CD": "correct diagnosis: an error, heard as what was said",
    "DE": "diagnosis error: an error, heard as a third phone",
    "DU": "detected, undiagnosable: an error without a usable label, heard as not the intended phone",
}


def rate(system: Mapping[str, Any], key: str) -> Rate:
    """Return the rate ``key`` of one system of ``scores.json`` (or of one of its groups).

    A detection rate of a system without annotated utterances is `UNDEFINED`.
    """
    if not MEASURES[key].detection:
        found: Rate = system.get(key, UNDEFINED)
        return found
    detection = system.get("mdd") or {}
    return detection.get("rates", {}).get(key, UNDEFINED)  # type: ignore[no-any-return]
