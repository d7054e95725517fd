"""`rollwise site`: the page as a folder of plain files, with tables of solved games."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import add_command, add_threads, cache_folder, print_json, progress_bar, quietly, show_value, table, warn
from rollwise.errors import GameError
from rollwise.model.formatting import counted
from rollwise.model.view import view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game, Progress
    from rollwise.solvers.base.solution import Solution
    from rollwise.web.site import Site
    from rollwise.web.tables import Asked

__all__ = ["add"]

Row = tuple[str, str, str, str]
LARGE = 100_000
"""Bytes from which a size is written in MB."""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "site", _site, "write the page with tables of solved games into a folder, for any host of plain files",
        "rollwise site -o coach\n  rollwise site -o coach --games yahtzee kniffel slots\n"
        "  rollwise site -o coach --games 'yatzy?p.in_order=yes' 'slots?aim=at-least+40' mygame.toml\n"
        "  python -m http.server -d coach",
    )  # fmt: skip
    parser.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="a new or empty folder, or an existing site to update"
    )
    parser.add_argument(
        "--games", nargs="+", default=["known"], dest="wanted", metavar="GAME",
        help="known (the default: the well-known ones), all (of the catalogue), or games: a name or a game file (.toml), "
        "with house rules and an aim as an address of the page has them: 'GAME?p.NAME=VALUE&aim=TEXT'",
    )  # fmt: skip
    parser.add_argument("--max-states", type=int, metavar="N", help="leave out a game with more positions than this")
    add_threads(parser)
    parser.add_argument("--cache", metavar="DIR", help="cache solved games in DIR instead of the user's cache directory")
    parser.add_argument("--no-cache", action="store_true", help="ignore the cache and write nothing to it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _site(options: argparse.Namespace) -> None:
    try:
        from rollwise.web.site import Site, check_folder
    except ModuleNotFoundError as error:
        raise GameError(f"a site needs the module {error.name}: pip install 'rollwise[web]'") from None
    folder = _named(options.output)
    check_folder(folder)
    site = Site()
    games = [(asked, _make(asked)) for asked in _questions(options.wanted)]
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
    """Read which games are asked for, each once."""
    from rollwise.web.site import known_games, read_question

    groups = {"known": known_games, "all": lambda: known_games(everything=True)}
    wanted = [one for name in names for one in (groups[name]() if name in groups else [name])]
    return [read_question(name) for name in dict.fromkeys(wanted)]


def _make(asked: "Asked") -> "Game[Any, Any, Any]":
    """Make a game, so that what is wrong with one is told before any is solved."""
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
    title = f"{site.title(asked, game)}{_differs(asked)}"
    try:
        with quietly(), progress_bar() as progress:
            solution = _solve(options, asked, game, _named_progress(title, progress))
            entry = site.add(solution, asked, progress=_named_progress(title, progress))
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


def _solve(options: argparse.Namespace, asked: "Asked", game: "Game[Any, Any, Any]", progress: "Progress | None") -> "Solution":
    from rollwise import cache
    from rollwise.model.objective import Expected
    from rollwise.playing.opponents import resolve
    from rollwise.solvers import solve as solver
    from rollwise.solvers.base.options import MAX_STATES
    from rollwise.web.limits import make_objective

    budget = MAX_STATES if options.max_states is None else options.max_states
    name = asked.game or view_of(game).title

    def solve(aim: Any) -> "Solution":
        if options.no_cache:
            return solver.solve(game, aim, max_states=budget, progress=progress)
        return cache.solve(
            game, aim, max_states=budget, progress=progress, directory=cache_folder(options), name=name,
            parameters=dict(asked.parameters), refused=warn,
        )  # fmt: skip

    aim = make_objective(asked.objective)
    return solve(aim and resolve(aim, game, expert=lambda: solve(Expected()), progress=progress))


def show_size(size: int) -> str:
    """Write how many bytes there are, for people.

    >>> show_size(1234), show_size(1_860_000)
    ('2 kB', '1.9 MB')
    """
    return f"{-(-size // 1000)} kB" if size < LARGE else f"{size / 1e6:.1f} MB"


def _print_json(site: "Site", folder: Path, size: int) -> None:
    left = [{"title": left.title, "why": left.why} for left in site.left]
    print_json({"folder": str(folder), "bytes": size, "tables": [entry.as_dict() for entry in site.entries], "left": left})
