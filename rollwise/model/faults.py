"""Whose fault an exception is: the rule that failed, with the file and the line, for messages of one line.

A traceback leads from this library into a rule and on. The rule is the first frame outside the library; the line is that of the
deepest frame in the user's own code, so that what a rule calls in Python's own modules is blamed on the line that called it.
A rule that did not fail, but gave something wrong, is named by the line where it begins.

A name that is almost that of a rule is a fault, too: a game that defines `payof` pays nothing, and its value is certified.
"""

import os
import re
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cached_property
from inspect import isclass, isfunction, signature, unwrap
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any
from warnings import warn

from rollwise.errors import GameError, GameWarning, RollwiseError, brief
from rollwise.model.abilities import Ability, overridden, rules_of
from rollwise.model.features import Features
from rollwise.model.game import PUBLIC, Game
from rollwise.model.notation import Notation, own_classes
from rollwise.model.view import View

__all__ = [
    "blame",
    "blaming",
    "check_signatures",
    "describe_error",
    "failed_rule",
    "frames_to",
    "misspelt",
    "rule_call",
    "rule_frame",
    "warn_of_misspelt",
    "with_line",
]  # fmt: skip

HERE = str(Path(__file__).parent.parent) + os.sep
LIBRARIES = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib"))
LONGEST = 300
ALIKE = 0.85
"""How much of a name must be that of a rule to be taken for it."""
LINE = re.compile(r", line \d+")
CALL = re.compile(r"\b(\w+)\(\)")
"""A rule, as messages name it."""
PARTS = (Notation, View, Features)
ARGUMENTS = {
    name: tuple(name for name, argument in signature(method).parameters.items() if argument.default is argument.empty)[1:]
    for kind in (Game, *Ability.__subclasses__())
    for name, method in vars(kind).items()
    if isfunction(method) and not name.startswith("_")
}
"""The methods that a game has or may have, and what each is called with at least."""
RULES = {*PUBLIC, *ARGUMENTS}
NAMES = {*RULES, *(name for part in PARTS for name in vars(part) if not name.startswith("_"))}
"""What messages may name: rules, and methods of the parts of a game."""


def describe_error(error: BaseException) -> str:
    """Say what went wrong in one line, with the file and the line where that was the user's code.

    >>> describe_error(KeyError(7))
    'KeyError: 7'
    """
    text = _message(error)
    if not isinstance(error, RollwiseError):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    place = _place(error)
    return f"{text} ({place})" if place else text


def blame(error: BaseException, game: Game[Any, Any, Any] | None = None, where: str = "", rule: str = "") -> str:
    """Say which rule failed, where, why, and in which line; `where` is the position, in words.

    `rule` is the one that is meant where the error names none.
    """
    failed = failed_rule(error, game)
    name = "" if failed is None else failed if failed == "objective" else f"{failed}()"
    if not name or isinstance(error, RollwiseError):
        text = f"at {where}: {describe_error(error)}" if where else describe_error(error)
        return text if game is None else with_line(text, game, rule)
    return f"{name} failed{f' at {where}' if where else ''}: {describe_error(error)}"


def with_line(text: str, game: Game[Any, Any, Any], rule: str = "") -> str:
    """Add to a message the line where the rule begins that it names, or else `rule`, if that is a user's and no line is named."""
    if not text or LINE.search(text):
        return text
    named = next((name for name in CALL.findall(text) if name in NAMES), rule)
    code = _code(game, named) if named else None
    ours = code is None or code.co_filename.startswith(("<", HERE))
    return text if code is None or ours else f"{text} ({_line(code.co_filename, code.co_firstlineno)})"


@contextmanager
def blaming(game: Game[Any, Any, Any]) -> Iterator[None]:
    """Turn what a rule of the game raises into a `GameError` that names the rule; let anything else pass.

    An error of this library that names a rule gets the line where that begins.
    """
    try:
        yield
    except RollwiseError as error:
        if error.args == (str(error),):
            error.args = (with_line(str(error), game),)
        raise
    except (Exception, SystemExit) as error:
        if failed_rule(error, game) is None:
            raise
        raise GameError(blame(error, game)) from error


def failed_rule(error: BaseException, game: Game[Any, Any, Any] | None = None) -> str | None:
    """Name the first rule of a user's game on the way to an exception; None if there is none."""
    for frame, _ in _users_frames(error):
        rule = _rule(frame, game)
        if rule is not None:
            return rule
    return None


def rule_frame(frames: Iterable[FrameType]) -> FrameType | None:
    """Give the first call of a user's rule among frames, the outermost first; None if there is none."""
    return next((frame for frame in frames if _is_users(frame) and _rule(frame, None) is not None), None)


def rule_call(frame: FrameType) -> str:
    """Name the rule that a frame runs, and what it was asked about."""
    rule, names = _rule(frame, None) or "", frame.f_code.co_varnames
    asked = [brief(frame.f_locals.get(name)) for name in names[1 : 1 + len(ARGUMENTS.get(rule, ()))]]
    where = f" at {', '.join(asked)}" if asked else ""
    return f"{type(_first_argument(frame)).__name__}.{rule}(){where} ({_line(frame.f_code.co_filename, frame.f_lineno)})"


