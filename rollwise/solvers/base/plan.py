"""What solving a game takes, computed before anything is allocated."""

from dataclasses import dataclass

from rollwise.model.formatting import counted

__all__ = ["Plan"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The size of a solve: `states` values are computed; None: not known before it is done.

    `memory_bytes` is what solving holds at once, `disk_bytes` what stays on disk, `seconds` an estimate.
    """

    states: int | None = None
    memory_bytes: int | None = None
    disk_bytes: int = 0
    seconds: float | None = None

    def size(self) -> str:
        """Say how large it is, for people."""
        return counted(self.states or 0, "position")
