"""The files that wrong command lines name: games, opponents, records, and what is none of these."""

from pathlib import Path

from tests.terminal import GAME_FILE

__all__ = ["make_files"]

TEXTS = {
    "empty.txt": "",
    "words.txt": "some words in a line\nand another\n",
    # Games
    "higher.py": GAME_FILE,
    "ready.py": GAME_FILE + "game = Higher()\n",
    "two.py": GAME_FILE + GAME_FILE.replace("Higher", "Lower"),
    # Opponents
    "scores.txt": "180\n210 2\n",
    "badscores.txt": "score games\n180 many\n",
    "three.txt": "180 1 1\n",
    "nanweight.txt": "180 nan\n",
    "hugescore.txt": f"{10**400} 1\n",
    "halfscore.txt": "180.5 1\n",
    "deep.json": "[" * 100_000,
    "text.json": '["many"]',
    "true.json": "[true]",
    "noscores.json": "[]",
    "negative.json": '{"180": -1}',
    "spread.json": '{"lowest": "0", "chance": 1}',
    "rolls.json": '{"what": "rolls", "lowest": 0, "chance": [1]}',
    # Strategy cards
    "good.card": "if roll >= 5: x3\notherwise: most points\n",
    "odd.card": "if rol >= 3: x3\n",
    # Records
    "r-good.txt": "game: slots\nroll: all 0 6\nmove: x3\n",
    "r-twice.txt": "game: slots\nparameters: target=40 target=41\n",
    "r-illegal.txt": "game: slots\nroll: all 0 6\nmove: x3\nroll: flip,+4only12,x2even,+4odd,bin 18 6\nmove: x3\n",
    "r-over.txt": "game: slots\nparameters: slots=a:1/2\nroll: a 0 1\nmove: a\nroll: none 1 0\nmove: a\n",
    "r-yahtzee.txt": "game: yahtzee\nroll: 66661 2 sixes\nmove: keep 6666\n",
    "r-against.txt": "game: slots\nobjective: against 2 scores from 180 to 210\nroll: all 0 6\n",
}
FOLDERS = ("folder", "folder.py", "folder.csv", "folder.html", "folder.svg")


def make_files(place: Path) -> None:
    """Write them all."""
    for name, text in TEXTS.items():
        (place / name).write_text(text, encoding="utf-8")
    for name in FOLDERS:
        (place / name).mkdir()
    for name in ("binary.bin", "binary.py"):
        (place / name).write_bytes(b"\xff\x00\xfe\x80")
    (place / "utf16.txt").write_text("180\n", encoding="utf-16")
