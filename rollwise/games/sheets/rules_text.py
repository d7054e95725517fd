"""The rules of a score sheet in words, made from its data, so that they are right for any house rules."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import factorial, prod
from typing import TYPE_CHECKING

from rollwise.model.formatting import counted
from rollwise.model.rules import BoxRule, Example, Rules

if TYPE_CHECKING:
    from rollwise.games.sheets.boxes import Box, Hand, Joker
    from rollwise.games.sheets.rules import Sheet

__all__ = ["tell_rules"]

TIMES = {1: "once", 2: "twice"}


def tell_rules(sheet: "Sheet") -> Rules:
    """Tell the rules of a sheet, with an example for each box."""
    told = (_turn(sheet), _boxes(sheet), *_first_roll(sheet), _bonus(sheet), *_joker(sheet))
    return Rules(tuple(text for text in told if text), tuple(_box(sheet, box) for box in sheet.boxes))


def _turn(sheet: "Sheet") -> str:
    faces = "" if sheet.faces == 6 else f" with faces from 1 to {sheet.faces}"
    again = f", then any of them again, up to {counted(sheet.rerolls, 'time')}" if sheet.rerolls else ""
    saved = " Rolls that are not used are saved: they may be used on any later turn." if sheet.saved_rolls else ""
    return f"On each turn roll {counted(sheet.count, 'die', 'dice')}{faces}{again}.{saved}"


def _boxes(sheet: "Sheet") -> str:
    where = "the next box from top to bottom" if sheet.in_order else "one open box of your choice"
    number = sheet.turns_left(sheet.full)
    return (
        f"Then fill {where} with them: it pays what they make, which may be nothing. {_times(sheet)}; the game ends "
        f"after {counted(number, 'turn')}. The highest total is best."
    )


def _times(sheet: "Sheet") -> str:
    """Say how often boxes are filled."""
    times = {box.times for box in sheet.boxes}
    if len(times) == 1:
        return f"Every box is filled {TIMES.get(min(times)) or f'{min(times)} times'}"
    named = ", ".join(f"{box.name} {TIMES.get(box.times) or f'{box.times} times'}" for box in sheet.boxes)
    return f"Boxes are filled so often: {named}"


def _first_roll(sheet: "Sheet") -> tuple[str, ...]:
    """Say what a first roll earns."""
    by_points: dict[int, list[str]] = {}
    for box in sheet.boxes:
        if box.first:
            by_points.setdefault(box.first, []).append(box.name)
    more = [
        f"The first roll of a turn earns {counted(points, 'point')} more in {', '.join(names)}, if it is not rolled again."
        for points, names in by_points.items()
    ]
    if sheet.win is None:
        return tuple(more)
    won = f"it counts for {sheet.win.points}, and the game is over"
    return (*more, f"A first roll that fills {sheet.win.box} with points wins at once: {won}.")


def _bonus(sheet: "Sheet") -> str:
    upper = [box.name for box in sheet.boxes if box.face is not None]
    if sheet.bonus is None or not upper:
        return ""
    named = f"{upper[0]} to {upper[-1]}" if len(upper) > 1 else upper[0]
    (threshold, points), *later = sheet.bonus.steps
    more = "".join(f", {points} from {threshold} on" for threshold, points in later)
    return f"The upper boxes, {named}, earn {points} points more once they hold {threshold} in all{more}."


def _joker(sheet: "Sheet") -> tuple[str, ...]:
    joker = sheet.joker
    if joker is None or joker.box not in sheet.names:
        return ()
    equal = f"{counted(sheet.count, 'equal die', 'equal dice')}, once {joker.box} is filled, are a joker"
    bonus = f"A joker earns {joker.bonus} points more if {joker.box} holds points." if joker.bonus else ""
    return (f"{equal}: {_where(joker)}", bonus)


def _where(joker: "Joker") -> str:
    pays = ", ".join(f"{box} pays {points}" for box, points in joker.pays.items())
    if joker.rule == "forced":
        lower = f" (where {pays})" if pays else ""
        return f"they must go to the upper box of their face; if it is filled, to an open lower box{lower}; else to any open box."
    return "they may go to any open box" + (f"; once the upper box of their face is filled, {pays}." if pays else ".")


def _box(sheet: "Sheet", box: "Box") -> BoxRule:
    scores = sheet.scores[box.name]
    words = box.words or f"at most {counted(max(scores.values()), 'point')}"
    others = [sheet.scores[other.name] for other in sheet.boxes if other.face is None and other is not box]
    return BoxRule(box.name, words, tuple(Example(hand, scores[hand]) for hand in _examples(scores, others)))


def _examples(scores: "Mapping[Hand, int]", others: "Sequence[Mapping[Hand, int]]") -> "list[Hand]":
    """A likely hand that pays neither the least nor the most, and one that differs from it in a die and pays nothing.

    Hands that few other boxes pay more for are better examples: 1-3-4-5-6 is a small straight, 2-3-4-5-6 a large one.
    """
    paying = sorted({points for points in scores.values() if points})
    if not paying:
        return []
    middle = paying[len(paying) // 2]
    best = {hand: sum(other[hand] > middle for other in others) for hand, points in scores.items() if points == middle}
    shown = _likeliest(hand for hand in best if best[hand] == min(best.values()))
    near = [hand for hand, points in scores.items() if not points and (Counter(hand) - Counter(shown)).total() == 1]
    return [shown, _likeliest(near)] if near else [shown]


def _likeliest(hands: "Iterable[Hand]") -> "Hand":
    """The hand that comes most often; of several, the one with the most points on its dice."""
    return max(hands, key=lambda hand: (_ways(hand), sum(hand), hand))


def _ways(hand: "Hand") -> int:
    return factorial(len(hand)) // prod(factorial(number) for number in Counter(hand).values())
