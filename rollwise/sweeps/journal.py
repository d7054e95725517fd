"""The journal of a sweep: its head says what is swept, and each line has a result; another sweep's journal is refused."""

import json
from pathlib import Path
from typing import Any

from rollwise.errors import GameError
from rollwise.solvers.base.journal import InUse, Journal

__all__ = ["SweepJournal"]

Result = dict[str, Any]
FORMAT = "rollwise sweep 3"


class SweepJournal:
    """Results by combination, in memory only unless there is a path. Raises `GameError` for what is not of this sweep."""

    def __init__(self, path: Path | None, command: dict[str, Any]) -> None:
        self.path, self.command = path, command
        self.results: dict[tuple[str, ...], Result] = {}
        self.journal: Journal | None = None
        self.dropped = 0

    def __enter__(self) -> "SweepJournal":
        if self.path is None:
            return self
        try:
            self.journal = Journal(self.path)
        except InUse:
            raise GameError(f"another sweep is writing {str(self.path)!r}: wait for it, or name another file") from None
        try:
            self._resume(self.journal, self.path)
        except BaseException:
            self.journal.close()
            raise
        return self

    def _resume(self, journal: Journal, path: Path) -> None:
        head = {"format": FORMAT, **json.loads(json.dumps(self.command))}
        if journal.foreign or (journal.head is not None and journal.head.get("format") != FORMAT):
            raise GameError(f"{str(path)!r} is not the journal of a sweep: remove it, or name another file")
        if journal.head is None:
            journal.begin(head)
        other = next((name for name in head if journal.head and journal.head.get(name) != head[name]), None)
        if other is not None:
            word = WORDS.get(other, other)
            raise GameError(f"{str(path)!r} is of another sweep ({word} differs): name another file with -o, or remove it")
        self.results |= {tuple(line["at"]): line["result"] for line in journal.lines}
        self.dropped = journal.dropped

    def __exit__(self, *_: object) -> None:
        if self.journal is not None:
            self.journal.close()

    def add(self, at: tuple[str, ...], result: Result) -> None:
        """Write a result down. Raises `CannotWrite` where that is not possible."""
        self.results[at] = result
        if self.journal is not None:
            self.journal.add({"at": at, "result": result})


WORDS = {
    "version": "the version of rollwise", "game": "the game", "rules": "the text of the game's file", "parameters": "-p",
    "over": "--over", "aim": "--objective", "exact": "--exact", "max_states": "--max-states",
    "distributions": "--only-values",
    "find": "--find",
}  # fmt: skip
"""How what a sweep is made of is called on the command line."""
