"""A game as text: a header, then `roll:` and `move:` lines in the game's own notation."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rollwise.errors import GameError, RollwiseError, one_of
from rollwise.model.objective import Objective
from rollwise.model.objectives import read_objective

if TYPE_CHECKING:
    from rollwise.playing.grade import Grade

__all__ = ["Line", "Record", "read_record", "write_record"]


@dataclass(frozen=True)
class Line:
    """A roll or a move of a record, with the number of its line (0: not from a file)."""

    kind: Literal["roll", "move"]
    text: str
    number: int = 0


@dataclass(frozen=True)
class Record:
    """A game as text: which game, its parameters and objective ('' for the game's own), and what was rolled and played.

    `players` names the two of a game for two, who begins first, where that was written down: "me" or a computer's strategy.
    """

    game: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    objective: str = ""
    lines: tuple[Line, ...] = ()
    players: tuple[str, ...] = ()


def read_record(text: str) -> Record:
    r"""Read a recorded game from its text; whether its moves are possible is checked by `grade`.

    >>> record = read_record("game: slots\nparameters: target=40\nroll: all 0 6\nmove: x3")
    >>> record.parameters, record.lines[1].text
    ({'target': '40'}, 'x3')

    Raises `GameError` with the number of the first line that cannot be read.
    """
    header: dict[str, str] = {}
    lines: list[Line] = []
    number = 0
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        line = raw.strip()
        if line and not line.startswith("#"):
            try:
                _read_line(line, number, header, lines)
            except RollwiseError as error:
                raise GameError(f"line {number}: {error}") from None
    if "game" not in header:
        raise GameError(f"line {number + 1}: expected 'game: NAME', but the record ends")
    players = _read_players(header["players"]) if "players" in header else ()
    return Record(
        header["game"], _read_parameters(header.get("parameters", "")), header.get("objective", ""), tuple(lines),
        players=players,
    )  # fmt: skip


def _read_line(line: str, number: int, header: dict[str, str], lines: list[Line]) -> None:
    key, colon, value = (part.strip() for part in line.partition(":"))
    if not colon:
        raise GameError(f"expected 'roll: STATE', 'move: ACTION' or a header such as 'game: NAME', got {line!r}")
    one_of("key", key, ("game", "move", "objective", "parameters", "players", "roll"))
    if key in ("roll", "move"):
        expected = "move" if lines and lines[-1].kind == "roll" else "roll"
        if "game" not in header:
            raise GameError(f"expected 'game: NAME' before the first roll, got {line!r}")
        if key != expected:
            raise GameError(f"expected '{expected}:', got {line!r}")
        if not value:
            raise GameError(f"expected text after '{key}:'")
        lines.append(Line("roll" if key == "roll" else "move", value, number))
        return
    if lines or key in header:
        raise GameError(f"'{key}:' was given {'twice' if key in header else 'after the first roll'}: give it once, at the top")
    _check_header(key, value, own=header.get("game", "").endswith((".py", ".toml")))
    header[key] = value


def _check_header(key: str, value: str, *, own: bool) -> None:
    """Read a line of the header once. A game file, `own`, may bring its objective with it. Raises `GameError`."""
    if key == "game" and not value:
        raise GameError("expected a name after 'game:'")
    if key == "parameters":
        _read_parameters(value)
    if key == "players":
        _read_players(value)
    if key == "objective" and not own:
        read_objective(value)


def _read_players(text: str) -> tuple[str, ...]:
    found = tuple(name.strip() for name in text.split(","))
    if len(found) != 2 or not all(found) or found[0] == found[1]:
        raise GameError(f"players {text!r}: expected two names, who begins first, such as 'me, optimal'")
    return found


def _read_parameters(text: str) -> dict[str, str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise GameError(f"parameters {text!r}: {error}") from None
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals or name in found:
            raise GameError(f"parameter {word!r}: expected NAME=VALUE, each name once, in quotes if there are spaces")
        found[name] = value
    return found


def write_record(
    game: "Grade",
    name: str,
    parameters: Mapping[str, str],
    *,
    comments: Iterable[str] = (),
    players: Sequence[str] = (),
    objective: Objective | str | None = None,
) -> str:
    """Return a game as the text of a record, which `read_record` reads; `objective` is what it was played for, if not its own.

    >>> import rollwise
    >>> from rollwise.games import load
    >>> game = rollwise.start_game(rollwise.solve(load("slots", target=40)))
    >>> print(write_record(game.rolled("all 0 6"), "slots", {"target": "40"}), end="")
    game: slots
    parameters: target=40
    objective: at-least 40
    roll: x3,flip,+4only12,x2even,+4odd,bin 0 6
    """
    pairs = shlex.join(f"{key}={value}" for key, value in parameters.items())
    rows = [*(f"# {comment}" for comment in comments), f"game: {name}"]
    rows += [f"parameters: {pairs}"] if pairs else []
    aim = read_objective(objective) if isinstance(objective, str) else objective
    rows.append(f"objective: {(aim or game.solution.objective).text}")
    rows += [f"players: {', '.join(players)}"] if players else []
    for step in game.steps:
        rows.append(f"roll: {game.game.show_state(step.state)}")
        rows += [f"move: {game.game.show_action(step.action)}"] if step.moved else []
    return "\n".join(rows) + "\n"
