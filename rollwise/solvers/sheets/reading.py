"""From the rules of a score sheet to the arrays its engine sees.

Filling a box does one of a few things, its *effects*: so many points, so much for the upper total, a joker or not. An effect
is a row of gains and a row of target carries. Which carries can occur depends only on which boxes that change them are
filled; and carries that can no longer make a difference (an upper bonus out of reach) are computed once and copied.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rollwise.errors import GameError, require
from rollwise.games.sheets.boxes import Hand, Joker, box_fields
from rollwise.games.sheets.rules import Sheet
from rollwise.solvers.sheets.arrays import SheetArrays, layers_with_end
from rollwise.solvers.sheets.lattice import lattice

__all__ = [
    "Carry",
    "carry_number",
    "least_positions",
    "make_sheet_arrays",
    "points_bytes",
    "rare_rules",
    "read_carry",
    "sheet_bytes",
    "totals_are_dense",
    "totals_span",
]

Ints = npt.NDArray[np.int64]

NORMAL, MATCH_OPEN, MATCH_FILLED, UPPER_ONLY = range(4)
"""Variants of a special hand: no joker; a joker whose upper box is open; filled; filled with no lower box open."""

MOST_BOXES = 40
FINE = 1 << 26
MOST_LISTED = 16
"""From so many bytes on, and up to so many boxes, what a table takes is counted more closely."""
WIDEST = 100_000
"""Totals that span more points than this have gaps for the most part: the general engine skips those."""


def least_positions(sheet: Sheet) -> int:
    """Every hand with every number of rerolls left, for each set of open boxes that can occur whatever boxes pay."""
    turns, jokers_only = sheet.turns_left(sheet.full), all(len(set(hand)) == 1 for hand in sheet.hands)
    outer = turns if sheet.in_order or (sheet.joker and jokers_only) else prod(box.times + 1 for box in sheet.boxes) - 1
    return outer * len(sheet.hands) * (sheet.rerolls + 1)


def totals_are_dense(sheet: Sheet) -> bool:
    """Say whether a sheet's totals lie close enough together to keep a chance for every number of points."""
    return totals_span(sheet) <= WIDEST


def points_bytes(sheet: Sheet) -> int:
    """Bound the bytes of a chance for every turn start and total: where that matters, by what each set of boxes can still pay."""
    coarse = sheet_bytes(sheet) * (totals_span(sheet) + 1)
    if coarse <= FINE or len(sheet.boxes) > MOST_LISTED:
        return coarse
    arrays = make_sheet_arrays(sheet)
    masks = np.concatenate(layers_with_end(arrays)) if arrays.times else np.arange(arrays.n_masks)
    spans = np.full(len(masks), 1 + _bonus_span(sheet))
    plain = arrays.effect_gain[:, read_carry(sheet, np.arange(arrays.n_carries)).upper == _threshold(sheet)]
    for box, (first, end) in enumerate(pairwise(arrays.effect_start)):
        gains = plain[first:end]
        spans += (masks & arrays.field[box]) // arrays.unit[box] * (int(gains.max()) - min(int(gains.min()), 0))
    rows = arrays.carry_count[masks]
    return min(coarse, 8 * int((rows * spans).sum()))


def totals_span(sheet: Sheet) -> int:
    """Say how far apart the lowest and the highest total are, at most."""
    pays = sheet.joker.pays if sheet.joker else {}
    span = sum(
        box.times * (max(sheet.most(i), pays.get(box.name, 0)) - min(*sheet.scores[box.name].values(), pays.get(box.name, 0)))
        for i, box in enumerate(sheet.boxes)
    )
    extra = _bonus_span(sheet)
    extra += sheet.turns_left(sheet.full) * abs(sheet.joker.bonus) if sheet.joker else 0
    return span + extra


def _bonus_span(sheet: Sheet) -> int:
    """Say how far apart totals may be by the upper bonus."""
    return sum(map(abs, sheet.bonus.jumps)) if sheet.bonus else 0


def sheet_bytes(sheet: Sheet) -> int:
    """Say how many bytes the values of a sheet take."""
    return 8 * _n_carries(sheet) << _bits(sheet)


