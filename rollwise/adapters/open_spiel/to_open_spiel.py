"""A game of this library as a game of OpenSpiel.

Player 0's return is what the objective counts (points, 1 for a win, minus the rolls), player 1's is the opposite, both at the
end; so the value that OpenSpiel's algorithms find is the value here. A state prints what it is: the position, and the points that
were gained so far. A roll that can go only one way is no chance node.
"""

from ctypes import py_object, pythonapi
from typing import Any, ClassVar

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from rollwise.adapters.open_spiel.table import GameTable, Limits
from rollwise.errors import GameError
from rollwise.games import load
from rollwise.games.users import GameLike, problem_of
from rollwise.model.faults import blaming
from rollwise.model.notation import notation_of
from rollwise.model.objective import Objective
from rollwise.model.view import view_of
from rollwise.solvers.choose_solver import explore_rules

__all__ = ["MOST", "DiceGame", "DiceState", "to_open_spiel"]

MOST = 1_000_000
"""Positions of a game, at most."""
PARAMETERS = {"game": "slots", "parameters": "", "objective": "", "horizon": 0}


class DiceState(pyspiel.State):  # type: ignore[misc]
    """Where a game stands. It is copied attribute by attribute, so these are numbers; the rules are its class's."""

    table: ClassVar[GameTable]

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.at, self.rolling = 0, True
        self.points, self.moves = 0, 0
        self._roll(0)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.rolling else int(self.table.explored.graph.state_mover[self.at])

    def is_terminal(self) -> bool:
        horizon = self.table.horizon
        return not self.rolling and (not self.table.offers(self.at) or (horizon is not None and self.moves >= horizon))

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.table.players
        over = not self.table.offers(self.at)
        points = self.points + (int(self.table.explored.graph.state_payoff[self.at]) if over else 0)
        return [points * self.table.scale, -points * self.table.scale][: self.table.players]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = self.table.outcomes(self.at)[1]
        return [(outcome, weight / sum(weights)) for outcome, weight in enumerate(weights)]

    def _legal_actions(self, _player: int) -> list[int]:
        return sorted(self.table.offers(self.at))

    def _apply_action(self, action: int) -> None:
        if self.rolling:
            self.at, self.rolling = self.table.outcomes(self.at)[0][action], False
        else:
            pending, gain = self.table.take(self.at, action)
            self.points, self.moves = self.points + gain, self.moves + 1
            self._roll(pending)

    def _roll(self, pending: int) -> None:
        states, _ = self.table.outcomes(pending)
        self.points += int(self.table.explored.graph.pending_cost[pending])
        self.at, self.rolling = (pending, True) if len(states) > 1 else (states[0], False)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._shown(self.table.outcomes(self.at)[0][action])
        return self.table.actions[action]

    def _shown(self, state: int) -> str:
        return self.table.explored.game.show_state(self.table.explored.states[state])

    def __str__(self) -> str:
        found = self.table.explored
        text = f"roll {notation_of(found.game).show_pending(found.pendings[self.at])}" if self.rolling else self._shown(self.at)
        more = [f"points {self.points}"] * bool(self.points) + [f"moves {self.moves}"] * (self.table.horizon is not None)
        return ", ".join([text, *more])


class DiceGame(pyspiel.Game):  # type: ignore[misc]
    """A game of dice for OpenSpiel's algorithms."""

    def __init__(self, table: GameTable, title: str, parameters: dict[str, Any]) -> None:
        limits = table.limits()
        super().__init__(_kind(table.players, title), _size(table, limits), parameters)
        self.table, self.moves = table, limits.moves
        self.state_class = type("DiceState", (DiceState,), {"table": table})

    def new_initial_state(self) -> Any:
        return self.state_class(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.moves + 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return Seen()


class Seen:
    """What players see: everything, as text."""

    def __init__(self) -> None:
        self.tensor, self.dict = None, dict[str, Any]()

    def set_from(self, state: Any, player: int) -> None:
        """Write nothing: there is no tensor."""

    def string_from(self, state: Any, _player: int) -> str:
        return str(state)


def to_open_spiel(
    game: GameLike, objective: Objective | str | None = None, *, horizon: int | None = None, max_states: int = MOST
) -> DiceGame:
    """Make a game of OpenSpiel from a game, played for `objective` (default: the game's own).

    >>> game = to_open_spiel("slots")
    >>> game.max_game_length(), game.max_utility(), game.new_initial_state().is_chance_node()
    (6, 1.0, True)

    Where positions come back, as after two lost turns in Pig, `horizon` ends the game after as many decisions; the payoff is then
    0. Importing this package also teaches OpenSpiel the name: `pyspiel.load_game("rollwise(game=slots,parameters=target:40)")`.
    Raises `GameError` for a game of more than `max_states` positions, or one without end for which no horizon was given.
    """
    return _made(game, objective, horizon, max_states, {})


def _made(game: GameLike, objective: Objective | str | None, horizon: int | None, most: int, named: dict[str, Any]) -> DiceGame:
    if horizon is not None and horizon < 1:
        raise GameError(f"a horizon of {horizon} decisions was given: expected at least 1")
    game, aim = problem_of(game, objective, "to_open_spiel")
    with blaming(game):
        if not aim.is_resolved:
            raise GameError(f"{aim} depends on how the game is played for points: resolve(objective, game) first")
        explored = explore_rules(game, aim, max_states=most)
        return DiceGame(GameTable(explored, horizon), view_of(game).title, named)


def _load(named: dict[str, Any]) -> DiceGame:
    """Make the game that OpenSpiel was asked for by name."""
    pairs = [pair.partition(":") for pair in str(named["parameters"]).split(";") if pair]
    game = load(str(named["game"]), **{name: value for name, _, value in pairs})
    return _made(game, str(named["objective"]) or None, int(named["horizon"]) or None, MOST, named)


def _kind(players: int, title: str) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name="rollwise",
        long_name=title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if players == 2 else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=PARAMETERS,
    )


def _size(table: GameTable, limits: Limits) -> Any:
    ends = sorted((limits.low * table.scale, limits.high * table.scale))
    worst = min(ends[0], -ends[1]) if table.players == 2 else ends[0]
    return pyspiel.GameInfo(
        num_distinct_actions=max(len(table.actions), 1),
        max_chance_outcomes=table.most_outcomes,
        num_players=table.players,
        min_utility=worst,
        max_utility=-worst if table.players == 2 else ends[1],
        utility_sum=0.0 if table.players == 2 else None,
        max_game_length=limits.moves,
    )


# OpenSpiel lets go of what is registered after Python has ended, and a function that dies then aborts the process: never let it.
pythonapi.Py_IncRef(py_object(_load))
pyspiel.register_game(_kind(2, "A dice game of rollwise"), _load)
