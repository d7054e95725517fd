"""The commands, one file each, in the order `rollwise --help` lists them."""

from rollwise.cli import (
    advise,
    cache,
    card,
    check,
    cluster,
    completion,
    export,
    games,
    grade,
    help,  # noqa: A004  (a command is called so)
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
    site,
    solve,
    spread,
    sweep,
)

__all__ = ["COMMANDS"]

COMMANDS = (
    games, rules, solve, advise, show, spread, sweep, report, policy, card, export, play, serve, site, grade, rate, puzzles,
    simulate, new, check, judge, cache, cluster, completion, help,
)  # fmt: skip
