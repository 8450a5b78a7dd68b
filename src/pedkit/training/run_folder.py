"""`RunFolder`: one training, one folder that says what it was; never written into by another one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pedkit.data.json_file import read_object, write_object
from pedkit.entrypoint import explain
from pedkit.errors import PedkitError
from pedkit.held_folder import held_folder
from pedkit.hints import conform
from pedkit.provenance import NO_RUN, RUN_FILE, command, config_hash, git_commit, versions
from pedkit.training.run_log import log_file

PACKAGES = ("torch", "pytorch-lightning", "transformers", "peft", "hydra-core", "numpy")
"""Packages whose versions can change a training."""

RUNNING, FINISHED, FAILED = "running", "finished", "failed"
_FORM: Mapping[str, Any] = {
    "status": Literal["running", "finished", "failed"],
    "settings": dict[str, Any] | None,
    "data": list[dict[str, Any]] | None,
    "kept": dict[str, Any] | None,
}
"""Form of what is read again of ``run.json``."""


class RunFolder:
    """A run folder, claimed for one configuration.

    Files: ``config.yaml`` (resolved), ``run.json``, ``train.log``, ``vocabulary.json``, ``encoder.json``,
    ``metrics.csv`` and ``checkpoints/``. ``run.json`` holds ``name``, ``status`` (``running finished failed``)
    with ``reason``, ``started``, ``finished``, ``command``, ``working_directory``, ``seed``, ``versions``,
    ``git_commit``, ``config_hash``, ``settings``, ``data`` (role, name, path, sha256, split of each manifest),
    ``selected_on`` and ``kept`` (checkpoint, epoch counted from 1, dev_per, errors, reference_phones); where the
    loss was no number, ``stopped`` (checkpoint, epoch counted from 1, update, utterances).

    Args:
        path: The folder; it is made if it does not exist.
        settings: The resolved configuration; its ``output_dir`` is this folder.

    Raises:
        PedkitError: The folder holds something else, another run, or a run that is going on right now.
    """

    def __init__(self, path: str | Path, settings: Mapping[str, Any]) -> None:
        self.leads = _is_first_process()  # of several processes of one run, the first writes
        self.path = Path(path).absolute()
        self._settings = without_place(settings, str(settings["output_dir"]))
        self.config_hash = config_hash(self._settings)
        self.record: dict[str, Any] = self._claim()

    @property
    def finished(self) -> bool:
        """Whether this very run was finished before."""
        return bool(self.record["status"] == FINISHED)

    @property
    def last_checkpoint(self) -> Path | None:
        """The checkpoint from which to continue, ``None`` for a run that starts."""
        path = self.path / "checkpoints" / "last.ckpt"
        return path if path.is_file() else None

    @contextmanager
    def running(self, config_yaml: str, *, name: str, seed: int) -> Iterator[None]:
        """Mark the run as running, and as finished or failed in the end.

        Args:
            config_yaml: Text of ``config.yaml``.
            name: Name of the run.
            seed: Its seed.

        Raises:
            PedkitError: Another process is writing into this folder.
        """
        with self._lock():
            # First of all run.json: another process of this run may look at the folder at any time.
            self.update(
                name=name, status=RUNNING, reason=None, command=command(), seed=seed, versions=versions(*PACKAGES),
                git_commit=git_commit(), config_hash=self.config_hash, settings=self._settings,
                started=self.record.get("started") or _now(), finished=None, working_directory=str(Path.cwd()),
            )  # fmt: skip
            if self.leads:
                if self.last_checkpoint is None:
                    (self.path / "metrics.csv").unlink(missing_ok=True)
                (self.path / "config.yaml").write_text(config_yaml, encoding="utf-8")
            try:
                with log_file(self.path / "train.log") if self.leads else nullcontext():
                    yield
            except BaseException as error:
                stopped = isinstance(error, KeyboardInterrupt)
                reason = "stopped by Ctrl-C" if stopped else explain(error) or str(error) or type(error).__name__
                with suppress(OSError, PedkitError):  # a full disk takes no record either; its own error is said
                    self.update(status=FAILED, reason=reason, finished=_now())
                raise
            self.update(status=FINISHED, finished=_now())

    def update(self, **fields: Any) -> None:
        """Change fields of ``run.json``, all or nothing."""
        self.record.update(fields)
        if self.leads:
            write_object(self.path / RUN_FILE, self.record)

    def remember_data(self, data: list[dict[str, Any]]) -> None:
        """Write down which data the run uses.

        Raises:
            PedkitError: The run began on other data under the same paths.
        """
        before = {entry["path"]: entry["sha256"] for entry in self.record.get("data") or ()}
        for entry in data:
            if before.get(entry["path"], entry["sha256"]) != entry["sha256"]:
                raise PedkitError(
                    "this manifest has changed since the run began, so the run cannot be continued",
                    file=entry["path"],
                    hint="choose another output_dir",
                )
        self.update(data=data)

    def _claim(self) -> dict[str, Any]:
        self.path.mkdir(parents=True, exist_ok=True)
        if not (self.path / RUN_FILE).is_file():
            others = sorted(file.name for file in self.path.iterdir() if not file.name.startswith("."))
            if others:
                raise PedkitError(
                    f"the folder is not empty and holds no run (it has {others[0]})",
                    file=self.path,
                    hint="choose another output_dir",
                )
            return {"status": RUNNING}
        record = read_run(self.path)
        if record.get("config_hash") != self.config_hash:
            if record.get("status") == FAILED and self.last_checkpoint is None:
                # It failed before its first checkpoint, as runs with a wrong setting do: nothing is lost.
                return {"status": RUNNING}
            changed = ", ".join(_differences(record.get("settings") or {}, self._settings)) or "the settings"
            raise PedkitError(
                f"the folder holds another run (different: {changed})",
                file=self.path,
                hint="choose another output_dir",
            )
        return record

    def _lock(self) -> AbstractContextManager[None]:
        return held_folder(self.path, "another process is writing this run") if self.leads else nullcontext()


def read_run(path: str | Path) -> dict[str, Any]:
    """Return ``run.json`` of a run folder.

    Raises:
        PedkitError: The folder is not a run folder.
    """
    file = Path(path) / RUN_FILE
    record = read_object(file, missing=NO_RUN)
    for key, hint in _FORM.items():
        try:
            conform(record.get(key), hint, key)
        except PedkitError as error:
            raise error.at(file=file) from None
    return record


def _is_first_process() -> bool:
    """Return whether this is the only or the first of a run's processes, by the variables their launchers set."""
    return all(os.environ.get(name, "0") == "0" for name in ("RANK", "LOCAL_RANK", "SLURM_PROCID"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def without_place(value: Any, place: str) -> Any:
    """Return settings that do not depend on where the run folder lies, so that it may be moved and continued."""
    if isinstance(value, Mapping):
        return {key: without_place(item, place) for key, item in value.items()}
    if isinstance(value, list):
        return [without_place(item, place) for item in value]
    inside = isinstance(value, str) and (value == place or value.startswith(f"{place}/"))
    return "${output_dir}" + value[len(place) :] if inside else value


def _differences(before: Any, after: Any, place: str = "") -> list[str]:
    """Return the dotted names of settings that differ, the outermost that exist in only one."""
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return [] if before == after else [place]
    names = []
    for key in sorted({*before, *after}, key=str):
        inner = f"{place}.{key}" if place else str(key)
        if (key in before) != (key in after):
            names.append(inner)
        else:
            names += _differences(before[key], after[key], inner)
    return names
