"""A solved game as a list of its positions: what may be rolled, every move with what it leads to, and what rolls are worth.

Positions are met in the order of the rules, from the start on. What a move is worth follows from the roll that it leads to, so
only rolls have values, and the ends of the game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from json import dumps
from math import isinf
from random import Random
from typing import Any

import numpy as np

from rollwise.errors import GameError
from rollwise.forms.base.solution import Solution
from rollwise.forms.base.tabulated import Tabulated
from rollwise.model.game import Progress
from rollwise.model.ids import identify
from rollwise.model.notation import counted
from rollwise.model.overrides import POSITION_RULES, hook
from rollwise.playing.explain import explainer
from rollwise.web.table_texts import pack_texts

__all__ = ["MOST_POSITIONS", "tabulate_graph"]

MOST_POSITIONS = 60_000
"""States of a game whose positions are listed."""
MOST_OUTCOMES = 1_000_000
MOST_WEIGHT = 1 << 29
MOST_WHY = 100_000
"""Moves that say why: to find that out takes the longest."""
TICK = 500


@dataclass
class _Met:
    """The positions of a game, numbered as they are met."""

    states: dict[Any, int] = field(default_factory=dict)
    pendings: dict[Any, int] = field(default_factory=dict)
    rolls: list[list[tuple[int, int]]] = field(default_factory=list)
    moves: list[list[tuple[Any, int]]] = field(default_factory=list)


def tabulate_graph(solution: Solution, title: str, progress: Progress | None) -> Tabulated:
    """Give a solved game as a list of its positions. Raises `GameError` for a game with too many."""
    game = solution.game
    met = _meet(game, title, progress)
    values, impossible = _values(solution, met)
    texts, arrays = dict[str, Any](), _arrays(solution, met)
    for name, listed in _texts(solution, met):
        texts[name], packed = pack_texts(name, listed)
        arrays |= packed
    why, more = pack_texts("why", list(_reasons(solution, met, progress)))
    of = game.cost_word if solution.objective.counts == "costs" else "points"
    about = {"texts": texts, "of": of, "read_as": _read_as(game)}
    arrays["impossible"] = impossible
    count = counted(len(met.states), "position")
    return Tabulated("graph", about, arrays, values, count, more, {"why": why})


def _read_as(game: Any) -> dict[str, str]:
    """Words that stand for others where a position is read."""
    slots = dict(hook(game, "board", POSITION_RULES)()).get("slots")
    return {"all": ",".join(slot["name"] for slot in slots)} if slots else {}


def _meet(game: Any, title: str, progress: Progress | None) -> _Met:
    if hook(game, "draw", ("roll",))(game.start(), Random(0)) is not None:
        raise GameError(f"{title} is too large for a table: its rolls can go more ways than are listed")
    met, outcomes = _Met(pendings={game.start(): 0}), 0
    front = [game.start()]
    for pending in front:
        roll, row = game.roll(pending), []
        outcomes += len(roll)
        for state, weight in roll.items():
            number = met.states.get(state)
            if number is None:
                number = met.states[state] = len(met.states)
                met.moves.append(_moves(game, state, met, front))
            row.append((number, weight))
        met.rolls.append(row)
        if len(met.states) > MOST_POSITIONS or outcomes > MOST_OUTCOMES or max(roll.values()) >= MOST_WEIGHT:
            raise GameError(
                f"{title} is too large for a table: it has more than {MOST_POSITIONS:,} positions, or {MOST_OUTCOMES:,} outcomes "
                "of rolls"
            )
        if progress and len(met.rolls) % TICK == 0:
            progress("positions listed", len(met.states), None)
    return met


def _moves(game: Any, state: Any, met: _Met, front: list[Any]) -> list[tuple[Any, int]]:
    found = []
    for action in game.actions(state):
        pending = game.play(state, action)
        if pending not in met.pendings:
            met.pendings[pending] = len(met.pendings)
            front.append(pending)
        found.append((action, met.pendings[pending]))
    return found


def _values(solution: Solution, met: _Met) -> tuple[Any, Any]:
    """What rolls are worth, then what the ends are worth; and which of these are impossible."""
    found = [float(solution.value(pending, kind="pending")) for pending in met.pendings]
    ends = (state for state, moves in zip(met.states, met.moves, strict=True) if not moves)
    found += [float(solution.value(state, kind="state")) for state in ends]
    impossible = [place for place, value in enumerate(found) if isinf(value)]
    return np.nan_to_num(np.array(found), posinf=0.0, neginf=0.0), np.array(impossible, dtype=np.int64)


def _arrays(solution: Solution, met: _Met) -> dict[str, Any]:
    game, alone = solution.game, solution.game.alone()
    moves = [(state, action, pending) for state, row in zip(met.states, met.moves, strict=True) for action, pending in row]
    gains = [game.gain(state, action) for state, action, _ in moves]
    points = [alone.gain(game.alone_at(state), action) for state, action, _ in moves]
    plain = game.unlifted()
    ends = [state for state, row in zip(met.states, met.moves, strict=True) if not row]
    columns = {
        "outcome_count": [len(row) for row in met.rolls], "outcome_state": [state for row in met.rolls for state, _ in row],
        "outcome_weight": [weight for row in met.rolls for _, weight in row],
        "move_count": [len(row) for row in met.moves], "move_pending": [pending for _, _, pending in moves],
        "move_gain": gains, "move_points": points,
        "mover": [int(game.mover(state)) for state in met.states] if game.players > 1 else [],
        "cost": [game.cost(pending) for pending in met.pendings] if solution.objective.counts == "costs" else [],
        "payoff": [plain.payoff(game.unlift(state)) for state in ends],
    }  # fmt: skip
    return {name: np.array(column, dtype=np.int64) for name, column in columns.items()}


def _texts(solution: Solution, met: _Met) -> Iterator[tuple[str, list[str]]]:
    """The texts of a table by name: what positions, rolls and moves are called and look like."""
    game = solution.game
    position, before = (hook(game, name, POSITION_RULES) for name in ("position", "before_roll"))
    states, pendings = list(met.states), list(met.pendings)
    shown = [game.show_state(state) for state in states]
    yield "state", shown
    yield "position", [_json(position(state)) for state in states]
    yield "pending", [game.show_pending(pending) for pending in pendings]
    yield "before", [_json(before(pending)) for pending in pendings]
    yield "action", [game.show_action(action) for row in met.moves for action, _ in row]
    yield "id", [identify(game, state) for state in states]
    yield "label", list(_labels(game, states, pendings, met))


def _labels(game: Any, states: list[Any], pendings: list[Any], met: _Met) -> Iterator[str]:
    """What each outcome of a roll is called, and its dice."""
    name_rolls = hook(game, "name_rolls", POSITION_RULES)
    for pending, row in zip(pendings, met.rolls, strict=True):
        rolled = [states[number] for number, _ in row]
        game.expect(rolled)
        for text, dice in name_rolls(pending, rolled):
            yield _json([text, *map(str, dice)])


def _reasons(solution: Solution, met: _Met, progress: Progress | None) -> Iterator[str]:
    """Why each move is good or bad; nothing where there are very many moves."""
    explain, done, count = explainer(solution), 0, sum(map(len, met.moves))
    if count > MOST_WHY:
        return
    for state, row in zip(met.states, met.moves, strict=True):
        for action, _ in row:
            yield explain(state, action)
        done += len(row)
        if progress:
            progress("moves explained", done, count)


def _json(content: Any) -> str:
    return dumps(dict(content) if isinstance(content, dict) else content, separators=(",", ":"), ensure_ascii=False)
