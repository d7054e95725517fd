"""Random small games for Hypothesis: layers, retries, cycles, ties, two players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from rollwise import Game
from rollwise.model.notation import Notation


class TableNotation(Notation):
    def show_pending(self, pending: str) -> str:
        return pending


@dataclass(frozen=True)
class TableGame(Game[int, str, int]):
    """A game written down as tables: state -> [(pending, gain)], pending -> {state: weight}."""

    notation = TableNotation

    moves: Mapping[int, Sequence[tuple[str, int]]]
    rolls: Mapping[str, Mapping[int, int]]
    payoffs: Mapping[int, int]
    costs: Mapping[str, int]
    movers: Mapping[int, int] = field(default_factory=dict)

    def start(self) -> str:
        return "p0"

    def roll(self, pending: str) -> Mapping[int, int]:
        return self.rolls[pending]

    def actions(self, state: int) -> Sequence[int]:
        return range(len(self.moves.get(state, ())))

    def play(self, state: int, action: int) -> str:
        return self.moves[state][action][0]

    def gain(self, state: int, action: int) -> int:
        return self.moves[state][action][1]

    def payoff(self, state: int) -> int:
        return self.payoffs.get(state, 0)

    def mover(self, state: int) -> int:
        return self.movers.get(state, 0)

    def cost(self, pending: str) -> int:
        return self.costs.get(pending, 1)

    def __hash__(self) -> int:
        return id(self)


small = st.integers(-3, 5)
weights = st.integers(1, 4)


@st.composite
def layered_games(draw: st.DrawFn, *, low: int = -3) -> TableGame:
    """Games without cycles: pending i leads to states of layer i, and those to later pendings."""
    layers = draw(st.integers(1, 3))
    gains = st.integers(low, 5)
    moves: dict[int, list[tuple[str, int]]] = {}
    rolls: dict[str, dict[int, int]] = {}
    for layer in range(layers):
        count = draw(st.integers(1, 3))
        names = [10 * layer + i for i in range(count)]
        rolls[f"p{layer}"] = {name: draw(weights) for name in names}
        for name in names:
            later = st.sampled_from([f"p{j}" for j in range(layer + 1, layers + 1)])
            moves[name] = draw(st.lists(st.tuples(later, gains), min_size=1, max_size=2))
    rolls[f"p{layers}"] = {1000: draw(weights), 1001: draw(weights)}
    payoffs = {1000: draw(gains), 1001: draw(gains)}
    return TableGame(moves, rolls, payoffs, {p: draw(st.integers(0, 3)) for p in rolls})


@st.composite
def retry_games(draw: st.DrawFn, *, free: bool = False) -> TableGame:
    """Layers in which some states may roll the same pending again, at a price."""
    base = draw(layered_games())
    moves = {state: list(options) for state, options in base.moves.items()}
    for state in moves:
        if draw(st.booleans()):
            price = 0 if free else -draw(st.integers(1, 3))
            moves[state].insert(draw(st.integers(0, len(moves[state]))), (f"p{state // 10}", price))
    costs = {p: draw(st.integers(1, 3)) for p in base.rolls}
    return TableGame(moves, base.rolls, base.payoffs, costs)


@st.composite
def cyclic_games(draw: st.DrawFn, *, gain: int = 0) -> TableGame:
    """Anything goes: three to five states, two to four pendings, edges at random, one or two ends."""
    n_states, n_pendings = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    pendings = [f"p{i}" for i in range(n_pendings)]
    ends = [100, 101]
    rolls = {
        p: draw(st.dictionaries(st.sampled_from([*range(n_states), *ends]), weights, min_size=1, max_size=3)) for p in pendings
    }
    gains = st.integers(-gain, 0) if gain else st.just(0)
    option = st.tuples(st.sampled_from(pendings), gains)
    moves = {s: draw(st.lists(option, min_size=1, max_size=3)) for s in range(n_states)}
    payoffs = {end: draw(small) for end in ends}
    return TableGame(moves, rolls, payoffs, {p: draw(st.integers(1, 3)) for p in pendings})


def repeatable(game: TableGame) -> TableGame:
    """Let every state that is not an end roll again whatever led to it."""
    moves: dict[int, Any] = {state: list(options) for state, options in game.moves.items()}
    for pending, roll in game.rolls.items():
        for state in roll:
            if state in moves and pending not in [p for p, _ in moves[state]]:
                moves[state].append((pending, 0))
    return TableGame(moves, game.rolls, game.payoffs, game.costs)


@st.composite
def for_two(draw: st.DrawFn, games: st.SearchStrategy[TableGame]) -> TableGame:
    """Give every state of a game for one to one of two players."""
    game = draw(games)
    return replace(game, movers={state: draw(st.integers(0, 1)) for state in game.moves})


@st.composite
def ending_games(draw: st.DrawFn) -> TableGame:
    """Cycles with points either way, in which most rolls may end the game: what both players do is seldom endless."""
    base = draw(cyclic_games())
    points = st.integers(-2, 2)
    moves = {state: [(pending, draw(points)) for pending, _ in options] for state, options in base.moves.items()}
    sure = draw(st.integers(0, 3))
    rolls = {p: {**roll, 100: draw(weights)} if draw(st.integers(0, 3)) <= sure else roll for p, roll in base.rolls.items()}
    return replace(base, moves=moves, rolls=rolls)


def mirrored(game: TableGame) -> TableGame:
    """Change sides: the other player moves, and all points change their sign."""
    return replace(
        game,
        moves={state: [(pending, -gain) for pending, gain in options] for state, options in game.moves.items()},
        payoffs={state: -points for state, points in game.payoffs.items()},
        movers={state: 1 - game.mover(state) for state in game.moves},
    )
