"""Games that users write: a game file (`games/files/`), or a Python file with one `Game` subclass, or a variable `game`.

A Python file may import the modules that lie beside it. It, and each such module, has an `__import__` of its own that looks in
the same folder first and keeps what it finds under a name with the folder in it. So games of two folders may have modules of
one name, and nobody else meets either: `sys.path` stays as it is, and so does what others import. Python's own modules and this
library are never taken from the folder.
"""

import builtins
import sys
from contextlib import redirect_stdout
from difflib import get_close_matches
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from os import PathLike, fspath
from pathlib import Path
from types import ModuleType
from typing import Any

from rollwise.errors import GameError, hint_file, one_of
from rollwise.games.catalogue import CATALOGUE, make
from rollwise.model.faults import blaming, check_signatures, describe_error
from rollwise.model.game import Game, objective_of, require_game
from rollwise.model.objective import Objective
from rollwise.model.objectives import read_objective
from rollwise.model.parameter import Parameter

__all__ = ["GameLike", "find_parameters", "game_files", "game_of", "load", "local_module_files", "problem_of"]

GameLike = Game[Any, Any, Any] | str | PathLike[str]
"""A game, its name in the catalogue, or the path of its file."""

PREFIX = "rollwise_beside_"
"""How the names of modules begin that a game's file has imported from its folder."""


def game_of(thing: GameLike, caller: str) -> Game[Any, Any, Any]:
    """Return a game as it is, and make one from a name or a path. Raises `GameError` for anything else."""
    if isinstance(thing, str | PathLike):
        return load(thing)
    require_game(thing, caller)
    return thing


def problem_of(game: GameLike, objective: Objective | str | None, caller: str) -> tuple[Game[Any, Any, Any], Objective]:
    """Return a game and what it is played for, which may be given as texts; default: the game's own objective.

    >>> str(problem_of("slots", "at-least 50", "solve")[1])
    'at-least 50'

    Raises `GameError` for anything else.
    """
    game = game_of(game, caller)
    with blaming(game):
        return game, objective_of(game, read_objective(objective) if isinstance(objective, str) else objective)


def load(name: str | PathLike[str], /, **parameters: Any) -> Game[Any, Any, Any]:
    """Make a game from its name in the catalogue, or from the path of a game file (.toml) or a Python file.

    >>> load("yazy", boxes="ones,straight").names
    ('ones', 'straight')

    A parameter may be given as text, as on the command line. Raises `GameError` for an unknown name or parameter, a value that
    does not fit, a missing file, or a file that does not define exactly one game.
    """
    name, path = fspath(name), Path(name)
    if path.suffix.lower() == ".toml":
        # What reads game files needs NumPy, which a look at the catalogue need not wait for.
        from rollwise.games.files import read_game_file  # noqa: PLC0415

        return read_game_file(name, parameters)
    if path.suffix != ".py" and "/" not in name:
        entry = CATALOGUE.get(name) or CATALOGUE[one_of("game", name, CATALOGUE)]
        return make(name, entry.make, entry.parameters, parameters)
    module = _open(name)
    ready = _finished(module)
    if ready is not None:
        if parameters:
            raise GameError(f"{name} defines a finished 'game', which takes no parameters: got {', '.join(parameters)}")
    else:
        kind = _only_class(name, module)
        ready = make(name, kind, kind.parameters, parameters)
    check_signatures(ready)
    return ready


def find_parameters(name: str | PathLike[str]) -> tuple[Parameter, ...]:
    """List the parameters of a game that `load` makes.

    >>> [parameter.name for parameter in find_parameters("slots")]
    ['target', 'slots', 'weights']

    Raises `GameError` as that does.
    """
    name, path = fspath(name), Path(name)
    if path.suffix.lower() == ".toml":
        from rollwise.games.files import read_file_parameters  # noqa: PLC0415  (as above)

        return read_file_parameters(name)
    if path.suffix != ".py" and "/" not in name:
        return CATALOGUE[one_of("game", name, CATALOGUE)].parameters
    module = _open(name)
    return () if _finished(module) is not None else tuple(_only_class(name, module).parameters)


