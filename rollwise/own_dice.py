"""Dice of one's own: which to take, what their faces are worth, and what recorded rolls say about one."""

from rollwise.playing.choose import ChosenDice, choose_dice
from rollwise.playing.fairness import DieEstimate, FaceEstimate, read_rolls
from rollwise.playing.sensitivity import face_slopes, worth_of_dice
from rollwise.solvers.base.slopes import DieSlopes, FaceSlopes

__all__ = [
    "ChosenDice", "DieEstimate", "DieSlopes", "FaceEstimate", "FaceSlopes", "choose_dice", "face_slopes", "read_rolls",
    "worth_of_dice",
]  # fmt: skip
