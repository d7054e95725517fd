"""A solved game as a list of its positions: what may be rolled, every move with what it leads to, and what rolls are worth.

Positions are met in the order of the rules, from the start on. What a move is worth follows from the roll that it leads to, so
only rolls have values, and the ends of the game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from json import dumps
from math import isinf
from typing import Any, NamedTuple

import numpy as np

from rollwise.errors import GameError
from rollwise.model.abilities import prefetch, project, single_player, unlift, unlifted
from rollwise.model.formatting import counted
from rollwise.model.game import Progress
from rollwise.model.ids import position_id
from rollwise.model.message import Message, Text
from rollwise.model.notation import notation_of
from rollwise.model.view import view_of
from rollwise.playing.explain import explainer
from rollwise.playing.obvious import obvious_move
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.base.tabulated import Tabulated
from rollwise.texts.render import spoken
from rollwise.web.table_file import pack_texts

__all__ = ["MOST_POSITIONS", "tabulate_graph", "write_text"]

MOST_POSITIONS = 60_000
"""States of a game whose positions are listed."""
MOST_OUTCOMES = 1_000_000
MOST_WEIGHT = 1 << 29
MOST_WHY = 100_000
"""Moves that say why: to find that out takes the longest."""
BATCH = 250
"""States that a game is asked about together."""


class _Move(NamedTuple):
    action: Any
    pending: int
    gain: int
    points: int


class _Seen(NamedTuple):
    """What is found out about a state when it is met: while it is, a game has it at hand."""

    text: str
    position: str
    id: str
    mover: int
    payoff: int
    moves: list[_Move]
    decision: str
    obvious: int


@dataclass
class _Met:
    """The positions of a game, numbered as they are met."""

    solution: Solution
    states: dict[Any, int] = field(default_factory=dict)
    pendings: dict[Any, int] = field(default_factory=dict)
    rolls: list[list[tuple[int, int]]] = field(default_factory=list)
    seen: list[_Seen] = field(default_factory=list)

    @property
    def game(self) -> Any:
        return self.solution.game

    @cached_property
    def position(self) -> Any:
        return view_of(self.game).position

    def go_on(self, pendings: list[Any]) -> list[Any]:
        """Roll some pendings; gives those that are new after the moves of all states that are."""
        rolls = [self.game.roll(pending) for pending in pendings]
        new = dict.fromkeys(state for roll in rolls for state in roll if state not in self.states)
        for state in new:
            self.states[state] = len(self.states)
        self.rolls += [[(self.states[state], weight) for state, weight in roll.items()] for roll in rolls]
        before = len(self.pendings)
        for batch in batched([*new], BATCH):
            prefetch(self.game, batch)
            self.seen += [self._see(state) for state in batch]
        return list(islice(self.pendings, before, None))

    def _see(self, state: Any) -> _Seen:
        game = self.game
        moves = [self._move(state, action) for action in game.actions(state)]
        payoff = 0 if moves else unlifted(game).payoff(unlift(game, state))
        mover = int(game.mover(state)) if game.players > 1 else 0
        decision, obvious = self._decision(state, [move.action for move in moves])
        about = (game.show_state(state), _json(self.position(state)), position_id(game, state))
        return _Seen(*about, mover, payoff, moves, decision, obvious)

    def _decision(self, state: Any, actions: list[Any]) -> tuple[str, int]:
        """Give the kind of a decision, and which of its moves looks best at once."""
        if len(actions) < 2:
            return "", 0
        return write_text(view_of(self.game).decision(state)), actions.index(obvious_move(self.game, state))

    def _move(self, state: Any, action: Any) -> _Move:
        game, pending = self.game, self.game.play(state, action)
        number = self.pendings.setdefault(pending, len(self.pendings))
        return _Move(action, number, game.gain(state, action), single_player(game).gain(project(game, state), action))

    @property
    def moves(self) -> list[_Move]:
        return [move for seen in self.seen for move in seen.moves]


def tabulate_graph(solution: Solution, title: str, progress: Progress | None) -> Tabulated:
    """Give a solved game as a list of its positions. Raises `GameError` for a game with too many."""
    game = solution.game
    met = _meet(solution, title, progress)
    values, impossible = _values(solution, met)
    texts, arrays = dict[str, Any](), {**_arrays(solution, met), "impossible": impossible}
    for name, listed in _texts(met):
        texts[name], packed = pack_texts(name, listed)
        arrays |= packed
    why, more = pack_texts("why", list(_reasons(solution, met, progress)))
    of = view_of(game).cost_word if solution.objective.counts == "costs" else "points"
    about = {"texts": texts, "of": of, "read_as": _read_as(game)}
    return Tabulated("graph", about, arrays, values, counted(len(met.states), "position"), more, {"why": why})


def _read_as(game: Any) -> dict[str, str]:
    """Words that stand for others where a position is read."""
    slots = dict(view_of(game).board()).get("slots")
    return {"all": ",".join(slot["name"] for slot in slots)} if slots else {}


def _meet(solution: Solution, title: str, progress: Progress | None) -> _Met:
    """Meet all positions, from the start on."""
    met = _Met(solution, pendings={solution.game.start(): 0})
    front, outcomes, widest = [solution.game.start()], 0, 1
    check_listed(title, solution.states)
    while front:
        some, front = front[: max(1, BATCH // widest)], front[max(1, BATCH // widest) :]
        before = len(met.rolls)
        front += met.go_on(some)
        new = met.rolls[before:]
        widest, outcomes = max(widest, *map(len, new)), outcomes + sum(map(len, new))
        check_listed(title, len(met.states), outcomes)
        if max(weight for row in new for _, weight in row) >= MOST_WEIGHT:
            raise GameError(Message("server.table.roll", {"title": title, "most": MOST_WEIGHT}))
        if progress:
            progress("positions listed", len(met.states), solution.states)
    return met


def check_listed(title: str, states: int, outcomes: int = 0) -> None:
    """Refuse a game with too many positions to list. Raises `GameError`."""
    if states > MOST_POSITIONS:
        count = Message("server.table.some", {"states": states}) if not outcomes else Message("server.table.its")
        raise GameError(Message("server.table.positions", {"title": title, "count": count, "most": MOST_POSITIONS}))
    if outcomes > MOST_OUTCOMES:
        raise GameError(Message("server.table.rolls", {"title": title, "most": MOST_OUTCOMES}))


def _values(solution: Solution, met: _Met) -> tuple[Any, Any]:
    """What rolls are worth, then what the ends are worth; and which of these are impossible."""
    found = [float(solution.value(pending, kind="pending")) for pending in met.pendings]
    ends = (state for state, seen in zip(met.states, met.seen, strict=True) if not seen.moves)
    found += [float(solution.value(state, kind="state")) for state in ends]
    impossible = [place for place, value in enumerate(found) if isinf(value)]
    return np.nan_to_num(np.array(found), posinf=0.0, neginf=0.0), np.array(impossible, dtype=np.int64)


def _arrays(solution: Solution, met: _Met) -> dict[str, Any]:
    game, moves = solution.game, met.moves
    columns = {
        "outcome_count": [len(row) for row in met.rolls], "outcome_state": [state for row in met.rolls for state, _ in row],
        "outcome_weight": [weight for row in met.rolls for _, weight in row],
        "move_count": [len(seen.moves) for seen in met.seen], "move_pending": [move.pending for move in moves],
        "move_gain": [move.gain for move in moves], "move_points": [move.points for move in moves],
        "mover": [seen.mover for seen in met.seen] if game.players > 1 else [],
        "cost": [game.cost(pending) for pending in met.pendings] if solution.objective.counts == "costs" else [],
        "payoff": [seen.payoff for seen in met.seen if not seen.moves], "obvious": [seen.obvious for seen in met.seen],
    }  # fmt: skip
    return {name: np.array(column, dtype=np.int64) for name, column in columns.items()}


def _texts(met: _Met) -> Iterator[tuple[str, list[str]]]:
    """The texts of a table by name: what positions, rolls and moves are called and look like."""
    game, before = met.game, view_of(met.game).before_roll
    yield "state", [seen.text for seen in met.seen]
    yield "position", [seen.position for seen in met.seen]
    yield "id", [seen.id for seen in met.seen]
    yield "pending", list(map(notation_of(game).show_pending, met.pendings))
    yield "before", [_json(before(pending)) for pending in met.pendings]
    yield "action", [game.show_action(move.action) for move in met.moves]
    yield "label", list(_labels(met))
    yield "decision", [seen.decision for seen in met.seen]


def _labels(met: _Met) -> Iterator[str]:
    """What each outcome of a roll is called, and its dice."""
    name_rolls, states = view_of(met.game).name_rolls, list(met.states)
    for pending, row in zip(met.pendings, met.rolls, strict=True):
        rolled = [states[number] for number, _ in row]
        prefetch(met.game, rolled)
        for text, dice in name_rolls(pending, rolled):
            yield _write(spoken([text, *map(str, dice)], None))


def _reasons(solution: Solution, met: _Met, progress: Progress | None) -> Iterator[str]:
    """Why each move is good or bad; nothing where there are very many moves."""
    explain, count, done = explainer(solution), len(met.moves), 0
    if count > MOST_WHY:
        return
    for batch in batched([*zip(met.states, met.seen, strict=True)], BATCH):
        prefetch(met.game, [state for state, _ in batch])
        for state, seen in batch:
            yield from (write_text(explain(state, move.action)) for move in seen.moves)
            done += len(seen.moves)
        if progress:
            progress("moves explained", done, count)


def batched(items: list[Any], size: int) -> Iterator[list[Any]]:
    """Give items in lists of at most so many."""
    return (items[begin : begin + size] for begin in range(0, len(items), size))


def write_text(text: Text) -> str:
    """Write a text for the page: a message as the JSON of its key and arguments, which tells it from plain text."""
    return text if isinstance(text, str) else _write(text.as_dict())


def _write(value: Any) -> str:
    """Write JSON whose decimals are whole numbers of millionths, which pack well."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(name)}:{_write(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_write, value)) + "]"
    return f"{round(value * 10**6)}e-6" if isinstance(value, float) else dumps(value, ensure_ascii=False)


def _json(content: Any) -> str:
    return dumps(spoken(content, None), separators=(",", ":"), ensure_ascii=False)
