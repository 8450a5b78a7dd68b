"""`push_folder`: an exported model to the Hugging Face Hub, a step of its own."""

from __future__ import annotations

from pathlib import Path

from pedkit.errors import PedkitError
from pedkit.export.record import read_record


def push_folder(folder: str | Path, repository: str, *, public: bool = False) -> str:
    """Upload a folder that `pedkit.export.export_run` wrote.

    The login is the hub's own (``HF_TOKEN`` or ``hf auth login``), the hub that of ``HF_ENDPOINT``.

    Args:
        folder: The exported folder; its model card is read by people, so look at it first.
        repository: ``OWNER/NAME`` on the hub; it is made where it does not exist.
        public: Whether a new repository is open to everybody.

    Returns:
        Address of the commit.

    Raises:
        PedkitError: The folder is no export, the hub cannot be reached, or it refuses.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalTokenNotFoundError

    record = read_record(folder)
    weights = str(record["revision"])[:16]
    api = HfApi()
    try:
        api.create_repo(repository, private=not public, exist_ok=True)
        commit = api.upload_folder(
            repo_id=repository,
            folder_path=folder,
            commit_message=f"{record['run']}, checkpoint {weights} (pedkit {record['pedkit']})",
        )
    except (HfHubHTTPError, HFValidationError, LocalTokenNotFoundError, _http_error(), OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise PedkitError(
            f"{repository} could not be uploaded: {reason}", hint="log in with: hf auth login, and check the name"
        ) from None
    return str(commit.commit_url)


def _http_error() -> type[Exception]:
    """Return what the hub's client raises where nobody answers: of httpx, or of httpx2 in huggingface_hub 2.4."""
    from huggingface_hub.errors import HfHubHTTPError

    return next(
        one for one in HfHubHTTPError.__mro__ if one.__name__ == "HTTPError" and issubclass(one, Exception)
    )
