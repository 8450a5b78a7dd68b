from dataclasses import replace

import numpy as np
import pytest

from pedkit.phones import get_inventory
from pedkit.scoring import Item, Scorer, ScoringSettings
from pedkit.scoring import detection as detection_room
from pedkit.scoring.costs import CostTables
from pedkit.scoring.detection import Said, check, detect
from pedkit.scoring.encode import encode_batch
from pedkit.scoring.symbols import SymbolTable


def test_a_violated_checksum_stops_everything():
    table = SymbolTable(get_inventory("cmu39"))
    tables = CostTables(ScoringSettings(inventory="cmu39"), table)
    items = [Item("fine", ("T",), ("T",), ("T",)), Item("broken", ("T", "IY"), ("D", "IY"), ("D", "IH"))]
    encoded = encode_batch(items, table, "realized")
    detection = detect(encoded, tables, u_aware=True, said=Said.of(encoded, tables))
    assert detection.canonical_predicted.tolist() == [0, 2]
    assert detection.said.distance.tolist() == [0, 1]
    off = np.array([0, 1])
    for wrong in (
        replace(detection, canonical_predicted=detection.canonical_predicted + off),
        replace(detection, said=replace(detection.said, distance=detection.said.distance + off)),
        replace(detection, flagged_equal=detection.flagged_equal + off),
    ):
        with pytest.raises(AssertionError, match="utterance 'broken' violates a checksum"):
            check(wrong, encoded)


def test_checksums_are_asserted_on_everything_that_is_scored(monkeypatch):
    edit_distances = detection_room.edit_distances
    monkeypatch.setattr(detection_room, "edit_distances", lambda *arguments: edit_distances(*arguments) + 1)
    with pytest.raises(AssertionError, match="utterance 'x' violates a checksum"):
        Scorer(ScoringSettings(inventory="cmu39")).total([Item("x", ("T",), ("T",), ("T",))])
