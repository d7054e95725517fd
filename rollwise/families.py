"""Families of games that have fast solvers: score sheets, rerolls to a goal, groups."""

from rollwise.games.groups import GroupingGame
from rollwise.games.sheets.boxes import Box, Joker, UpperBonus
from rollwise.games.sheets.duel import DuelGame
from rollwise.games.sheets.rules import Sheet
from rollwise.games.words import RerollGame

__all__ = ["Box", "DuelGame", "GroupingGame", "Joker", "RerollGame", "Sheet", "UpperBonus"]
