"""What is published: look into the wheel and the source archive, and try an installed one by the README's commands.

python -m tests.package dist                     look into what was built
python -m tests.package --try ENV/bin --in DIR   run every command of the README, in a folder outside the checkout
"""

import argparse
import os
import re
import shlex
import subprocess
import tarfile
import zipfile
from pathlib import Path

__all__ = ["COMMANDS", "look_into", "outside", "try_commands"]

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ (?:\./scripts/run|rollwise) (.+)$", README, re.MULTILINE)
"""The commands of the README, without what runs them."""

CODE = {".py", ".pyi"}


def shipped() -> set[str]:
    """Name the files of the package that history has."""
    listed = subprocess.run(["git", "ls-files", "rollwise"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {name for name in listed.splitlines() if not name.endswith(".d.ts")}  # those are for checks of the scripts


def look_into(dist: Path) -> list[str]:
    """Say what is wrong with a wheel and a source archive: files that are missing, and files that do not belong there."""
    (wheel,), (source,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as packed:
        inside = {name for name in packed.namelist() if ".dist-info/" not in name}
    with tarfile.open(source) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    faults = [f"{wheel.name} lacks {name}" for name in sorted(shipped() - inside)]
    faults += [f"{wheel.name} has {name}, which is not of the package" for name in sorted(inside - shipped())]
    faults += [f"{source.name} lacks {name}" for name in sorted({*shipped(), "LICENSE", "README.md", "pyproject.toml"} - sources)]
    return faults


def outside() -> dict[str, str]:
    """Give the environment as it is outside the checkout."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def try_commands(bin_folder: Path, folder: Path) -> list[str]:
    """Run the commands of the README as they stand, in a folder outside the checkout; give those that failed, and why."""
    environ = outside()
    environ |= {"PATH": f"{bin_folder}{os.pathsep}{environ.get('PATH', '')}", "XDG_CACHE_HOME": str(folder / "cache")}
    where = subprocess.run(
        [bin_folder / "python", "-c", "import rollwise; print(rollwise.__file__)"],
        cwd=folder, env=environ, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    faults = [f"the checkout is used: {where.strip()}"] if str(ROOT / "rollwise") in where else []
    for command in COMMANDS:
        run = _serve if command.split()[0] == "serve" else _run
        fault = run([str(bin_folder / "rollwise"), *shlex.split(command, comments=True)], folder, environ)
        faults += [f"rollwise {command}: {fault}"] if fault else []
    return faults


def _run(command: list[str], folder: Path, environ: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=600, check=False)
    return "" if done.returncode == 0 and done.stdout else f"exit code {done.returncode}, {done.stderr.strip() or 'no output'}"


def _serve(command: list[str], folder: Path, environ: dict[str, str]) -> str:
    """Start the server, and see that it says where it is."""
    with subprocess.Popen([*command, "--port", "0"], cwd=folder, env=environ, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.terminate()
    return "" if "http://" in said else f"said {said!r}"


def main() -> None:
    """Look into what was built, or try what is installed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dist", nargs="?", type=Path)
    parser.add_argument("--try", dest="bin", type=Path)
    parser.add_argument("--in", dest="folder", type=Path)
    given = parser.parse_args()
    faults = try_commands(given.bin, given.folder) if given.bin else look_into(given.dist)
    raise SystemExit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
