"""What the server answers: solutions, advice, distributions and grades in JSON types."""

from typing import Any

from rollwise.errors import GameError
from rollwise.forms.base.solution import Solution
from rollwise.model.fewest import Fewest
from rollwise.model.game import Progress
from rollwise.model.notation import infinite, plain
from rollwise.playing.advise import Move, advise
from rollwise.playing.explain import explain
from rollwise.playing.grade import Grade, grade
from rollwise.playing.record import Line, Record
from rollwise.playing.spread import Spread, spread
from rollwise.playing.strategy import value_word
from rollwise.web.boards import board, position
from rollwise.web.jobs import Job, Jobs, short

__all__ = ["describe_advice", "describe_grade", "describe_job", "describe_outlook", "describe_spread"]

Json = dict[str, Any]
SHARES = (0.05, 0.5, 0.95)


def describe_job(jobs: Jobs, job: Job) -> Json:
    """Describe a job and, when it is solved, its result."""
    waiting = jobs.waiting()
    ahead = waiting.index(job) + (jobs.solving() is not None) if job in waiting else 0
    progress = job.progress
    return {
        "id": job.id, "game": job.name, "parameters": short(job.parameters), "status": job.status, "ahead": ahead,
        "progress": progress and {"what": progress[0], "done": progress[1], "total": progress[2]}, "error": job.error,
        "board": board(job.game), "result": _result(job.solution) if job.solution else None,
    }  # fmt: skip


def _result(solution: Solution) -> Json:
    value, proof = solution.value(), solution.certificate
    return {
        "objective": str(solution.objective), "value_name": value_word(solution), "value": plain(value),
        "states": solution.states, "pendings": solution.pendings, "engine": solution.engine, "seconds": solution.seconds,
        "certificate": "no strategy surely ends" if infinite(value) else f"error at most {proof.error_bound:.1e}",
        "bound": proof.error_bound,
    }  # fmt: skip


def describe_advice(solution: Solution, text: str, top: int | None) -> Json:
    """Rank the moves of a position. Raises `PositionError`."""
    game = solution.game
    state = game.read_state(text)
    advice = advise(solution, state, top=top, outlook=False)
    return {
        "state": game.show_state(state), "over": not advice.moves, "value": plain(advice.value),
        "value_name": value_word(solution),
        "better": "lower" if isinstance(solution.objective, Fewest) else "higher",
        "position": position(game, state),
        "moves": [_move(solution, state, move) for move in advice.moves],
    }  # fmt: skip


def _move(solution: Solution, state: Any, move: Move) -> Json:
    game, action = solution.game, move.action
    return {
        "action": game.show_action(action), "value": plain(move.value), "loss": plain(move.loss),
        "gain": game.gain(state, action), "why": explain(solution, state, action),
        "after": game.show_pending(game.play(state, action)),
    }  # fmt: skip


def describe_outlook(solution: Solution, state_text: str, action_text: str, max_bytes: int, progress: Progress) -> Json:
    """Follow the best strategy to the end after a move. Raises `PositionError` or `GameError`."""
    game = solution.game
    state, action = game.read_state(state_text), game.read_action(action_text)
    solution.value(state, kind="state")
    if action not in game.actions(state):
        raise GameError(f"{action_text!r} is not a move in {game.show_state(state)}: choose one that the advice lists")
    after = spread(solution, pending=game.play(state, action), max_bytes=max_bytes, progress=progress)
    return describe_spread(after.moved(0 if isinstance(solution.objective, Fewest) else game.gain(state, action)))


def describe_spread(found: Spread) -> Json:
    """Describe a distribution."""
    return {
        "of": found.what, "lowest": found.lowest, "values": None if found.numbers is None else found.numbers.tolist(),
        "chance": found.chance.tolist(), "rest": found.rest, "mean": found.mean, "deviation": found.deviation,
        "quantiles": {str(share): found.quantile(share) for share in SHARES},
    }  # fmt: skip


def describe_grade(solution: Solution, name: str, lines: list[Line], progress: Progress) -> Json:
    """Grade a game. Raises `GameError` with the number of the first wrong line."""
    expected = "roll"
    for line in lines:
        if line.kind != expected:
            raise GameError(f"line {line.number}: expected a {expected}, got a {line.kind}; rolls and moves take turns")
        expected = "move" if expected == "roll" else "roll"
    found = grade(solution, Record(name, lines=tuple(lines)), progress=progress)
    return {
        "start": plain(found.start), "luck": plain(found.luck), "mistakes": plain(found.mistakes),
        "total": plain(found.total), "over": found.over, "steps": _steps(found),
    }  # fmt: skip


def _steps(found: Grade) -> list[Json]:
    game = found.game
    return [
        {
            "state": game.show_state(step.state), "value": plain(step.value), "luck": plain(step.luck),
            "action": game.show_action(step.action) if step.moved else None, "loss": plain(step.loss),
            "best": game.show_action(step.best) if step.moved else None,
        }
        for step in found.steps
    ]  # fmt: skip
