"""Let a game's file import the modules that lie beside it.

The file, and each such module, has an `__import__` of its own that looks in their folder first and keeps what it finds under a
name with the folder in it. So games of two folders may have modules of one name, and nobody else meets either: `sys.path` stays
as it is, and so does what others import. Python's own modules and this library are never taken from the folder.
"""

import builtins
import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["allow_local_imports", "forget_local_modules", "local_module_files"]

PREFIX = "rollwise_beside_"


def allow_local_imports(module: ModuleType, folder: Path) -> None:
    """Let a module that was not run yet import what lies in a folder."""

    def importing(name: str, spaces: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        top, dot, rest = name.partition(".")
        found = "" if level else _load(folder, top)
        return builtins.__import__(f"{found}{dot}{rest}" if found else name, spaces, local, wanted, level)

    vars(module)["__builtins__"] = {**vars(builtins), "__import__": importing}


def forget_local_modules(folder: Path) -> None:
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


def _load(folder: Path, top: str) -> str:
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
    allow_local_imports(module, folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return name
