import json

from hypothesis import given, settings
from hypothesis import strategies as st

from pedkit.fairness.intervals import CI_RULES
from pedkit.fairness.sample import SPEAKER_RATES
from tests.fairness.made_up_groups import everything, frame, seen

GROUPS = st.sampled_from(["a", "b", "d", "unknown"])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "3", "4", "5", "6", None]),
        GROUPS,
        st.sampled_from(["c", "e"]),
        st.integers(0, 4),
        st.sampled_from([0, 4, 4, 4, 10]),
    ),
    min_size=1,
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, ci=st.sampled_from(CI_RULES), pool=st.booleans(), by=st.sampled_from(SPEAKER_RATES))
def test_any_data_give_numbers_or_reasons_never_nan_and_no_star_without_a_p(rows, ci, pool, by):
    observations = [
        seen(str(k), None if who is None else f"{corpus}:{who}", errors, phones, corpus=corpus, accent=accent)
        for k, (who, accent, corpus, errors, phones) in enumerate(rows)
    ]
    if all(one.groups["accent"] == "unknown" for one in observations):
        return
    table = frame(observations, ci=ci, pool_corpora=pool, speaker_rate=by, resamples=100)
    found = json.loads(everything(table))
    for one in found["overall"] + found["by_group"]:
        assert (one["mean"] is None) == (one["reason"] is not None)
        assert one["interval"]["low"] is not None or one["interval"]["reason"]
    for pair in found["pairwise"]:
        assert (pair["p"] is None) == (pair["reason"] is not None)
        assert pair["p"] is not None or not (pair["stars"] or pair["stars_holm"] or pair["stars_bh"])
    for gap in found["difference"] + found["ratio"]:
        assert gap["interval"]["low"] is not None or gap["reason"]
    total = sum(one["n_utterances"] for one in found["overall"])
    assert total == len(rows) == sum(one["n_utterances"] for one in found["by_group"])
