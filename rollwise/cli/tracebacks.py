"""`--traceback`: the way to an error, for authors of games, before the line that everybody gets."""

import sys
from collections.abc import Iterator
from traceback import TracebackException

__all__ = ["print_traceback"]

INSTEAD = "\nfrom that came:\n\n"


def print_traceback(error: BaseException) -> None:
    """Print what led to an error on standard error: first what went wrong first, also where the line hides it."""
    parts = ["".join(TracebackException.from_exception(one, compact=True).format(chain=False)) for one in _chain(error)]
    print(INSTEAD.join(reversed(parts)), end="", file=sys.stderr)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Give an error, what it came from, what that came from, and so on."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        yield one
        seen.add(id(one))
        one = one.__cause__ or one.__context__
