"""rollwise: the best move in a dice game, exactly, with a proof."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rollwise.advice import Advice, Move, advise
    from rollwise.check import check_game
    from rollwise.duel import DuelSolution, solve_duel
    from rollwise.duel_following import follow_duel, split_duel
    from rollwise.duel_plan import plan_duel
    from rollwise.duel_play import simulate_duel
    from rollwise.engines.certify import Certificate
    from rollwise.errors import EngineError, GameError, PositionError, RollwiseError
    from rollwise.following import Evaluation, evaluate
    from rollwise.game import Game, Parameter
    from rollwise.graph import Explored, Graph, explore
    from rollwise.lift import Has, Needs
    from rollwise.objective import Against, AtLeast, Duel, Expected, Fewest
    from rollwise.play import Grade, Line, Record, RollSource, Step, grade, read_record, start_game, write_record
    from rollwise.policies import Choose, Greedy, Optimal, Policy, Random, Table
    from rollwise.roll import Roll, dice, die, sure, together
    from rollwise.simulation import Simulated, simulate
    from rollwise.solution import Decision, Ranked, Solution
    from rollwise.solver import solve
    from rollwise.spreads import Spread, spread
    from rollwise.store_files import StoreError

__version__ = "0.1.0"

_HOME = {
    "Advice": "advice", "Against": "objective", "AtLeast": "objective", "Certificate": "engines.certify", "Choose": "policies",
    "Decision": "solution", "Duel": "objective", "DuelSolution": "duel", "EngineError": "errors", "Evaluation": "following",
    "Expected": "objective", "Explored": "graph", "Fewest": "objective", "Game": "game", "GameError": "errors", "Grade": "play",
    "Graph": "graph", "Greedy": "policies", "Has": "lift", "Line": "play", "Move": "advice", "Needs": "lift",
    "Optimal": "policies", "Parameter": "game", "Policy": "policies", "PositionError": "errors", "Random": "policies",
    "Ranked": "solution", "Record": "play", "Roll": "roll", "RollSource": "play", "RollwiseError": "errors",
    "Simulated": "simulation", "Solution": "solution", "Spread": "spreads", "Step": "play", "StoreError": "store_files",
    "Table": "policies", "advise": "advice", "check_game": "check", "dice": "roll", "die": "roll", "evaluate": "following",
    "explore": "graph", "follow_duel": "duel_following", "grade": "play", "plan_duel": "duel_plan", "read_record": "play",
    "simulate": "simulation", "simulate_duel": "duel_play", "solve": "solver", "solve_duel": "duel",
    "split_duel": "duel_following", "spread": "spreads", "start_game": "play", "sure": "roll", "together": "roll",
    "write_record": "play",
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
