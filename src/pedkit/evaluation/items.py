"""From utterance and prediction to what is scored: one inventory, projected, every dropped symbol counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.moved import became, moved_alignment, moved_marks
from pedkit.phones import UNUSABLE_PHONES, ProjectionPolicy, Projector, get_inventory, language_code, resolve_flap
from pedkit.phones.bias_study import bias_study_phones

ROLES = ("canonical", "realized", "predicted")
PROJECTIONS = ("cmu39", "none", "bias_study")
ENGLISH = "eng"
_CMU39 = get_inventory("cmu39")
_ARPABET = frozenset(_CMU39.phones) | {vowel + stress for vowel in _CMU39.vowels for stress in "012"}


class ItemBuilder:
    """Turns utterances and predictions into items of one inventory.

    Args:
        projection: ``cmu39`` projects everything onto CMU-39; ``none`` scores phones as they are written, and then
            every utterance and prediction must name the same inventory; ``bias_study`` brings IPA on both sides
            into one form and cuts it anew (`pedkit.phones.bias_study`).
        policy: Choices for the ambiguous classes of symbols.
        prediction_inventory: Inventory of predictions that name none; ``None``: the utterance's.
        merge_pairs: Pairs of IPA letters that the recognizer can only write as two tokens
            (`pedkit.phones.merge_pairs_for`).
        annotated: Carry the annotator's alignment through the projection; False leaves it behind there.

    Attributes:
        dropped: Role -> symbol -> how often it stood for a sound and became no phone, or was left out of the
            answer of a language model as no phone at all.
        unknown: Role -> symbol -> how often it was kept although no table knows it (``projection=none``, IPA).

    Raises:
        PedkitError: The projection is unknown.
    """

    def __init__(
        self,
        *,
        projection: str = "cmu39",
        policy: ProjectionPolicy | None = None,
        prediction_inventory: str | None = None,
        merge_pairs: Iterable[tuple[str, str]] = (),
        annotated: bool = False,
    ) -> None:
        if projection not in PROJECTIONS:
            raise PedkitError(
                f"expected 'projection' to be one of {', '.join(PROJECTIONS)}, but got {projection!r}"
            )
        self.policy = policy or ProjectionPolicy()
        self.dropped: Mapping[str, Counter[str]] = {role: Counter() for role in ROLES}
        self.unknown: Mapping[str, Counter[str]] = {role: Counter() for role in ROLES}
        self.inventory = "cmu39" if projection == "cmu39" else None
        self._project, self._recut = projection == "cmu39", projection == "bias_study"
        self._prediction_inventory = prediction_inventory
        self._merge_pairs = tuple(merge_pairs)
        self._annotated = annotated
        self._inventories: dict[str, frozenset[str]] = {}
        self._projectors: dict[tuple[str, str], Projector] = {}

    def projected(self, utterance: Utterance) -> Utterance:
        """Return the utterance in the inventory of the scores, with flags and words on the phones they mean.

        Raises:
            PedkitError: The utterance names no inventory or another one than its neighbours, its language is not
                English under ``projection=cmu39``, a phone is unknown, an alignment that is asked for is lost, or
                flags point at phones that ``projection=bias_study`` cuts anew.
        """
        source = self._source(utterance)
        canonical = self._phones(utterance.canonical, source, "canonical")
        realized = self._phones(utterance.realized, source, "realized")
        if self.policy.flap == "canonical":
            canonical = None if canonical is None else resolve_flap(canonical, ())
            realized = None if realized is None else resolve_flap(realized, canonical or ())
        if canonical == utterance.canonical and realized == utterance.realized:
            return utterance
        if self._recut:
            return _without_marks(utterance, canonical, realized)
        moved: dict[str, Any] = {"alignment": self._alignment(utterance, source)}
        if utterance.canonical is not None and (utterance.flags or utterance.words or utterance.target_span):
            moved |= moved_marks(utterance, self._projector(source, "canonical"))
        return replace(utterance, inventory=self.inventory, canonical=canonical, realized=realized, **moved)

    def predicted(
        self, utterance: Utterance, prediction: Prediction, canonical: tuple[str, ...] | None
    ) -> tuple[str, ...]:
        """Return the predicted phones in the inventory of the scores.

        Args:
            utterance: The utterance as the manifest has it.
            prediction: What was heard.
            canonical: Its canonical phones in the inventory of the scores.

        Raises:
            PedkitError: Its inventory is another than the reference's under ``projection=none``, a phone is
                unknown, or ARPAbet came where nobody named an inventory and the reference is IPA.
        """
        own = prediction.inventory or self._prediction_inventory or utterance.inventory or ""
        if not self._project and own != self.inventory:
            raise PedkitError(
                f"the prediction is in the inventory '{own}', the reference in '{self.inventory}'",
                hint="projection=cmu39 brings English phones into one inventory",
            )
        named = prediction.inventory or self._prediction_inventory
        if own == "ipa" and not named and prediction.phones and _ARPABET.issuperset(prediction.phones):
            raise PedkitError(
                f"expected IPA as in the manifest, but got the ARPAbet '{' '.join(prediction.phones[:5])}'",
                hint="prediction_inventory=cmu39 says what the predictions are in",
            )
        phones = self._phones(prediction.phones, own, "predicted")
        if phones is None:
            raise PedkitError("expected phones, but got None", hint="() says that nothing was heard")
        if prediction.left_out:
            self.dropped["predicted"].update(prediction.left_out)
        return resolve_flap(phones, canonical or ()) if self.policy.flap == "canonical" else phones

    def _alignment(self, utterance: Utterance, source: str) -> str | None:
        if not self._annotated or utterance.alignment is None:
            return None
        widths = (
            became(phones or (), self._projector(source, role))
            for role, phones in (("canonical", utterance.canonical), ("realized", utterance.realized))
        )
        return moved_alignment(utterance.alignment, *widths)

    def _source(self, utterance: Utterance) -> str:
        source = utterance.inventory
        if source is None:
            raise PedkitError("the utterance names no inventory", hint='add "inventory": "cmu39" or another name')
        if self._project:
            if utterance.language is not None and language_code(utterance.language) != ENGLISH:
                raise PedkitError(
                    f"projection=cmu39 is for English, but the language is '{utterance.language}'",
                    hint="projection=none scores the phones as they are",
                )
        elif self._recut and source != "ipa":
            raise PedkitError(f"projection=bias_study is for IPA, but the inventory is '{source}'")
        elif self.inventory is None:
            self.inventory = source
        elif source != self.inventory:
            raise PedkitError(f"two inventories in one manifest: '{self.inventory}' and '{source}'")
        return source

    def _phones(self, given: Any, source: str, role: str) -> tuple[str, ...] | None:
        if given is None:
            return None
        if not isinstance(given, tuple | list):  # of an object made in Python; a file's are split already
            hint = "'S IH NG'.split() makes a list of a string" if isinstance(given, str) else None
            raise PedkitError(f"expected '{role}' to be a tuple of phones, but got {given!r}", hint=hint)
        phones = tuple(given)
        if self._recut:
            return bias_study_phones(phones)
        if source == self.inventory and self._closed(source).issuperset(phones):
            return phones  # what the projector would say too, at a tenth of the time
        if role != "canonical" and any(mark in phones for mark in UNUSABLE_PHONES):
            return self._around_unusable(phones, source, role)
        return self._projected(phones, source, role)

    def _closed(self, name: str) -> frozenset[str]:
        """Return the phones of an inventory; none for an open one."""
        if name not in self._inventories:
            self._inventories[name] = frozenset(get_inventory(name).phones)
        return self._inventories[name]

    def _projected(self, phones: tuple[str, ...], source: str, role: str) -> tuple[str, ...]:
        projected = self._projector(source, role)(phones)
        if projected.dropped:
            self.dropped[role].update(projected.dropped)
        if projected.unknown:
            self.unknown[role].update(projected.unknown)
        return projected.phones

    def _around_unusable(self, phones: tuple[str, ...], source: str, role: str) -> tuple[str, ...]:
        """Project the stretches between symbols of unknown identity, which keep their places."""
        out: list[str] = []
        start = 0
        for end in (*(i for i, phone in enumerate(phones) if phone in UNUSABLE_PHONES), len(phones)):
            out += self._projected(phones[start:end], source, role)
            out += phones[end : end + 1]
            start = end + 1
        return tuple(out)

    def _projector(self, source: str, role: str) -> Projector:
        if (source, role) not in self._projectors:
            target = "cmu39" if self._project else source
            pairs = self._merge_pairs if role == "predicted" and source == "ipa" else ()
            self._projectors[source, role] = Projector(source, target, policy=self.policy, merge_pairs=pairs)
        return self._projectors[source, role]


def _without_marks(
    utterance: Utterance, canonical: tuple[str, ...] | None, realized: tuple[str, ...] | None
) -> Utterance:
    """Return the utterance with phones that nothing can point at: their borders are others than before."""
    if utterance.flags:
        raise PedkitError(
            "projection=bias_study cuts the phones anew, so that flags would point at others",
            hint="projection=none keeps them",
        )
    return replace(utterance, canonical=canonical, realized=realized, words=(), target_span=None, alignment=None)
