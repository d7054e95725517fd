"""A game of OpenSpiel as a game of this library.

OpenSpiel has no equality of states, so the caller must say which histories are one position. Its own value iteration takes what a
state prints. That is too little where a game counts its moves and does not print them (`pig` ends at a horizon), so the default
adds the number of decisions; with that no position comes back, and the game is acyclic. A chance node is known by the
decision that led to it, never by its print, which may leave that out (`yacht` does not print which dice are thrown again).

Chances are floats in OpenSpiel; they are read as the simplest fractions that they can mean. Utilities times `scale` must be
whole numbers. What player 0 gets is counted: at the end, or, where a game pays on the way, with the next decision.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import Any, Literal

import pyspiel

from rollwise.errors import GameError, PositionError, brief, one_of
from rollwise.model.game import Game
from rollwise.model.notation import Notation
from rollwise.model.roll import LARGEST
from rollwise.model.view import View

__all__ = ["SpielGame", "Spot", "Throw", "from_open_spiel"]

Same = Literal["moves", "text", "history"]

Key = Callable[[Any, int], Hashable]
"""What a state is known by, from it and the number of decisions before it."""

FINEST = 10**8
"""The largest denominator that a chance or a utility is read with."""
NEAR = 1e-12


@dataclass(frozen=True)
class Spot:
    """A position in which a player decides or the game is over: what it is known by, and points that are not counted yet."""

    key: Hashable
    owed: int
    moves: int = field(compare=False, repr=False)
    state: Any = field(compare=False, repr=False)

    @cached_property
    def offers(self) -> dict[str, int]:
        """The actions by name, with their numbers; where names repeat, the numbers are added to them."""
        player, actions = self.state.current_player(), self.state.legal_actions()
        named = {self.state.action_to_string(player, action): action for action in actions}
        if len(named) == len(actions):
            return named
        return {f"{self.state.action_to_string(player, action)} ({action})": action for action in actions}


@dataclass(frozen=True)
class Throw:
    """What follows an action; without a spot, the beginning."""

    spot: Spot | None
    action: int


class SpielNotation(Notation):
    """Pending rolls by the action before them."""

    def show_pending(self, pending: Throw) -> str:
        return f"{self.game.show_state(pending.spot)} {pending.action}" if pending.spot else "the beginning"


class SpielView(View):
    """The words that OpenSpiel has for a game and its positions."""

    game: "SpielGame"

    @property
    def title(self) -> str:
        return str(self.game.spiel.get_type().long_name)

    @property
    def about(self) -> str:
        return f"{self.game.spiel}, a game of OpenSpiel."

    def describe(self, state: Spot) -> str:
        return " ".join(str(state.state).split())


class SpielGame(Game[Spot, Throw, str]):
    """A game of OpenSpiel."""

    notation, view = SpielNotation, SpielView

    def __init__(self, root: Any, same: Key, scale: int) -> None:
        self.root, self.same, self.scale = root, same, scale
        self.spiel = root.get_game()
        self.prior = len(root.full_history())
        self.pays = self.spiel.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS

    def start(self) -> Throw:
        return Throw(None, 0)

    def roll(self, pending: Throw) -> Mapping[Spot, int]:
        return self._expand(self._after(pending), 0, 0 if pending.spot is None else pending.spot.moves + 1)[0]

    def actions(self, state: Spot) -> tuple[str, ...]:
        return tuple(state.offers)

    def play(self, state: Spot, action: str) -> Throw:
        if action not in state.offers:
            raise PositionError(f"{brief(action)} is not possible here: expected one of {', '.join(state.offers)}")
        return Throw(state, state.offers[action])

    def gain(self, state: Spot, action: str) -> int:
        return state.owed + self._paid(self._after(self.play(state, action))) if self.pays else 0

    def payoff(self, state: Spot) -> int:
        return state.owed if self.pays else self._points(state.state.player_return(0))

    def mover(self, state: Spot) -> int:
        return max(int(state.state.current_player()), 0)

    @property
    def players(self) -> int:
        return int(self.spiel.num_players())

    def show_state(self, state: Spot) -> str:
        """Write a position as the actions that lead to it, chance's too, by their numbers."""
        return " ".join(str(move.action) for move in state.state.full_history()[self.prior :]) or "start"

    def read_state(self, text: str) -> Spot:
        state, owed, moves = self.root.clone(), 0, 0
        for word in text.split() if text != "start" else ():
            if not (word.isascii() and word.isdigit()) or int(word) not in state.legal_actions():
                known = ", ".join(map(str, state.legal_actions()[:12])) or "nothing: the game is over"
                raise PositionError(f"{brief(text)} is not a position: at {word!r} expected one of {known}")
            chance = state.is_chance_node()
            state.apply_action(int(word))
            owed, moves = (owed + self._paid(state), moves) if chance else (0, moves + 1)
        if state.is_chance_node():
            raise PositionError(f"{brief(text)} is not a position: chance moves there, add what it does")
        return self._spot(state, owed, moves)

    def _expand(self, state: Any, owed: int, moves: int) -> tuple[dict[Spot, int], int]:
        """Follow chance from a state on to the next decisions; give them with weights, and the total of those."""
        if not state.is_chance_node():
            return {self._spot(state, owed, moves): 1}, 1
        outcomes = state.chance_outcomes()
        weights, total = _weights(tuple(chance for _, chance in outcomes))
        after = [state.child(outcome) for outcome, _ in outcomes]
        rows = [self._expand(child, owed + self._paid(child), moves) for child in after]
        common = lcm(*(part for _, part in rows))
        found: dict[Spot, int] = {}
        for weight, (row, part) in zip(weights, rows, strict=True):
            for spot, inner in row.items():
                found[spot] = found.get(spot, 0) + weight * inner * (common // part)
        return found, total * common

    def _spot(self, state: Any, owed: int, moves: int) -> Spot:
        return Spot(self.same(state, moves), owed, moves, state)

    def _after(self, pending: Throw) -> Any:
        return self.root if pending.spot is None else pending.spot.state.child(pending.action)

    def _paid(self, state: Any) -> int:
        return self._points(state.player_reward(0)) if self.pays else 0

    def _points(self, utility: float) -> int:
        points = round(utility * self.scale)
        if abs(points - utility * self.scale) > NEAR * max(1, abs(points)):
            finer = lcm(self.scale, Fraction(utility).limit_denominator(FINEST).denominator)
            raise GameError(f"a utility of {utility} times the scale {self.scale} is not a whole number: try scale={finer}")
        return points


@lru_cache(maxsize=1024)
def _weights(chances: tuple[float, ...]) -> tuple[tuple[int, ...], int]:
    """Read chances as whole weights with their total. Raises `GameError` where they are no fractions."""
    read = [_fraction(chance) for chance in chances]
    total = lcm(*(chance.denominator for chance in read))
    weights = tuple(int(chance * total) for chance in read)
    near = all(abs(float(mine) - chance) <= NEAR for mine, chance in zip(read, chances, strict=True))
    if not near or total >= LARGEST or sum(weights) != total or min(weights) <= 0:
        raise GameError(f"the chances {brief(chances)} are not fractions that add up to 1: they cannot be taken exactly")
    return weights, total


@lru_cache(maxsize=4096)
def _fraction(chance: float) -> Fraction:
    return Fraction(chance).limit_denominator(FINEST)


def from_open_spiel(
    source: Any, *, same: Same | Callable[[Any], Hashable] = "moves", scale: int = 1
) -> SpielGame:  # fmt: skip
    """Read a game of OpenSpiel (a `pyspiel.Game`, its name, or a `pyspiel.State` to begin at), to be solved here.

    >>> import rollwise
    >>> game = from_open_spiel("pig(winscore=6,horizon=12)")
    >>> solution = rollwise.solve(game)
    >>> round(solution.value(), 6), solution.best(game.read_state("start"))
    (0.54839, 'roll')

    `same` says which histories are one position: "moves", those that print alike after as many decisions; "text", those that
    print alike, as OpenSpiel's own value iteration has it; "history", none; or a function of a state. Player 0's utility times
    `scale` is what is counted. Raises `GameError` for a game that is not one of perfect information for one player, or two
    whose utilities add up to 0, who move in turn.
    """
    if isinstance(same, str):
        one_of("same", same, ("moves", "text", "history"))
    if scale < 1:
        raise GameError(f"a scale of {scale} was given: expected a whole number from 1 on")
    root = _begin(source)
    _check(root.get_game())
    return SpielGame(root, _KEYS[same] if isinstance(same, str) else lambda state, _: same(state), scale)


def _begin(source: Any) -> Any:
    if isinstance(source, pyspiel.State):
        return source.clone()
    try:
        game = pyspiel.load_game(source) if isinstance(source, str) else source
    except pyspiel.SpielError as error:
        raise GameError(f"OpenSpiel does not know {brief(source)}: {str(error).splitlines()[0]}") from None
    if not isinstance(game, pyspiel.Game):
        raise GameError(f"from_open_spiel was given {brief(source)}: expected a pyspiel.Game, its name or a pyspiel.State")
    return game.new_initial_state()


def _check(game: Any) -> None:
    kind, players = game.get_type(), game.num_players()
    wants = pyspiel.GameType
    for holds, otherwise in (
        (kind.dynamics == wants.Dynamics.SEQUENTIAL, "its players move at the same time"),
        (kind.chance_mode != wants.ChanceMode.SAMPLED_STOCHASTIC, "it does not list its chances"),
        (kind.information == wants.Information.PERFECT_INFORMATION, "its players do not see everything"),
        (players <= 2, f"it has {players} players"),
        (players == 1 or kind.utility == wants.Utility.ZERO_SUM, "its utilities do not add up to 0"),
    ):
        if not holds:
            raise GameError(f"{game} cannot be solved here: {otherwise}")


_KEYS: dict[str, Key] = {
    "moves": lambda state, moves: (str(state), state.current_player(), moves),
    "text": lambda state, _: (str(state), state.current_player()),
    "history": lambda state, _: tuple(state.history()),
}
