"""What a shell is offered, as words and in bash itself."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rollwise.cli.completion import candidates
from rollwise.cli.parsing import COMMANDS, make_parser
from rollwise.games import CATALOGUE
from tests.terminal import run

ROOT = Path(__file__).parent.parent


GAME_FILE = """
format = 1
[parameters]
tiles = { default = 2, from = 2, to = 3 }
[columns]
at = "0..1"
[roll]
dice = 1
to = { at = 1 }
[[action]]
name = "go"
when = "at == 0"
"""


def offered(*words: str) -> list[str]:
    return candidates(make_parser(words[0]), words)


OFFERED = {
    "so": "solve",
    "--v": "--version",
    "solve yah": "yahtzee",
    "solve yahtzee -p jo": "joker=",
    "solve yahtzee -p joker=": "joker=free joker=forced joker=none",
    "solve -p joker=free yahtzee -p joker=n": "joker=none",
    "solve yatzy -p in_order=": "in_order=yes in_order=no",
    "solve yazy -p boxes=ones,tw": "boxes=ones,twos",
    "solve yazy -p boxes=ones,on": "",
    "solve slots -p target=": "target=45",
    "solve yazy --objective at": "at-least at-most",
    "solve yazy --objective=due": "--objective=duel",
    "solve yazy --device ": "cpu gpu",
    "solve yazy --thr": "--threads",
    "solve yazy --threads ": "",
    "distribution slots --policy ": "optimal greedy random game.toml run.py runs/ words.txt",
    "grade game.txt --player ": "first second both",
    "cache ": "list verify limit clear",
    "sweep shut-the-box --over one": "one_die=",
    "sweep shut-the-box --over one_die=never,s": "one_die=never,sum6",
    "sweep slots --find ta": "target",
    "site -o coach kn": "known kniffel",
    "site kniffel yah": "yahtzee",
    "help pos": "positions",
    "completion ": "bash zsh fish words",
    "solve game": "game.toml",
    "solve game.toml -p ": "tiles=",
    "solve game.toml -p tiles=": "tiles=2 tiles=3",
    "solve run": "run.py runs/",
    "solve run.py -p ": "",
    "solve runs/": "runs/inner.toml",
    "words": "",
    "solve words -p words=@wo": "words=@words.txt",
    "report slots -o wo": "words.txt",
}


def test_what_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/inner.toml").touch()
    Path("words.txt").touch()
    Path("run.py").write_text("open('ran', 'w')\n")
    Path("game.toml").write_text(GAME_FILE)
    assert {line: offered(*line.split(" ")) for line in OFFERED} == {line: words.split() for line, words in OFFERED.items()}
    assert not Path("ran").exists()


def test_every_command_and_game_is_offered() -> None:
    names = [command.__name__.rpartition(".")[2] for command in COMMANDS]
    assert offered("") == names
    for name in names:
        assert "--traceback" in offered(name, "--")
    assert {*CATALOGUE} <= {*offered("solve", "")}


def test_words_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "completion", "words", "--", "solve", "yahtzee", "-p", "joker=fr") == (0, "joker=free\n", "")
    line = ("--line=rollwise solve yahtzee -p joker=f", "--typed=f")
    assert run(capsys, "completion", "words", *line) == (0, "free\nforced\n", "")
    assert run(capsys, "completion", "words", "--line=rollwise solve yahtzee -p joker=", "--typed=")[1] == "free\nforced\nnone\n"
    assert run(capsys, "completion", "words", "--line=rollwise solve 'ya", "--typed='ya")[1].split()[0] == "yacht"


SETTINGS = "; ".join(
    f"bind 'set {setting}'" for setting in ("bell-style none", "show-all-if-ambiguous on", "enable-bracketed-paste off")
)
TYPED = {
    "rollwise so": "solve",
    "rollwise solve yahtzee -p joker=fo": "solve yahtzee -p joker=forced",
    "rollwise solve yahtzee -p jok\tfr": "solve yahtzee -p joker=free",
    "rollwise solve yazy --objective=du": "solve yazy --objective=duel",
    "rollwise solve yazy --objective 'at-l": "solve yazy --objective at-least",
    "true; rollwise solve yazy -p boxes=ones,str": "solve yazy -p boxes=ones,straight",
}


class Bash:
    """An interactive bash, at whose prompt is typed; `rollwise` only says what it was given, unless words are asked for."""

    def __init__(self, place: Path) -> None:
        self.pid, self.stream = pty.fork()
        if not self.pid:
            os.chdir(place)
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {**os.environ, "TERM": "dumb", "HISTFILE": "/dev/null"})
        program = f"PYTHONPATH={ROOT} {sys.executable} -m rollwise"
        self.say(f'rollwise() {{ if [ "$1" = completion ]; then {program} "$@"; else echo "<$*>"; fi; }}; {SETTINGS}')
        self.say("source <(rollwise completion bash); echo '<rea''dy>'")
        self.wait("<ready>")

    def say(self, line: str) -> None:
        os.write(self.stream, f"{line}\n".encode())

    def wait(self, text: str, seconds: float = 600) -> str:
        """Read until a text comes."""
        found, end = "", time.monotonic() + seconds
        while text not in found and time.monotonic() < end:
            if select.select([self.stream], [], [], 0.1)[0]:
                found += os.read(self.stream, 65536).decode(errors="replace")
        return found

    def close(self) -> None:
        os.close(self.stream)
        os.waitpid(self.pid, 0)


@pytest.mark.full
@pytest.mark.skipif(subprocess.run(["which", "bash"], capture_output=True, check=False).returncode != 0, reason="no bash")
def test_bash_completes(tmp_path: Path) -> None:
    bash = Bash(tmp_path)
    try:
        for line, wanted in TYPED.items():
            bash.say(f"{line}\t")
            assert f"<{wanted}" in bash.wait(f"<{wanted}")
        bash.say("rollwise solve yahtzee -p joker=\t")
        assert "forced" in bash.wait("<solve yahtzee -p joker=>")
    finally:
        bash.close()
