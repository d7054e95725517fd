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
    report,
    serve,
    show,
    simulate,
    solve,
    spread,
)

__all__ = ["COMMANDS"]

COMMANDS = (
    games, solve, advise, show, spread, report, policy, export, play, serve, grade, simulate, new, check, judge, cache,
    completion,
)  # fmt: skip
