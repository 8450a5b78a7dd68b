"""Observations by hand: speakers of made-up accents, and the frame of them."""

import json

from pedkit.fairness import GroupFrame, Observation


def seen(id, speaker, errors, phones=10, *, corpus="c", metric="per", reference="realized phones", **groups):
    sums = {metric: (errors, phones)}
    return Observation(id, speaker, corpus, groups, sums, reference=reference)


def frame(rows, attributes=("accent",), metrics=("per",), **chosen):
    return GroupFrame(observations=rows, metrics=metrics, attributes=attributes, **({"resamples": 200} | chosen))


def speakers(accent, errors, **more):
    return [seen(f"{accent}{k}", f"c:{accent}{k}", e, accent=accent, **more) for k, e in enumerate(errors)]


def row(table, value, corpus="c"):
    [found] = [r for r in table.by_group if r.value == value and r.corpus == corpus]
    return found


def everything(table):
    return json.dumps(table.to_json(), allow_nan=False)
