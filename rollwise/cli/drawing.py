"""What commands draw for players, and how they read what players type."""

import sys
from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError
from rollwise.model import moves
from rollwise.model.message import Text
from rollwise.model.view import view_of

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["Stopped", "draw_dice", "list_moves", "read_line", "say", "show_dice"]

PIPS = {
    1: ("   ", " o ", "   "),
    2: ("o  ", "   ", "  o"),
    3: ("o  ", " o ", "  o"),
    4: ("o o", "   ", "o o"),
    5: ("o o", " o ", "o o"),
    6: ("o o", "o o", "o o"),
}


class Stopped(Exception):
    """The player has left, or the input has ended."""


def say(text: Text, style: str = "") -> None:
    """Print to the player: in colour on a terminal, unless NO_COLOR is set."""
    from rich.console import Console

    Console().print(str(text), style=style, markup=False, highlight=False, soft_wrap=True)


def read_line(prompt: str) -> str:
    """Read a line; what is not typed at a terminal is echoed, so that the output reads like a game. Raises `Stopped`."""
    try:
        if sys.stdin.isatty():
            return input(prompt)
        print(prompt, end="", flush=True)
        line = sys.stdin.readline().removeprefix("\ufeff")
    except EOFError:
        line = ""
    except UnicodeDecodeError:
        raise GameError("standard input is not text in UTF-8: type moves, or end the input") from None
    except OSError as error:
        raise GameError(f"cannot read standard input: {error.strerror or error}") from None
    if not line:
        print()
        raise Stopped
    print(line.rstrip("\r\n"))
    return line


def draw_dice(faces: tuple[Any, ...], *, plain: bool = False) -> list[str]:
    r"""Draw dice as lines of text: pips for 1 to 6, else the symbol; `plain` keeps to ASCII.

    >>> print("\n".join(draw_dice((5, "A"), plain=True)))
    +-----+ +-----+
    | o o | |     |
    |  o  | |  A  |
    | o o | |     |
    +-----+ +-----+
    """
    if not faces:
        return []
    top, side, bottom, pip = ("+-----+", "|", "+-----+", "o") if plain else ("╭─────╮", "│", "╰─────╯", "●")
    blank = "   "
    rows = [[line.replace("o", pip) for line in PIPS[f]] if f in PIPS else [blank, f"{str(f)[:3]:^3}", blank] for f in faces]
    middle = [" ".join(f"{side} {row[line]} {side}" for row in rows) for line in range(3)]
    return [" ".join([top] * len(faces)), *middle, " ".join([bottom] * len(faces))]


def show_dice(game: "Game[Any, Any, Any]", state: Any) -> None:
    """Draw the dice of a position, if there are any."""
    shown = tuple(view_of(game).show_dice(state))
    dice = draw_dice(shown, plain="utf" not in (sys.stdout.encoding or "").lower())
    if dice:
        say("\n".join(["", *dice]), "bold")


def list_moves(names: list[str]) -> str:
    """List moves in a line: ways to keep dice in a few words, and not too many others."""
    return ", ".join(map(str, moves.list_moves(names)))
