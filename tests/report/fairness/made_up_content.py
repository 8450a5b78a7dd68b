"""Content of ``fairness.json`` written by hand: groups with means, and what was found between them."""

NO_INTERVAL = {"low": None, "high": None, "method": None, "reason": "one speaker"}


def interval(low, high, method="bca"):
    return {"low": low, "high": high, "method": method, "reason": None}


def group(value, mean, speakers=20, *, half=0.02, metric="per", attribute="accent", corpus="toy"):
    """One row of ``by_group``; its interval is ``mean`` +- ``half``."""
    few = ["few_speakers"] if speakers is not None and speakers < 10 else []
    known = speakers is not None and speakers > 1
    return {
        "attribute": attribute, "value": value, "corpus": corpus, "metric": metric, "n_speakers": speakers,
        "n_dropped": 0, "n_utterances": 40, "mean": mean if speakers else None, "sd": 0.05,
        "interval": interval(mean - half, mean + half) if known else NO_INTERVAL, "t_interval": None,
        "pooled": {"value": mean, "numerator": 100 * mean, "denominator": 100, "interval": NO_INTERVAL},
        "from_speaker_mean": {"value": mean - 0.2 if speakers else None, "interval": NO_INTERVAL},
        "from_mean_of_group_means": None, "ratio_to_best": None, "flags": few,
        "reason": None if speakers else "no speaker ids",
    }  # fmt: skip


def pair(row, column, p_holm, *, p=None, half=0.03, reason=None):
    """One row of ``pairwise`` between two groups; its interval is the difference +- ``half``."""
    difference = row["mean"] - column["mean"]
    p = p_holm if p is None else p
    stars = "*" if p is not None and p < 0.05 else ""
    return {
        "attribute": row["attribute"], "corpus": row["corpus"], "metric": row["metric"], "row": row["value"],
        "column": column["value"], "difference": difference, "p": p, "p_holm": p_holm, "stars": stars,
        "interval": NO_INTERVAL if reason else interval(difference - half, difference + half, "t"),
        "stars_holm": "*" if p_holm is not None and p_holm < 0.05 else "", "detectable_gap": 0.061,
        "reason": reason,
    }  # fmt: skip


def make_system(groups, pairs, p=None, model=None):
    """One system; ``p`` is that of Welch's ANOVA."""
    overall = group("toy", 0.2, 60) | {"attribute": "overall", "metric": groups[0]["metric"]}
    test = {"statistic": 1.0, "df": [1, 2], "p": p, "reason": None}
    named = {key: groups[0][key] for key in ("attribute", "corpus", "metric")}
    return {
        "notes": [], "overall": [overall], "by_group": groups, "difference": [], "ratio": [], "pairwise": pairs,
        "omnibus": [named | {"n_groups": len(groups), "welch_anova": test, "kruskal_wallis": test}],
        "models": [named | model] if model else [], "faas": [],
        "speakers": [
            {"speaker": f"{one['value']}{k}", "corpus": "toy", "groups": {"accent": one["value"]},
             "n_utterances": 2, "numerators": {one["metric"]: 100 * one["mean"] + k},
             "denominators": {one["metric"]: 100}, "rates": {one["metric"]: one["mean"] + 0.01 * k}}
            for one in groups if one["n_speakers"] for k in range(one["n_speakers"])
        ],
    }  # fmt: skip


def make_content(systems, changes=(), confounding=(), metric="per"):
    return {
        "settings": {
            "metrics": [metric],
            "attributes": ["accent"],
            "pool_corpora": False,
            "sets": None,
            "covariates": [],
            "prompt": False,
        },
        "notes": [],
        "systems": systems,
        "change_of_gap": list(changes),
        "gap_between_sets": [],
        "confounding": [{"corpus": "toy", "pairs": list(confounding), "covariates": []}],
    }
