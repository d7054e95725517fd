"""Run the notebooks of `examples`; `python -m tests.full.notebooks` writes their outputs anew."""

from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "NOTEBOOKS", "read", "run"]

FOLDER = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(file.name for file in FOLDER.glob("*.ipynb"))


def read(name: str) -> Any:
    import nbformat  # noqa: PLC0415

    return nbformat.read(FOLDER / name, as_version=4)  # type: ignore[no-untyped-call]


def run(name: str) -> Any:
    """Run a notebook from the top; what it says about times and the machine is left out."""
    from nbclient import NotebookClient  # noqa: PLC0415

    book = read(name)
    about = dict(book.metadata)
    NotebookClient(book, timeout=1200, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    book.metadata.clear()
    book.metadata.update(about)
    for cell in book.cells:
        cell.metadata.pop("execution", None)
    return book


if __name__ == "__main__":
    import nbformat

    for name in NOTEBOOKS:
        nbformat.write(run(name), FOLDER / name)  # type: ignore[no-untyped-call]
