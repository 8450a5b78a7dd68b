"""Section 2.8 of the specification, on random utterances of any length."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pedkit.phones import get_inventory
from pedkit.scoring import OUTCOME_FIELDS, Counts, Item, Scorer, ScoringSettings

CMU39 = get_inventory("cmu39")
SCORER = Scorer(ScoringSettings(inventory="cmu39"))
FEW = ("AA", "IY", "S", "T", "N")

sequences = st.lists(st.sampled_from(FEW), max_size=25).map(tuple)
marked = st.lists(st.sampled_from((*FEW, "<unk>", "err")), max_size=25).map(tuple)
triples = st.tuples(sequences, sequences, sequences)
many = settings(max_examples=150, deadline=None)


def judge(c, u, p, flags=frozenset()):
    [scored] = SCORER.score([Item("x", c, u, p, flags)])
    return scored


@given(c=sequences, u=sequences)
@many
def test_perfect_and_accept_all(c, u):
    perfect = judge(c, u, u).counts.mdd()
    assert (perfect.FR, perfect.FA, perfect.DE) == (0, 0, 0)
    accepted = judge(c, u, c).counts.mdd()
    assert (accepted.FR, accepted.CD, accepted.DE) == (0, 0, 0)


@given(triples)
@many
def test_checksums_against_rapidfuzz(triple):
    c, u, p = triple
    counts = judge(c, u, p).counts
    mdd = counts.mdd()
    assert Levenshtein.distance(c, p) == mdd.TR + mdd.FR
    assert Levenshtein.distance(c, u) == mdd.TR + mdd.FA
    assert Levenshtein.distance(u, p) <= mdd.FR + mdd.FA + mdd.DE
    assert counts.per.numerator == Levenshtein.distance(u, p)


@given(c=sequences, u=marked, p=sequences, flags=st.sets(st.integers(0, 24)))
@many
def test_checksums_with_flags(c, u, p, flags):
    flags = frozenset(f for f in flags if f < len(c))
    scored = judge(c, u, p, flags)
    mdd, columns = scored.counts.mdd(), scored.alignment.columns
    never_equal = [f"{phone}{i}" if phone in ("<unk>", "err") else phone for i, phone in enumerate(u)]
    index, starred = -1, 0
    for column in columns:
        index += column.canonical is not None
        starred += column.canonical is not None and column.canonical == column.realized and index in flags
    assert mdd.TR == mdd.CD + mdd.DE + mdd.DU
    assert Levenshtein.distance(c, p) == mdd.TR + mdd.FR
    assert Levenshtein.distance(c, never_equal) + starred == mdd.TR + mdd.FA
    assert scored.counts["flagged_equal"] == starred


@given(triples)
@many
def test_every_phone_has_one_column(triple):
    c, u, p = triple
    scored = judge(c, u, p)
    columns, by_type = scored.alignment.columns, scored.counts.mdd().by_type
    assert tuple(x.canonical for x in columns if x.canonical) == c
    assert tuple(x.realized for x in columns if x.realized) == u
    assert tuple(x.predicted for x in columns if x.predicted) == p
    matches = sum(x.canonical is not None and x.canonical == x.realized for x in columns)
    assert by_type["TA"] + by_type["FR_sub"] + by_type["FR_del"] == matches
    assert sum(by_type.values()) == len(columns)


@given(triples, st.permutations(sorted(CMU39.vowels)), st.permutations(sorted(set(CMU39.phones) - CMU39.vowels)))
@many
def test_renaming_within_a_class_changes_nothing(triple, vowels, consonants):
    names = dict(zip(sorted(CMU39.vowels), vowels, strict=True))
    names |= dict(zip(sorted(set(CMU39.phones) - CMU39.vowels), consonants, strict=True))
    before = judge(*triple).counts
    after = judge(*(tuple(names[phone] for phone in sequence) for sequence in triple)).counts
    assert after.mdd() == before.mdd()
    assert after.mdd("kaldi3") == before.mdd("kaldi3")
    assert [after[k] for k in ("substitutions", "deletions", "insertions")] == [
        before[k] for k in ("substitutions", "deletions", "insertions")
    ]


@given(c=sequences, junk=st.lists(st.tuples(st.integers(0, 25), st.sampled_from(FEW)), max_size=5))
@many
def test_junk_on_correct_speech_never_lowers_false_rejections(c, junk):
    predicted, last = list(c), 0
    for position, phone in junk:
        predicted.insert(min(position, len(predicted)), phone)
        now = judge(c, c, tuple(predicted)).counts.mdd().FR
        assert now >= last
        last = now


@given(st.lists(triples, min_size=1, max_size=8))
@many
def test_a_corpus_is_the_sum_of_its_utterances(utterances):
    items = [Item(str(k), *triple) for k, triple in enumerate(utterances)]
    alone = sum((judge(*triple).counts for triple in utterances), Counts.zero())
    assert SCORER.total(items) == alone
    small = Scorer(ScoringSettings(inventory="cmu39", batch_size=3))
    assert sum((scored.counts for scored in small.score(items)), Counts.zero()) == alone


@given(triples)
@many
def test_profiles_are_choices_of_columns(triple):
    counts = judge(*triple).counts
    full = counts.mdd().by_type
    for profile, dropped in (("no_spurious", ["FR_ins"]), ("canonical_only", [n for n in full if "_ins" in n])):
        assert counts.mdd(profile).by_type == {n: 0 if n in dropped else full[n] for n in OUTCOME_FIELDS}


@given(triples)
@many
def test_headline_counts_do_not_depend_on_key_five(triple):
    # Keys 1 to 4 fix them on a given grid, and this grid has one optimum only (C = U).
    c, _, p = triple
    for tie in ("plain", "features"):
        other = Scorer(ScoringSettings(inventory="cmu39", tie=tie, soft_preset="none"))
        [scored] = other.score([Item("x", c, c, p)])
        found, phonetic = scored.counts.mdd(), judge(c, c, p).counts.mdd()
        assert (found.TA, found.FR) == (phonetic.TA, phonetic.FR)
