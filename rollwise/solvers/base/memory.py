"""What fits into this machine's memory, asked before anything is allocated."""

from rollwise.errors import GameError

__all__ = ["MemoryLimitError", "check_fits"]

MEMORY_SHARE = 0.6


class MemoryLimitError(GameError):
    """What would be computed does not fit into memory."""


def check_fits(
    what: str, needed: int, most: int | None = None, *, cure: str = "use fewer boxes or a lower bonus threshold"
) -> None:
    """Refuse, before it is allocated, what does not fit into this machine's memory, or needs more than `most` bytes."""
    # Not above: it takes a while to import, and most commands need not know.
    from psutil import virtual_memory  # noqa: PLC0415

    there = virtual_memory().total
    needs = f"{what} needs {needed / 2**30:,.1f} GiB, more than"
    if needed > MEMORY_SHARE * there:
        raise MemoryLimitError(f"{needs} {MEMORY_SHARE:.0%} of the {there / 2**30:,.1f} GiB here: {cure}")
    if most is not None and needed > most:
        raise MemoryLimitError(f"{needs} the {most / 2**30:,.1f} GiB that it may take: {cure}")
