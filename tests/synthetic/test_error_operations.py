import csv
from pathlib import Path

import pytest

from pedkit.errors import PedkitError
from synthetic.design import Deletion, Edited, Insertion, Substitution
from synthetic.design.operations import operation_to_dict

BUTTER = ("B", "AH1", "T", "ER0")


@pytest.mark.parametrize(
    ("operation", "realized", "text"),
    [
        (Substitution(2, "T", "D"), ("B", "AH1", "D", "ER0"), "sub@2:T>D"),
        (Substitution(0, "B", "P"), ("P", "AH1", "T", "ER0"), "sub@0:B>P"),
        (Deletion(3, "ER0"), ("B", "AH1", "T"), "del@3:ER0"),
        (Deletion(0, "B"), ("AH1", "T", "ER0"), "del@0:B"),
        (Insertion(0, "S"), ("S", "B", "AH1", "T", "ER0"), "ins@0:S"),
        (Insertion(2, "L"), ("B", "AH1", "L", "T", "ER0"), "ins@2:L"),
        (Insertion(4, "Z"), ("B", "AH1", "T", "ER0", "Z"), "ins@4:Z"),
    ],
)
def test_an_operation_gives_canonical_realized_and_position(operation, realized, text):
    assert operation.apply(BUTTER) == Edited(canonical=BUTTER, realized=realized, position=operation.position)
    assert str(operation) == text


def test_the_json_form_names_the_type_and_the_fields():
    assert operation_to_dict(Substitution(2, "T", "D")) == {
        "type": "substitution",
        "position": 2,
        "canonical": "T",
        "realized": "D",
    }
    assert operation_to_dict(Insertion(0, "S")) == {"type": "insertion", "position": 0, "realized": "S"}


def test_operations_rebuild_the_edited_words_of_another_program():
    """Word list of data/README.md, made apart from this code."""
    lines = (Path(__file__).parent / "data" / "edited_words.tsv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines, delimiter="\t"))
    assert len(rows) == 120
    for row in rows:
        canonical, realized = tuple(row["canonical"].split()), tuple(row["realized"].split())
        at = int(row["position"])
        operation = {
            "sub": lambda c=canonical, r=realized, at=at: Substitution(at, c[at], r[at]),
            "del": lambda c=canonical, at=at: Deletion(at, c[at]),
            "ins": lambda r=realized, at=at: Insertion(at, r[at]),
        }[row["type"]]()
        assert operation.apply(canonical).realized == realized, row["word"]


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (Substitution(2, "D", "T"), "expected D at position 2 of 'B AH1 T ER0' to apply sub@2:D>T"),
        (Substitution(4, "T", "D"), "expected T at position 4 of 'B AH1 T ER0' to apply sub@4:T>D"),
        (Substitution(2, "T", "T"), "expected a substitution by another phone, but got sub@2:T>T"),
        (Deletion(-1, "ER0"), "expected ER0 at position -1 of 'B AH1 T ER0' to apply del@-1:ER0"),
        (Insertion(5, "S"), "expected a position from 0 to 4 of 'B AH1 T ER0' for ins@5:S"),
    ],
)
def test_an_operation_that_does_not_fit_says_so(operation, message):
    with pytest.raises(PedkitError) as caught:
        operation.apply(BUTTER)
    assert str(caught.value) == message


def test_the_last_phone_cannot_be_deleted():
    with pytest.raises(PedkitError, match="two phones or more"):
        Deletion(0, "AH0").apply(("AH0",))
