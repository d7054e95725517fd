"""Solve score sheets with saved rolls for the highest expected total, and answer from turn-start values.

A turn is recomputed when it is asked for. The mathematics is in `saved_arrays`.
"""

from collections.abc import Callable, Iterator, Mapping
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
from rollwise.model.expected import Expected
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.message import Message
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.solvers.base.abilities import Explains, Follows, ListsDecisions, Player, PlaysMany, Reports, UsesMemory
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.chunks import Chunk
from rollwise.solvers.base.distribution import Distribution, Follow
from rollwise.solvers.base.layer_files import layer_name
from rollwise.solvers.base.layers import solve_in_layers
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.memory_use import MemoryUse, memory_use
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.options import MAX_STATES, SolveOptions
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Number, PackedSolution, Solution
from rollwise.solvers.sheets.arrays import SheetArrays
from rollwise.solvers.sheets.checking import saved_by_hands
from rollwise.solvers.sheets.means import KEEPS_PER_SECOND
from rollwise.solvers.sheets.packing import arrays_digest
from rollwise.solvers.sheets.reading import least_positions, make_sheet_arrays, read_carry, sheet_bytes
from rollwise.solvers.sheets.report import first_turn
from rollwise.solvers.sheets.saved_arrays import SavedLayers, count_saved, saved_layers
from rollwise.solvers.sheets.saved_follow import saved_distribution, steps_saved
from rollwise.solvers.sheets.saved_simulate import SavedTables
from rollwise.solvers.sheets.saved_strategy import count_saved_rows, saved_chunks
from rollwise.solvers.sheets.saved_turn import SavedTurn, saved_turn
from rollwise.solvers.sheets.solution import find_outer
from rollwise.solvers.sheets.strategy import Start, start_of
from rollwise.solvers.sheets.turn import fill_turn
from rollwise.solvers.sheets.turns import After, TurnRecursion, Values, numpy_starts, pick_kernel

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
KEPT = 16
"""Turns that are kept in mind: one takes some megabytes."""
BATCH = 1 << 18
"""Games that are played together."""


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
    arrays, precision = make_sheet_arrays(sheet), str(packed.rest["precision"])
    shapes = saved_layers(arrays).shapes
    layers = {layer: packed.arrays[layer_name(layer)] for layer in range(len(shapes))}
    if any((part.shape, part.dtype.name) != (shapes[layer], precision) for layer, part in layers.items()):
        raise GameError("layers of another size or precision")
    return SavedSolution(sheet, objective, *packed.head, arrays=arrays, precision=precision, layers=layers)


def _fingerprint(arrays: SheetArrays, precision: str) -> str:
    return sha256(f"saved {arrays_digest(arrays)} {precision}".encode()).hexdigest()[:16]


def certify_saved(layout: SavedLayers, layers: Mapping[int, Values], precision: str) -> Certificate:
    """Bound the error of the recursion, and check some turn starts of each layer by another way of calculating.

    Every turn fills a box, so every strategy ends. A mean over faces errs by at most (faces + 2) units, there are `count` in a
    row in each roll; an effect adds one rounding and storing another. However rolls are saved, a game has no more of them than
    all its turns bring; no value is larger than the most that all boxes can gain.
    """
    arrays, net = layout.arrays, layout.arrays.lattice
    largest = float(sum(np.abs(arrays.effect_gain[low:high]).max() for low, high in pairwise(arrays.effect_start)))
    per_turn = ((arrays.rerolls + 1) * net.count * (net.faces + 2) + 2) * UNIT + STORED[precision]
    bound = 1.01 * arrays.n_boxes * per_turn * largest
    residual = max((_residual(layout, layers, layer) for layer in layers if layer - 1 in layers), default=0.0)
    require(residual <= max(bound, 1e-12), "a turn start violates the optimality equation")
    return Certificate(exact=False, ends=True, residual=residual, shortfall=0.0, error_bound=bound)


