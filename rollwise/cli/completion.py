"""`rollwise completion`: a script that lets the shell complete commands, options, games, parameters and values.

The scripts ask `rollwise completion words -- WORD...` what the last word may become (`candidates.py`). Bash takes a word apart at
`=` and `:`, so it hands over the line, and what it takes for the word.
"""

import argparse
import shlex
from typing import Any

from rollwise.cli.shared import add_command
from rollwise.errors import one_of

__all__ = ["add"]

BASH = """\
_rollwise() {
    local word
    COMPREPLY=()
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
        "$1" completion words --line="${COMP_LINE:0:COMP_POINT}" --typed="$2" 2>/dev/null
    )
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _rollwise rollwise
"""

ZSH = """\
#compdef rollwise
_rollwise() {
    local -a found
    found=("${(@f)$("${words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    found=(${found:#})
    compadd -S '' -- ${(M)found:#*[=/]}
    compadd -- ${found:#*[=/]}
}
(( $+functions[compdef] )) || { autoload -U compinit && compinit }
compdef _rollwise rollwise
"""

FISH = """\
function __rollwise_words
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    $words[1] completion words -- $words[2..-1] "$typed" 2>/dev/null
end
complete -c rollwise -f -a '(__rollwise_words)'
"""

SCRIPTS = {"bash": BASH, "fish": FISH, "zsh": ZSH}
WORDS = "words"


def add(commands: Any) -> None:
    """Add the command."""
    parser = add_command(
        commands, "completion", _completion, "print a completion script for your shell",
        "source <(rollwise completion bash)\n  source <(rollwise completion zsh)\n"
        "  rollwise completion fish > ~/.config/fish/completions/rollwise.fish\n"
        "  rollwise completion words -- solve yahtzee -p joker=",
    )  # fmt: skip
    parser.add_argument(
        "shell", metavar="bash|zsh|fish|words", help="the shell to write for; 'words' lists what the last WORD may become"
    )
    parser.add_argument("words", metavar="WORD", nargs="*", help="with 'words', after '--': the line so far, without 'rollwise'")
    parser.add_argument("--line", metavar="TEXT", help="with 'words': the line so far as it is typed, instead of WORDs")
    parser.add_argument("--typed", metavar="TEXT", help="with --line: the end of it that the shell will replace")


def _completion(options: argparse.Namespace) -> None:
    shell = one_of("shell", options.shell, (*SCRIPTS, WORDS))
    if shell == WORDS:
        print("".join(f"{word}\n" for word in _words(options)), end="")
    elif options.words or options.line is not None:
        options.parser.refuse([*options.words, *([] if options.line is None else ["--line"])])
    else:
        print(SCRIPTS[shell], end="")


def _words(options: argparse.Namespace) -> list[str]:
    from rollwise.cli.candidates import candidates, split_line
    from rollwise.cli.parsing import make_parser

    words = options.words if options.line is None else split_line(options.line)[1:]
    found = candidates(make_parser(words[0] if words else ""), words)
    if options.line is None:
        return found
    kept = _kept(words[-1] if words else "", options.typed or "")
    return [_quoted(word[len(kept) :], options.typed or "") for word in found]


def _kept(word: str, typed: str) -> str:
    """Give the beginning of a word that the shell does not replace: bash breaks words at '=' and ':'."""
    bare = typed.lstrip("'\"")
    return word.removesuffix(bare) if bare and word.endswith(bare) else word if not bare and word.endswith(("=", ":")) else ""


def _quoted(word: str, typed: str) -> str:
    """Write a word for the shell: as in the quotes that are open, or in quotes of its own where it needs them."""
    return word if typed[:1] in ("'", '"') or word.endswith("=") else shlex.quote(word).replace("'@'", "@")
