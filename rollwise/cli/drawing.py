"""What commands draw for players: dice, lines in colour, questions and their answers."""

import sys
from typing import TYPE_CHECKING, Any

from rollwise.model.overrides import POSITION_RULES, hook

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["say", "show_dice"]


def say(text: str, style: str = "") -> None:
    """Print to the player: in colour on a terminal, unless NO_COLOR is set."""
    from rich.console import Console

    Console().print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def show_dice(game: "Game[Any, Any, Any]", state: Any) -> None:
    """Draw the dice of a position, if there are any."""
    from rollwise.cli.play import draw_dice

    shown = tuple(hook(game, "show_dice", POSITION_RULES)(state))
    dice = draw_dice(shown, plain="utf" not in (sys.stdout.encoding or "").lower())
    if dice:
        say("\n".join(["", *dice]), "bold")
