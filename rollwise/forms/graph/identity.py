"""What a game is, known without exploring it: a digest of everything that its rules are made of.

    classes      every class of the game and of its objective: the code of its methods and its attributes
    sources      the text of each file that such a class, or a function it keeps, is written in, and of its neighbours: files
                 that it takes something from. For this library, its version and the text of its games and of its model
    memory       what those files' names stand for right now: functions with what they enclose, numbers, texts, tables and so on
    attributes   of the game and of its objective, to any depth

The text says what a fresh process will do, the code what this one did: where a file was changed after it was read, or a class in
memory, the two together are like no fresh process's, so that nothing is ever found under a name it does not deserve. What cannot
be written down (an open file, a generator, a class without a file) leaves the game without an identity, and so do rules that
look elsewhere while they are asked: at a file, the environment, or a module that only they import.
"""

import dis
import re
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np

import rollwise
from rollwise.games.beside import PREFIX
from rollwise.model.canonical import NotCanonical, canonical, named
from rollwise.model.game import Game
from rollwise.model.objective import Objective

__all__ = ["identity"]

OWN = "rollwise"
ROOMS = ("games", "model")
"""The rooms of this library that rules are written in."""
UNTOLD = {
    "__dict__", "__weakref__", "__doc__", "__module__", "__abstractmethods__", "_abc_impl", "__firstlineno__", "__orig_bases__",
    "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__parameters__", "__dataclass_fields__",
    "__dataclass_params__", "__static_attributes__", "__type_params__",
}  # fmt: skip
"""What a class has that follows from its text, or changes nothing."""
SLOTS = {"member_descriptor", "getset_descriptor", "wrapper_descriptor", "method_descriptor", "_tuplegetter"}
"""Attributes of classes that stand for a place in its objects."""
CHANGED = (FunctionType, property, staticmethod, classmethod, int, str)
"""Members of this library's classes that somebody may have put there: what else they have follows from its text."""
BASES = (tuple, list, dict, set, frozenset, str, bytes, int, float)
"""What a class of one's own may be made of."""
LOOKS = {"open", "read_text", "read_bytes", "environ", "environb", "getenv", "loadtxt", "genfromtxt", "fromfile", "memmap"}
"""Names by which a function looks at what no text tells; `open` as a part of something may be anything, such as open boxes."""
MOST_PARTS = 2_000_000
"""Parts of a game that are written down: one of a larger table is known by exploring."""


def identity(game: Game[Any, Any, Any], objective: Objective) -> str | None:
    """Digest what a game and its objective are; None where that cannot be written down.

    >>> from rollwise import Expected
    >>> from rollwise.games import load
    >>> one, same, other = (identity(load("slots", target=t), Expected()) for t in (45, 45, 46))
    >>> one == same != other
    True
    """
    writer = _Writer(_tops(type(game)) | _tops(type(objective)))
    try:
        writer.value(game)
        writer.value(objective)
        writer.put(objective.key)
        writer.finish()
    except (NotCanonical, RecursionError, OSError, UnicodeError):
        return None
    return writer.digest.hexdigest()[:24]


