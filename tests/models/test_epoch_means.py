from __future__ import annotations

from pedkit.models.epoch_means import EpochMeans


def test_means_are_weighted_and_utterances_counted_once():
    means = EpochMeans()
    means.add("loss", 2.0, 1)
    means.add("loss", 5.0, 2)
    means.add("empty", 7.0, 0)
    means.count("left_out", ["a", "b"])
    means.count("left_out", ["b"])
    means.count("never", [])
    assert means.compute() == {"loss": 4.0, "left_out": 2.0, "never": 0.0}
    means.reset()
    assert means.compute() == {}


def test_a_resumed_epoch_goes_on_from_the_same_sums():
    whole, first, rest = EpochMeans(), EpochMeans(), EpochMeans()
    for number, value in enumerate([0.1, 0.7, 1 / 3]):
        whole.add("loss", value, number + 1)
        whole.count("left_out", [f"u{number % 2}"])
    first.add("loss", 0.1, 1)
    first.count("left_out", ["u0"])
    rest.load_state_dict(first.state_dict())
    for number, value in enumerate([0.7, 1 / 3], start=1):
        rest.add("loss", value, number + 1)
        rest.count("left_out", [f"u{number % 2}"])
    assert rest.compute() == whole.compute()  # not only nearly
