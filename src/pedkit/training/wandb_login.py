"""Whether somebody is logged in to Weights & Biases; the key itself is never returned."""

from __future__ import annotations

import netrc
import os
from pathlib import Path
from urllib.parse import urlsplit

DEFAULT_URL = "https://api.wandb.ai"


def wandb_login() -> str | None:
    """Return where the login for the W&B server is kept, ``None`` where nobody is logged in.

    The server is that of ``WANDB_BASE_URL``, else the public one. Nothing is asked over the network.

    >>> import os
    >>> os.environ["WANDB_API_KEY"] = "a secret"
    >>> wandb_login()
    'WANDB_API_KEY'
    >>> del os.environ["WANDB_API_KEY"]
    """
    for name in ("WANDB_API_KEY", "WANDB_IDENTITY_TOKEN_FILE"):
        if os.environ.get(name):
            return name
    host = urlsplit(os.environ.get("WANDB_BASE_URL") or DEFAULT_URL).netloc
    for file in _netrc_files():
        try:
            if netrc.netrc(file).authenticators(host):
                return str(file)
        except (OSError, netrc.NetrcParseError):
            continue
    return None


def _netrc_files() -> list[Path]:
    said = os.environ.get("NETRC")
    return [Path(said).expanduser()] if said else [Path.home() / name for name in (".netrc", "_netrc")]
