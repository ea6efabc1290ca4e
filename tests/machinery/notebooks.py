"""The notebooks, run again and kept with what they show: `python -m tests.machinery.notebooks [NAME.ipynb ...]`.

Each runs in a temporary folder, so that what it writes stays out of the repository and no path of this machine gets
into what it shows. What differs from one time to the next without anybody having changed anything is left out.
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parent.parent.parent / "notebooks"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
PATIENCE = 300  # seconds a cell may take; a machine that has compiled nothing yet needs some


def list_notebooks() -> list[Path]:
    """All of them, in the order in which they are to be read."""
    return sorted(FOLDER.glob("*.ipynb"))


def execute(path: Path, folder: Path) -> NotebookNode:
    """The notebook with the outputs of a fresh run in `folder`; what is stored is left alone.

    Raises nbclient's CellExecutionError where a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
    )
    done: NotebookNode = client.execute()
    return done


def save(notebook: NotebookNode, path: Path) -> None:
    """Write it without what depends on the Python that ran it."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def main() -> None:
    for path in [FOLDER / name for name in sys.argv[1:]] or list_notebooks():
        with tempfile.TemporaryDirectory() as folder:
            save(execute(path, Path(folder)), path)
        print(f"{path.name}  {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
