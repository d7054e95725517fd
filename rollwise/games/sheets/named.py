"""Score sheets that have a name: their options, and the sheet that these make."""

from abc import abstractmethod
from types import SimpleNamespace
from typing import Any

from rollwise.errors import one_of
from rollwise.games.sheets.boxes import MOST_REROLLS
from rollwise.games.sheets.rules import Sheet
from rollwise.games.sheets.scoring import choose_boxes
from rollwise.model.parameter import Integer, Names, Parameter

__all__ = ["REROLLS", "NamedSheet", "some_of"]

REROLLS = Parameter.known("rerolls", Integer(0, MOST_REROLLS), "2")


def some_of(every: str, *, key: str = "") -> Parameter:
    """Give the option to play with some of the boxes only; `every` is the key of the words for all of them."""
    return Parameter.known("boxes", Names(), usual=every, key=key)


class NamedSheet(Sheet):
    """A sheet made of options by name, those of `parameters`; one that is not given has the default that it states there.

    Raises `GameError` for an option that there is not.
    """

    def __init__(self, **given: Any) -> None:
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            one_of(f"parameter of {type(self).__name__}", name, known)
        # A default that is said in words, such as "all boxes", is left to the sheet.
        usual = {name: one.read(one.default) if isinstance(one.default, str) else None for name, one in known.items()}
        options: Any = SimpleNamespace(**{**usual, **given})
        sheet = self.sheet(options)
        boxes = choose_boxes(sheet.pop("boxes"), getattr(options, "boxes", None))
        super().__init__(boxes, rerolls=options.rerolls, weights=getattr(options, "weights", None), **sheet)

    @abstractmethod
    def sheet(self, options: Any) -> dict[str, Any]:
        """Say what a `Sheet` is made of: all boxes there are, and what else it takes but rerolls."""
