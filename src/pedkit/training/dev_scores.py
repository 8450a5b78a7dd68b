"""`DevScores`: error rates on the dev sets after every epoch, from summed counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pytorch_lightning import Callback, LightningModule, Trainer

from pedkit.data.batch import AudioBatch
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.items import ItemBuilder
from pedkit.models.epoch_means import EpochMeans
from pedkit.models.trainable import HeardClip
from pedkit.scoring import Counts, Item, Rate, Scored, Scorer, ScoringSettings
from pedkit.training.counts_metric import CountsMetric

ALL = "all"


class DevScores(Callback):
    """Scores what a model heard in the dev sets and logs it.

    Logs ``dev_per``, ``dev_pfer`` and ``dev_f1`` of the sets that choose the checkpoint, ``dev_per_NAME`` of each
    set, and the shares that models tell of what they heard (``dev_blank_share`` of CTC models). All rates come
    from sums over utterances and processes, never from means of rates.

    Args:
        select_on: Name of the dev set that chooses the checkpoint, or ``all`` for the summed counts of all sets.
        projection: ``cmu39`` scores everything projected onto CMU-39, ``none`` as it is written.
        per_reference: ``realized``, or ``canonical`` for data nobody listened to.

    Attributes:
        names: Names of the dev sets, in the order of their loaders.
        results: Epoch -> counts of the selection.
    """

    def __init__(
        self, *, select_on: str = ALL, projection: str = "cmu39", per_reference: str = "realized"
    ) -> None:
        self.select_on, self.results = select_on, dict[int, Counts]()
        self._items = ItemBuilder(projection=projection)
        self._per_reference = per_reference
        self._scorer: Scorer | None = None
        self.names: tuple[str, ...] = ()
        self._counts: list[CountsMetric] = []
        self._shares = EpochMeans()

    def setup(self, trainer: Trainer, pl_module: LightningModule, stage: str) -> None:
        """Look up the names of the dev sets.

        Raises:
            PedkitError: There is no dev set, none of the name in ``select_on``, or one that is called ``all``.
        """
        del pl_module, stage
        self.names = tuple(trainer.datamodule.dev_names)  # type: ignore[attr-defined]
        if not self.names:
            raise PedkitError("expected at least one dev set to choose the checkpoint on, but got none")
        if ALL in self.names:
            raise PedkitError(f"expected another name of a dev set than {ALL!r}, which stands for all of them")
        if self.select_on not in (*self.names, ALL):
            raise PedkitError(
                f"expected select_on to be {ALL} or one of {', '.join(self.names)}, but got {self.select_on!r}"
            )

    @classmethod
    def of(cls, trainer: Trainer) -> DevScores:
        """Return the one among a trainer's callbacks."""
        return next(one for one in trainer.callbacks if isinstance(one, cls))  # type: ignore[attr-defined]

    def on_validation_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start from zero."""
        del trainer
        self._counts = [CountsMetric().to(pl_module.device) for _ in self.names]
        self._shares.reset()
        for metric in self._counts:  # one of several processes may get no batch of a small set
            metric.update(Counts.zero())

    def on_validation_batch_end(  # noqa: PLR0917 (Lightning's signature)
        self,
        trainer: Trainer,
        pl_module: LightningModule,
        outputs: Any,
        batch: AudioBatch,
        batch_idx: int,
        dataloader_idx: int = 0,
    ) -> None:
        """Add the counts of a batch."""
        del trainer, batch_idx
        heard: list[HeardClip] = outputs["heard"]
        items = []
        for utterance, one in zip(batch.utterances, heard, strict=True):
            items.append(self._item(utterance, one, str(pl_module.inventory)))
            for name, (share, weight) in one.shares().items():
                self._shares.add(name, share, weight)
        self._counts[dataloader_idx].update(self._with_scorer().total(items))

    def on_validation_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Log the rates.

        Raises:
            PedkitError: The sets that choose the checkpoint hold no reference phone.
        """
        counts = {name: metric.compute() for name, metric in zip(self.names, self._counts, strict=True)}
        selected = sum(counts.values(), Counts.zero()) if self.select_on == ALL else counts[self.select_on]
        if selected.per.value is None:
            reason = selected.per.reason
            raise PedkitError(f"no checkpoint can be chosen on the dev set {self.select_on!r}: {reason}")
        if trainer.sanity_checking:
            return
        self.results[trainer.current_epoch] = selected
        rates = {"dev_per": selected.per, "dev_pfer": selected.pfer, "dev_f1": selected.mdd().rates()["f1"]}
        rates |= {f"dev_per_{name}": one.per for name, one in counts.items()}
        values = {name: rate.value for name, rate in rates.items() if rate.value is not None}
        values |= self._shares.compute()
        for name, value in values.items():
            pl_module.log(name, value, prog_bar=name == "dev_per")

    def score(self, heard: Iterable[tuple[Utterance, HeardClip]], inventory: str) -> Iterator[tuple[Item, Scored]]:
        """Yield what was compared and its score for each utterance, in order; nothing is added to the results.

        Args:
            heard: Utterances of one dev set, with what was heard in them.
            inventory: Inventory of what was heard, where that does not say it itself.
        """
        items = [self._item(utterance, one, inventory) for utterance, one in heard]
        yield from zip(items, self._with_scorer().score(items), strict=True)

    def best(self) -> tuple[int, Rate]:
        """Return the epoch with the lowest PER, the earlier one of equals, and that PER."""
        epoch = min(self.results, key=lambda epoch: (self.results[epoch].per.value, epoch))
        return epoch, self.results[epoch].per

    def _item(self, utterance: Utterance, heard: HeardClip, inventory: str) -> Item:
        reference = self._items.projected(utterance)
        prediction = Prediction(id=utterance.id, phones=heard.phones, inventory=heard.inventory or inventory)
        predicted = self._items.predicted(utterance, prediction, reference.canonical)
        return Item(utterance.id, reference.canonical, reference.realized, predicted, frozenset(reference.flags))

    def _with_scorer(self) -> Scorer:
        if self._scorer is None:  # the inventory is known once there was an utterance
            settings = ScoringSettings(str(self._items.inventory), per_reference=self._per_reference)
            self._scorer = Scorer(settings)
        return self._scorer

    def state_dict(self) -> dict[str, Any]:
        """Return the results so far."""
        return {"results": {epoch: counts.to_fields() for epoch, counts in self.results.items()}}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over the results of an interrupted run."""
        self.results = {epoch: Counts.from_fields(fields) for epoch, fields in state_dict["results"].items()}
