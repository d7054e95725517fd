"""Name the machine and the versions, so that the figures can be read later."""

import os
import platform
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("rollwise", "numpy", "scipy", "numba", "yatzy-solver", "stormpy", "quantecon", "mdpsolver", "icepool")


def describe() -> dict[str, str]:
    """Give what the results depend on, as lines of a name and a text."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": f"{_cpu_model()}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB",
        "load at the start": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, {_compiler()}",
        "packages": ", ".join(f"{package} {_version(package)}" for package in PACKAGES),
    }


def _cpu_model() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text().splitlines() if file.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _compiler() -> str:
    if shutil.which("g++") is None:
        return "no g++"
    found = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True, check=False)
    return f"g++ {found.stdout.strip()}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"
