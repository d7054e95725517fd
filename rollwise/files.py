"""Games that users write: a Python file with one `Game` subclass, or a variable `game`."""

import sys
from contextlib import redirect_stdout
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from rollwise.errors import GameError, RollwiseError
from rollwise.game import Game
from rollwise.games import load, make

__all__ = ["find_game"]


def find_game(name: str, parameters: dict[str, Any]) -> Game[Any, Any, Any]:
    """Make a game from a catalogue name or the path of a Python file.

    >>> type(find_game("slots", {"target": "40"})).__name__
    'Slots'

    Raises `GameError` for an unknown name, a missing file, or a file that does not define exactly one game.
    """
    path = Path(name)
    if path.suffix != ".py" and "/" not in name:
        return load(name, **parameters)
    if not _is_file(path):
        raise GameError(f"there is no game file {name!r}: give the path of a .py file, or a name from 'rollwise games'")
    module = _import(path)
    ready = getattr(module, "game", None)
    if isinstance(ready, Game):
        if parameters:
            raise GameError(f"{name} defines a finished 'game', which takes no parameters: got {', '.join(parameters)}")
        return ready
    found = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__
    ]
    if len(found) != 1:
        names = ", ".join(kind.__name__ for kind in found) or "none"
        raise GameError(f"{name} must define exactly one Game subclass or a variable 'game': found {names}")
    return make(name, found[0], found[0].parameters, parameters)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _import(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"rollwise_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise GameError(f"{str(path)!r} is not a Python file: give the path of a .py file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except RollwiseError:
        raise
    except (Exception, SystemExit) as error:
        raise GameError(f"{str(path)!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return module
