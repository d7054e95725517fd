"""The definition of a value, straight on a `Game`: no graph, no arrays, no lift.

`recursion` follows the rules of a game without cycles in fractions. `enumerate_policies` tries every stationary policy of a
small game with cycles, keeps those that surely end, and solves each linear system in fractions. `enumerate_pairs` tries every
pair of policies of two players.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from rollwise import Against, AtLeast, Expected, Fewest, Game
from rollwise.model.objective import Objective

AnyGame = Game[Any, Any, Any]


def gap(a: float | Fraction, b: float | Fraction) -> Fraction:
    """The exact distance of two numbers."""
    return abs(Fraction(a) - Fraction(b))


def recursion(game: AnyGame, objective: Objective) -> Fraction:
    @cache
    def pending_value(pending: Any, total: int) -> Fraction:
        roll = game.roll(pending)
        mean = sum((w * state_value(s, total) for s, w in roll.items()), Fraction(0)) / sum(roll.values())
        return mean + game.cost(pending) if isinstance(objective, Fewest) else mean

    @cache
    def state_value(state: Any, total: int) -> Fraction:
        actions = game.actions(state)
        if not actions:
            return end_value(state, total)
        if isinstance(objective, Fewest):
            return min(pending_value(game.play(state, a), 0) for a in actions)
        best = min if game.mover(state) else max
        if isinstance(objective, AtLeast | Against):
            return best(pending_value(game.play(state, a), total + game.gain(state, a)) for a in actions)
        return best(game.gain(state, a) + pending_value(game.play(state, a), 0) for a in actions)

    def end_value(state: Any, total: int) -> Fraction:
        if isinstance(objective, Fewest):
            return Fraction(0)
        if isinstance(objective, AtLeast):
            return Fraction(int(total + game.payoff(state) >= objective.target))
        if isinstance(objective, Against):
            return beaten(objective, total + game.payoff(state))
        return Fraction(game.payoff(state))

    return pending_value(game.start(), 0)


def beaten(opponent: Against, total: int) -> Fraction:
    """The chance that a total is above the opponent's, score by score."""
    weights = dict(opponent.distribution)
    won = sum((w * ((score < total) + opponent.ties * (score == total)) for score, w in weights.items()), Fraction(0))
    return won / sum(weights.values())


def enumerate_policies(game: AnyGame, objective: Expected | Fewest, limit: int = 4096) -> Fraction | None:
    """The best value among the policies that surely end from the start; None if there is none."""
    states, _ = positions(game)
    deciding = [s for s in states if game.actions(s)]
    choices = [game.actions(s) for s in deciding]
    size = 1
    for actions in choices:
        size *= len(actions)
    assert size <= limit, "too many policies to enumerate"
    found = [evaluate(game, objective, dict(zip(deciding, policy, strict=True))) for policy in product(*choices)]
    values = [value for value in found if value is not None]
    return (min if isinstance(objective, Fewest) else max)(values, default=None)


def enumerate_pairs(game: AnyGame, limit: int = 4096) -> Fraction | None:
    """The value of a game for two, if it is over under every pair of policies; None if some pair may go on for ever.

    The best that player 0 can secure and the least that player 1 can concede are the same, or this fails.
    """
    states, _ = positions(game)
    players = [[s for s in states if game.actions(s) and game.mover(s) == player] for player in (0, 1)]
    policies = [[dict(zip(own, p, strict=True)) for p in product(*map(game.actions, own))] for own in players]
    assert len(policies[0]) * len(policies[1]) <= limit, "too many pairs to enumerate"
    table = [[evaluate(game, Expected(), {**a, **b}) for b in policies[1]] for a in policies[0]]
    rows = [[value for value in row if value is not None] for row in table]
    if any(len(row) < len(policies[1]) for row in rows):
        return None
    secured = max(min(row) for row in rows)
    assert secured == min(max(column) for column in zip(*rows, strict=True)), "no pair of pure policies is an equilibrium"
    return secured


def positions(game: AnyGame) -> tuple[list[Any], list[Any]]:
    states: dict[Any, None] = {}
    pendings = {game.start(): None}
    queue = list(pendings)
    for pending in queue:
        for state in game.roll(pending):
            if state not in states:
                states[state] = None
                for action in game.actions(state):
                    target = game.play(state, action)
                    if target not in pendings:
                        pendings[target] = None
                        queue.append(target)
    return list(states), list(pendings)


def evaluate(game: AnyGame, objective: Objective, policy: dict[Any, Any]) -> Fraction | None:
    """The value of a policy from the start, or None if it does not surely end."""
    used = list(_used(game, policy))
    number = {pending: i for i, pending in enumerate(used)}
    reach: set[Any] = set()
    while True:
        more = {p for p in used if any(not game.actions(s) or game.play(s, policy[s]) in reach for s in game.roll(p))}
        if more == reach:
            break
        reach = more
    if len(reach) < len(used):
        return None
    rows = []
    for pending in used:
        roll = game.roll(pending)
        total = sum(roll.values())
        row = [Fraction(0)] * (len(used) + 1)
        row[number[pending]] += 1
        row[-1] = Fraction(game.cost(pending) if isinstance(objective, Fewest) else 0)
        for state, weight in roll.items():
            share = Fraction(weight, total)
            if not game.actions(state):
                row[-1] += 0 if isinstance(objective, Fewest) else share * game.payoff(state)
                continue
            if not isinstance(objective, Fewest):
                row[-1] += share * game.gain(state, policy[state])
            row[number[game.play(state, policy[state])]] -= share
        rows.append(row)
    return _gauss(rows)[number[game.start()]]


def _used(game: AnyGame, policy: dict[Any, Any]) -> Iterator[Any]:
    seen = {game.start()}
    queue = [game.start()]
    for pending in queue:
        yield pending
        for state in game.roll(pending):
            if game.actions(state):
                target = game.play(state, policy[state])
                if target not in seen:
                    seen.add(target)
                    queue.append(target)


def _gauss(rows: list[list[Fraction]]) -> list[Fraction]:
    n = len(rows)
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(n):
            if r != i and rows[r][i]:
                factor = rows[r][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]
