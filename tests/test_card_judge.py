"""What a card is worth and where it loses: against another program, by simulation, and adding up."""

from itertools import product
from typing import Any

import pytest

from rollwise import AtMost, GameError, distribution, evaluate, evaluate_card, read_card, simulate, solve
from rollwise.cards.trials import simulate_policy
from rollwise.games import load
from rollwise.policies import FunctionPolicy, Optimal, PolicyPair
from tests.card_player import follow_text, text_value

PIG = """
# keep pace, then race
if higher score >= 9: roll
if turn total >= 5 + gap / 3 and their score < 10: hold
otherwise: roll
"""
SLOTS = """
if roll = 3 or points needed <= 2: high
if roll >= 2 and not even free: odd
if slots left = 3: even
otherwise: most points
"""
BOX = """
if 5 open and throw >= 5: shut the 5
if not 1 open or tiles open <= 2: shut the fewest
if highest tile > lowest tile + 2: shut the highest
"""


def pig_player(game: Any, text: str) -> Any:
    def decide(state: Any) -> Any:
        mine, theirs = (state.first, state.second) if state.mover == 0 else (state.second, state.first)
        seen = {
            "turn total": state.turn, "their score": theirs, "gap": theirs - mine, "higher score": max(mine, theirs),
        }  # fmt: skip
        offered = game.actions(state)
        return follow_text(text, seen, lambda verb: verb if verb in offered else None)

    return decide


@pytest.mark.full
@pytest.mark.parametrize("text", [PIG, "if turn total >= 6 - gap / 2: hold\notherwise: roll"])
def test_pig_played_from_the_text_alone(text: str) -> None:
    game = load("pig", target=14, faces=4)
    solution = solve(game)
    decide, best = pig_player(game, text), solution.best

    def won(state: Any) -> float:
        return float(state.first == 14)

    first = text_value(game, lambda state: (decide if state.mover == 0 else best)(state), won)
    second = 1 - text_value(game, lambda state: (best if state.mover == 0 else decide)(state), won)
    found = evaluate_card(game, read_card(text, game.vocabulary()), solution=solution)
    assert found.value == pytest.approx((first + second) / 2, abs=1e-12)
    assert found.optimum == 0.5


SLOTS_GAME = {"slots": "high:1/2/6,even:0/4/0,odd:3/0/5", "target": 12}


def slots_player(game: Any, text: str) -> Any:
    points = {"high": (1, 2, 6), "even": (0, 4, 0), "odd": (3, 0, 5)}

    def decide(state: Any) -> Any:
        seen = {
            "roll": state.roll, "points needed": 12 - state.total, "slots left": len(state.free),
            "even free": "even" in state.free,
        }  # fmt: skip

        def do(verb: str) -> Any:
            if verb == "most points":
                return max(state.free, key=lambda name: points[name][state.roll - 1])
            return verb if verb in state.free else None

        return follow_text(text, seen, do)

    return decide


@pytest.mark.full
def test_slots_played_from_the_text_alone() -> None:
    game = load("slots", **SLOTS_GAME)
    value = text_value(game, slots_player(game, SLOTS), lambda state: float(state.total >= 12))
    card = read_card(SLOTS, game.vocabulary())
    assert evaluate_card(game, card).value == pytest.approx(value, abs=1e-14)
    assert evaluate(game, card, exact=True).value == pytest.approx(value, abs=1e-14)


def box_player(game: Any, text: str) -> Any:
    def decide(state: Any) -> Any:
        tiles = [tile for tile in range(1, game.tiles + 1) if state.open >> tile - 1 & 1]
        sets = [
            tuple(tile for tile, shut in zip(tiles, picks, strict=True) if shut) for picks in product((0, 1), repeat=len(tiles))
        ]
        fitting = [found for found in sets if found and sum(found) == state.rolled]
        seen = {
            "throw": state.rolled, "5 open": 5 in tiles, "1 open": 1 in tiles, "tiles open": len(tiles),
            "highest tile": max(tiles), "lowest tile": min(tiles),
        }  # fmt: skip

        def do(verb: str) -> Any:
            found = [one for one in fitting if verb != "shut the 5" or 5 in one]
            if not found:
                return None
            rank = (lambda one: one[::-1]) if verb == "shut the highest" else (lambda one: (-len(one), one[::-1]))
            return f"shut {'+'.join(map(str, max(found, key=rank)))}"

        # Where no line fits, the first move that the rules list.
        return follow_text(text, seen, do) or game.actions(state)[0]

    return decide


