"""The objectives by name, and how their texts are read."""

from typing import TYPE_CHECKING, Any

from rollwise.errors import GameError, one_of
from rollwise.model.against import Against
from rollwise.model.aim import OfferedAim
from rollwise.model.at_least import AtLeast
from rollwise.model.at_most import AtMost
from rollwise.model.duel import Duel
from rollwise.model.expected import Expected
from rollwise.model.fewest import Fewest
from rollwise.model.installed import installed, load_installed
from rollwise.model.lowest import Lowest
from rollwise.model.objective import Objective
from rollwise.model.view import looks_of
from rollwise.model.win import Win

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = ["OBJECTIVES", "add_objective", "aims_of", "drop_objective", "read_objective"]

OWN: tuple[type[Objective], ...] = (Expected, AtLeast, Against, Lowest, AtMost, Win, Fewest, Duel)
OBJECTIVES: dict[str, type[Objective]] = {kind.name: kind for kind in OWN}


def read_objective(text: str) -> Objective:
    """Read an objective as it is written.

    >>> read_objective("at-least 45")
    AtLeast(target=45)

    Raises `GameError` for anything else.
    """
    name, _, rest = " ".join(text.split()).partition(" ")
    return _kind(name.rstrip(",")).read(rest)


def aims_of(game: "Game[Any, Any, Any] | type[Game[Any, Any, Any]]") -> tuple[OfferedAim, ...]:
    """List what a game, or a class of games, can be played for, its own aim first.

    >>> from rollwise.games import load
    >>> [aim.name for aim in aims_of(load("slots"))]
    ['own', 'expected', 'at-least', 'total', 'scores', 'self']
    """
    more = [aim for kind in OBJECTIVES.values() if kind.suits(game) for aim in kind.aims()]
    own = looks_of(game).own_aim
    return own, *(aim for aim in more if aim.name != own.name)


def _kind(name: str) -> type[Objective]:
    """Find the objective of a name, among those that packages add if need be."""
    if name not in OBJECTIVES:
        more = installed("rollwise.objectives")
        kind: type[Objective] = load_installed(more[one_of("objective", name, {*OBJECTIVES, *more})], Objective)
        if kind.name != name:
            raise GameError(f"the entry point rollwise.objectives {name!r} gives {kind.__name__}, whose name is {kind.name!r}")
        add_objective(kind)
    return OBJECTIVES[name]


def drop_objective(kind: type[Objective]) -> None:
    """Forget an objective that was added."""
    if kind not in OWN and OBJECTIVES.get(kind.name) is kind:
        del OBJECTIVES[kind.name]


def add_objective(kind: type[Objective]) -> None:
    """Make an objective known by its name. Raises `GameError` if the name is taken or none."""
    name = getattr(kind, "name", "")
    if not isinstance(name, str) or not name or set(name) & set(" ,"):
        raise GameError(f"the objective {kind.__name__} has the name {name!r}: expected a word")
    if OBJECTIVES.get(name, kind) is not kind:
        raise GameError(f"there is an objective {name!r} already: {OBJECTIVES[name].__name__}")
    OBJECTIVES[name] = kind
