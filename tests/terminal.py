"""What the tests of the command line share."""

import io

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


def run(capsys: pytest.CaptureFixture[str], *arguments: str, typed: str | None = None) -> tuple[int, str, str]:
    """Run a command, with lines on standard input if some are given; give its exit code, output and errors."""
    with pytest.MonkeyPatch.context() as patch:
        if typed is not None:
            patch.setattr("sys.stdin", io.StringIO(typed))
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    out, err = capsys.readouterr()
    return code, out, err
