"""Where values come from: parts add up to the value of a move and to the difference of two, and sentences say nothing false."""

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import isinf
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwise import Against, AtLeast, Duel, Expected, Fewest, Game, Objective, PositionError, Solution, explain, solve
from rollwise.cli.main import main
from rollwise.games import load
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.rules import Sheet
from rollwise.model.message import Message, round_chance
from rollwise.model.reasons import Comparison, Part, differences
from rollwise.model.view import View, view_of
from rollwise.playing.explain import Reasons, parts, reasons
from rollwise.texts.render import render
from tests.examples import examples
from tests.strategies import TableGame, for_two, layered_games, retry_games

NEAR = 1e-9
SHEETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "bonus": {"bonus": UpperBonus(4, 7)},
    "steps": {"bonus": UpperBonus(6, 9, before=((2, 3), (4, 7)))},
    "joker": {"joker": Joker("pair", "free", 5, {"sum": 20})},
    "both": {"joker": Joker("pair", "forced", 5, {"sum": 20}), "bonus": UpperBonus(4, 7)},
    "in-order": {"in_order": True, "bonus": UpperBonus(4, 7)},
}
AIMS: list[Objective] = [Expected(), AtLeast(9), Against({9: 1, 14: 2}), Duel()]


def small(kind: str, boxes: int) -> Sheet:
    """Two dice with three faces, one reroll."""
    listed = [
        Box("ones", lambda hand: hand.count(1), face=1),
        Box("pair", lambda hand: 10 if len(set(hand)) == 1 else 0),
        Box("twos", lambda hand: 2 * hand.count(2), face=2),
        Box("sum", sum),
    ]
    return Sheet(listed[:boxes], count=2, faces=3, rerolls=1, **SHEETS[kind])


@cache
def solved(kind: str, boxes: int, aim: Objective, exact: bool) -> Solution:
    return solve(small(kind, boxes), aim, exact=exact)


def positions(solution: Solution, count: int, seed: int = 13) -> Iterator[Any]:
    """Meet states in games in which the best moves are mostly, but not always, taken."""
    random, game = Random(seed), solution.game
    while True:
        pending = game.start()
        for _ in range(40):
            roll = game.roll(pending)
            state = random.choices(list(roll), list(roll.values()))[0]
            ranked = solution.ranked(state)
            if not ranked:
                break
            yield state
            count -= 1
            if not count:
                return
            pending = game.play(state, ranked[0 if random.random() < 0.7 else -1].action)


def check_sums(solution: Solution, count: int, within: float) -> None:
    """Compare sums of parts with values, and sums of reasons with differences."""
    known = Reasons(solution)
    for state in positions(solution, count):
        ranked = solution.ranked(state)
        for row in (*ranked[:3], *ranked[-2:]):
            total: Any = sum(part.value for part in parts(solution, state, row.action))
            assert total == row.value or abs(total - row.value) <= within
            rival = known.rival(state, row.action)
            if rival is not None and not isinf(row.value):
                better: Any = sum(reason.value for reason in known.between(state, row.action, rival))
                assert abs(abs(better) - abs(row.value - known.values(state)[rival])) <= within


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: aim.name)
@pytest.mark.parametrize("kind", SHEETS)
def test_parts_add_up_in_fractions(kind: str, aim: Objective) -> None:
    for boxes in (2,) if aim == Duel() else (2, 4):
        check_sums(solved(kind, boxes, aim, True), 25, 0)


@pytest.mark.parametrize("aim", AIMS[:3], ids=lambda aim: aim.name)
@pytest.mark.parametrize("kind", SHEETS)
def test_parts_add_up_in_floats(kind: str, aim: Objective) -> None:
    check_sums(solved(kind, 4, aim, False), 40, NEAR)


def test_parts_of_a_duel_are_player_0s() -> None:
    solution = solve(load("yazy", boxes="ones,straight"), Duel())
    check_sums(solution, 30, NEAR)
    state = solution.game.read_state("12345 0 ones,straight vs ones lead 0")
    assert solution.game.mover(state) == 1
    first, *rest = parts(solution, state, "straight")
    assert first.kind == "stands"
    assert 0 < first.value < 1
    assert sum(part.value for part in rest) < 0, "a straight for player 1 is bad for player 0"
    assert sum(reason.value for reason in reasons(solution, state, "straight")) > 0, "and good for the player to move"


