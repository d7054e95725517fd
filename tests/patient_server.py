"""The command `rollwise`, with a server that gives each answer the time it needs: on a busy machine tests are slow, not red."""

import sys
from dataclasses import dataclass

from rollwise.cli.main import main
from rollwise.web import limits


@dataclass(frozen=True)
class PatientLimits(limits.Limits):
    """The limits of the server, but for the time of an answer."""

    follow_seconds: float = 600.0


if __name__ == "__main__":
    limits.Limits = PatientLimits  # type: ignore[misc]
    sys.exit(main())
