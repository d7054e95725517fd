"""`rollwise site`: the page as a folder of plain files, with tables of solved games."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import (
    add_command,
    add_options,
    add_place,
    print_json,
    progress_bar,
    quietly,
    show_value,
    solver_for,
    table,
    warn,
)
from rollwise.errors import GameError
from rollwise.model.formatting import counted
from rollwise.model.view import view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game, Progress
    from rollwise.web.site import Site
    from rollwise.web.tables import Asked

__all__ = ["add"]

Row = tuple[str, str, str, str]
LARGE = 100_000
"""Bytes from which a size is written in MB."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "site", _site, "write the web page with solved games as plain files",
        "rollwise site -o coach\n  rollwise site -o coach yahtzee kniffel slots\n"
        "  rollwise site -o coach 'yatzy?p.in_order=yes' 'slots?aim=at-least+40' mygame.toml\n"
        "  python -m http.server -d coach",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="a new or empty folder, or an existing site to update"
    )
    parser.add_argument(
        "wanted", nargs="*", metavar="GAME",
        help="a name, a game file (.toml), or 'GAME?p.NAME=VALUE&aim=OBJECTIVE' with rules and an objective; known: the "
        "best-known games (default); all: the whole catalogue",
    )  # fmt: skip
    add_options(parser, "--json")
    add_place(parser, "--threads", "--max-states", "--cache", "--no-cache")


def _site(options: argparse.Namespace) -> None:
    try:
        from rollwise.web.site import Site, check_folder
    except ModuleNotFoundError as error:
        raise GameError(f"a site needs the module {error.name}: pip install 'rollwise[web]'") from None
    folder = _named(options.output)
    check_folder(folder)
    site = Site()
    games = [(asked, _make(asked)) for asked in _questions(options.wanted or ["known"])]
    rows = [_add(options, site, asked, game, len(games) > 1) for asked, game in games]
    if not site.entries:
        raise GameError(f"no game is left for the site: {site.left[0].why}")
    size = site.write(folder)
    if options.json:
        _print_json(site, folder, size)
        return
    table(["game", "value", "size", ""], rows)
    print(f"{counted(len(site.entries), 'game')}, {show_size(size)} in all, written to {folder}")
    print(f"try it: python -m http.server -d {folder}")


def _named(text: str) -> Path:
    if not text:
        raise GameError("-o '' is not a folder: name one, which need not exist yet")
    return Path(text)


def _questions(names: list[str]) -> list["Asked"]:
    """Read which games are requested, each once."""
    from rollwise.web.site import known_games, read_question

    groups = {"known": known_games, "all": lambda: known_games(everything=True)}
    wanted = [one for name in names for one in (groups[name]() if name in groups else [name])]
    return [read_question(name) for name in dict.fromkeys(wanted)]


def _make(asked: "Asked") -> "Game[Any, Any, Any]":
    """Make a game, so that a wrong one is reported before any is solved."""
    from rollwise.games import load
    from rollwise.games.files import read_game
    from rollwise.model.game import objective_of
    from rollwise.web.limits import make_objective

    with quietly():
        game = load(asked.game, **asked.parameters) if asked.game else read_game(asked.file or "", dict(asked.parameters))
    objective_of(game, make_objective(asked.objective))
    return game


def _add(options: argparse.Namespace, site: "Site", asked: "Asked", game: "Game[Any, Any, Any]", several: bool) -> Row:
    """Solve a game and add its table; one of several that is too large for a site is left out, with the reason."""
    from rollwise.web.limits import make_objective

    title = f"{site.title(asked, game)}{_differs(asked)}"
    try:
        with quietly(), progress_bar() as progress:
            told = _named_progress(title, progress)
            solve = solver_for(options, game, asked.game or view_of(game).title, asked.parameters, told)
            solution = solve(make_objective(asked.objective))
            entry = site.add(solution, asked, progress=told)
    except GameError as error:
        if not several:
            raise
        site.leave(title, error.said)
        warn(f"{title} is left out: {error}")
        return title, "", "", "left out"
    return title, show_value(solution.value()), show_size(entry.bytes), ""


def _differs(asked: "Asked") -> str:
    """Say in what a game differs from its standard rules."""
    said = [f"{name} {value}" for name, value in asked.parameters.items()] + ([asked.objective] if asked.objective else [])
    return f" ({', '.join(said)})" if said else ""


def _named_progress(title: str, progress: "Progress | None") -> "Progress | None":
    """Say which game is being worked on."""
    if progress is None:
        return None
    return lambda what, done, total: progress(f"{title}: {what}", done, total)


def show_size(size: int) -> str:
    """Write how many bytes there are, for people.

    >>> show_size(1234), show_size(1_860_000)
    ('2 kB', '1.9 MB')
    """
    return f"{-(-size // 1000)} kB" if size < LARGE else f"{size / 1e6:.1f} MB"


def _print_json(site: "Site", folder: Path, size: int) -> None:
    left = [{"title": left.title, "why": left.why} for left in site.left]
    print_json({"folder": str(folder), "bytes": size, "tables": [entry.as_dict() for entry in site.entries], "left": left})