def game_files(name: str) -> list[Path]:
    """List the files that a game of a file is written in, as far as they were read; none for one of the catalogue."""
    if not name.endswith((".toml", ".py")):
        return []
    return [Path(name), *(local_module_files(Path(name).parent) if name.endswith(".py") else [])]


def _open(name: str) -> ModuleType:
    path = Path(name)
    if not _is_file(path):
        wanted = "give the path of a .py file, or a name from 'rollwise games'"
        raise GameError(f"there is no game file {name!r}: {wanted}{hint_file(name)}")
    return _import(path)


def _finished(module: ModuleType) -> Game[Any, Any, Any] | None:
    ready = getattr(module, "game", None)
    return ready if isinstance(ready, Game) else None


def _only_class(name: str, module: ModuleType) -> type[Game[Any, Any, Any]]:
    """Give the one class of games that a file defines."""
    found = list(dict.fromkeys(kind for kind in vars(module).values() if _is_own(kind, module)))
    if len(found) != 1:
        names = ", ".join(kind.__name__ for kind in found) or "none"
        raise GameError(f"{name} must define exactly one Game subclass or a variable 'game': found {names}")
    _check_whole(name, found[0])
    only: type[Game[Any, Any, Any]] = found[0]
    return only


def _is_own(kind: object, module: ModuleType) -> bool:
    return isinstance(kind, type) and issubclass(kind, Game) and kind.__module__ == module.__name__


def _check_whole(name: str, kind: type[Game[Any, Any, Any]]) -> None:
    """Refuse a class that leaves out a rule which every game needs."""
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        near = get_close_matches(missing[0], vars(kind), n=1, cutoff=0.7)
        hint = f": is {near[0]}() meant to be that?" if near else ", which every game needs"
        raise GameError(f"{name}: {kind.__name__} does not define {missing[0]}(){hint}")


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
    _forget_local_modules(path.parent)
    _allow_local_imports(module, path.parent)
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        raise GameError(f"{str(path)!r} cannot be loaded: {describe_error(error)}") from error
    return module


# Modules that lie beside a file


def _allow_local_imports(module: ModuleType, folder: Path) -> None:
    """Let a module that was not run yet import what lies in a folder."""

    def importing(name: str, spaces: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        top, dot, rest = name.partition(".")
        found = "" if level else _load_local(folder, top)
        return builtins.__import__(f"{found}{dot}{rest}" if found else name, spaces, local, wanted, level)

    vars(module)["__builtins__"] = {**vars(builtins), "__import__": importing}


def _forget_local_modules(folder: Path) -> None:
    """Have what lies in a folder run again when it is imported next: it may have changed."""
    for name in _loaded(folder):
        del sys.modules[name]


def local_module_files(folder: Path) -> list[Path]:
    """List the files of a folder that games in it have imported."""
    return sorted(Path(file) for name in _loaded(folder) if (file := sys.modules[name].__file__))


def _loaded(folder: Path) -> list[str]:
    start = _prefix(folder)
    return [name for name in sys.modules if name.startswith(start)]


def _prefix(folder: Path) -> str:
    return f"{PREFIX}{sha256(str(folder.resolve()).encode()).hexdigest()[:16]}_"


def _load_local(folder: Path, top: str) -> str:
    """Run a module of a folder, if that was not done yet, and give the name it is kept under; "": there is none."""
    if top == "rollwise" or top in sys.stdlib_module_names:
        return ""
    package = folder / top / "__init__.py"
    file, inside = (package, [str(folder / top)]) if package.is_file() else (folder / f"{top}.py", None)
    name = f"{_prefix(folder)}{top}"
    if name in sys.modules:
        return name
    spec = spec_from_file_location(name, file, submodule_search_locations=inside) if file.is_file() else None
    if spec is None or spec.loader is None:
        return ""
    module = sys.modules[name] = module_from_spec(spec)
    _allow_local_imports(module, folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return name
