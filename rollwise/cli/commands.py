"""The commands, one file each, in the order `rollwise --help` lists them."""

from rollwise.cli import (
    advise,
    cache,
    card,
    check,
    cluster,
    completion,
    contest,
    distribution,
    export,
    games,
    grade,
    help,  # noqa: A004  (a command is called so)
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
    sweep,
)

__all__ = ["COMMANDS"]

COMMANDS = (
    games, rules, solve, advise, show, distribution, sweep, report, policy, card, export, play, serve, site, grade, rate, puzzles,
    simulate, new, check, contest, cache, cluster, completion, help,
)  # fmt: skip