def test_fractions_and_floats_have_the_same_parts() -> None:
    exact, floats = (solved("both", 4, Expected(), exact) for exact in (True, False))
    for state in positions(exact, 20):
        for action in exact.game.actions(state):
            pairs = zip(parts(exact, state, action), parts(floats, state, action), strict=True)
            for one, two in pairs:
                assert one[:2] == two[:2]
                assert [float(number) for number in one[2:] if number is not None] == pytest.approx(
                    [number for number in two[2:] if number is not None]
                )


def some_of(name: str, *boxes: str, bonus: UpperBonus | None = None) -> Sheet:
    full: Any = load(name)
    return Sheet([box for box in full.boxes if box.name in boxes], count=full.count, bonus=bonus, joker=full.joker)


@pytest.fixture(scope="module")
def yazy() -> Solution:
    return solve(load("yazy"))


@pytest.fixture(scope="module")
def yahtzee() -> Solution:
    return solve(
        some_of("yahtzee", "twos", "threes", "four-of-a-kind", "full-house", "yahtzee", "chance", bonus=UpperBonus(15, 35))
    )


def test_parts_of_a_full_sheet_add_up(yazy: Solution) -> None:
    check_sums(yazy, 60, NEAR)


@pytest.mark.audit
@pytest.mark.parametrize("name", ["yahtzee", "yatzy", "kniffel"])
def test_parts_of_the_great_sheets_add_up(name: str) -> None:
    check_sums(solve(load(name)), 400, NEAR)


def test_parts_with_bonus_and_jokers_add_up(yahtzee: Solution) -> None:
    check_sums(yahtzee, 60, NEAR)


def test_no_box_is_worth_more_than_it_can_pay(yahtzee: Solution) -> None:
    state = yahtzee.game.read_state("22233 2 all upper 0")
    boxes = [part for part in parts(yahtzee, state, (2, 2, 2)) if part.kind == "box"]
    assert [part.what for part in boxes] == list(yahtzee.game.names)
    most = [max(*yahtzee.game.scores[part.what].values(), yahtzee.game.joker.pays.get(part.what, 0)) for part in boxes]
    assert all(0 < (part.later or 0) <= points + NEAR for part, points in zip(boxes, most, strict=True))
    assert sum(part.chance or 0 for part in boxes) == pytest.approx(1)
    house: Any = next(part for part in boxes if part.what == "full-house")
    assert house.value == pytest.approx(house.chance * house.points + (1 - house.chance) * house.later)


def test_a_move_that_is_none_is_refused(yazy: Solution) -> None:
    with pytest.raises(PositionError, match="no move of state"):
        parts(yazy, yazy.game.read_state("12345 0 ones"), "sixes")


# Any game


RANDOM = st.one_of(
    st.tuples(layered_games(), st.sampled_from([Expected(), AtLeast(2), Fewest()])),
    st.tuples(retry_games(), st.sampled_from([Expected(), Fewest()])),
    st.tuples(for_two(layered_games()), st.sampled_from([Expected(), AtLeast(2)])),
)


@given(RANDOM)
@examples(60)
def test_parts_of_any_game_add_up(drawn: tuple[TableGame, Objective]) -> None:
    game, aim = drawn
    solution = solve(game, aim, exact=True)
    known = Reasons(solution)
    for state in list(solution._states())[:8]:
        for row in solution.ranked(state):
            assert sum(part.value for part in parts(solution, state, row.action)) == row.value
            assert explain(solution, state, row.action)
            rival = known.rival(state, row.action)
            if rival is not None and not any(map(isinf, (row.value, known.values(state)[rival]))):
                better = sum(reason.value for reason in known.between(state, row.action, rival))
                assert better == sum(reason.value for reason in known.coming(state, row.action, rival))
                assert abs(better) == abs(row.value - known.values(state)[rival])


