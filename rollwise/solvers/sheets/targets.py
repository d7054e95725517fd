"""Solve score sheets for a target or against an opponent, and answer from rows of chances (`standings`).

Positions are those of the lifted game: `WithPointsNeeded(turn, points)` for `AtLeast`, `WithTotal(turn, points)` for `Against`.
The chances for a target t are those of every target, moved by t points: `for_target` and `curve` solve nothing.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from time import perf_counter
from typing import Any, Literal

import numpy as np

from rollwise.errors import GameError, PositionError, require
from rollwise.games.sheets.boxes import Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.model.against import Against
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.lift import HavingGame, LiftedGame, NeedingGame, WithPointsNeeded, WithTotal
from rollwise.model.objectives import AtLeast
from rollwise.model.policy import Policy
from rollwise.solvers.base.abilities import AnswersTargets, Player
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Evaluation, Number, PackedSolution, unknown_position
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import pick_kernel
from rollwise.solvers.sheets.checking import turn_by_hands
from rollwise.solvers.sheets.follow import sheet_distribution
from rollwise.solvers.sheets.packing import arrays_digest, pack_arrays
from rollwise.solvers.sheets.reading import carry_number, make_sheet_arrays, read_carry, sheet_bytes
from rollwise.solvers.sheets.report import target_sections
from rollwise.solvers.sheets.rows import RowValues, fill_row, numpy_rows, read_row
from rollwise.solvers.sheets.solution import OnePlayerSolution, find_outer, is_small
from rollwise.solvers.sheets.standings import TARGET, Begin, Ending, StandingAxis, StandingRows, make_rows, solve_points

__all__ = ["PointsEngine", "PointsSolution", "evaluate_target_card", "lift_sheet", "solve_points_game"]

PointsEngine = Literal["points-numpy", "points-numba"]

MOST_STANDINGS = 2_000_000
"""Standings that are followed one by one: half a minute."""
LARGE = 50_000
"""Beyond this many chances compiling is worth its two seconds."""
LANES = 8


def solve_points_game(
    sheet: Sheet, objective: AtLeast | Against, options: SolveOptions | None = None, start: Any = None
) -> "PointsSolution":
    """Solve a sheet for the best chance of reaching a target, or of beating an opponent; or what follows the start of a turn.

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
    arrays, ending = make_sheet_arrays(sheet), _ending(objective)
    what = f"the chances of every total with {len(sheet.boxes)} boxes"
    game = lift_sheet(sheet, arrays, objective)
    begin = None if start is None else _begin(game, arrays, start)
    rows = make_rows(
        arrays, ending, reachable=isinstance(objective, Against), begin=begin, fits=lambda size: check_fits(what, 8 * size)
    )
    name, kernel = pick_kernel("points", numpy_rows, options.engine, large=rows.size > LARGE)
    own = replace(options, backend=options.backend.single_threaded()) if kernel is numpy_rows else options
    layers_of = "" if objective.mark is not None else repr(objective)
    fingerprint = sha256(f"points {arrays_digest(arrays)} {layers_of}".encode()).hexdigest()[:16]
    axis = StandingAxis(arrays, rows, ending)
    chance = solve_points(axis, kernel, own, fingerprint=fingerprint)
    certificate = _certify(axis)
    states = arrays.n_outer if begin is None else len(rows.row_open)
    head = (game, objective, certificate, name, perf_counter() - begun, states, rows.size)
    return PointsSolution(*head, arrays=arrays, rows=rows, chance=chance, part_start=start)


def _begin(game: LiftedGame, arrays: SheetArrays, start: Any) -> Begin:
    """Give the start of a turn as the arrays have it. Raises `PositionError`."""
    turn, points = start
    outer = find_outer(game.game, arrays, turn)  # type: ignore[arg-type]
    if outer is None:
        raise unknown_position(game, start)
    return Begin(*outer, _standing(game, points))


