"""`acceptance.jsonl`, written as it goes, and `acceptance.json`, which says whose verdicts these are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pedkit.data.atomic import write_text
from pedkit.data.json_file import read_object
from pedkit.data.jsonl import dump_line, read_jsonl, write_jsonl
from pedkit.errors import PedkitError
from synthetic.acceptance.forced_choice import Weighed


class AcceptanceFiles:
    """The two files of one set.

    Args:
        folder: Of the set.
    """

    def __init__(self, folder: Path) -> None:
        self.lines, self.record = folder / "acceptance.jsonl", folder / "acceptance.json"

    def begin(self, identity: Mapping[str, Any]) -> dict[str, Weighed]:
        """Continue what an earlier run left, or start.

        Args:
            identity: What log-likelihoods depend on, as plain JSON: recognizer, neighbours, manifests.

        Returns:
            The recordings that need not be heard again, by id. Those that could not be weighed are not among them.

        Raises:
            PedkitError: The lines are of another recognizer, set or number of neighbours; or a line is broken.
        """
        if self.lines.exists():
            self._expect_same(identity)
        else:
            self.lines.parent.mkdir(parents=True, exist_ok=True)
            self.write_record({"status": "listening", **identity})
            self.lines.touch()
        return self._finished()

    def add(self, weighed: Weighed) -> None:
        """Add one line and flush it."""
        with self.lines.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write(dump_line(weighed.to_json()))

    def write_lines(self, lines: Iterable[dict[str, Any]]) -> None:
        """Replace the lines by those with verdicts."""
        write_jsonl(self.lines, lines)

    def write_record(self, record: Mapping[str, Any]) -> None:
        """Replace the record."""
        write_text(self.record, json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False) + "\n")

    def _expect_same(self, identity: Mapping[str, Any]) -> None:
        try:
            earlier = read_object(self.record)
        except PedkitError:
            raise PedkitError(
                f"it should say whose verdicts {self.lines.name} holds, but it cannot be read",
                file=self.record,
                hint=f"to listen anew, delete {self.lines.name}",
            ) from None
        for key, value in identity.items():
            if earlier.get(key) != value:
                raise PedkitError(
                    f"these lines are of another {key}: {earlier.get(key)}, not {value}",
                    file=self.lines,
                    hint=f"to listen anew, delete {self.lines.name}",
                )

    def _finished(self) -> dict[str, Weighed]:
        content = self.lines.read_bytes()
        if content and not content.endswith(b"\n"):  # the line at which an earlier run was killed
            self.lines.write_bytes(content[: content.rfind(b"\n") + 1])
        found: dict[str, Weighed] = {}
        for number, line in read_jsonl(self.lines):
            try:
                weighed = Weighed.from_json(line)
            except PedkitError as error:
                raise error.at(file=self.lines, line=number) from None
            if weighed.id in found:
                raise PedkitError("this id stands twice", file=self.lines, line=number, utterance=weighed.id)
            found[weighed.id] = weighed
        kept = {name: one for name, one in found.items() if one.failed is None}
        if len(kept) < len(found):
            self.write_lines(one.to_json() for one in kept.values())
        return kept
