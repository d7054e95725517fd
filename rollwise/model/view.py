"""How a game looks and speaks: its board, its dice, its rules in words, what it can be played for, why a move is good.

None of it changes a value, and all of it has defaults.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from rollwise.model.abilities import POSITION_RULES, named_part, unchanged_since
from rollwise.model.message import Message, Text, round_chance
from rollwise.model.notation import Notation, notation_of
from rollwise.model.parameter import Parameter
from rollwise.model.reasons import ALL_ELSE, EQUAL, Comparison, Reason, compare_moves, join_reasons, name_chances, name_costs
from rollwise.model.weights import loaded_weights

if TYPE_CHECKING:
    from rollwise.model.game import Game

__all__ = [
    "BoxRule", "Example", "OfferedAim", "Part", "Rules", "View", "board_of", "dice_part", "looks_of", "mover_part", "number_part",
    "points_part", "rules_from_docstring", "rules_in_words", "scores_part", "set_part", "spoken", "text_part", "track_part",
    "view_of",
]  # fmt: skip

Part = dict[str, Any]
"""What lies on the table, part by part, in JSON types and messages, so that a board can draw it without knowing the game:

dice      faces that lie on the table; `sides` of a die, where that is known
number    a number with a label; `low` and `high` are its range, null where that is not known
counter   the same, drawn large
track     the same, drawn as steps from `low` to `high`; `base` is how many cannot be lost, null where all are the same
scores    the points of each player; `goal` is what they race to, `mover` whose turn it is
set       tiles by name, each `on` or off
tiles     the same, drawn as tiles that a tap tips over
points    a side's pieces on the points of a board or the squares of their path: in `counts` those that leave it by one step, two
          steps and so on; `off` are those that have left it; `text` says the same in words
