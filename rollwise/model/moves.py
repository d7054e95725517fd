"""The one reader of moves: what a player types in a position, for the command line, records and the server."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rollwise.errors import PositionError, brief, nearest
from rollwise.model.message import Message
from rollwise.model.reading import Key, find_names, key, read_keep, says
from rollwise.model.view import view_of

__all__ = ["list_moves", "read_move"]

SHOWN_MOVES = 12


def read_move(game: Any, state: Any, text: str) -> Any:
    """Read a move of a state: a name in any case, language or spacing, a unique beginning of it, dice to keep or to throw again.

    >>> from rollwise.games import load
    >>> game = load("yazy")
    >>> state = game.read_state("33561 2 all")
    >>> [read_move(game, state, text) for text in ("hold 3 3", "53", "reroll 1 5 6", "Full House", "4k", "str", "roll")]
    [(3, 3), (3, 5), (3, 3), 'full-house', 'four-of-a-kind', 'straight', ()]

    Raises `PositionError` for anything that is not a move of the state, or could be several.
    """
    actions: dict[str, Any] = {game.show_action(action): action for action in game.actions(state)}
    names, table = list(actions), [str(face) for face in view_of(game).show_dice(state)]
    if not names:
        raise PositionError(Message("error.over", {"state": game.show_state(state)}))
    typed, quoted = " ".join(text.split()), brief(text.strip())
    found = [typed] if typed in actions else _find(typed, names, table) if typed else []
    if len(found) == 1:
        return actions[found[0]]
    if found:
        raise PositionError(Message("error.move-many", {"typed": quoted, "moves": list_moves(found)}))
    others, meant = [name for name in names if not name.startswith("keep ")], read_keep(typed)
    if "keep -" in names and meant and meant.of(table) == Counter(table):
        if len(others) == 1:
            return actions[others[0]]
        raise PositionError(Message("error.move-all", {"typed": quoted, "moves": list_moves(others)}))
    known = True
    try:
        action = game.read_action(text)
        if action in actions.values():
            return action
    except PositionError:
        known = meant is not None and meant.verb == "reroll"
    if meant and known and not any(name.startswith("keep ") for name in names) and _keeps_dice(game):
        raise PositionError(Message("error.move-rolls", {"typed": quoted, "moves": list_moves(names)}))
    raise PositionError(_refusal(typed, names, table, known=known))


def _keeps_dice(game: Any) -> bool:
    """Say whether dice are kept in this game, if not in this position."""
    try:
        return bool(game.read_action("keep -") == ())
    except PositionError:
        return False


def _refusal(typed: str, names: list[str], table: list[str], *, known: bool) -> Message:
    """Say why a text is no move here; it is `known` if it is one elsewhere."""
    meant, quoted = read_keep(typed), brief(typed)
    if "keep -" in names and meant and meant.dice and meant.of(table) is None:
        return Message("error.move-dice", {"typed": quoted, "dice": " ".join(table)})
    if not meant and not known and len(near := _find_near(typed, names, table)) == 1:
        return Message("error.move-meant", {"typed": quoted, "move": near[0]})
    return Message("error.move-now" if known else "error.move-none", {"typed": quoted, "moves": list_moves(names)})


def list_moves(names: Sequence[str]) -> list[str | Message]:
    """List moves in a line: ways to keep dice in a few words, and not too many others."""
    kept = [name for name in names if not name.startswith("keep ")]
    more = [Message("move.keep-some")] if len(names) - len(kept) > 3 else [name for name in names if name not in kept]
    shown: list[str | Message] = [*kept, *more]
    return [*shown[:SHOWN_MOVES], *(["..."] if len(shown) > SHOWN_MOVES else [])]


def _find(typed: str, names: list[str], table: list[str]) -> list[str]:
    """Find the moves that may be meant, by the first way of reading that gives one."""
    found = (
        find_names(typed, names, whole=True)
        or _find_kept(typed, names, table)
        or _find_in_any_order(typed, names)
        or find_names(typed, names)
    )
    short = " ".join(word for word in typed.split() if not says(word, "filler", "and"))
    return found if found or short in ("", typed) else _find(short, names, table)


def _find_kept(typed: str, names: list[str], table: list[str]) -> list[str]:
    """Find the move that keeps the dice that are meant."""
    meant = read_keep(typed)
    wanted = meant.of(table) if meant else None
    keeps = [(name, read_keep(name)) for name in names if name.startswith("keep ") and wanted is not None]
    return [name for name, keep in keeps if keep and keep.of(table) == wanted]


def _find_near(typed: str, names: list[str], table: list[str]) -> list[str]:
    """Find the moves that may be meant by a text with a slip in its first word, or in a name."""
    first, _, rest = typed.partition(" ")
    verb = nearest(first, ("keep", "reroll", "roll"), 0.7)
    found = _find(f"{verb} {rest}".strip(), names, table) if verb else []
    near = nearest(typed, names, 0.7)
    return found or ([near] if near else [])


def _find_in_any_order(typed: str, names: list[str]) -> list[str]:
    """Find moves by their parts in any order, with another word for what is done, or without it."""
    given = Counter(key(typed))
    return [name for name in names if any(Counter(part) == given for part in (key(name), *_parts(name, typed.split())))]


def _parts(name: str, words: list[str]) -> Iterator[Key]:
    """Give the keys of other texts for a move: without the word for what is done, or with the one that was typed for it."""
    first, *others = name.split()
    for verb, rest in ((first, others), *([(others[-1], [first, *others[:-1]])] if others else [])):
        if verb.isalpha() and rest:
            yield key(" ".join(rest))
            for word in (words[0], words[-1]):
                if says(word, verb) or (word.isalpha() and verb.startswith(word.casefold())):
                    yield key(" ".join([word, *rest]))
