from itertools import combinations

import pytest

from tests.report.fairness.made_up_content import group, make_content, make_system, pair


@pytest.fixture
def three():
    """English 20 %, Indian 29 %, Welsh 22 % with 5 speakers; the pair English-Indian is beyond chance."""
    groups = [group("english", 0.20), group("indian", 0.29, 14), group("welsh", 0.22, 5)]
    p = {("english", "indian"): 0.01, ("english", "welsh"): 0.4, ("indian", "welsh"): 0.2}
    raw = {("indian", "welsh"): 0.04}
    rows = combinations(groups, 2)
    pairs = [pair(a, b, p[a["value"], b["value"]], p=raw.get((a["value"], b["value"]))) for a, b in rows]
    return make_content({"s": make_system(groups, pairs, p=0.003)})
