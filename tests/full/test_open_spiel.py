"""OpenSpiel both ways: its games have the values that its own search finds, and games of ours pass its tests."""

from collections.abc import Callable
from typing import Any

import pytest

from rollwise import AtLeast, Duel, Expected, GameError, PositionError, check_game, read_objective, solve
from rollwise.families import Box, Sheet
from rollwise.games import load
from tests.full.libraries import need

pyspiel: Any = need("pyspiel", "rollwise[open-spiel]")

from open_spiel.python.algorithms.minimax import expectiminimax  # noqa: E402

from rollwise.adapters.open_spiel import from_open_spiel, to_open_spiel  # noqa: E402


def searched(game: Any) -> float:
    """What OpenSpiel's own search of the whole tree finds."""
    found: float = expectiminimax(game.new_initial_state(), 10**6, None, 0)[0]
    return found


# Its games, solved here


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe()",
        "catch(rows=4,columns=3)",
        "nim(pile_sizes=1;2;2)",
        "pig(winscore=3,diceoutcomes=3,horizon=5)",
        "pig(winscore=4,diceoutcomes=2,horizon=7,piglet=true)",
    ],
)
def test_values_are_those_of_its_own_search(name: str) -> None:
    game = pyspiel.load_game(name)
    wanted = 0.0 if name == "tic_tac_toe()" else searched(game)  # its tree is searched in a minute
    assert solve(from_open_spiel(game)).value() == pytest.approx(wanted, abs=1e-12)


def test_merged_positions_are_worth_what_whole_histories_are() -> None:
    game = pyspiel.load_game("pig(winscore=4,diceoutcomes=3,horizon=6)")
    assert solve(from_open_spiel(game), exact=True).value() == solve(from_open_spiel(game, same="history"), exact=True).value()


def test_its_pig_and_ours() -> None:
    theirs = solve(from_open_spiel("pig(winscore=5,horizon=50)"))
    ours = solve(load("pig", target=5))
    assert theirs.value() == pytest.approx(2 * ours.value() - 1, abs=1e-8)  # it draws at its horizon, which is met that rarely
    for turn in (2, 3, 4):
        there = theirs.ranked(theirs.game.read_state(f"0 {turn - 1}"))
        here = {row.action: row.value for row in ours.ranked(ours.game.read_state(f"0 0 first {turn}"))}
        mine = {"stop": here["hold"], "roll": here["roll"]}
        assert {row.action: row.value for row in there} == pytest.approx({a: 2 * v - 1 for a, v in mine.items()}, abs=1e-7)


CATEGORIES: dict[int, Box] = {
    0: Box("ones", lambda hand: hand.count(1)),
    6: Box("chance", sum),
}


@pytest.mark.parametrize(
    ("dice", "boxes"),
    [(2, (6,)), pytest.param(2, (0, 6), marks=pytest.mark.audit), pytest.param(3, (6,), marks=pytest.mark.audit)],
)
def test_the_end_of_its_yacht_and_a_duel_of_ours(dice: int, boxes: tuple[int, ...]) -> None:
    state = pyspiel.load_game(f"yacht(num_dice={dice},sort_dice=true)").new_initial_state()
    for box in set(range(12)) - set(boxes):
        for _player in range(2):
            for action in (0, 0, (1 << dice) + box):
                state.apply_action(action)
    duel = solve(Sheet([CATEGORIES[box] for box in boxes], count=dice, faces=6, rerolls=2), Duel())
    assert solve(from_open_spiel(state, same="text")).value() == pytest.approx(2 * duel.value() - 1, abs=1e-12)


def test_rewards_on_the_way_are_counted() -> None:
    game = from_open_spiel("cliff_walking(height=3,width=4,horizon=12)")
    assert solve(game).value() == -5  # up, three steps, down