def _residual(layout: SavedLayers, layers: Mapping[int, Values], layer: int) -> float:
    """Compare some turn starts of a layer with turns computed from whole hands and their weights."""
    here, previous = layout.layer(layer), layout.layer(layer - 1)
    rows = np.unique(np.linspace(0, layout.shapes[layer][0] - 1, SAMPLE).astype(np.int64)).tolist()
    worst = 0.0
    for row in rows:
        start = here.part(row, row + 1)
        after = (After(previous, layers[layer - 1], left) for left in range(previous.columns))
        fills = (fill_turn(layout.arrays, values, *start) for values in after)
        found = np.array([value[0] for value in saved_by_hands(layout.arrays, fills)])
        worst = max(worst, float(np.abs(found[layout.arrays.rerolls :] - layers[layer][row]).max()))
    return worst


@dataclass(frozen=True, eq=False, repr=False)
class SavedSolution(Solution, Follows, PlaysMany, Explains, ListsDecisions, Reports, UsesMemory):
    """A solved sheet with saved rolls: `layers[j]` are the values with j open boxes, as `saved_arrays` lays them out."""

    solver_name = "saved"
    size_word = "turn starts"
    proof = (
        "Every turn fills a box, so the game surely ends, and each turn's value, for every number of rolls saved, follows "
        "from those of the turns after it."
    )
    checked = "in a sample of positions calculated in another way"

    arrays: SheetArrays
    precision: str
    layers: Mapping[int, Values]

    @cached_property
    def fingerprint(self) -> str:
        """Digest the arrays of the sheet, and the precision."""
        return _fingerprint(self.arrays, self.precision)

    @property
    def sheet(self) -> Sheet:
        """The sheet."""
        return self.game  # type: ignore[no-any-return]

    @property
    def layout(self) -> SavedLayers:
        """How the layers lie."""
        return saved_layers(self.arrays)

    def values(self, layer: int) -> Values:
        """Give the values of a layer. Raises `GameError` for one that was not kept."""
        if layer not in self.layers:
            raise GameError(
                f"the turn starts with {counted(layer, 'open box', 'open boxes')} were not kept: solve with keep='all'"
            )
        return self.layers[layer]

    def outer(self, position: Any) -> tuple[int, int]:
        """Give the open boxes and the carry of a position. Raises `PositionError` if it does not occur."""
        found = find_outer(self.sheet, self.arrays, position)
        if found is None:
            raise self._unknown(position)
        return found

    def turn(self, position: Any) -> SavedTurn:
        """Give the turn that a position is in."""
        return self.turn_from(*self.outer(position))

    def turn_from(self, opened: int, carry: int) -> SavedTurn:
        """Give the turn with these open boxes and carry."""
        found: SavedTurn = self._turns(opened, carry)
        return found

    @cached_property
    def _turns(self) -> Any:
        return lru_cache(maxsize=KEPT)(self._turn)

    def _turn(self, opened: int, carry: int) -> SavedTurn:
        return saved_turn(self.layout, self.values(opened.bit_count() - 1), opened, carry)

    def _state_value(self, state: Any) -> Number | None:
        if find_outer(self.sheet, self.arrays, state) is None:
            return None
        if not state.open:
            return 0.0 if not state.dice and not state.left else None
        place = self.arrays.lattice.find(state.dice) - self.arrays.lattice.first_hand
        if place < 0 or not 0 <= state.left <= self.sheet.most_rerolls(state.open):
            return None
        return float(self.turn(state).hand[state.left][place])

    def _pending_value(self, pending: Any) -> Number | None:
        outer = find_outer(self.sheet, self.arrays, pending)
        if outer is None:
            return None
        if not pending.open:
            return 0.0 if not pending.dice and not pending.left else None
        most, saved = self.sheet.most_rerolls(pending.open), pending.left - self.arrays.rerolls - 1
        if not pending.dice and 0 <= saved <= most - self.arrays.rerolls:
            return self._start_value(*outer, saved)
        place = self.arrays.lattice.find(pending.dice)
        if not 0 <= place < self.arrays.lattice.first_hand or not 1 <= pending.left <= most:
            return None
        return float(self.turn(pending).expected[pending.left][place])

    def _start_value(self, opened: int, carry: int, saved: int) -> float:
        layer = opened.bit_count()
        row = self.layout.rows(layer, np.array(opened), np.array(carry))
        return float(self.values(layer)[int(row), saved])

    def _valued(self, state: Any) -> Iterator[tuple[Any, Number]]:
        """Every action with its value, read from the turn's table."""
        if not state.dice:
            return
        turn, net = self.turn(state), self.arrays.lattice
        fill, kept = turn.fill[state.left, :, net.number(state.dice) - net.first_hand].tolist(), turn.expected[state.left]
        for action in self.sheet.actions(state):
            yield action, fill[self.sheet.names.index(action)] if isinstance(action, str) else float(kept[net.number(action)])

    def parts(self, state: Any, action: Any, value: Number) -> tuple[Part, ...]:
        """Box by box: what the turn may end with."""
        stands = self.value(state, kind="state")
        first = Part("stands", Message("part.position"), stands)
        if isinstance(action, str):
            return first, Part("box", action, value - stands, 1.0, self.sheet.gain(state, action), after=value)
        ends = self.turn(state).ends(state.left, self.arrays.lattice.number(action)).tolist()
        found = [(name, *row) for name, row in zip(self.sheet.names, ends, strict=True) if row[0] > 0]
        return first, *(
            Part("box", name, worth - chance * stands, chance, points / chance, after=worth / chance)
            for name, chance, worth, points in found
        )

    def _states(self) -> Iterator[Any]:
        masks = np.concatenate(self.layout.masks[1:])
        for opened in sorted(masks.tolist()):
            for carry in sorted(self.arrays.can_carry(opened)):
                upper, primed = read_carry(self.sheet, carry)
                for left in range(self.sheet.most_rerolls(opened), -1, -1):
                    for hand in self.sheet.hands:
                        yield Turn(opened, int(upper), bool(primed), hand, left)

    def _count_all(self) -> int:
        """The number of rows of `policy`: every hand with every number of rerolls, of every turn."""
        starts = np.diff(self.arrays.carry_start) + np.diff(self.arrays.copy_start)
        masks = np.concatenate(self.layout.masks[1:])
        rolls = 1 + self.arrays.rerolls * (1 + self.arrays.n_boxes - np.bitwise_count(masks).astype(np.int64))
        return int((starts[self.arrays.carry_class[masks]] * rolls).sum()) * self.arrays.lattice.n_hands

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play many games a turn at a time."""
        return Player(SavedTables(self, tick).play, BATCH) if policy is None else None

    def steps(self, state: Any) -> int:
        """Count keeps, points and rolls of all turns that follow."""
        return steps_saved(self.arrays, int(state.open))

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow its own strategy on the sheet's arrays; another one on the graph of a small sheet."""
        if policy is None:
            return saved_distribution(self, pending, follow)
        refuse_following(self.sheet, MAX_STATES)
        return None

    def chunks(self, words: tuple[str, str], rows: int, where: Mapping[str, str]) -> Iterator[Chunk] | None:
        """Work all decisions of many turns out at once."""
        return saved_chunks(self, words, rows, start_of(self.sheet, where))

    def count(self, where: Mapping[str, str]) -> int:
        """Count the decisions of the turns that are wanted."""
        start = start_of(self.sheet, where)
        return self._count_all() if start == Start(None, None) else count_saved_rows(self, start)

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell the hardest decisions of the first turn."""
        return first_turn(self, progress)

    def memory_use(self) -> MemoryUse:
        return {**memory_use(self.layers.values()), id(self._turns): self._turns.cache_info().currsize * TURN_BYTES}

    def size(self) -> str:
        text = counted(self.states, "turn start")
        return text if self.precision == "float64" else f"{text}, {self.precision}"

    def pack(self) -> PackedSolution:
        """Take it apart: its layers. Raises `GameError` where not all were kept."""
        layers = {layer_name(layer): self.values(layer) for layer in range(self.arrays.n_boxes + 1)}
        return PackedSolution.of(self, layers, {"precision": self.precision})


TURN_BYTES = 4 << 20
"""What a turn takes that is kept in mind, about."""
