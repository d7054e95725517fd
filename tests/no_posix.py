"""Run by `test_package`: a Python without what only POSIX has imports all of rollwise, solves a game and keeps it in a folder.

Other people's packages come first: they know their systems themselves.
"""

import os
import select
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

OTHERS = (
    "numba", "scipy.sparse.linalg", "psutil", "platformdirs", "rich.console", "rich.progress", "rich.table", "fastapi", "uvicorn",
    "gymnasium", "pettingzoo", "icepool", "pyspiel", "pyarrow", "concurrent.futures", "subprocess", "tempfile",
)  # fmt: skip
MODULES = ("fcntl", "resource", "termios", "pwd", "grp", "tty", "pty")
NAMES: dict[ModuleType, str] = {
    os: "O_NONBLOCK O_NOFOLLOW O_CLOEXEC O_DIRECTORY O_SYNC O_DSYNC fork forkpty getuid geteuid getgid getpgid setsid killpg "
    "pread pwrite preadv pwritev sched_getaffinity sched_setaffinity setpriority getpriority PRIO_PROCESS getloadavg "
    "uname fchmod chown lchown mkfifo posix_fadvise posix_fallocate sync nice",
    signal: "SIGKILL SIGHUP SIGALRM SIGUSR1 SIGUSR2 SIGCHLD SIGPIPE SIGQUIT alarm setitimer pause",
    select: "poll epoll",
}


def become_another_system() -> None:
    """Take away what only POSIX has."""
    for name in OTHERS:
        with suppress(ImportError):
            import_module(name)
    sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]
    for module, names in NAMES.items():
        for name in names.split():
            vars(module).pop(name, None)


def import_everything() -> None:
    """Import every module whose own needs are installed."""
    for found in walk_packages(import_module("rollwise").__path__, "rollwise."):
        if found.name != "rollwise.__main__":
            try:
                import_module(found.name)
            except ImportError as error:
                needs = "pip install" in str(error)  # an optional library
                if not needs and (error.name in MODULES or (error.name or "rollwise").startswith("rollwise")):
                    raise


def solve_and_keep(folder: Path) -> None:
    """Solve a game on the command line, keep it, and use what was kept."""
    command, store = import_module("rollwise.cli.main").main, import_module("rollwise.cache")
    for words in (["solve", "slots", "--cache"], ["advise", "slots", "--state", "all 0 6", "--cache"]):
        assert command([*words, str(folder)]) == 0
    (entry,) = store.verify(folder)
    assert entry.fault is None
    again = store.load(import_module("rollwise.games").load("slots"), directory=folder)
    assert abs(float(again.value()) - 13817 / 46656) < 1e-12
    assert len(store.clear(folder)) == 1
    rollwise, small = import_module("rollwise"), import_module("rollwise.games").load("yazy", boxes="ones,straight")
    whole, resumed = (rollwise.solve(small, rollwise.Duel(), checkpoint=folder / "layers").value() for _ in range(2))
    assert whole == resumed


if __name__ == "__main__":
    become_another_system()
    import_everything()
    solve_and_keep(Path(sys.argv[1]))
