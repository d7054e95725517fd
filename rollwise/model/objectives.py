"""The objectives by name, and how their texts are read."""

from rollwise.errors import GameError, one_of
from rollwise.model.against import Against
from rollwise.model.at_least import AtLeast
from rollwise.model.duel import Duel
from rollwise.model.expected import Expected
from rollwise.model.fewest import Fewest
from rollwise.model.objective import Objective

__all__ = ["OBJECTIVES", "Winning", "add_objective", "read_objective"]

Winning = AtLeast | Against

OBJECTIVES: dict[str, type[Objective]] = {kind.name: kind for kind in (Expected, AtLeast, Against, Fewest, Duel)}


def read_objective(text: str) -> Objective:
    """Read an objective as it is written.

    >>> read_objective("at-least 45")
    AtLeast(target=45)

    Raises `GameError` for anything else.
    """
    name, _, rest = " ".join(text.split()).partition(" ")
    return OBJECTIVES[one_of("objective", name.rstrip(","), OBJECTIVES)].read(rest)


def add_objective(kind: type[Objective]) -> None:
    """Make an objective known by its name. Raises `GameError` if the name is taken or none."""
    name = getattr(kind, "name", "")
    if not isinstance(name, str) or not name or set(name) & set(" ,"):
        raise GameError(f"the objective {kind.__name__} has the name {name!r}: expected a word")
    if OBJECTIVES.get(name, kind) is not kind:
        raise GameError(f"there is an objective {name!r} already: {OBJECTIVES[name].__name__}")
    OBJECTIVES[name] = kind
