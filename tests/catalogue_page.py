"""The page of the catalogue: `python -m tests.catalogue_page` writes `docs/catalogue.md`.

It is made from the catalogue itself and from what is known about each game (`tests/known`), so it says what is tested.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rollwise.games.catalogue import Entry, by_family
from rollwise.model.message import Message
from tests.known_games import KNOWN

__all__ = ["PAGE", "catalogue_page"]

PAGE = Path(__file__).parents[1] / "docs" / "catalogue.md"
INTRO = """# The catalogue

The games that come with rollwise: the value of best play, the size of the game, the time to solve it, the sources that
confirm the value, and what we found. `rollwise games GAME` lists the parameters of a game; `rollwise rules GAME` prints how it is
played. Each title links to the module with the full rules, which also answers the questions that players argue about.

*Size* is the number of positions or, for a score sheet, of stored turn starts. *Time* is the time of one core to solve the game
at its usual size. Tests check every value in two independent ways (`tests/known`); values under other rules are in
[results](results.md). `python -m tests.catalogue_page` generates this page.

Names only identify the rules: Yahtzee is a trademark of Hasbro, Kniffel of Schmidt Spiele; Kismet, Farkle, Can't Stop and the
names of their editions are trademarks of their owners. None of them is connected with rollwise.
"""


def catalogue_page() -> str:
    """Write the page: each family has a table, and below it notes on its games."""
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
    PAGE.write_text(catalogue_page())