class _Writer:
    """Writes values into a digest; the classes and files that they come from follow at the end."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        self.digest = sha256(f"{rollwise.__version__} {sys.implementation.cache_tag}".encode())
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []
        self.classes: dict[type, None] = {}
        self.modules: dict[str, None] = {}
        self.rules: list[CodeType] = []
        self.beside: dict[str, list[CodeType]] = {}
        self.name = ""
        self.parts = 0
        self.stray = False

    def put(self, *texts: str) -> None:
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise NotCanonical("it has too many parts")
        self.digest.update("\0".join([*texts, "\n"]).encode("utf-8", "surrogatepass"))

    def value(self, value: Any) -> None:
        """Write any value; one that was written before by its number, so that circles end."""
        try:
            if type(value) in (int, str, bool, float, bytes, type(None)):
                self.put(type(value).__name__, repr(value) if type(value) is float else canonical(value))
                return
            if type(value) is tuple:  # which may be one object or two, as Python likes
                self._list("tuple", value)
            elif id(value) in self.seen:
                self.put("again", str(self.seen[id(value)]))
            else:
                self.seen[id(value)] = len(self.seen)
                self.alive.append(value)
                self._compound(value)
        except NotCanonical:
            raise
        except Exception as error:
            raise NotCanonical(f"{type(error).__name__}: {error}") from None

    def _compound(self, value: Any) -> None:
        parts = _contained(value) or _wrapped(value)
        if parts is not None:
            self._list(*parts)
        elif isinstance(value, np.ndarray | np.generic):
            self._array(np.asarray(value))
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, FunctionType):
            self._function(value)
        elif isinstance(value, ModuleType):
            self.put("module", value.__name__)
            self.modules[value.__name__] = None
        else:
            self._object(value)

    def _list(self, what: str, values: Any) -> None:
        self.put(what, str(len(values)))
        for value in values:
            self.value(value)

    def _array(self, array: Any) -> None:
        if array.dtype.hasobject:
            raise NotCanonical("an array of objects")
        self.put("array", array.dtype.str, str(array.shape))
        self.digest.update(np.ascontiguousarray(array).tobytes())

    def _class(self, kind: type) -> None:
        self.put("class", named(kind))
        self.classes[kind] = None

    def _function(self, function: FunctionType) -> None:
        self.put("function", named(function))
        self._code(function.__code__)
        if not _is_own(function.__module__) and not self._is_foreign(function.__module__):
            (self.beside.setdefault(self.name, []) if self.name else self.rules).append(function.__code__)
        if not function.__module__.startswith("namedtuple_"):
            self.modules[function.__module__] = None
            self._home(function)
        closed = [cell.cell_contents for cell in function.__closure__ or ()]
        self._list("with", [function.__defaults__, function.__kwdefaults__, *closed])
        if vars(function):
            self.value(dict(vars(function)))

    def _home(self, function: FunctionType) -> None:
        """Note the file whose names a function knows, which is a decorator's for one that was decorated."""
        name = str(function.__globals__.get("__name__"))
        if not _is_own(name) and not self._is_foreign(name):
            if getattr(sys.modules.get(name), "__dict__", None) is not function.__globals__:
                self.stray |= name.startswith(PREFIX)
                raise NotCanonical(f"{name} is another file by now")
            self.modules[name] = None

    def _code(self, code: CodeType) -> None:
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        self.put(
            "code",
            code.co_code.hex(),
            getattr(code, "co_exceptiontable", b"").hex(),
            *map(str, names),
            str((code.co_argcount, code.co_kwonlyargcount, code.co_flags)),
        )
        for constant in code.co_consts:
            self._code(constant) if isinstance(constant, CodeType) else self.value(constant)

    def _object(self, value: Any) -> None:
        """Write what has attributes: its class and these, but for what follows from the others."""
        kind = type(value)
        if self.name and _is_own(kind.__module__) and kind.__module__.split(".")[1] not in ROOMS:
            raise NotCanonical("what was worked out, such as a solution, is no rule")
        if self._is_foreign(kind.__module__):
            self.put("value", canonical(value))
            self.classes[kind] = None
            return
        self._class(kind)
        base: Any = next((one for one in BASES if isinstance(value, one)), None)
        if base is not None:
            self.value(base(value))
        own: Any = kind.__getstate__
        if own is not object.__getstate__:
            self.value(value.__getstate__())
            return
        names = [field.name for field in fields(value)] if is_dataclass(value) else []
        known = {name: getattr(value, name) for name in (*names, *_slots(kind)) if hasattr(value, name)}
        known |= {name: part for name, part in getattr(value, "__dict__", {}).items() if not _follows(kind, name)}
        self._list("attributes", sorted(known))
        for name in sorted(known):
            self.value(known[name])

    def _is_foreign(self, name: str) -> bool:
        return name.partition(".")[0] not in self.own and _is_foreign(name)

    # Where things come from

    def finish(self) -> None:
        """Write the classes and files that were met; these may bring more."""
        done: set[str] = set()
        ready: set[type] = set()
        while True:
            kinds = [kind for kind in self.classes if kind not in ready]
            names = [name for name in self.modules if name not in done]
            if not kinds and not names:
                self._check_looks()
                if self.stray:
                    raise NotCanonical("a module beside the game was read again since")
                return
            for kind in kinds:
                ready.add(kind)
                self._members(kind)
            for name in names:
                done.add(name)
                self._module(name)

    def _check_looks(self) -> None:
        """Refuse rules that look elsewhere, themselves or by a function of their files that they name."""
        todo, named_before = [*self.rules], set[str]()
        while todo:
            code = todo.pop()
            if any(name in LOOKS or not self._is_told(name) for name in _looks(code)):
                raise NotCanonical(f"{code.co_name} looks elsewhere")
            todo += [part for part in code.co_consts if isinstance(part, CodeType)]
            for name in {*code.co_names} - named_before:
                named_before.add(name)
                todo += self.beside.get(name, [])

    def _is_told(self, module: str) -> bool:
        """Say whether a module that is imported late is known without it."""
        return _is_own(module) or module in self.modules or self._is_foreign(module)

    def _members(self, kind: type) -> None:
        """Write the code and the attributes of a class and of those it comes from."""
        self.put("made of", *map(named, kind.__mro__))
        for one in kind.__mro__:
            self.modules[one.__module__] = None
            if self._is_foreign(one.__module__):
                continue
            self.put("members of", named(one))
            for name, member in sorted(vars(one).items()):
                if name not in UNTOLD and (isinstance(member, CHANGED) or not _is_own(one.__module__)):
                    self.put(name)
                    self.value(member)

    def _module(self, name: str) -> None:
        """Write the text of a file, and what its names stand for."""
        if self._is_foreign(name):
            top = sys.modules.get(name.partition(".")[0])
            self.put("library", name.partition(".")[0], str(getattr(top, "__version__", "")))
            return
        if _is_own(name):
            self.put("own", library_source())
            return
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if module is None or file is None:
            raise NotCanonical(f"{name} has no file")
        self.put("file", name, Path(file).read_text(encoding="utf-8", errors="surrogateescape"))
        for known, value in sorted(vars(module).items()):
            if not known.startswith("__"):
                self._global(known, value)

    def _global(self, name: str, value: Any) -> None:
        """Write what a name of a file stands for, as far as that can change in memory: the rest follows from the text."""
        source = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        if isinstance(source, str) and source in sys.modules:
            self.modules[source] = None
        self.put(name, str(source))
        self._plain(name, value)
        if isinstance(value, type) and not self._is_foreign(value.__module__):
            for known, member in sorted(vars(value).items()):
                if known not in UNTOLD:
                    self.put(known)
                    self._plain(known, member)

    def _plain(self, name: str, value: Any) -> None:
        """Write a function, numbers, texts, tables and what is made of them, as far as that can be done."""
        if isinstance(value, FunctionType) and (_is_own(value.__module__) or self._is_foreign(value.__module__)):
            self._code(value.__code__)
            return
        try:
            self.put(canonical(_frozen(value)))
        except NotCanonical:
            if isinstance(value, ModuleType | type):
                return
            self.name = name
            with suppress(NotCanonical):
                self.value(value)
            self.name = ""


