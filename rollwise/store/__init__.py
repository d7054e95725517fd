"""Solved games on disk."""
