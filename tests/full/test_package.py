"""What is published: a wheel and a source archive are built, looked into, installed and tried."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.package import COMMANDS, ROOT, look_into, outside, try_commands


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both from a copy of what history has, with the tools that are installed."""
    copy, built = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("dist")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "--null", "-T", "-", "-cf", copy / "all.tar"], cwd=ROOT, input=listed, check=True)
    subprocess.run(["tar", "-xf", "all.tar"], cwd=copy, check=True)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr or done.stdout
    return built


def test_both_have_what_belongs_there_and_nothing_else(dist: Path) -> None:
    assert look_into(dist) == []


def test_what_is_said_about_it_can_be_shown(dist: Path) -> None:
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir()], check=True, capture_output=True)


def test_an_installed_wheel_runs_every_command_of_the_readme(dist: Path, tmp_path: Path) -> None:
    """In an environment that borrows the libraries of this one; `scripts/release` tries it in an empty one."""
    assert len(COMMANDS) >= 3
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    (wheel,) = dist.glob("*.whl")
    (site,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(tmp_path / "env"),
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    subprocess.run(install, check=True, cwd=tmp_path, env=outside())
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert try_commands(tmp_path / "env" / "bin", tmp_path) == []
