"""Solved games on disk."""

from rollwise.store.kept import Entry, StoreError, cache_directory, clear, entries, load, save, solve, verify

__all__ = ["Entry", "StoreError", "cache_directory", "clear", "entries", "load", "save", "solve", "verify"]
