"""The commands, one file each, in the order `rollwise --help` lists them."""

from rollwise.commands import advise, check, games, judge, policy, solve

__all__ = ["COMMANDS"]

COMMANDS = (games, solve, advise, policy, check, judge)
