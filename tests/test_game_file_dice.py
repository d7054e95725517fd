"""Game files with dice of all kinds, rolls in turn, draws and rows of columns: against lists of everything that can happen."""

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest

from rollwise import GameError, check_game, distribution, read_objective, solve
from rollwise.games.files import FileGame
from tests.reference import recursion
from tests.wrong_game_files import MORE

TWO = list(product(range(1, 7), repeat=2))


def chance_file(roll: str, columns: str = "", dice: str = "", pays: str = "n") -> FileGame:
    """A game of one roll, which pays a number."""
    first = "[[roll]]" if "[[roll]]" in roll else "[roll]"
    n = 'n = { range = "-99..9999", start = 0 }'
    return FileGame(f'format = 1\n[dice]\n{dice}\n[columns]\n{n}\n{columns}\n{first}\n{roll}\n[end]\npays = "{pays}"\n')


def mean(values: Any) -> Fraction:
    found = [Fraction(value) for value in values]
    return sum(found, Fraction(0)) / len(found)


FOUR = list(product(range(1, 7), repeat=4))
ZOMBIE = 'red = ["brain", "steps", "steps", "shot", "shot", "shot"]\ngreen = { brain = 3, steps = 2, shot = 1 }'


@pytest.mark.parametrize(
    ("roll", "dice", "value"),
    [
        ('dice = 4\nto = { n = "sum(dice) - min(dice)" }', "", mean(sum(one) - min(one) for one in FOUR)),
        ('dice = 4\nto = { n = "sum(highest(dice, 3))" }', "", mean(sum(one) - min(one) for one in FOUR)),
        ('dice = 4\nto = { n = "10 * dice[1] + dice[-2]" }', "", mean(10 * sorted(o)[1] + sorted(o)[-2] for o in FOUR)),
        ('dice = { a = 1, b = 1 }\nto = { n = "4 * a if a == b else a" }', "", mean(4 * a if a == b else a for a, b in TWO)),
        ('dice = { a = 1, b = 1 }\nfaces = 4\nto = { n = "sum(dice) * a" }', "",
         mean((a + b) * a for a, b in product(range(1, 5), repeat=2))),
        ('dice = { a = 2, b = 1 }\nto = { n = "max(a) > b" }', "",
         mean(max(a, b) > c for a, b, c in product(range(1, 7), repeat=3))),
        ('dice = 3\nfaces = [-1, 0, 1]\nto = { n = "sum(dice) * max(dice)" }', "",
         mean(sum(one) * max(one) for one in product((-1, 0, 1), repeat=3))),
        ('dice = 1\nfaces = { 1 = 2, 6 = 1 }\nto = { n = "die" }', "", Fraction(8, 3)),
        ('dice = 2\nfaces = { 1 = 2, 6 = 1 }\nto = { n = "sum(dice) * (dice == [1, 6])" }', "", Fraction(7 * 4, 9)),
        ('dice = { red = 1, green = 2 }\nto = { n = "100 * (red == \'shot\') + count(green, \'brain\')" }', ZOMBIE, Fraction(51)),
        ('dice = { red = 1, green = 2 }\nto = { n = "count(dice, \'brain\')" }', ZOMBIE, Fraction(1, 6) + 1),
        ('dice = 1\nfaces = "red"\nto = { n = "die == \'steps\'" }', ZOMBIE, Fraction(1, 3)),
        ('dice = 2\nfaces = ["skull", 7, 7]\nto = { n = "sum(dice)" }', "", Fraction(28, 3)),
        ('dice = 1\nfaces = ["skull", 7, 7]\nto = { n = "[10, 0, 0, 0, 0, 0, 0, 1][die]" }', "", Fraction(4)),
        ('draw = 3\nfrom = { a = 4, b = 2, c = 1 }\nto = { n = "100 * a + 10 * b + c" }', "",
         mean(sum({"a": 100, "b": 10, "c": 1}[one] for one in hand) for hand in combinations("aaaabbc", 3))),
        ('draw = 3\nfrom = { a = 4, b = 2 }\nto = { n = "a * a * b" }', "",
         mean(hand.count("a") ** 2 * hand.count("b") for hand in combinations("aaaabb", 3))),
        ('draw = 9\nfrom = { a = 4, b = 2 }\nto = { n = "10 * a + b" }', "", Fraction(42)),
    ],
)  # fmt: skip
def test_one_roll(roll: str, dice: str, value: Fraction) -> None:
    game = chance_file(roll, dice=dice)
    assert solve(game, exact=True).value() == value
    assert check_game(game).warnings == ()


