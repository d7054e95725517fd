"""Solve a duel on a score sheet, and answer from turn-start values: a turn is recomputed when a position in it is queried.

The arrays hold the mover's worth: his chance to win plus what a tie is worth to him times its chance; the opponent's is one minus
that. What is said outside is player 0's. The mathematics is in `duel_arrays`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import PositionError, require
from rollwise.games.sheets.boxes import Turn
from rollwise.games.sheets.duel import DuelGame, DuelTurn, RestatedDuel
from rollwise.games.sheets.rules import Sheet
from rollwise.model.formatting import power
from rollwise.model.game import Progress
from rollwise.model.objectives import Duel
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.solvers.base.abilities import BestAnswers, Player, PlaysMany, Split, Splits
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.base.options import SolveOptions
from rollwise.solvers.base.solution import Kind, Number, PackedSolution, Ranked, Solution
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import TurnRecursion, Values
from rollwise.solvers.sheets.checking import turn_by_hands
from rollwise.solvers.sheets.duel_arrays import DuelArrays, error_bound, make_duel_arrays
from rollwise.solvers.sheets.duel_follow import BEST, Side, follow_sides, read_sides
from rollwise.solvers.sheets.duel_plan import DuelPlan, check_memory, list_outers, plan_outers
from rollwise.solvers.sheets.duel_simulate import DuelTables
from rollwise.solvers.sheets.means import DUEL_ENGINES
from rollwise.solvers.sheets.packing import arrays_digest
from rollwise.solvers.sheets.rows import Layer, fill_row, read_row, sample_rows
from rollwise.solvers.sheets.solution import LayeredPositions, TurnSolution, find_outer, unpack_layers

__all__ = ["DuelSolution", "best_by_hands", "certify_layers", "lay_out_duel", "solve_duel", "unpack_duel"]

UNITS = {"float64": 2.0**-53, "float32": 2.0**-24}
MOST_ANSWERED = 5_000_000
"""Turn starts of a duel up to which the best answer to a strategy is computed without a request: some seconds."""
BATCH = 1 << 16
"""Games that are played together."""


def solve_duel(sheet: Sheet, objective: Duel, options: SolveOptions) -> "DuelSolution":
    """Solve a duel of two players on a sheet.

    Raises `GameError`, before anything is allocated, if the values do not fit into memory or the checkpoint, or if the checkpoint
    holds something else.
    """
    begun = perf_counter()
    game, duel, plan = lay_out_duel(sheet, objective, options)
    arrays, recursion = duel.sheet, _recursion(sheet, duel, options)
    recursion.fingerprint = _fingerprint(arrays, game, options.precision)
    solve_in_layers(recursion, options)
    bound = error_bound(arrays, UNITS[options.precision])
    proof, seconds = certify_layers(duel, recursion.layers, bound, best_by_hands), perf_counter() - begun
    return DuelSolution(
        game, objective, proof, DUEL_ENGINES[options.backend.name], seconds, plan.states, plan.states,
        arrays=arrays, duel=duel, precision=options.precision, layers=recursion.layers,
    )  # fmt: skip


def lay_out_duel(sheet: Sheet, objective: Duel, options: SolveOptions) -> tuple[RestatedDuel, DuelArrays, DuelPlan]:
    """Give the game of a duel, its arrays and what it takes. Raises `GameError` where that does not fit into memory."""
    game = RestatedDuel(sheet, objective.ties)
    arrays, outers = list_outers(sheet)
    plan = plan_outers(arrays, outers, options)
    if not options.backend.is_remote:
        check_memory(sheet, arrays, plan)
    return game, replace(make_duel_arrays(arrays, outers), tie=float(game.tie)), plan


def _recursion(sheet: Sheet, arrays: DuelArrays, options: SolveOptions) -> TurnRecursion:
    """What computes the layers; compiled code is loaded only where it is used."""
    recursion: TurnRecursion
    if options.backend.name == "gpu":
        from rollwise.solvers.sheets.kernels.duel_cuda import GpuRecursion  # noqa: PLC0415

        recursion = GpuRecursion(arrays, options.precision)
    else:
        from rollwise.solvers.sheets.kernels.rows_numba import numba_rows  # noqa: PLC0415

        recursion = TurnRecursion(arrays, numba_rows, options.precision)
    recursion.check = lambda own: check_memory(
        sheet, arrays.sheet, plan_outers(arrays.sheet, arrays.outers, replace(own, checkpoint=None))
    )
    return recursion


def unpack_duel(sheet: Sheet, objective: Duel, packed: PackedSolution) -> "DuelSolution":
    """Put a stored duel together again. Raises `GameError` for layers that are not those of this duel."""
    arrays, outers = list_outers(sheet)
    game, duel = RestatedDuel(sheet, objective.ties), make_duel_arrays(arrays, outers)
    return DuelSolution(game, objective, *packed.head, arrays=arrays, duel=duel, **unpack_layers(duel, packed))


def _fingerprint(arrays: SheetArrays, game: DuelGame, precision: str) -> str:
    return sha256(f"duel {arrays_digest(arrays)} {game.tie} {precision}".encode()).hexdigest()[:16]


Check = Callable[[DuelArrays, Layer, Values, int, int, Ints], Floats]
"""Called with (arrays, the layer before, its values, mover, who has moved, leads): computes a turn in another way."""


def certify_layers(arrays: DuelArrays, layers: Mapping[int, Values], bound: float, check: Check) -> Certificate:
    """Check some values of each layer by another way of calculating. Every half-turn fills a box, so every strategy ends."""
    residual = max((_residual(arrays, layers, left, check) for left in layers if left - 1 in layers), default=0.0)
    require(residual <= bound, "a position of the duel violates the optimality equation")
    return Certificate(residual=residual, error_bound=bound)


def _residual(arrays: DuelArrays, layers: Mapping[int, Values], left: int, check: Check) -> float:
    previous, worst = arrays.layer(left - 1), 0.0
    for mover, moved, lead, stored in sample_rows(arrays, arrays.layer(left), layers[left]):
        worth = check(arrays, previous, layers[left - 1], mover, moved, lead)
        worst = max(worst, float(np.abs(1 - worth - stored).max(initial=0.0)))
    return worst


def best_by_hands(arrays: DuelArrays, previous: Layer, before: Values, mover: int, moved: int, lead: Ints) -> Floats:
    """Compute a turn of a player who plays for the win from whole hands and their weights."""
    return turn_by_hands(arrays.sheet, fill_row(arrays, previous, before, mover, moved, lead).astype(np.float64))


def _to_player_0(part: Part) -> Part:
    """Turn a part of player 1's worth into one of player 0's value."""
    value = 1 - part.value if part.kind == "stands" else -part.value
    return part._replace(value=value, after=None if part.after is None else 1 - part.after)


@dataclass(frozen=True, eq=False, repr=False)
class DuelSolution(LayeredPositions, TurnSolution, PlaysMany, BestAnswers, Splits):
    """A solved duel: `layers[k]` are the turn-start values with k half-turns left, as `duel_arrays` lays them out.

    Positions are those of `DuelGame`, and values player 0's, as everywhere. What a player chooses is what is best for himself,
    the mover: that is computed, and compared, in his worth, which for player 1 is one minus the value. Any lead between the
    least and the most that can lie behind the two sheets has a value.
    """

    solver_name = "duel"
    two_players = True

    duel: DuelArrays

    @property
    def axis(self) -> DuelArrays:
        return self.duel

    @cached_property
    def fingerprint(self) -> str:
        """Digest the rules, the worth of a tie and the precision."""
        return _fingerprint(self.arrays, self.game, self.precision)

    def value(self, position: Any = None, *, kind: Kind | None = None) -> float:
        """Return player 0's value of a position: a state, its text, or a pending roll; default: the start of the game."""
        position = self._read_state(position)
        return self._player_0(self.game.start() if position is None else position, float(super().value(position, kind=kind)))

    def ranked(self, state: Any) -> list[Ranked]:
        """List all actions from best to worst for the player to move, with player 0's values."""
        state = self._read_state(state)
        return [Ranked(action, self._player_0(state, float(worth)), loss) for action, worth, loss in super().ranked(state)]

    def _player_0(self, position: Any, worth: float) -> float:
        """Turn the mover's worth of a position into player 0's value."""
        return 1.0 - worth if self.game.mover(position) else worth

    def split(self, *, threads: int | None = None, progress: Progress | None = None) -> Split:
        """Split the value between two players who do what `best` says into the chances to win, to tie and to lose.

        >>> import rollwise
        >>> from rollwise.games import load
        >>> split = rollwise.solve(load("yazy", boxes="ones,five-of-a-kind"), rollwise.Duel()).split()
        >>> round(split.win, 6), round(split.tie, 6), round(split.loss, 6)
        (0.375675, 0.246617, 0.377708)

        Other strategies may be as good and tie more or less often; that is a matter of which action among ties is taken.
        """
        options = SolveOptions(backend=Threads(threads), progress=progress)
        value, worth = self.value(), float(self.game.tie)
        if self.precision == "float32":
            win, not_lost = self._followed(0.0, options), self._followed(1.0, options)
            return Split(win, not_lost - win, 1 - not_lost)
        if worth >= 0.5:
            win = self._followed(0.0, options)
            tie = (value - win) / worth
            return Split(win, tie, 1 - win - tie)
        not_lost = self._followed(1.0, options)
        tie = (not_lost - value) / (1 - worth)
        return Split(not_lost - tie, tie, 1 - not_lost)

    def _followed(self, tie: float, options: SolveOptions) -> float:
        return follow_sides(self.duel, self._sides, tie, options)

    @property
    def _sides(self) -> tuple[Side, Side]:
        """How the two play who do what `best` says."""
        own = Side(layers=self.all_layers())
        return own, own

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play many duels between two who do what `best` says, or between duellists and players for points."""
        sides = self._sides if policy is None else read_sides(policy, self.arrays)
        return None if sides is None or any(side is BEST for side in sides) else Player(DuelTables(self, sides, tick).play, BATCH)

    def answer(self, policy: Policy, player: int) -> Solution | None:
        """Solve the duel with a player for points; None for another policy, or a duel that takes more than seconds."""
        from rollwise.solvers.sheets.duel_answer import solve_answer  # noqa: PLC0415  (it is one of these, with more)

        sides = read_sides(policy, self.arrays) if self.states <= MOST_ANSWERED else None
        if sides is None or sides[0].table is None:
            return None
        objective = Duel(self.game.tie, player)
        return solve_answer(self.sheet, objective, SolveOptions(), np.asarray(sides[0].table))

    def size(self) -> str:
        return f"{super().size()}, {self.precision}"

    @property
    def _covers(self) -> str:
        return f"{self.objective}, {self.precision}"

    @property
    def sheet(self) -> Sheet:
        """The sheet that both players have."""
        return self.game.sheet  # type: ignore[no-any-return]

    def _split(self, position: Any) -> tuple[Any, ...]:
        if not isinstance(position, DuelTurn) or not isinstance(position.turn, Turn) or not isinstance(position.other, Turn):
            raise PositionError(f"{position!r} is not a position of a duel: use read_state")
        return position.turn, self._number(find_outer(self.sheet, self.arrays, position.other)), position.lead

    def _number(self, outer: tuple[int, int] | None) -> int:
        return -1 if outer is None else int(self.duel.outers.number[outer])

    def _find(self, position: Any) -> tuple[int, int] | None:
        turn, other, lead = self._split(position)
        outer = find_outer(self.sheet, self.arrays, turn)
        mover = self._number(outer)
        ahead = turn.open.bit_count() - position.other.open.bit_count()
        if mover < 0 or other < 0 or position.other.dice or position.other.left or ahead not in (0, 1):
            return None
        low, high = self._leads(mover, other)
        return outer if low <= lead <= high else None

    def _leads(self, mover: int, other: int) -> tuple[int, int]:
        """The lowest and the highest lead that can occur."""
        outers = self.duel.outers
        return (
            int(outers.got_least[mover] - outers.got_most[other]),
            int(outers.got_most[mover] - outers.got_least[other]),
        )

    def _start_value(self, opened: int, carry: int, *more: int) -> float:
        """The worth to a player at the start of his turn, or at the end of the game."""
        return 1.0 - self._moved_value(int(self.duel.outers.number[opened, carry]), *more)

    def _end_value(self, opened: int, carry: int, *more: int) -> float:
        return self._start_value(opened, carry, *more)

    def _moved_value(self, mover: int, other: int, lead: int) -> float:
        """The worth of the same position to the other player, who has just moved."""
        layer = self._layer(self._left(mover, other))
        return float(read_row(layer, self.values(layer.left), layer.row(other, mover), np.array([-lead]))[0])

    def worth_after(self, opened: int, carry: int, points: int, *more: int) -> float | None:
        moved, (other, lead) = int(self.duel.outers.number[opened, carry]), more
        if moved < 0:
            return None
        low, high = self._leads(moved, other)
        if not low <= lead + points <= high:
            return None
        layer = self._layer(self._left(moved, other))
        return float(read_row(layer, self.values(layer.left), layer.row(moved, other), np.array([lead + points]))[0])

    def parts(self, state: Any, action: Any, value: Number) -> tuple[Part, ...]:
        parts = super().parts(state, action, value)
        return tuple(map(_to_player_0, parts)) if self.game.mover(state) else parts

    def _worth(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        previous = self._layer(self._left(int(self.duel.outers.number[opened[0], carry[0]]), int(more[0][0])) - 1)
        return self.duel.effect_values(previous, self.values(previous.left)).worth(opened, carry, *more)

    def win_by_lead(self, opened: int, other: int, carry: int = 0, other_carry: int = 0) -> tuple[Ints, Floats]:
        """Give the mover's worth at the start of his turn for every lead that can occur with these open boxes and carries."""
        outers = self.duel.outers
        mover, rival = int(outers.number[opened, carry]), int(outers.number[other, other_carry])
        low, high = self._leads(mover, rival)
        layer = self._layer(self._left(mover, rival))
        leads = np.arange(low, high + 1)
        rows = read_row(layer, self.values(layer.left), layer.row(rival, mover), -leads)
        return leads, 1.0 - rows.astype(np.float64)

    def _left(self, mover: int, other: int) -> int:
        """How many half-turns are left."""
        opened = self.duel.outers.opened
        return int(opened[mover]).bit_count() + int(opened[other]).bit_count()

    @cached_property
    def _layer(self) -> Callable[[int], Layer]:
        return lru_cache(maxsize=None)(self.duel.layer)

    def proof_text(self) -> str:
        proof = self.certificate
        return (
            f"The chance is off by at most {power(proof.error_bound)}. All {self.states:,} turn starts (both sheets and the "
            "lead) were solved backwards, from the end of the game; rows of every layer were computed again in another way."
        )

    def figures(self, found: Distribution | None, progress: Progress | None) -> list[tuple[str, str]] | None:
        """Give what each player may expect, and how a duel ends."""
        from rollwise.solvers.sheets.duel_report import duel_figures  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return duel_figures(self, progress)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell what playing for the win is worth, where duellists do something else, and what leads are worth."""
        from rollwise.solvers.sheets.duel_report import duel_sections  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return duel_sections(self, progress)

    def _states(self) -> Iterator[Any]:
        """All decisions at leads that can occur and are not decided."""
        sheet, rerolls = self.sheet, self.arrays.rerolls
        for left in range(self.duel.n_layers - 1, 0, -1):
            layer = self._layer(left)
            for row in range(layer.n_rows):
                moved, mover = layer.pair(row)
                leads = layer.row_low[row] + np.arange(layer.row_start[row + 1] - layer.row_start[row])
                for turn, other, lead in product(self._sheets(mover), self._sheets(moved), leads.tolist()):
                    for rolls, hand in product(range(rerolls, -1, -1), sheet.hands):
                        yield DuelTurn(turn._replace(dice=hand, left=rolls), other, -lead)

    def _sheets(self, outer: int) -> list[Turn]:
        """The sheets that an outer stands for: merged carries are several."""
        outers, bonus = self.duel.outers, self.sheet.bonus
        opened = int(outers.opened[outer])
        carries: Ints = np.flatnonzero(outers.number[opened] == outer)
        split = [divmod(carry, (bonus.threshold if bonus else 0) + 1) for carry in carries.tolist()]
        return [Turn(opened, upper, bool(primed), (), 0) for primed, upper in split]
