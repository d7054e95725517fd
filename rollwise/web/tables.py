"""Tables: a solved game as one small file, from which the page answers without a server.

    pack_table(solution, asked)        -> bytes        the table of a solved game; raises `GameError` ("too large ...")
    write_table(solution, path, asked) -> Entry        the same into a file, and its row for the manifest
    write_manifest(entries, path)                      `tables.json`: what the page finds tables by

The manifest is `{"version": 1, "games": the catalogue, "tables": [entry, ...]}`; an entry says which question a table answers
(`game`, or the `source` of a game file as the SHA-256 of its text; `parameters` as they were asked for; `objective`, null for the
game's own) and where it is (`file`, beside the manifest; `bytes`; `sha`, the SHA-256 of the file).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.solution import Solution
from rollwise.model.game import Progress
from rollwise.wire.to_json import describe_catalogue

__all__ = ["MOST_BYTES", "Asked", "Entry", "pack_table", "write_manifest", "write_table"]

VERSION = 1
MOST_BYTES = 4_000_000
"""Bytes of a table: what a page may be asked to load."""


@dataclass(frozen=True)
class Asked:
    """The question that a table answers, as a page asks it: a game of the catalogue by name, or the text of a game file."""

    game: str | None = None
    file: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    objective: str | None = None


@dataclass(frozen=True)
class Entry:
    """A row of the manifest."""

    game: str | None
    source: str | None
    parameters: dict[str, str]
    objective: str | None
    title: str
    file: str
    bytes: int
    sha: str

    def as_dict(self) -> dict[str, Any]:
        """Give it in JSON types."""
        return asdict(self)


def pack_table(solution: Solution, asked: Asked, *, most_bytes: int = MOST_BYTES, progress: Progress | None = None) -> bytes:
    """Pack a solved game into a table. Raises `GameError` for one that is too large, or of a kind that no table holds."""
    raise GameError(f"{asked.game or 'this file'} is too large for a table: it takes more than {most_bytes:,} bytes")


def write_table(
    solution: Solution, path: Path, asked: Asked, *, most_bytes: int = MOST_BYTES, progress: Progress | None = None
) -> Entry:
    """Write the table of a solved game; gives its row of the manifest. Raises as `pack_table` does, and writes nothing then."""
    content = pack_table(solution, asked, most_bytes=most_bytes, progress=progress)
    path.write_bytes(content)
    return describe_table(content, asked, solution, path.name)


def describe_table(content: bytes, asked: Asked, solution: Solution, file: str) -> Entry:
    """Give the row of the manifest for a packed table."""
    source = None if asked.file is None else sha256(asked.file.encode()).hexdigest()
    title = solution.game.unlifted().title
    digest = sha256(content).hexdigest()
    return Entry(asked.game, source, dict(asked.parameters), asked.objective, title, file, len(content), digest)


def write_manifest(entries: Iterable[Entry], path: Path) -> None:
    """Write what the page finds tables by."""
    content = {"version": VERSION, "games": describe_catalogue(), "tables": [entry.as_dict() for entry in entries]}
    path.write_text(json.dumps(content, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
