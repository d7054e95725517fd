"""Solved games, cached on disk."""

from rollwise.cache.api import CacheError, Entry, clear, entries, load, save, solve, verify
from rollwise.cache.limit import cache_directory, limit_of, set_limit, trim

__all__ = [
    "CacheError",
    "Entry",
    "cache_directory",
    "clear",
    "entries",
    "limit_of",
    "load",
    "save",
    "set_limit",
    "solve",
    "trim",
    "verify",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
