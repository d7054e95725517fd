"""What the tests of the command line share."""

import pytest

from rollwise.cli.main import main

GAME_FILE = '''
from rollwise import Game, die

class Higher(Game):
    """Roll until you are content; each roll but the first costs a point."""
    def start(self): return 0
    def roll(self, pending): return die(6) if pending == 0 else {pending: 1}
    def actions(self, state): return ["stop", "again"] if state > 0 else []
    def play(self, state, action): return 0 if action == "again" else -state
    def gain(self, state, action): return -1 if action == "again" else state
'''


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err