def test_shut_the_box_played_from_the_text_alone() -> None:
    game = load("shut-the-box", tiles=6)
    value = text_value(game, box_player(game, BOX), lambda state: float(state.open == 0))
    card = read_card(BOX, game.vocabulary())
    found = evaluate_card(game, card)
    assert found.value == pytest.approx(value, abs=1e-14)
    assert 0 < found.unfit_share < 1


def small(name: str) -> tuple[Any, Any, Any]:
    texts = {
        "pig": PIG,
        "slots": SLOTS,
        "shut-the-box": BOX,
        "threes": "if threes > 0: keep the threes\notherwise: keep the best",
    }
    given: dict[str, Any] = {
        "pig": {"target": 14, "faces": 4},
        "slots": SLOTS_GAME,
        "shut-the-box": {"tiles": 6},
        "threes": {"dice": 3},
    }
    game = load(name, **given[name])
    return game, solve(game), read_card(texts[name], game.vocabulary())


@pytest.mark.parametrize("name", ["pig", "slots", "shut-the-box", "threes"])
def test_losses_add_up(name: str) -> None:
    game, solution, card = small(name)
    found = evaluate_card(game, card, solution=solution, worst=100_000)
    lost = found.value - found.optimum if name == "threes" else found.optimum - found.value
    assert found.loss == pytest.approx(lost, abs=1e-12)
    assert sum(line.loss for line in (*found.by_line, found.unfit)) == pytest.approx(found.loss, abs=1e-12)
    assert sum(one.cost for one in found.costliest) == pytest.approx(found.loss, abs=1e-12)
    assert [one.cost for one in found.costliest] == sorted((one.cost for one in found.costliest), reverse=True)
    assert found.optimum == pytest.approx(0.5 if name == "pig" else float(solution.value()), abs=1e-12)
    for one in found.costliest[:20]:
        assert solution.best(one.state) == one.best
        assert card.choose(solution.game, one.state) == (one.line, one.action)


@pytest.mark.parametrize("name", ["pig", "slots", "shut-the-box", "threes"])
def test_played_it_gets_its_value(name: str) -> None:
    _, solution, card = small(name)
    found = simulate_policy(solution, card, 20_000, 1)
    assert found.value == pytest.approx(evaluate_card(solution.game, card, solution=solution).value, abs=1e-12)
    assert abs(found.z_score) < 4


@pytest.mark.parametrize("name", ["slots", "shut-the-box", "threes"])
def test_a_card_is_a_policy(name: str) -> None:
    game, solution, card = small(name)
    asked = FunctionPolicy(lambda state: card.choose(solution.game, state)[1])
    value = evaluate(game, asked).value
    assert evaluate(game, card).value == pytest.approx(value, abs=1e-12)
    assert distribution(solution, card).mean == pytest.approx(distribution(solution, asked).mean, abs=1e-9)
    assert simulate(solution, 2_000, seed=1, policy=card).games == 2_000


@pytest.mark.full
def test_a_card_for_two_is_a_policy() -> None:
    game, solution, card = small("pig")
    best, asked = Optimal(solution), FunctionPolicy(lambda state: card.choose(game, state)[1])
    ways = [
        evaluate(game, players).value for players in (PolicyPair(card, best), PolicyPair(asked, best), PolicyPair(best, card))
    ]
    assert ways[0] == pytest.approx(ways[1], abs=1e-12)
    judged = evaluate_card(game, card, solution=solution)
    assert judged.value == pytest.approx((ways[0] + 1 - ways[2]) / 2, abs=1e-12)
    answer = solution.answer(card, 1)
    assert answer is not None
    assert answer.value() == pytest.approx(evaluate(game, PolicyPair("best", card)).value, abs=1e-9)


def test_odd_cards_are_told_of() -> None:
    game = load("pig", target=14, faces=4)
    text = "if turn total > 5 and turn total < 3: roll\nif gap >= -99: roll\nif lead >= 0: hold\nif turn total = 3: roll"
    found = evaluate_card(game, read_card(text, game.vocabulary()))
    assert [line.number for line in found.never_reached] == [1, 3, 4]
    assert found.remarks == ("line 1 never fits: its condition contradicts itself",)
    assert found.unfit.times == 0


def test_an_objective_that_remembers() -> None:
    game = load("threes", dice=3)
    solution = solve(game, AtMost(4))
    card = read_card("if total so far >= 4: keep all\notherwise: keep the best", solution.game.vocabulary())
    found = evaluate_card(game, card, AtMost(4), solution=solution)
    assert found.value == pytest.approx(evaluate(game, card, AtMost(4)).value, abs=1e-12)
    assert 0 < found.value < found.optimum


def test_what_is_no_card_is_refused() -> None:
    with pytest.raises(GameError, match=r"evaluate_card was given 7 as card: expected a card, or its text"):
        evaluate_card("slots", 7)  # type: ignore[arg-type]
