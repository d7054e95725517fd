"""Notation, views and the vocabulary of strategy cards, for games of your own."""

from rollwise.model.abilities import Heuristic
from rollwise.model.card import CardFeature, Verb, Vocabulary
from rollwise.model.notation import Notation
from rollwise.model.view import View

__all__ = ["CardFeature", "Heuristic", "Notation", "Verb", "View", "Vocabulary"]
