"""What the frozen audio tower makes of a clip, kept on disk: it is the same in every epoch."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

from pedkit.data.atomic import replacing_bytes
from pedkit.models.language.clips import Clip
from pedkit.models.language.families import Family

log = logging.getLogger(__name__)


class TowerCache:
    """Outputs of the audio tower (and projector) by the samples of the clip; 0.18 MB a second for 7B in bf16.

    A clip is heard alone, so that what it gives does not depend on the batch that it was first in.

    Args:
        folder: Where to keep them; files of another model or number format are never taken.
        key: What identifies the tower: name and fingerprint of the model, and the number format.
    """

    def __init__(self, folder: str | Path, key: str) -> None:
        self.folder = Path(folder) / hashlib.sha256(key.encode()).hexdigest()[:16]
        self.hits = self.misses = 0
        self._full = False

    def find(self, clip: Clip) -> torch.Tensor | None:
        """Return the output for a clip (audio tokens, hidden size) if it is there and whole."""
        try:
            known = load_file(self._path(clip))["audio"]
        except (OSError, SafetensorError, KeyError):  # absent, or damaged as after a crash of the machine
            self.misses += 1
            return None
        self.hits += 1
        return known

    def keep(self, clip: Clip, output: torch.Tensor) -> None:
        """Keep the output for a clip, all or nothing; where nothing can be written a training goes on without."""
        if self._full:
            return
        path = self._path(clip)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing_bytes(path) as stream:
                stream.write(save({"audio": output.detach().cpu().contiguous()}))
        except OSError as error:
            self._full = True
            log.warning("%s cannot be written, so nothing more is kept there: %s", self.folder, error.strerror)

    def _path(self, clip: Clip) -> Path:
        name = hashlib.sha256(clip.tobytes()).hexdigest()
        return self.folder / name[:2] / f"{name}.safetensors"


@torch.no_grad()
def hear(base: Any, family: Family, features: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return what the text model gets in place of the audio tokens of one clip (audio tokens, hidden size).

    It is caught at the door of the text model, so that it is what the model itself would have put there. Autocast
    is off: what is kept has the number format of the weights, whatever the precision of the training.
    """
    embeddings = base.get_input_embeddings()
    device = embeddings.weight.device
    inputs = {name: value for name, value in features.items() if name != "input_ids"}
    ids = features["input_ids"].to(device)
    audio = (ids == base.config.audio_token_id)[0]
    caught: list[torch.Tensor] = []

    def stop(_module: Any, _args: Any, keywords: dict[str, Any]) -> None:
        caught.append(keywords["inputs_embeds"])
        raise _HeardError

    handle = base.get_submodule(family.language_model).register_forward_pre_hook(stop, with_kwargs=True)
    try:
        with torch.autocast(device.type, enabled=False):
            base.model(input_ids=ids, attention_mask=torch.ones_like(ids), **inputs, use_cache=False)
    except _HeardError:
        pass
    finally:
        handle.remove()
    return caught[0][0, audio]


class _HeardError(Exception):
    """Ends a forward pass at the text model."""
