"""The catalogue: games by name.

Adding a game is one file here and one line in `OWN`; from outside, `rollwise.register`, or the entry point `rollwise.games` of an
installed package.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rollwise.errors import GameError, RollwiseError, brief, one_of
from rollwise.model.faults import describe_error
from rollwise.model.game import Game
from rollwise.model.installed import installed, load_installed
from rollwise.model.message import Message, Text
from rollwise.model.parameter import Parameter

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Sample", "add_game", "by_family", "drop_game", "make"]


FAMILIES = ("sheets", "luck", "tiles", "races", "placing")
"""The families of games, in the order in which they are listed; their names are in `rollwise.texts`, as `family.NAME`."""


@dataclass(frozen=True)
class Sample:
    """A position of a game worth a try, a few of its moves to choose from, as the game writes them, and the points so far."""

    state: str
    moves: tuple[str, ...]
    so_far: int = 0


@dataclass(frozen=True)
class Entry:
    """An entry of the catalogue: where the game is defined, and how it is listed.

    `title`, `brief` and `summary` describe the game, `family` is one of `FAMILIES`, `famous` is its rank among the well-known
    games (0: not ranked), and `samples` are positions to try.
    """

    module: str
    factory: str
    owner: str
    summary: Text
    title: Text = ""
    brief: Text = ""
    family: str = ""
    players: str = "1"
    famous: int = 0
    samples: tuple[Sample, ...] = ()

    @property
    def game(self) -> type[Game[Any, Any, Any]]:
        """The class of the game."""
        found: type[Game[Any, Any, Any]] = self._find(self.owner)
        return found

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that `load` takes for this game."""
        return self.game.parameters

    @property
    def make(self) -> Callable[..., Game[Any, Any, Any]]:
        """The function that makes the game."""
        made: Callable[..., Game[Any, Any, Any]] = self._find(self.factory)
        return made

    def _find(self, name: str) -> Any:
        return getattr(import_module(self.module), name)


class _Added(Entry):
    """A game that was added: its class is at hand."""

    def __init__(self, kind: type[Game[Any, Any, Any]]) -> None:
        super().__init__(kind.__module__, kind.__qualname__, kind.__qualname__, _summary(kind), title=kind.__name__)
        object.__setattr__(self, "_kind", kind)

    def _find(self, name: str) -> Any:
        return vars(self)["_kind"]


def _summary(kind: type) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def _own(name: str, module: str, factory: str, owner: str = "", **more: Any) -> tuple[str, Entry]:
    summary, title, brief = (Message(f"game.{name}.{part}") for part in ("summary", "title", "brief"))
    return name, Entry(f"rollwise.games.{module}", factory, owner or factory, summary, title, brief, **more)


OWN = dict([
    _own("balut", "balut", "Balut", family="sheets",
         samples=(Sample("23455 2 fives:2,straight,choice", ("keep 2345", "keep 55", "choice"), 431),)),
    _own("bear-off", "bear_off.rules", "bear_off", "BearOff", family="races", players="1 or 2"),
    _own("cant-stop", "cant_stop", "CantStop", family="luck"),
    _own("crag", "crag", "Crag", family="sheets", players="1 or 2",
         samples=(Sample("346 1 sixes,thirteen,crag", ("keep 6", "thirteen", "sixes"), 128),)),
    _own("farkle", "farkle.rules", "farkle", "FarkleTable", family="luck", players="1 or 2", famous=7),
    _own("generala", "generala", "Generala", family="sheets",
         samples=(Sample("33344 2 threes,full-house,four-of-a-kind,generala", ("full-house", "keep 333", "threes"), 88),)),
    _own("groups", "groups", "groups", "Groups", family="placing"),
    _own("hog", "hog", "Hog", family="luck", players="2"),
    _own("hypergammon", "hypergammon", "Hypergammon", family="races", players="2"),
    _own("kismet", "kismet", "Kismet", family="sheets",
         samples=(Sample("33445 1 two-pair,flush,full-house-colour upper 63", ("keep 3344", "keep 344", "two-pair"), 213),)),
    _own("kniffel", "yahtzee", "Kniffel", family="sheets", famous=3),
    _own("maxi-yatzy", "yatzy", "MaxiYatzy", family="sheets", famous=5),
    _own("pig", "pig", "Pig", family="luck", players="2", famous=4),
    _own("shut-the-box", "shut_the_box.rules", "ShutTheBox", family="tiles", players="1 or 2", famous=8,
         samples=(Sample("1,2,3,5,6,7,8,9 8", ("shut 8", "shut 1+7", "shut 2+6")),)),
    _own("slots", "slots", "Slots", family="placing"),
    _own("threes", "threes", "Threes", family="luck",
         samples=(Sample("12446", ("keep 1", "keep 12", "keep 1244")),)),
    _own("two-dice-pig", "pig", "TwoDicePig", family="luck", players="2"),
    _own("ur", "ur", "RoyalUr", family="races", players="2"),
    _own("words", "words", "Words", family="placing"),
    _own("yacht", "yacht", "Yacht", family="sheets", players="1 or 2",
         samples=(Sample("23346 1 full-house,big-straight,choice", ("keep 2346", "keep 33", "choice"), 101),)),
    _own("yacht-dice", "yacht", "YachtDice", family="sheets",
         samples=(Sample("22355 1 fives,full-house,small-straight upper 48", ("keep 2255", "keep 55", "fives"), 118),)),
    _own("yahtzee", "yahtzee", "Yahtzee", family="sheets", famous=1,
         samples=(Sample("13366 1 sixes,full-house upper 51", ("keep 3366", "keep 66", "sixes"), 146),)),
    _own("yatzy", "yatzy", "Yatzy", family="sheets", famous=2,
         samples=(Sample("22455 1 fives,two-pairs upper 50", ("two-pairs", "keep 2255", "keep 55"), 143),)),
    _own("yazy", "yahtzee", "Yazy", family="sheets", players="1 or 2", famous=6),
])  # fmt: skip