Parts = tuple[str, list[Any]]


def _contained(value: Any) -> Parts | None:
    """The parts of a container of Python's own; None for anything else."""
    kind = type(value)
    if kind in (list, deque):
        return kind.__name__, [*value]
    if kind is re.Pattern:
        return "pattern", [value.pattern, value.flags]
    if kind in (set, frozenset):
        return "set", sorted(value, key=canonical)
    if kind in (dict, MappingProxyType, Counter, OrderedDict):
        return "dict", [*value, *value.values()]
    if kind is defaultdict:
        return "defaultdict", [value.default_factory, *value, *value.values()]
    return None


def _wrapped(value: Any) -> Parts | None:
    """The parts of what wraps a function or stands for one; None for anything else."""
    kind = type(value)
    if isinstance(value, MethodType):
        return "method", [value.__func__, value.__self__]
    if isinstance(value, partial):
        return "partial", [value.func, value.args, value.keywords]
    if isinstance(value, property | staticmethod | classmethod | cached_property):
        return kind.__name__, [getattr(value, part, None) for part in ("fget", "fset", "fdel", "__func__", "func")]
    if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, ModuleType | type | None):
        return "builtin", [str(value.__module__), value.__qualname__, getattr(value.__self__, "__name__", "")]
    if hasattr(value, "__wrapped__") and hasattr(value, "cache_info"):
        return "cached", [value.__wrapped__]
    return (kind.__name__, []) if kind.__name__ in SLOTS else None


