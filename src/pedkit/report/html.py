"""The report page: one self-contained HTML file from plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pedkit.report.beside import beside_rows
from pedkit.report.fairness.page import FairnessPart, fairness_part
from pedkit.report.figures import SystemFigures, error_figure, outcome_figure, system_figures
from pedkit.report.measures import HEADLINE, MEASURES, OUTCOMES, WORD_HEADLINE, rate
from pedkit.report.numbers import DASH, counted, fraction, percent
from pedkit.report.page import Page, SetPage
from pedkit.report.palette import palette
from pedkit.report.readings import conclusions, readings
from pedkit.report.reference_words import reference_words

GROUP_COLUMNS = ("per", "pfer", "frr", "far", "f1")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pedkit.report", "template"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(rate=rate, percent=percent, fraction=fraction, counted=counted)
    environment.globals.update(outcomes=OUTCOMES, dash=DASH)
    return environment


def render(page: Page) -> str:
    """Return the page as HTML that loads nothing from anywhere."""
    style = resources.files("pedkit.report").joinpath("template/style.css").read_text(encoding="utf-8")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            page=page,
            style=Markup(palette() + style),
            headline=WORD_HEADLINE if page.words else HEADLINE,
            group_columns=WORD_HEADLINE if page.words else GROUP_COLUMNS,
            measures={key: one for key, one in MEASURES.items() if (key in WORD_HEADLINE) == page.words},
            readings=[
                sentence for test_set in page.sets for sentence in readings(test_set.title, test_set.scores)
            ],
            conclusions=[
                sentence for test_set in page.sets for sentence in conclusions(test_set.title, test_set.scores)
            ],
            error_figure=Markup("" if page.words else error_figure(page.sets)),
            outcome_figure=Markup("" if page.words else outcome_figure(page.sets)),
            beside={test_set.key: beside_rows(test_set.scores) for test_set in page.sets},
            compared={test_set.key: _compared(test_set) for test_set in page.sets},
            set_figures={test_set.key: _figures(test_set, page.inventory) for test_set in page.sets},
            words={test_set.key: reference_words(test_set.scores) for test_set in page.sets},
            footer={
                "Where this comes from": page.provenance,
                "Settings of the scores": _shared([one.scores.get("settings", {}) for one in page.sets]),
                "Versions": _shared([one.scores.get("versions", {}) for one in page.sets]),
                "Licences of the data": page.licences,
            },
        )
    )


def write_report(path: str | Path, page: Page) -> Path:
    """Write the page to ``path`` and return it."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(render(page), encoding="utf-8")
    return target


def _compared(test_set: SetPage) -> FairnessPart | None:
    return None if test_set.fairness is None else fairness_part(test_set.fairness, test_set.scores)


def _figures(test_set: SetPage, inventory: Sequence[str]) -> dict[str, SystemFigures]:
    return {
        name: system_figures(name, system, test_set.details.get(name), inventory, reference_words(test_set.scores))
        for name, system in test_set.scores["systems"].items()
    }


def _shared(mappings: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what is the same for all test sets; what is not stands in their own ``scores.json``."""
    first, *others = [_flat(mapping) for mapping in mappings] or [{}]
    return {key: text for key, text in first.items() if all(other.get(key) == text for other in others)}


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return nested settings as ``key.subkey -> text``."""
    rows: dict[str, str] = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            rows |= _flat(value, f"{prefix}{key}.")
        elif isinstance(value, list | tuple):
            rows[prefix + key] = ", ".join(map(str, value)) or "none"
        else:
            rows[prefix + key] = "off" if value is None else str(value)
    return rows