def _standing(game: LiftedGame, points: Any) -> Any:
    """Give the standing that a position's points stand for: what rows are indexed by."""
    return -points if isinstance(game, NeedingGame) else points


def evaluate_target_card(sheet: Sheet, card: Any, objective: AtLeast | Against, progress: Progress | None) -> Evaluation | None:
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


def _ending(objective: AtLeast | Against) -> Ending:
    """What a final standing is worth."""
    if isinstance(objective, AtLeast):
        return TARGET
    score = [score for score, _ in objective.distribution]
    upto = list(accumulate((weight for _, weight in objective.distribution), initial=0))
    level = [float(objective.chance(total)) for total in score]
    return Ending(np.array(score), np.array(level), np.array([below / upto[-1] for below in upto]))


def lift_sheet(sheet: Sheet, arrays: SheetArrays, objective: AtLeast | Against) -> LiftedGame:
    """Make the game whose positions say what is needed, or the total so far."""
    if isinstance(objective, Against):
        return HavingGame(sheet, objective)
    return NeedingGame(sheet, objective.target, floor=bool(arrays.effect_gain.min() >= 0))


def _certify(axis: StandingAxis) -> Certificate:
    """Bound the error of the recursion, and check some turns against it by another way of calculating.

    Every turn fills a box, so every strategy ends. What the end pays is rounded once, and no chance is larger than 1.
    """
    arrays, rows, layer = axis.sheet, axis.laid, axis.whole
    bound = 1.01 * (arrays.n_turns * arrays.roundings + 1) * UNIT
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
        return StandingAxis(self.arrays, self.rows, chance=self.chance)

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
        self._target()
        row = int(self.rows.row_of[self.arrays.full, 0])
        most = max(-int(self.rows.row_low[row]), 0)
        found = self._read(row, -np.arange(most + 1))
        return found[: max(int(np.count_nonzero(found)), 1)]

    def for_target(self, target: int) -> "PointsSolution":
        """Give the solution for another target; nothing is solved, and the chances are shared.

        Raises `GameError` for a solution against an opponent, or of a part of the game.
        """
        self._target()
        objective = AtLeast(target)
        return replace(self, game=lift_sheet(self.sheet, self.arrays, objective), objective=objective)

    def _target(self) -> int:
        if self.objective.mark is None:
            raise GameError(f"this sheet was solved {self.objective}, not for a target: solve it for AtLeast(t)")
        if self.part_start is not None:
            raise GameError("this sheet was solved from a position on: solve all of it")
        return self.objective.mark

    def _split(self, position: Any) -> tuple[Any, ...]:
        kind = WithPointsNeeded if isinstance(self.game, NeedingGame) else WithTotal
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
        return _standing(self.game, points)

    def _start_value(self, opened: int, carry: int, *more: int) -> Number:
        row = int(self.rows.row_of[opened, carry])
        return float(self._read(row, [self.standing(*more)])[0])

    def _end_value(self, opened: int, carry: int, *more: int) -> Number:
        (points,) = more
        return float(self.objective.chance(points)) if isinstance(self.objective, Against) else float(points <= 0)

    def worth_after(self, opened: int, carry: int, points: int, *more: int) -> Number | None:
        row = int(self.rows.row_of[opened, carry])
        standing = self.standing(*more) + points
        return float(self._read(row, [standing])[0]) if self._occurs(row, standing) else None

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
        if policy is None and self.pendings > MOST_STANDINGS:
            raise GameError(
                f"the distribution of a sheet played {self.objective} follows {self.pendings:,} standings, more than the "
                f"{MOST_STANDINGS:,} that take seconds: use fewer boxes"
            )
        return super().distribution(policy, pending, follow)

    def _standing(self, pending: Any) -> int:
        return int(self.standing(pending.points))

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
        target = self.objective.mark
        every = "" if target is None else f"{self.objective}, and every other target"
        return PackedSolution.of(self, {**arrays, **vars(self.rows), "chance": self.chance}, {**rest, "target": target}, every)