def test_rolls_in_turn_are_one_roll() -> None:
    """How many are drawn, then thrown, then drawn again: by trees of chances."""
    game = chance_file(
        'dice = 1\nfaces = 3\nto = { k = "die" }\n[[roll]]\ndraw = "k"\nfrom = { good = 2, bad = 3 }\nto = { g = "good" }\n'
        '[[roll]]\ndice = "g"\nunless = "g == 0"\nto = { n = "100 * g + sum(dice)" }\n[[roll]]\ndraw = 1\n'
        'from = { u = "k", v = "g" }\nto = { n = "n * (v + 1)" }',
        'k = "0..3"\ng = "0..3"',
    )  # fmt: skip
    total = Fraction(0)
    for k in (1, 2, 3):
        hands = list(combinations("ggbbb", k))
        for hand in hands:
            g = hand.count("g")
            for dice in product(range(1, 7), repeat=g):
                n = 100 * g + sum(dice) if g else 0
                total += Fraction(1, 3 * len(hands) * 6**g) * n * (1 + Fraction(g, k + g))
    assert solve(game, exact=True).value() == total
    assert solve(game).value() == pytest.approx(float(total), abs=1e-9)


def test_a_draw_without_enough_is_all_there_is_left() -> None:
    """A bag is emptied: every order of drawing is as likely, and the last draw takes what is left."""
    game = FileGame("""
    format = 1
    [columns]
    a = { range = "0..3", start = 3 }
    b = { range = "0..2", start = 2 }
    score = "0..99"
    [roll]
    draw = 2
    from = { x = "a", y = "b" }
    unless = "a + b == 0"
    to = { a = "a - x", b = "b - y", score = "score + x * (a + b) + 3 * (x + y == 1)" }
    [end]
    pays = "score"
    """)
    orders = [order for order in product("xy", repeat=5) if order.count("x") == 3]
    worth = [sum((5 - i + i % 2) * (one == "x") for i, one in enumerate(order)) + 3 for order in orders]
    assert solve(game, exact=True).value() == mean(worth)


def test_a_game_without_actions_rolls_until_nothing_is_rolled() -> None:
    game = FileGame("""
    format = 1
    objective = "fewest"
    [columns]
    n = "0..9"
    [roll]
    dice = 1
    unless = "n >= 9"
    cost = 1
    to = { n = "min(9, n + die)" }
    """)

    def rolls(n: int) -> Fraction:
        return Fraction(0) if n >= 9 else 1 + sum((rolls(n + die) for die in range(1, 7)), Fraction(0)) / 6

    solution = solve(game, exact=True)
    assert solution.value() == rolls(0)
    assert distribution(solution).mean == pytest.approx(float(rolls(0)))
    assert game.actions(game.at(n=3)) == ("roll",)
    assert game.actions(game.at(n=9)) == ()
    assert check_game(game).warnings == ()


def row_file(to: str, pays: str) -> FileGame:
    return FileGame(f"""
    format = 1
    [parameters]
    size = 3
    [define]
    large = "[x > 1 for x in cells]"
    [columns]
    cells = {{ count = "size", range = "0..9", start = [4, 0, 2] }}
    other = {{ count = 3, range = "0..9", start = 7 }}
    sets = {{ count = 2, set = "1..3", start = [1] }}
    hands = {{ count = 2, dice = 3, faces = 4, start = [2, 2] }}
    done = "0..1"
    [roll]
    dice = 0
    to = {{}}
    [[action]]
    name = "do"
    choose = {{ i = "0..size - 1" }}
    when = "done == 0"
    to = {{ done = 1, {to} }}
    [end]
    pays = "{pays}"
    """)


