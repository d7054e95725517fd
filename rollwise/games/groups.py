"""Groups: roll dice one after another, rerolling the current one at will, and end with groups of given sizes.

Rules. There are N dice of M faces and group sizes A_1..A_K that add up to N. The dice are rolled one after another; the current
die may be rolled again as often as one likes, and once the next one is rolled it stays. In the end there must be K faces that
appear A_1, ..., A_K times. Every roll counts 1. Keeping a die that makes the goal impossible is not offered.

Two views of the same game: `sizes` (the sorted group sizes so far, one position for all faces and orders) for any size, and
`raw` (the faces themselves) for small ones.

Source: Google Kick Start 2020, round F, problem D "Yeetzhee".
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rollwise.errors import GameError, PositionError
from rollwise.games.grouping import Grouping, GroupingGame, GroupingNotation, GroupingView, Rolled, Sizes, fits
from rollwise.model.message import Message
from rollwise.model.parameter import Choice, Integer, Integers, Parameter
from rollwise.model.roll import Roll, die

__all__ = ["Groups", "GroupsRaw", "groups"]


class Groups(GroupingGame):
    """The game by sorted group sizes. A state is (sizes held, size of the group the current die falls in; 0: a new face).

    >>> import rollwise
    >>> rollwise.solve(Groups(faces=6, sizes=[1, 2]), exact=True).value()
    Fraction(47, 10)
    """

    parameters = (
        Parameter.known("faces", Integer(1), key="groups-faces", example="6"),
        Parameter.known("sizes", Integers(), example="3,2"),
        Parameter.known("view", Choice("sizes", "raw"), "sizes"),
    )


class GroupsRawNotation(GroupingNotation):
    """How positions and moves are written."""

    game: "GroupsRaw"

    def read_state(self, text: str) -> Rolled[Sizes]:
        held, face = self._read(text, "HELD-FACES FACE", Message("error.held-faces", {"example": "'6,6,1 3'"}))
        sizes = tuple(sorted(Counter(held).values(), reverse=True))
        if not fits(sizes, self.game.goal) or not all(1 <= f <= self.game.faces for f in (*held, face)):
            raise PositionError(
                f"{text!r} does not occur with goal {self.game.goal} and {self.game.faces} faces: check the faces"
            )
        return held, face

    def columns(self, state: Rolled[Sizes]) -> Mapping[str, str]:
        return {"held faces": self.show_pending(state[0]), "die": str(state[1])}


class GroupsRawView(GroupingView):
    """The board and the words of the game."""

    game: "GroupsRaw"

    def show_dice(self, state: Rolled[Sizes]) -> Sequence[Any]:
        return (state[1],)


class GroupsRaw(Grouping[Sizes]):
    """The game by faces: a state is (faces held in order, face of the current die)."""

    notation = GroupsRawNotation
    view = GroupsRawView

    parameters = Groups.parameters

    def roll(self, pending: Sizes) -> Roll[Rolled[Sizes]]:
        return die(self.faces).map(lambda face: (pending, face))

    def sizes_with(self, state: Rolled[Sizes]) -> Sizes:
        return tuple(sorted(Counter(self.keep(state)).values(), reverse=True))

    def keep(self, state: Rolled[Sizes]) -> Sizes:
        return (*state[0], state[1])

    def _sizes(self, state: Rolled[Sizes]) -> tuple[Sizes, int]:
        held, face = state
        return tuple(sorted(Counter(held).values(), reverse=True)), held.count(face)

    def dimensions(self) -> Mapping[str, int]:
        return {**super().dimensions(), "faces": self.faces}


def groups(faces: int, sizes: Sequence[int], view: Literal["sizes", "raw"] = "sizes") -> Groups | GroupsRaw:
    """Make the game in one of its two views.

    >>> type(groups(6, [1, 2], view="raw")).__name__
    'GroupsRaw'
    """
    if view not in ("sizes", "raw"):
        raise GameError(f"view {view!r}: expected 'sizes' or 'raw'")
    return Groups(faces, sizes) if view == "sizes" else GroupsRaw(faces, sizes)
