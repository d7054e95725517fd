"""The best hand of dice for a turn, by bounds that hands share.

A roll of some dice S with t points at stake is worth W(t, S). Until all dice have scored and come back, it depends on S and t
only, and many hands have S in common. After that it depends on the whole hand H, by h(t) = W(t, H).

Let v be the value of some hand. The best hand H, of value v + d, has h(t) <= v + d + t, as a turn with t points more at stake
brings at most t points more. Computing all rolls with h(t) = v + t, one table for the parts of all hands, gives B(H); with d
more in h it would be at most d more, and it is no less than v + d then. So B(H) >= v: hands with B < v are out. As h is convex
(`hands_numba`), it lies below chords: bounds of h at a few totals, over the hands that are left, make h(t) smaller, and more
hands are out. What is left is solved hand by hand, from above, at a few totals first.

Where a bank needs points, h(t) <= h(0) + t + these points, and chords begin there.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from rollwise.errors import GameError
from rollwise.games.columns import Hands
from rollwise.games.farkle.rules import Farkle
from rollwise.games.farkle.scores import FIFTY, Scores
from rollwise.model.weights import Faces
from rollwise.solvers.base.hands import ChosenHands, Hand, count_hands, list_hands
from rollwise.solvers.base.numbers import TIE
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.slopes import DieSlopes, FaceSlopes
from rollwise.solvers.press_your_luck.tables import Floats, Ints, RollTables

__all__ = ["choose_turn_hands", "turn_slopes"]

MOST_HANDS = 500_000
"""Hands that are compared with each other; of more, the best one is searched for."""
DENSE, GROWTH, TOP = 2_000, 1.06, 30
"""Levels are all totals up to the first number, then grow by this factor, up to this many times the best value."""
MOST_DENSE = 1_500
"""Fifties up to which a hand by itself is solved at all totals."""
ANCHORS = (1.5, 4.0)
"""Totals, as multiples of the best value, at which chords end."""
FEW = 2_000
"""Hands of which none is worth another round of bounds in common."""
ROUNDS, BLOCK, MOST_BLOCKS = 4, 30, 30
PIECE = 500
SHOWN = 20
CLOSE = 1e-7
FAR, NEVER, SLACK = 1e9, 1e-6, 1e-3
"""Beyond all totals, in last levels; less than this is no chance to lose; what bounds at the last level may be too high by."""


class Structure(NamedTuple):
    """What rolls of so many dice offer, whatever their weights: kinds of rolls by the dice thrown, a mask (see `RollTables`).

    Dice that no set of a roll includes do not matter: rolls that are equal without them are one kind.
    """

    kind_start: Ints
    kind_best: Ints
    offer_start: Ints
    offer_points: Ints
    offer_left: Ints
    kind_of_hand: Ints

    @property
    def kinds(self) -> tuple[Any, ...]:
        """What the compiled code looks up."""
        return self.kind_best, self.offer_start, self.offer_points, self.offer_left, len(self.kind_start) - 2

    def kind_of_throw(self, count: int) -> Ints:
        """Give the kind of each throw of the first so many dice, counted from the first kind of theirs."""
        hand = np.zeros(1, dtype=np.int64)
        for die in range(count):
            hand = np.add.outer(np.arange(1, 7) * 7**die, hand).reshape(-1)
        found: Ints = self.kind_of_hand[hand] - self.kind_start[(1 << count) - 1]
        return found

    def tables(self, chance: Floats) -> RollTables:
        """Give the tables of one hand."""
        return RollTables(self.kind_start, chance, self.kind_best, self.offer_start, self.offer_points, self.offer_left)


@lru_cache(maxsize=8)
def make_structure(scores: Scores, count: int) -> Structure:
    """List the kinds of rolls of dice that all differ."""
    different = [(1, 1, 1, 1, 1, 2 + die) for die in range(count)]
    game = Farkle(scores, count, most=FIFTY * 1_000, weights=different if count > 1 else different[0])
    sets, size = game.sets, 7**count
    powers = 7 ** np.arange(count)
    hand_digits, kept_digits = (np.arange(size)[:, None] // powers % 7, sets.kept[:, None] // powers % 7)
    bits = 1 << np.arange(count)
    mask, kept = (hand_digits > 0) @ bits, (kept_digits > 0) @ bits
    first = np.searchsorted(sets.hand, np.arange(size + 1))
    some = np.flatnonzero(np.diff(first))
    matters = np.zeros(size, dtype=np.int64)
    matters[some] = np.bitwise_or.reduceat(kept, first[some])
    alive = (hand_digits * (matters[:, None] >> np.arange(count) & 1)) @ powers
    pairs, kind_of_hand = np.unique(mask * size + alive, return_inverse=True)
    choice, alive = pairs // size, pairs % size
    length = first[alive + 1] - first[alive]
    offer_start = np.concatenate([[0], np.cumsum(length)])
    row = np.repeat(first[alive] - offer_start[:-1], length) + np.arange(offer_start[-1])
    left = np.repeat(choice, length) & ~kept[row]
    return Structure(
        np.searchsorted(choice, np.arange((1 << count) + 1)), game.best[alive], offer_start, sets.points[row],
        np.where(left == 0, (1 << count) - 1, left), kind_of_hand.reshape(-1),
    )  # fmt: skip


class Levels(NamedTuple):
    """Totals at which rolls are computed, and where steps of so many fifties lead: between which levels, or `over` the last."""

    points: Floats
    low: Ints
    share: Floats
    over: Floats

    @property
    def steps(self) -> tuple[Ints, Floats, Floats]:
        """Where steps lead, for the compiled code."""
        return self.low, self.share, self.over


def make_levels(dense: int, top: float, longest: int) -> Levels:
    """Give the levels: all totals up to `dense`, then fewer and fewer, up to `top`."""
    totals = list(range(0, dense + FIFTY, FIFTY))
    while totals[-1] < top:
        totals.append(max(totals[-1] + FIFTY, int(totals[-1] * GROWTH) // FIFTY * FIFTY))
    points = np.array(totals, dtype=np.float64)
    after = points[:, None] + FIFTY * np.arange(longest + 1)
    low = np.minimum(np.searchsorted(points, after, side="right") - 1, len(points) - 1)
    gap = np.append(np.diff(points), 1.0)
    over = np.maximum(after - points[-1], 0.0)
    return Levels(points, low, np.where(over > 0, 0.0, (after - points[low]) / gap[low]), over)


class Bounds:
    """Bounds of many hands from a table of their parts, if `hot` bounds what all dice are worth when they come back."""

    def __init__(self, search: "Search", hands: Ints, levels: Levels, hot: Floats) -> None:
        self.search, self.hands, self.levels, self.hot = search, hands, levels, hot
        self.take, self.base = hands.shape[1], len(search.dice) + 1
        masks = range(1, (1 << self.take) - 1)
        self.keys = {
            size: np.unique(np.concatenate([self._key(hands, mask) for mask in masks if mask.bit_count() == size]))
            for size in range(1, self.take)
        }
        sizes = [len(keys) for keys in self.keys.values()]
        self.first = dict(zip(self.keys, np.cumsum([0, *sizes]).tolist(), strict=False))
        self.values = np.zeros((sum(sizes), len(levels.points)))
        every = np.arange(len(levels.points))
        for size, keys in self.keys.items():
            parts = keys[:, None] // self.base ** np.arange(size) % self.base - 1
            found = self.values[self.first[size] : self.first[size] + len(keys)]
            self._fill(parts, self._look(parts), every, found)
        self.look = self._look(hands)

    def _key(self, hands: Ints, mask: int) -> Ints:
        """Number the dice that a mask leaves of each hand."""
        places = [place for place in range(hands.shape[1]) if mask >> place & 1]
        found: Ints = (hands[:, places] + 1) @ self.base ** np.arange(len(places))
        return found

    def _look(self, hands: Ints) -> Ints:
        """The row of what each mask leaves of each hand."""
        found = np.zeros((len(hands), 1 << hands.shape[1]), dtype=np.int32)
        for mask in range(1, (1 << hands.shape[1]) - 1):
            size = mask.bit_count()
            found[:, mask] = self.first[size] + np.searchsorted(self.keys[size], self._key(hands, mask))
        return found

    def _fill(self, hands: Ints, look: Ints, wanted: Ints, found: Floats) -> None:
        from rollwise.solvers.press_your_luck.hands_numba import bound_hands  # noqa: PLC0415

        search, levels, count = self.search, self.levels, hands.shape[1]
        structure, thrown = search.structure, search.structure.kind_of_throw(count)
        first = int(structure.kind_start[(1 << count) - 1])
        with ThreadPoolExecutor(search.options.threads) as pool:
            pieces = [
                pool.submit(
                    bound_hands, structure.kinds, first, thrown, search.dice, hands, look, levels.steps, levels.points,
                    search.least, wanted, self.hot, self.values, found, begin, min(begin + PIECE, len(hands)),
                )
                for begin in range(0, len(hands), PIECE)
            ]  # fmt: skip
            for done, piece in enumerate(pieces):
                piece.result()
                search.options.tick(f"bounding hands of {count}", min((done + 1) * PIECE, len(hands)), len(hands))

    def at(self, wanted: Any) -> Floats:
        """Bound the hands at some levels: `[hand, level]`."""
        found = np.zeros((len(self.hands), len(wanted)))
        self._fill(self.hands, self.look, np.asarray(wanted, dtype=np.int64), found)
        return found

    def only(self, rows: Any) -> "Bounds":
        """Leave some hands, with the same table."""
        found = copy(self)
        found.hands, found.look = self.hands[rows], self.look[rows]
        return found


class Search:
    """Compare hands of dice of an inventory."""

    def __init__(
        self, game: Farkle, dice: Sequence[Faces], counts: Sequence[int], take: int, options: SolveOptions
    ) -> None:  # fmt: skip
        self.game, self.counts, self.take, self.options = game, counts, take, options
        self.needed, self.least = game.needed, float(FIFTY * game.needed)
        self.structure = make_structure(game.scores, take)
        self.dice = np.array([[weight / sum(die) for weight in die] for die in dice])
        self.longest = int(self.structure.offer_points.max())
        self.solved: dict[Hand, tuple[float, float]] = {}
        self.rough: dict[Hand, float] = {}

    def chance(self, hand: Hand) -> Floats:
        """The chance of every kind of roll of a hand."""
        from rollwise.solvers.press_your_luck.hands_numba import kind_chances  # noqa: PLC0415

        found: Floats = kind_chances(self.structure.kind_of_hand, len(self.structure.kind_best), self.dice[list(hand)])
        return found

    def value(self, hand: Hand) -> tuple[float, float]:
        """Bound the value of a hand from below and from above, closely."""
        from rollwise.solvers.press_your_luck.turns_numba import solve_turn  # noqa: PLC0415

        if hand not in self.solved:
            chance, structure = self.chance(hand), self.structure
            start = structure.kind_start[:-1]
            lost = np.add.reduceat(chance * (np.diff(structure.offer_start) == 0), start)[1:]
            mean = np.add.reduceat(chance * structure.kind_best, start)[1:]
            limit = int(min((mean[lost > 0] / lost[lost > 0]).max(), MOST_DENSE)) + 2 if lost.all() else MOST_DENSE
            limit = max(limit, self.needed + 1)
            worth = solve_turn(structure.tables(chance), limit, self.needed, float(FIFTY))
            levels = make_levels(FIFTY * limit, TOP * max(worth[0, -1], FIFTY), self.longest)
            self.solved[hand] = float(worth[0, -1]), self._above(chance, levels)
        return self.solved[hand]

    def free(self, totals: Floats, value: float) -> Floats:
        """Bound h(t) of a hand of this value."""
        return totals + value + self.least

    def _above(self, chance: Floats, levels: Levels) -> float:
        from rollwise.solvers.press_your_luck.hands_numba import solve_hand  # noqa: PLC0415

        guess = np.interp(levels.points, self.levels.points, self._ceiling) + np.maximum(
            levels.points - self.levels.points[-1], 0
        )

        found = solve_hand(
            self.structure.kinds, self.structure.kind_start, chance, levels.steps, levels.points, self.least, guess, ROUNDS
        )
        return float(found[-1, 0])

    def roughly(self, hand: Hand) -> float:
        """Bound the value of a hand from above, at few levels."""
        if hand not in self.rough:
            self.rough[hand] = self._above(self.chance(hand), self.levels)
        return self.rough[hand]

    @cached_property
    def levels(self) -> Levels:
        """Few levels, the same for all hands."""
        dense = DENSE + FIFTY * self.needed
        return make_levels(dense, TOP * dense, self.longest)

    def relaxed(self, levels: Levels) -> Floats:
        """Bound h(t) of all hands: for each die one may choose from the inventory, for each roll, when those before it lie."""
        last, take = len(levels.points) - 1, self.take
        values = np.zeros((take + 1, last + 1))
        self._never_losing(values, levels)
        for level in range(last - 1, -1, -1):
            values[:, level] = values[:, level + 1]
            for _ in range(ROUNDS if levels.low[level, 1] == level else 1):
                for count in range(1, take + 1):
                    values[count, level] = self._relaxed_roll(values, levels, count, level)
        found: Floats = values[take]
        return found

    def _never_losing(self, values: Floats, levels: Levels) -> None:
        """Fill the last level, at which more points cannot be lost, by iteration, and add a bound of what is missing.

        Where all values are higher by x, what follows from them after some rolls is higher by at most the share of x that loses
        no turn in these rolls. Raises `GameError` where that is all.
        """
        last, top = len(levels.points) - 1, levels.points[-1]

        def roll_on() -> Floats:
            before = values[:, last].copy()
            for _ in range(BLOCK):
                values[1:, last] = [self._relaxed_roll(values, levels, count, last) for count in range(1, self.take + 1)]
            return values[:, last] - before

        values[1:, last] = FAR * top
        roll_on()
        share = float(values[:, last].max()) / (FAR * top)
        if share > 1 - NEVER:
            raise GameError("a turn with some of these dice need not end: leave out those that hardly ever lose, or give most=N")
        values[1:, last] = top
        missing = np.inf
        for _ in range(MOST_BLOCKS):
            missing = 2 * float(roll_on().max()) / (1 - share) + CLOSE
            if missing < SLACK * values[-1, last]:
                break
        values[1:, last] += missing

    def _relaxed_roll(self, values: Floats, levels: Levels, count: int, level: int) -> float:
        """The value of rolling so many dice, each chosen when those before it lie."""
        offers, best, after, chances = self._choices
        low, share, over = (part[level] for part in levels.steps)
        last = len(levels.points) - 1
        worth = np.where(best[count] > 0, levels.points[level] + FIFTY * best[count], 0.0)
        for left, points in offers[count]:
            at, row = low[points], values[left]
            going_on = row[at] + share[points] * (row[np.minimum(at + 1, last)] - row[at]) + over[points]
            worth = np.maximum(worth, np.where(points > 0, going_on, 0.0))
        for thrown in range(count - 1, -1, -1):
            worth = (worth[after[thrown]] @ chances.T).max(axis=1)
        return float(worth[0])

    @cached_property
    def _choices(self) -> tuple[Any, ...]:
        """By number of dice: what hands offer (dice left, the most points), their best, and their numbers with one die more."""
        hands = Hands(self.take)
        worth, found = hands.of(self.game.scores.points) // FIFTY, hands.keeps()
        points, left = worth[found.kept], hands.dice[found.rest]
        most = np.zeros((len(hands), self.take + 1), dtype=np.int64)
        np.maximum.at(most, (found.hand, np.where(left == 0, self.take, left)), points)
        rows = [np.flatnonzero(hands.dice == count) for count in range(self.take + 1)]
        first = [int(row[0]) for row in rows]
        offers = [[(k, most[row, k]) for k in range(1, self.take + 1) if most[row, k].any()] for row in rows]
        after = [
            np.array([[hands.number[tuple(sorted((*hands.faces_of[hand], face)))] for face in range(1, 7)] for hand in row])
            - first[count + 1]
            for count, row in enumerate(rows[:-1])
        ]
        return offers, [most[row].max(axis=1) for row in rows], after, self.dice

    def climb(self) -> Hand:
        """Find a good hand: begin with the dice that are best six of a kind, and exchange one die as long as that helps."""
        worth = self.roughly
        order = sorted(range(len(self.counts)), key=lambda die: -worth((die,) * self.take))
        best = tuple(sorted([die for die in order for _ in range(self.counts[die])][: self.take]))
        while True:
            near = {self._exchanged(best, place, die) for place in range(self.take) for die in range(len(self.counts))}
            allowed = [hand for hand in near if all(hand.count(die) <= self.counts[die] for die in hand)]
            found = max(sorted(allowed), key=worth, default=best)
            self.options.tick("looking for a good hand", len(self.rough), None)
            if worth(found) <= worth(best):
                return best
            best = found

    def _exchanged(self, hand: Hand, place: int, die: int) -> Hand:
        return tuple(sorted((*hand[:place], *hand[place + 1 :], die)))

    def run(self) -> ChosenHands:
        """Find the best hand, and prove that it is."""
        best = self.climb()
        self.value(best)
        if count_hands(self.counts, self.take) > MOST_HANDS:
            return self.result(float(self.relaxed(self.levels)[0]) - self.best())
        hands, above = np.array(list_hands(self.counts, self.take), dtype=np.int64), np.zeros(0)
        levels, anchors = self.levels, dict[float, float]()
        for _ in range(ROUNDS):
            bounds = Bounds(self, hands, levels, self.hot(levels, anchors))
            above = bounds.at([0])[:, 0]
            out = above < self.best()
            if len(hands) - out.sum() <= FEW or out.sum() < len(hands) // 10:
                hands, above = hands[~out], above[~out]
                break
            hands, bounds = hands[~out], bounds.only(~out)
            ends = np.searchsorted(levels.points, [ratio * self.best() + FIFTY * self.needed for ratio in ANCHORS])
            highest = bounds.at(ends).max(axis=0, initial=0.0)
            anchors = dict(zip(levels.points[ends].tolist(), highest.tolist(), strict=True))
        return self.one_by_one(hands[np.argsort(-above)])

    def best(self) -> float:
        """The value of the best hand that was solved, from below."""
        return max(low for low, _ in self.solved.values())

    @cached_property
    def _ceiling(self) -> Floats:
        """What h(t) of no hand exceeds, at few levels."""
        return self.relaxed(self.levels)

    def hot(self, levels: Levels, anchors: dict[float, float]) -> Floats:
        """Bound h(t) of the hands that may be best, by chords between the anchors."""
        free = np.minimum(self.free(levels.points, self.best()), self._ceiling)
        if not anchors:
            return free
        begin = float(FIFTY * self.needed)
        totals, highest = [begin, *anchors], [float(np.interp(begin, levels.points, free)), *anchors.values()]
        chords = np.interp(levels.points, totals, highest) + np.maximum(levels.points - totals[-1], 0.0)
        return np.where(levels.points < begin, free, np.minimum(free, chords))

    def one_by_one(self, hands: Any) -> ChosenHands:
        """Solve hands by themselves, first at few levels."""
        found: list[tuple[float, Hand]] = []
        every = [tuple(map(int, hand)) for hand in hands]
        with ThreadPoolExecutor(self.options.threads) as pool:
            for done, pair in enumerate(pool.map(lambda hand: (self.roughly(hand), hand), every)):
                found.append(pair)
                self.options.tick("solving what is left", done, len(hands))
        for above, hand in sorted(found, reverse=True):
            if above < self.best() - CLOSE:
                break
            self.value(hand)
        gap = max((above for _, above in self.solved.values()), default=0.0) - self.best()
        return self.result(max(gap, 0.0))

    def result(self, gap: float) -> ChosenHands:
        """Say what was found."""
        ranked = sorted(((hand, low) for hand, (low, _) in self.solved.items()), key=lambda pair: (-pair[1], pair[0]))
        return ChosenHands(tuple(ranked[:SHOWN]), gap, len({*self.solved, *self.rough}))


def choose_turn_hands(
    game: Farkle, dice: Sequence[Faces], counts: Sequence[int], take: int, options: SolveOptions
) -> ChosenHands:
    """Find the best hand for a turn."""
    return Search(game, dice, counts, take, options).run()


def turn_slopes(game: Farkle) -> FaceSlopes:
    """Give the slopes of the value of a turn by the chance of each face.

    With W(t, S) the value of rolling dice S, and W(t, S | f) that if die j shows f, the derivative by the chance of f is the sum
    over all rolls with j, weighted by how likely best play meets them, of W(t, S | f) - W(t, S), divided by 1 minus that chance.
    """
    from rollwise.solvers.press_your_luck.hands_numba import kind_chances  # noqa: PLC0415
    from rollwise.solvers.press_your_luck.turns_numba import flow_turn, has_ties, mean_turn, solve_turn  # noqa: PLC0415

    structure, point = make_structure(game.scores, game.number), float(FIFTY)
    dice = np.array([[weight / sum(die) for weight in die] for die in game.loads])

    def tables(hand: Floats) -> RollTables:
        return structure.tables(kind_chances(structure.kind_of_hand, len(structure.kind_best), hand))

    own = tables(dice)
    worth = solve_turn(own, game.limit, game.needed, point)
    visits, _ = flow_turn(own, game.needed, point, worth, 0, len(own.kind_start) - 2)
    found = []
    for weights in dict.fromkeys(game.loads):
        die, count = game.loads.index(weights), game.loads.count(weights)
        mean = mean_turn(own, game.needed, point, worth, visits, die)
        slopes = []
        for face in range(len(weights)):
            shown = dice.copy()
            shown[die] = np.arange(len(weights)) == face
            rest = 1.0 - float(dice[die, face])
            change = mean_turn(tables(shown), game.needed, point, worth, visits, die) - mean
            slopes.append(count * change / rest if rest else None)
        found.append(DieSlopes(weights, count, tuple(slopes)))
    return FaceSlopes(tuple(found), bool(has_ties(own, game.needed, point, worth, visits, TIE)))