mover     whose choice it is, 0 or 1
text      anything else
"""


LISTED = 2
"""How many things that may come next a sentence lists."""


def dice_part(name: str, faces: Sequence[Any], sides: int | None = None, *, label: Text = "") -> Part:
    """Describe dice.

    >>> dice_part("hand", (1, 3), 6)
    {'kind': 'dice', 'name': 'hand', 'label': Message(key='part.label', args={'name': 'hand'}), 'faces': ['1', '3'], 'sides': 6}
    """
    return {"kind": "dice", "name": name, "label": _label(name, label), "faces": [str(face) for face in faces], "sides": sides}


def number_part(
    name: str, value: int, low: int | None = None, high: int | None = None, *, label: Text = "", kind: str = "number"
) -> Part:
    """Describe a number; `kind` says how it is drawn: "number" or "counter"."""
    return {"kind": kind, "name": name, "label": _label(name, label), "value": value, "low": low, "high": high}


def track_part(name: str, value: int, low: int, high: int, *, base: int | None = None, label: Text = "") -> Part:
    """Describe a number of steps."""
    return {**number_part(name, value, low, high, label=label, kind="track"), "base": base}


def scores_part(name: str, values: Sequence[int], goal: int | None = None, mover: int | None = None, *, label: Text = "") -> Part:
    """Describe the points of each player."""
    about = {"values": list(values), "goal": goal, "mover": mover}
    return {"kind": "scores", "name": name, "label": _label(name, label), **about}


def set_part(name: str, members: Sequence[str], on: Sequence[bool], *, label: Text = "", kind: str = "set") -> Part:
    """Describe the members of a set; `kind` says how they are drawn: "set" or "tiles"."""
    tiles = [{"name": member, "on": bool(is_on)} for member, is_on in zip(members, on, strict=True)]
    return {"kind": kind, "name": name, "label": _label(name, label), "members": tiles}


def points_part(name: str, player: int, counts: Sequence[int], off: int, text: Text, *, label: Text = "") -> Part:
    """Describe a side's pieces, by the steps that they are from leaving the board, and in words.

    >>> part = points_part("first", 0, (2, 0, 1), 4, "2 on the ace point")
    >>> part["kind"], part["counts"], part["off"]
    ('points', [2, 0, 1], 4)
    """
    about = {"counts": list(counts), "off": off, "player": player}
    return {"kind": "points", "name": name, "label": _label(name, label), "text": text, **about}


def mover_part(name: str, player: int, *, label: Text = "") -> Part:
    """Say whose choice it is."""
    return {"kind": "mover", "name": name, "label": _label(name, label), "player": player}


def text_part(name: str, text: Text, *, label: Text = "") -> Part:
    """Describe anything."""
    return {"kind": "text", "name": name, "label": _label(name, label), "text": text}


def _label(name: str, label: Text) -> Text:
    """Give the label of a part, which the catalogue may know by its English text."""
    return Message("part.label", {"name": label or spoken(name)}) if isinstance(label, str) else label


def spoken(name: str) -> str:
    """Write a name as people do.

    >>> spoken("points_needed")
    'points needed'
    """
    return name.replace("_", " ")


class Example(NamedTuple):
    """Dice, and the points that a box pays for them."""

    dice: tuple[Any, ...]
    points: int


class BoxRule(NamedTuple):
    """A box, what it pays in words, and examples: one that pays and, where that helps, one that almost does."""

    name: str
    pays: Text
    examples: tuple[Example, ...] = ()


class Rules(NamedTuple):
    """Paragraphs, and the boxes of a game that has boxes."""

    paragraphs: tuple[Text, ...]
    boxes: tuple[BoxRule, ...] = ()


def rules_from_docstring(kind: type) -> Rules:
    """Give what a class says about itself, without examples in code and what it raises.

    >>> class Coin:
    ...     '''Toss a coin: heads count one.
    ...
    ...     >>> Coin()
    ...     '''
    >>> rules_from_docstring(Coin).paragraphs
    ('Toss a coin: heads count one.',)
    """
    written = cleandoc(kind.__doc__ or "").split("\n\n")
    told = tuple(" ".join(part.split()) for part in written if part.strip() and not part.startswith((">>>", "Raises")))
    return Rules(told or (Message("rules.none"),))


@dataclass(frozen=True)
class OfferedAim:
    """A way to say what is best: `text` is an objective's, with fields in braces; "": whatever is the game's own.

    >>> from rollwise.model.parameter import Integer
    >>> target = Parameter("target", Integer(), "points to reach")
    >>> aim = OfferedAim("at-least", "Reach a total", "The best chance.", "at-least {target}", (target,))
    >>> aim.write({"target": "200"})
    'at-least 200'
    """

    name: str
    label: Text
    help: Text
    text: str
    fields: tuple[Parameter, ...] = ()

    @classmethod
    def known(cls, name: str, text: str, fields: tuple[Parameter, ...] = (), *, key: str = "") -> "OfferedAim":
        """Make an aim whose label and help are in the catalogues of `rollwise.texts`, under its name or another `key`."""
        return cls(name, Message(f"aim.{key or name}.label"), Message(f"aim.{key or name}.help"), text, fields)

    def write(self, values: Mapping[str, str]) -> str:
        """Write the objective with these fields; those left out have their defaults."""
        return self.text.format(**{field.name: values.get(field.name) or str(field.default) for field in self.fields})

    def as_dict(self) -> dict[str, Any]:
        """Describe it in JSON types."""
        about = {"name": self.name, "label": self.label, "help": self.help, "text": self.text}
        return {**about, "fields": [field.as_dict() for field in self.fields]}


class View:
    """How a game looks and speaks; a game names its own as the class attribute `view`.

    The default serves any game: a text board made of its columns, and sentences made of what may come of a move.
    """

    action_word: ClassVar[str] = "action"
    cost_word: ClassVar[str] = "rolls"
    """What `cost` counts, in the plural."""
    board_kind: ClassVar[str] = "any"
    """What draws the board of the game; "any": a page that knows nothing about it."""
    look: ClassVar[str] = ""
    """The drawing of a board of the kind "any": a name in `LOOKS` (`web/static/boards/registry.js`); "": part by part."""
    own_aim: ClassVar[OfferedAim] = OfferedAim.known("own", "")
    """How its `objective` is offered to people."""
    other_aims: ClassVar[tuple[str, ...]] = ("expected", "at-least", "worst", "quantile", "utility", "against")
    """The names of objectives that suit it, whatever its own is."""
    compares: ClassVar[Literal["reasons", "outcomes", "nothing"]] = "outcomes"
    """What `because` needs to know about a move: the parts in which it differs from another, what may come of it, or nothing."""

    def __init__(self, game: Any) -> None:
        self.game = game

    @cached_property
    def notation(self) -> Notation:
        """How the game is written down."""
        return notation_of(self.game)

    def show_dice(self, state: Any) -> Sequence[Any]:
        """List the dice that lie on the table."""
        return ()

    def explain(self, move: Comparison) -> Text:
        """Write one sentence about a move: which move, rather than which other one, by how much, and why."""
        name = self.name_move(move.state, move.action)
        rival = None if move.rival is None else self.name_move(move.state, move.rival, beside=move.action)
        share = move.objective.words(self.game).share
        return compare_moves(move, name, rival, self.because(move), share=share, costs=self.cost_word)

    def name_move(self, state: Any, action: Any, *, beside: Any = None) -> Text:
        """Name a move as an order to a player, such as "keep 33"; `beside` another one, without the verb they share.

        The default quotes a name of several words, which the catalogues of texts do not know.
        """
        return _quoted(self.game.show_action(action))

    def is_obvious(self, state: Any, action: Any, rival: Any) -> bool:
        """Say whether a move is so plainly better than a rival that players want it compared with another one."""
        return False

    def because(self, move: Comparison) -> Text | None:
        """Give the main reason for or against a move, as a clause; None where there is none.

        The default: what it makes now and later, and what may come next, likeliest first, with what that is worth.
        """
        coming = sorted((reason for reason in move.reasons if reason.mine and reason.what != ALL_ELSE), key=_likely)[
            : -LISTED - 1 : -1
        ]
        if self._is_sure(move.state, move.action):
            return self._totals(move) or (Message("any.ends") if coming else None)
        named = [self._name_outcome(move, reason) for reason in coming]
        over = [reason.kind for reason in coming] == ["end"] and _likely(coming[0]) > 1 - EQUAL
        ahead = Message("any.ends") if over else Message("any.next", {"next": reduce(_or, named)}) if named else None
        return join_reasons(self._totals(move), ahead)

    def _is_sure(self, state: Any, action: Any) -> bool:
        """Say whether a move ends the game, with a result that no roll can change."""
        roll = self.game.roll(self.game.play(state, action))
        return len(roll) == 1 and not self.game.actions(next(iter(roll)))

    def _name_outcome(self, move: Comparison, reason: Reason) -> Text:
        """Name what may come of a move where the game has no words of its own, how likely it is, and what it is worth."""
        part = reason.mine
        if part is None or part.certain:
            return _quoted(reason.what)
        about: dict[str, Any] = {"what": _quoted(reason.what), "chance": round_chance(_likely(reason))}
        if part.after is None or move.objective.counts == "costs":
            return Message("any.outcome", about)
        after = float(part.after)
        if move.objective.wins:
            own = 1 - after if self.game.mover(move.state) else after
            return Message("any.outcome-wins", {**about, "worth": round_chance(own)})
        return Message("any.outcome-worth", {**about, "worth": round(after, 2) + 0.0})

    def _totals(self, move: Comparison) -> Message | None:
        """Say what a move makes now and later, how often it wins, or how much is still to come, and the same of its rival."""
        if move.objective.counts == "costs" or not move.has_better:
            return name_costs(move, self.cost_word) if move.has_better else None
        if move.objective.wins or move.value is None or move.rival_value is None:
            return name_chances(move) if self.game.players > 1 else None
        sure, sure2 = (self._is_sure(move.state, action) for action in (move.action, move.rival))
        if sure or sure2:
            kind = "sure-both" if sure and sure2 else "sure" if sure else "unsure"
            total, total2 = (round(float(value), 2) + 0.0 for value in (move.value, move.rival_value))
            return Message(f"any.{kind}", {"n": total, "total2": total2})
        now, now2 = (self.game.gain(move.state, action) for action in (move.action, move.rival))
        later, later2 = (round(float(value) - gain, 2) + 0.0 for value, gain in ((move.value, now), (move.rival_value, now2)))
        return Message("any.sums" if now or now2 else "any.average", {"now": now, "now2": now2, "n": later, "later2": later2})

    def ends_turn(self, state: Any, action: Any) -> str | None:
        """Name what an action ends a turn with, such as a box, or "" if the turn goes on; None: there are no turns."""
        return None

    def to_go(self, pending: Any) -> Text | None:
        """Say how much is still to be played, such as "2 boxes", or "" for nothing; None where there is no saying."""
        return None

    def describe(self, state: Any) -> Text:
        """Describe a position in a line, for a player who knows the rules."""
        columns = list(self.notation.columns(state).items())
        shown = [(name, text) for name, text in columns if text != "-"] or columns
        return Message("part.list", {"parts": [Message("part.value", {"name": name, "text": text}) for name, text in shown]})

    def decision(self, state: Any) -> Text:
        """Name the kind of decision that a state is, such as "hold or roll", to count mistakes by; the default is its moves."""
        words = list(dict.fromkeys((self.game.show_action(action).split() or [""])[0] for action in self.game.actions(state)))
        if len(words) > 3:
            return Message("any.which", {"word": self.action_word})
        named: Text = words[0] if words else ""
        for word in words[1:]:
            named = _or(named, word)
        return named

    def lay_out(self, state: Any) -> Mapping[str, Text]:
        """Lay a position out in named lines, to be drawn one below the other; the default is its columns."""
        return self.notation.columns(state)

    def choices(self, state: Any) -> Text:
        """List what may be done, in a line that begins with a word for it; "" for the plain list of moves."""
        return ""

    def rules(self) -> Rules:
        """Tell people how the game is played; the default is what its class says about itself."""
        return rules_from_docstring(type(self.game))

    def board(self) -> Mapping[str, Any]:
        """Describe what lies on the table, in JSON types; `kind` says what draws it (`board_kind`)."""
        about = {"kind": View.board_kind, "start": self.notation.show_pending(self.game.start()), "players": self.game.players}
        return {**about, "look": self.look} if self.look else about

    def position(self, state: Any) -> Mapping[str, Any]:
        """Describe a state, in JSON types."""
        return {
            "kind": View.board_kind,
            "dice": [str(face) for face in self.show_dice(state)],
            "columns": dict(self.notation.columns(state)),
            "parts": list(self.parts(state)),
        }

    def before_roll(self, pending: Any) -> Mapping[str, Any]:
        """Describe what lies on the table before a roll, like a position."""
        return {
            "kind": View.board_kind,
            "parts": [text_part("roll", self.notation.show_pending(pending), label="roll")],
        }

    def parts(self, state: Any) -> Sequence[Part]:
        """List what lies on the table, for a board that does not know the game: see `Part`."""
        dice = self.show_dice(state)
        texts = [text_part(name, text) for name, text in self.notation.columns(state).items()]
        chooses = self.game.players > 1 and bool(self.game.actions(state))
        mover = [mover_part("mover", self.game.mover(state), label="to move")] if chooses else []
        return [*([dice_part("dice", dice, label="dice")] if dice else []), *texts, *mover]

    def name_rolls(self, pending: Any, states: Sequence[Any]) -> Sequence[tuple[Text, Sequence[Any]]]:
        """Name what a roll gave, for each of these states: in a few words, and by the dice that were rolled, if known."""
        return [(self.game.show_state(state), self.show_dice(state)) for state in states]

    @property
    def title(self) -> str:
        """What to call the game."""
        return type(self.game).__name__

    @property
    def about(self) -> str:
        """What the game is, in a sentence."""
        return (type(self.game).__doc__ or "").strip().partition("\n")[0]

    def offered(self, parameter: str) -> tuple[str, ...]:
        """List values to choose from for a parameter, as far as they can be: a shell completes them."""
        return next((known.offers for known in self.game.parameters if known.name == parameter), ())


def view_of(game: "Game[Any, Any, Any]") -> View:
    """Give the view of a game: its own, as far as that describes this game.

    Where a class below the one that names the view changes which positions there are, the default is used. Where it changes only
    points, the board stays, and what is said about moves and rules is the default.
    """
    named = named_part(game, "view", POSITION_RULES)
    if named is None:
        return View(game)
    found: View = (named if unchanged_since(game, "view") else _silent(named))(game)
    return found


def looks_of(game: "Game[Any, Any, Any] | type[Game[Any, Any, Any]]") -> View | type[View]:
    """Give the view of a game, or the one that a class of games names."""
    return game.view if isinstance(game, type) else view_of(game)


def board_of(game: "Game[Any, Any, Any]") -> Mapping[str, Any]:
    """Describe the board of a game; of loaded dice with the `weights` of their faces."""
    weights = loaded_weights(game)
    return {**view_of(game).board(), **({"weights": list(weights)} if weights else {})}


def rules_in_words(game: "Game[Any, Any, Any]") -> Rules:
    """Tell how a game is played, and how loaded its dice are."""
    told, weights = view_of(game).rules(), loaded_weights(game)
    if weights is None:
        return told
    shares = [
        Message("rules.loaded-face", {"face": face, "share": weight / sum(weights)})
        for face, weight in enumerate(weights, 1)
        if weight
    ]
    return told._replace(paragraphs=(*told.paragraphs, Message("rules.loaded", {"faces": shares})))


@cache
def _silent(named: type[View]) -> type[View]:
    """Give a view without its own words about rules that are not those of the game."""
    own = ("because", "compares", "ends_turn", "name_move", "rules")
    return type(named.__name__, (named,), {name: vars(View)[name] for name in own})


def _quoted(name: Text) -> Text:
    """Put the name of a move in quotes, if it has several words."""
    return Message("any.action", {"name": name}) if isinstance(name, str) and " " in name else name


def _or(one: Text, other: Text) -> Message:
    return Message("any.or", {"one": one, "other": other})


def _likely(reason: Reason) -> float:
    return float(reason.mine.chance or 0) if reason.mine else 0.0
