"""Follow a strategy card through a score sheet: its exact worth, what it leads to, and games played by it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rollwise.errors import require
from rollwise.games.sheets.boxes import Hand, Turn
from rollwise.games.sheets.rules import Sheet
from rollwise.model.card import Card
from rollwise.model.game import Progress
from rollwise.solvers.base.abilities import Player
from rollwise.solvers.base.backends import Threads
from rollwise.solvers.base.card_evaluator import Effort
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.memory import check_fits
from rollwise.solvers.base.numbers import UNIT
from rollwise.solvers.base.solution import Evaluation
from rollwise.solvers.sheets.arrays import Floats, Ints, SheetArrays
from rollwise.solvers.sheets.card_script import Scripter, Starts, scripter_of
from rollwise.solvers.sheets.checking import chosen_by_hands, sample_outer
from rollwise.solvers.sheets.kernels.card_account_numba import pass_on
from rollwise.solvers.sheets.kernels.card_numba import Script, add_turns, find_lanes, follow_lanes, play_turns
from rollwise.solvers.sheets.kernels.records import effects_of, hands_of, rolls_of
from rollwise.solvers.sheets.reading import read_carry, sheet_bytes

__all__ = ["FollowedCard", "evaluate_card", "follow_card", "turn_steps"]

ARRAYS = 4
"""At most this many numbers are stored for each turn start."""
BATCH = 1 << 16
STEPS_A_SCRIPT, STEPS_AN_ENTRY, STEPS_A_SLOT, STEPS_A_START = 80_000, 14, 0.33, 8
"""The effort of following a card: writing its script, each entry of it, each slot of a lane, each turn start."""
TOGETHER = 32
"""Pieces of turn starts whose chances are held in memory together."""
SAMPLE = 2
"""Turns in which the card itself chooses with every hand, to check the compiled one."""


def follow_card(sheet: Sheet, card: Card, effort: Effort | None = None) -> "FollowedCard | None":
    """Read a card for a sheet; None: it has words that see hand and sheet at once, or that are not the sheet's own.

    Raises `GameError`, before anything is allocated, if the sheet does not fit into memory.
    """
    check_fits(f"a strategy card on {len(sheet.boxes)} boxes", ARRAYS * sheet_bytes(sheet))
    scripter = scripter_of(sheet)
    return FollowedCard(scripter, card, effort or Effort()) if scripter.reads(card) else None


@dataclass(frozen=True, eq=False)
class FollowedCard:
    """A card on the arrays of a sheet."""

    scripter: Scripter
    card: Card
    effort: Effort
    """What following it is counted against."""

    @cached_property
    def arrays(self) -> SheetArrays:
        """The sheet with all carries that can occur: a card may tell apart what is equally good."""
        return self.scripter.whole

    @cached_property
    def script(self) -> Script:
        """The card as arrays."""
        found = self.scripter.script(self.card)
        self.effort.spend(STEPS_A_SCRIPT + STEPS_AN_ENTRY * len(found.act))
        return found

    def values(self, progress: Progress | None = None) -> Floats:
        """Give the points to come by open boxes and carry, NaN where that does not occur."""
        arrays = self.arrays
        worth = np.full((arrays.n_masks, arrays.n_carries), np.nan)
        worth[0] = 0.0
        done, parts, _ = 0, self.scripter.starts, self.script  # the script is written once, before threads share it
        with Threads().pool() as every:
            for layer in self.scripter.start_layers:
                for _ in every(lambda part: self.add_turns(part.opened, part.carry, worth, worth), layer):
                    done += 1
                    if progress:
                        progress("following", done, len(parts))
        return worth

    def add_turns(self, opened: Ints, carry: Ints, after: Floats, worth: Floats) -> None:
        """Write what some turn starts are worth, those with the same open boxes one after another; `after`: what follows."""
        records = effects_of(self.arrays, np.float64, np.int64), self.scripter.still, hands_of(self.arrays)
        add_turns(opened, carry, *self.turns(opened, carry), *records, after, worth)

    def turns(self, opened: Ints, carry: Ints) -> tuple[Ints, Floats]:
        """Follow the turns from some turn starts, those with the same open boxes one after another.

        Gives the number of each one's turn, as many are the same, and the chance of each effect by that number.
        """
        lane_of, lane_open, lane_bits = self.lanes(opened, carry)
        self.effort.spend(STEPS_A_SLOT * len(lane_open) * len(self.scripter.slots) + STEPS_A_START * len(opened))
        chance = np.empty((len(lane_open), len(self.arrays.effect_gain)))
        follow_lanes(lane_open, lane_bits, self.script, hands_of(self.arrays), rolls_of(self.arrays), chance)
        return lane_of, chance

    def lanes(self, opened: Ints, carry: Ints) -> tuple[Ints, Ints, Ints]:
        """Number the turns that differ: for each turn start its turn, for each turn the open boxes and the bits of the sheet."""
        lane_of, lane_open = np.empty(len(opened), dtype=np.int64), np.empty(len(opened), dtype=np.int64)
        lane_bits = np.empty((len(self.script.open_bits), len(opened)), dtype=np.int64)
        lanes = find_lanes(opened, carry, self.script, lane_of, lane_open, lane_bits)
        return lane_of, lane_open[:lanes], lane_bits[:, :lanes].copy()

    def chances(self, opened: Ints, carry: Ints, *more: Ints) -> Floats:
        """Give, for every outer state and effect, the chance that the turn ends with it."""
        lane_of, chance = self.turns(opened, carry)
        found: Floats = chance[lane_of]
        return found

    def visits(self, progress: Progress | None = None, least: float = 0.0) -> Floats:
        """Give how often a game comes to each turn start, by open boxes and carry; `least` times or less are not followed."""
        arrays, parts = self.arrays, self.scripter.starts
        found = np.zeros((arrays.n_masks, arrays.n_carries))
        found[arrays.full, 0] = 1.0
        records = effects_of(arrays, np.float64, np.int64), hands_of(arrays)
        done, _ = 0, self.script

        def turns(part: Starts) -> tuple[Ints, Ints, Ints, Floats] | None:
            live = np.flatnonzero(found[part.opened, part.carry] > least)
            opened, carry = part.opened[live], part.carry[live]
            return (opened, carry, *self.turns(opened, carry)) if len(live) else None

        with Threads().pool() as every:
            for layer in [layer[::-1] for layer in self.scripter.start_layers[::-1]]:
                for some in (layer[begin : begin + TOGETHER] for begin in range(0, len(layer), TOGETHER)):
                    for followed in every(turns, some):
                        done += 1
                        if followed is not None:
                            pass_on(*followed, *records, found)
                        if progress:
                            progress("following", done, len(parts))
        return found

    def player(self, tick: Callable[[int], None]) -> Player:
        """Play many games a turn at a time."""

        def play(rng: np.random.Generator, games: int) -> Ints:
            arrays, net = self.arrays, self.arrays.lattice
            opened, carry, total = (np.full(games, number, dtype=np.int64) for number in (arrays.full, 0, 0))
            records = effects_of(arrays, np.int64, np.int64), hands_of(arrays), rolls_of(arrays)
            for turn in range(arrays.n_turns):
                tick(games * turn // arrays.n_turns)
                faces = net.throw(rng, (games, arrays.rerolls + 1, net.count))
                play_turns(faces, opened, carry, total, self.script, *records)
            return total

        return Player(play, BATCH)


def evaluate_card(sheet: Sheet, card: Card, progress: Progress | None = None) -> Evaluation | None:
    """Compute what a card is worth on a sheet; None: the arrays do not follow it, or the sheet is so small that the graph does.

    Chances are sums and products of positive numbers, so each turn adds at most as many units of relative error as it has steps.
    """
    followed = follow_card(sheet, card)
    if followed is None:
        return None
    arrays, worth = followed.arrays, followed.values(progress)
    largest = float(np.nanmax(np.abs(worth))) + float(np.abs(arrays.effect_gain).max())
    bound = 1.01 * arrays.n_turns * turn_steps(arrays) * UNIT * largest
    residual = check_turns(followed, worth)
    require(residual <= max(bound, 1e-12), "what a turn start is worth by a card does not follow from what its lines say")
    certificate = Certificate(residual=residual, error_bound=bound)
    return Evaluation(float(worth[arrays.full, 0]), certificate)


def turn_steps(arrays: SheetArrays) -> int:
    """Say how many roundings a turn takes at most, one after another."""
    net = arrays.lattice
    return net.n_hands + (arrays.rerolls + 1) * net.count * (net.faces + 2) + 2 * len(arrays.effect_gain) + 8


def check_turns(followed: FollowedCard, worth: Floats) -> float:
    """Ask the card itself, position by position, in some turns; give the most by which their worth differs."""
    outer = list(zip(*map(np.ndarray.tolist, sample_outer(followed.arrays)), strict=True))[:SAMPLE]
    return max(abs(_asked(followed, worth, *one) - float(worth[one])) for one in outer)


def _asked(followed: FollowedCard, worth: Floats, opened: int, carry: int) -> float:
    """What a turn is worth by the card itself."""
    card, sheet = followed.card, followed.scripter.sheet
    upper, primed = read_carry(sheet, carry)
    start = Turn(opened, int(upper), bool(primed), (), 0)

    def ask(hand: Hand, left: int) -> Any:
        return card.choose(sheet, start._replace(dice=hand, left=left))[1]

    return chosen_by_hands(followed.arrays, worth, opened, carry, sheet.names, ask)
