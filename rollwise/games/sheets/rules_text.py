"""The rules of a score sheet in words, made from its data, so that they are right for any house rules."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial, prod
from typing import TYPE_CHECKING

from rollwise.model.message import Message
from rollwise.model.view import BoxRule, Example, Rules

if TYPE_CHECKING:
    from rollwise.games.sheets.boxes import Box, Hand
    from rollwise.games.sheets.rules import Sheet

__all__ = ["tell_rules"]


def tell_rules(sheet: "Sheet") -> Rules:
    """Tell the rules of a sheet, with an example for each box."""
    told = (_turn(sheet), _boxes(sheet), *_first_roll(sheet), *_bonus(sheet), *_joker(sheet))
    return Rules(told, tuple(_box(sheet, box) for box in sheet.boxes))


def _turn(sheet: "Sheet") -> Message:
    dice = Message("rules.sheet.dice", {"n": sheet.count})
    if sheet.faces != 6:
        dice = Message("rules.sheet.faces", {"dice": dice, "faces": sheet.faces})
    if not sheet.rerolls:
        return Message("rules.sheet.roll", {"dice": dice})
    key = "rules.sheet.saved" if sheet.saved_rolls else "rules.sheet.reroll"
    return Message(key, {"dice": dice, "times": Message("rules.sheet.up-to", {"n": sheet.rerolls})})


def _boxes(sheet: "Sheet") -> Message:
    """Say which box is filled, how often, and when the game ends."""
    times = {box.times for box in sheet.boxes}
    often = Message("rules.sheet.every", {"times": _times(min(times))})
    if len(times) > 1:
        named = [Message("rules.sheet.box-times", {"box": box.name, "times": _times(box.times)}) for box in sheet.boxes]
        often = Message("rules.sheet.so-often", {"boxes": named})
    turns = Message("rules.sheet.turns", {"n": sheet.turns_left(sheet.full)})
    return Message("rules.sheet.in-order" if sheet.in_order else "rules.sheet.fill", {"often": often, "turns": turns})


def _times(number: int) -> Message:
    return Message({1: "rules.sheet.once", 2: "rules.sheet.twice"}.get(number, "rules.sheet.times"), {"n": number})


def _first_roll(sheet: "Sheet") -> Iterator[Message]:
    """Say what a first roll earns."""
    by_points: dict[int, list[str]] = {}
    for box in sheet.boxes:
        if box.first:
            by_points.setdefault(box.first, []).append(box.name)
    for points, names in by_points.items():
        yield Message("rules.sheet.first", {"n": points, "boxes": names})
    if sheet.win is not None:
        yield Message("rules.sheet.win", {"box": sheet.win.box, "points": sheet.win.points})


def _bonus(sheet: "Sheet") -> Iterator[Message]:
    upper = [box.name for box in sheet.boxes if box.face is not None]
    if sheet.bonus is None or not upper:
        return
    boxes = Message("rules.sheet.from-to" if len(upper) > 1 else "part.box", {"box": upper[0], "last": upper[-1]})
    (threshold, points), *later = sheet.bonus.steps
    step = Message("rules.sheet.step", {"points": points, "from": threshold})
    more = [Message("rules.sheet.next-step", {"points": points, "from": threshold}) for threshold, points in later]
    yield Message("rules.sheet.bonus", {"boxes": boxes, "steps": [step, *more]})


def _joker(sheet: "Sheet") -> Iterator[Message]:
    joker = sheet.joker
    if joker is None or joker.box not in sheet.names:
        return
    pays = [Message("rules.sheet.joker-pays", {"box": box, "points": points}) for box, points in joker.pays.items()]
    yield Message(f"rules.sheet.joker-{joker.rule}{'-pays' if pays else ''}", {"n": sheet.count, "box": joker.box, "pays": pays})
    if joker.bonus:
        yield Message("rules.sheet.joker-bonus", {"points": joker.bonus, "box": joker.box})


def _box(sheet: "Sheet", box: "Box") -> BoxRule:
    scores = sheet.scores[box.name]
    words = box.words or Message("pays.most", {"n": max(scores.values())})
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
