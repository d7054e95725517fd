"""Solve a duel on a score sheet, and answer from turn-start values: a turn is recomputed when it is asked for.

All values are the mover's worth: his chance to win plus what a tie is worth to him times its chance. The opponent's is one minus
that. The mathematics is in `engines.duels`; layers may be kept in a directory, from which a later call goes on.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from itertools import product
from os import PathLike, cpu_count
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, get_args

import numpy as np

from rollwise.errors import GameError, PositionError, one_of, require
from rollwise.forms.base.blocks import Block
from rollwise.forms.base.certificate import Certificate
from rollwise.forms.base.layer_files import LayerFiles
from rollwise.forms.base.spread import Spread
from rollwise.forms.base.writing import CannotWrite
from rollwise.forms.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.forms.sheets.checking import turn_by_hands
from rollwise.forms.sheets.duel_arrays import (
    DuelArrays,
    Layer,
    Values,
    count_states,
    duel_form,
    error_bound,
    fill_duel,
    gain_rows,
    last_layer,
    read_row,
    solve_layers,
)
from rollwise.forms.sheets.duel_plan import Keep, Plan, Precision, check_disk, check_memory, list_outers, plan_outers
from rollwise.forms.sheets.packing import form_digest
from rollwise.forms.sheets.reading import sheet_form
from rollwise.forms.sheets.solution import TurnSolution, find_outer
from rollwise.games.duel import DuelGame, DuelTurn
from rollwise.games.sheet import Sheet, Turn
from rollwise.model.duel import Duel
from rollwise.model.game import Progress

__all__ = ["DuelSolution", "duel_fingerprint", "solve_duel"]

Device = Literal["cpu", "gpu"]
ENGINES = {"cpu": "duel-numba", "gpu": "duel-cuda"}
UNITS = {"float64": 2.0**-53, "float32": 2.0**-24}
SAMPLE_ROWS, SAMPLE_LEADS = 3, 8
"""How much of a layer is calculated in another way."""


def solve_duel(
    sheet: Sheet,
    *,
    precision: Precision = "float64",
    tie: Fraction | float = Fraction(1, 2),
    threads: int | None = None,
    directory: str | PathLike[str] | None = None,
    keep: Keep = "all",
    device: Device = "cpu",
    progress: Progress | None = None,
    message: Callable[[str], None] = lambda _: None,
    whole: bool = True,
    fall_back: bool = False,
) -> "DuelSolution":
    """Solve a duel of two players on a sheet; a tie is worth `tie` to the first player and 1 - tie to the second.

    >>> from rollwise.games import load
    >>> solution = solve_duel(load("yazy", boxes="ones,five-of-a-kind"))
    >>> round(solution.value(), 12)
    0.498983101082

    With a `directory` every finished layer is written there, and a later call with the same rules, precision and tie goes on from
    what is there, or loads what is finished; `message` is told about layers that are damaged, which are worked out again. Not
    `whole`, the values of a finished duel are compared with their checksums where they are read, and `StoreError` may come then.
    With `fall_back`, what cannot be written is kept in memory, and `message` is told.
    `keep="last"` keeps two layers only: enough for the value and the first turn. `threads` (default: all cores) and `device`
    change the time, never the result; "gpu" is an NVIDIA card through CuPy (`rollwise[gpu]`).

    Raises `GameError`, before anything is allocated, if the values do not fit into memory or the directory, or if the directory
    holds another duel.
    """
    begun = perf_counter()
    _check(precision, keep, device, threads)
    objective = Duel(tie)
    game = DuelGame(sheet, objective.ties)
    sheet_arrays, outers = list_outers(sheet)

    def plan_for(on_disk: bool) -> Plan:
        found = plan_outers(sheet_arrays, outers, precision, keep, on_disk, threads)
        check_memory(sheet, sheet_arrays, found)
        return found

    def stay_in_memory(reason: str) -> None:
        try:
            plan_for(on_disk=False)
        except GameError as error:
            raise GameError(f"{reason}; and in memory, {error}") from None
        message(f"the duel is not kept: {reason}")

    plan = plan_for(on_disk=directory is not None)
    form = duel_form(sheet_arrays, outers)
    files = None if directory is None else _files(form, game, precision, Path(directory))
    kept = _Kept(keep, files, stay_in_memory if fall_back else None)
    kept.begin(sheet_arrays, plan, last_layer(form, float(game.tie), precision), whole, message)
    _run(form, kept, _solver(device, threads or cpu_count() or 1), plan.states, progress)
    proof, seconds = _certify(form, kept.layers, precision), perf_counter() - begun
    return DuelSolution(
        game, objective, proof, ENGINES[device], seconds, plan.states, plan.states,
        form=form.sheet, duel=form, precision=precision, layers=kept.layers,
    )  # fmt: skip


def _check(precision: str, keep: str, device: str, threads: int | None) -> None:
    one_of("precision", precision, UNITS)
    one_of("choice of layers to keep", keep, get_args(Keep))
    one_of("device", device, ENGINES)
    if threads is not None and threads < 1:
        raise GameError(f"{threads} threads were asked for: expected at least 1")


def _files(form: DuelArrays, game: DuelGame, precision: Precision, directory: Path) -> LayerFiles:
    sizes = tuple(stored for _, stored, _ in count_states(form.outers))
    return LayerFiles(directory, _fingerprint(form.sheet, game, precision), precision, sizes)


def duel_fingerprint(sheet: Sheet, tie: Fraction | float, precision: Precision) -> str:
    """Give a short digest of the rules, the worth of a tie and the precision, without solving."""
    game = DuelGame(sheet, Duel(tie).ties)
    return _fingerprint(sheet_form(sheet), game, precision)


def _fingerprint(form: SheetArrays, game: DuelGame, precision: str) -> str:
    return sha256(f"duel {form_digest(form)} {game.tie} {precision}".encode()).hexdigest()[:16]


class _Kept:
    """The layers that are done: in memory, or in files and memory-mapped.

    `without` is told why there are no files any more, and may refuse to go on; if it is None, there must be files.
    """

    def __init__(self, keep: Keep, files: LayerFiles | None, without: Callable[[str], None] | None) -> None:
        self.keep, self.files, self.without = keep, files, without
        self.layers: dict[int, Values] = {}

    def begin(self, form: SheetArrays, plan: Plan, last: Values, whole: bool, message: Callable[[str], None]) -> None:
        """Take over what is there already; else begin with the end of the game."""
        if self.files:
            try:
                self.files.prepare()
                self.layers = self.files.complete(every=self.keep == "all", whole=whole, message=message)
                check_disk(form, plan, self.files.directory, self.files.bytes_there())
            except CannotWrite as error:
                self._do_without(error)
        if not self.layers:
            self.put(0, last)

    def put(self, left: int, values: Values) -> None:
        if self.files:
            try:
                values = self.files.write(left, values)
            except CannotWrite as error:
                self._do_without(error)
        self.layers[left] = values
        if self.keep == "last" and self.layers.pop(left - 2, None) is not None and self.files:
            self.files.remove(left - 2)

    def _do_without(self, error: CannotWrite) -> None:
        if self.without is None:
            raise error
        self.without(str(error))
        self.files = None


def _solver(device: Device, threads: int) -> Callable[..., Iterator[tuple[int, Values]]]:
    """What works out the layers; compiled code is loaded only where it is used."""
    if device == "gpu":
        from rollwise.forms.sheets.kernels.duel_cuda import solve_layers_cuda  # noqa: PLC0415

        return solve_layers_cuda
    from rollwise.forms.sheets.kernels.duel_numba import numba_duel  # noqa: PLC0415

    return partial(solve_layers, kernel=numba_duel, threads=threads)


def _run(
    form: DuelArrays, kept: _Kept, solver: Callable[..., Iterator[tuple[int, Values]]], total: int, progress: Progress | None
) -> None:
    """Work out the layers that are missing."""
    newest = max(kept.layers)
    if newest == form.n_layers - 1:
        return
    sizes = [stored for _, stored, _ in count_states(form.outers)]
    done = sum(sizes[: newest + 1])

    def tick(values: int) -> None:
        nonlocal done
        done += values
        if progress:
            progress("solving", done, total)

    for left, values in solver(form, begin=(newest, np.asarray(kept.layers[newest])), tick=tick):
        kept.put(left, values)


def _certify(form: DuelArrays, layers: Mapping[int, Values], precision: str) -> Certificate:
    """Bound the error of the recursion, and check some values of each layer by another way of calculating.

    Every half-turn fills a box, so every strategy ends.
    """
    bound = error_bound(form.sheet, UNITS[precision])
    residual = max((_residual(form, layers, left) for left in layers if left - 1 in layers), default=0.0)
    require(residual <= bound, "a position of the duel violates the optimality equation")
    return Certificate(exact=False, ends=True, residual=residual, shortfall=0.0, error_bound=bound)


def _residual(form: DuelArrays, layers: Mapping[int, Values], left: int) -> float:
    """Compare some rows of a layer with turns worked out from whole hands and their weights."""
    layer, previous = form.layer(left), form.layer(left - 1)
    worst = 0.0
    for row in np.linspace(0, layer.n_rows - 1, SAMPLE_ROWS).astype(int).tolist():
        size = int(layer.row_start[row + 1] - layer.row_start[row])
        place = np.unique(np.linspace(0, size - 1, SAMPLE_LEADS).astype(int)) if size else np.empty(0, dtype=np.int64)
        moved, mover = layer.pair(row)
        lead = -(layer.row_low[row] + place)
        worth = turn_by_hands(form.sheet, fill_duel(form, previous, layers[left - 1], mover, moved, lead).astype(np.float64))
        stored = layers[left][layer.row_start[row] + place].astype(np.float64)
        worst = max(worst, float(np.abs(1 - worth - stored).max(initial=0.0)))
    return worst


@dataclass(frozen=True, eq=False, repr=False)
class DuelSolution(TurnSolution):
    """A solved duel: `layers[k]` are the turn-start values with k half-turns left, as `engines.duels` lays them out.

    Positions are those of `DuelGame`, values the mover's worth. Any lead between the least and the most that can lie behind the
    two sheets has a value.
    """

    form_name = "duel"

    duel: DuelArrays
    precision: str
    layers: Mapping[int, Values]

    @cached_property
    def fingerprint(self) -> str:
        """Digest the rules, the worth of a tie and the precision."""
        return _fingerprint(self.form, self.game, self.precision)

    @property
    def sheet(self) -> Sheet:
        """The sheet that both players have."""
        return self.game.sheet  # type: ignore[no-any-return]

    def _split(self, position: Any) -> tuple[Any, ...]:
        if not isinstance(position, DuelTurn) or not isinstance(position.turn, Turn) or not isinstance(position.other, Turn):
            raise PositionError(f"{position!r} is not a position of a duel: use read_state")
        return position.turn, self._number(find_outer(self.sheet, self.form, position.other)), position.lead

    def _number(self, outer: tuple[int, int] | None) -> int:
        return -1 if outer is None else int(self.duel.outers.number[outer])

    def _find(self, position: Any) -> tuple[int, int] | None:
        turn, other, lead = self._split(position)
        outer = find_outer(self.sheet, self.form, turn)
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
        return float(read_row(layer, self._values(layer.left), layer.row(other, mover), np.array([-lead]))[0])

    def _worth(self, opened: int, carry: int, *more: int) -> Floats:
        mover, (other, lead) = int(self.duel.outers.number[opened, carry]), more
        previous = self._layer(self._left(mover, other) - 1)
        gained = gain_rows(self.duel, previous, self._values(previous.left), mover, other, np.array([lead]))
        return gained[:, 0].astype(np.float64)

    def win_by_lead(self, opened: int, other: int, carry: int = 0, other_carry: int = 0) -> tuple[Ints, Floats]:
        """Give the mover's worth at the start of his turn for every lead that can occur with these open boxes and carries."""
        outers = self.duel.outers
        mover, rival = int(outers.number[opened, carry]), int(outers.number[other, other_carry])
        low, high = self._leads(mover, rival)
        layer = self._layer(self._left(mover, rival))
        leads = np.arange(low, high + 1)
        rows = read_row(layer, self._values(layer.left), layer.row(rival, mover), -leads)
        return leads, 1.0 - rows.astype(np.float64)

    def _left(self, mover: int, other: int) -> int:
        """How many half-turns are left."""
        opened = self.duel.outers.opened
        return int(opened[mover]).bit_count() + int(opened[other]).bit_count()

    def _values(self, left: int) -> Values:
        if left not in self.layers:
            raise GameError(f"the layer with {left} half-turns left was not kept: solve with keep='all'")
        return self.layers[left]

    @cached_property
    def _layer(self) -> Callable[[int], Layer]:
        return lru_cache(maxsize=None)(self.duel.layer)

    two_players = True

    def trust(self) -> str:
        return (
            f"All {self.states:,} turn starts (both sheets and the lead) were solved backwards, from the end of the game, in "
            f"{self.precision} by {self.engine}."
        )

    def bounds(self) -> str:
        proof = self.certificate
        return (
            f"Every value is within {proof.error_bound:.1e} of the truth, by the rounding of each step; rows of every layer were "
            f"calculated again in another way and differ by at most {proof.residual:.1e}. "
            f"To more digits, the first player's worth is {float(self.value()):.12f}."
        )

    def figures(self, found: Spread | None, progress: Progress | None) -> list[tuple[str, str]] | None:
        """Give what each player may expect, and how a duel ends."""
        from rollwise.forms.sheets.duel_report import duel_figures  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return duel_figures(self, progress)

    def sections(self, found: Spread | None, progress: Progress | None) -> list[Block]:
        """Tell what playing for the win is worth, where duellists do something else, and what leads are worth."""
        from rollwise.forms.sheets.duel_report import duel_sections  # noqa: PLC0415  (compiled code is loaded only where it is used)

        return duel_sections(self, progress)

    def _states(self) -> Iterator[Any]:
        """All decisions at leads that can occur and are not decided."""
        sheet, rerolls = self.sheet, self.form.rerolls
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
