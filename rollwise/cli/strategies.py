"""Strategies as commands take them: by name, or a strategy card from a file."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollwise.cli.shared import warn
from rollwise.errors import GameError, hint, hint_file

if TYPE_CHECKING:
    from rollwise.cli.shared import Check
    from rollwise.model.card import Card
    from rollwise.model.game import Game
    from rollwise.solvers.base.solution import Solution

__all__ = ["POLICIES", "add_policy", "card_file", "card_text", "check_policy", "policy_check", "read_card_file", "read_policy"]

POLICIES = ("optimal", "greedy", "random")
LARGEST = 1_000_000
"""Characters of a card that are read."""


def add_policy(parser: Any, help_: str) -> None:
    """Add the option that names a strategy."""
    parser.add_argument("--policy", metavar="|".join((*POLICIES, "FILE")), default="optimal", help=help_)


def check_policy(name: str, option: str = "--policy", known: tuple[str, ...] = POLICIES) -> None:
    """Refuse what is neither a strategy nor a file. Raises `GameError`."""
    if name not in known:
        card_text(name, f"{option} {name!r}: ", f", or one of {', '.join(known)}{hint(name, known)}")


def card_text(name: str, before: str = "", more: str = "") -> str:
    """Read the text of a card. Raises `GameError`."""
    path = Path(name)
    try:
        if name and path.is_file():
            text = path.read_text(encoding="utf-8-sig")
        else:
            what = "it is a folder" if name and path.is_dir() else f"there is no such file{hint_file(name) if name else ''}"
            raise GameError(f"{before or f'{name!r}: '}{what}; expected the file of a card{more}")
    except UnicodeDecodeError:
        raise GameError(
            f"{name} is not a text file in UTF-8: expected a card, lines such as 'if turn total >= 25: hold'"
        ) from None
    except OSError as error:
        raise GameError(f"cannot read {name!r}: {error.strerror or error}") from None
    if len(text) > LARGEST:
        raise GameError(f"{name} has {len(text):,} characters: expected a card, of at most {LARGEST:,}")
    return text


def read_card_file(name: str, game: "Game[Any, Any, Any]") -> "Card":
    """Read a card from a file, in the words of a game. Raises `GameError` that names the file and the line."""
    from rollwise.model.card import read_card

    text = card_text(name)
    try:
        return read_card(text, game.vocabulary())
    except GameError as error:
        raise GameError(f"{name}: {error}") from None


def card_file(options: argparse.Namespace, name: str, solution: "Solution") -> "Card":
    """Read a card for a solved game, and say where it was made for something else."""
    found = read_card_file(name, solution.game)
    for what, made, now in (("game", found.game, Path(options.game).stem), ("aim", found.aim, str(solution.objective))):
        if made and made != now:
            warn(f"{name} was made for the {what} {made}, and this is {now}")
    return found


def policy_check(options: argparse.Namespace) -> "Check | None":
    """Give what reads the card that the options name before a game is solved, so that nobody waits for an error."""
    return None if options.policy in POLICIES else lambda lifted: read_card_file(options.policy, lifted)


def read_policy(options: argparse.Namespace, solution: "Solution") -> Any:
    """Give the strategy that the options name; None for the best one."""
    from rollwise.model.policy import Greedy, RandomPolicy

    known = {"optimal": None, "greedy": Greedy(), "random": RandomPolicy()}
    return known[options.policy] if options.policy in known else card_file(options, options.policy, solution)
