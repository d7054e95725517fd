"""`rollwise completion`: a script that lets the shell complete commands, options and games."""

import argparse
from typing import Any

from rollwise.cli.shared import add_command
from rollwise.errors import one_of

__all__ = ["add"]

BASH = """\
_rollwise() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"
    else case "${{COMP_WORDS[1]}}" in
{cases}
    esac; fi
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
}}
complete -F _rollwise rollwise
"""

FISH = """\
complete -c rollwise -n '__fish_use_subcommand' -f -a '{commands}'
{cases}
"""


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "completion",
        lambda options: _completion(options, commands),
        "print a completion script for your shell",
        "source <(rollwise completion bash)\n  rollwise completion zsh > ~/.rollwise && source ~/.rollwise\n"
        "  rollwise completion fish > ~/.config/fish/completions/rollwise.fish",
    )
    parser.add_argument("shell", metavar="bash|zsh|fish", help="the shell to write for")


def _completion(options: argparse.Namespace, commands: Any) -> None:
    shell = one_of("shell", options.shell, ("bash", "fish", "zsh"))
    words = {name: _words(parser) for name, parser in commands.choices.items()}
    if shell == "fish":
        lines = [f"complete -c rollwise -n '__fish_seen_subcommand_from {name}' -a '{found}'" for name, found in words.items()]
        print(FISH.format(commands=" ".join(words), cases="\n".join(lines)), end="")
        return
    cases = "\n".join(f'        {name}) words="{found}" ;;' for name, found in words.items())
    start = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    print(start + BASH.format(commands=" ".join(words), cases=cases), end="")


def _words(parser: argparse.ArgumentParser) -> str:
    """The options of a command, and the catalogue where it takes a game."""
    from rollwise.games import CATALOGUE

    options = [option for action in parser._actions for option in action.option_strings if option.startswith("--")]
    takes_game = any(action.dest == "game" for action in parser._actions)
    return " ".join([*(CATALOGUE if takes_game else ()), *options])