@pytest.mark.parametrize(
    ("to", "pays", "values"),
    [
        ('"cells[i]" = "cells[i] + 1"', "100 * cells[0] + 10 * cells[1] + cells[2]", [502, 412, 403]),
        ('"cells[2 - i]" = "cells[i]"', "100 * cells[0] + 10 * cells[1] + cells[2]", [404, 402, 202]),
        ('cells = "other"', "sum(cells)", [21] * 3),
        ('cells = "i"', "sum(cells)", [0, 3, 6]),
        ('cells = 5, "cells[0]" = 1', "100 * cells[0] + 10 * cells[1] + cells[2]", [155] * 3),
        ('"cells[0]" = 1, "cells[i]" = 2', "100 * cells[0] + 10 * cells[1] + cells[2]", [202, 122, 102]),
        ('cells = "[x + i for x in cells]"', "100 * cells[0] + 10 * cells[1] + cells[2]", [402, 513, 624]),
        ('cells = "[9 if k == i else cells[k] for k in range(size)]"', "100 * cells[0] + 10 * cells[1] + cells[2]",
         [902, 492, 409]),
        ('"sets[0]" = "sets[1] | {i + 1}"', "10 * sum(sets[0]) + len(sets[1])", [11, 31, 41]),
        ('"sets[i % 2]" = "all"', "10 * len(sets[0]) + len(sets[1])", [31, 13, 31]),
        ('sets = [2, 3]', "10 * len(sets[0]) + len(sets[1])", [22] * 3),
        ('"hands[i % 2]" = "hands[0] + [i + 1]"', "100 * sum(hands[0]) + sum(hands[1])", [504, 406, 704]),
        ("hands = []", "len(hands[0]) + len(hands[1])", [0] * 3),
        ('"other[i]" = "max(cells) + min(cells) + len(cells)"', "sum(other)", [21] * 3),
        ('"other[i]" = "count(large) + any(large) + all(large)"', "sum(other)", [17] * 3),
        ('"other[i]" = "(i in cells) + count(cells, 2 * i)"', "sum(other)", [16, 15, 16]),
        ('"other[i]" = "cells[max(0, i - 1)]"', "sum(other)", [18, 18, 14]),
    ],
)  # fmt: skip
def test_rows(to: str, pays: str, values: list[int]) -> None:
    game = row_file(to, pays)
    state = next(iter(game.roll(game.start())))
    found = [game.payoff(next(iter(game.roll(game.play(state, f"do {i}"))))) for i in range(3)]
    assert found == values
    assert check_game(game).warnings == ()


def test_a_row_is_written_place_by_place() -> None:
    game = row_file("cells = 1", "0")
    assert game.show_state(game.start()) == "4 0 2 7 7 7 1 1 22 22 0"
    assert game.read_state(game.show_state(game.start())) == game.start()
    assert [part["label"].args["name"] for part in game.view(game).parts(game.start())][:2] == ["cells 0", "cells 1"]


def test_names_of_faces_are_written_and_read() -> None:
    game = FileGame("""
    format = 1
    [dice]
    bone = ["skull", "meat", 7]
    [columns]
    bones = { dice = 2, faces = "bone", start = ["meat"] }
    [roll]
    dice = "2 - len(bones)"
    faces = "bone"
    to = { bones = "bones + dice" }
    [[action]]
    name = "keep"
    choose = { kept = "dice of bones", size = "0..1" }
    when = "'skull' in bones"
    to = { bones = "kept" }
    [end]
    pays = "sum(bones)"
    """)
    states = {game.show_state(state): weight for state, weight in game.roll(game.start()).items()}
    assert states == {"skull,meat": 1, "meat,meat": 1, "meat,7": 1}
    state = game.read_state("meat,skull")
    assert game.show_state(state) == "skull,meat"
    assert game.actions(state) == ("keep skull", "keep meat", "keep nothing")
    assert game.view(game).parts(state)[0]["faces"] == ["skull", "meat"]
    assert float(solve(game, exact=True).value()) == pytest.approx(float(solve(game).value()), abs=1e-12)


