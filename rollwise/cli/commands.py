"""The commands, one file each, in the order `rollwise --help` lists them."""

from rollwise.cli import (
    advise,
    cache,
    check,
    completion,
    export,
    games,
    grade,
    judge,
    new,
    play,
    policy,
    puzzles,
    rate,
    report,
    rules,
    serve,
    show,
    simulate,
    solve,
    spread,
)

__all__ = ["COMMANDS"]

COMMANDS = (
    games, rules, solve, advise, show, spread, report, policy, export, play, serve, grade, rate, puzzles, simulate, new, check,
    judge, cache, completion,
)  # fmt: skip
