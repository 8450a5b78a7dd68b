import pytest

from pedkit.errors import PedkitError
from synthetic.design import ConfusionSource, Deletion, Insertion, Substitution

HEADER = "system,view,reference,heard,count\n"
CAT = ("K", "AE1", "T")
TABLE = (
    "a,heard,K,K,80\na,heard,K,T,20\na,heard,T,T,45\na,heard,T,K,5\na,heard,AE,AE,50\n"
    "a,heard,AE,-,10\na,heard,-,S,4\na,heard,S,-,30\na,heard,S,S,10\na,heard,K,<unk>,7\n"
    "a,said,K,G,99\n"
)


@pytest.fixture
def confusions(tmp_path):
    path = tmp_path / "confusions.csv"
    path.write_text(HEADER + TABLE, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("direction", "substitution", "deletion", "insertion"),
    [
        # 100 K, 50 T, 60 AE, 40 S: 250 phones. K is heard as T in 20 of 100, T as K in 5 of 50.
        ("heard", {"K>T": 0.2, "T>K": 0.1}, {}, {"S": 4 / 250}),
        # Said T for K is missed as often as T is heard as K. S is not heard in 30 of 40.
        ("missed", {"K>T": 0.1, "T>K": 0.2}, {}, {"S": 0.75}),
        ("both", {"K>T": 0.15, "T>K": 0.15}, {}, {"S": (4 / 250 + 0.75) / 2}),
    ],
)
def test_weights_by_hand(confusions, direction, substitution, deletion, insertion):
    source = ConfusionSource(confusions, direction=direction)
    # K AE1 T: K and T are not neighbours, so each may become the other.
    assert dict(source.operations("substitution", CAT)) == {
        Substitution(0, "K", "T"): pytest.approx(substitution["K>T"]),
        Substitution(2, "T", "K"): pytest.approx(substitution["T>K"]),
    }
    # AE1 is stressed and stays.
    assert dict(source.operations("deletion", CAT)) == deletion
    found = dict(source.operations("insertion", CAT))
    expected = {Insertion(at, "S"): pytest.approx(insertion["S"]) for at in range(4)}
    if direction != "heard":  # an inserted AE is missed in 10 of 60
        weight = 10 / 60 / (2 if direction == "both" else 1)
        expected |= {Insertion(0, "AE0"): pytest.approx(weight), Insertion(3, "AE0"): pytest.approx(weight)}
    assert found == expected
    assert source.label(Insertion(0, "S"), CAT) == source.name == "confusions"


def test_deletions_that_a_model_does_not_notice(confusions):
    # 4 phones S heard out of nothing in 250.
    assert ConfusionSource(confusions, direction="missed").operations("deletion", ("S", "AE1", "T")) == [
        (Deletion(0, "S"), pytest.approx(4 / 250))
    ]


def test_one_system_of_several(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text(f"{HEADER}a,heard,K,T,1\nb,heard,K,G,1\n", encoding="utf-8")
    weighted = ConfusionSource(str(path), system="b", direction="heard").operations("substitution", CAT)
    assert weighted == [(Substitution(0, "K", "G"), 1.0)]
    with pytest.raises(PedkitError, match=r"two\.csv: expected the name of one system of a, b \(system=\)"):
        ConfusionSource(str(path))
    with pytest.raises(PedkitError, match=r"no system 'c' \(there are: a, b\)"):
        ConfusionSource(str(path), system="c")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "system,view\na,heard\n",
            r"c\.csv: expected a table with the columns system, view, reference, heard, count",
        ),
        (f"{HEADER}a,heard,K,θ,3\n", r"c\.csv:2: expected phones of CMU-39, but got 'θ'"),
        (f"{HEADER}a,heard,K,T,x\n", r"c\.csv:2: expected a count, but got 'x'"),
        (f"{HEADER}a,heard,K,K,3\n", r"c\.csv: expected confusions of phones, but this system made none"),
    ],
)
def test_a_table_that_cannot_be_used_says_so(tmp_path, content, message):
    path = tmp_path / "c.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        ConfusionSource(str(path))


def test_the_direction_is_one_of_three(confusions):
    with pytest.raises(PedkitError, match="direction to be missed, heard or both, but got 'up'"):
        ConfusionSource(confusions, direction="up")
