from pedkit.report.file_names import LONGEST, file_name


def test_names_that_can_be_are_kept_and_signs_are_written_out():
    assert file_name("rec 1", ".TextGrid") == "rec 1.TextGrid"
    assert file_name("a/b:\u00e4") == "a%2Fb%3A%C3%A4"


def test_a_name_is_neither_hidden_nor_the_folder_above():
    assert file_name("..") == "%2E."
    assert file_name(".rec", ".TextGrid") == "%2Erec.TextGrid"


def test_long_names_are_cut_and_stay_different():
    first, second = (file_name("x" * 300 + last, ".TextGrid") for last in "ab")
    assert len(first) == len(second) == LONGEST
    assert first != second
    assert first.endswith(".TextGrid")
    assert file_name("x" * LONGEST) == "x" * LONGEST


def test_letters_of_several_bytes_count_as_they_are_written():
    assert len(file_name("\u00e4" * 100).encode()) == LONGEST
