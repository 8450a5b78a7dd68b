import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.phones import (
    ARPABET_TO_IPA,
    FEATURE_UNITS,
    feature_distances,
    get_inventory,
    ipa_feature_distances,
)

CMU = get_inventory("cmu39")


def distance(first, second):
    return int(feature_distances()[CMU.index(first), CMU.index(second)])


def test_shipped_matrix_is_what_panphon_gives():
    import panphon

    table = panphon.FeatureTable()
    segments = [np.array(table.word_to_vector_list(ipa, numeric=True)) for ipa in ARPABET_TO_IPA.values()]
    targets = [s[[0, -1]] for s in segments]  # onset and glide; a monophthong holds its target
    assert [len(s) for s in segments] == [1 + (p in ("AW", "AY", "EY", "OW", "OY")) for p in CMU.phones]
    assert segments[0].shape == (1, 24)
    rebuilt = np.array([[np.sum(a != b) for b in targets] for a in targets])
    np.testing.assert_array_equal(feature_distances(), rebuilt)


def test_symmetric_and_zero_only_on_the_diagonal():
    matrix = feature_distances()
    assert matrix.dtype == np.int64
    np.testing.assert_array_equal(matrix, matrix.T)
    np.testing.assert_array_equal(matrix == 0, np.eye(39, dtype=bool))
    assert matrix.max() <= FEATURE_UNITS


def test_values_worked_out_by_hand():
    assert distance("D", "T") == 2  # voicing only: 1 of 24 features, both targets
    assert distance("IH", "UH") == 4  # back and round
    assert distance("AY", "AW") == distance("IH", "UH") // 2  # same onset, half of the glides' distance
    assert distance("S", "Z") == 2


def test_matrix_cannot_be_changed_by_accident():
    with pytest.raises(ValueError, match="read-only"):
        feature_distances()[0, 0] = 1


def test_no_matrix_for_other_inventories():
    with pytest.raises(PedkitError, match="'timit39'"):
        feature_distances("timit39")


def test_ipa_distances_keep_aspiration():
    # Each of t-d, t-tʰ differs in one feature of 24; tʰ-d in both.
    np.testing.assert_array_equal(ipa_feature_distances(["t", "d", "tʰ"]), [[0, 2, 2], [2, 0, 4], [2, 4, 0]])


def test_unknown_symbol_is_at_full_distance_from_all_but_itself():
    np.testing.assert_array_equal(ipa_feature_distances(["t", "%"]), [[0, FEATURE_UNITS], [FEATURE_UNITS, 0]])