def _is_own(name: str) -> bool:
    """Say whether a module is this library's, whose text is known as a whole."""
    return name.partition(".")[0] == OWN


def _tops(kind: type) -> set[str]:
    """Name the packages that a class is written in, but for Python's own."""
    return {one.__module__.partition(".")[0] for one in kind.__mro__} - sys.stdlib_module_names


def _frozen(value: Any) -> Any:
    """Make lists, dictionaries and sets of plain things comparable."""
    if type(value) in (list, tuple):
        return tuple(map(_frozen, value))
    if type(value) in (dict, MappingProxyType):
        return tuple((_frozen(key), _frozen(part)) for key, part in value.items())
    return frozenset(value) if type(value) is set else value


def _slots(kind: type) -> Iterator[str]:
    for one in kind.__mro__:
        slots = vars(one).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            private = name.startswith("__") and not name.endswith("__")
            yield f"_{one.__name__.lstrip('_')}{name}" if private else name


def _looks(code: CodeType) -> Iterator[str]:
    """Name what a function looks at by itself, and the modules that it imports."""
    if not LOOKS & {*code.co_names} and dis.opmap["IMPORT_NAME"] not in code.co_code[::2]:
        return
    found = [(step.opname, str(step.argval)) for step in dis.get_instructions(code)]
    paths = ("LOAD_GLOBAL", "Path") in found
    for step, name in found:
        if step == "IMPORT_NAME" or (name in LOOKS and (name != "open" or paths or step in ("LOAD_GLOBAL", "LOAD_NAME"))):
            yield name


def _follows(kind: type, name: str) -> bool:
    """Say whether an attribute is one that was worked out from the others, when it was first asked for."""
    return isinstance(getattr(kind, name, None), cached_property) and not any(_sets(one, name) for one in kind.__mro__)


def _sets(kind: type, name: str) -> bool:
    """Say whether a method of a class puts an attribute there itself."""
    codes = [member.__code__ for member in vars(kind).values() if isinstance(member, FunctionType)]
    return any(
        step.opname == "STORE_ATTR" and step.argval == name
        for code in codes
        if name in code.co_names
        for step in dis.get_instructions(code)
    )


@cache
def _is_foreign(name: str) -> bool:
    """Say whether a module belongs to Python or to an installed package, which are known by their versions."""
    top = name.partition(".")[0]
    if _is_own(name):
        return False
    if top in sys.stdlib_module_names and top != "__main__":
        return True
    file = getattr(sys.modules.get(top), "__file__", None)
    return file is not None and bool({"site-packages", "dist-packages"} & {*Path(file).parts})


@cache
def library_source() -> str:
    """Digest the text of this library's games and model."""
    digest = sha256()
    for room in ROOMS:
        for file in sorted((Path(rollwise.__file__).parent / room).rglob("*.py")):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()
