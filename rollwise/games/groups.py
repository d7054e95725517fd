"""Groups: roll dice one after another, rerolling the current one at will, and end with groups of given sizes.

Rules. There are N dice of M faces and group sizes A_1..A_K that add up to N. The dice are rolled one after another; the current
die may be rolled again as often as one likes, and once the next one is rolled it stays. In the end there must be K faces that
appear A_1, ..., A_K times. Every roll counts 1. Keeping a die that makes the goal impossible is not offered.

With loaded dice faces differ, so positions hold them, as in the view `raw`, whichever view is asked for: small ones are solved.

Two views of the same game: `sizes` (`GroupingGame`: the sorted group sizes so far, one position for all faces and orders) for any
size, and `raw` (`GroupsRaw`: the faces themselves) for small ones.

Without parameters the goal is a full house: three dice alike and two others alike.

Source: Google Kick Start 2020, round F, problem D "Yeetzhee".
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from rollwise.errors import GameError, PositionError
from rollwise.model.abilities import Heuristic, Sized
from rollwise.model.card import CardFeature, Vocabulary
from rollwise.model.formatting import counted, is_number
from rollwise.model.game import Game
from rollwise.model.message import Message, Text
from rollwise.model.notation import Notation, not_a_position
from rollwise.model.objectives import Fewest
from rollwise.model.parameter import Choice, Integer, Integers, Parameter
from rollwise.model.plain_words import move_verb
from rollwise.model.reading import join_commas, one_name
from rollwise.model.reasons import Comparison, join_reasons, name_costs
from rollwise.model.roll import Roll
from rollwise.model.view import Rules, View
from rollwise.model.weights import WEIGHTS, ThrowsDice, weights_for

__all__ = ["GroupingGame", "Groups", "GroupsRaw", "Rolled", "Sizes", "fits", "groups"]

LARGEST = 1_000_000
FACES, SIZES = 6, (3, 2)

Sizes = tuple[int, ...]
Rolled = tuple[Sizes, int]
"""What is held, and the die that was rolled."""


def fits(sizes: Sizes, goal: Sizes) -> bool:
    """Say whether groups can still grow into the goal; both sorted, largest first.

    >>> fits((2, 1), (3, 1)), fits((2, 2), (3, 1))
    (True, False)
    """
    return len(sizes) <= len(goal) and all(a <= b for a, b in zip(sizes, goal, strict=False))


class GroupingNotation(Notation):
    """How positions and moves are written."""

    game: "Grouping"

    def read_action(self, text: str) -> str:
        return one_name(text.strip(), ("keep", "reroll"))

    def show_state(self, state: Rolled) -> str:
        return f"{self.show_pending(state[0])} {state[1]}"

    def show_pending(self, pending: Sizes) -> str:
        return ",".join(map(str, pending)) or "-"

    def _read(self, text: str, expected: str, example: Text) -> tuple[Sizes, int]:
        *words, last = join_commas(text).split() or [""]
        held = [] if words == ["-"] else [number for word in words for number in word.split(",")]
        if not words or not all(map(is_number, [*held, last])):
            raise not_a_position(text, expected, example)
        return tuple(map(int, held)), int(last)


class GroupingView(View):
    """The board and the words of the game."""

    game: "Grouping"
    compares = "nothing"
    action_word = "die"
    own_aim, other_aims = Fewest.aims[0], ()
    board_kind = "groups"

    def because(self, move: Comparison) -> Text | None:
        held = self.game.sizes_with(move.state)
        if not move.has_better:
            return Message("groups.fits-none") if move.rival is None else None
        told = None
        if move.ordered[0] == "keep":
            fits = Message("groups.fits", {"n": self.game.free_faces(held), "faces": self.game.faces})
            told = Message("groups.keeps", {"n": sum(self.game.goal) - sum(held), "fits": fits})
        return join_reasons(told, name_costs(move, "rolls"))

    def decision(self, state: Rolled) -> Text:
        return Message("groups.keep-or-reroll")

    def rules(self) -> Rules:
        turn = Message("rules.groups.turn", {"dice": Message("n.die", {"n": sum(self.game.goal)}), "faces": self.game.faces})
        goal = Message("rules.groups.goal", {"sizes": [str(size) for size in self.game.goal]})
        return Rules((turn, goal, Message("rules.groups.fewest")))

    def board(self) -> Mapping[str, Any]:
        start = self.notation.show_pending(self.game.start())
        return {
            "kind": self.board_kind,
            "faces": self.game.faces,
            "goal": list(self.game.goal),
            "dice": sum(self.game.goal),
            "start": start,
        }

    def position(self, state: Rolled) -> Mapping[str, Any]:
        held, hit = state
        return {"kind": self.board_kind, "held": list(held), "hit": hit}


class Grouping(Game[Rolled, Sizes, str], Heuristic, Sized, ThrowsDice):
    """What both views share: keep or reroll the current die until the groups are complete."""

    notation = GroupingNotation
    view = GroupingView
    objective = Fewest()

    extra_rules = ("keep", "sizes_with")

    def __init__(self, faces: int = FACES, sizes: Sequence[int] = SIZES, weights: Sequence[int] | None = None) -> None:
        self.faces = faces
        self.goal = tuple(sorted(sizes, reverse=True))
        if not self.goal or min(self.goal) < 1:
            raise GameError(f"group sizes {list(sizes)} must be positive: leave out empty groups")
        if not 1 <= faces <= LARGEST or sum(self.goal) > LARGEST:
            given = f"{counted(sum(self.goal), 'die', 'dice')} of {faces} faces"
            raise GameError(f"{given}: expected at most {LARGEST:,} of each, and at least 1 face")
        if len(self.goal) > faces:
            raise GameError(f"{len(self.goal)} groups need as many different faces, but the dice have {faces}")
        self.weights = weights_for(faces, weights)
        if self.weights.count(0) > faces - len(self.goal):
            raise GameError(
                f"{len(self.goal)} groups need as many different faces, but {self.weights.count(0)} of {faces} never come"
            )

    def start(self) -> Sizes:
        return ()

    @abstractmethod
    def sizes_with(self, state: Rolled) -> Sizes:
        """Give the sorted group sizes if the current die is kept."""

    @abstractmethod
    def keep(self, state: Rolled) -> Sizes:
        """Give the position after the current die is kept."""

    def actions(self, state: Rolled) -> Sequence[str]:
        sizes = self.sizes_with(state)
        if sizes == self.goal:
            return ()
        return ("keep", "reroll") if fits(sizes, self.goal) else ("reroll",)

    def play(self, state: Rolled, action: str) -> Sizes:
        return self.keep(state) if action == "keep" else state[0]

    def heuristic(self, state: Rolled, action: str) -> float:
        """Keep what fits."""
        return float(action == "keep")

    def cost(self, pending: Sizes) -> int:
        """Count every roll, a sure one too."""
        return 1

    def vocabulary(self) -> Vocabulary:
        dice, groups = sum(self.goal), len(self.goal)

        def sizes(state: Rolled) -> Sizes:
            return self._sizes(state)[0]

        def see(name: str, read: Callable[[Rolled], int], most: int, says: str) -> CardFeature:
            return CardFeature(name, read, 0, most, says)

        largest = self.goal[0]
        features = (
            see(
                "joins", lambda s: self._sizes(s)[1], largest, "the size of the group that the die would join; 0: its face is new"
            ),
            see("dice held", lambda s: sum(sizes(s)), dice, "how many dice are kept so far"),
            see("dice left", lambda s: dice - sum(sizes(s)), dice, "how many dice are to come, the rolled one among them"),
            see("groups", lambda s: len(sizes(s)), groups, "how many faces are kept so far"),
            see("groups left", lambda s: groups - len(sizes(s)), groups, "how many groups are not begun"),
            see("largest group", lambda s: max(sizes(s), default=0), largest, "the size of the largest group so far"),
            see("smallest group", lambda s: min(sizes(s), default=0), largest, "the size of the smallest group so far"),
            see("free faces", lambda s: self.free_faces(sizes(s)), self.faces, "how many faces of the die could be kept"),
        )
        keep = move_verb(self, "keep", says="keep the die, where the groups can still be had")
        return Vocabulary(features, (keep, move_verb(self, "reroll", says="roll the die again")))

    def _sizes(self, state: Rolled) -> tuple[Sizes, int]:
        """Give the sorted sizes of the groups held, and that of the one that the current die would join."""
        return state[0], state[1]

    def free_faces(self, held: Sizes) -> int:
        """Count the faces that fit when groups of these sizes are held."""
        grown = [tuple(sorted((*held[:i], size + 1, *held[i + 1 :]), reverse=True)) for i, size in enumerate(held)]
        new = (self.faces - len(held)) * fits((*held, 1), self.goal)
        return sum(fits(sizes, self.goal) for sizes in grown) + new

    def dimensions(self) -> Mapping[str, int]:
        return {"dice": sum(self.goal)}


class SizesNotation(GroupingNotation):
    """How positions and moves are written."""

    game: "GroupingGame"

    def read_state(self, text: str) -> Rolled:
        held, size = self._read(text, "HELD-SIZES HIT-SIZE", Message("error.held-sizes", {"example": "'3,1 1'"}))
        held = tuple(sorted(held, reverse=True))
        if not fits(held, self.game.goal) or (size and size not in held) or (size == 0 and len(held) == self.game.faces):
            raise PositionError(
                f"{text!r} does not occur with goal {self.game.goal} and {self.game.faces} faces: check the sizes"
            )
        return held, size

    def columns(self, state: Rolled) -> Mapping[str, str]:
        return {"held groups": self.show_pending(state[0]), "die joins group of": str(state[1])}


class GroupingGame(Grouping):
    """The game by sorted group sizes. A state is (sizes held, size of the group the current die falls in; 0: a new face).

    >>> import rollwise
    >>> rollwise.solve(GroupingGame(faces=6, sizes=[1, 2]), exact=True).value()
    Fraction(47, 10)
    """

    notation = SizesNotation

    def roll(self, pending: Sizes) -> Mapping[Rolled, int]:
        weights = {(pending, size): count for size, count in Counter(pending).items()}
        if len(pending) < self.faces:
            weights[(pending, 0)] = self.faces - len(pending)
        return weights

    def sizes_with(self, state: Rolled) -> Sizes:
        return self.keep(state)

    def keep(self, state: Rolled) -> Sizes:
        held, size = state
        grown = list(held)
        if size:
            grown[held.index(size)] += 1
        else:
            grown.append(1)
        return tuple(grown)


class Groups(GroupingGame):
    """The game by sorted group sizes. A state is (sizes held, size of the group the current die falls in; 0: a new face).

    >>> import rollwise
    >>> rollwise.solve(Groups(faces=6, sizes=[1, 2]), exact=True).value()
    Fraction(47, 10)
    """

    parameters = (
        Parameter.known("faces", Integer(1), str(FACES), key="groups-faces"),
        Parameter.known("sizes", Integers(), ",".join(map(str, SIZES))),
        Parameter.known("view", Choice("sizes", "raw"), "sizes"),
        WEIGHTS,
    )


class GroupsRawNotation(GroupingNotation):
    """How positions and moves are written."""

    game: "GroupsRaw"

    def read_state(self, text: str) -> Rolled:
        held, face = self._read(text, "HELD-FACES FACE", Message("error.held-faces", {"example": "'6,6,1 3'"}))
        sizes = tuple(sorted(Counter(held).values(), reverse=True))
        if not fits(sizes, self.game.goal) or not all(1 <= f <= self.game.faces for f in (*held, face)):
            raise PositionError(
                f"{text!r} does not occur with goal {self.game.goal} and {self.game.faces} faces: check the faces"
            )
        return held, face

    def columns(self, state: Rolled) -> Mapping[str, str]:
        return {"held faces": self.show_pending(state[0]), "die": str(state[1])}


class GroupsRawView(GroupingView):
    """The board and the words of the game. The page knows groups by their sizes only: of loaded dice it draws a plain board."""

    game: "GroupsRaw"

    def board(self) -> Mapping[str, Any]:
        return View.board(self) if self.game.loaded else super().board()

    def position(self, state: Rolled) -> Mapping[str, Any]:
        return View.position(self, state) if self.game.loaded else super().position(state)

    def show_dice(self, state: Rolled) -> Sequence[Any]:
        return (state[1],)


class GroupsRaw(Grouping):
    """The game by faces: a state is (faces held in order, face of the current die)."""

    notation = GroupsRawNotation
    view = GroupsRawView

    parameters = Groups.parameters

    def roll(self, pending: Sizes) -> Roll[Rolled]:
        return self.die.map(lambda face: (pending, face))

    def sizes_with(self, state: Rolled) -> Sizes:
        return tuple(sorted(Counter(self.keep(state)).values(), reverse=True))

    def keep(self, state: Rolled) -> Sizes:
        return (*state[0], state[1])

    def _sizes(self, state: Rolled) -> tuple[Sizes, int]:
        held, face = state
        return tuple(sorted(Counter(held).values(), reverse=True)), held.count(face)

    def dimensions(self) -> Mapping[str, int]:
        return {**super().dimensions(), "faces": self.faces}


def groups(
    faces: int = FACES,
    sizes: Sequence[int] = SIZES,
    view: Literal["sizes", "raw"] = "sizes",
    weights: Sequence[int] | None = None,
) -> Groups | GroupsRaw:
    """Make the game in one of its two views.

    >>> type(groups(6, [1, 2], view="raw")).__name__
    'GroupsRaw'
    """
    if view not in ("sizes", "raw"):
        raise GameError(f"view {view!r}: expected 'sizes' or 'raw'")
    fair = weights is None or not GroupsRaw(faces, sizes, weights).loaded
    return Groups(faces, sizes) if view == "sizes" and fair else GroupsRaw(faces, sizes, weights)
