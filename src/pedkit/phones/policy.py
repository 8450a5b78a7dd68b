"""The named choices of the projection onto CMU-39."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Literal, get_args, get_type_hints

from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class ProjectionPolicy:
    """What the ambiguous classes of symbols become. The defaults are printed in every report.

    Attributes:
        schwa: The reduced close vowels ᵻ and ɨ are ``AH`` or ``IH``. (ə is always AH, TIMIT's ix always IH.)
        flap: ɾ and dx are ``T`` or ``D``, are dropped (``drop``), or become the marker ``DX``, which
            ``resolve_flap`` turns into T or D once the canonical phones are known (``canonical``).
        glottal: ʔ and q are dropped (``drop``) or ``T``.
        closures: A closure of TIMIT merges with its release and is its stop where no release follows
            (``merge``: dropping it would delete a stop that was heard), or goes to nothing as with Lee and Hon
            (``fold``).
        syllabic: em, n̩ and the like are AH + consonant (``schwa``) or the consonant alone (``bare``).

    Raises:
        PedkitError: A value is none of those named.
    """

    schwa: Literal["AH", "IH"] = "AH"
    flap: Literal["T", "D", "canonical", "drop"] = "T"
    glottal: Literal["drop", "T"] = "drop"
    closures: Literal["merge", "fold"] = "merge"
    syllabic: Literal["schwa", "bare"] = "schwa"

    def __post_init__(self) -> None:
        hints = get_type_hints(ProjectionPolicy)
        for item in fields(self):
            allowed, value = get_args(hints[item.name]), getattr(self, item.name)
            if value not in allowed:
                raise PedkitError(
                    f"expected the projection policy '{item.name}' to be one of {', '.join(allowed)}, "
                    f"but got {value!r}"
                )

    def to_dict(self) -> dict[str, str]:
        """Return the choices by name, for reports and result files."""
        return asdict(self)


DEFAULT_POLICY = ProjectionPolicy()
