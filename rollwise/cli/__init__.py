"""The command line: one file a command."""

from rollwise.cli.main import main

__all__ = ["main"]
