"""What a phone is: inventories, spellings, projection onto CMU-39, articulatory features, soft equivalence."""

from pedkit.phones.features import FEATURE_UNITS, feature_distances, ipa_feature_distances
from pedkit.phones.flap import FLAP_MARKER, resolve_flap
from pedkit.phones.inventory import INVENTORY_NAMES, Inventory, get_inventory, is_vowel
from pedkit.phones.ipa import normalize_ipa, tokenize_ipa
from pedkit.phones.lexicon import Lexicon
from pedkit.phones.marks import GAP, UNUSABLE_PHONES
from pedkit.phones.policy import ProjectionPolicy
from pedkit.phones.projection import Projected, Projector, Trace
from pedkit.phones.sequence import merge_pairs_for
from pedkit.phones.soft import SOFT_PRESETS, SoftPhones, language_code, primary_subtag
from pedkit.phones.soft_table import SoftTable
from pedkit.phones.spelling import (
    ARPABET_TO_ESPEAK,
    ARPABET_TO_IPA,
    IPA_TO_ARPABET,
    TIMIT_TO_IPA,
    strip_stress,
)
from pedkit.phones.timit import (
    CMU39_TO_TIMIT39,
    CMU39_TO_TIMIT48,
    TIMIT48_TO_39,
    TIMIT61_TO_39,
    TIMIT61_TO_48,
)

__all__ = [
    "ARPABET_TO_ESPEAK",
    "ARPABET_TO_IPA",
    "CMU39_TO_TIMIT39",
    "CMU39_TO_TIMIT48",
    "FEATURE_UNITS",
    "FLAP_MARKER",
    "GAP",
    "INVENTORY_NAMES",
    "IPA_TO_ARPABET",
    "SOFT_PRESETS",
    "TIMIT48_TO_39",
    "TIMIT61_TO_39",
    "TIMIT61_TO_48",
    "TIMIT_TO_IPA",
    "UNUSABLE_PHONES",
    "Inventory",
    "Lexicon",
    "Projected",
    "ProjectionPolicy",
    "Projector",
    "SoftPhones",
    "SoftTable",
    "Trace",
    "feature_distances",
    "get_inventory",
    "ipa_feature_distances",
    "is_vowel",
    "language_code",
    "merge_pairs_for",
    "normalize_ipa",
    "primary_subtag",
    "resolve_flap",
    "strip_stress",
    "tokenize_ipa",
]
