"""What is said in JSON about puzzles and ratings; not in `wire.to_json`, so that advice does not wait for what they import."""

from math import isinf

from rollwise.model.formatting import plain
from rollwise.model.ids import position_id
from rollwise.model.view import view_of
from rollwise.playing.explain import explainer
from rollwise.playing.mistakes import mistake_thresholds
from rollwise.playing.puzzles import Puzzle
from rollwise.playing.rate import Rating
from rollwise.solvers.base.solution import Solution
from rollwise.wire.to_json import Json

__all__ = ["describe_puzzles", "describe_rating"]


def describe_puzzles(solution: Solution, found: list[Puzzle]) -> Json:
    """Describe puzzles with their answers, and from which loss on a move is called what."""
    return {"severities": dict(mistake_thresholds(solution).thresholds), "puzzles": [_puzzle(solution, one) for one in found]}


def _puzzle(solution: Solution, one: Puzzle) -> Json:
    game, why = solution.game, explainer(solution)
    return {
        "id": position_id(game, one.state), "state": game.show_state(one.state),
        "position": dict(view_of(game).position(one.state)), "value": plain(one.value),
        "moves": [game.show_action(action) for action in game.actions(one.state)], "best": game.show_action(one.best),
        "why": why(one.state, one.best), "tempting": game.show_action(one.tempting),
        "tempting_why": why(one.state, one.tempting), "loss": plain(one.loss),
        "severity": mistake_thresholds(solution).classify(one.loss), "hidden": one.hidden,
    }  # fmt: skip


def describe_rating(found: Rating, names: list[str]) -> Json:
    """Describe the rating of a player; `names` are those of the games, in order."""
    games, skill, trend = len(found.games), found.skill, found.skill.trend
    return {
        "objective": str(found.solution.objective), "unit": found.scale.unit, "severities": dict(found.scale.thresholds),
        "games": [_rated(found, place, name) for place, name in enumerate(names)],
        "kinds": [
            {"kind": kind.name, "decisions": kind.decisions, "loss": plain(kind.loss), "loss_a_game": plain(kind.loss / games),
             "counts": found.counts[kind.name], "leak": kind.leak} for kind in skill.kinds
        ],
        "rating": _finite(skill.rating), "rating_standard_error": _finite(skill.standard_error),
        "rated_decisions": skill.decisions,
        "mistakes_a_game": plain(sum(found.mistakes) / games), "mistakes_standard_error": _finite(found.mistakes_standard_error),
        "luck_a_game": plain(sum(found.luck) / games), "luck_standard_error": _finite(found.luck_standard_error),
        "unfinished": found.unfinished,
        "trend": trend and {"slope": trend.slope, "low": trend.low, "high": trend.high, "clear": trend.clear},
    }  # fmt: skip


def _rated(found: Rating, place: int, name: str) -> Json:
    game = found.games[place]
    return {
        "file": name, "player": found.players[place], "luck": plain(found.luck[place]), "mistakes": plain(found.mistakes[place]),
        "total": plain(game.total), "over": game.over,
    }  # fmt: skip


def _finite(number: float) -> float | None:
    return None if isinf(number) else number