def frames_to(frame: FrameType | None) -> list[FrameType]:
    """List the frames that lead to one, the outermost first."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found[::-1]


def check_signatures(game: Game[Any, Any, Any]) -> None:
    """Refuse methods, and what else has the name of one, that cannot be called as they will be. Raises `GameError`."""
    for name, kind in (("notation", Notation), ("view", View)):
        named: object = getattr(type(game), name)
        if not isclass(named) or not issubclass(named, kind):
            raise GameError(f"{name} of {type(game).__name__} is {brief(named)}: expected a class derived from {kind.__name__}")
    for rule, arguments in ARGUMENTS.items():
        given = any(rule in vars(kind) for kind in own_classes(game)) or rule in getattr(game, "__dict__", ())
        if given and hasattr(Game, rule):
            _check_signature(game, rule, arguments)


def _check_signature(game: Game[Any, Any, Any], rule: str, arguments: tuple[str, ...]) -> None:
    with blaming(game):
        called = getattr(game, rule)
    wanted = f"{rule}({', '.join(('self', *arguments))})"
    if not callable(called) or isclass(called):
        raise GameError(f"{rule} of {type(game).__name__} is {brief(called)}: expected a method {wanted}, or another name")
    code = getattr(unwrap(called), "__code__", None)
    try:
        signature(called).bind(*arguments)
    except (TypeError, ValueError) as error:
        # What is not written in Python has no signature to look at.
        if code is not None:
            place = _line(code.co_filename, code.co_firstlineno)
            raise GameError(f"{rule}() of {type(game).__name__} does not fit: {error}; expected {wanted} ({place})") from None


def _rule(frame: FrameType, game: Game[Any, Any, Any] | None) -> str | None:
    first = _first_argument(frame)
    name = frame.f_code.co_name
    if name in (RULES if isinstance(first, Game) else NAMES if isinstance(first, PARTS) else ()):
        return name
    owner = first if isinstance(first, Game) else game
    return next((rule for rule in NAMES if owner is not None and _code(owner, rule) is frame.f_code), None)


def _first_argument(frame: FrameType) -> Any:
    names = frame.f_code.co_varnames
    return frame.f_locals.get(names[0]) if names else None


def _code(game: Game[Any, Any, Any], rule: str) -> CodeType | None:
    """The code of a rule as it was written, whatever wraps it."""
    owners = (type(game), type(game).notation, type(game).view)
    written = next((getattr(owner, rule) for owner in owners if hasattr(owner, rule)), None)
    found = getattr(game, "__dict__", {}).get(rule, written)
    found = found.fget if isinstance(found, property) else found
    code = getattr(unwrap(found) if callable(found) else None, "__code__", None)
    return code if isinstance(code, CodeType) else None


def _users_frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    return ((frame, line) for frame, line in walk_tb(error.__traceback__) if _is_users(frame))


def _is_users(frame: FrameType) -> bool:
    """Say whether code is neither this library's, nor Python's, nor what someone else installed; rules always count."""
    file = frame.f_code.co_filename
    if file == "<string>" or file.startswith(("<frozen ", HERE)):
        return False
    return not file.startswith(LIBRARIES) or isinstance(_first_argument(frame), (Game, *PARTS))


def _place(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return _line(error.filename, error.lineno)
    places = [(frame.f_code, line) for frame, line in _users_frames(error)]
    if not places:
        return ""
    code, line = places[-1]
    # A rule is named already; what it calls is not.
    helper = "" if code.co_name in NAMES or code.co_name.startswith("<") else f", in {code.co_name}"
    return f"{_line(code.co_filename, line)}{helper}"


def _line(file: str, line: int) -> str:
    return f"{Path(file).name}, line {line}"


def _message(error: BaseException) -> str:
    try:
        text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    except Exception:
        return "its text cannot be shown"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"


# Names that are almost those of rules


def misspelt(game: Game[Any, Any, Any], rules: Sequence[str] = PUBLIC) -> Iterator[str]:
    """Find public names that are almost those of rules which neither the game nor its family states, and say so in a line each.

    What this library's own classes have, and what is marked as a rule of a game in columns, is asked for.
    """
    own = {name: kind for kind in own_classes(game) for name in vars(kind)}
    asked = {name for kind in type(game).__mro__ if kind not in own_classes(game) for name in vars(kind)}
    stated = overridden(game, Game, rules)
    methods = {rule: _is_method(vars(Game)[rule]) for rule in rules if rule in vars(Game) and rule not in stated}
    for name, kind in own.items():
        found = vars(kind)[name]
        if name.startswith("_") or name in asked or hasattr(found, "_rule_mark"):
            continue
        known = {rule.replace("_", ""): rule for rule, method in methods.items() if _is_method(found) or not method}
        for near in get_close_matches(name.lower().replace("_", ""), known, n=1, cutoff=ALIKE):
            yield f"{kind.__name__} defines {name}, which no solver uses: did you mean {known[near]}?"


def warn_of_misspelt(game: Game[Any, Any, Any]) -> None:
    """Warn of every name that is almost that of a rule that changes values, at the line that called the caller."""
    if isinstance(game, Game):
        for line in misspelt(game, (*rules_of(type(game)), "objective")):
            warn(line, GameWarning, stacklevel=3)


def _is_method(thing: object) -> bool:
    return isinstance(thing, property | cached_property | classmethod) or (callable(thing) and not isinstance(thing, type))
