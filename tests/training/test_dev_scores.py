from __future__ import annotations

from types import SimpleNamespace

import pytest

from pedkit.data.batch import AudioBatch
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary
from pedkit.models.decoding import Heard
from pedkit.scoring import Counts
from pedkit.training import DevScores


def _heard(phones: str, frames: int = 10, blanks: int = 5) -> Heard:
    names = tuple(phones.split())
    return Heard(names, (1.0,) * len(names), tuple((i, i + 1) for i in range(len(names))), frames, blanks)


def _batch(*realized: str, canonical: str | None = None, inventory: str = "cmu39") -> AudioBatch:
    utterances = tuple(
        Utterance(
            id=f"u{i}", realized=tuple(phones.split()), inventory=inventory,
            canonical=tuple((canonical or phones).split()),
        ) for i, phones in enumerate(realized)
    )  # fmt: skip
    return AudioBatch(None, None, utterances, tuple(() for _ in utterances))


class _Module:
    device = "cpu"

    def __init__(self, vocabulary=None):
        self.inventory = (vocabulary or PhoneVocabulary.of_inventory("cmu39")).inventory
        self.logged: dict[str, float] = {}

    def log(self, name, value, **_):
        self.logged[name] = value


def _validate(scores, module, batches, names=("near", "far")):
    """Run the hooks as Lightning does; ``batches`` are (dev set, batch, heard)."""
    trainer = SimpleNamespace(datamodule=SimpleNamespace(dev_names=names), sanity_checking=False, current_epoch=3)
    scores.setup(trainer, module, "fit")
    scores.on_validation_epoch_start(trainer, module)
    for number, (which, batch, heard) in enumerate(batches):
        scores.on_validation_batch_end(trainer, module, {"heard": heard}, batch, number, names.index(which))
    scores.on_validation_epoch_end(trainer, module)


NEAR = ("near", _batch("AA B CH D"), [_heard("AA B CH T", frames=20, blanks=16)])
FAR = ("far", _batch("EH"), [_heard("IH", frames=5, blanks=4)])


def test_all_sums_errors_over_sums_phones():
    module, scores = _Module(), DevScores()
    _validate(scores, module, [NEAR, FAR])
    assert module.logged["dev_per"] == 2 / 5  # not (1/4 + 1/1) / 2
    assert (module.logged["dev_per_near"], module.logged["dev_per_far"]) == (1 / 4, 1.0)
    assert module.logged["dev_blank_share"] == pytest.approx(20 / 25)
    assert scores.results[3]["reference_phones"] == 5


def test_one_dev_set_can_choose():
    module, scores = _Module(), DevScores(select_on="far")
    _validate(scores, module, [NEAR, FAR])
    assert module.logged["dev_per"] == 1.0
    assert scores.results[3]["reference_phones"] == 1


def test_pfer_and_f1_come_with_it():
    # Canonical B AH G Z said as B AH G and heard so: one rejection, diagnosed, F1 1; nothing else is wrong.
    batch = _batch("B AH G", canonical="B AH G Z")
    module = _Module()
    _validate(DevScores(), module, [("near", batch, [_heard("B AH G")])], names=("near",))
    assert module.logged["dev_f1"] == 1.0
    assert (module.logged["dev_per"], module.logged["dev_pfer"]) == (0.0, 0.0)


def test_an_undefined_f1_is_not_logged():
    module = _Module()
    _validate(DevScores(), module, [("near", _batch("B AH"), [_heard("B AH")])], names=("near",))
    assert "dev_f1" not in module.logged


def test_an_unknown_sound_is_no_reference_phone_as_in_every_score():
    module = _Module()
    _validate(
        DevScores(),
        module,
        [("near", _batch("B <unk> G", canonical="B AH G"), [_heard("B AH G")])],
        names=("near",),
    )
    assert module.logged["dev_per"] == pytest.approx(1 / 2)


def test_a_model_with_ipa_phones_is_scored_in_cmu39():
    module = _Module(PhoneVocabulary.of_ids({"θ": 1, "ɪ": 2, "ŋ": 3}, "ipa"))
    _validate(DevScores(), module, [("near", _batch("TH IH NG"), [_heard("θ ɪ ŋ")])], names=("near",))
    assert module.logged["dev_per"] == 0.0


def test_timit_labels_are_projected_too():
    module = _Module()
    batch = _batch("sh ix tcl t", inventory="timit61")
    _validate(DevScores(), module, [("near", batch, [_heard("SH IH T")])], names=("near",))
    assert module.logged["dev_per"] == 0.0


def test_without_reference_phones_nothing_can_be_chosen():
    with pytest.raises(PedkitError, match="no checkpoint can be chosen on the dev set 'all': no reference phones"):
        _validate(DevScores(), _Module(), [("near", _batch(""), [_heard("AA")])], names=("near",))


def test_a_dev_set_that_does_not_exist_is_refused():
    with pytest.raises(PedkitError, match="expected select_on to be all or one of near, far, but got 'timit'"):
        _validate(DevScores(select_on="timit"), _Module(), [NEAR])
    with pytest.raises(PedkitError, match="at least one dev set"):
        _validate(DevScores(), _Module(), [], names=())


def test_results_survive_a_resume():
    scores, resumed = DevScores(), DevScores()
    _validate(scores, _Module(), [NEAR, FAR])
    resumed.load_state_dict(scores.state_dict())
    assert resumed.results == scores.results == {3: scores.results[3]}
    assert isinstance(resumed.results[3], Counts)