class Solo(Game[tuple[int, int], tuple[int, int], str]):
    """Three turns of one die: bank what was rolled, or roll on; a 1 loses the turn."""

    def start(self) -> tuple[int, int]:
        return 3, 0

    def roll(self, pending: tuple[int, int]) -> dict[tuple[int, int], int]:
        turns, points = pending
        return {**{(turns, points + face): 1 for face in range(2, 7)}, (turns - 1, 0): 1} if turns else {pending: 1}

    def actions(self, state: tuple[int, int]) -> tuple[str, ...]:
        turns, points = state
        return () if not turns else ("bank", "roll") if 0 < points < 30 else ("bank",) if points else ("roll",)

    def play(self, state: tuple[int, int], action: str) -> tuple[int, int]:
        return state if action == "roll" else (state[0] - 1, 0)

    def gain(self, state: tuple[int, int], action: str) -> int:
        return state[1] if action == "bank" else 0


class TurnsView(View):
    def ends_turn(self, state: tuple[int, int], action: str) -> str | None:
        return "bank" if action == "bank" else ""


class Turns(Solo):
    """The same, and it says what ends a turn."""

    view = TurnsView


def test_a_game_with_turns_is_followed_to_their_end() -> None:
    solution = solve(Turns(), exact=True)
    check_sums(solution, 20, 0)
    first, *ends = parts(solution, (1, 18), "roll")
    assert (first.kind, [render(part.what) for part in ends]) == ("stands", ["bank", "the end"])
    assert [part.chance for part in ends] == [Fraction(5, 6), Fraction(1, 6)]
    assert ends[0].points == 22, "what is banked on average"


def test_turns_that_do_not_end_are_cut_off() -> None:
    class EndlessView(View):
        def ends_turn(self, state: tuple[int, int], action: str) -> str | None:
            return ""

    class Endless(Solo):
        view = EndlessView

    solution = solve(Endless(), exact=True)
    for row in solution.ranked((3, 18)):
        assert sum(part.value for part in parts(solution, (3, 18), row.action)) == row.value


def test_words_are_not_listed() -> None:
    solution = solve(load("words", dice="AAC,ACT", words="CA,AT"))
    for state in positions(solution, 10):
        for row in solution.ranked(state):
            assert float(sum(part.value for part in parts(solution, state, row.action))) == pytest.approx(row.value, abs=NEAR)


def test_a_move_that_may_never_end_has_one_part() -> None:
    solution = solve(TableGame({0: [("p0", 0), ("p1", 0)]}, {"p0": {0: 1, 100: 1}, "p1": {0: 1}}, {}, {}), Fewest())
    (part,) = parts(solution, 0, 1) if isinf(solution.ranked(0)[1].value) else (Part("next", "may never end", 0.0),)
    assert render(part.what) == "may never end"


# Sentences


def test_parts_that_one_move_lacks_count_as_nothing() -> None:
    mine, other = [Part("box", "a", 2), Part("bonus", "b", 1)], [Part("box", "a", 3), Part("joker", "c", -1)]
    assert [reason.value for reason in differences(mine, other)] == [-1, 1, 1]
    assert [reason.value for reason in differences(mine, other, -1)] == [1, -1, -1]


def said(solution: Solution, text: str, action: str) -> str:
    game = solution.game
    return explain(solution, game.read_state(text), game.read_action(action))


def messages(told: Any) -> Iterator[Message]:
    """Give a message and all within it."""
    if isinstance(told, Message):
        yield told
        told = list(told.args.values())
    if isinstance(told, list | tuple):
        for each in told:
            yield from messages(each)


def named_parts(told: Any) -> list[tuple[str, str, dict[str, Any]]]:
    """Give for each part that a sentence names what is said of it, its name ("" for the rest), and its figures."""
    found: list[tuple[str, Message]] = []
    for one in messages(told):
        role, parts = one.key.removeprefix("reason."), one.args.get("parts")
        if isinstance(parts, list):
            found += [(role, part) for part in parts if isinstance(part, Message)]
        elif "edge" in one.args and role not in ("part", "chance", "chances", "rest"):
            found.append((role, one))
    return [(role, str(part.args.get("what", "")), {**part.args, "key": part.key}) for role, part in found]


