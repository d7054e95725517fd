"""Write a solved game as a model that other programs read."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from rollwise import __version__
from rollwise.adapters.models.drn import write_drn
from rollwise.adapters.models.model import Model
from rollwise.adapters.models.question import Question, ask
from rollwise.adapters.models.texts import action_names
from rollwise.adapters.models.umb import write_umb
from rollwise.errors import GameError
from rollwise.model.abilities import overridden, unlifted
from rollwise.model.faults import blaming
from rollwise.model.game import Game, Progress
from rollwise.solvers.base.abilities import HasGraph, ability
from rollwise.solvers.base.solution import Solution, require_solution
from rollwise.solvers.base.writing import appearing
from rollwise.solvers.choose_solver import explore_rules
from rollwise.solvers.graph.explore import MAX_STATES, Explored, explore_part

__all__ = ["ENDINGS", "Written", "check_ending", "check_players", "write_model"]

ENDINGS = (".umb", ".drn")
GLANCE = 1000
"""Positions that are looked at for a second player before a game is solved."""


@dataclass(frozen=True)
class Written:
    """The size of a model that was written, and what to ask about it."""

    states: int
    choices: int
    branches: int
    question: Question


def write_model(
    solution: Solution,
    path: str | PathLike[str],
    *,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
    texts: bool = True,
    compress: bool = True,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> Written:
    """Write a solved game as a .umb or .drn file for model checkers; return the formula for its value and the expected answer.

    >>> import rollwise, tempfile
    >>> solution = rollwise.solve("slots", exact=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_model(solution, Path(folder) / "slots.umb")
    >>> written.states, written.question.formula, written.question.text
    (9590, 'Pmax=? [F "won"]', '13817/46656')

    `name` and `parameters` identify the game in the file. `texts=False` omits the texts of positions. UMB files are compressed
    (gzip) unless `compress` is False. Raises `GameError` for a game of more than `max_states` positions, a file that cannot be
    written, or a game for two as .drn.
    """
    require_solution(solution, "write_model")
    path = Path(path)
    ending = check_ending(path)
    game = unlifted(solution.game)
    with blaming(game):
        model = Model(_explored(solution, max_states, progress))
        if model.graph.two_players:
            _refuse_two(ending)
        names = action_names(model.explored, progress)
        question = ask(model, solution, progress)
        about = {
            "game": name or type(game).__name__.lower(),
            "described": (type(game).__doc__ or "").strip().partition("\n")[0],
            "parameters": dict(parameters or {}),
            "objective": str(solution.objective),
            "version": __version__,
        }
        with appearing(path) as out:
            if ending == ".umb":
                write_umb(out, model, question, names, about, texts=texts, compress=compress, progress=progress)
            else:
                write_drn(out, model, question, names, about, texts=texts, progress=progress)
    return Written(model.n_nodes, model.n_choices, model.n_branches, question)


def check_ending(path: Path) -> str:
    """Give the ending of a model's file. Raises `GameError` for another."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise GameError(f"cannot write {str(path)!r}: a model is written to a file that ends in {' or '.join(ENDINGS)}")
    return ending


def check_players(path: Path, game: Game[Any, Any, Any]) -> None:
    """Refuse a game in which two players soon choose, where the format is for one; nothing is solved for that."""
    if overridden(game, Game, ("mover",)) and explore_part(game, GLANCE)[0].graph.two_players:
        _refuse_two(check_ending(path))


def _refuse_two(ending: str) -> None:
    if ending == ".drn":
        raise GameError("a .drn file is for games of one player, and here two players choose: write a .umb file")


def _explored(solution: Solution, max_states: int, progress: Progress | None) -> Explored:
    found: Explored | None = ability(solution, HasGraph).graph()
    if found is not None:
        return found
    return explore_rules(unlifted(solution.game), solution.objective, max_states=max_states, progress=progress)
