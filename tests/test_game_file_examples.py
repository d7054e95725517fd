"""The examples of game files, each by a recursion of its own that shares no code with the package."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rollwise import distribution, solve
from rollwise.games import load
from rollwise.games.files import example_files

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = sorted(EXAMPLES.glob("*.toml"))


def example(name: str, **parameters: int) -> Any:
    return load(EXAMPLES / f"{name}.toml", **parameters)


def test_the_examples_are_in_the_package() -> None:
    assert {file.stem.replace("_", "-"): file.read_text() for file in FILES} == dict(example_files())


# Zombie Dice

SIDES = {"green": "bbbssx", "yellow": "bbssxx", "red": "bssxxx"}
COLOURS = tuple(SIDES)
NUMBER = {"green": 6, "yellow": 4, "red": 3}


def draws(cup: tuple[int, ...], number: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """What is drawn from a cup, with its chance."""
    number = min(number, sum(cup))
    for drawn in product(*(range(have + 1) for have in cup)):
        if sum(drawn) == number:
            ways = 1
            for have, taken in zip(cup, drawn, strict=True):
                ways *= comb(have, taken)
            yield drawn, ways / comb(sum(cup), number)


@cache
def shown(hand: tuple[int, ...]) -> list[tuple[int, tuple[int, ...], tuple[int, ...], float]]:
    """What dice show: the brains, the shotguns and the footsteps of each colour, with the chance."""
    dice = [colour for colour, number in zip(COLOURS, hand, strict=True) for _ in range(number)]
    found: Counter[Any] = Counter()
    for sides in product(*(SIDES[colour] for colour in dice)):
        of = Counter(zip(dice, sides, strict=True))
        found[
            sum(of[colour, "b"] for colour in COLOURS), tuple(of[colour, "x"] for colour in COLOURS),
            tuple(of[colour, "s"] for colour in COLOURS),
        ] += 1  # fmt: skip
    return [(*key, ways / 6 ** len(dice)) for key, ways in found.items()]


def zombie_turn(most: int) -> float:
    """The mean of brains in a turn. Only three footsteps of the same dice lead back to where one was."""

    @cache
    def rolled(brains: int, shots: tuple[int, ...], feet: tuple[int, ...], cup: tuple[int, ...]) -> float:
        missing = 3 - sum(feet)
        if sum(cup) < missing:
            cup = tuple(NUMBER[colour] - feet[i] - shots[i] for i, colour in enumerate(COLOURS))
        value, again = 0.0, 0.0
        for drawn, chance in draws(cup, missing):
            hand = tuple(map(sum, zip(feet, drawn, strict=True)))
            left = tuple(have - taken for have, taken in zip(cup, drawn, strict=True))
            for more, shot, steps, share in shown(hand):
                now = tuple(map(sum, zip(shots, shot, strict=True)))
                if sum(now) >= 3:
                    continue
                if (more, shot, steps, left) == (0, (0, 0, 0), feet, cup):
                    again += chance * share
                    continue
                total = brains + more
                value += chance * share * (total if total >= most else max(total, rolled(total, now, steps, left)))
        return value / (1 - again)

    return rolled(0, (0, 0, 0), (0, 0, 0), (6, 4, 3))


def test_zombie_dice() -> None:
    """The state of three footsteps is worth as much as what one stops with, or one rolls again: both are tried."""
    assert solve(example("zombie_dice", most=3)).value() == pytest.approx(zombie_turn(3), abs=1e-12)


# Ship, captain and crew


def ship_captain_crew(rolls: int) -> Fraction:
    @cache
    def rolled(aside: int, cargo: tuple[int, ...], left: int) -> Fraction:
        number, total = 5 - aside - len(cargo), Fraction(0)
        for dice in product(range(1, 7), repeat=number):
            now, rest = aside, list(dice)
            for face in (6, 5, 4)[aside:]:
                if face not in rest:
                    break
                rest.remove(face)
                now += 1
            total += chosen(now, tuple(sorted((*cargo, *rest))) if now == 3 else (), left - 1)
        return Fraction(total / 6**number)

    @cache
    def chosen(aside: int, cargo: tuple[int, ...], left: int) -> Fraction:
        if aside < 3:
            return rolled(aside, (), left) if left else Fraction(0)
        ways = [Fraction(sum(cargo))]
        if left:
            ways += [rolled(3, kept, left) for kept in ((), cargo[:1], cargo[1:])]
        return max(ways)

    found: Fraction = rolled(0, (), rolls)
    return found


def test_ship_captain_crew() -> None:
    for rolls in (1, 3):
        assert solve(example("ship_captain_crew", rolls=rolls), exact=True).value() == ship_captain_crew(rolls)


# A row of Qwixx


def qwixx(last: int, lost: int) -> Fraction:
    whole = 10**6

    def can(number: int, at: int, crosses: int) -> bool:
        return at < number <= last and (number < last or crosses >= 5)

    def crossed(number: int, crosses: int) -> tuple[int, int]:
        return number, crosses + 1 + (number == last)

    throws = Counter((a + b, min(a, b) + red, max(a, b) + red) for a, b, red in product(range(1, 7), repeat=3))

    @cache
    def turn(at: int, crosses: int, fails: int) -> Fraction:
        if at == last or fails == lost:
            return Fraction(crosses * (crosses + 1) // 2 - 5 * fails)
        return sum((ways * white_first(at, crosses, fails, *throw) for throw, ways in throws.items()), Fraction(0)) / 216

    @cache
    def white_first(at: int, crosses: int, fails: int, white: int, less: int, more: int) -> Fraction:
        found = coloured(at, crosses, fails, 0, less, more)
        if can(white, at, crosses):
            found = max(found, coloured(*crossed(white, crosses), fails, 1, less, more))
        return found

    @cache
    def coloured(at: int, crosses: int, fails: int, before: int, less: int, more: int) -> Fraction:
        found = turn(at, crosses, fails + 1 - before) if fails + 1 - before <= lost else Fraction(-whole)
        for number in {less, more}:
            if can(number, at, crosses):
                found = max(found, turn(*crossed(number, crosses), fails))
        return found

    return turn(1, 0, 0)


def test_qwixx_row() -> None:
    assert solve(example("qwixx_row", last=8, lost=2), exact=True).value() == qwixx(8, 2)


# Snakes and ladders

JUMPS = {
    1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100,
    16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78,
}  # fmt: skip


def test_snakes_and_ladders() -> None:
    """The mean by linear equations, and how likely each number of rolls is, roll by roll."""
    step = np.zeros((101, 101))
    for square, die in product(range(100), range(1, 7)):
        there = square + die if square + die <= 100 else square
        step[square, JUMPS.get(there, there)] += 1 / 6
    mean = np.linalg.solve(np.eye(100) - step[:100, :100], np.ones(100))[0]
    solution = solve(example("snakes_and_ladders"))
    assert solution.value() == pytest.approx(mean, abs=1e-9)
    rolls = distribution(solution)
    at = np.zeros(101)
    at[0] = 1
    for number in range(1, 60):
        before = at[100]
        at = np.where(np.arange(101) == 100, before, 0) + np.where(np.arange(101) < 100, at, 0) @ step
        assert rolls.at_least(number) - rolls.at_least(number + 1) == pytest.approx(at[100] - before, abs=1e-9)


# Casinos


def casinos(number: int) -> Fraction:
    needs, prize = (1, 1, 2, 2, 3, 3), (10, 20, 30, 50, 60, 90)

    @cache
    def rolled(left: int, placed: tuple[int, ...]) -> Fraction:
        if not left:
            return Fraction(sum(pays for pays, need, has in zip(prize, needs, placed, strict=True) if has >= need))
        hands = Counter(tuple(sorted(dice)) for dice in product(range(6), repeat=left))
        total = Fraction(0)
        for hand, ways in hands.items():
            total += ways * max(
                rolled(left - hand.count(face), (*placed[:face], min(3, placed[face] + hand.count(face)), *placed[face + 1 :]))
                for face in set(hand)
            )
        return Fraction(total / 6**left)

    return rolled(number, (0,) * 6)


def test_casinos() -> None:
    assert solve(example("casinos", number=4), exact=True).value() == casinos(4)


# A dungeon


def dungeon(health: int, monster_health: int, potions: int, fury: int) -> Fraction:
    sword = {0: Fraction(2, 6), 1: Fraction(3, 6), 3: Fraction(1, 6)}
    block = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    claw = {hit: Fraction(weight, 5 + fury) for hit, weight in {0: 1, 1: 2, 2: 2, 4: fury}.items()}

    @cache
    def value(hero: int, monster: int, flasks: int) -> Fraction:
        if not hero or not monster:
            return Fraction(hero > 0)
        ways = [(hero, 2, 0, flasks), (hero, 1, 1, flasks)]
        if flasks:
            ways.append((min(health, hero + 4), 0, 1, flasks - 1))
        best = Fraction(0)
        for strength, swords, shields, kept in ways:
            found, again = Fraction(0), Fraction(0)
            for *hits, shield, hit in product(*[sword] * swords, block if shields else [0], claw):
                chance = claw[hit] * (block[shield] if shields else 1)
                for one in hits:
                    chance *= sword[one]
                left = max(0, monster - sum(hits))
                now = max(0, strength - (0 if not left or shield else hit))
                if (now, left, kept) == (hero, monster, flasks):
                    again += chance
                else:
                    found += chance * value(now, left, kept)
            best = max(best, Fraction(found / (1 - again)))
        return best

    found: Fraction = value(health, monster_health, potions)
    return found


def test_dungeon() -> None:
    for fury in (0, 2):
        rules = {"health": 5, "monster_health": 4, "potions": 1, "fury": fury}
        assert solve(example("dungeon", **rules), exact=True).value() == dungeon(**rules)


# The Royal Game of Ur


def ur_with_one_piece() -> float:
    """The chance to win of the first player, by iteration until nothing changes."""
    chance = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    value = np.full((15, 15), 0.5)
    for _ in range(1000):
        before = value.copy()
        for me, other in product(range(15), repeat=2):
            total = 0.0
            for rolled, share in enumerate(chance):
                there = me + rolled
                if rolled == 0 or there > 15 or (there == 8 and other == 8):
                    worth = 1 - value[other, me]
                elif there == 15:
                    worth = 1.0
                elif there in (4, 8, 14):
                    worth = value[there, other]
                else:
                    worth = 1 - value[0 if there == other and 5 <= there <= 12 else other, there]
                total += share * worth
            value[me, other] = total
        if np.abs(value - before).max() < 1e-15:
            break
    return float(value[0, 0])


def test_small_ur() -> None:
    """The value for one piece is known, 0.530049839525, by Finkel's rules."""
    found = solve(example("small_ur")).value()
    assert found == pytest.approx(0.530049839525, abs=1e-12)
    assert found == pytest.approx(ur_with_one_piece(), abs=1e-12)
