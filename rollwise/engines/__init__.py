"""Engines: they see arrays, never rules."""
