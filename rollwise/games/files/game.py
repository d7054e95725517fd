"""A game that is written in a text file."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from rollwise.errors import GameError, brief, hint_file, one_of
from rollwise.games.catalogue import make
from rollwise.games.columns import Chance, Choice, ColumnGame, Mover
from rollwise.games.columns.game import ColumnView
from rollwise.games.files.language import read_game_text
from rollwise.games.files.rules import FileRules
from rollwise.games.files.source import MOST_BYTES
from rollwise.games.files.tables import RowBudget
from rollwise.model.abilities import Sized
from rollwise.model.game import Game
from rollwise.model.message import Message
from rollwise.model.objective import Objective
from rollwise.model.parameter import Parameter
from rollwise.model.view import Rules

__all__ = ["FileGame", "example_files", "read_file_parameters", "read_game", "read_game_file", "write_first"]


class FileView(ColumnView):
    """The board and the words of the game."""

    game: "FileGame"

    def __init__(self, game: "FileGame") -> None:
        super().__init__(game)
        if not game.has_total:
            self.other_aims = ()  # type: ignore[misc]
        if any(column.shown == "tiles" for column in game._written.text.columns.values()):
            self.look = "tiles"  # type: ignore[misc]

    @property
    def title(self) -> str:
        return self.game._written.text.name or self.game._name

    @property
    def about(self) -> str:
        return self.game._written.text.about

    def rules(self) -> Rules:
        """What the file says about the game, its parameters, and where the rules come from."""
        text = self.game._written.text
        settings = [f"{parameter.help or parameter.name}: {self.game._values[parameter.name]}" for parameter in text.parameters]
        here = [Message("rules.file.here", {"settings": "; ".join(settings)})] if settings else []
        names = [action.name for action in text.actions]
        moves = Message("rules.file.moves", {"moves": names}) if names else Message("rules.file.chance")
        source = [Message("rules.file.source", {"source": text.item["source"].value})] if "source" in text.item.value else []
        return Rules((*([text.about] if text.about else []), *here, moves, *source))


class FileGame(ColumnGame, Sized):
    """A game from the text of a game file, with values for its parameters; others have their defaults.

    >>> import rollwise
    >>> game = FileGame('''
    ... format = 1
    ... [columns]
    ... face = "0..6"
    ... left = { range = "0..2", start = 2 }
    ... [roll]
    ... dice = 1
    ... unless = "left == 0"
    ... to = { face = "die", left = "left - 1" }
    ... [[action]]
    ... name = "keep"
    ... when = "left == 1"
    ... to = { left = 0 }
    ... [[action]]
    ... name = "again"
    ... when = "left == 1"
    ... to = { face = 0 }
    ... [end]
    ... pays = "face"
    ... ''')
    >>> rollwise.solve(game, exact=True).value()
    Fraction(17, 4)

    Two are the same game if their texts and their parameters are. `rows` bounds its tables and expressions. Raises `GameError`
    that names the line and the column.
    """

    view = FileView

    def __init__(
        self, text: str, values: Mapping[str, int] | None = None, *, name: str = "game file", rows: RowBudget | None = None
    ) -> None:
        written = read_game_text(name, _bytes(text))
        self.text, self._name = text, name
        self._values = _values(name, written.parameters, values or {})
        self._written = FileRules(written, self._values, rows or RowBudget())
        self.parameters = written.parameters  # type: ignore[misc]
        self.gains = any(action.gain is not None for action in written.actions)
        self.begin = {name: column.start for name, column in self._written.columns.items()}
        self.labels = self._written.setting.labels()
        self.declare(**{name: column.column for name, column in self._written.columns.items()})

    @property
    def has_total(self) -> bool:
        """Say whether one player has a total of points: there are not two players, and costs are not what counts."""
        two = any(isinstance(column.column, Mover) for column in self._written.columns.values())
        return not two and self.objective.counts == "points"

    def dimensions(self) -> Mapping[str, int]:
        rows = self._written.setting.rows
        return {"rows in its tables": rows.taken, "bytes of its rules": rows.nbytes}

    def __getstate__(self) -> dict[str, Any]:
        """Give what the game is: kept solutions are told apart by this."""
        return {"text": self.text, "values": self._values}

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.text, self._values, self._name)

    @property
    def objective(self) -> Objective:
        return self._written.objective

    def chance_rule(self) -> Chance:
        return self._written.chance

    def choice_rules(self) -> Sequence[Choice]:
        return self._written.choices

    def final(self, s: Any) -> Any:
        return 0 if self._written.pays is None else self._written.pays(s)

    def price(self, p: Any) -> Any:
        return None if self._written.cost is None else self._written.cost(p)


def _again(kind: type[FileGame], text: str, values: Mapping[str, int], name: str) -> FileGame:
    return kind(text, values, name=name)


def _values(game: str, parameters: Sequence[Parameter], given: Mapping[str, int]) -> dict[str, int]:
    """Give every parameter its value; one outside its bounds is told before anything is made of it. Raises `GameError`."""
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in given.items():
        parameter = known[one_of(f"parameter of {game}", name, known)]
        if type(value) is not int or not parameter.kind.fits(value):
            raise parameter.misfit(game, value)
    return {name: given.get(name, int(str(parameter.default))) for name, parameter in known.items()}


def _bytes(text: str) -> bytes:
    if not isinstance(text, str):
        raise GameError(f"a game file was to be made of {brief(text)}: expected its text")
    return text.encode("utf-8", "surrogatepass")


def read_game_file(name: str, parameters: Mapping[str, Any]) -> Game[Any, Any, Any]:
    """Make a game of the file with this path. Raises `GameError`."""
    text = _content(name)
    read_game_text(name, text)
    return read_game(text.decode(), parameters, name=name)


def read_game(text: str, parameters: Mapping[str, Any], *, name: str = "game file", rows: RowBudget | None = None) -> "FileGame":
    """Make a game of the text of a game file and parameters, some of them as text; `rows` bounds it. Raises `GameError`."""
    known = read_game_text(name, _bytes(text)).parameters
    return cast("FileGame", make(name, lambda **values: FileGame(text, values, name=name, rows=rows), known, dict(parameters)))


def read_file_parameters(name: str) -> tuple[Parameter, ...]:
    """List the parameters of the game in the file with this path. Raises `GameError`."""
    return read_game_text(name, _content(name)).parameters


def _content(name: str) -> bytes:
    """Read at most as much of a file as a game may have."""
    path = Path(name)
    try:
        if not path.is_file():
            what = "it is a directory" if path.is_dir() else "there is none"
            raise GameError(f"{name!r} is no game file: {what}; give the path of a .toml file{hint_file(name)}")
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, GameError):
            raise
        raise GameError(f"{name!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None


@cache
def example_files() -> Mapping[str, str]:
    """Give the texts of the examples by their names: what a game of one's own can begin from."""
    found = sorted((files("rollwise.games.files") / "examples").iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".toml").replace("_", "-"): file.read_text(encoding="utf-8") for file in found}


def write_first(name: str, example: str | None = None) -> str:
    """Give a first game file to begin from, with comments, for a game of this name: a small one, or an example.

    >>> write_first("mygame", "pig").splitlines()[:2]
    ['format = 1', 'name = "mygame"']

    Raises `GameError` for an unknown example.
    """
    if example is None:
        text = (files("rollwise.games.files") / "first.toml").read_text(encoding="utf-8")
    else:
        text = example_files()[one_of("example", example.replace("_", "-"), example_files())]
    return re.sub(r'^name = ".*"$', f'name = "{name}"', text, count=1, flags=re.MULTILINE)
