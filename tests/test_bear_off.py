"""Bear-off: plays against the rules move by move, the form of races against the graph, all against GNU Backgammon's tables."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rollwise import AtLeast, GameError, PositionError, Solution, distribution, simulate, solve
from rollwise import cache as cached
from rollwise.errors import EngineError
from rollwise.games import load
from rollwise.games.bear_off.homes import ROLLS, Homes, moves, show_play
from rollwise.games.bear_off.rules import BearOffRace
from rollwise.solvers.races.solution import solve_race
from tests.reference import gap

MAKER = shutil.which("makebearoff", path="/usr/games:/usr/local/games:/usr/bin:/usr/local/bin")
HEADER = 40
SIXES = "0/0/0/0/0/"

needs_gnubg = pytest.mark.skipif(MAKER is None, reason="GNU Backgammon's makebearoff is not here: apt install gnubg")


def left_by(counts: tuple[int, ...], dice: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Give what one order of dice can leave, move by move."""
    if not dice or not any(counts):
        return {counts}
    return {left for _, _, after in moves(counts, dice[0]) for left in left_by(after, dice[1:])}


@pytest.mark.parametrize("checkers", [1, 2, 3])
def test_plays_are_those_of_the_rules(checkers: int) -> None:
    homes = Homes((checkers,) * 6)
    plays = homes.plays()
    for roll, (high, low) in enumerate(ROLLS, 1):
        for home in range(1, len(homes)):
            (begin,), (count,) = plays.counts(np.array([roll * len(homes) + home]))
            after = [homes.counts(number) for number in plays.after[begin : begin + count].tolist()]
            orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
            assert len(after) == len(set(after))
            assert set(after) == {left for order in orders for left in left_by(homes.counts(home), order)}
            assert len({plays.label(row) for row in range(begin, begin + count)}) == count


@pytest.mark.parametrize("die", range(1, 7))
def test_moves_with_one_die(die: int) -> None:
    """A larger die bears off from the highest point only, a die within reach moves or bears off."""
    found = {(point, to) for point, to, _ in moves((1, 0, 1, 0, 1, 0), die)}
    assert found == {
        1: {(5, 4), (3, 2), (1, 0)}, 2: {(5, 3), (3, 1)}, 3: {(5, 2), (3, 0)}, 4: {(5, 1)}, 5: {(5, 0)}, 6: {(5, 0)},
    }[die]  # fmt: skip


def test_plays_are_written_as_players_do() -> None:
    assert show_play(((6, 5), (5, 4), (4, 3), (3, 2))) == "6/2"
    assert show_play(((6, 0), (6, 0), (5, 0), (2, 0))) == "6/off(2) 5/off 2/off"


def by_pairs_and_by_graph(**parameters: Any) -> tuple[Solution, Solution]:
    game = load("bear-off", players=2, **parameters)
    return solve(game), solve(game, engine="induction")


def test_races_agree_with_the_graph() -> None:
    pairs, graph = by_pairs_and_by_graph(start="0/0/1/0/0/1", other="1/0/0/1/0/0")
    assert (pairs.engine, pairs.solver_name, graph.solver_name) == ("pairs", "race", "graph")
    for decision in graph.policy():
        assert gap(pairs.value(decision.state), decision.value) <= 1e-12
        assert [move.action for move in pairs.ranked(decision.state)] == [move.action for move in graph.ranked(decision.state)]
    over = pairs.game.at(first=0, second=1, mover=1)
    assert pairs.value(over) == graph.value(over) == 1


def test_a_race_is_played_by_arrays_and_by_rules() -> None:
    pairs, graph = by_pairs_and_by_graph(start="0/0/1/0/0/1")
    played = simulate(pairs, 20_000, seed=1)
    assert abs(played.mean - float(graph.value())) <= 4 * played.standard_error
    assert distribution(pairs).at_least(1) == pytest.approx(float(graph.value()), abs=1e-12)


def test_a_race_with_other_rules_goes_the_general_way() -> None:
    class Late(BearOffRace):
        """Who is done last wins."""

        def final(self, s: Any) -> Any:
            return s.second == 0

    game = Late(start=(1, 0, 1, 0, 0, 0))
    plain = solve(load("bear-off", players=2, start="1/0/1"), exact=True)
    assert solve(game, exact=True).value() < plain.value()
    assert solve(game).solver_name == "graph"
    with pytest.raises(EngineError, match=r"Late overrides final\(\), which the solver for races does not support"):
        solve(game, engine="pairs")


def test_a_race_is_kept_and_found_again(tmp_path: Path) -> None:
    game = load("bear-off", players=2, start="0/0/1/0/0/1")
    first, again = (cached.solve(game, directory=tmp_path, worth_seconds=0.0) for _ in range(2))
    assert first.value() == again.value()
    assert first.fingerprint == again.fingerprint
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("race-")]


