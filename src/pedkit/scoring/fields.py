"""Names and positions of the integers that scoring counts."""

from __future__ import annotations

OUTCOMES = ("TA", "FR", "FA", "CD", "DE", "DU")
ERROR_TYPES = ("sub", "del", "ins")
OUTCOME_FIELDS = ("TA", *(f"{outcome}_{kind}" for outcome in OUTCOMES[1:] for kind in ERROR_TYPES))
"""The 16 outcomes by type. FR is split by what the system did, all others by the speaker's error."""

ERROR_RATE_FIELDS = (
    "utterances",
    "empty_predictions",
    "g2p_references",
    "reference_phones",
    "unusable_phones",
    "unusable_predicted",
    "substitutions",
    "deletions",
    "insertions",
    "feature_distance",
    "feature_unknown",
    "soft_substitutions",
    "soft_deletions",
    "soft_insertions",
    "soft_tier1",
    "soft_tier2",
    "soft_distance",
    "soft_unknown",
)
DETECTION_FIELDS = (
    "mdd_utterances",
    "without_realized",
    "without_canonical",
    "canonical_predicted_distance",
    "canonical_realized_distance",
    "flagged_equal",
    "tr_range_utterances",
    "tr_fewest",
    "tr_most",
)
FIELDS = (
    *ERROR_RATE_FIELDS,
    *DETECTION_FIELDS,
    *OUTCOME_FIELDS,
    *(f"kaldi3_{name}" for name in OUTCOME_FIELDS),
)
"""Every field of `Counts` in the order of its vector; docs/scoring.md says what each one counts."""

INDEX = {name: i for i, name in enumerate(FIELDS)}
