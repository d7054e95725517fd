"""Solved games on disk."""

from rollwise.cache.kept import Entry, StoreError, clear, entries, load, save, solve, verify
from rollwise.cache.limit import cache_directory, limit_of, set_limit, trim

__all__ = [
    "Entry", "StoreError", "cache_directory", "clear", "entries", "limit_of", "load", "save", "set_limit", "solve", "trim",
    "verify",
]  # fmt: skip