def check_boxes(solution: Solution, move: Comparison, told: Any) -> None:
    """Compare what a sentence says of filling two boxes: points, bonuses and what is still to come make the difference."""
    sheet, state = view_of(solution.game).game, move.state
    while not isinstance(sheet, Sheet):
        sheet, state = sheet.wrapped, state[0]
    said = {one.key.removeprefix("reason."): one.args for one in messages(told)}
    now: Any = said.get("now-more", {"n": 0})["n"]
    now -= cast("int", said.get("now-less", {"n": 0})["n"])
    assert now == sheet.gain(state, move.action) - sheet.gain(state, move.rival)
    if not solution.objective.wins:
        later: Any = said.get("open-more", {"n": 0})["n"]
        later -= cast("float", said.get("open-less", {"n": 0})["n"])
        bonuses = sum(about["edge"].args["n"] for _, _, about in named_parts(told))
        assert now + later + bonuses == pytest.approx(float(move.gain), abs=0.05 * abs(float(move.gain)) + 0.2)


def check_sentence(solution: Solution, known: Reasons, state: Any, action: Any) -> int:
    """Compare what a sentence says with the parts of the two moves; gives how many parts it names."""
    told, scale = (
        view_of(solution.game).explain(move := known.compare(state, action, "reasons")),
        100 if solution.objective.wins else 1,
    )
    compared = {str(reason.what): reason for reason in move.reasons if reason.kind != "stands"}
    named = named_parts(told)
    assert len({what for _, what, _ in named}) == len(named) <= 5, "each part once"
    values = {what: float(reason.value) for what, reason in compared.items()}
    values[""] = sum(values.values()) - sum(values[what] for _, what, _ in named if what)
    for role, what, about in named:
        edge = about["edge"]
        assert edge.args["n"] == round(scale * values[what], 2 if edge.key.endswith("-fine") else 1)
        assert (values[what] > 0) == (role in ("well", "well-open", "more", "sparing", "rest-more"))
        sides = [part for part in (compared[what].mine, compared[what].other) if part] if what else []
        chances = [round_chance(float(part.scored or 0)) for part in sides]
        assert {about[one] for one in ("chance", "other") if one in about} <= {*chances}
        assert about["key"] != "reason.passing" or chances[0] < 0.005, "it may still be scored"
    if isinstance(move.action, str) and isinstance(move.rival, str) and move.has_better:
        check_boxes(solution, move, told)
        return 1
    if named and move.has_better and "" not in {what for _, what, _ in named}:
        assert abs(scale * values[""]) <= max(0.05 * scale * abs(float(move.gain)), 0.05) + NEAR, "parts make the difference"
    assert move.has_better or not named
    margins = [one for one in messages(told) if one.key.startswith("margin.")]
    gain: Any = 0 if move.rival is None else known.values(state)[action] - known.values(state)[move.rival]
    gain = float(gain) * (-1 if solution.game.mover(state) else 1)
    assert bool(margins) == (abs(gain) >= NEAR)
    for margin in margins:
        assert margin.key.endswith("-better" if gain > 0 else "-worse")
        assert margin.args["n"] == pytest.approx(scale * abs(gain), rel=0.06 if scale * abs(gain) >= 0.1 else 0.5)
    return len(named)


@pytest.mark.parametrize("aim", AIMS, ids=lambda aim: aim.name)
@pytest.mark.parametrize("kind", SHEETS)
def test_sentences_about_sheets_are_true(kind: str, aim: Objective) -> None:
    solution = solved(kind, 2 if aim == Duel() else 4, aim, False)
    known, random = Reasons(solution), Random(kind)
    named = 0
    for state in positions(solution, 40):
        for row in random.sample(ranked := list(solution.ranked(state)), min(4, len(ranked))):
            named += check_sentence(solution, known, state, row.action)
    assert named > 20


