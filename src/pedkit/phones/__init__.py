"""What a phone is: inventories, spellings, projection onto CMU-39, articulatory features, soft equivalence."""

from pedkit.phones.features import FEATURE_UNITS, feature_distances, ipa_feature_distances
from pedkit.phones.inventory import INVENTORY_NAMES, Inventory, get_inventory, is_vowel
from pedkit.phones.lexicon import Lexicon
from pedkit.phones.spelling import ARPABET_TO_IPA, IPA_TO_ARPABET, TIMIT_TO_IPA, strip_stress

__all__ = [
    "ARPABET_TO_IPA",
    "FEATURE_UNITS",
    "INVENTORY_NAMES",
    "IPA_TO_ARPABET",
    "TIMIT_TO_IPA",
    "Inventory",
    "Lexicon",
    "feature_distances",
    "get_inventory",
    "ipa_feature_distances",
    "is_vowel",
    "strip_stress",
]
