"""What a solver or an objective of your own is made of, and what its solutions may be able to do."""

from rollwise.model.objective import Words
from rollwise.solvers.base.abilities import (
    AnswersPolicies,
    AnswersTargets,
    EvaluatesCards,
    Explains,
    Follow,
    Follows,
    KeepsPositions,
    ListsDecisions,
    LooksAhead,
    MeasuresMemory,
    Player,
    PlaysMany,
    Reports,
    Splits,
    Tabulates,
    ability,
)
from rollwise.solvers.base.backends import Card, Threads
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.solution import Stored
from rollwise.solvers.base.spread import Spread
from rollwise.solvers.registry import registered, unregister

__all__ = [
    "AnswersPolicies", "AnswersTargets", "Card", "Certificate", "EvaluatesCards", "Explains", "Follow", "Follows", "Form", "How",
    "KeepsPositions", "ListsDecisions", "LooksAhead", "MeasuresMemory", "Player", "PlaysMany", "Reports", "Splits", "Spread",
    "Stored", "Tabulates", "Threads", "Words", "ability", "registered", "unregister",
]  # fmt: skip
