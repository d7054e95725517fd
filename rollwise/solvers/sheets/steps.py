"""Score sheets played step by step, many at once: a keep or a box for each."""

from functools import cached_property

import numpy as np

from rollwise.games.sheets.rules import Sheet
from rollwise.solvers.base.steps import Bools, Ints, Steps
from rollwise.solvers.sheets.lattice import keep_rows
from rollwise.solvers.sheets.reading import make_sheet_arrays, read_carry
from rollwise.solvers.sheets.simulate import roll_dice

__all__ = ["SheetSteps"]


class SheetSteps(Steps):
    """Sheets in lanes: open boxes, carry, dice (a node of the keep lattice) and rerolls left. No dice: before the first roll."""

    def __init__(self, sheet: Sheet, count: int) -> None:
        self.sheet, self.arrays = sheet, make_sheet_arrays(sheet)
        self.net = self.arrays.lattice
        self.opened, self.carry, self.node, self.left = (np.zeros(count, dtype=np.int64) for _ in range(4))
        self.effect = np.full((self.arrays.n_boxes, count), -1, dtype=np.int64)
        self.begin(np.arange(count))

    @cached_property
    def keeps(self) -> Bools:
        """Which keeps are parts of a hand, by hand; the last row has none."""
        net = self.net
        found = np.zeros((net.n_hands + 1, net.first_hand), dtype=np.bool_)
        parts = keep_rows(net)
        hand, place = np.nonzero(parts >= 0)
        found[hand, parts[hand, place]] = True
        return found

    @cached_property
    def counts(self) -> Ints:
        """How many dice of a node show each face."""
        faces = range(1, len(self.net.weights) + 1)
        return np.array([[keep.count(face) for face in faces] for keep in self.net.keeps], dtype=np.int64)

    def begin(self, lanes: Ints) -> None:
        self.opened[lanes], self.carry[lanes], self.node[lanes], self.left[lanes] = self.arrays.full, 0, 0, 0
        self.effect[:, lanes] = -1

    def features(self) -> dict[str, Ints]:
        sheet, arrays = self.sheet, self.arrays
        fresh = (self.node == 0) & (self.opened == arrays.full)
        opened = np.where(fresh, 0, self.opened)
        found = {
            "dice": self.counts[self.node],
            "rerolls_left": self.left[:, None].copy(),
            "open": (opened[:, None] & arrays.field) // arrays.unit,
        }
        carried = read_carry(sheet, np.where(self.carry == arrays.over, 0, self.carry))
        if sheet.bonus:
            found["upper"] = carried.upper[:, None]
        if sheet.joker and sheet.joker.bonus:
            found["primed"] = carried.primed[:, None].astype(np.int64)
        return found

    def allowed(self) -> Bools:
        hand = np.where((self.left > 0) & (self.node >= self.net.first_hand), self.node - self.net.first_hand, self.net.n_hands)
        found = np.concatenate([(self.effect >= 0).T, self.keeps[hand]], axis=1)
        found[(self.node == 0) & (self.opened == self.arrays.full), 0] = True
        return found

    def move(self, lanes: Ints, actions: Ints, random: np.random.Generator) -> tuple[Ints, Bools]:
        fresh = self.node[lanes] == 0
        kept, box = self._read(lanes, actions)
        filling = (box >= 0) & ~fresh
        gain = np.zeros(len(lanes), dtype=np.int64)
        gain[filling] = self._fill(lanes[filling], box[filling])
        over = self.opened[lanes] == 0
        kept[filling | fresh] = 0
        self.left[lanes[fresh]] = self.arrays.rerolls + 1
        self._roll(lanes[~over], kept[~over], random)
        self.node[lanes[over]], self.left[lanes[over]], self.effect[:, lanes[over]] = 0, 0, -1
        return gain, over

    def _read(self, lanes: Ints, actions: Ints) -> tuple[Ints, Ints]:
        """Give for each lane the keep, or the box (else -1)."""
        boxes, hand = self.arrays.n_boxes, self.node[lanes] - self.net.first_hand
        kept = actions - boxes
        keeps = (kept >= 0) & (self.left[lanes] > 0) & self.keeps[hand, np.maximum(kept, 0)]
        named = np.minimum(actions, boxes - 1)
        legal = (kept < 0) & (self.effect[named, lanes] >= 0)
        first = (self.effect[:, lanes] >= 0).argmax(axis=0)
        return np.where(keeps, kept, 0), np.where(keeps, -1, np.where(legal, named, first))

    def _fill(self, lanes: Ints, box: Ints) -> Ints:
        arrays, carry, effect = self.arrays, self.carry[lanes], self.effect[box, lanes]
        opened = arrays.after(self.opened[lanes], box)
        self.carry[lanes] = arrays.effect_target[effect, carry]
        self.opened[lanes] = np.where(self.carry[lanes] == arrays.over, 0, opened)
        saved = self.left[lanes] if self.sheet.saved_rolls else 0
        self.left[lanes] = arrays.rerolls + 1 + saved
        gain: Ints = arrays.effect_gain[effect, carry]
        return gain

    def _roll(self, lanes: Ints, kept: Ints, random: np.random.Generator) -> None:
        arrays, net = self.arrays, self.net
        self.node[lanes] = roll_dice(net, kept, net.throw(random, (net.count, len(lanes))))
        self.left[lanes] -= 1
        hand = self.node[lanes] - net.first_hand
        column = np.where(self.left[lanes] == arrays.rerolls, arrays.first_column[hand], hand) if arrays.served else hand
        self.effect[:, lanes] = arrays.hand_effects(self.opened[lanes], column)
