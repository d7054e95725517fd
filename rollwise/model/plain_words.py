"""The words of a strategy card for a game that has none of its own: its columns, its dice, its moves."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from rollwise.model.abilities import heuristic
from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.notation import Notation, notation_of
from rollwise.model.view import view_of

__all__ = ["choosing_verbs", "move_verb", "plain_vocabulary"]

MET = 2000
"""Positions that are looked at for columns and moves."""
FEW_TEXTS, FEW_MEMBERS, FEW_MOVES = 8, 40, 100
"""What a column may read, members of a list in one, and moves, so that each of them is a word."""


def plain_vocabulary(game: Any) -> Vocabulary:
    """Give features of the columns and of the dice, and verbs for the moves, as the first positions show them."""
    states = _first_positions(game)
    moves = {game.show_action(action): action for state in states for action in game.actions(state)}
    verbs = [move_verb(game, action, name) for name, action in moves.items()] if len(moves) <= FEW_MOVES else []
    choosing = [verb for verb in choosing_verbs(game, moves) if verb.name not in moves]
    features = {
        feature.name: feature for feature in (*_of_dice(game, states), *_of_columns(game, states), *_of_parts(game, states))
    }
    return Vocabulary(tuple(features.values()), (*verbs, *choosing))


def move_verb(game: Any, action: Any, name: str = "", says: str = "") -> Verb:
    """Give the verb for a move that is always the same; its name is the move's own unless another is given."""
    return Verb(
        name or game.show_action(action), lambda state: action if action in game.actions(state) else None, says, action=action
    )


def choosing_verbs(game: Any, names: Iterable[str]) -> list[Verb]:
    """Give verbs that choose among the moves of a state: by what looks best at once, and among moves that begin alike."""
    found = [Verb("greedy", lambda state: _most(state, game.actions(state), partial(heuristic, game)), "what looks best at once")]
    begins = Counter(name.split()[0] for name in names if len(name.split()) > 1)
    for word, number in begins.items():
        if number > 1:
            found += _among(game, word)
    return found


def _among(game: Any, word: str) -> list[Verb]:
    def such(state: Any) -> Sequence[Any]:
        return [action for action in game.actions(state) if game.show_action(action).split()[:1] == [word]]

    def least(state: Any, action: Any) -> int:
        return -int(game.gain(state, action))

    return [
        Verb(
            f"{word} first",
            lambda state: next(iter(such(state)), None),
            f"the first move that begins with {word}, as the rules list them",
        ),
        Verb(
            f"{word} last",
            lambda state: next(reversed(such(state)), None),
            f"the last move that begins with {word}, as the rules list them",
        ),
        Verb(
            f"{word} greedy",
            lambda state: _most(state, such(state), partial(heuristic, game)),
            f"of the moves that begin with {word} the one that looks best at once",
        ),
        Verb(
            f"{word} fewest points",
            lambda state: _most(state, such(state), least),
            f"of the moves that begin with {word} the one that gains least at once",
        ),
    ]


def _most(state: Any, actions: Sequence[Any], rank: Callable[[Any, Any], Any]) -> Any:
    """Give the action that ranks highest, the first of several; None: there is none."""
    return max(actions, key=lambda action: rank(state, action), default=None)


def _of_columns(game: Any, states: Sequence[Any]) -> list[CardFeature]:
    texts: dict[str, dict[str, None]] = {}
    notation = notation_of(game)
    for state in states:
        for name, text in notation.columns(state).items():
            texts.setdefault(name, {})[text] = None
    return [feature for name, known in texts.items() for feature in _of_column(notation, name, list(known))]


def _of_column(notation: Notation, name: str, texts: list[str]) -> list[CardFeature]:
    """A column of whole numbers is a number; one of lists says who is in them; one of few texts, which it is."""

    def read(state: Any) -> str:
        return str(notation.columns(state)[name])

    numbers = [int(text) for text in texts if _is_whole(text)]
    if len(numbers) == len(texts):
        return [CardFeature(name, lambda state: int(read(state)), min(numbers), max(numbers))]
    if name == "state":
        return []
    members = list(dict.fromkeys(member for text in texts for member in text.split(",")))
    if any("," in text for text in texts) and len(members) <= FEW_MEMBERS:
        return [CardFeature(f"{one} in {name}", _lists(read, one)) for one in members if _fit(one)]
    if 1 < len(texts) <= FEW_TEXTS:
        return [CardFeature(f"{name} {one}", _reads(read, one)) for one in texts if _fit(one)]
    return []


def _lists(read: Callable[[Any], str], one: str) -> Callable[[Any], int]:
    return lambda state: int(one in read(state).split(","))


def _reads(read: Callable[[Any], str], one: str) -> Callable[[Any], int]:
    return lambda state: int(read(state) == one)


def _part(place: int) -> Callable[[Any], int]:
    return lambda state: int(state[place])


def _of_parts(game: Any, states: Sequence[Any]) -> list[CardFeature]:
    """The whole numbers that states consist of, by the names of the fields; for games that split none into columns."""
    if (
        not states
        or list(notation_of(game).columns(states[0])) != ["state"]
        or not all(isinstance(state, tuple) for state in states)
    ):
        return []
    names = getattr(type(states[0]), "_fields", None) or [f"part {place}" for place in range(1, min(map(len, states)) + 1)]
    rows = zip(names, zip(*states, strict=False), strict=False)
    return [
        CardFeature(name.replace("_", " "), _part(place), min(values), max(values))
        for place, (name, values) in enumerate(rows)
        if all(type(value) is int for value in values)
    ]


def _of_dice(game: Any, states: Sequence[Any]) -> list[CardFeature]:
    """What numbers on dice add up to, how many there are, and how many are alike."""
    show_dice = view_of(game).show_dice
    shown = list(map(show_dice, states))
    if not any(shown):
        return []
    most = max(map(len, shown))
    found = [
        CardFeature("dice", lambda state: len(show_dice(state)), 0, most, "how many dice there are"),
        CardFeature(
            "alike",
            lambda state: max(Counter(show_dice(state)).values(), default=0),
            0,
            most,
            "the most dice that show the same",
        ),
    ]
    if all(type(face) is int for dice in shown for face in dice):
        sums = list(map(sum, shown))
        found.append(
            CardFeature("sum of dice", lambda state: sum(show_dice(state)), min(sums), max(sums), "what the dice add up to")
        )
    return found


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii()


def _fit(name: str) -> bool:
    """Say whether a text can stand in the name of a feature."""
    return bool(name.strip()) and not set(name) & set("#:<>=()")


def _first_positions(game: Any) -> list[Any]:
    """Give the first positions with a choice, nearest first."""
    pendings, seen = [game.start()], {game.start()}
    found: dict[Any, None] = {}
    while pendings and len(found) < MET:
        for state in game.roll(pendings.pop(0)):
            actions = game.actions(state) if state not in found else ()
            if actions:
                found[state] = None
                after = [game.play(state, action) for action in actions]
                pendings += [pending for pending in dict.fromkeys(after) if pending not in seen]
                seen.update(after)
    return list(found)
