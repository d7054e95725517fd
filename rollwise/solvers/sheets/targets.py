"""Solve score sheets for a target or against an opponent, and answer from rows of chances (`standings`).

Positions are those of the lifted game: `WithPointsNeeded(turn, points)` for `AtLeast`, `WithTotal(turn, points)` for all others.
The chances for a target t are those of every target, moved by t points: `for_target` and `curve` solve nothing. The same holds
for what a worst share or a quantile is worth, so the best target is read from one row (`risk.RowMeaning` says what rows store).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import Any, Literal

import numpy as np

from rollwise.errors import GameError, PositionError, require
from rollwise.games.sheets.boxes import Hand, Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.lift import HavingGame, LiftedGame, NeedingGame, WithPointsNeeded, WithTotal
from rollwise.model.policy import Policy
from rollwise.solvers.base.abilities import AnswersTargets, Player
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow, trim
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Evaluation, Number, PackedSolution, Ranked, unknown_position
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import pick_kernel
from rollwise.solvers.sheets.checking import turn_by_hands
from rollwise.solvers.sheets.follow import describe_ends, sheet_distribution
from rollwise.solvers.sheets.packing import arrays_digest, pack_arrays
from rollwise.solvers.sheets.reading import carry_number, make_sheet_arrays, read_carry, sheet_bytes
from rollwise.solvers.sheets.report import target_sections
from rollwise.solvers.sheets.risk import FAMILIES, PointsObjective, RowMeaning, family_of
from rollwise.solvers.sheets.rows import RowValues, fill_row, numpy_rows, read_row
from rollwise.solvers.sheets.solution import OnePlayerSolution, find_outer, is_small
from rollwise.solvers.sheets.standings import Begin, StandingAxis, StandingRows, make_rows, solve_points
from rollwise.solvers.sheets.standings_follow import StandingFollower
from rollwise.solvers.sheets.turn_table import TurnTable, largest_share, rolled_shares

__all__ = ["PointsEngine", "PointsSolution", "evaluate_target_card", "lift_sheet", "solve_points_game"]

PointsEngine = Literal["points-numpy", "points-numba"]

OFTEN = 100
"""Turn starts whose positions are looked at one by one."""
NO_TARGET = "this sheet was solved {}, not for a target: solve it for AtLeast(t)"
LARGE = 50_000
"""Beyond this many chances compiling is worth its two seconds."""
LANES = 8


def solve_points_game(
    sheet: Sheet, objective: PointsObjective, options: SolveOptions | None = None, start: Any = None
) -> "PointsSolution":
    """Solve a sheet for the best chance of reaching a target, or of beating an opponent; or what follows the start of a turn.

    >>> from rollwise import AtLeast
    >>> from rollwise.games import load
    >>> solution = solve_points_game(load("yazy", boxes="ones,twos"), AtLeast(8))
    >>> round(solution.value(), 6), solution.curve()[6:10].round(4).tolist()
    (0.431328, [0.769, 0.6012, 0.4313, 0.2779])

    Raises `GameError`, before they are allocated, if its chances do not fit into memory; `PositionError` for a start that does
    not occur.
    """
    begun = perf_counter()
    options = options or SolveOptions()
    check_fits(f"a sheet of {len(sheet.boxes)} boxes", sheet_bytes(sheet))
    arrays = make_sheet_arrays(sheet)
    family = family_of(objective)
    ending = family.ending(objective, arrays)
    what = f"the chances of every total with {len(sheet.boxes)} boxes"
    begin = None if start is None else _begin(sheet, arrays, objective, start)
    rows = make_rows(arrays, ending, reachable=family.reachable, begin=begin, fits=lambda size: check_fits(what, 8 * size))
    name, kernel = pick_kernel("points", numpy_rows, options.engine, large=rows.size > LARGE)
    own = replace(options, backend=options.backend.single_threaded()) if kernel is numpy_rows else options
    layers_of = "" if family.needs else family.key(objective)
    fingerprint = sha256(f"points {arrays_digest(arrays)} {layers_of}".encode()).hexdigest()[:16]
    axis = StandingAxis(arrays, rows, ending)
    chance = solve_points(axis, kernel, own, fingerprint=fingerprint)
    objective = with_target(objective, rows, chance)
    certificate = _certify(axis).scaled(family.meaning(objective, arrays).scale).widened(objective.rounding)
    game = lift_sheet(sheet, arrays, objective)
    states = arrays.n_outer if begin is None else len(rows.row_open)
    head = (game, objective, certificate, name, perf_counter() - begun, states, rows.size)
    return PointsSolution(*head, arrays=arrays, rows=rows, chance=chance, part_start=start)


def _begin(sheet: Sheet, arrays: SheetArrays, objective: PointsObjective, start: Any) -> Begin:
    """Give the start of a turn as the arrays have it. Raises `PositionError`."""
    turn, points = start
    outer, family = find_outer(sheet, arrays, turn), family_of(objective)
    if outer is None:
        raise unknown_position(lift_sheet(sheet, arrays, objective), start)
    return Begin(*outer, family.standing(points, family.meaning(objective, arrays)))


def with_target(objective: PointsObjective, rows: StandingRows, chance: Floats) -> PointsObjective:
    """Choose the target of an objective that has none yet, from what every target is worth at the start."""
    if not objective.needs_target:
        return objective
    targets = -(int(rows.row_low[-1]) + np.arange(int(rows.row_start[-1] - rows.row_start[-2]) + 1))
    return objective.at(family_of(objective).best_target(objective, targets, chance[rows.row_start[-2] :]))


def evaluate_target_card(sheet: Sheet, card: Any, objective: PointsObjective, progress: Progress | None) -> Evaluation | None:
    """Compute the chance of a strategy card from the distribution of its totals; None: the graph of the game is better, or must
    do.

    The chances of totals are sums of products of positive numbers: each turn adds at most as many units of relative error as it
    has steps.
    """
    if getattr(card, "name", "") != "card" or is_small(make_sheet_arrays(sheet)):
        return None
    from rollwise.solvers.sheets.card_follow import follow_card, turn_steps  # noqa: PLC0415  (compiled code is loaded where it is used)

    moves = follow_card(sheet, card)
    if moves is None:
        return None
    found = sheet_distribution(sheet, moves, progress=progress)
    worth = [float(objective.worth(found.lowest + place)) for place in range(len(found.chance))]
    bound = 1.01 * moves.arrays.n_turns * (turn_steps(moves.arrays) + len(found.chance)) * UNIT
    residual = abs(1.0 - float(found.chance.sum()))
    require(residual <= max(bound, 1e-12), "the chances of all totals do not add up to one")
    certificate = Certificate(residual=residual, error_bound=bound)
    return Evaluation(float(found.chance @ np.array(worth)), certificate)


def lift_sheet(sheet: Sheet, arrays: SheetArrays, objective: PointsObjective) -> LiftedGame:
    """Make the game whose positions say what is needed, or the total so far."""
    if not family_of(objective).needs:
        return HavingGame(sheet, objective)
    return NeedingGame(sheet, objective.target, floor=bool(arrays.effect_gain.min() >= 0))


def _certify(axis: StandingAxis) -> Certificate:
    """Bound the error of the recursion, and check some turns against it by another way of calculating.

    Every turn fills a box, so every strategy ends. What the end pays is rounded once, and no chance is larger than 1. Where the
    mean decides ties, it moves a value by at most what the highest mean is worth.
    """
    arrays, rows, layer = axis.sheet, axis.laid, axis.whole
    stored = max(float(axis.chance.max(initial=0.0)), -float(axis.chance.min(initial=0.0)))  # not abs, which would be a copy
    largest = stored + float(np.abs(arrays.effect_gain).max()) if axis.ending.tilt else 1.0
    mean = float(np.abs(rows.row_mean).max(initial=0.0))
    bound = 1.01 * (arrays.n_turns * arrays.roundings + 1) * UNIT * largest + axis.ending.tilt * mean
    residual = 0.0
    filled = rows.layer_start[1] + np.flatnonzero(np.diff(rows.row_start[rows.layer_start[1] :]))
    for row in filled[np.unique(np.linspace(0, len(filled) - 1, LANES).astype(np.int64))].tolist() if len(filled) else []:
        length = int(rows.row_start[row + 1] - rows.row_start[row])
        standing = int(rows.row_low[row]) + np.unique(np.linspace(0, length - 1, LANES).astype(np.int64))
        fill = fill_row(axis, layer, axis.chance, row, 0, standing)
        kept = read_row(layer, axis.chance, row, standing)
        residual = max(residual, float(np.abs(turn_by_hands(arrays, fill) - kept).max()))
    require(residual <= max(bound, 1e-12), "a row violates the optimality equation")
    return Certificate(residual=residual, error_bound=bound)


@dataclass(frozen=True, eq=False, repr=False)
class PointsSolution(OnePlayerSolution, AnswersTargets):
    """A score sheet solved for a target or against an opponent: the chances of turn starts by standing.

    A position may need any number of points, whether or not this target leaves so many. `states` counts turn starts, `pendings`
    the chances kept. Where only a part was solved, `part_start` is what it begins with; it answers what can follow from there.
    """

    solver_name = "points"

    rows: StandingRows
    chance: Floats
    part_start: Any = None

    @property
    def _start(self) -> Any:
        return super()._start if self.part_start is None else self.part_start

    @cached_property
    def _axis(self) -> StandingAxis:
        ending = family_of(self.objective).ending(self.objective, self.arrays)
        return StandingAxis(self.arrays, self.rows, ending, chance=self.chance)

    @cached_property
    def _meaning(self) -> RowMeaning:
        return family_of(self.objective).meaning(self.objective, self.arrays)

    def _shown(self, stored: Any, opened: int, carry: int, points: int, gain: int = 0) -> Any:
        """Turn what rows store into values, at a turn start, after `gain` more points."""
        return self._meaning.value(stored, self.standing(points) + gain + self._means(opened, carry))

    def _means(self, opened: int, carry: int) -> float:
        """The highest mean still to come, where the mean counts."""
        return float(self.rows.row_mean[self.rows.row_of[opened, carry]]) if len(self.rows.row_mean) else 0.0

    def _read(self, row: int, standing: Any) -> Floats:
        """The chances of a row at some standings."""
        return read_row(self._axis.whole, self.chance, row, np.asarray(standing))

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays of the sheet, and the objective."""
        return sha256(f"points {arrays_digest(self.arrays)} {self.objective!r}".encode()).hexdigest()[:16]

    @property
    def sheet(self) -> Sheet:
        """The sheet that the game is lifted from."""
        return self.game.game  # type: ignore[no-any-return]

    def count(self, where: Mapping[str, str]) -> int:
        """At most so many decisions can occur."""
        gains = zip(self.arrays.fills, self.arrays.box_gains, strict=True)
        totals = 1 + int(sum(times * (gain.max() - min(gain.min(), 0)) for times, gain in gains))
        return self.states * totals * self.arrays.lattice.n_hands * (self.arrays.rerolls + 1)

    def curve(self) -> Floats:
        """Give the best chance of at least t points for every t from 0 to the most that is possible.

        Raises `GameError` for a solution against an opponent, or of a part of the game.
        """
        self._check_targets()
        row = int(self.rows.row_of[self.arrays.full, 0])
        targets = np.arange(max(-int(self.rows.row_low[row]), 0) + 1)
        found: Floats = self._meaning.value(self._read(row, -targets), self._means(self.arrays.full, 0) - targets)
        return found[: max(int(np.count_nonzero(found > self._axis.ending.tilt)), 1)]

    def for_target(self, target: int) -> "PointsSolution":
        """Give the solution for another target; nothing is solved, and the chances are shared.

        Raises `GameError` for a solution against an opponent, or of a part of the game.
        """
        self._check_targets()
        found = self.for_objective(type(self.objective)(target))  # type: ignore[call-arg]
        return found or self

    def _check_targets(self) -> None:
        if self.objective.mark is None:
            raise GameError(NO_TARGET.format(self.objective))
        if self.part_start is not None:
            raise GameError("this sheet was solved from a position on: solve all of it")

    def for_objective(self, objective: Any) -> "PointsSolution | None":
        """Give the solution for another share of games, or another target of the same objective; nothing is solved."""
        family = FAMILIES.get(objective.name)
        if (
            family is None
            or self.part_start is not None
            or family.key(objective) != family_of(self.objective).key(self.objective)
        ):
            return None
        objective = with_target(objective, self.rows, self.chance)
        certificate = self.certificate.scaled(family.meaning(objective, self.arrays).scale / self._meaning.scale)
        game = lift_sheet(self.sheet, self.arrays, objective)
        return replace(self, game=game, objective=objective, certificate=certificate)

    def _split(self, position: Any) -> tuple[Any, ...]:
        kind = WithPointsNeeded if family_of(self.objective).needs else WithTotal
        if not isinstance(position, kind):
            raise PositionError(f"{position!r} is not a position of this game, a turn and its points: use read_state")
        return tuple(position)

    def _find(self, position: Any) -> tuple[int, int] | None:
        outer = super()._find(position)
        if outer is None or not len(self.rows.row_reach):
            return outer
        # Where a game may be won at once, an end does not tell whether it was: its total is that of a full sheet, or of a win.
        rows = (
            [row for row in self.rows.row_of[0] if row >= 0] if not outer[0] and self.arrays.wins else [self.rows.row_of[outer]]
        )
        return outer if any(self._occurs(row, self.standing(position.points)) for row in rows) else None

    def _occurs(self, row: int, standing: int) -> bool:
        """Whether a row has been solved for a standing, or need not be; a target that is reached may have been exceeded."""
        if row < 0 or not len(self.rows.row_reach):
            return row >= 0
        low, high = self.rows.row_reach[row].tolist()
        exceeded = standing == 0 < low <= high and isinstance(self.game, NeedingGame) and self.game.floor
        return low <= standing <= high or exceeded

    def standing(self, points: Any) -> Any:
        """Give the standing that a position's points stand for: what rows are indexed by."""
        return family_of(self.objective).standing(points, self._meaning)

    def _start_value(self, opened: int, carry: int, *more: int) -> Number:
        row = int(self.rows.row_of[opened, carry])
        return float(self._shown(self._read(row, [self.standing(*more)])[0], opened, carry, *more))

    def _end_value(self, opened: int, carry: int, *more: int) -> Number:
        (points,) = more
        return float(points <= 0) if family_of(self.objective).needs else float(self.objective.worth(points))

    def _turn_table(self, opened: int, carry: int, *more: int) -> TurnTable:
        start = (np.array([one]) for one in (opened, carry, *more))
        return TurnTable(self.arrays, opened, self._worth(*start)[..., 0], self._effect_values.tie)

    def _hand_value(self, left: int, hand: Hand, opened: int, carry: int, *more: int) -> Number | None:
        found = super()._hand_value(left, hand, opened, carry, *more)
        return None if found is None else float(self._shown(found, opened, carry, *more))

    def _keep_value(self, left: int, kept: Hand, opened: int, carry: int, *more: int) -> Number | None:
        found = super()._keep_value(left, kept, opened, carry, *more)
        return None if found is None else float(self._shown(found, opened, carry, *more))

    def _valued(self, state: Any) -> Iterator[tuple[Any, Number]]:
        turn, *more = self._split(state)
        outer = self.outer(state) if turn.dice else None
        return (
            (action, value if outer is None else self._shown(value, *outer, *more)) for action, value in super()._valued(state)
        )

    def best(self, state: Any) -> Any:
        """Return the best action: where the mean decides, from the turn's table, as the values of all moves take longer."""
        state = self._read_state(state)
        chosen = None if self._state_value(state) is None else self._chosen(state)
        return super().best(state) if chosen is None else chosen

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        """The place of the chosen action: where the mean decides, as the turn's table chooses."""
        chosen = self._chosen(state)
        if chosen is None:
            return super()._choice(state, best, rows)
        return next(place for place, row in enumerate(rows) if row.action == chosen)

    def _chosen(self, state: Any) -> Any:
        """Give the action that the turn's table chooses; None: where the mean does not decide, or there are no dice."""
        turn, *more = self._split(state)
        if not self._axis.ending.tilt or not turn.dice:
            return None
        table = self._table(*self.outer(state), *more)
        hand, boxes = self.arrays.lattice.number(turn.dice) - self.arrays.lattice.first_hand, self.arrays.n_boxes
        chosen = int(table.choice(turn.left)[hand])
        return self.sheet.names[chosen] if chosen < boxes else self.arrays.lattice.keeps[table.keeps[hand, chosen - boxes]]

    def worth_after(self, opened: int, carry: int, points: int, *more: int) -> Number | None:
        row = int(self.rows.row_of[opened, carry])
        standing = self.standing(*more) + points
        if not self._occurs(row, standing):
            return None
        return float(self._shown(self._read(row, [standing])[0], opened, carry, more[0], points))

    def _worth(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        (points,) = more
        return self._effect_values.worth(opened, carry, self.standing(points))

    @property
    def _effect_values(self) -> RowValues:
        return self._axis.effect_values(self._axis.whole, np.asarray(self.chance))

    def _states(self) -> Iterator[Any]:
        for opened, carry, points in self._starts():
            upper, primed = read_carry(self.sheet, carry)
            for left in range(self.arrays.rerolls, -1, -1):
                for hand in self.sheet.hands:
                    yield self.game.lift(Turn(opened, upper, primed, hand, left), points)

    def _starts(self) -> Iterator[tuple[int, int, int]]:
        """All turn starts that can occur: open boxes, carry, points; the first one first."""
        turn, first = self._start
        begin = turn.open, int(carry_number(self.sheet, turn.upper, turn.primed))
        found: dict[tuple[int, int], set[int]] = {begin: {first}}
        for _ in range(self.arrays.turns(turn.open)):
            after: dict[tuple[int, int], set[int]] = {}
            for (opened, carry), points in sorted(found.items()):
                if carry == self.arrays.over:
                    continue
                yield from ((opened, carry, number) for number in sorted(points))
                for box, effect in self._effects(opened):
                    gain, target = int(self.arrays.effect_gain[effect, carry]), int(self.arrays.effect_target[effect, carry])
                    reached = after.setdefault((self.arrays.after(opened, box), target), set())
                    reached.update(self.game.after(number, gain) for number in points)
            found = after

    def _effects(self, opened: int) -> set[tuple[int, int]]:
        return {option for hand in range(self.arrays.hand_effect.shape[1]) for option in self.arrays.options(opened, hand)}

    def size(self) -> str:
        return f"{super().size()}, {counted(self.pendings, 'chance')}"

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        if policy is not None:
            return super().distribution(policy, pending, follow)
        follower = self._follower(pending)
        *_, (_, mass) = follower.layers(self.begins_after(pending), follow)
        lowest, chance = follower.total(mass)
        ends = describe_ends(self.sheet, self.arrays, follower.effect_mass)
        return trim(Distribution("points", lowest, chance, **ends))

    def often(self, follow: Follow) -> Mapping[Any, float]:
        """Compute the turn starts of the whole game, and the positions of those that come up most often."""
        start, found = self.game.start(), dict[Any, float]()
        follower, net = self._follower(start), self.arrays.lattice
        tops = follower.turn_starts(self.begins_after(start), follow, OFTEN)
        for mass, row, standing in tops[:OFTEN]:
            opened, carry = int(self.rows.row_open[row]), int(self.rows.row_carry[row])
            upper, primed = read_carry(self.sheet, carry)
            points = standing - follower.standing + start.points
            for left, hands in rolled_shares(self._table(opened, carry, points)):
                for hand in np.flatnonzero(hands).tolist():
                    position = self.game.lift(Turn(opened, upper, primed, net.keeps[net.first_hand + hand], left), points)
                    found[position] = mass * float(hands[hand])
        least = tops[OFTEN][0] * largest_share(net, self.arrays.rerolls) if len(tops) > OFTEN else 0.0
        return {position: share for position, share in found.items() if share > least}

    def _follower(self, pending: Any) -> StandingFollower:
        return StandingFollower(self._axis, self._effect_values.tie, int(self.standing(pending.points)))

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play many games by a strategy card, and say what their totals are worth."""
        followed = self.followed_card(policy)
        if followed is None:
            return None
        player = followed.player(tick)

        def play(rng: np.random.Generator, games: int) -> Ints:
            totals, place = np.unique(player.play(rng, games), return_inverse=True)
            return np.array([self.objective.score(total) for total in totals.tolist()])[place]

        return Player(play, player.most)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell the best chance for every target, where it was solved for one."""
        return target_sections(self)

    def pack(self) -> PackedSolution:
        if self.part_start is not None:
            return super().pack()
        arrays, rest = pack_arrays(self.arrays)
        found = {name: getattr(self.objective, name, None) for name in ("target", "share")}
        every = "" if found["target"] is None else f"{self.objective}, and every other {'share' if found['share'] else 'target'}"
        asked = {name: one if one is None else int(one) if name == "target" else str(one) for name, one in found.items()}
        return PackedSolution.of(self, {**arrays, **vars(self.rows), "chance": self.chance}, {**rest, **asked}, every)
