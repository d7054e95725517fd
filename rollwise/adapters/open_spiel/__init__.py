"""OpenSpiel both ways (extra `rollwise[open-spiel]`): its games solved here, games of this library played there."""

try:
    import pyspiel  # noqa: F401
except ImportError:
    raise ImportError("games of OpenSpiel need OpenSpiel: pip install 'rollwise[open-spiel]'") from None

from rollwise.adapters.open_spiel.from_open_spiel import SpielGame, from_open_spiel
from rollwise.adapters.open_spiel.to_open_spiel import DiceGame, to_open_spiel

__all__ = ["DiceGame", "SpielGame", "from_open_spiel", "to_open_spiel"]
