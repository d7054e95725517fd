"""What a solver or an objective of your own is made of."""

from rollwise.model.objective import Words
from rollwise.solvers.base.backends import Card, Threads
from rollwise.solvers.base.certificate import Certificate
from rollwise.solvers.base.form import Form
from rollwise.solvers.base.how import How
from rollwise.solvers.base.solution import Stored
from rollwise.solvers.registry import registered, unregister

__all__ = ["Card", "Certificate", "Form", "How", "Stored", "Threads", "Words", "registered", "unregister"]
