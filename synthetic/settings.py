"""From the config to the objects that do the work; the only file that knows its keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from hydra.utils import instantiate
from omegaconf import DictConfig, OmegaConf

from pedkit.data.manifest import iter_manifest
from pedkit.errors import PedkitError
from synthetic.design import DesignSettings, ErrorSource
from synthetic.engines import SpeechEngine
from synthetic.post_processing import PostProcessing


def settings_record(cfg: DictConfig) -> dict[str, Any]:
    """Return the settings that decide what is made: all but ``output_dir`` and ``workers``."""
    group = cast("dict[str, Any]", OmegaConf.to_container(cfg.synthetic, resolve=True, throw_on_missing=True))
    return {"seed": cfg.seed, **group}


def design_settings(cfg: DictConfig) -> DesignSettings:
    """Return the numbers of the design.

    Raises:
        PedkitError: One of them cannot be used.
    """
    group = cfg.synthetic
    return DesignSettings(
        seed=cfg.seed,
        sizes=dict(group.sizes),
        seen_voices=list(group.speech.voices.seen),
        unseen_voices=list(group.speech.voices.unseen),
        error_share=group.errors.share,
        operations=dict(group.errors.operations),
        min_phones=group.words.min_phones,
        max_phones=group.words.max_phones,
        excluded_words=frozenset(_words_of(group.words.not_in)),
        rate=_range(group.speech.rate, "rate"),
        pitch=_range(group.speech.pitch, "pitch"),
    )


def error_source(cfg: DictConfig) -> ErrorSource:
    """Return the source of errors."""
    return cast("ErrorSource", instantiate(cfg.synthetic.source))


def engine(cfg: DictConfig) -> SpeechEngine:
    """Return the speech engine.

    Raises:
        PedkitError: It is not installed.
    """
    return cast("SpeechEngine", instantiate(cfg.synthetic.speech.engine))


def post_processing(cfg: DictConfig) -> PostProcessing:
    """Return the post-processing."""
    return cast("PostProcessing", instantiate(cfg.synthetic.post_processing))


def _words_of(manifests: Iterable[str]) -> Iterator[str]:
    for manifest in manifests:
        for utterance in iter_manifest(manifest):
            yield from (utterance.text or "").lower().split()


def _range(value: Any, name: str) -> tuple[int, int]:
    if len(value) != 2:
        raise PedkitError(f"expected synthetic.speech.{name} to be [lowest, highest], but got {list(value)}")
    return value[0], value[1]
