"""A player who has nothing but the text of a card: he reads it line by line, and computes what he gets.

Written from what `rollwise help cards` says, without the library's cards: the text is read here, what a word means in a position
is told by whoever asks. Values are computed from the rules by going through the positions until nothing changes any more.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["follow_text", "text_value"]

Sees = Callable[[Any], Mapping[str, int]]
Does = Callable[[Any, str], Any]
SIGNS = {">=": "__ge__", "<=": "__le__", "!=": "__ne__", ">": "__gt__", "<": "__lt__", "=": "__eq__"}


def follow_text(text: str, seen: Mapping[str, int], does: Callable[[str], Any]) -> Any:
    """Give what the first line says whose condition holds and whose verb can be done; None: no line fits."""
    for raw in text.splitlines():
        line = raw.split("#")[0].strip()
        if ":" not in line:
            continue
        when, verb = (part.strip() for part in line.split(":"))
        move = does(verb) if when == "otherwise" or _holds(when.removeprefix("if "), seen) else None
        if move is not None:
            return move
    return None


def _holds(when: str, seen: Mapping[str, int]) -> bool:
    return any(all(_compares(one, seen) for one in every.split(" and ")) for every in when.split(" or "))


def _compares(text: str, seen: Mapping[str, int]) -> bool:
    sides = re.split(r" (>=|<=|!=|>|<|=) ", text)
    if len(sides) == 1:
        return not seen[text.removeprefix("not ")] if text.startswith("not ") else bool(seen[text])
    return bool(getattr(_sum(sides[0], seen), SIGNS[sides[1]])(_sum(sides[2], seen)))


def _sum(text: str, seen: Mapping[str, int]) -> int:
    total, sign = 0, 1
    for piece in re.split(r" ([+-]) ", text):
        if piece in "+-":
            sign = 1 if piece == "+" else -1
            continue
        term, _, divisor = piece.partition(" / ")
        factor, star, name = term.partition(" * ")
        number = int(factor) * seen[name] if star else seen[term] if term in seen else int(term)
        # To the nearest whole number, halves up; then it is added or taken away.
        total += sign * ((2 * number + int(divisor)) // (2 * int(divisor)) if divisor else number)
    return total


def text_value(game: Any, decide: Callable[[Any], Any], worth: Callable[[Any], float], gains: bool = False) -> float:
    """Compute the mean of what games end with if `decide` says what is done; `worth` says what an end is worth."""
    start = game.start()
    rolls: dict[Any, list[tuple[float, Any, int, float]]] = {}
    pending = [start]
    while pending:
        at = pending.pop()
        if at in rolls:
            continue
        rolls[at] = []
        total = sum(game.roll(at).values())
        for state, weight in game.roll(at).items():
            if not game.actions(state):
                rolls[at].append((weight / total, None, 0, worth(state)))
                continue
            move = decide(state)
            assert move in game.actions(state)
            after = game.play(state, move)
            rolls[at].append((weight / total, after, game.gain(state, move) if gains else 0, 0.0))
            pending.append(after)
    values = dict.fromkeys(rolls, 0.0)
    for _ in range(100_000):
        new = {at: sum(p * (end if to is None else gain + values[to]) for p, to, gain, end in rows) for at, rows in rolls.items()}
        change = max(abs(new[at] - values[at]) for at in new)
        values = new
        if change < 1e-15:
            break
    return values[start]