def test_names_get_no_number_that_a_die_shows() -> None:
    """Else a 1 would count nothing in the sum, as the name does."""
    game = chance_file(
        "dice = { bone = 1, red = 2 }\nfaces = 4\nto = { n = \"10 * sum(red) + (bone == 'meat') + sum(dice)\" }",
        dice='bone = ["skull", "meat"]\nred = 4',
    )
    assert solve(game, exact=True).value() == 50 + Fraction(1, 2) + 5
    with pytest.raises(GameError, match="line [0-9]+, column [0-9]+: .*call it something else"):
        chance_file(
            'dice = { bone = 2, red = 2 }\nto = { n = "sum(dice)" }', 's = { set = ["a", "meat"] }', 'bone = ["meat"]\nred = 4'
        )
    with pytest.raises(GameError, match="line [0-9]+, column [0-9]+: .*which has another place in each of two sets"):
        chance_file("dice = 1\nto = {}", 's = { set = ["a", "b"] }\nt = { set = ["b", "a"] }', 'bone = ["a"]')


def test_a_deck_of_cards() -> None:
    """The chance that five of 52 cards are of one colour."""
    game = chance_file(
        "draw = 5\nfrom = { spades = 13, hearts = 13, diamonds = 13, clubs = 13 }\n"
        'to = { n = "5 in [spades, hearts, diamonds, clubs]" }'
    )
    assert solve(game, exact=True).value() == Fraction(4 * comb(13, 5), comb(52, 5))


OBJECTIVES = {
    '"lowest"': "lowest", '"at most 2 * k"': "at-most 6", '"at least -k"': "at-least -3", '"at-most 4"': "at-most 4",
    '"quantile 10 * k%"': "quantile 30%", '"worst 10%"': "worst 10%", '"worst k + 2%"': "worst 5%",
    '"utility exp:0.01"': "utility exp:0.01", '"quantile 2.5%"': "quantile 2.5%", '"fewest"': "fewest", '"win"': "win",
}  # fmt: skip


@pytest.mark.parametrize("written", OBJECTIVES)
def test_objectives(written: str) -> None:
    text = (
        f'format = 1\nobjective = {written}\n[parameters]\nk = 3\n[columns]\nn = "0..6"\n[roll]\ndice = 1\nto = {{ n = "die" }}\n'
    )
    game = FileGame(text + '[end]\npays = "n"\n')
    assert game.objective == read_objective(OBJECTIVES[written])
    if written.strip('"') not in ("win", "utility exp:0.01") and "quantile" not in written:
        assert solve(game).value() == pytest.approx({
            '"lowest"': 3.5, '"at most 2 * k"': 1, '"at least -k"': 1, '"at-most 4"': 2 / 3,
            '"worst 10%"': 1, '"worst k + 2%"': 1, '"fewest"': 1,
        }[written])  # fmt: skip


def test_win_is_for_two() -> None:
    """Each rolls once, the higher number wins, a tie counts half."""
    game = FileGame("""
    format = 1
    objective = "win"
    [columns]
    result = "0..2"
    mover = "player"
    [roll]
    dice = { mine = 1, other = 1 }
    to = { result = "2 if mine > other else mine == other" }
    [end]
    pays = "result"
    """)
    assert solve(game, exact=True).value() == Fraction(1, 2)


def test_everything_together_is_worth_the_same_in_every_way() -> None:
    game = FileGame(MORE.replace("at most limit", "at least limit"))
    exact = solve(game, exact=True).value()
    assert recursion(game, game.objective) == exact
    assert solve(game).value() == pytest.approx(float(exact), abs=1e-12)


def test_weights_that_are_too_large_are_refused() -> None:
    with pytest.raises(GameError, match=r"fewer than 2\*\*62"):
        chance_file('dice = 13\nfaces = { 1 = 1000000, 2 = 999999 }\nto = { n = "count(dice, 1)" }')


def test_older_names_are_still_free() -> None:
    """Columns may be called as the functions that came later."""
    game = chance_file('dice = 2\nto = { highest = "max(dice)", n = "highest + sum(highest(dice, 1))" }', 'highest = "0..6"')
    assert solve(game, exact=True).value() == mean(max(one) for one in TWO)
