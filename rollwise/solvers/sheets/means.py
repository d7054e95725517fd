"""What score sheets are solved with, and how fast that is: known before anything of it is loaded."""

__all__ = ["DUEL_ENGINES", "KEEPS_PER_SECOND"]

DUEL_ENGINES = {"cpu": "duel-numba", "gpu": "duel-cuda"}
KEEPS_PER_SECOND = {"float64": 1.7e9, "float32": 3.4e9}
"""Keep values a core computes in a second, measured with yazy on a 2024 server; a turn has one per keep and roll."""
