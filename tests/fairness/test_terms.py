import numpy as np

from pedkit.fairness.terms import Term, design, independent, separated_rows


def test_treatment_contrasts():
    term = Term.categorical("accent", np.array(["b", "a", "c", "b"]), "b")
    names, matrix = design([term, Term.numeric("snr_db", np.array([1.0, 2.0, 3.0, 4.0]))], 4)
    assert names == ("(intercept)", "accent=a", "accent=c", "snr_db")
    assert matrix.tolist() == [[1, 0, 0, 1], [1, 1, 0, 2], [1, 0, 1, 3], [1, 0, 0, 4]]


def test_a_single_value_has_no_column():
    term = Term.categorical("accent", np.array(["b", "b"]), "b")
    assert (term.columns, term.matrix.shape) == ((), (2, 0))


def test_dependent_columns_are_found_whatever_their_scale():
    year = np.array([2000.0, 2005, 2011, 2013, 2024])
    one = np.ones(5)
    assert independent(np.stack([one, year, 3 * year - 7, year**2], axis=1)) == [0, 1, 3]
    # after a dependent column, a column that is new must not be lost
    half = np.array([1.0, 1, 0, 0, 0])
    assert independent(np.stack([one, 2 * one, half, one - half, np.arange(5.0)], axis=1)) == [0, 2, 4]
    assert independent(np.stack([one, 1e-9 * half, np.zeros(5)], axis=1)) == [0, 1]


def test_rows_with_errors_everywhere_separate_nothing():
    matrix = np.array([[1, 0], [1, 0], [1, 1], [1, 1]], dtype=float)
    assert not separated_rows(matrix, np.array([0.0, 1, 0, 1])).any()


def test_a_group_without_errors_is_separated():
    matrix = np.array([[1, 0], [1, 0], [1, 1], [1, 1]], dtype=float)
    assert separated_rows(matrix, np.array([0.0, 1, 0, 0])).tolist() == [False, False, True, True]
    assert separated_rows(matrix, np.array([0.0, 0, 0, 2])).tolist() == [True, True, False, False]


def test_a_number_separates_where_errors_have_its_largest_value_alone():
    matrix = np.stack([np.ones(5), [1.0, 2, 3, 5, 5]], axis=1)
    assert separated_rows(matrix, np.array([0.0, 0, 0, 0, 2])).tolist() == [True, True, True, False, False]
    # with values without errors on both sides a finite maximum exists
    between = np.stack([np.ones(5), [1.0, 2, 5, 6, 7]], axis=1)
    assert not separated_rows(between, np.array([0.0, 0, 3, 0, 0])).any()


def test_two_groups_separate_together_and_an_empty_cell_of_two_terms():
    matrix = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]] * 2, dtype=float)
    assert separated_rows(matrix, np.array([1.0, 0, 0, 1, 0, 0])).tolist() == [False, True, True] * 2
    # no errors at x=1, y=1, yet errors at each alone: the additive model has a finite maximum
    crossed = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=float)
    assert not separated_rows(crossed, np.array([1.0, 1, 1, 0])).any()


def test_no_error_at_all_separates_every_row():
    assert separated_rows(np.ones((3, 1)), np.zeros(3)).all()
    assert separated_rows(np.array([[1.0, 0], [1, 1]]), np.zeros(2)).all()