class Catalogue(Mapping[str, Entry]):
    """Games by name: those of this library, registered ones, and those of installed packages."""

    def __init__(self, own: Mapping[str, Entry]) -> None:
        self.own, self.added, self.imported = own, dict[str, Entry](), dict[str, Entry]()

    def __getitem__(self, name: str) -> Entry:
        for known in (self.own, self.added, self.imported):
            if name in known:
                return known[name]
        self.imported[name] = _Added(load_installed(installed("rollwise.games")[name], Game))
        return self.imported[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self.own, *self.added, *installed("rollwise.games")}))

    def __len__(self) -> int:
        return sum(1 for _ in self)


CATALOGUE = Catalogue(OWN)


def by_family() -> dict[str, dict[str, Entry]]:
    """Give the games of each family, in the order of `FAMILIES`, the best known first; last those that say none.

    >>> list(by_family()["sheets"])[:3]
    ['yahtzee', 'yatzy', 'kniffel']
    """
    families = [*FAMILIES, *sorted({entry.family for entry in CATALOGUE.values()} - {*FAMILIES, ""}), ""]
    known = dict(sorted(CATALOGUE.items(), key=lambda item: (item[1].famous or len(CATALOGUE), item[0])))
    found = {family: {name: entry for name, entry in known.items() if entry.family == family} for family in families}
    return {family or "others": games for family, games in found.items() if games}


def add_game(kind: type[Game[Any, Any, Any]], name: str = "") -> None:
    """Add a game to the catalogue under a name (default: its class in lower case); the summary is its docstring's first line.

    Raises `GameError` if the name is taken or none, or the class leaves out a rule.
    """
    name = name or kind.__name__.lower()
    if not name.replace("-", "").replace("_", "").isalnum():
        raise GameError(f"the game {kind.__name__} cannot be called {name!r}: expected letters, digits, '-' and '_'")
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    if missing:
        raise GameError(f"the game {kind.__name__} does not define {missing[0]}(), which every game needs")
    known = CATALOGUE.get(name)
    if known is not None and known.game is not kind:
        raise GameError(f"there is a game {name!r} already: add yours under another name, register({kind.__name__}, 'name')")
    CATALOGUE.added[name] = _Added(kind)


def drop_game(kind: type[Game[Any, Any, Any]]) -> None:
    """Forget a game that was added."""
    CATALOGUE.added = {name: entry for name, entry in CATALOGUE.added.items() if entry.game is not kind}


def make(
    name: str, factory: Callable[..., Game[Any, Any, Any]], known: tuple[Parameter, ...], given: dict[str, Any]
) -> Game[Any, Any, Any]:
    """Make a game by calling a class or function with parameters, some of which may be texts.

    Raises `GameError` for a parameter that is unknown, missing or does not fit.
    """
    if not isinstance(known, tuple | list) or not all(isinstance(parameter, Parameter) for parameter in known):
        raise GameError(f"{name} lists the parameters {brief(known)}: expected Parameter objects, in a tuple")
    by_name = {parameter.name: parameter for parameter in known}
    values = {key: _value(name, by_name[one_of(f"parameter of {name}", key, by_name)], value) for key, value in given.items()}
    missing = [p.name for p in known if not p.default and p.name not in values]
    if missing:
        way = f"give it with load({name!r}, {missing[0]}=...), on the command line with -p {missing[0]}=..."
        raise GameError(f"{name} needs the parameter {missing[0]!r} ({by_name[missing[0]].help}): {way}")
    unfit = next((key for key, value in values.items() if not _fits(by_name[key], value)), None)
    wrong = None if unfit is None else by_name[unfit].misfit(name, given[unfit])
    try:
        made = factory(**values)
    except RollwiseError:
        # What a game says is better than what is said for all games, but for a word that was nearly right.
        if wrong and unfit and by_name[unfit].near(given[unfit]):
            raise wrong from None
        raise
    except (Exception, SystemExit) as error:
        raise wrong or GameError(f"{name} cannot be made from {given}: {describe_error(error)}") from error
    if wrong:
        raise wrong
    if not isinstance(made, Game):
        raise GameError(f"{name} made {brief(made)}: expected a game")
    return made


def _fits(parameter: Parameter, value: Any) -> bool:
    try:
        return value is None or bool(parameter.kind.fits(value))
    except TypeError:
        return False


def _value(game: str, parameter: Parameter, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return parameter.read(value)
    except RollwiseError:
        raise
    except Exception:
        raise parameter.misread(game, value) from None
