"""Habits of the house: what a reviewer would otherwise have to look for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import grimp

from sim.games import OWN

ROOT = Path(__file__).parent.parent.parent
GAMES = {word for game in OWN for word in (game.name, game.package)}
# Folders, and files, that belong to one game.
OF_A_GAME = re.compile(rf"(^|/)({'|'.join(sorted(GAMES))})(/|\.)")


def modules(*floors: str) -> Iterator[tuple[str, ast.Module]]:
    """The sources of these folders, by their path, but for those that belong to one game."""
    for floor in floors:
        for path in sorted((ROOT / floor).rglob("*.py")) if (ROOT / floor).is_dir() else [ROOT / floor]:
            name = path.relative_to(ROOT).as_posix()
            if not OF_A_GAME.search(name):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def without_docstrings(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node, but for the strings that stand as statements: docstrings and help texts."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    yield from (node for node in ast.walk(tree) if id(node) not in said)


def test_no_game_is_named_outside_its_own_folders():
    found = []
    for name, tree in modules("kernels", "sim", "analysis", "cli.py"):
        for node in without_docstrings(tree):
            words = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            words += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            words += [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
            found += [(name, node.lineno, word) for word in words if GAMES & set(re.split(r"[^\w-]|\.", word))]
    assert {name for name, _, _ in found} <= {"sim/games.py"}, found


def test_no_number_of_seats_is_typed():
    """Arrays by seat are as long as kernels.engine.contract.MAX_PLAYERS."""
    found = []
    for name, tree in modules("sim"):
        if name.startswith("sim/stories/"):
            continue  # columns of text
        constants = {id(node) for top in tree.body if isinstance(top, ast.Assign) for node in ast.walk(top)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and type(node.value) is int and node.value == 5:
                found += [(name, node.lineno)] if id(node) not in constants else []
    assert found == []


def test_no_module_imports_itself_in_a_circle():
    graph = grimp.build_graph("kernels", "sim", "analysis", exclude_type_checking_imports=True)
    below = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    while leaves := [module for module, needs in below.items() if not needs]:
        below = {module: needs - set(leaves) for module, needs in below.items() if needs}
    assert below == {}, f"a circle runs through {', '.join(sorted(below))}"


def test_numba_is_asked_to_compile_in_one_place():
    """Its options, its cache and what it must not do are told in kernels/jit.py."""
    found = []
    for name, tree in modules("kernels", "sim", "analysis"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "numba":
                found += [name for alias in node.names if alias.name in ("njit", "jit", "vectorize", "guvectorize")]
    assert set(found) == {"kernels/jit.py"}


def test_a_shared_module_names_no_game_and_each_game_binds_it():
    """kernels/engine knows games only by what is given to it."""
    for name, tree in modules("kernels/engine"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[:2] != ["kernels", "games"], name
                assert not GAMES & set((node.module or "").split(".")), name


def test_a_test_lies_in_the_folder_of_what_it_tests():
    """No test stands at the top of tests/, and none of a game's outside its folder."""
    assert [path.name for path in (ROOT / "tests").glob("test_*.py")] == []
    for path in (ROOT / "tests").rglob("*.py"):
        assert not any(path.stem.endswith(f"_{game.package}") for game in OWN), path
