"""Opponents: from files, or one who plays the same game for points.

From files: a leaderboard, a table of scores and weights, or what `rollwise distribution --json` prints.

lines    one score a line, or a score and its weight, with a space or a comma between; `#` begins a comment
JSON     a list of scores, or of [score, weight]; an object from score to weight; or one with `lowest` and `chance`, and
         `values` where scores lie far apart
"""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from rollwise.errors import GameError, hint_file
from rollwise.model.against import Against, is_written, read_details
from rollwise.model.game import Game, Progress
from rollwise.model.objective import Expected, Objective
from rollwise.model.objectives import read_objective, split_objective
from rollwise.model.risk import Utility, is_worths
from rollwise.playing.distribution import distribution
from rollwise.solvers.base.solution import Solution
from rollwise.solvers.solve import solve

__all__ = ["parse_opponent", "read_opponent", "read_utility", "read_with_files", "resolve"]


def resolve(
    objective: Objective,
    game: Game[Any, Any, Any],
    *,
    expert: Callable[[], Solution] | None = None,
    progress: Progress | None = None,
) -> Objective:
    """Give an objective with all that depends on the game: of "against self", the total of one who plays it for points.

    `expert` gives the game solved for the expected total, where that is at hand.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> str(resolve(rollwise.read_objective("against self"), load("yazy", boxes="ones")))
    'against 6 scores from 0 to 5'

    Raises `GameError` for a game that counts costs.
    """
    if objective.is_resolved:
        return objective
    objective.restate(game)
    return objective.resolved(lambda: distribution(expert() if expert else solve(game, Expected()), progress=progress))


def read_with_files(text: str) -> Objective:
    """Read an objective as `rollwise.read_objective` does; after "against" and "utility" the name of a file may stand,
    too.

    Only the command line reads files so. Raises `GameError`.
    """
    name, rest = split_objective(text)
    if name == Utility.name and not is_worths(rest):
        return read_utility(rest)
    who, count, ties = read_details(rest) if name == Against.name else ("", 1, 0)
    return read_opponent(who, ties).best_of(count) if who and not is_written(who) else read_objective(text)


def read_opponent(path: str | PathLike[str], ties: float | Fraction = 0.5) -> Against:
    """Read an opponent from a file. Raises `GameError`, with the line, for anything that is not one."""
    text = _read_text(path, "opponent", "a file of scores, a total, scores and weights such as 180:2,200:5, or self")
    try:
        return parse_opponent(text, ties)
    except GameError as error:
        raise GameError(f"{path}: {error}") from None


def read_utility(path: str | PathLike[str]) -> Utility:
    """Read a utility from a file: a total and its worth in each line. Raises `GameError`, with the line, for anything else."""
    text = _read_text(path, "utility", "a file of totals and worths, both in a list such as 0:0,10:1.5, or exp:0.02")
    pairs = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if not words or (number == 1 and not any(_is_number(word) for word in words)):
            continue
        try:
            total, worth = words
            pairs.append((int(total), Fraction(worth)))
        except (ValueError, ZeroDivisionError):
            raise GameError(f"{path}: line {number}: expected a total and its worth, got {raw.strip()!r}") from None
    return Utility(tuple(pairs))


def _read_text(path: str | PathLike[str], what: str, wanted: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        hint = hint_file(str(path))
        raise GameError(f"cannot read the {what} {str(path)!r}: {error.strerror or error}{hint}; expected {wanted}") from None
    except UnicodeDecodeError:
        raise GameError(f"{str(path)!r} is not a text file in UTF-8: expected {wanted}") from None


def parse_opponent(text: str, ties: float | Fraction = 0.5) -> Against:
    r"""Read an opponent from text.

    >>> parse_opponent("score,games\n210,3\n180,1\n").distribution
    ((180, 1), (210, 3))
    >>> parse_opponent("[180, 210, 210]") == parse_opponent("180\n210\n210") == parse_opponent('{"180": 1, "210": 2}')
    True
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return Against(_json_pairs(json.loads(text)), ties)
        except (ValueError, RecursionError) as error:
            raise GameError(str(error) if isinstance(error, GameError) else f"the JSON cannot be read: {error}") from None
    return Against(_line_pairs(text), ties)


def _json_pairs(data: Any) -> list[tuple[Any, Any]]:
    if isinstance(data, dict) and {"lowest", "chance"} <= data.keys():
        if (
            data.get("what", data.get("of", "points")) != "points"
            or not isinstance(data["chance"], list)
            or not isinstance(data["lowest"], int)
        ):
            raise GameError("expected a distribution of points: 'lowest' and a list 'chance'")
        return list(zip(_scores(data), data["chance"], strict=True))
    if isinstance(data, dict):
        return [(_whole(score), weight) for score, weight in data.items()]
    if not isinstance(data, list):
        raise GameError(f"expected a list or an object of scores, got {data!r}")
    if any(isinstance(entry, bool) for entry in data):
        raise GameError("expected a list of scores, got true or false in it")
    return [tuple(entry) if isinstance(entry, list) and len(entry) == 2 else (entry, 1) for entry in data]


def _scores(data: dict[str, Any]) -> Sequence[Any]:
    """The scores of a distribution: those it lists, or consecutive ones."""
    length, listed = len(data["chance"]), data.get("values")
    if listed is None:
        return range(data["lowest"], data["lowest"] + length)
    if not isinstance(listed, list) or len(listed) != length:
        raise GameError("expected a distribution of points: as many 'values' as there are in 'chance'")
    return listed


def _line_pairs(text: str) -> list[tuple[int, float]]:
    pairs = []
    for number, raw in enumerate(text.splitlines(), 1):
        words = raw.partition("#")[0].replace(",", " ").replace(";", " ").split()
        if not words or (number == 1 and not any(_is_number(word) for word in words)):
            continue
        if len(words) > 2 or not all(map(_is_number, words)):
            raise GameError(f"line {number}: expected a score, or a score and its weight, got {raw.strip()!r}")
        pairs.append((_whole(words[0]), _weight(words[1]) if len(words) == 2 else 1))
    return pairs


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise GameError(f"the opponent's score {word!r}: expected a whole number of points") from None


def _weight(word: str) -> float:
    """A weight; whole ones stay whole."""
    try:
        return int(word)
    except ValueError:
        return float(word)
