"""rollwise: the best move in a dice game, exactly, with a proof."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.errors import EngineError, GameError, PositionError, RollwiseError
    from rollwise.forms.base.solution import Decision, Ranked, Solution
    from rollwise.forms.graph.certify import Certificate
    from rollwise.forms.graph.explore import Explored, Graph, explore
    from rollwise.forms.sheets.duel import DuelSolution, solve_duel
    from rollwise.forms.sheets.duel_follow import follow_duel, split_duel
    from rollwise.forms.sheets.duel_plan import plan_duel
    from rollwise.forms.sheets.duel_simulate import simulate_duel
    from rollwise.model.game import Game, Parameter
    from rollwise.model.lift import Has, Needs
    from rollwise.model.against import Against
    from rollwise.model.at_least import AtLeast
    from rollwise.model.duel import Duel
    from rollwise.model.expected import Expected
    from rollwise.model.fewest import Fewest
    from rollwise.model.policy import Choose, Greedy, Optimal, Policy, Random, Table
    from rollwise.model.roll import Roll, dice, die, sure, together
    from rollwise.playing.advise import Advice, Move, advise
    from rollwise.playing.check import check_game
    from rollwise.playing.evaluate import Evaluation, evaluate
    from rollwise.playing.record import Grade, Line, Record, RollSource, Step, grade, read_record, start_game, write_record
    from rollwise.playing.simulate import Simulated, simulate
    from rollwise.playing.spread import Spread, spread
    from rollwise.solving.solver import solve
    from rollwise.store.files import StoreError

__version__ = "0.1.0"

_HOME = {
    "Advice": "playing.advise", "Against": "model.objective", "AtLeast": "model.objective", "Certificate": "forms.graph.certify", "Choose": "model.policy",
    "Decision": "forms.base.solution", "Duel": "model.objective", "DuelSolution": "forms.sheets.duel", "EngineError": "errors", "Evaluation": "playing.evaluate",
    "Expected": "model.objective", "Explored": "forms.graph.explore", "Fewest": "model.objective", "Game": "model.game", "GameError": "errors", "Grade": "playing.record",
    "Graph": "forms.graph.explore", "Greedy": "model.policy", "Has": "model.lift", "Line": "playing.record", "Move": "playing.advise", "Needs": "model.lift",
    "Optimal": "model.policy", "Parameter": "model.game", "Policy": "model.policy", "PositionError": "errors", "Random": "model.policy",
    "Ranked": "forms.base.solution", "Record": "playing.record", "Roll": "model.roll", "RollSource": "playing.record", "RollwiseError": "errors",
    "Simulated": "playing.simulate", "Solution": "forms.base.solution", "Spread": "playing.spread", "Step": "playing.record", "StoreError": "store.files",
    "Table": "model.policy", "advise": "playing.advise", "check_game": "playing.check", "dice": "model.roll", "die": "model.roll", "evaluate": "playing.evaluate",
    "explore": "forms.graph.explore", "follow_duel": "forms.sheets.duel_follow", "grade": "playing.record", "plan_duel": "forms.sheets.duel_plan", "read_record": "playing.record",
    "simulate": "playing.simulate", "simulate_duel": "forms.sheets.duel_simulate", "solve": "solving.solver", "solve_duel": "forms.sheets.duel",
    "split_duel": "forms.sheets.duel_follow", "spread": "playing.spread", "start_game": "playing.record", "sure": "model.roll", "together": "model.roll",
    "write_record": "playing.record",
}  # fmt: skip

__all__ = [
    "Advice",
    "Against",
    "AtLeast",
    "Certificate",
    "Choose",
    "Decision",
    "Duel",
    "DuelSolution",
    "EngineError",
    "Evaluation",
    "Expected",
    "Explored",
    "Fewest",
    "Game",
    "GameError",
    "Grade",
    "Graph",
    "Greedy",
    "Has",
    "Line",
    "Move",
    "Needs",
    "Optimal",
    "Parameter",
    "Policy",
    "PositionError",
    "Random",
    "Ranked",
    "Record",
    "Roll",
    "RollSource",
    "RollwiseError",
    "Simulated",
    "Solution",
    "Spread",
    "Step",
    "StoreError",
    "Table",
    "advise",
    "check_game",
    "dice",
    "die",
    "evaluate",
    "explore",
    "follow_duel",
    "grade",
    "plan_duel",
    "read_record",
    "simulate",
    "simulate_duel",
    "solve",
    "solve_duel",
    "split_duel",
    "spread",
    "start_game",
    "sure",
    "together",
    "write_record",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import rollwise` and `rollwise --help` stay fast."""
    if name in _HOME:
        return getattr(import_module(f"rollwise.{_HOME[name]}"), name)
    raise AttributeError(f"module 'rollwise' has no attribute {name!r}")
