"""rollwise: the best move in a dice game, exactly, with a proof."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.adapters.models.write import write_model
    from rollwise.cards.judge import Judged, judge_card
    from rollwise.cards.search import find_card
    from rollwise.errors import CertificateError, EngineError, GameError, GameWarning, PositionError, RollwiseError
    from rollwise.games.columns import (
        ColumnGame,
        Dice,
        Hands,
        Mover,
        Number,
        Relation,
        Subset,
        chance,
        choice,
        has,
        maximum,
        minimum,
        throws,
        where,
    )
    from rollwise.games.grouping import GroupingGame
    from rollwise.games.reroll import RerollGame
    from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
    from rollwise.games.sheets.duel import DuelGame
    from rollwise.games.sheets.rules import Sheet
    from rollwise.games.users import find_game
    from rollwise.model.abilities import Heuristic
    from rollwise.model.against import Against
    from rollwise.model.at_least import AtLeast
    from rollwise.model.at_most import AtMost
    from rollwise.model.card import CardFeature, StrategyCard, Verb, Vocabulary, read_card
    from rollwise.model.duel import Duel
    from rollwise.model.expected import Expected
    from rollwise.model.fewest import Fewest
    from rollwise.model.game import Game
    from rollwise.model.ids import identify, read_id, read_position
    from rollwise.model.lift import Has, Needs
    from rollwise.model.lowest import Lowest
    from rollwise.model.notation import Notation
    from rollwise.model.objective import Objective, Words
    from rollwise.model.objectives import read_objective
    from rollwise.model.parameter import Choice, File, Flag, Integer, Integers, Names, Parameter, Text
    from rollwise.model.policy import Choose, Greedy, Optimal, Players, Policy, Random, Table
    from rollwise.model.roll import Roll, dice, die, sure, together
    from rollwise.model.view import View
    from rollwise.model.win import Win
    from rollwise.playing.advise import Advice, Move, advise
    from rollwise.playing.check import check_game
    from rollwise.playing.evaluate import evaluate
    from rollwise.playing.explain import explain, reasons
    from rollwise.playing.grade import Grade, Step, grade, start_game
    from rollwise.playing.mistakes import Scale, scale_of
    from rollwise.playing.opponents import read_opponent, settle
    from rollwise.playing.puzzles import Puzzle, puzzles
    from rollwise.playing.rate import Rating, rate
    from rollwise.playing.record import Line, Record, read_record, write_record
    from rollwise.playing.rolling import RollSource
    from rollwise.playing.simulate import Simulated, simulate
    from rollwise.playing.spread import spread
    from rollwise.playing.strategy import policy_rows, write_policy
    from rollwise.reports.build import Report, make_report, write_report
    from rollwise.solvers.base.array_files import StoreError
    from rollwise.solvers.base.backends import Card, Threads
    from rollwise.solvers.base.certificate import Certificate
    from rollwise.solvers.base.form import Form
    from rollwise.solvers.base.how import How
    from rollwise.solvers.base.plan import Plan
    from rollwise.solvers.base.solution import Decision, Evaluation, Ranked, Solution, Stored
    from rollwise.solvers.base.spread import Spread
    from rollwise.solvers.base.table import StrategyTable
    from rollwise.solvers.graph.explore import Explored, Graph, explore
    from rollwise.solvers.registry import register, registered, unregister
    from rollwise.solvers.solve import plan, solve
    from rollwise.sweeps.run import sweep

__version__ = "0.1.0"

_ROOMS = {
    "errors": "CertificateError EngineError GameError GameWarning PositionError RollwiseError",
    "model.roll": "Roll dice die sure together",
    "model.win": "Win",
    "model.game": "Game",
    "model.parameter": "Choice File Flag Integer Integers Names Parameter Text",
    "model.objective": "Objective Words",
    "model.expected": "Expected",
    "model.at_least": "AtLeast",
    "model.at_most": "AtMost",
    "model.abilities": "Heuristic",
    "model.against": "Against",
    "model.notation": "Notation",
    "model.view": "View",
    "model.fewest": "Fewest",
    "model.card": "CardFeature StrategyCard Verb Vocabulary read_card",
    "model.duel": "Duel",
    "model.objectives": "read_objective",
    "model.ids": "identify read_id read_position",
    "model.lift": "Has Needs",
    "model.lowest": "Lowest",
    "model.policy": "Choose Greedy Optimal Players Policy Random Table",
    "games.sheets.boxes": "Box Joker UpperBonus",
    "games.sheets.rules": "Sheet",
    "games.sheets.duel": "DuelGame",
    "games.columns": "ColumnGame Dice Hands Mover Number Relation Subset chance choice has maximum minimum throws where",
    "games.reroll": "RerollGame",
    "games.grouping": "GroupingGame",
    "games.users": "find_game",
    "solvers.base.form": "Form",
    "solvers.base.how": "How",
    "solvers.base.backends": "Card Threads",
    "solvers.base.plan": "Plan",
    "solvers.base.certificate": "Certificate",
    "solvers.base.spread": "Spread",
    "solvers.base.solution": "Decision Evaluation Ranked Solution Stored",
    "solvers.base.table": "StrategyTable",
    "solvers.base.array_files": "StoreError",
    "solvers.graph.explore": "Explored Graph explore",
    "solvers.solve": "plan solve",
    "solvers.registry": "register registered unregister",
    "playing.advise": "Advice Move advise",
    "playing.check": "check_game",
    "playing.evaluate": "evaluate",
    "playing.explain": "explain reasons",
    "playing.opponents": "read_opponent settle",
    "playing.grade": "Grade Step grade start_game",
    "playing.mistakes": "Scale scale_of",
    "playing.puzzles": "Puzzle puzzles",
    "playing.rate": "Rating rate",
    "playing.record": "Line Record read_record write_record",
    "playing.rolling": "RollSource",
    "playing.simulate": "Simulated simulate",
    "playing.spread": "spread",
    "playing.strategy": "policy_rows write_policy",
    "cards.judge": "Judged judge_card",
    "cards.search": "find_card",
    "reports.build": "Report make_report write_report",
    "sweeps.run": "sweep",
    "adapters.models.write": "write_model",
}
"""Where the public names are at home."""
_HOME = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "Advice",
    "Against",
    "AtLeast",
    "AtMost",
    "Box",
    "Card",
    "CardFeature",
    "Certificate",
    "CertificateError",
    "Choice",
    "Choose",
    "ColumnGame",
    "Decision",
    "Dice",
    "Duel",
    "DuelGame",
    "EngineError",
    "Evaluation",
    "Expected",
    "Explored",
    "Fewest",
    "File",
    "Flag",
    "Form",
    "Game",
    "GameError",
    "GameWarning",
    "Grade",
    "Graph",
    "Greedy",
    "GroupingGame",
    "Hands",
    "Has",
    "Heuristic",
    "How",
    "Integer",
    "Integers",
    "Joker",
    "Judged",
    "Line",
    "Lowest",
    "Move",
    "Mover",
    "Names",
    "Needs",
    "Notation",
    "Number",
    "Objective",
    "Optimal",
    "Parameter",
    "Plan",
    "Players",
    "Policy",
    "PositionError",
    "Puzzle",
    "Random",
    "Ranked",
    "Rating",
    "Record",
    "Relation",
    "Report",
    "RerollGame",
    "Roll",
    "RollSource",
    "RollwiseError",
    "Scale",
    "Sheet",
    "Simulated",
    "Solution",
    "Spread",
    "Step",
    "StoreError",
    "Stored",
    "StrategyCard",
    "StrategyTable",
    "Subset",
    "Table",
    "Text",
    "Threads",
    "UpperBonus",
    "Verb",
    "View",
    "Vocabulary",
    "Win",
    "Words",
    "advise",
    "chance",
    "check_game",
    "choice",
    "dice",
    "die",
    "evaluate",
    "explain",
    "explore",
    "find_card",
    "find_game",
    "grade",
    "has",
    "identify",
    "judge_card",
    "make_report",
    "maximum",
    "minimum",
    "plan",
    "policy_rows",
    "puzzles",
    "rate",
    "read_card",
    "read_id",
    "read_objective",
    "read_opponent",
    "read_position",
    "read_record",
    "reasons",
    "register",
    "registered",
    "scale_of",
    "settle",
    "simulate",
    "solve",
    "spread",
    "start_game",
    "sure",
    "sweep",
    "throws",
    "together",
    "unregister",
    "where",
    "write_model",
    "write_policy",
    "write_record",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import rollwise` and `rollwise --help` stay fast."""
    if name in _HOME:
        return getattr(import_module(f"rollwise.{_HOME[name]}"), name)
    if name in ("cache", "games", "gym"):
        return import_module(f"rollwise.{name}")
    raise AttributeError(f"module 'rollwise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "cache", "games"])
