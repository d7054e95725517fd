"""Words at size: the solver for "reroll any dice until they show a goal", and answers from it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import product
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from rollwise.errors import EngineError, GameError, require
from rollwise.games.words import STAR, RerollGame
from rollwise.model.formatting import infinite
from rollwise.model.game import Progress
from rollwise.model.message import Message
from rollwise.model.objectives import Fewest
from rollwise.model.policy import Policy
from rollwise.model.reasons import Part
from rollwise.model.view import view_of
from rollwise.solvers.base.abilities import Explains, Follows, Player, PlaysMany, Reports
from rollwise.solvers.base.blocks import Block
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.distribution import Distribution, Follow, count_rolls
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import TIE, UNIT
from rollwise.solvers.base.reasons import never_ends
from rollwise.solvers.base.solution import Number, PackedSolution, Ranked, Solution
from rollwise.solvers.rerolls.report import reroll_sections
from rollwise.solvers.rerolls.simulate import play_rerolls
from rollwise.solvers.rerolls.sweeps import (
    Axis,
    Bools,
    Floats,
    Ints,
    NumpySweeps,
    RerollArrays,
    axis_size,
    make_axis,
    scatter,
    sweep,
)

__all__ = ["FEWER_DICE", "RerollSolution", "group_dice", "reroll_bytes", "solve_rerolls"]

LARGE = 1_000_000
"""Beyond this many entries compiled sweeps are worth loading."""
LONG = 20_000
"""The same for what can be kept of each group of dice, added up."""
BYTES_A_KEEP = 700
BATCH = 1 << 16
"""Games that are played at once."""
FEWER_DICE = "use fewer dice or faces"
LARGEST = 2**31 - 1


def solve_rerolls(game: RerollGame, *, progress: Progress | None = None) -> "RerollSolution":
    """Solve a words game by sweeps over its arrays.

    Raises `GameError` if the game has too many positions.
    """
    begun = perf_counter()
    groups = group_dice(game)
    size, _ = _count(groups)
    if size > LARGEST:
        raise GameError(f"the dice have {size:,} positions, more than {LARGEST:,}: {FEWER_DICE}")
    check_fits(f"a game of words with {size:,} positions", reroll_bytes(game), cure=FEWER_DICE)

    def tick() -> None:
        if progress:
            progress("listing what can be kept", 0, None)

    axes = tuple(make_axis(tuple(w for _, w in faces), len(members), tick) for faces, members in groups)
    arrays = RerollArrays(axes, _goals(game, groups, axes))
    swept = sweep(arrays, _kernel(arrays), lambda done, _: progress("sweeping, round", done, None) if progress else None)
    finite = swept.value[np.isfinite(swept.value)]
    largest = float(finite.max()) if finite.size else 0.0
    terms = sum(len(axis.share) * len(axis.keeps[-1]) for axis in axes)
    relative = swept.residual + (terms + 8) * UNIT * (largest + 1)
    if relative > 0.5:
        raise EngineError(f"rolls up to {largest:.1e} are too many for floating point: use fractions (exact=True, or --exact)")
    certificate = Certificate(residual=swept.residual, error_bound=2 * relative * largest, checked="everywhere")
    n_states = arrays.goal.size
    return RerollSolution(
        game, Fewest(), certificate, "sweeps", perf_counter() - begun, n_states, size - n_states,
        arrays=arrays, array=swept.value, groups=groups, rounds=swept.rounds,
    )  # fmt: skip


def reroll_bytes(game: RerollGame) -> int:
    """Say about how many bytes solving a words game takes.

    >>> reroll_bytes(RerollGame(["ABCDEF"] * 5, ["ABCDE"])) < 2**20
    True
    """
    groups = group_dice(game)
    kept = sum(axis_size(len(faces), len(dice))[0] * (BYTES_A_KEEP + 16 * len(faces) + 24 * len(dice)) for faces, dice in groups)
    positions, states = _count(groups)
    return kept + 28 * positions + 48 * states


def _count(groups: "Groups") -> tuple[int, int]:
    """Count all positions, and the states among them; nothing is listed."""
    sizes = [axis_size(len(faces), len(dice)) for faces, dice in groups]
    return prod(keeps for keeps, _ in sizes), prod(hands for _, hands in sizes)


def _kernel(arrays: RerollArrays) -> Any:
    if prod(arrays.shape) < LARGE and sum(arrays.shape) < LONG:
        return NumpySweeps()
    from rollwise.solvers.rerolls.sweeps_numba import NumbaSweeps  # noqa: PLC0415  (compiled code is loaded only where it is used)

    return NumbaSweeps()


Groups = list[tuple[tuple[tuple[str, int], ...], list[int]]]
"""Dice with the same faces: the faces with weights, and which dice they are."""


def group_dice(game: RerollGame) -> Groups:
    """Put equal dice together."""
    found: dict[Any, list[int]] = {}
    for i, faces in enumerate(game.dice):
        found.setdefault(faces, []).append(i)
    return list(found.items())


def _goals(game: RerollGame, groups: Groups, axes: tuple[Axis, ...]) -> Bools:
    """Mark the states that spell a word in some order.

    Symbols get random 64-bit numbers, whose sum depends on the multiset alone; equal sums are then compared symbol by symbol.
    """
    words = _symbols(sorted(game.goals), len(game.dice))
    shape = tuple(axis.size - axis.first_hand for axis in axes)
    if not len(words):
        return np.zeros(shape, dtype=np.bool_)
    hands = [
        _symbols(["".join(faces[f][0] for f in hand) for hand in axis.keeps[axis.first_hand :]], len(members))
        for (faces, members), axis in zip(groups, axes, strict=True)
    ]
    code = np.random.default_rng(2023).integers(0, 2**63, 1 + max(int(part.max()) for part in (words, *hands)), dtype=np.uint64)
    total = np.zeros((), dtype=np.uint64)
    for part in hands:
        total = total[..., None] + code[part].sum(axis=1, dtype=np.uint64)
    wanted = code[words].sum(axis=1, dtype=np.uint64)
    order = np.argsort(wanted)
    place = order[np.minimum(np.searchsorted(wanted[order], total), len(order) - 1)]
    match: Bools = wanted[place] == total
    shown = [part[hand] for part, hand in zip(hands, np.nonzero(match), strict=True)]
    spelled = np.sort(np.concatenate(shown, axis=1), axis=1)
    require(np.array_equal(spelled, np.sort(words[place[match]], axis=1)), "two different sets of symbols have the same code")
    return match


def _symbols(words: list[str], length: int) -> Ints:
    """Write words of one length as rows of character numbers."""
    return np.array(words, dtype=f"U{length}").view(np.uint32).astype(np.int64).reshape(len(words), length)


@dataclass(frozen=True, eq=False, repr=False)
class RerollSolution(Solution, Follows, PlaysMany, Explains, Reports):
    """A solved words game: one array over what is kept of each group of equal dice."""

    solver_name = "words"
    proof = "After solving, every roll was checked against the equation that the fewest expected rolls must satisfy."

    arrays: RerollArrays
    array: Floats
    groups: Groups
    rounds: int

    @cached_property
    def fingerprint(self) -> str:
        """Digest the dice and the goals."""
        digest = sha256(str(("words", self.game.dice)).encode())
        digest.update(np.packbits(self.arrays.goal).tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def _places(self) -> list[dict[tuple[str, ...], int]]:
        """For each group, the number of what is kept by its sorted symbols."""
        return [
            {tuple(faces[f][0] for f in keep): number for number, keep in enumerate(axis.keeps)}
            for (faces, _), axis in zip(self.groups, self.arrays.axes, strict=True)
        ]

    def _find(self, faces: Any) -> tuple[int, ...] | None:
        if not isinstance(faces, tuple) or len(faces) != len(self.game.dice):
            return None
        found = []
        for (_, members), places in zip(self.groups, self._places, strict=True):
            number = places.get(tuple(sorted(faces[i] for i in members if faces[i] != STAR)))
            if number is None:
                return None
            found.append(number)
        return tuple(found)

    def _state_value(self, state: Any) -> Number | None:
        place = None if isinstance(state, tuple) and STAR in state else self._find(state)
        return None if place is None else float(self.array[place])

    def _pending_value(self, pending: Any) -> Number | None:
        place = self._find(pending) if isinstance(pending, tuple) and STAR in pending else None
        return None if place is None else float(self.array[place])

    def _choice(self, state: Any, best: Number, rows: list[Ranked]) -> int:
        """The first among the ties for the same dice with equal ones in sorted order: how they happen to lie changes nothing."""
        ordered = self._ordered(state)
        if ordered == state:
            return super()._choice(state, best, rows)
        action = self.best(ordered)
        return next(place for place, row in enumerate(rows) if self._find(row.action) == self._find(action))

    def _ordered(self, state: Any) -> tuple[str, ...]:
        """The state with the symbols of equal dice sorted."""
        found = list(state)
        for _, members in self.groups:
            for i, symbol in zip(members, sorted(state[i] for i in members), strict=True):
                found[i] = symbol
        return tuple(found)

    @cached_property
    def _finish(self) -> Floats:
        """For every pending roll the chance that it spells a word."""
        chance = np.zeros(self.arrays.shape)
        chance[self.arrays.hands] = self.arrays.goal
        _kernel(self.arrays).mean(self.arrays, chance)
        return chance

    def finish(self, pending: Any) -> float:
        """Give the chance that a roll spells a word. Raises `PositionError`."""
        place = self._find(pending)
        if place is None:
            raise self._unknown(pending)
        return float(self._finish[place])

    def choices(self, progress: Progress | None = None) -> Ints:
        """For every state, equal dice sorted, the flat number of the pending it rolls: the first listed among ties."""
        if "choices" not in self._known:
            self._known["choices"] = self._choose(progress)
        return self._known["choices"]

    @cached_property
    def _known(self) -> dict[str, Ints]:
        return {}

    def _choose(self, progress: Progress | None) -> Ints:
        value = self.array[self.arrays.hands]
        chosen = np.full(value.shape, -1, dtype=np.int64)
        numbers = np.arange(self.array.size).reshape(self.array.shape)
        for done, pattern in enumerate(self.game.patterns):
            if progress:
                progress("choices", done, len(self.game.patterns))
            kept = np.ix_(*(self._kept(i, pattern) for i in range(len(self.groups))))
            fits = (chosen < 0) & (self.array[kept] <= value * (1 + TIE))
            chosen = np.where(fits, numbers[kept], chosen)
        return chosen

    def _kept(self, group: int, pattern: tuple[bool, ...]) -> Ints:
        """What a pattern of dice to roll keeps of each full hand of a group, dice in sorted order."""
        (_, members), axis = self.groups[group], self.arrays.axes[group]
        number = {keep: i for i, keep in enumerate(axis.keeps)}
        rolled = [pattern[i] for i in members]
        hands = axis.keeps[axis.first_hand :]
        return np.array([number[tuple(f for f, roll in zip(hand, rolled, strict=True) if not roll)] for hand in hands])

    def follow(self, pending: Any, progress: Progress | None = None) -> Callable[[], float]:
        """Follow the optimal strategy from a pending roll: each call plays one roll and returns the mass that ends with it."""
        moving = ~self.arrays.goal
        chosen = self.choices(progress)[moving]
        mass = np.zeros(self.arrays.shape)
        place = self._find(pending)
        if place is None:
            raise self._unknown(pending)
        mass[place] = 1.0

        def step() -> float:
            scatter(self.arrays, mass)
            state = mass[self.arrays.hands].copy()
            ended = float(state[self.arrays.goal].sum())
            mass[...] = np.bincount(chosen, state[moving], mass.size).reshape(mass.shape)
            return ended

        if not self.arrays.goal.any():
            raise GameError("the dice cannot spell a word: the number of rolls is infinite")
        return step

    def _states(self) -> Iterator[Any]:
        """One state for each way the dice can show, equal dice in sorted order."""
        if np.isinf(self.array).all():
            return
        options = [
            [tuple(faces[f][0] for f in keep) for keep in axis.keeps[axis.first_hand :]]
            for (faces, _), axis in zip(self.groups, self.arrays.axes, strict=True)
        ]
        for shown in product(*options):
            state = [""] * len(self.game.dice)
            for (_, members), symbols in zip(self.groups, shown, strict=True):
                for i, symbol in zip(members, symbols, strict=True):
                    state[i] = symbol
            if self.game.actions(tuple(state)):
                yield tuple(state)

    def facts(self, state: Any, action: Any) -> Mapping[str, Any]:
        """Tell the chance that the next roll shows a goal."""
        return {"finish": self.finish(action)}

    def parts(self, state: Any, action: Any, value: Number) -> tuple[Part, ...]:
        """The roll itself, the chance that it ends the game, and what it leads to otherwise: rolls are too many to list."""
        stands, chance = float(self.value(state, kind="state")), self.finish(action)
        if infinite(value) or infinite(stands):
            return never_ends(value)
        end, rest = -chance * stands, 1.0 - chance
        found = [
            Part("stands", Message("part.position"), stands),
            Part("cost", Message("part.roll"), 1),
            Part("end", Message("part.end"), end, chance, after=0),
        ]
        more = float(value) - 1 - stands - end
        return (
            (*found, Part("next", Message("part.another-roll"), more, rest, after=stands + more / rest))
            if rest > 0
            else tuple(found)
        )

    def distribution(self, policy: Policy | None, pending: Any, follow: Follow) -> Distribution | None:
        """Follow its own strategy roll by roll."""
        if policy is not None:
            return None
        needed = 32 * self.array.size + 48 * self.arrays.goal.size
        check_fits("following the dice", needed, follow.max_bytes, cure=FEWER_DICE)
        return count_rolls(self.follow(pending, follow.progress), view_of(self.game).cost_word, follow.progress)

    def player(self, policy: Policy | None, tick: Callable[[int], None]) -> Player | None:
        """Play all games together, a roll at a time."""
        return Player(lambda random, games: play_rerolls(self, random, games), BATCH) if policy is None else None

    def sections(self, found: Distribution | None, progress: Progress | None) -> list[Block]:
        """Tell what to hold after the first roll."""
        return reroll_sections(self)

    def pack(self) -> PackedSolution:
        return PackedSolution.of(self, {"value": self.array, "goal": self.arrays.goal}, {"rounds": self.rounds})
