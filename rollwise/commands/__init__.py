"""The commands, one file each, in the order `rollwise --help` lists them."""

from rollwise.commands import advise, cache, check, completion, games, grade, judge, play, policy, report, simulate, solve, spread

__all__ = ["COMMANDS"]

COMMANDS = (games, solve, advise, spread, report, policy, play, grade, simulate, check, judge, cache, completion)
