"""What is said in JSON, by the command line and by the server: solutions, advice, distributions, grades, games, entries.

Every function gives JSON types (fractions as `exact`, infinite values as "impossible"). `wire.schema` says the same as types, for
the server's description of itself; the command line does not import it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from math import isinf, isnan
from typing import TYPE_CHECKING, Any

from rollwise.games.catalogue import CATALOGUE, Entry
from rollwise.model.abilities import prefetch, project, single_player
from rollwise.model.formatting import infinite, plain, show_fraction
from rollwise.model.game import Game
from rollwise.model.ids import position_id
from rollwise.model.message import Message, Text
from rollwise.model.notation import notation_of
from rollwise.model.objectives import aims_of
from rollwise.model.reasons import Part, Reason
from rollwise.model.view import rules_in_words, view_of
from rollwise.playing.advise import Advice, Move
from rollwise.playing.distribution import QUANTILES
from rollwise.playing.explain import Reasons
from rollwise.playing.grade import Grade, Step
from rollwise.playing.mistakes import MistakeThresholds, count_mistakes, mistake_thresholds
from rollwise.playing.obvious import is_obvious
from rollwise.playing.simulate import Simulated
from rollwise.solvers.base.distribution import Distribution
from rollwise.solvers.base.plan import Plan
from rollwise.solvers.base.solution import Number, Ranked, Solution

if TYPE_CHECKING:
    from rollwise.cache import Entry as Kept
    from rollwise.playing.risk import RiskDial, RiskPlan, RiskPrice
    from rollwise.playing.samples import Tried

__all__ = [
    "QUANTILES",
    "as_json",
    "describe_advice",
    "describe_catalogue",
    "describe_distribution",
    "describe_entry",
    "describe_grade",
    "describe_move",
    "describe_plan",
    "describe_price",
    "describe_proof",
    "describe_risk",
    "describe_rolls",
    "describe_rules",
    "describe_simulated",
    "describe_solution",
    "describe_tried",
]  # fmt: skip

Json = dict[str, Any]

COMPARED = 50
"""Rolls that are compared, to name each by what tells it from others."""
FEW = (0.05, 0.5, 0.95)
"""The quantiles of an outlook."""


def exact(value: Number) -> str | None:
    """Write a fraction as p/q; None for a float.

    >>> exact(Fraction(3)), exact(Fraction(1, 3)), exact(0.5)
    ('3/1', '1/3', None)
    """
    if not isinstance(value, Fraction):
        return None
    return show_fraction(value) + ("/1" if value.denominator == 1 else "")


# Solutions


def as_json(game: str, parameters: Mapping[str, str], solution: Solution) -> Json:
    """Describe a solution of a game that goes by a name."""
    return {"game": game, "parameters": dict(parameters), **describe_solution(solution)}


def describe_solution(solution: Solution) -> Json:
    """Describe a solution: its value, its size, and why to trust it.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> found = describe_solution(rollwise.solve(load("slots"), exact=True))
    >>> found["value_name"], found["better"], found["exact"]
    ('win probability', 'higher', '13817/46656')
    """
    value = solution.value()
    return {
        "objective": str(solution.objective), "value_name": solution.objective.words(solution.game).value,
        "better": solution.objective.better, "value": plain(value), "exact": exact(value),
        "states": solution.states, "pendings": solution.pendings, "engine": solution.engine,
        "certificate": solution.certificate.as_dict(), "fingerprint": solution.fingerprint, "seconds": solution.seconds,
    }  # fmt: skip


def describe_proof(solution: Solution) -> Message:
    """Say in a few words why a value is right."""
    if infinite(solution.value()):
        return Message("table.never-ends")
    return Message("table.error-bound", {"bound": f"{solution.certificate.error_bound:.1e}"})


def describe_plan(plan: Plan) -> Json:
    """Describe what solving takes."""
    return asdict(plan)


# Advice


def describe_advice(solution: Solution, advice: Advice, *, parts: bool = False, reasons: int | None = None) -> Json:
    """Describe a position and its moves from best to worst; with `parts`, what the value of each consists of.

    The best `reasons` moves, or all, say why, with their reasons in numbers; that takes most of the time of an answer.
    """
    game, state, known = solution.game, advice.state, Reasons(solution)
    explain = known.explainer()
    most = len(advice.moves) if reasons is None else reasons
    counted = most if parts or view_of(game).compares == "reasons" else 0
    why = [explain(state, move.action) if place < most else "" for place, move in enumerate(advice.moves)]
    accounts = [_account(known, state, move.action) if place < counted else [] for place, move in enumerate(advice.moves)]
    return {
        "state": game.show_state(state), "id": position_id(game, state), "over": not advice.moves, "value": plain(advice.value),
        "exact": exact(advice.value), "value_name": solution.objective.words(game).value, "better": solution.objective.better,
        "position": dict(view_of(game).position(state)),
        "moves": [
            {**describe_move(game, state, move, text, account), **(_parts(known, state, move.action) if parts else {})}
            for move, text, account in zip(advice.moves, why, accounts, strict=True)
        ],
    }  # fmt: skip


def describe_move(game: Any, state: Any, move: Move | Ranked, why: Text, reasons: Sequence[Json] = ()) -> Json:
    """Describe a move: what it is worth and banks, why, and the roll that it leads to."""
    action = move.action
    row = {
        "action": game.show_action(action), "value": plain(move.value), "exact": exact(move.value), "loss": plain(move.loss),
        "gain": game.gain(state, action), "points": single_player(game).gain(project(game, state), action), "why": why,
        "reasons": list(reasons),
        "after": notation_of(game).show_pending(game.play(state, action)),
    }  # fmt: skip
    outlook = getattr(move, "outlook", None)
    return row if outlook is None else {**row, "outlook": _summary(outlook, FEW)}


def _account(known: Reasons, state: Any, action: Any) -> list[Json]:
    """The reasons of a move: how much better it is than another, part by part, for the player to move."""
    return [
        {"kind": reason.kind, "what": _what(reason), "value": plain(reason.value), "exact": exact(reason.value)}
        for reason in known.between(state, action, known.rival(state, action)) if reason.value
    ]  # fmt: skip


def _parts(known: Reasons, state: Any, action: Any) -> Json:
    """The parts of a move, which add up to its value, and the move that its reasons compare it with."""
    rival = known.rival(state, action)
    against = None if rival is None else known.solution.game.show_action(rival)
    return {"parts": [_part(part) for part in known.parts(state, action)], "against": against}


def _part(part: Part) -> Json:
    row = {"kind": part.kind, "what": _what(part), "value": plain(part.value), "exact": exact(part.value)}
    more = {"chance": part.chance, "points": part.points, "later": part.later, "after": part.after}
    return {**row, **{name: plain(number) for name, number in more.items() if number is not None}}


def _what(part: Part | Reason) -> Text:
    """Name a part of a value; a box has a name that can be looked up."""
    return Message("part.box", {"box": part.what}) if part.kind == "box" and isinstance(part.what, str) else part.what


def describe_rolls(game: Any, pending: Any, *, top: int, draw: float | None = None) -> Json:
    """Describe what a roll may give, the likeliest first, and what a number from 0 to 1 draws from all of it.

    >>> from rollwise.games import load
    >>> from rollwise.texts.render import spoken
    >>> found = spoken(describe_rolls(load("pig"), load("pig").start(), top=2, draw=0.99), "en")
    >>> [(roll["label"], round(roll["chance"], 3)) for roll in found["rolls"]], found["drawn"]["label"], round(found["rest"], 3)
    ([('1: the turn is lost', 0.167), ('2', 0.167)], '6', 0.667)
    """
    roll = game.roll(pending)
    order = sorted(roll, key=roll.__getitem__, reverse=True)
    shown, total = order[:top], sum(roll.values())
    drawn = None if draw is None else _drawn(roll, draw * total)
    compared = list(dict.fromkeys([*order[: max(top, COMPARED)], *([] if drawn is None else [drawn])]))
    prefetch(game, compared)
    view = view_of(game)
    label = dict(zip(compared, view.name_rolls(pending, compared), strict=True))

    def describe(state: Any) -> Json:
        text, dice = label[state]
        return {
            "state": game.show_state(state), "chance": roll[state] / total, "label": text, "dice": [str(face) for face in dice],
            "over": not game.actions(state), "position": dict(view.position(state)),
        }  # fmt: skip

    return {
        "after": notation_of(game).show_pending(pending), "before": dict(view.before_roll(pending)),
        "rolls": [describe(state) for state in shown], "rest": sum(roll[state] for state in order[top:]) / total,
        "drawn": None if drawn is None else describe(drawn),
    }  # fmt: skip


def _drawn(roll: Mapping[Any, int], place: float) -> Any:
    """Give what lies at a place of the weights, laid one after another in the order of the game."""
    upto = 0
    for state, weight in roll.items():
        upto += weight
        if place < upto:
            return state
    return state


# Distributions


def describe_distribution(found: Distribution) -> Json:
    """Describe a distribution."""
    steps = {str(threshold): chance for threshold, chance in found.bonus_steps.items()}
    return {
        **_summary(found, QUANTILES), "lowest": found.lowest,
        "values": None if found.numbers is None else found.numbers.tolist(), "chance": found.chance.tolist(),
        "rest": found.rest, "bonus": found.bonus, "bonus_steps": steps,
        "boxes": {name: _box(points) for name, points in found.box_points.items()},
    }  # fmt: skip


def _summary(found: Distribution, shares: tuple[float, ...]) -> Json:
    quantiles = {f"{share:g}": found.quantile(share) for share in shares}
    about = {"of": found.what, "mean": found.mean, "standard_deviation": found.standard_deviation, "quantiles": quantiles}
    return {**about, "error": found.error}


def _box(points: Mapping[int, float]) -> Json:
    return {
        "expected_points": sum(n * chance for n, chance in points.items()),
        "chance_of_points": sum(chance for n, chance in points.items() if n),
        "chance": {str(n): chance for n, chance in points.items()},
    }


def describe_simulated(found: Simulated) -> Json:
    """Describe games that were played, and how far their mean is from the value."""
    return {
        "games": found.games, "seed": found.seed, "mean": found.mean, "standard_error": found.standard_error,
        "interval": list(found.interval), "value": plain(found.value), "exact": exact(found.value),
        "z_score": None if isinf(found.z_score) else found.z_score,
        "counts": {str(total): count for total, count in found.counts.items()},
    }  # fmt: skip


# Grades


def describe_grade(found: Grade) -> Json:
    """Describe a graded game: total = value + luck - mistakes; where costs are counted, value - luck + mistakes."""
    rival = {"rival_mistakes": plain(found.rival_mistakes)} if found.two_players else {}
    scale = mistake_thresholds(found.solution)
    return {
        "value": plain(found.start), "exact": exact(found.start), "steps": [_step(found, step, scale) for step in found.steps],
        "luck": plain(found.luck), "mistakes": plain(found.mistakes), **rival, "total": plain(found.total), "over": found.over,
        "severities": dict(scale.thresholds), "counts": count_mistakes(found, scale),
    }  # fmt: skip


def _step(found: Grade, step: Step, scale: MistakeThresholds) -> Json:
    show = found.game.show_action
    return {
        "roll": found.game.show_state(step.state), "luck": plain(step.luck), "value": plain(step.value),
        "move": show(step.action) if step.moved else None, "loss": plain(step.loss) if step.moved else None,
        "best": show(step.best) if step.moved else None,
        "severity": scale.classify(step.loss) if step.moved else None, **_decision(found, step),
    }  # fmt: skip


def _decision(found: Grade, step: Step) -> Json:
    """Describe the decision of a move, where there were several moves: its kind, and whether it was obvious."""
    if not step.moved or len(found.game.actions(step.state)) < 2:
        return {"decision": None, "obvious": None}
    return {"decision": view_of(found.game).decision(step.state), "obvious": is_obvious(found.solution, step)}


# Games and what is kept of them


def describe_catalogue() -> list[Json]:
    """List the games of the catalogue, with what draws their boards and what their parameters are.

    >>> slots = next(game for game in describe_catalogue() if game["name"] == "slots")
    >>> slots["kind"], slots["parameters"][0]["name"], slots["parameters"][0]["kind"]
    ('slots', 'target', {'type': 'integer', 'low': None, 'high': None})
    """
    return [_game(name, entry) for name, entry in sorted(CATALOGUE.items())]


def _game(name: str, entry: Entry) -> Json:
    parameters = [parameter.as_dict() for parameter in entry.parameters]
    people = {
        "title": entry.title or name,
        "brief": entry.brief or entry.summary,
        "family": entry.family and Message(f"family.{entry.family}"),
        "players": entry.players,
    }
    aims = [aim.as_dict() for aim in aims_of(entry.game)]
    return {
        "name": name, "summary": entry.summary, **people, "famous": entry.famous, "kind": entry.game.view.board_kind,
        "parameters": parameters, "aims": aims,
    }  # fmt: skip


def describe_rules(game: Game[Any, Any, Any]) -> Json:
    """Describe how a game is played: paragraphs, and what its boxes pay, with examples.

    >>> from rollwise.games import load
    >>> describe_rules(load("slots"))["boxes"][0]["examples"]
    [{'dice': ['6'], 'points': 18}]
    """
    told = rules_in_words(game)
    return {
        "paragraphs": list(told.paragraphs),
        "boxes": [
            {
                "name": box.name, "pays": box.pays,
                "examples": [{"dice": [str(face) for face in shown.dice], "points": shown.points} for shown in box.examples],
            }
            for box in told.boxes
        ],
    }  # fmt: skip


def describe_tried(tried: "Tried") -> Json:
    """Describe a position to try: its dice, what lies on the table, and the moves to choose from with what they are worth."""
    game, state, objective = tried.game, tried.state, tried.objective
    told = view_of(game).lay_out(state)
    facts = {
        name: told.get(name, text) for name, text in notation_of(game).columns(state).items() if name != "dice" and text != "no"
    }
    return {
        "game": tried.name, "title": CATALOGUE[tried.name].title, "state": game.show_state(state),
        "dice": [str(face) for face in view_of(game).show_dice(state)], "facts": facts,
        "value_name": objective.words(game).value, "better": objective.better, "so_far": tried.so_far,
        "moves": [_choice(game, state, move) for move in tried.moves],
    }  # fmt: skip


def _choice(game: Game[Any, Any, Any], state: Any, move: Move) -> Json:
    """Describe a move to choose; `keeps` are the dice that stay on the table, null where it `fills` a box, or without turns."""
    ends = view_of(game).ends_turn(state, move.action)
    keeps = [str(face) for face in view_of(game).show_dice(game.play(state, move.action))] if ends == "" else None
    about = {"action": game.show_action(move.action), "keeps": keeps, "fills": bool(ends), "gain": game.gain(state, move.action)}
    return {**about, "value": plain(move.value), "loss": plain(move.loss)}


def describe_risk(dial: "RiskDial") -> Json:
    """Describe the plans of the risk dial, and the positions in which they differ."""
    changes = [
        {
            "state": change.text, "frequency": change.frequency,
            "moves": [{"action": move, "plans": list(plans)} for move, plans in change.moves],
        }
        for change in dial.changes
    ]  # fmt: skip
    return {"plans": [_plan(plan) for plan in dial.plans], "changes": changes}


def describe_price(price: "RiskPrice") -> Json:
    """Describe a plan of the risk dial beside the one with the best mean."""
    return {
        "plan": _plan(price.plan), "most": _plan(price.most), "most_value": price.most_value,
        "better": "lower" if price.plan.objective.few else "higher",
    }  # fmt: skip


def _plan(plan: "RiskPlan") -> Json:
    return {
        "objective": plan.objective.text, "target": getattr(plan.objective, "target", None), "value": plain(plan.value),
        "mean": plan.mean, "standard_deviation": plan.deviation, "worst_tenth": plan.worst_tenth, "median": plan.median,
    }  # fmt: skip


def describe_entry(entry: "Kept") -> Json:
    """Describe an entry of a cache."""
    return {
        "entry": entry.path.name, "game": entry.name, "parameters": dict(entry.parameters), "objective": entry.objective,
        "value": None if isnan(entry.value) else plain(entry.value), "bytes": entry.bytes, "created": entry.created,
        "fault": entry.fault,
    }  # fmt: skip