def _bits(sheet: Sheet) -> int:
    """The bits of the number that stands for open boxes."""
    return sum(sheet.field).bit_length()


def rare_rules(sheet: Sheet) -> dict[str, Any]:
    """What few sheets have: boxes filled several times, first rolls that count for more, a roll that wins."""
    net, found = lattice(sheet.count, sheet.weights), dict[str, Any]()
    if any(box.times > 1 for box in sheet.boxes):
        found["times"] = tuple(box.times for box in sheet.boxes)
    if sheet.first_roll_counts:
        first = [sheet.scores[box.name] for box in sheet.boxes if box.first or (sheet.win and sheet.win.box == box.name)]
        hands = enumerate(net.keeps[net.first_hand :])
        found["served"] = tuple(place for place, hand in hands if any(scores[hand] > 0 for scores in first))
    return found | ({"wins": True} if sheet.win else {})


def _tracks_joker(sheet: Sheet) -> bool:
    return bool(sheet.joker and sheet.joker.bonus and sheet.joker.box in sheet.names)


def _threshold(sheet: Sheet) -> int:
    return sheet.bonus.threshold if sheet.bonus else 0


def _n_carries(sheet: Sheet) -> int:
    return (_threshold(sheet) + 1) * (2 if _tracks_joker(sheet) else 1) + (sheet.win is not None)


class Carry(NamedTuple):
    """What a carry stands for: the upper total, and whether a joker earns its bonus; one each, or arrays."""

    upper: Any
    primed: Any


def carry_number(sheet: Sheet, upper: Any, primed: Any) -> Any:
    """Number a carry, or an array of them."""
    return upper + (_threshold(sheet) + 1) * (primed * _tracks_joker(sheet))


def read_carry(sheet: Sheet, number: Any) -> Carry:
    """Say what a carry stands for, by its number; the other way round than `carry_number`."""
    radix = _threshold(sheet) + 1
    return Carry(number % radix, number >= radix)


def make_sheet_arrays(sheet: Sheet) -> SheetArrays:
    """Write a sheet as arrays. Raises `GameError` for one with rules of its own, which its data does not show."""
    sheet.check_points()
    if _bits(sheet) > MOST_BOXES:
        raise GameError(f"a sheet of {len(sheet.boxes)} boxes has 2**{_bits(sheet)} states: expected at most {MOST_BOXES}")
    net = lattice(sheet.count, sheet.weights)
    hands = net.keeps[net.first_hand :]
    effects, rare = _Effects(sheet), rare_rules(sheet)
    hand_effect = np.array([_hand_row(sheet, effects, box, hands, rare.get("served", ())) for box in range(len(sheet.boxes))])
    joker = sheet.joker if sheet.joker and sheet.joker.box in sheet.names else None
    equal = [i for i, hand in enumerate(hands) if len(set(hand)) == 1] if joker else []
    rows = [_special_rows(sheet, joker, effects, hands[i]) for i in equal] if joker else []
    special = np.array(rows, dtype=np.int64).reshape(len(equal), 4, len(sheet.boxes))
    start, place, gain, target = effects.arrays()
    special = np.where(special >= 0, place[special], -1)
    carry = _carries(gain, target, start, sheet)
    return SheetArrays(
        lattice=net,
        rerolls=sheet.rerolls,
        n_boxes=len(sheet.boxes),
        in_order=sheet.in_order,
        effect_start=start,
        effect_gain=gain,
        effect_target=target,
        hand_effect=place[hand_effect],
        special_hand=np.array(equal, dtype=np.int64),
        special_effect=special,
        special_variant=_variants(sheet, [hands[i] for i in equal]),
        carry_class=carry.of_mask,
        carry_start=carry.start,
        carry_list=carry.members,
        copy_start=carry.copy_start,
        copy_to=carry.copy_to,
        copy_from=carry.copy_from,
        **rare,
    )


