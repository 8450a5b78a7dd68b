import pytest

from pedkit.data.targets import TargetPolicy
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


def utterance(realized=("S", "IH"), inventory="cmu39", **fields):
    return Utterance(id="u", canonical=("S", "IH", "T"), realized=realized, inventory=inventory, **fields)


def test_realized_is_learnt_and_canonical_only_on_request():
    assert TargetPolicy()(utterance()) == ("S", "IH")
    assert TargetPolicy(target="canonical")(utterance()) == ("S", "IH", "T")
    assert TargetPolicy(target="none")(utterance()) == ()


def test_nobody_listened_is_an_error_not_a_fallback():
    with pytest.raises(PedkitError, match=r"utterance 'u': has no realized phones .*target=canonical"):
        TargetPolicy()(utterance(realized=None))
    assert TargetPolicy(target="canonical")(utterance(realized=None)) == ("S", "IH", "T")


def test_everything_deleted_is_an_empty_target():
    assert TargetPolicy()(utterance(realized=())) == ()


def test_symbols_that_equal_no_phone():
    policy = TargetPolicy()
    assert policy(utterance(realized=("S", "<unk>", "T", "err", "<unk>"))) == ("S", "T")
    assert policy.dropped_symbols == {"<unk>": 2, "err": 1}
    strict = TargetPolicy(unusable="drop_utterance")
    assert strict(utterance(realized=("S", "<unk>"))) is None
    assert strict(utterance()) == ("S", "IH")


def test_other_inventories_are_projected_by_name():
    timit = utterance(realized=("h#", "tcl", "t", "ix", "dx", "q", "h#"), inventory="timit61")
    policy = TargetPolicy()
    assert policy(timit) == ("T", "IH", "T")
    assert policy.dropped_symbols == {"q": 1}  # silence stands for no sound and is not counted
    assert TargetPolicy(inventory="timit39")(timit) == ("sil", "sil", "t", "ih", "dx", "sil")


def test_a_phone_outside_its_inventory_is_named():
    with pytest.raises(PedkitError, match=r"utterance 'u': .*'XX'"):
        TargetPolicy()(utterance(realized=("S", "XX")))
    with pytest.raises(PedkitError, match=r"utterance 'u': has phones, but no 'inventory'"):
        TargetPolicy()(utterance(inventory=None))


@pytest.mark.parametrize("option", [{"target": "said"}, {"unusable": "keep"}])
def test_unknown_option_values(option):
    with pytest.raises(PedkitError, match=rf"'{next(iter(option))}' to be one of"):
        TargetPolicy(**option)
