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
    "empty.py": "",
    "two.py": GAME_FILE + GAME_FILE.replace("Higher", "Lower"),
    "bad.py": "def (\n",
    "missing.py": "import nothing_of_that_name\n",
    "raising.py": "raise KeyError('lost')\n",
    "exits.py": "raise SystemExit(0)\n",
    # Opponents
    "scores.txt": "180\n210 2\n",
    "badscores.txt": "score games\n180 many\n",
    "three.txt": "180 1 1\n",
    "zero.txt": "180 0\n",
    "minus.txt": "180 -1\n",
    "nanweight.txt": "180 nan\n",
    "infscore.txt": "inf 1\n",
    "hugescore.txt": f"{10**400} 1\n",
    "halfscore.txt": "180.5 1\n",
    "broken.json": '{"180": ',
    "deep.json": "[" * 100_000,
    "text.json": '["many"]',
    "true.json": "[true]",
    "noscores.json": "[]",
    "negative.json": '{"180": -1}',
    "nan.json": '{"180": NaN}',
    "halfscore.json": "[180.5]",
    "spread.json": '{"lowest": "0", "chance": 1}',
    "rolls.json": '{"what": "rolls", "lowest": 0, "chance": [1]}',
    # Strategy cards
    "good.card": "if roll >= 5: x3\notherwise: most points\n",
    "odd.card": "if rol >= 3: x3\n",
    "verb.card": "# a slot that is none\notherwise: x33\n",
    # Records
    "r-good.txt": "game: slots\nroll: all 0 6\nmove: x3\n",
    "r-nogame.txt": "roll: all 0 6\n",
    "r-unknown.txt": "game: slotz\nroll: all 0 6\n",
    "r-key.txt": "game: slots\nrolls: all 0 6\n",
    "r-nocolon.txt": "game slots\n",
    "r-noroll.txt": "game: slots\nmove: x3\n",
    "r-twogames.txt": "game: slots\ngame: yazy\n",
    "r-late.txt": "game: slots\nroll: all 0 6\nparameters: target=40\n",
    "r-parameter.txt": "game: slots\nparameters: target\n",
    "r-twice.txt": "game: slots\nparameters: target=40 target=41\n",
    "r-quote.txt": "game: slots\nparameters: 'target=40\n",
    "r-objective.txt": "game: slots\nobjective: most\n",
    "r-target.txt": "game: slots\nobjective: at-least ²\n",
    "r-hugetarget.txt": f"game: slots\nobjective: at-least {10**400}\n",
    "r-badroll.txt": "game: slots\nroll: all 0 7\n",
    "r-badmove.txt": "game: slots\nroll: all 0 6\nmove: x4\n",
    "r-illegal.txt": "game: slots\nroll: all 0 6\nmove: x3\nroll: flip,+4only12,x2even,+4odd,bin 18 6\nmove: x3\n",
    "r-cannot.txt": "game: slots\nroll: all 0 6\nmove: x3\nroll: flip,+4only12,x2even,+4odd,bin 17 6\n",
    "r-first.txt": "game: slots\nroll: x3,bin 0 6\n",
    "r-order.txt": "game: slots\nroll: all 0 6\nroll: all 0 5\n",
    "r-emptyroll.txt": "game: slots\nroll:\n",
    "r-over.txt": "game: slots\nparameters: slots=a:1/2\nroll: a 0 1\nmove: a\nroll: none 1 0\nmove: a\n",
    "r-yahtzee.txt": "game: yahtzee\nroll: 66661 2 all\nmove: keep 6666\n",
    "r-yahtzee-move.txt": "game: yahtzee\nroll: 66661 2 all upper 0\nmove: keep 5555\n",
    "r-yahtzee-against.txt": "game: yahtzee\nobjective: against 2 scores from 180 to 210\nroll: 66661 2 all upper 0\n",
    "r-yatzy-target.txt": "game: yatzy\nobjective: at-least 300\nroll: 66661 2 all upper 0\n",
    "r-maxi.txt": "game: maxi-yatzy\nroll: 666611 1 all upper 0\n",
    "r-pig.txt": "game: pig\nparameters: target=20\nroll: 0 0 first 3\nmove: throw\n",
    "r-against.txt": "game: slots\nobjective: against 2 scores from 180 to 210\nroll: all 0 6\n",
    "r-file.txt": "game: nowhere.py\nroll: 1\n",
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
