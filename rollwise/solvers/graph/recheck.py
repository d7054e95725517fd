"""Ask the rules again about positions that a walk found: rules whose answers change have no value."""

from collections.abc import Iterable, Mapping
from math import gcd
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.model.faults import blame
from rollwise.model.game import Game
from rollwise.model.notation import notation_of
from rollwise.model.roll import positive_weight
from rollwise.solvers.graph.arrays import Explored
from rollwise.solvers.graph.traverse import name_node

__all__ = ["call_again", "call_rule", "recheck", "recheck_pending", "recheck_state", "sample"]

AnyGame = Game[Any, Any, Any]

SOME = 100
"""States, and as many pending rolls, that are asked about again."""


def recheck(found: Explored) -> None:
    """Ask every rule again about a sample of the positions. Raises `GameError` for an answer that is not the one of before."""
    game = found.game
    call_again(game, "start", "the beginning", found.pendings[0])
    for number in sample(found.graph.n_pendings, SOME):
        recheck_pending(found, number, f"pending {name_node(notation_of(game).show_pending, found.pendings[number])}")
    for number in sample(found.graph.n_states, SOME):
        recheck_state(found, number, f"state {name_node(game.show_state, found.states[number])}")


def sample(count: int, most: int) -> list[int]:
    """Number all of `count` things, or `most` of them, from the first to the last.

    >>> sample(3, 10), sample(100, 4)
    ([0, 1, 2], [0, 33, 66, 99])
    """
    return [int(number) for number in np.linspace(0, count - 1, min(count, most))]


def recheck_state(found: Explored, number: int, where: str) -> list[Any]:
    """Ask every rule about a state again, and give its actions."""
    game, graph, state = found.game, found.graph, found.states[number]
    actions: list[Any] = call_again(game, "actions", where, list(call_rule(game, "actions", where, state)), state)
    row = range(int(graph.action_start[number]), int(graph.action_start[number + 1]))
    if len(actions) != len(row):
        raise _differs("actions", where)
    for action, flat in zip(actions, row, strict=True):
        call_again(game, "play", where, found.pendings[graph.action_pending[flat]], state, action)
        call_again(game, "gain", where, int(graph.action_gain[flat]), state, action)
    if actions:
        call_again(game, "mover", where, int(graph.state_mover[number]), state)
    else:
        call_again(game, "payoff", where, int(graph.state_payoff[number]), state)
    return actions


def recheck_pending(found: Explored, number: int, where: str) -> None:
    """Ask every rule about a pending roll again."""
    game, graph, pending = found.game, found.graph, found.pendings[number]
    row = slice(int(graph.outcome_start[number]), int(graph.outcome_start[number + 1]))
    outcomes = (found.states[outcome] for outcome in graph.outcome_state[row].tolist())
    call_again(game, "roll", where, dict(zip(outcomes, graph.outcome_weight[row].tolist(), strict=True)), pending)
    call_again(game, "cost", where, int(graph.pending_cost[number]), pending)


def call_rule(game: AnyGame, rule: str, where: str, *about: Any, part: Any = None) -> Any:
    """Call a rule of a game, or of a part of it such as its notation; whatever goes wrong is reported with the position."""
    try:
        return getattr(part or game, rule)(*about)
    except (Exception, SystemExit) as error:
        raise GameError(blame(error, game, where)) from error


def call_again(game: AnyGame, rule: str, where: str, answer: Any, *about: Any) -> Any:
    """Ask a rule twice more and give its answer, which must be the one it gave before."""
    for _ in range(2):
        if _plainly(rule, call_rule(game, rule, where, *about)) != answer:
            raise _differs(rule, where)
    return answer


def _plainly(rule: str, answer: Any) -> Any:
    """An answer as it is kept: actions as a list, a roll with its weights in lowest terms."""
    if rule == "actions" and isinstance(answer, Iterable):
        return list(answer)
    if rule != "roll" or not isinstance(answer, Mapping):
        return answer
    divisor = gcd(*(positive_weight(outcome, weight) for outcome, weight in answer.items()))
    return {outcome: weight // divisor for outcome, weight in answer.items()}


def _differs(rule: str, where: str) -> GameError:
    why = "list what may happen" if rule == "roll" else "rules must depend on the position only"
    return GameError(f"at {where}: {rule}() differs when called twice; {why}")
