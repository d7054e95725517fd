"""One tie rule everywhere: whatever follows a strategy does what `best` says, the first listed action within 1e-9 of the best."""

import random
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from rollwise import AtLeast, Duel, distribution, evaluate, solve
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus, keeps_of
from rollwise.games.sheets.duel import DuelGame, DuelTurn
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import all_equal, count_face, total
from rollwise.games.words import Words
from rollwise.policies import FunctionPolicy, Optimal
from rollwise.solvers.rerolls.solution import solve_rerolls
from rollwise.solvers.sheets.duel import DuelSolution
from rollwise.solvers.sheets.lattice import lattice, sub_keeps

TIES = (Fraction(1, 2), Fraction(0), Fraction(1, 3), Fraction(1))


def small_sheet(seed: int) -> Sheet:
    """A small sheet of any rules; scores are small numbers, so that much is equally good."""
    pick = random.Random(seed)
    count, faces = pick.choice([(2, 3), (3, 2), (3, 3), (1, 4), (2, 2), (2, 4)])
    boxes = [Box(f"face{face}", count_face(face), face) for face in range(1, pick.randint(0, 2) + 1)]
    boxes += [Box("equal", all_equal(pick.randint(1, 6)))] if pick.random() < 0.5 else []
    boxes += [Box("total", total)] if pick.random() < 0.5 else []
    numbers = {tuple(hand): pick.choice([0, 0, 1, 2, 5]) for hand in lattice(count, (1,) * faces).keeps}
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
    game: DuelGame = solution.game

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
    solution = solve(sheet, Duel(tie), precision=precision)
    assert isinstance(solution, DuelSolution)
    win, not_lost = followed(solution, Fraction(0)), followed(solution, Fraction(1))
    split = solution.split(threads=1)
    assert split.win == pytest.approx(float(win), abs=1e-12)
    assert split.tie == pytest.approx(float(not_lost - win), abs=1e-12)
    assert split.loss == pytest.approx(float(1 - not_lost), abs=1e-12)
    other = evaluate(sheet, Optimal(solution), Duel(Fraction(2, 7))).value
    assert other == pytest.approx(float(win + (not_lost - win) * 2 / 7), abs=1e-12)


@pytest.mark.parametrize("seed", range(24))
def test_a_duel_is_followed_as_best_says(seed: int) -> None:
    check_duel(seed, "float64")


@pytest.mark.full
@pytest.mark.parametrize("seed", range(24, 30))
def test_a_duel_in_single_precision_is_followed_as_best_says(seed: int) -> None:
    check_duel(seed, "float32")


@pytest.mark.parametrize(("count", "faces"), [(1, 3), (3, 2), (3, 4), (5, 6)])
def test_keeps_are_listed_as_the_game_lists_them(count: int, faces: int) -> None:
    net = lattice(count, (1,) * faces)
    start, listed = sub_keeps(net)
    for hand, (first, end) in enumerate(pairwise(start.tolist())):
        assert tuple(net.keeps[keep] for keep in listed[first:end]) == keeps_of(net.keeps[net.first_hand + hand])


def totals(solution: Any) -> dict[int, Fraction]:
    """The distribution of the total (or of the rolls) when `best` is followed, in fractions, straight from the rules."""
    game, rules = solution.game, getattr(solution.game, "game", solution.game)

    def inner(state: Any) -> Any:
        return state if rules is game else state.position

    @cache
    def rolled(pending: Any) -> dict[int, Fraction]:
        roll = game.roll(pending)
        found: dict[int, Fraction] = {}
        for state, weight in roll.items():
            for number, chance in decided(state).items():
                found[number] = found.get(number, Fraction(0)) + chance * weight / sum(roll.values())
        return found

    @cache
    def decided(state: Any) -> dict[int, Fraction]:
        if not game.actions(state):
            return {rules.payoff(inner(state)): Fraction(1)}
        action = solution.best(state)
        gain = rules.gain(inner(state), action)
        return {gain + number: chance for number, chance in rolled(game.play(state, action)).items()}

    return rolled(game.start())


def check_spread(solution: Any) -> None:
    found = distribution(solution)
    for number, chance in totals(solution).items():
        there = found.at_least(number) - found.at_least(number + 1)
        assert there == pytest.approx(float(chance), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_a_sheet_is_followed_as_best_says(seed: int) -> None:
    sheet = small_sheet(1000 + seed)
    check_spread(solve(sheet))
    check_spread(solve(sheet, AtLeast(4)))
    exact = evaluate(sheet, FunctionPolicy(solve(sheet).best), exact=True)
    assert evaluate(sheet, Optimal(solve(sheet))).value == pytest.approx(float(exact.value), abs=1e-12)


def small_words(seed: int) -> Words:
    pick = random.Random(seed)
    dice = pick.choices(["ab", "abc", "aab", "bc"], k=pick.randint(2, 4))
    words = ["".join(pick.choice(faces) for faces in dice) for _ in range(pick.randint(1, 3))]
    return Words(dice, words)


@pytest.mark.parametrize("seed", [*range(5), 231, 261, 265, 269])
def test_words_are_followed_as_best_says(seed: int) -> None:
    game = small_words(seed)
    solution = solve_rerolls(game)
    general = distribution(solve(game, engine="policy"), Optimal(solution))
    found = distribution(solution)
    for number in range(1, 12):
        assert found.at_least(number) == pytest.approx(general.at_least(number), abs=1e-9)