def test_positions_are_read_as_they_are_shown() -> None:
    game = from_open_spiel("pig(winscore=5,horizon=6)")
    check_game(game)
    spot = game.read_state("0 3 0 0 1")
    assert (game.show_state(spot), game.mover(spot), game.actions(spot)) == ("0 3 0 0 1", 0, ("roll", "stop"))
    with pytest.raises(PositionError, match="at '7' expected one of 0, 1, 2, 3, 4, 5"):
        game.read_state("0 7")
    with pytest.raises(PositionError, match="chance moves there"):
        game.read_state("0")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("kuhn_poker", "its players do not see everything"),
        ("matrix_mp", "its players move at the same time"),
        ("pig(players=3)", "it has 3 players"),
        ("no_such_game", "OpenSpiel does not know 'no_such_game'"),
        (7, "expected a pyspiel.Game"),
    ],
)
def test_what_cannot_be_solved_is_refused(name: Any, why: str) -> None:
    with pytest.raises(GameError, match=why):
        from_open_spiel(name)


# Our games, played there


def tiny_sheet() -> Sheet:
    return Sheet([Box("ones", lambda hand: hand.count(1)), Box("sum", sum)], count=2, faces=3, rerolls=1)


OURS: dict[str, Callable[[], Any]] = {
    "slots": lambda: to_open_spiel(load("slots", slots="a:1/2/3,b:0/1/1", target=4)),
    "points": lambda: to_open_spiel(load("slots", slots="a:1/2/3,b:0/1/1"), Expected()),
    "sheet": lambda: to_open_spiel(tiny_sheet()),
    "at least": lambda: to_open_spiel(tiny_sheet(), AtLeast(6)),
    "duel": lambda: to_open_spiel(tiny_sheet(), Duel()),
    "fewest": lambda: to_open_spiel(load("bear-off", start="15")),
    "box": lambda: to_open_spiel(load("shut-the-box", tiles=5)),
    "pig": lambda: to_open_spiel(load("pig", target=8), horizon=12),
}


@pytest.mark.parametrize("name", OURS)
def test_games_pass_the_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(OURS[name](), num_sims=20, serialize=False, verbose=False)


def test_its_search_finds_our_values() -> None:
    slots = load("slots", slots="a:1/2/3,b:0/1/1", target=4)
    for mine in (None, Expected()):
        assert searched(to_open_spiel(slots, mine)) == pytest.approx(solve(slots, mine).value(), abs=1e-12)
    flat = Sheet([Box("low", min), Box("high", max)], count=1, faces=2, rerolls=1)
    for aim in (Expected(), AtLeast(3), Duel()):
        assert searched(to_open_spiel(flat, aim)) == pytest.approx(solve(flat, aim).value(), abs=1e-12)


@pytest.mark.parametrize("same", ["text", "moves"])
def test_there_and_back(same: Any) -> None:
    for game, aim in ((tiny_sheet(), Expected()), (tiny_sheet(), Duel()), (load("shut-the-box", tiles=4), None)):
        sign = -1 if aim is None and game.objective.better == "lower" else 1
        there = to_open_spiel(game, aim)
        assert solve(from_open_spiel(there, same=same, scale=2)).value() == pytest.approx(2 * sign * solve(game, aim).value())


def test_it_loads_games_by_name_and_keeps_states() -> None:
    game = pyspiel.load_game("rollwise(game=pig,parameters=target:8;faces:4,horizon=20)")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    state = game.new_initial_state()
    state.apply_action(1)
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(read) == str(state) == "0 0 first 2, moves 0"
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["hold", "roll"]


def test_a_game_without_end_needs_a_horizon() -> None:
    with pytest.raises(GameError, match="give a horizon"):
        to_open_spiel(load("pig", target=8))
    with pytest.raises(GameError, match="a horizon of 0 decisions"):
        to_open_spiel(load("pig", target=8), horizon=0)
    with pytest.raises(GameError, match="resolve"):
        to_open_spiel(tiny_sheet(), read_objective("against self"))
