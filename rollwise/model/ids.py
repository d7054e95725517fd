"""A position as one short text, its id: for links, records, and to say over the telephone.

    number    what the game makes of the position (`Notation.pack_state`): the parts of its notation packed into one whole number,
              by default the text itself; nothing that a solver numbers goes into it
    format    the lowest bit of 2 * number is 0: format 1. Ids that end otherwise belong to a later format
    body      2 * number in base 59: digits and letters without I, O and l, the highest first
    check     one more such character, which makes the sum of value * 2^place (from 0 at the end) a multiple of 59. Before the
              body stands, unwritten, a character for what the numbers depend on (`Notation.packed_by`): the boxes of a sheet, say

59 is prime and 2 a primitive root, so any wrong character and any swap of two at a distance below 58 changes the sum; an id of
another game is noticed in 58 of 59 cases even where its number would fit.
"""

from typing import Any

from rollwise.errors import GameError, PositionError, brief
from rollwise.model.game import Game
from rollwise.model.message import Message, Text
from rollwise.model.notation import notation_of

__all__ = ["ALPHABET", "id_seed", "is_id", "position_id", "read_id", "read_position"]

ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
"""The characters of ids. Frozen."""
BASE = len(ALPHABET)
MOST = 4000
"""Characters of an id that are read."""
PREFIX = "id:"
"""What may stand before an id where a position in notation is taken, too."""
FORMATS = 2


def position_id(game: Game[Any, Any, Any], state: Any) -> str:
    """Give the id of a position.

    >>> from rollwise.games import load
    >>> game = load("yahtzee")
    >>> position_id(game, game.read_state("22233 2 all upper 0"))
    '1b3'

    Raises `GameError` for a game whose `pack_state` gives no whole number.
    """
    number = notation_of(game).pack_state(game.read_state(game.show_state(state)))
    if not isinstance(number, int) or number < 0:
        raise GameError(
            f"pack_state() gives {brief(number)} at state {game.show_state(state)}: expected a whole number from 0 on"
        )
    body = _body(FORMATS * number)
    return body + _check(body, id_seed(game))


def read_id(game: Game[Any, Any, Any], text: str) -> Any:
    """Give the position that an id stands for.

    >>> from rollwise.games import load
    >>> game = load("yahtzee")
    >>> game.show_state(read_id(game, "1b3"))
    '22233 2 all upper 0'

    Raises `PositionError` for what is not an id, one with a wrong character, and one that is no position of the game.
    """
    given = text.strip().removeprefix(PREFIX)
    wrong = _wrong(given)
    if wrong:
        raise PositionError(Message("error.id", {"text": brief(text), "wrong": wrong}))
    if not _fits(game, given):
        raise PositionError(Message("error.id-check", {"id": brief(given)}))
    state = _unpacked(game, given)
    if state is None:
        raise PositionError(Message("error.id-other", {"id": brief(given)}))
    return state


def is_id(game: Game[Any, Any, Any], text: str) -> bool:
    """Say whether a text is the id of a position of this game, whatever else it may be."""
    return not _wrong(text) and _fits(game, text) and _unpacked(game, text) is not None


def read_position(game: Game[Any, Any, Any], text: str) -> Any:
    """Read a position in the game's notation, or its id; what could be both is notation, unless it begins with "id:".

    >>> from rollwise.games import load
    >>> game = load("pig")
    >>> read_position(game, "27 31 first 12") == read_position(game, position_id(game, game.read_state("27 31 first 12")))
    True

    Raises `PositionError`.
    """
    if text.strip().startswith(PREFIX):
        return read_id(game, text)
    try:
        return game.read_state(text)
    except PositionError as error:
        given = text.strip()
        if _wrong(given):
            raise
        if not is_id(game, given):
            raise PositionError(Message("error.no-id", {"fault": error.said})) from None
        return read_id(game, given)


def _wrong(text: str) -> Text:
    """Say what keeps a text from being an id of any game; "" for nothing."""
    if not 2 <= len(text) <= MOST:
        return Message("error.id-length", {"most": MOST})
    other = sorted(set(text) - set(ALPHABET))
    return Message("error.id-letter", {"letter": repr(other[0])}) if other else ""


def _unpacked(game: Game[Any, Any, Any], text: str) -> Any:
    """The position of an id whose check character fits; None if it has none. Only what is written back alike counts."""
    number, form = divmod(_number(text[:-1]), FORMATS)
    try:
        state = notation_of(game).unpack_state(number) if form == 0 else None
        same = state is not None and position_id(game, state) == text and game.read_state(game.show_state(state)) == state
    except (PositionError, ValueError, IndexError):
        return None
    return state if same else None


def _body(number: int) -> str:
    digits = ALPHABET[number % BASE]
    while number := number // BASE:
        digits += ALPHABET[number % BASE]
    return digits[::-1]


def _number(body: str) -> int:
    number = 0
    for character in body:
        number = number * BASE + ALPHABET.index(character)
    return number


def _sum(text: str, seed: int) -> int:
    found = seed
    for character in text:
        found = (2 * found + ALPHABET.index(character)) % BASE
    return found


def _check(body: str, seed: int) -> str:
    return ALPHABET[-2 * _sum(body, seed) % BASE]


def _fits(game: Game[Any, Any, Any], text: str) -> bool:
    return _sum(text, id_seed(game)) == 0


def id_seed(game: Game[Any, Any, Any]) -> int:
    """A number below 59 for what the numbers of a game depend on; 0 where their text says everything itself."""
    found = 0
    for byte in str(notation_of(game).packed_by()).encode():
        found = (7 * found + byte) % BASE
    return found
