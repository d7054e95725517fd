"""The words of strategy cards for score sheets: what a player sees in the hand and on the sheet, and what moves are called.

    par sixes = 18
    if points in large-straight > 0: fill large-straight
    if largest set = 3 and full-house open: go for full-house
    if rolls left >= 1: keep the largest open set
    otherwise: fill the best over par

Every feature reads either the hand (dice and rolls left) or the sheet (open boxes, upper total), and every verb lists what it may
mean for a hand, best first, each with the boxes that must be open or filled for it (`Choice`): so a card is followed for all
sheets at once, and no verb means a move that the rules do not allow.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import combinations_with_replacement, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwise.model.card import CardFeature, Verb, Vocabulary

if TYPE_CHECKING:
    from rollwise.games.sheets.boxes import Hand, Move, Turn
    from rollwise.games.sheets.rules import Sheet

__all__ = ["Choice", "HandFeature", "OpenFeature", "OverPar", "SheetVerb", "fills_of", "hand_expectations", "sheet_vocabulary"]

TIE = 1e-9
MOST_OVER_PAR = 50


class Choice(NamedTuple):
    """What a verb may mean: the action, the boxes (by number) of which all must be open, and those that all must be filled."""

    open: tuple[int, ...]
    filled: tuple[int, ...]
    action: Any


@dataclass(frozen=True)
class HandFeature(CardFeature):
    """A feature of the hand alone: `see(dice, rolls left)` reads it."""

    see: Callable[["Hand", int], int] = field(default=lambda *_: 0, repr=False)


@dataclass(frozen=True)
class OpenFeature(CardFeature):
    """A feature of the sheet alone: `see(open boxes, upper total, primed)` reads it; `by_boxes`: the open boxes say all.

    `boxes` are the boxes, by number, that it looks at; None: all.
    """

    see: Callable[[int, int, bool], int] = field(default=lambda *_: 0, repr=False)
    by_boxes: bool = True
    boxes: tuple[int, ...] | None = None


@dataclass(frozen=True)
class SheetVerb(Verb):
    """A verb of a sheet: `choices(dice, rolls left, numbers)` lists what it may mean, the first whose boxes are so is meant."""

    choices: Callable[["Hand", int, Mapping[str, int]], Sequence[Choice]] = field(default=lambda *_: (), repr=False)


@dataclass(frozen=True)
class OverPar(SheetVerb):
    """A verb that fills the box that pays most over its par, if that is at least `least` over; None: in any case."""

    least: int | None = None


def sheet_vocabulary(sheet: "Sheet") -> Vocabulary:
    """Give the words for a sheet."""
    return Vocabulary((*_of_hand(sheet), *_of_sheet(sheet)), (*_keeps(sheet), *_fills(sheet)))


# What is seen.


def _of_hand(sheet: "Sheet") -> Iterator[HandFeature]:
    most = sheet.most_rerolls(0)
    yield _hand("rolls left", lambda _, left: left, 0, most, "rolls that may still be made this turn")
    yield _hand("largest set", lambda dice, _: _largest(dice)[0], 1, sheet.count, "how many dice show the most frequent face")
    yield _hand("set face", lambda dice, _: _largest(dice)[1], 1, sheet.faces, "that face; of several the highest")
    yield _hand("pairs", lambda dice, _: len(_sets(dice, 2)), 0, sheet.count // 2, "faces that two or more dice show")
    yield _hand("longest run", lambda dice, _: len(_run(dice)), 1, min(sheet.count, sheet.faces), "faces in a row")
    yield _hand("sum", lambda dice, _: sum(dice), sheet.count, sheet.count * sheet.faces, "the total of all dice")
    for face in range(1, sheet.faces + 1):
        yield _hand(f"count of {face}", lambda dice, _, face=face: dice.count(face), 0, sheet.count, f"dice that show {face}")
    for box, name in enumerate(sheet.names):
        points = _points_in(sheet, box)
        paid = [points(dice, left) for dice in sheet.hands for left in {0, sheet.rerolls}]
        yield _hand(f"points in {name}", points, min(paid), max(paid), f"what {name} pays for the dice, jokers aside")
        if min(paid) <= 0 < max(paid) and sheet.boxes[box].face is None:
            yield _hand(f"dice short of {name}", _short(sheet, name), 0, sheet.count, f"dice to roll again for {name} to pay")


def _hand(name: str, see: Callable[..., int], low: int, high: int, says: str) -> HandFeature:
    return HandFeature(name, lambda state: see(state.dice, state.left), low, high, says, see=see)


def _points_in(sheet: "Sheet", box: int) -> Callable[["Hand", int], int]:
    paid = sheet.scores[sheet.names[box]]

    def points(dice: "Hand", left: int) -> int:
        first = paid[dice] > 0 and left == sheet.rerolls
        return sheet.first_points(box, paid[dice]) if first else paid[dice]

    return points


def _short(sheet: "Sheet", name: str) -> Callable[["Hand", int], int]:
    paying = [Counter(hand) for hand in sheet.hands if sheet.scores[name][hand] > 0]

    @cache
    def short(dice: "Hand", _left: int) -> int:
        counts = Counter(dice)
        return sheet.count - max((counts & other).total() for other in paying)

    return short


def _of_sheet(sheet: "Sheet") -> Iterator[OpenFeature]:
    yield _open("open boxes", lambda opened, *_: sheet.turns_left(opened), 1, sheet.turns_left(sheet.full), "turns to come")
    upper = [box for box, rule in enumerate(sheet.boxes) if rule.face is not None]
    if 0 < len(upper) < len(sheet.boxes):
        lower = [box for box in range(len(sheet.boxes)) if box not in upper]
        for name, boxes in (("upper boxes open", upper), ("lower boxes open", lower)):
            yield _open(name, _counter(sheet, boxes), 0, len(boxes), f"{name.split()[0]} boxes that may still be filled")
    for name, bits in zip(sheet.names, sheet.field, strict=True):
        yield _open(f"{name} open", lambda opened, *_, bits=bits: int(opened & bits > 0), 0, 1, f"{name} may still be filled")
    if sheet.bonus and upper:
        yield from _of_upper(sheet, upper, sheet.bonus.threshold)
    if sheet.joker and sheet.joker.bonus:
        says = f"{sheet.joker.box} holds points, so that jokers pay"
        yield _open("jokers pay", lambda _opened, _upper, primed: int(primed), 0, 1, says, by_boxes=False, boxes=())


def _of_upper(sheet: "Sheet", upper: Sequence[int], threshold: int) -> Iterator[OpenFeature]:
    """What is seen of the upper boxes and their bonus."""
    share = {box: sheet.boxes[box].face or 0 for box in upper}
    whole = sum(share[box] * sheet.boxes[box].times for box in upper)

    def pace(opened: int, total: int, _primed: bool) -> int:
        rest = sum(share[box] * ((opened & sheet.field[box]) // sheet.unit[box]) for box in upper)
        return total - threshold + (2 * threshold * rest + whole) // (2 * whole)

    yield _open(
        "upper total", lambda _opened, total, _primed: total, 0, threshold, "points in the upper boxes", by_boxes=False, boxes=()
    )
    missing = "points that the upper boxes still need for the bonus"
    yield _open(
        "bonus missing", lambda _opened, total, _primed: threshold - total, 0, threshold, missing, by_boxes=False, boxes=()
    )
    says = "points that the upper boxes are ahead of an even share of what the bonus needs"
    yield _open("upper pace", pace, -threshold, threshold, says, by_boxes=False, boxes=tuple(upper))


def _counter(sheet: "Sheet", boxes: Sequence[int]) -> Callable[..., int]:
    return lambda opened, *_: sum(opened & sheet.field[box] > 0 for box in boxes)


def _open(
    name: str,
    see: Callable[..., int],
    low: int,
    high: int,
    says: str,
    *,
    by_boxes: bool = True,
    boxes: tuple[int, ...] | None = None,
) -> OpenFeature:
    return OpenFeature(
        name, lambda state: see(state.open, state.upper, state.primed), low, high, says, see=see, by_boxes=by_boxes, boxes=boxes
    )


def _largest(dice: "Hand") -> tuple[int, int]:
    """Give the size and the face of the largest set, of several the highest."""
    return max((dice.count(face), face) for face in set(dice))


def _sets(dice: "Hand", size: int) -> list[int]:
    """List the faces that at least so many dice show, lowest first."""
    return [face for face, same in groupby(dice) if len(list(same)) >= size]


def _run(dice: "Hand") -> tuple[int, ...]:
    """Give the longest run of faces in a row, of several the highest."""
    runs: list[tuple[int, ...]] = []
    for face in sorted(set(dice)):
        runs.append((*runs[-1], face) if runs and runs[-1][-1] == face - 1 else (face,))
    return max(runs, key=lambda run: (len(run), run))


# What is done: dice to keep.


def _keeps(sheet: "Sheet") -> Iterator[SheetVerb]:
    yield _keep(
        sheet, "keep the largest set", lambda dice: _of_face(dice, _largest(dice)[1]), "roll all others; of several the highest"
    )
    yield _keep(
        sheet,
        "keep the high pair",
        lambda dice: _of_face(dice, max(_sets(dice, 2), default=0)),
        "the highest face that two or more dice show",
    )
    yield _keep(sheet, "keep the pairs", lambda dice: _of_faces(dice, _sets(dice, 2)), "every face that two or more dice show")
    yield _keep(sheet, "keep the run", _run, "the longest row of faces, one die each; of several the highest")
    for face in range(2, sheet.faces + 1):
        high = f"the dice that show {face} or more" if face < sheet.faces else f"the dice that show {face}"
        name = f"keep {face} and up" if face < sheet.faces else f"keep the {face}s"
        yield _keep(sheet, name, partial(_from, face), high)
    yield _verb(sheet, "reroll all", lambda _dice, left, _: [Choice((), (), ())] if left else [], "roll all dice again")
    yield from _open_sets(sheet)
    for box, name in enumerate(sheet.names):
        says = f"keep what promises {name} the most points with the rolls left; more dice, then higher ones where it is the same"
        yield _verb(sheet, f"go for {name}", _going_for(sheet, box), says)


def _keep(sheet: "Sheet", name: str, chosen: Callable[["Hand"], "Hand"], says: str) -> SheetVerb:
    """A verb that keeps some dice, and rolls at least one."""

    def choices(dice: "Hand", left: int, _numbers: Mapping[str, int]) -> list[Choice]:
        kept = chosen(dice)
        return [Choice((), (), kept)] if left and 0 < len(kept) < len(dice) else []

    return _verb(sheet, name, choices, says)


def _open_sets(sheet: "Sheet") -> Iterator[SheetVerb]:
    """Verbs that keep dice of one face whose upper box is open."""
    if not any(box.face is not None for box in sheet.boxes):
        return
    for name, size in (("the largest open set", 1), ("an open pair", 2), ("an open triple", 3)):
        says = f"the most dice of one face, at least {size}, whose upper box is open; of several the highest face"
        yield _verb(sheet, f"keep {name}", _open_set(sheet, size, lambda dice, face: (dice.count(face), face)), says)
    says = "the dice of one face whose upper box is open with the highest total"
    yield _verb(
        sheet, "keep the open set worth most", _open_set(sheet, 1, lambda dice, face: (dice.count(face) * face, face)), says
    )


def _open_set(sheet: "Sheet", size: int, rank: Callable[["Hand", int], Any]) -> Callable[..., Sequence[Choice]]:
    upper = {face: [box for box, rule in enumerate(sheet.boxes) if rule.face == face] for face in range(1, sheet.faces + 1)}

    def choices(dice: "Hand", left: int, _numbers: Mapping[str, int]) -> list[Choice]:
        faces = sorted(_sets(dice, size), key=lambda face: rank(dice, face), reverse=True) if left else []
        kept = [(box, _of_face(dice, face)) for face in faces for box in upper[face]]
        return [Choice((box,), (), keep) for box, keep in kept if len(keep) < len(dice)]

    return choices


def _going_for(sheet: "Sheet", box: int) -> Callable[..., Sequence[Choice]]:
    def choices(dice: "Hand", left: int, _numbers: Mapping[str, int]) -> list[Choice]:
        kept = _best_keeps(sheet, box, left)[dice] if left else None
        return [Choice((box,), _before(sheet, box), kept)] if kept is not None else []

    return choices


def _before(sheet: "Sheet", box: int) -> tuple[int, ...]:
    """The boxes that must be filled before one may be."""
    return tuple(range(box)) if sheet.in_order else ()


@lru_cache(maxsize=4096)
def _best_keeps(sheet: "Sheet", box: int, left: int) -> Mapping["Hand", "Hand | None"]:
    """What to keep of each hand for the most points in a box; None: its points now are as good."""
    from rollwise.games.sheets.boxes import keeps_of  # noqa: PLC0415  (sheet imports this module)

    paid = sheet.scores[sheet.names[box]]
    expected = hand_expectations(sheet, box, left)
    best: dict[Hand, Hand | None] = {}
    for dice in sheet.hands:
        most = max((expected[keep] for keep in keeps_of(dice)), default=0.0)
        ties = [keep for keep in keeps_of(dice) if expected[keep] >= most - TIE]
        best[dice] = max(ties, key=lambda keep: (len(keep), sum(keep))) if most > paid[dice] + TIE else None
    return best


@lru_cache(maxsize=4096)
def hand_expectations(sheet: "Sheet", box: int, left: int) -> Mapping["Hand", float]:
    """Give by dice kept, whole hands too, the points that a box can expect, played for it alone with so many rolls left."""
    from rollwise.games.sheets.boxes import keeps_of  # noqa: PLC0415

    paid = sheet.scores[sheet.names[box]]
    expected: dict[Hand, float] = dict(paid)
    if left > 1:
        later = hand_expectations(sheet, box, left - 1)
        expected = {dice: max(paid[dice], *(later[keep] for keep in keeps_of(dice))) for dice in sheet.hands}
    for size in range(sheet.count - 1, -1, -1):
        for keep in combinations_with_replacement(sheet.die, size):
            more = [weight * expected[tuple(sorted((*keep, face)))] for face, weight in sheet.die.items()]
            expected[keep] = sum(more) / sheet.die.total
    return expected


def _from(face: int, dice: "Hand") -> "Hand":
    return tuple(one for one in dice if one >= face)


def _of_face(dice: "Hand", face: int) -> "Hand":
    return (face,) * dice.count(face)


def _of_faces(dice: "Hand", faces: Sequence[int]) -> "Hand":
    return tuple(one for one in dice if one in faces)


# What is done: a box to fill.


def _fills(sheet: "Sheet") -> Iterator[SheetVerb]:
    for box, name in enumerate(sheet.names):
        yield _fill(sheet, f"fill {name}", lambda *_, box=box: _only(box), f"fill {name}, if it is open")
    yield _fill(
        sheet, "fill the box with the most points", lambda *_: lambda _, points: points, "of several the first on the sheet"
    )
    if any(box.face is not None for box in sheet.boxes):
        for size in range(1, sheet.count + 1):
            name = "fill the upper box with the most dice" if size == 1 else f"fill an upper box with {size} or more dice"
            says = f"the open upper box of the face that the most dice show, at least {size}; of several the highest"
            yield _fill(sheet, name, partial(_most_dice, sheet, size), says)
    yield from _over_par(sheet)


def _over_par(sheet: "Sheet") -> Iterator[SheetVerb]:
    says = "the open box that pays the most over its par, or the least under it; a par that the card does not give is 0"
    yield _over_by(sheet, "fill the best over par", None, says)
    for least in range(MOST_OVER_PAR + 1):
        says = f"the open box that pays the most over its par, if that is at least {least} over"
        yield _over_by(sheet, f"fill the best if {least} over par", least, says)


def _over_by(sheet: "Sheet", name: str, least: int | None, says: str) -> OverPar:
    pars = tuple(f"par {name}" for name in sheet.names)
    verb = _fill(sheet, name, lambda _, numbers: _over(pars, numbers, least), says, pars)
    return OverPar(name, verb.find, says, numbers=pars, choices=verb.choices, least=least)


Rank = Callable[[int, int], float | None]
"""From a box and what it pays, how good it is; None: it is not meant."""


def _only(box: int) -> Rank:
    return lambda other, _: 0 if other == box else None


def _most_dice(sheet: "Sheet", size: int, dice: "Hand", _numbers: Mapping[str, int]) -> Rank:
    def rank(box: int, _points: int) -> float | None:
        face = sheet.boxes[box].face
        number = 0 if face is None else dice.count(face)
        return None if face is None or number < size else number * (sheet.faces + 1) + face

    return rank


def _over(pars: Sequence[str], numbers: Mapping[str, int], least: int | None) -> Rank:
    def rank(box: int, points: int) -> float | None:
        over = points - numbers.get(pars[box], 0)
        return None if least is not None and over < least else over

    return rank


def _fill(
    sheet: "Sheet", name: str, ranks: Callable[["Hand", Mapping[str, int]], Rank], says: str, numbers: tuple[str, ...] = ()
) -> SheetVerb:
    """A verb that fills the box of the highest rank, of several the first on the sheet."""

    def choices(dice: "Hand", left: int, numbers: Mapping[str, int]) -> list[Choice]:
        rank = ranks(dice, numbers)
        ranked = [
            (worth, choice) for choice, box, points in fills_of(sheet, dice, left) if (worth := rank(box, points)) is not None
        ]
        return [choice for _, choice in sorted(ranked, key=lambda one: -one[0])]

    return _verb(sheet, name, choices, says, numbers)


@lru_cache(maxsize=65536)
def fills_of(sheet: "Sheet", dice: "Hand", left: int) -> list[tuple[Choice, int, int]]:
    """List what may be filled with a hand: (choice, box, points). The cases that a joker rule makes exclude one another."""
    found = []
    for which, case in _cases(sheet, dice):
        for choice, box, points in (_paid(sheet, dice, left, box, case) for box in _allowed(sheet, dice, case)):
            opened, filled = {*choice.open, *which.open}, {*choice.filled, *which.filled}
            found.append((Choice(tuple(sorted(opened)), tuple(sorted(filled)), choice.action), box, points))
    return found


ORDINARY, MATCHED, FREED = range(3)
"""A hand that is no joker; a joker whose upper box is open; a joker whose upper box is filled."""


def _cases(sheet: "Sheet", dice: "Hand") -> list[tuple[Choice, int]]:
    """Give the cases of a hand by the boxes that must be open and filled for each."""
    if sheet.joker is None or sheet.joker.box not in sheet.names or len(set(dice)) != 1:
        return [(Choice((), (), None), ORDINARY)]
    joker = sheet.names.index(sheet.joker.box)
    match = _matching(sheet, dice)
    matched = [(Choice((box,), (joker, *match[:n]), None), MATCHED) for n, box in enumerate(match)]
    return [(Choice((joker,), (), None), ORDINARY), *matched, (Choice((), (joker, *match), None), FREED)]


def _matching(sheet: "Sheet", dice: "Hand") -> tuple[int, ...]:
    return tuple(box for box, rule in enumerate(sheet.boxes) if rule.face == dice[0])


def _allowed(sheet: "Sheet", dice: "Hand", case: int) -> Iterable[int]:
    forced = sheet.joker is not None and sheet.joker.rule == "forced" and case == MATCHED
    return _matching(sheet, dice) if forced else range(len(sheet.boxes))


def _paid(sheet: "Sheet", dice: "Hand", left: int, box: int, case: int) -> tuple[Choice, int, int]:
    """Say what a box pays in a case, and what else must be filled for it to be allowed."""
    points = _points_in(sheet, box)(dice, left)
    filled = _before(sheet, box)
    if sheet.joker and case == FREED:
        points = sheet.joker.pays.get(sheet.names[box], points)
        if sheet.joker.rule == "forced" and sheet.boxes[box].face is not None:
            filled += tuple(other for other, rule in enumerate(sheet.boxes) if rule.face is None)
    return Choice((box,), filled, sheet.names[box]), box, points


def _verb(
    sheet: "Sheet", name: str, choices: Callable[..., Sequence[Choice]], says: str, numbers: tuple[str, ...] = ()
) -> SheetVerb:
    """A verb by its choices."""
    known: dict[Any, Sequence[Choice]] = {}

    def find(state: "Turn", given: Mapping[str, int] | None = None) -> "Move | None":
        key = (state.dice, state.left, tuple(given.items()) if given else ())
        if key not in known:
            known[key] = choices(state.dice, state.left, given or {})
        meant = next((choice for choice in known[key] if _is_so(sheet, state.open, choice)), None)
        # A game of this family may have rules of its own about boxes.
        if meant is None or (isinstance(meant.action, str) and meant.action not in sheet.fillable(state)):
            return None
        action: Move = meant.action
        return action

    return SheetVerb(name, find, says, numbers=numbers, choices=choices)


def _is_so(sheet: "Sheet", opened: int, choice: Choice) -> bool:
    """Say whether the boxes are as a choice needs them."""
    bits = sheet.field
    return all(opened & bits[box] for box in choice.open) and not any(opened & bits[box] for box in choice.filled)
