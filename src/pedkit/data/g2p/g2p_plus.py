"""G2P+ (``g2p-plus``, MIT; its phonemizer is GPL-3.0): espeak-ng with corrections to its phones.

Its own check of languages wants the program ``espeak-ng`` on the PATH; here it gets the library of
``espeakng-loader`` instead. Its Epitran backend is used for Latin script only: before it transcribes, it deletes
what Python calls no word character, and with it the vowel signs of every Indic script.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pedkit.data.g2p.engine import IpaLine, not_installed, package_version


class G2pPlus:
    """G2P+ with one language of one of its backends (see `IpaEngine`).

    Lines in which espeak-ng changes the language come back empty: that is what G2P+ does with them.

    Args:
        backend: ``phonemizer`` or ``epitran``.
        code: The language as that backend names it.

    Raises:
        PedkitError: G2P+ or espeak-ng's library is not installed.
    """

    def __init__(self, backend: str, code: str) -> None:
        self._code, self._backend = code, backend
        try:
            self._wrapper = _phonemizer(code) if backend == "phonemizer" else _epitran(code)
        except ImportError:
            raise not_installed("the G2P G2P+", "g2p-plus") from None

    @property
    def name(self) -> str:
        """Engine and version, with those of its backend."""
        below = f"{self._backend} {package_version(self._backend)}"
        if self._backend == "phonemizer":
            from phonemizer.backend.espeak.wrapper import EspeakWrapper

            below += f", espeak-ng {'.'.join(map(str, EspeakWrapper().version))}"
        return f"g2p-plus {package_version('g2p-plus')} ({below}, {self._code})"

    def transcribe(self, lines: Sequence[str]) -> list[IpaLine]:
        """Return the IPA of each line, phones parted by blanks."""
        return [IpaLine(" ".join(line.split())) for line in self._wrapper.process(list(lines))]


def _phonemizer(code: str) -> Any:
    import espeakng_loader
    from g2p_plus.wrappers import phonemizer_wrapper
    from phonemizer.backend.espeak.wrapper import EspeakWrapper

    EspeakWrapper.set_library(espeakng_loader.get_library_path())
    EspeakWrapper.set_data_path(espeakng_loader.get_data_path())

    class PhonemizerWrapper(phonemizer_wrapper.PhonemizerWrapper):  # type: ignore[misc]
        # The class must keep its name: G2P+ finds the table of corrections by it.
        def check_language_support(self, language: str) -> bool:
            return bool(language)

    wrapper = PhonemizerWrapper(code, keep_word_boundaries=False)
    wrapper.njobs = 1  # four processes are slower for the lines of a manifest, and multiply under a test runner
    return wrapper


def _epitran(code: str) -> Any:
    from g2p_plus.wrappers.epitran_wrapper import EpitranWrapper

    return EpitranWrapper(code, keep_word_boundaries=False)
