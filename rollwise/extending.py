"""What a solver or an objective of your own is made of, and what its solutions may be able to do."""

from rollwise.model.objective import Words
from rollwise.solvers.base.abilities import Explains, Follows, ListsDecisions, Player, PlaysMany, Reports, ability
from rollwise.solvers.base.backends import Card, Threads
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.solution import Stored
from rollwise.solvers.base.spread import Follow, Spread
from rollwise.solvers.registry import registered, unregister

__all__ = [
    "Card", "Certificate", "Explains", "Follow", "Follows", "Form", "How", "ListsDecisions", "Player", "PlaysMany", "Reports",
    "Spread", "Stored", "Threads", "Words", "ability", "registered", "unregister",
]  # fmt: skip
