from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pedkit.data.sampler import BucketBatchSampler, Draw, EvalBatchSampler
from pedkit.errors import PedkitError


def lengths(count, seed=0):
    return np.random.default_rng(seed).uniform(0.4, 9.0, count)


def epoch(sampler, number):
    sampler.set_epoch(number)
    return list(sampler)


def clips(batches):
    return Counter(draw.clip for batch in batches for draw in batch)


clip_lengths = st.lists(st.floats(0.1, 12), min_size=8, max_size=120)


@given(seconds=clip_lengths, world_size=st.integers(1, 4), batch_seconds=st.floats(3, 60), seed=st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_processes_share_every_clip_evenly(seconds, world_size, batch_seconds, seed):
    shares = [
        BucketBatchSampler(seconds, batch_seconds=batch_seconds, seed=seed, rank=rank, world_size=world_size)
        for rank in range(world_size)
    ]
    for number in (0, 1):
        drawn = [epoch(share, number) for share in shares]
        assert {len(batches) for batches in drawn} == {len(shares[0])}
        together = clips([batch for batches in drawn for batch in batches])
        assert max(together.values()) == 1
        missing = len(seconds) - len(together)
        # Only where every batch holds one clip can the number not be made even.
        assert missing < world_size
        assert missing == 0 or all(len(batch) == 1 for batches in drawn for batch in batches)


@given(seconds=clip_lengths, batch_seconds=st.floats(3, 60), most=st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_no_batch_passes_its_limits(seconds, batch_seconds, most):
    limits = {"batch_seconds": batch_seconds, "max_batch_size": most}
    for batches in (BucketBatchSampler(seconds, **limits), EvalBatchSampler(seconds, **limits)):
        for batch in batches:
            longest = max(seconds[draw.clip] for draw in batch)
            assert len(batch) <= most
            assert len(batch) == 1 or longest * len(batch) <= batch_seconds * (1 + 1e-9)


def test_order_follows_from_seed_and_epoch_alone():
    one, two = (BucketBatchSampler(lengths(50), batch_seconds=20, seed=5) for _ in range(2))
    list(one)  # an epoch more or less does not matter
    assert epoch(one, 3) == epoch(two, 3)
    assert epoch(one, 4) != epoch(one, 3)
    assert epoch(BucketBatchSampler(lengths(50), batch_seconds=20, seed=6), 3) != epoch(one, 3)


def test_neighbours_change_from_epoch_to_epoch():
    sampler = BucketBatchSampler(lengths(400), batch_seconds=40)
    pairs = [
        {frozenset((a.clip, b.clip)) for batch in epoch(sampler, n) for a in batch for b in batch if a != b}
        for n in (0, 1)
    ]
    assert len(pairs[0] & pairs[1]) < 0.5 * len(pairs[0])


def test_every_epoch_has_the_same_number_of_batches():
    repeats = np.where(np.arange(300) < 200, 0.37, 2.6)
    sampler = BucketBatchSampler(lengths(300), batch_seconds=25, repeats=repeats)
    assert {len(epoch(sampler, number)) for number in range(20)} == {len(sampler)}
    assert sampler.total_batches(20) == 20 * len(sampler)


def test_padding_is_small():
    seconds = lengths(2000)
    sampler = BucketBatchSampler(seconds, batch_seconds=60)
    padded = sum(len(batch) * max(seconds[d.clip] for d in batch) for batch in sampler)
    assert padded < 1.12 * seconds.sum()


@pytest.mark.parametrize("world_size", [1, 3])
def test_the_first_epochs_may_go_from_short_to_long(world_size):
    seconds, limits = lengths(100), {"batch_seconds": 20, "world_size": world_size}
    by_length, usual = (
        [BucketBatchSampler(seconds, sorted_epochs=number, rank=rank, **limits) for rank in range(world_size)]
        for number in (2, 0)
    )
    for number in (0, 1):
        drawn = [epoch(share, number) for share in by_length]
        for batches in drawn:
            longest = [max(seconds[draw.clip] for draw in batch) for batch in batches]
            assert longest == sorted(longest)
        shuffled = [epoch(share, number) for share in usual]
        assert {frozenset(batch) for share in drawn for batch in share} == {
            frozenset(batch) for share in shuffled for batch in share
        }
    assert [epoch(share, 2) for share in by_length] == [epoch(share, 2) for share in usual]


def test_repeats():
    sampler = BucketBatchSampler(lengths(120), batch_seconds=30, repeats=[2.25] * 80 + [0.5] * 40)
    times = [clips(epoch(sampler, number)) for number in range(40)]
    for counted in times:
        assert {counted[i] for i in range(80)} == {2, 3}
        assert {counted[i] for i in range(80, 120)} == {0, 1}
        assert sum(counted[i] for i in range(80)) + sum(counted[i] for i in range(80, 120)) == 200
    means = np.array([[counted[i] for i in range(120)] for counted in times]).mean(axis=0)
    assert means[:80].mean() == pytest.approx(2.25, abs=0.05)
    assert means[80:].mean() == pytest.approx(0.5, abs=0.1)
    assert means[80:].max() < 1  # the half is drawn anew, not chosen once


def test_copies_of_a_clip_are_numbered_so_that_they_can_differ():
    draws = [draw for batch in BucketBatchSampler(lengths(5), batch_seconds=9, repeats=3) for draw in batch]
    assert sorted(draws) == [Draw(clip, 0, copy) for clip in range(5) for copy in range(3)]


def test_resume_leaves_out_what_was_seen_and_only_once():
    sampler = BucketBatchSampler(lengths(60), batch_seconds=20, seed=1)
    whole = epoch(sampler, 2)
    sampler.resume(2, 3)
    assert epoch(sampler, 2) == whole[3:]
    assert sampler.skipped == 3
    assert len(sampler) == len(whole)  # Lightning counts the batches seen before
    assert epoch(sampler, 2) == whole


def test_resume_of_a_finished_epoch_does_not_touch_the_next():
    sampler = BucketBatchSampler(lengths(60), batch_seconds=20, seed=1)
    sampler.resume(2, len(sampler))
    assert len(epoch(sampler, 3)) == len(sampler)


def test_lightning_finds_set_epoch_on_the_attribute_sampler():
    sampler = BucketBatchSampler(lengths(10), batch_seconds=20)
    assert sampler.sampler is sampler


def test_evaluation_gives_each_clip_to_one_process_and_pads_nothing():
    # Distributed samplers of other libraries score some utterances twice here: 3 clips, 2 processes.
    shares = [
        list(EvalBatchSampler([3.0, 1.0, 2.0], batch_seconds=2.5, rank=rank, world_size=2)) for rank in (0, 1)
    ]
    assert shares == [[[Draw(1)], [Draw(0)]], [[Draw(2)]]]
    assert [len(list(EvalBatchSampler([1.0], batch_seconds=9, rank=rank, world_size=2))) for rank in (0, 1)] == [
        1,
        0,
    ]


def test_evaluation_packs_by_length():
    sampler = EvalBatchSampler([1.0, 4.0, 1.5, 2.0], batch_seconds=4.5)
    assert list(sampler) == [[Draw(0), Draw(2)], [Draw(3)], [Draw(1)]]  # 2 x 1.5, then 3 x 2.0 is too much
    assert len(sampler) == 3


def test_no_process_goes_without_a_batch_for_evaluation():
    """Lightning lets such a one leave the evaluation out, and the others wait for it for ever."""
    shares = [list(EvalBatchSampler([1.0] * 5, batch_seconds=60, rank=rank, world_size=4)) for rank in range(4)]
    assert [[draw.clip for draw in batch] for share in shares for batch in share] == [[0], [2], [3, 4], [1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"batch_seconds": 0}, "'batch_seconds' to be more than 0"),
        ({"batch_seconds": 9, "max_batch_size": 0}, "'max_batch_size' to be 1 or more"),
        ({"batch_seconds": 9, "rank": 2, "world_size": 2}, "a rank between 0 and 1, but got 2"),
    ],
)
def test_arguments_out_of_range(arguments, message):
    for kind in (BucketBatchSampler, EvalBatchSampler):
        with pytest.raises(PedkitError, match=message):
            kind([1.0, 2.0], **arguments)


def test_too_few_clips_and_bad_repeats():
    with pytest.raises(PedkitError, match=r"'sorted_epochs' to be 0 or more, but got -1"):
        BucketBatchSampler([1.0, 2.0], batch_seconds=9, sorted_epochs=-1)
    with pytest.raises(PedkitError, match=r"at least one clip for each of 3 processes, but got 2"):
        BucketBatchSampler([1.0, 2.0], batch_seconds=9, world_size=3)
    with pytest.raises(PedkitError, match=r"repeats to be 0 or more"):
        BucketBatchSampler([1.0, 2.0], batch_seconds=9, repeats=[1, -1])
    with pytest.raises(PedkitError, match=r"every clip to be 0 s or longer"):
        BucketBatchSampler([1.0, float("nan")], batch_seconds=9)
