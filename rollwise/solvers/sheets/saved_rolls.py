"""Solve score sheets with saved rolls for the highest expected total, and answer from turn-start values.

A turn is recomputed when a position in it is queried. The mathematics is in `saved_rolls_axis`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from itertools import pairwise
from time import perf_counter
from typing import Any, Literal

import numpy as np

from rollwise.errors import GameError, require
from rollwise.games.sheets.boxes import Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.model.game import Progress
from rollwise.model.message import Message
from rollwise.model.objective import Expected
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.solvers.base.abilities import Explains, Follows, Player, PlaysMany
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import MAX_STATES, SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Number, PackedSolution
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.backward import TurnRecursion, Values, numpy_starts, pick_kernel
from rollwise.solvers.sheets.checking import saved_by_hands
from rollwise.solvers.sheets.effect_values import SavedValues
from rollwise.solvers.sheets.means import KEEPS_PER_SECOND
from rollwise.solvers.sheets.packing import arrays_digest
from rollwise.solvers.sheets.reading import least_positions, make_sheet_arrays, sheet_bytes
from rollwise.solvers.sheets.report import first_turn
from rollwise.solvers.sheets.saved_rolls_axis import SavedLayers, count_saved, saved_layers
from rollwise.solvers.sheets.saved_rolls_follow import saved_distribution, steps_saved
from rollwise.solvers.sheets.simulate import PlayedTurns, SheetPlayer
from rollwise.solvers.sheets.solution import LayeredPositions, ListedTurns, unpack_layers
from rollwise.solvers.sheets.turn import best_fill
from rollwise.solvers.sheets.turn_table import Ends, TurnTable

__all__ = [
    "SavedEngine",
    "SavedSolution",
    "certify_saved",
    "plan_saved",
    "refuse_following",
    "saved_recursion",
    "solve_saved",
    "unpack_saved",
]

SavedEngine = Literal["saved-numpy", "saved-numba"]

LARGE = 20_000
"""Beyond this many turn starts compiling is worth its seconds."""
SAMPLE = 3
"""Turn starts of every layer that are calculated in another way."""
STORED = {"float64": 0.0, "float32": 2.0**-24}
"""By how much a value changes when it is stored, relative to itself."""
WITH_BOXES = 2.2
"""How much longer a roll takes when boxes may be filled before each, as measured."""
BATCH = 1 << 18
"""Games that are played together."""
LANES = 128
"""Turns that are computed together for play."""


def plan_saved(sheet: Sheet, options: SolveOptions) -> Plan:
    """Say what a sheet with saved rolls takes, in memory or with its layers on disk. Raises `GameError` for one too large."""
    check_fits(f"a sheet of {len(sheet.boxes)} boxes", sheet_bytes(sheet))
    arrays = make_sheet_arrays(sheet)
    number = np.dtype(options.precision).itemsize
    every, sizes = count_saved(arrays)
    all_here = options.keep == "all" and options.checkpoint is None
    two = max(map(sum, pairwise([0, *sizes])))
    work = sum(sizes) * len(arrays.lattice.keeps)
    kept = sum(sizes if options.keep == "all" else sizes[-2:])
    return Plan(
        states=every,
        memory_bytes=number * (sum(sizes) if all_here else two),
        disk_bytes=number * kept if options.checkpoint is not None else 0,
        seconds=WITH_BOXES * work / (KEEPS_PER_SECOND["float64"] * options.threads),
    )


def refuse_following(sheet: Sheet, most: int) -> None:
    """Refuse to follow other strategies than the best one on a sheet with more than `most` positions. Raises `GameError`."""
    if least_positions(sheet) > most:
        raise GameError(
            f"other strategies than the best one are followed with saved rolls on up to {most:,} positions: use fewer boxes"
        )


def _check(sheet: Sheet, options: SolveOptions) -> None:
    found = plan_saved(sheet, options)
    check_fits(f"a sheet of {len(sheet.boxes)} boxes with saved rolls", found.memory_bytes or 0)


def solve_saved(sheet: Sheet, options: SolveOptions) -> "SavedSolution":
    """Solve a sheet with saved rolls for the highest expected total.

    Raises `GameError`, before anything is allocated, if its values do not fit into memory.
    """
    begun = perf_counter()
    if not options.backend.is_remote:
        _check(sheet, options)
    arrays = make_sheet_arrays(sheet)
    name, recursion = saved_recursion(arrays, options)
    recursion.check = partial(_check, sheet)
    solve_in_layers(recursion, options)
    proof = certify_saved(saved_layers(arrays), recursion.layers, options.precision)
    every = count_saved(arrays)[0]
    return SavedSolution(
        sheet, Expected(), proof, name, perf_counter() - begun, every, every,
        arrays=arrays, precision=options.precision, layers=recursion.layers,
    )  # fmt: skip


def saved_recursion(arrays: SheetArrays, options: SolveOptions) -> tuple[str, TurnRecursion]:
    """Give the name of an engine, and what computes the layers with it."""
    name, kernel = pick_kernel("saved", numpy_starts, options.engine, large=sum(count_saved(arrays)[1]) > LARGE)
    return name, TurnRecursion(saved_layers(arrays), kernel, options.precision, _fingerprint(arrays, options.precision))


def unpack_saved(sheet: Sheet, objective: Expected, packed: PackedSolution) -> "SavedSolution":
    """Put a stored solution together again. Raises `GameError` for layers that are not those of this sheet."""
    arrays = make_sheet_arrays(sheet)
    return SavedSolution(sheet, objective, *packed.head, arrays=arrays, **unpack_layers(saved_layers(arrays), packed))


def _fingerprint(arrays: SheetArrays, precision: str) -> str:
    return sha256(f"saved {arrays_digest(arrays)} {precision}".encode()).hexdigest()[:16]


def certify_saved(layout: SavedLayers, layers: Mapping[int, Values], precision: str) -> Certificate:
    """Bound the error of the recursion, and check some turn starts of each layer by another way of calculating.

    Every turn fills a box, so every strategy ends. An effect adds one rounding to those of a turn, and storing another. However
    rolls are saved, a game has no more of them than all its turns bring; no value is larger than the most that all boxes can
    gain.
    """
    arrays = layout.arrays
    per_turn = (arrays.roundings + 2) * UNIT + STORED[precision]
    bound = 1.01 * arrays.n_boxes * per_turn * arrays.largest_total
    residual = max((_residual(layout, layers, layer) for layer in layers if layer - 1 in layers), default=0.0)
    require(residual <= max(bound, 1e-12), "a turn start violates the optimality equation")
    return Certificate(residual=residual, error_bound=bound)


def _residual(layout: SavedLayers, layers: Mapping[int, Values], layer: int) -> float:
    """Compare some turn starts of a layer with turns computed from whole hands and their weights."""
    here, previous = layout.layer(layer), layout.layer(layer - 1)
    rows = np.unique(np.linspace(0, layout.shapes[layer][0] - 1, SAMPLE).astype(np.int64)).tolist()
    worst = 0.0
    for row in rows:
        start = here.part(row, row + 1)
        worths = SavedValues(layout.arrays, previous.places, layers[layer - 1]).worth(*start)
        fills = (best_fill(layout.arrays, start[0], worth) for worth in worths)
        found = np.array([value[0] for value in saved_by_hands(layout.arrays, fills)])
        worst = max(worst, float(np.abs(found[layout.arrays.rerolls :] - layers[layer][row]).max()))
    return worst


@dataclass(frozen=True, eq=False, repr=False)
class SavedSolution(LayeredPositions, ListedTurns, Follows, PlaysMany, Explains):
    """A solved sheet with saved rolls: `layers[j]` are the values with j open boxes, as `saved_rolls_axis` lays them out."""

    solver_name = "saved"
    proof = (
        "Every turn fills a box, so the game surely ends, and each turn's value, for every number of rolls saved, follows "
        "from those of the turns after it."
    )
    kept_turns = 16

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays of the sheet, and the precision."""
        return _fingerprint(self.arrays, self.precision)

    @property
    def axis(self) -> SavedLayers:
        return saved_layers(self.arrays)

    def _worth(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        layer = int(opened[0]).bit_count() - 1
        return SavedValues(self.arrays, partial(self.axis.rows, layer), np.asarray(self.values(layer))).worth(opened, carry)

    def turn_from(self, opened: int, carry: int) -> TurnTable:
        """Give the turn with these open boxes and carry."""
        found: TurnTable = self._table(opened, carry)
        return found

    def most_rerolls(self, opened: Any) -> Any:
        return self.axis.most_saved(self.arrays.turns(opened) - 1)

    @cached_property
    def _box_ends(self) -> Any:
        return lru_cache(maxsize=self.kept_turns)(self._ends_by_box)

    def _ends_by_box(self, opened: int, carry: int) -> Ends:
        """What the turn may end with: by box its chance; and times that value, points, and value without saved rolls."""
        turn, gain = self.turn_from(opened, carry), self.arrays.effect_gain[:, carry]

        def pays(left: int, box: Ints, hand: Ints) -> Floats:
            rows = np.zeros((len(box), self.arrays.n_boxes, 4))
            points, worth = gain[turn.effect[box, hand]], [turn.fill[saved][box, hand] for saved in (left, 0)]
            rows[np.arange(len(box)), box] = np.stack([np.ones(len(box)), worth[0], points, worth[1]], axis=1)
            return rows

        return Ends(turn, (self.arrays.n_boxes, 4), pays)

    def _first_value(self, turn: Turn, opened: int, carry: int, *more: int) -> float:
        layer = opened.bit_count()
        row = self.axis.rows(layer, np.array(opened), np.array(carry))
        return float(self.values(layer)[int(row), turn.left - self.arrays.rerolls - 1])

    def parts(self, state: Any, action: Any, value: Number) -> tuple[Part, ...]:
        """Box by box: what the turn may end with, compared with its beginning; and what the rolls are worth that it saves."""
        opened, carry = self.outer(state)
        stands = self._first_value(state._replace(left=self.arrays.rerolls + 1), opened, carry)
        if isinstance(action, str):
            box, hand = self.sheet.names.index(action), self.arrays.lattice.number(state.dice) - self.arrays.lattice.first_hand
            plain = float(self.turn_from(opened, carry).fill[0][box, hand])
            found = [(action, 1.0, value, self.sheet.gain(state, action), plain)]
        else:
            ends = self._box_ends(opened, carry).keeps(state.left)[self.arrays.lattice.number(action)].tolist()
            found = [(name, *row) for name, row in zip(self.sheet.names, ends, strict=True) if row[0] > 0]
        boxes = [
            Part("box", name, plain - chance * stands, chance, points / chance, after=worth / chance)
            for name, chance, worth, points, plain in found
        ]
        saved = sum(worth - plain for *_, worth, _, plain in found)
        return Part("stands", Message("part.before"), stands), *boxes, Part("saved", Message("part.saved"), saved)

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play many games a turn at a time."""
        if policy is not None:
            return None
        return Player(SheetPlayer(self.arrays, self._played, tick, saves_rolls=True, lanes=LANES).play, BATCH)

    def _played(self, opened: Ints, carry: Ints) -> PlayedTurns:
        """Compute turns for play, with compiled code."""
        from rollwise.solvers.sheets.kernels.starts_numba import numba_tables  # noqa: PLC0415  (compiled code is loaded only where it is used)

        layer, net = int(opened[0]).bit_count(), self.arrays.lattice
        tables = numba_tables(self.axis, layer, np.asarray(self.values(layer - 1)), opened, carry)
        expected = np.full((tables.shape[1], net.first_hand + 1, len(opened)), -np.inf)
        by_lane = tables[:, :-1].transpose(1, 2, 0, 3)
        expected[1:, :-1] = by_lane.reshape(*by_lane.shape[:2], -1)[:, :, : len(opened)]
        return PlayedTurns(self.arrays, opened, self._worth(opened, carry), expected)

    def steps(self, state: Any) -> int:
        """Count keeps, points and rolls of all turns that follow."""
        return steps_saved(self.arrays, int(state.open))

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow its own strategy on the sheet's arrays; another one on the graph of a small sheet."""
        if policy is None:
            return saved_distribution(self, pending, follow)
        refuse_following(self.sheet, MAX_STATES)
        return None

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell the hardest decisions of the first turn."""
        return first_turn(self, progress)

    @property
    def _turn_bytes(self) -> int:
        return TURN_BYTES

    def size(self) -> str:
        text = super().size()
        return text if self.precision == "float64" else f"{text}, {self.precision}"


TURN_BYTES = 4 << 20
"""About what a turn in memory takes."""
