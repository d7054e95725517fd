"""What `rollwise play` knows about opponents: their options, who begins, and the chance that is shown."""

import argparse
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import make_game, solve_game, words_of
from rollwise.cli.strategies import card_file, check_policy
from rollwise.errors import GameError, one_of
from rollwise.model.abilities import overridden

if TYPE_CHECKING:
    from collections.abc import Callable

    from rollwise.playing.grade import Grade
    from rollwise.playing.rivals import Rival
    from rollwise.solvers.base.solution import Number, Solution

__all__ = ["add_rival", "advised", "check_rival", "make_rival", "seats", "show_chance"]

SEATS = ("computer", "me", "random")


def add_rival(parser: Any) -> None:
    """Add the options of an opponent."""
    parser.add_argument(
        "--opponent",
        metavar="optimal|points|greedy|FILE",
        help="play against the computer, in a game for two or on two score sheets: optimal plays best, points for its own score, "
        "greedy takes the obvious move, FILE is a strategy card",
    )
    parser.add_argument("--first", metavar="me|computer|random", help="who plays first (default: me)")


def check_rival(options: argparse.Namespace) -> None:
    """Refuse what does not go with an opponent; on a score sheet make it a duel. Raises `GameError`."""
    from rollwise.model.game import Game
    from rollwise.playing.rivals import OPPONENTS

    if options.opponent is None:
        if options.first is not None:
            raise GameError("--first belongs to an opponent: give --opponent optimal, points or greedy")
        return
    check_policy(options.opponent, "--opponent", OPPONENTS)
    one_of("--first", options.first or "me", SEATS)
    if (options.objective or "").startswith("against"):
        raise GameError(
            f"--opponent does not go with --objective {options.objective!r}: one is played against, of the other only the scores "
            "are known"
        )
    game, _ = make_game(options)
    if not overridden(game, Game, ("duel",)):
        if not overridden(game, Game, ("mover",)):
            raise GameError(f"{options.game} is a game for one: an opponent plays duels on score sheets, and games for two")
        if options.opponent == "points":
            raise GameError(f"{options.game} has no sheet to play for the points of: give --opponent optimal or greedy")
    elif not (options.objective or "").startswith("duel"):
        if options.objective is not None or options.at_least is not None:
            raise GameError("an opponent on a score sheet makes it a duel: give --objective duel, or leave the objective out")
        options.objective = "duel"


def make_rival(options: argparse.Namespace, solution: "Solution", seed: int) -> "Rival | None":
    """Make the opponent that the options name, if any."""
    from rollwise.playing.rivals import OPPONENTS, card_rival, find_rival

    if options.opponent is None:
        return None
    if options.opponent not in OPPONENTS:
        card = card_file(options, options.opponent, solution)
        return card_rival(Path(options.opponent).stem, card, solution, _seat(options, seed))
    return find_rival(options.opponent, solution, _seat(options, seed), lambda: _expert(options))


def _seat(options: argparse.Namespace, seed: int) -> int:
    """Which player the computer is."""
    first = options.first or "me"
    if first == "random":
        first = Random(f"{seed} who begins").choice(("me", "computer"))
    return int(first == "me")


def _expert(options: argparse.Namespace) -> "Solution":
    """The sheet, solved for the expected score."""
    own = argparse.Namespace(**{**vars(options), "objective": "expected", "at_least": None})
    return solve_game(own)[0]


def seats(rival: "Rival") -> tuple[str, str]:
    """Name the players, who begins first."""
    return ("me", rival.name) if rival.player == 1 else (rival.name, "me")


def show_chance(rival: "Rival", before: "Grade", after: "Grade | None" = None) -> str:
    """Say what your chance is, and after a move what it has become; and against whom, where that is not this opponent."""
    word = "chance" if rival.solution.objective.wins else words_of(rival.solution).value
    whom = "" if rival.name == "optimal" else " against this opponent" if rival.exactly else " against best play"
    return f"your {word}{whom} {_total(rival, before)}{f' -> {_total(rival, after)}' if after else ''}"


def advised(rival: "Rival") -> "tuple[str, Callable[[Number], Number]]":
    """Name the values of your moves, which are those against best play, and turn player 0's into yours."""
    from rollwise.playing.rivals import worth_to

    word = "chance" if rival.solution.objective.wins else words_of(rival.solution).value
    whom = "" if rival.name == "optimal" else " against best play"
    return f"your {word}{whom}", lambda value: worth_to(1 - rival.player, rival.solution, value)


def _total(rival: "Rival", game: "Grade") -> str:
    from rollwise.playing.rivals import worth_to

    left = (
        rival.known.value(game.pending, kind="pending") if game.rolling else rival.known.value(game.steps[-1].state, kind="state")
    )
    solution = rival.solution
    return words_of(solution).worth(worth_to(1 - rival.player, solution, game.banked + left))
