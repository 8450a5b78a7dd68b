"""One scorer a language of the manifest: the second tier of Soft PER depends on the language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pedkit.errors import PedkitError
from pedkit.evaluation.settings import ScoreSettings
from pedkit.phones import get_inventory
from pedkit.scoring import Counts, Item, Scored, Scorer


class Scorers:
    """Scores the utterances of one system.

    Args:
        settings: What to compare with what.
        references: Trivial systems to score beside the predictions.
    """

    def __init__(self, settings: ScoreSettings, references: Iterable[str] = ()) -> None:
        self._settings, self._rows = settings, tuple(references)
        self._by_language: dict[str | None, Scorer] = {}

    def score(self, items: Sequence[Item], languages: Sequence[str | None], inventory: str) -> Iterator[Scored]:
        """Yield the score of each utterance, in order.

        Args:
            items: The utterances.
            languages: Language of each; ``None`` where the manifest does not say.
            inventory: Inventory of all phones.

        Raises:
            PedkitError: An item cannot be scored, or no language is known.
        """
        parts: dict[str | None, list[Item]] = {}
        for item, language in zip(items, languages, strict=True):
            parts.setdefault(language, []).append(item)
        streams = {
            language: self._scorer(language, inventory, part[0]).score(part) for language, part in parts.items()
        }
        for language in languages:
            yield next(streams[language])

    def _scorer(self, language: str | None, inventory: str, first: Item) -> Scorer:
        if language not in self._by_language:
            try:
                scorer = Scorer(self._settings.scoring(inventory, language), self._rows)
            except PedkitError as error:  # no language, or none that can be: the first of its utterances shows it
                raise error.at(utterance=first.id) from None
            self._by_language[language] = scorer
        return self._by_language[language]

    @property
    def references(self) -> dict[str, Counts]:
        """Counts of the trivial systems; those that nobody can fill in for every utterance are left out."""
        found = [scorer.references for scorer in self._by_language.values()]
        rows = [row for row in self._rows if all(row in counts for counts in found)]
        return {row: sum((counts[row] for counts in found), Counts.zero()) for row in rows}

    @property
    def phones(self) -> tuple[str, ...]:
        """Phones of the inventory in its order; empty for an open one."""
        scorer = next(iter(self._by_language.values()), None)
        return () if scorer is None else get_inventory(scorer.settings.inventory).phones

    def to_json(self) -> dict[str, Any]:
        """Return what the scorers were set to; several languages stand in a list, each with its soft coverage."""
        found = [scorer.settings.to_json() for scorer in self._by_language.values()]
        coverage = {scorer.settings.language: scorer.soft_coverage for scorer in self._by_language.values()}
        languages = sorted(coverage)
        spoken = languages[0] if len(languages) == 1 else languages
        return found[0] | {"language": spoken, "soft_coverage": {name: coverage[name] for name in languages}}
