"""The page as a folder of plain files, with tables of solved games in the place of a server.

    index.html, sw.js, manifest.webmanifest     the page, as the server gives it, but for what it says about the site
    static/EDITION/PATH                         its scripts and style sheets
    tables.json, tables/NAME-DIGEST.table       which games there are, and their tables
    rollwise-site.json                          what was written, so that it can be written again

Addresses are relative: the folder can lie anywhere on a host. What is written before stays until all of the new site is ready.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qsl

from rollwise import __version__
from rollwise.errors import GameError
from rollwise.games.catalogue import CATALOGUE
from rollwise.model.abilities import unlifted
from rollwise.model.game import Game, Progress
from rollwise.model.message import Text
from rollwise.model.view import view_of
from rollwise.solvers.base.solution import Solution
from rollwise.web.files import INDEX, MANIFEST, WORKER, Files
from rollwise.web.tables import SHORT, Asked, Entry, describe_table, pack_table, write_manifest
from rollwise.wire.to_json import describe_catalogue

__all__ = ["Left", "Site", "check_folder", "known_games", "read_question"]

MARK = "rollwise-site.json"
"""What says that a folder is a site of ours, and which files of it are."""
TABLES, LIST = "tables", "tables.json"
FULL_NAME = "p."
"""What a parameter begins with in an address of the page."""


def known_games(*, everything: bool = False) -> list[str]:
    """Name the games that everybody knows, or all, that need no parameters, the best known first."""
    found = {name: entry for name, entry in CATALOGUE.items() if entry.famous or everything}
    ready = [name for name, entry in found.items() if all(parameter.default for parameter in entry.parameters)]
    return sorted(ready, key=lambda name: (found[name].famous or len(CATALOGUE), name))


def read_question(text: str) -> Asked:
    """Read a game as an address of the page has it, or the path of a game file in its place.

    >>> read_question("yatzy?p.in_order=yes&aim=at-least+250")
    Asked(game='yatzy', file=None, parameters={'in_order': 'yes'}, objective='at-least 250')

    Raises `GameError`.
    """
    name, _, query = text.partition("?")
    fields = parse_qsl(query, keep_blank_values=True)
    parameters = {key.removeprefix(FULL_NAME): value for key, value in fields if key.startswith(FULL_NAME)}
    other = [key for key, _ in fields if not key.startswith(FULL_NAME) and key != "aim"]
    if other or bool(query) != bool(fields) or len({*dict(fields)}) < len(fields) or not all(value for _, value in fields):
        raise GameError(f"{text!r}: expected GAME, or GAME?p.NAME=VALUE&aim=TEXT with each name once")
    asked = Asked(game=name, parameters=parameters, objective=dict(fields).get("aim"))
    if Path(name).suffix.lower() == ".py":
        raise GameError(f"{name}: a site holds games of the catalogue and game files (.toml), no Python file")
    return asked if Path(name).suffix.lower() != ".toml" else replace(asked, game=None, file=_read_file(name))


def _read_file(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GameError(f"{name!r} cannot be read: {getattr(error, 'strerror', None) or 'it is not a text'}") from None


def check_folder(folder: Path) -> None:
    """Refuse a folder that is neither new, nor empty, nor a site that was written before."""
    if folder.exists() and not folder.is_dir():
        raise GameError(f"cannot write {str(folder)!r}: it is a file; name a folder")
    if not folder.exists() and not folder.absolute().parent.is_dir():
        raise GameError(f"cannot write {str(folder)!r}: there is no directory {str(folder.parent)!r}")
    if folder.is_dir() and any(folder.iterdir()) and not _written(folder):
        raise GameError(f"cannot write {str(folder)!r}: it holds other files; name an empty folder, or a site of rollwise")


def _written(folder: Path) -> list[str]:
    """List the files of a site that was written into a folder, by its mark."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        names = json.loads((folder / MARK).read_text(encoding="utf-8"))["files"]
        return [name for name in names if not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts]
    return []


