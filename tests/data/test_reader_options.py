import inspect

import pytest

from pedkit.data.reader_options import check_options, reader_options
from pedkit.data.readers import READERS
from pedkit.errors import PedkitError


def test_options_come_from_signature_and_docstring():
    options = {option.name: option for option in reader_options("speechocean762")}
    assert list(options) == [
        name for name in inspect.signature(READERS["speechocean762"]).parameters if name != "root"
    ]
    assert options["threshold"].default == 0.5
    assert str(options["threshold"]).startswith("threshold=0.5\n    A phone scoring below is an error")
    assert str(options["insertion_votes"]).startswith("insertion_votes=null\n")
    assert options["dev_speakers"].text.endswith("(the corpus itself has no dev set).")  # of several lines


@pytest.mark.parametrize("corpus", sorted(READERS))
def test_every_option_of_every_reader_is_described_and_given_by_name(corpus):
    parameters = inspect.signature(READERS[corpus]).parameters
    for option in reader_options(corpus):
        assert option.text, option.name
        assert "\n" not in option.text
        assert parameters[option.name].kind is inspect.Parameter.KEYWORD_ONLY


def test_unknown_names_are_answered_with_known_ones():
    with pytest.raises(PedkitError, match=r"no corpus 'timt' \(there are: .*timit.*\); did you mean 'timit'"):
        reader_options("timt")
    with pytest.raises(PedkitError, match=r"no option of timit 'tset' \(there are: .*\); did you mean 'test'"):
        check_options("timit", ["inventory", "tset"])
    check_options("timit", ["inventory", "test"])