def test_a_race_that_does_not_fit_is_refused() -> None:
    race = BearOffRace(start=(0, 0, 0, 0, 0, 15))
    with pytest.raises(GameError, match="2,944,581,696 pairs of positions needs 43.9 GiB, more than"):
        solve_race(race, AtLeast(1), most_bytes=2**30)


def test_a_position_that_the_start_does_not_lead_to() -> None:
    game = load("bear-off", start="2/1")
    with pytest.raises(PositionError, match="which the start cannot lead to: begin there, -p start=0/0/1"):
        game.read_state("0/0/1 2-1")
    with pytest.raises(PositionError, match="does not occur in this game"):
        solve(load("bear-off", players=2, start="2/1")).value(game.start())


# GNU Backgammon numbers a side's positions as `Homes` does: t1 t2 ... t6 in rising order.


def made(folder: Path, *options: str) -> bytes:
    """Let makebearoff make a table, and give it without its header."""
    assert MAKER is not None
    subprocess.run([MAKER, *options, "-f", str(folder / "table.bd")], check=True, capture_output=True)
    return (folder / "table.bd").read_bytes()[HEADER:]


@cache
def fewest_rolls() -> npt.NDArray[np.float64]:
    """Give the fewest expected rolls of all 54,264 positions; those that 15 on the six point do not lead to, by one roll more."""
    game: Any = load("bear-off", start=SIXES + "15")
    solution, found = solve(game), np.full(len(game.homes), np.nan)
    found[0] = 0.0
    for home in range(1, len(found)):
        try:
            found[home] = solution.value(game.at(home=home), kind="pending")
        except PositionError:
            begin, count = game.plays().counts(np.arange(1, len(ROLLS) + 1) * len(found) + home)
            best = [found[game.plays().after[low : low + size]].min() for low, size in zip(begin, count, strict=True)]
            found[home] = 1 + sum((1 + (high > low)) * left for (high, low), left in zip(ROLLS, best, strict=True)) / 36
    assert not np.isnan(found).any()
    return found


@pytest.mark.audit
@needs_gnubg
def test_every_position_of_one_side(tmp_path: Path) -> None:
    """makebearoff minimises expected rolls too: in 16 bits for each number of rolls, or as means in floats of 32 bits."""
    ours = fewest_rolls()
    assert len(ours) == 54_264
    chances = np.frombuffer(made(tmp_path, "-o", "6", "-c"), "<u2").reshape(len(ours), 2, 32)[:, 0]
    assert (chances.sum(axis=1) == 65_535).all()
    # Every roll on the way rounds up to 32 chances to 1 / 65535, and puts what is missing where most are.
    assert np.abs(chances @ np.arange(32) / 65_535 - ours).max() < 3e-4
    means = np.frombuffer(made(tmp_path, "-o", "6", "-n"), "<f4").reshape(len(ours), 4)[:, 0]
    assert np.abs(means - ours).max() < 5e-6


@pytest.mark.audit
def test_how_often_nothing_should_be_borne_off() -> None:
    """Taper_Mike counted the rolls, no doubles, that could bear a checker off and should not: BGonline.org, 7 November 2013."""
    homes, best = Homes((15,) * 6), fewest_rolls()
    plays, checkers = homes.plays(), homes.tails[:, 0]
    found = []
    for roll, (high, low) in enumerate(ROLLS, 1):
        if high == low:
            continue
        for home, begin, count in zip(
            range(1, len(homes)), *plays.counts(roll * len(homes) + np.arange(1, len(homes))), strict=True
        ):
            after = plays.after[begin : begin + count]
            good = after[best[after] <= best[after].min() * (1 + 1e-12)]
            if checkers[good].min() == checkers[home] > checkers[after].min():
                found.append(home)
    assert len(found) == 3825
    assert [homes.counts(home) for home in found if checkers[home] == 2] == [(0, 0, 0, 1, 0, 1)]


@pytest.mark.audit
@needs_gnubg
def test_every_pair_of_positions_with_six_checkers(tmp_path: Path) -> None:
    """Equities without a cube are kept in 16 bits, from -1 to 1."""
    solution: Any = solve(load("bear-off", players=2, checkers=6, start=SIXES + "6"))
    equity = np.frombuffer(made(tmp_path, "-t", "6x6", "-C"), "<u2").reshape(solution.move.shape) / 32_767.5 - 1
    assert solution.states == 853_776
    assert np.abs((2 * solution.move - 1 - equity)[1:, 1:]).max() < 2e-4
