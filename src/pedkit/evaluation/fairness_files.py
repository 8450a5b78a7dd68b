"""``fairness.json`` and its two tables: a row a group, and a row a pair of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pedkit.report.tables import FilesTogether

GROUP_COLUMNS = (
    "system", "attribute", "corpus", "value", "metric", "n_speakers", "n_dropped", "n_utterances", "mean", "low",
    "high", "method", "sd", "t_low", "t_high", "pooled", "pooled_numerator", "pooled_denominator", "pooled_low",
    "pooled_high", "pooled_method", "disparity", "disparity_low", "disparity_high", "disparity_from_group_means",
    "disparity_from_group_means_low", "disparity_from_group_means_high", "ratio_to_best", "rate_ratio",
    "rate_ratio_low", "rate_ratio_high", "flags", "reason",
)  # fmt: skip
PAIR_COLUMNS = (
    "system", "attribute", "corpus", "metric", "row", "column", "difference", "low", "high", "t", "df", "p",
    "p_holm", "p_bh", "p_games_howell", "p_permutation", "permutation_splits", "permutation_exact", "stars",
    "stars_holm", "stars_bh", "n_tests", "hedges_g", "d_average_variance", "prob_row_worse",
    "detectable_gap", "reason",
)  # fmt: skip


def write_fairness(files: FilesTogether, content: Mapping[str, Any]) -> None:
    """Write the three files; undefined numbers are null in JSON and blank in the tables.

    Args:
        files: Of the folder to write to.
        content: Of ``fairness.json``.
    """
    files.table("fairness_groups.csv", GROUP_COLUMNS, _rows(content, GROUP_COLUMNS, _groups))
    files.table("fairness_pairs.csv", PAIR_COLUMNS, _rows(content, PAIR_COLUMNS, _pairs))
    files.json("fairness.json", content)


def _rows(
    content: Mapping[str, Any],
    columns: tuple[str, ...],
    of: Callable[[Mapping[str, Any]], Iterator[dict[str, Any]]],
) -> Iterator[list[Any]]:
    for name, system in content["systems"].items():
        for row in of(system):
            cells = {"system": name} | row
            yield [cells.get(column) for column in columns]


def _groups(system: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    ratios = {
        (model["attribute"], model["corpus"], model["metric"], group["value"]): group["rate_ratio"]
        for model in system["models"]
        for group in model.get("groups", ())
    }
    for row in (*system["overall"], *system["by_group"]):
        ratio = ratios.get((row["attribute"], row["corpus"], row["metric"], row["value"]), {})
        pooled = row["pooled"]
        yield {
            **row,
            **_interval(row["interval"]),
            **_interval(row["t_interval"], "t_"),
            "pooled": pooled["value"],
            "pooled_numerator": pooled["numerator"],
            "pooled_denominator": pooled["denominator"],
            **_interval(pooled["interval"], "pooled_"),
            **_disparity(row["from_speaker_mean"], "disparity"),
            **_disparity(row["from_mean_of_group_means"], "disparity_from_group_means"),
            "rate_ratio": ratio.get("value"),
            "rate_ratio_low": ratio.get("low"),
            "rate_ratio_high": ratio.get("high"),
            "flags": " ".join(row["flags"]),
        }


def _pairs(system: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for row in system["pairwise"]:
        yield {**row, **_interval(row["interval"])}


def _interval(interval: Mapping[str, Any] | None, prefix: str = "") -> dict[str, Any]:
    return {f"{prefix}{name}": (interval or {}).get(name) for name in ("low", "high", "method")}


def _disparity(found: Mapping[str, Any] | None, name: str) -> dict[str, Any]:
    return {} if found is None else {name: found["value"], **_interval(found["interval"], f"{name}_")}
