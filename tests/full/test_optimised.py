"""No result rests on `assert`: there is none in the package, and under `python -O` the same inputs give the same answers."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_package_has_no_assert() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "rollwise").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Assert)
    ]
    assert found == []


def test_certificates_hold_without_assert() -> None:
    done = subprocess.run([sys.executable, "-O", "-m", "tests.optimised"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "all parts hold\n", "")
