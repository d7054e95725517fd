"""The pages about the catalogue: `python -m tests.catalogue_page` writes `docs/catalogue.md` and the tables of other pages anew.

They are made from the catalogue itself and from what is known about each game (`tests/known`), so they say what is tested.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rollwise.games.catalogue import Entry, by_family
from rollwise.model.message import Message
from tests.known_games import KNOWN

__all__ = ["PAGES", "catalogue_page", "put_between", "results_table", "written"]

ROOT = Path(__file__).parents[1]
PAGES = ("docs/catalogue.md", "docs/results.md")
BEGIN, END = "<!-- the catalogue: python -m tests.catalogue_page -->", "<!-- end of the catalogue -->"
INTRO = """# The catalogue

The games that come with rollwise: what they are worth when they are played best, how large they are and how long that takes,
who else found it, and what came out. `rollwise games GAME` lists the parameters of a game, `rollwise rules GAME` tells how it
is played; the rules in full, with the questions that players argue about, are in the module that each title leads to.

*Size* counts positions, or, of a score sheet, the beginnings of turns that are stored. *Time* is the processor time of one core
to solve the game at its usual size. Values are tested by the rows of `tests/known`, each in two independent ways. This page is
made from the same rows (`python -m tests.catalogue_page`).

Names say which rules are meant: Yahtzee is a trademark of Hasbro, Kniffel of Schmidt Spiele; Kismet, Farkle, Can't Stop and the
names of their editions are trademarks of their owners too, and none of them has anything to do with rollwise.
"""


def written() -> dict[str, str]:
    """Give the pages as they should be, by their names."""
    results = (ROOT / "docs/results.md").read_text()
    return {"docs/catalogue.md": catalogue_page(), "docs/results.md": put_between(results, results_table())}


def put_between(page: str, table: str) -> str:
    """Put a table between the marks of a page."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"


def catalogue_page() -> str:
    """Write the page: each family has a table, and below it what is to be said about its games."""
    return "\n".join([INTRO, *(_family(family, games) for family, games in _families().items())])


def _family(family: str, games: Mapping[str, Entry]) -> str:
    rows = [_row(name, entry, KNOWN[name]["game"]) for name, entry in games.items()]
    notes = [_notes(name, entry, KNOWN[name]["game"]) for name, entry in games.items()]
    table = _table(["game", "players", "size", "time", "value"], rows)
    return f"## {str(Message(f'family.{family}')).capitalize()}\n\n{table}\n\n" + "\n".join(notes) + "\n"


def _row(name: str, entry: Entry, known: Mapping[str, Any]) -> list[str]:
    return [f"`{name}`", entry.players, _number(known["size"]), _time(known["seconds"]), str(known["value"])]


def _notes(name: str, entry: Entry, known: Mapping[str, Any]) -> str:
    module = f"../{entry.module.replace('.', '/')}.py"
    return (
        f"- **[{entry.title}]({module})**: {entry.summary}. {known['note']}\n  - checked against: {'; '.join(known['sources'])}"
    )


def results_table() -> str:
    """Write what each game is worth, and who else found it."""
    return _table(["game", "question", "value", "checked against"], _answers())


def _answers() -> Iterator[list[str]]:
    """Give each game's name, question and answer, and who else found it."""
    for games in _families().values():
        for name, entry in games.items():
            known = KNOWN[name]["game"]
            yield [f"`{name}`", str(entry.summary), str(known["value"]), "; ".join(known["sources"])]


def _families() -> dict[str, dict[str, Entry]]:
    """Give the games of each family that have rows: others were added to the catalogue, or are new."""
    found = {family: {name: entry for name, entry in games.items() if name in KNOWN} for family, games in by_family().items()}
    return {family: games for family, games in found.items() if games}


def _table(header: list[str], rows: Iterable[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *rows])


def _number(size: int | str) -> str:
    return f"{size:,}" if isinstance(size, int) else size


def _time(seconds: float | str) -> str:
    return seconds if isinstance(seconds, str) else f"{seconds:g} s"


if __name__ == "__main__":
    for name, text in written().items():
        (ROOT / name).write_text(text)