@dataclass(frozen=True)
class Left:
    """A game that is not on the site, and why."""

    title: str
    why: Text


class Site:
    """A site that is being put together: tables first, then all of it is written at once."""

    def __init__(self) -> None:
        self.tables: dict[str, bytes] = {}
        self.entries: list[Entry] = []
        self.texts: list[str | None] = []
        self.left: list[Left] = []

    def add(self, solution: Solution, asked: Asked, *, progress: Progress | None = None) -> Entry:
        """Add the table of a solved game. Raises `GameError` for one that is too large."""
        content = pack_table(solution, asked, thorough=_is_worth_it(solution, asked), progress=progress)
        digest = sha256(content).hexdigest()[:12]
        name = f"{TABLES}/{asked.game or 'file'}-{digest}.table"
        entry = describe_table(content, asked, self.title(asked, solution.game), name)
        self.tables[name] = content
        self.entries.append(entry)
        self.texts.append(asked.file)
        return entry

    @staticmethod
    def title(asked: Asked, game: Game[Any, Any, Any]) -> Text:
        """Name a game as people do."""
        known = CATALOGUE.get(asked.game or "")
        return known.title if known and known.title else asked.game or view_of(unlifted(game)).title

    def leave(self, title: str, why: Text) -> None:
        """Say on the site why a game is not there."""
        self.left.append(Left(title, why))

    def write(self, folder: Path) -> int:
        """Write the site; what was written there before and is no part of it is taken away. Gives its bytes."""
        files = {name: content for name, content in self._files() if content}
        before = _written(folder) if folder.is_dir() else []
        for name, content in files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if not place.is_file() or place.read_bytes() != content:
                place.write_bytes(content)
        write_manifest(self.entries, folder / LIST)
        names = [*files, LIST, MARK]
        (folder / MARK).write_text(json.dumps({"rollwise": __version__, "files": sorted(names)}, indent=1), encoding="utf-8")
        _take_away(folder, {*before} - {*names})
        return sum((folder / name).stat().st_size for name in names)

    def _files(self) -> Iterator[tuple[str, bytes]]:
        """Give the files of the site: what the page names comes first, and the page itself last."""
        page = Files(site=self._about(), games=self._games())
        yield from self.tables.items()
        listed = {path: asset.plain for path, asset in page.listed.items() if path not in ("", MANIFEST)}
        yield from listed.items()
        yield from ((MANIFEST, page.assets[MANIFEST].plain), (WORKER, page.worker.plain), (INDEX, page.index.plain))

    def _about(self) -> dict[str, Any]:
        """Say what the start page says about the site."""
        rows = zip(self.entries, self.texts, strict=True)
        tables = [{**entry.as_dict(), "text": text} for entry, text in rows]
        return {"tables": tables, "left": [{"title": left.title, "why": left.why} for left in self.left]}

    def _games(self) -> list[Mapping[str, Any]]:
        """List the games of the catalogue that are on the site by their standard rules, with nothing to choose."""
        ready = {entry.game for entry in self.entries if not entry.parameters and entry.objective is None}
        return [{**game, "parameters": [], "aims": game["aims"][:1]} for game in describe_catalogue() if game["name"] in ready]


def _is_worth_it(solution: Solution, asked: Asked) -> bool:
    """Whether it takes the page long to compute how games end, or there may be a card: usual rules, or many positions."""
    return (not asked.parameters and asked.objective is None) or solution.states + solution.pendings > SHORT


def _take_away(folder: Path, names: Sequence[str] | set[str]) -> None:
    """Remove files of a site that was written before, and the folders that this leaves empty."""
    for name in names:
        (folder / name).unlink(missing_ok=True)
    parents = {parent for name in names for parent in PurePosixPath(name).parents if parent != PurePosixPath()}
    for parent in sorted(parents, key=lambda path: -len(path.parts)):
        with suppress(OSError):
            (folder / parent).rmdir()