def _hand_row(sheet: Sheet, effects: "_Effects", box: int, hands: Sequence[Hand], served: Sequence[int]) -> list[int]:
    """The effects of filling a box with every hand, and then with the served ones."""
    scores = [sheet.scores[sheet.names[box]][hand] for hand in hands]
    row = [effects.number(box, points, False) for points in scores]
    win = sheet.win is not None and sheet.win.box == sheet.names[box]
    for points in (scores[hand] for hand in served):
        more = sheet.first_points(box, points) if points > 0 else points
        row.append(effects.number(box, more, False, win and points > 0))
    return row


class _Effects:
    """Distinct effects by box, numbered as they turn up; `arrays` sorts them by box."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.numbers: dict[tuple[int, int, bool, bool], int] = {}

    def number(self, box: int, points: int, joker: bool, wins: bool = False) -> int:
        return self.numbers.setdefault((box, points, joker, wins), len(self.numbers))

    def arrays(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Give where each box's effects start, where each number went, and the gains and targets by carry."""
        order = sorted(range(len(self.numbers)), key=[key[0] for key in self.numbers].__getitem__)
        keys = list(self.numbers)
        rows = [_effect(self.sheet, *keys[i]) for i in order]
        start = np.searchsorted([keys[i][0] for i in order], np.arange(len(self.sheet.boxes) + 1))
        place = np.argsort(order)
        return start, place, np.array([gain for gain, _ in rows]), np.array([target for _, target in rows])


def _effect(sheet: Sheet, box: int, points: int, joker: bool, wins: bool) -> tuple[Ints, Ints]:
    """The gains and target carries of filling a box, for every carry."""
    gain, target = _live_effect(sheet, box, points, joker)
    if sheet.win:
        over = len(gain) - 1
        gain[over], target[over] = 0, over
        target[:] = over if wins else target
    return gain, target


def _live_effect(sheet: Sheet, box: int, points: int, joker: bool) -> tuple[Ints, Ints]:
    """The same as long as the game is not over."""
    threshold = _threshold(sheet)
    carry = np.arange(_n_carries(sheet))
    upper, primed = read_carry(sheet, carry)
    step = points if sheet.bonus and sheet.boxes[box].face is not None else 0
    risen = np.minimum(upper + step, threshold)
    gain = np.full(len(carry), points)
    if sheet.bonus:
        for (reached, _), jump in zip(sheet.bonus.steps, sheet.bonus.jumps, strict=True):
            gain += jump * ((upper < reached) & (risen >= reached))
    if sheet.joker and joker:
        gain += sheet.joker.bonus * primed
    if sheet.joker and _tracks_joker(sheet) and sheet.names[box] == sheet.joker.box:
        primed = np.full(len(carry), points > 0)
    return gain, carry_number(sheet, risen, primed)


def _special_rows(sheet: Sheet, joker: Joker, effects: _Effects, hand: Hand) -> list[list[int]]:
    """For each variant and box, the effect of filling it with this hand of equal dice; -1: not allowed."""
    rows = []
    for variant in range(4):
        row = []
        for box, name in enumerate(sheet.names):
            face = sheet.boxes[box].face
            points = sheet.scores[name][hand]
            if variant in (MATCH_FILLED, UPPER_ONLY):
                points = joker.pays.get(name, points)
            forced = joker.rule == "forced" and not sheet.in_order
            barred = forced and ((variant == MATCH_OPEN and face != hand[0]) or (variant == MATCH_FILLED and face is not None))
            row.append(-1 if barred else effects.number(box, points, variant != NORMAL))
        rows.append(row)
    return rows


def _variants(sheet: Sheet, hands: list[Hand]) -> Ints:
    """For each set of open boxes and special hand, the variant that applies."""
    masks = np.arange(1 << _bits(sheet))
    if sheet.joker is None or not hands:
        return np.zeros((len(masks), 0), dtype=np.int64)

    def any_open(boxes: list[int]) -> npt.NDArray[np.bool_]:
        return np.asarray((masks & sum(sheet.field[box] for box in boxes)) != 0)

    waiting = any_open([sheet.names.index(sheet.joker.box)])
    lower = any_open([i for i, box in enumerate(sheet.boxes) if box.face is None])
    columns = []
    for hand in hands:
        match = any_open([i for i, box in enumerate(sheet.boxes) if box.face == hand[0]])
        columns.append(np.select([waiting, match, lower], [NORMAL, MATCH_OPEN, MATCH_FILLED], UPPER_ONLY))
    return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class _Carries:
    """Carries by class of open boxes: those to compute, and copies of them."""

    of_mask: Ints
    start: Ints
    members: Ints
    copy_start: Ints
    copy_to: Ints
    copy_from: Ints


