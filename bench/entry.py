"""How the programs beside `python -m bench` run: what one needs and does not find, a card or a package, is said in one line."""

import sys
from collections.abc import Callable, Sequence

from rollwise.errors import RollwiseError

__all__ = ["run"]


def run(main: Callable[[Sequence[str]], object], words: Sequence[str] | None = None) -> int:
    """Run a program with its arguments, and give its exit code."""
    try:
        main(sys.argv[1:] if words is None else words)
    except (RollwiseError, ModuleNotFoundError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0
