"""The notebooks run from start to end, and hold what a run of them shows."""

import ast
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from sim.games import OWN
from tests.machinery.notebooks import execute, list_notebooks

NOTEBOOKS = list_notebooks()
MOST_BYTES = 300_000
LOGIC = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.If, ast.Try)


def read(path: Path) -> NotebookNode:
    return nbformat.read(path, as_version=4)


def list_code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def list_kinds(cell: NotebookNode) -> list[str]:
    """What a cell shows, as the sorts of its outputs; what is printed may come in any number of pieces."""
    kinds = [kind for output in cell.outputs for kind in output.get("data", {output.get("name", "error"): ""})]
    return sorted(set(kinds))


def test_there_are_four() -> None:
    assert [path.name[:3] for path in NOTEBOOKS] == ["01_", "02_", "03_", "04_"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_shows_the_sort_of_thing_that_is_stored(path: Path, tmp_path: Path) -> None:
    fresh, stored = list_code(execute(path, tmp_path)), list_code(read(path))
    for ran, kept in zip(fresh, stored, strict=True):
        said = "".join(output.get("text", "") for output in ran.outputs if output.get("name") == "stderr")
        assert not said, f"{ran.source}\n{said}"
        assert list_kinds(ran) == list_kinds(kept), f"{ran.source}\nRun make notebooks."


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_is_whole_and_light(path: Path) -> None:
    cells = list_code(read(path))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert not [output for cell in cells for output in cell.outputs if output.output_type == "error"]
    assert path.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_calls_the_library_and_has_no_logic_of_its_own(path: Path) -> None:
    for cell in list_code(read(path)):
        if not cell.source.startswith("%%writefile"):
            found = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, LOGIC)]
            assert not found, cell.source


def test_every_game_appears() -> None:
    sources = "\n".join(cell.source for path in NOTEBOOKS for cell in list_code(read(path)))
    assert [game.name for game in OWN if f'play("{game.name}"' not in sources] == []