def _steps_reached(sheet: Sheet) -> Ints:
    """Where a bonus has steps, which of them each carry has reached: that tells carries apart even where nothing can follow.

    So the chance of each step is known, though two steps may earn as many points more.
    """
    upper = read_carry(sheet, np.arange(_n_carries(sheet))).upper
    steps = sheet.bonus.steps if sheet.bonus and sheet.bonus.before else ()
    return np.array([upper >= threshold for threshold, _ in steps], dtype=np.int64).reshape(-1, len(upper))


def _carries(gain: Ints, target: Ints, start: Ints, sheet: Sheet) -> _Carries:
    """Find which carries can occur, and which make no difference, for every set of filled boxes that change the carry.

    A class is numbered as open boxes are, by those boxes alone. Carries that have reached different steps of a bonus always make
    a difference.
    """
    here, n_boxes = np.arange(gain.shape[1]), len(sheet.boxes)
    moving = [box for box in range(n_boxes) if (target[start[box] : start[box + 1]] != here).any()]
    still = [e for box in range(n_boxes) if box not in moving for e in range(start[box], start[box + 1])]
    rows = gain[still]
    always = np.concatenate([_steps_reached(sheet), rows[(rows != rows[:, :1]).any(axis=1)]])
    times = [sheet.boxes[box].times for box in moving]
    unit, field = box_fields(times)
    n_classes = sum(field) + 1
    reach = _reachable(target, start, moving, times)
    same = np.empty((n_classes, len(here)), dtype=np.int64)
    members: list[Ints] = []
    copies: list[tuple[Ints, Ints]] = []
    for opened in range(n_classes):
        signature = [always]
        for bit, box in enumerate(moving):
            if opened & field[bit]:
                effects = slice(start[box], start[box + 1])
                signature += [gain[effects], same[opened - unit[bit]][target[effects]]]
        same[opened] = _equal_columns(np.concatenate(signature))
        found = np.flatnonzero(reach[opened])
        _, first, number = np.unique(same[opened][found], return_index=True, return_inverse=True)
        chief = found[first[number]]
        members.append(found[chief == found])
        copies.append((found[chief != found], chief[chief != found]))
    masks = np.arange(1 << _bits(sheet))
    of_mask = np.zeros(len(masks), dtype=np.int64)
    for bit, box in enumerate(moving):
        of_mask |= (masks & sheet.field[box]) // sheet.unit[box] * unit[bit]
    return _Carries(
        of_mask,
        np.cumsum([0, *map(len, members)]),
        np.concatenate(members),
        np.cumsum([0, *(len(to) for to, _ in copies)]),
        np.concatenate([to for to, _ in copies]),
        np.concatenate([source for _, source in copies]),
    )


def _equal_columns(rows: Ints) -> Ints:
    """For each column, the first column equal to it: found by a random sum, then compared in full."""
    key = np.random.default_rng(45).integers(-(2**62), 2**62, len(rows)) @ rows
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    chief: Ints = first[number]
    require(np.array_equal(rows, rows[:, chief]), "two different columns have the same sum")
    return chief


def _reachable(target: Ints, start: Ints, moving: list[int], times: list[int]) -> npt.NDArray[np.bool_]:
    """For each set of open moving boxes, the carries that can occur, from carry 0 on."""
    unit, field = box_fields(times)
    full = sum(number * one for number, one in zip(times, unit, strict=True))
    reach = np.zeros((sum(field) + 1, target.shape[1]), dtype=np.bool_)
    reach[full, 0] = True
    for opened in range(full - 1, -1, -1):
        for bit, box in enumerate(moving):
            if opened & field[bit] < full & field[bit]:
                before = reach[opened + unit[bit]]
                reach[opened, target[start[box] : start[box + 1]][:, before].ravel()] = True
    return reach
