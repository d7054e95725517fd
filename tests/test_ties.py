"""One tie rule everywhere: whatever follows a strategy does what `best` says, the first listed action within 1e-9 of the best."""

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from rollwise.forms.sheets.duel import DuelSolution, solve_duel
from rollwise.forms.sheets.duel_follow import follow_duel, split_duel
from rollwise.forms.sheets.lattice import lattice
from rollwise.games.duel import DuelTurn
from rollwise.games.scoring import all_equal, count_face, total
from rollwise.games.sheet import Box, Joker, Sheet, UpperBonus

TIES = (Fraction(1, 2), Fraction(0), Fraction(1, 3), Fraction(1))


def small_sheet(seed: int) -> Sheet:
    """A small sheet of any rules; scores are small numbers, so that much is equally good."""
    pick = random.Random(seed)
    count, faces = pick.choice([(2, 3), (3, 2), (3, 3), (1, 4), (2, 2), (2, 4)])
    boxes = [Box(f"face{face}", count_face(face), face) for face in range(1, pick.randint(0, 2) + 1)]
    boxes += [Box("equal", all_equal(pick.randint(1, 6)))] if pick.random() < 0.5 else []
    boxes += [Box("total", total)] if pick.random() < 0.5 else []
    numbers = {tuple(hand): pick.choice([0, 0, 1, 2, 5]) for hand in lattice(count, faces).keeps}
    boxes.append(Box("odd", lambda hand: numbers[tuple(sorted(hand))]))
    pick.shuffle(boxes)
    boxes = boxes[: pick.randint(1, 2 if count * faces > 6 else 3)]
    upper = any(box.face for box in boxes)
    bonus = UpperBonus(pick.randint(1, 4), pick.randint(1, 9)) if upper and pick.random() < 0.5 else None
    joker = None
    if any(box.name == "equal" for box in boxes) and pick.random() < 0.5:
        joker = Joker("equal", pick.choice(["free", "forced"]), pick.randint(0, 4), {})
    in_order = pick.random() < 0.2
    return Sheet(boxes, count=count, faces=faces, rerolls=pick.randint(0, 2), bonus=bonus, joker=joker, in_order=in_order)


def followed(solution: DuelSolution, tie: Fraction) -> Fraction:
    """The first player's worth when both do what `best` says and a tie counts so much, in fractions, straight from the rules."""
    game = solution.game

    @cache
    def rolled(pending: DuelTurn) -> Fraction:
        roll = game.roll(pending)
        return sum((weight * decided(state) for state, weight in roll.items()), Fraction(0)) / roll.total

    @cache
    def decided(state: DuelTurn) -> Fraction:
        if not state.turn.open:
            return tie if state.lead == 0 else Fraction(state.lead > 0)
        return rolled(game.play(state, solution.best(state)))

    return rolled(game.start())


def check_duel(seed: int, precision: Any) -> None:
    sheet, tie = small_sheet(seed), TIES[seed % len(TIES)]
    solution = solve_duel(sheet, tie=tie, precision=precision)
    win, not_lost = followed(solution, Fraction(0)), followed(solution, Fraction(1))
    split = split_duel(solution, threads=1)
    assert split.win == pytest.approx(float(win), abs=1e-12)
    assert split.tie == pytest.approx(float(not_lost - win), abs=1e-12)
    assert split.loss == pytest.approx(float(1 - not_lost), abs=1e-12)
    assert follow_duel(solution, tie=Fraction(2, 7), threads=1) == pytest.approx(float(win + (not_lost - win) * 2 / 7), abs=1e-12)


@pytest.mark.parametrize("seed", range(24))
def test_a_duel_is_followed_as_best_says(seed: int) -> None:
    check_duel(seed, "float64")


@pytest.mark.parametrize("seed", range(24, 30))
def test_a_duel_in_single_precision_is_followed_as_best_says(seed: int) -> None:
    check_duel(seed, "float32")