def test_sentences_about_full_sheets_are_true(yazy: Solution, yahtzee: Solution) -> None:
    saving = solve(load("yatzy", saved_rolls=True, boxes=("ones", "sixes", "pair", "large-straight", "chance")))
    for solution in (yazy, yahtzee, saving):
        known = Reasons(solution)
        assert sum(check_sentence(solution, known, state, solution.best(state)) for state in positions(solution, 60)) > 60


def roles(solution: Solution, text: str, action: str) -> dict[str, str]:
    """Say for each part that a sentence names what is said of it."""
    game = solution.game
    told = Reasons(solution).explainer()(game.read_state(text), game.read_action(action))
    return {what: role for role, what, _ in named_parts(told)}


def test_a_full_house_in_hand_is_passed_up(yahtzee: Solution) -> None:
    assert roles(yahtzee, "22233 2 all upper 0", "keep 222")["full-house"] == "risking"


def test_a_straight_in_hand_is_not_what_a_keep_is_for() -> None:
    solution = solve(some_of("maxi-yatzy", "small-straight", "large-straight", "full-straight", "chance"))
    assert roles(solution, "123455 2 all", "keep 12345")["small-straight"] == "risking"


def test_four_of_a_kind_is_kept_for_the_balut() -> None:
    solution = solve(load("balut", boxes=("fives", "choice", "balut"), times=2))
    assert roles(solution, "11112 1 all", "keep 1111")["balut"] == "more"


def test_both_moves_that_surely_fill_a_box_give_up_nothing() -> None:
    solution = solve(load("yazy", boxes="ones,sixes"))
    assert roles(solution, "12666 1 all", "keep 1666") == {"sixes": "less"}
    assert roles(solution, "12666 1 all", "keep 666") == {"sixes": "more"}


def test_the_only_move_has_no_reasons(yazy: Solution) -> None:
    assert not roles(yazy, "12345 0 sixes", "sixes")


def test_reasons_add_up_to_the_loss(yazy: Solution) -> None:
    state = yazy.game.read_state("33561 2 all")
    best, second = yazy.ranked(state)[:2]
    assert sum(reason.value for reason in reasons(yazy, state, second.action)) == pytest.approx(-second.loss, abs=NEAR)
    assert sum(reason.value for reason in reasons(yazy, state, best.action, second.action)) == pytest.approx(
        second.loss, abs=NEAR
    )


# The command


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_json_has_parts_that_add_up(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run(capsys, "advise", "yazy", "-p", "boxes=ones,sixes", "--state", "12666 1 all", "--json"))
    values = {move["action"]: move["value"] for move in found["moves"]}
    for move in found["moves"]:
        assert sum(part["value"] for part in move["parts"]) == pytest.approx(move["value"], abs=NEAR)
        more = sum(reason["value"] for reason in move["reasons"])
        assert more == pytest.approx(move["value"] - values[move["against"]], abs=NEAR)
    part = next(part for part in found["moves"][0]["parts"] if part["what"] == "sixes")
    assert set(part) == {"kind", "what", "value", "exact", "chance", "points", "later"}


def test_json_writes_fractions(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("advise", "yazy", "-p", "boxes=ones,sixes", "--state", "12666 1 all", "--exact", "--json", "--top", "1")
    (move,) = json.loads(run(capsys, *words))["moves"]
    assert sum(Fraction(part["exact"]) for part in move["parts"]) == Fraction(move["exact"])


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("yazy", "-p", "boxes=ones,sixes", "--state", "12666 1 all"), ("left open", "keep 666", "100 %, 20 points", "in all")),
        (("yazy", "-p", "boxes=ones,sixes", "--state", "12666 0 ones"), ("ones", "100 %, 1 point", "in all")),
        (("slots", "--state", "all 0 6"), ("this position", "17 %, then 29.24 %", "3.03")),
        (
            ("yazy", "-p", "boxes=ones,sixes", "--at-least", "20", "--state", "12666 1 all needs 20"),
            ("before this turn", "then "),
        ),
    ],
)
def test_why_prints_the_parts(words: tuple[str, ...], shown: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "advise", *words, "--why")
    for text in shown:
        assert text in out
