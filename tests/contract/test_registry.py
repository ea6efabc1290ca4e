"""What every game of the house has beside its rules, and what a package that brings one must bring."""

import dataclasses
import shutil
import sys
from pathlib import Path

import pytest

from sim.errors import GameError, UserError
from sim.executors import play_serial
from sim.games import GAMES, OWN, Game, find_game
from sim.pieces import GUIDE, STEPS, check_pieces, list_wanted
from sim.plan import plan_run
from sim.rulebook import load_rules
from sim.trace import trace_game
from tests.machinery.mutants import list_plans, read_plan

ROOT = Path(__file__).parent.parent.parent
SITE = ROOT / "tests" / "tiny" / "site"
house_games = pytest.mark.parametrize("own", OWN, ids=[game.name for game in OWN])


@house_games
def test_a_game_of_the_house_has_everything(own):
    tests, docs = ROOT / "tests" / own.package, ROOT / "docs"
    assert (docs / "contracts" / f"{own.package}.md").is_file()
    assert len(list((tests / "golden").glob("*.txt"))) >= 3
    assert (tests / "golden").glob("*.json")
    for name in ("oracle", "lockstep.py", "coverage_table.py", "soak.py", "test_worked_examples.py"):
        assert (tests / name).exists(), name
    assert own.file("sim.starting_points", ".py.txt").is_file()
    assert own.file("sim.presets", ".toml").is_file()
    assert own.package in list_plans()
    assert len(read_plan(own.package).mutants) == 40


def test_every_game_has_all_pieces_that_a_package_must_bring(game):
    check_pieces(game)


def test_every_piece_has_its_step_in_the_guide():
    guide = (ROOT / GUIDE).read_text(encoding="utf-8")
    for module, step in {**STEPS, "policies": 8, "story": 9}.items():
        section = guide[guide.index(f"## {step}. ") :].partition("\n## ")[0]
        assert not module or module in section, f"step {step} of {GUIDE} does not tell of {module}"
    for names in list_wanted().values():
        for name in names:
            assert f"`{name}`" in guide, f"{GUIDE} does not name {name}"


def test_the_tiny_game_is_found_by_its_entry_point():
    assert list(GAMES)[: len(OWN)] == [game.name for game in OWN]
    assert GAMES["goofspiel"].home == "goofspiel"


# ---- a package that lacks a piece


@pytest.fixture
def borrowed(tmp_path, monkeypatch, request):
    """A copy of the tiny game under a name of its own, importable; returns its folder and the Game."""
    name = f"borrowed_{abs(hash(request.node.name)) % 10**8}"
    folder = tmp_path / name
    shutil.copytree(SITE / "goofspiel", folder)
    for path in folder.rglob("*.py"):
        path.write_text(path.read_text().replace("goofspiel", name))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder, Game(name, "Borrowed", name, (2, 3), home=name)
    for module in [module for module in sys.modules if module.split(".")[0] == name]:
        del sys.modules[module]


def replace(path, old, new):
    """Change one place in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_copy_of_a_whole_game_is_accepted(borrowed):
    check_pieces(borrowed[1])


@pytest.mark.parametrize(
    ("spoil", "lacks", "step"),
    [
        (lambda folder: (folder / "kernels" / "hidden.py").unlink(), "the module {0}.kernels.hidden", 7),
        (lambda folder: (folder / "story.py").unlink(), "the module {0}.story", 9),
        (lambda folder: (folder / "rules" / "base.toml").unlink(), "the file base.toml in {0}.rules", 4),
        (lambda folder: shutil.rmtree(folder / "rules"), "the module {0}.rules.schema", 4),
        (lambda folder: replace(folder / "kernels" / "step.py", "def rank(", "def place("), "{0}.kernels.step.rank", 5),
        (
            lambda folder: replace(folder / "kernels" / "codes.py", "UNFINISHED", "UNENDED"),
            "{0}.kernels.codes.UNFINISHED",
            2,
        ),
        (
            lambda folder: replace(folder / "kernels" / "state.py", '("vp_by"', '("vp_from"'),
            "the field vp_by of {0}.kernels.state.STATE",
            2,
        ),
        (lambda folder: replace(folder / "kernels" / "record.py", "MARKS =", "KEPT ="), "{0}.kernels.record.MARKS", 5),
        (lambda folder: replace(folder / "rules" / "schema.py", "CHECKS", "TOGETHER"), "{0}.rules.schema.CHECKS", 4),
        (
            lambda folder: replace(folder / "kernels" / "tables.py", '"seats": 4,', '"seats": 2,'),
            "3 rows a game for seats in {0}.kernels.tables.MOST_ROWS",
            5,
        ),
        (
            lambda folder: replace(folder / "kernels" / "tables.py", '"legal": [', '"lawful": ['),
            "5 names for the field legal of seats in {0}.kernels.tables.COLUMNS",
            5,
        ),
        (lambda folder: (folder / "kernels/policies/greedy.py").unlink(), "the module {0}.kernels.policies.greedy", 8),
        (lambda folder: (folder / "starting_points.py.txt").unlink(), "the file starting_points.py.txt", 8),
        (lambda folder: (folder / "report.py").unlink(), "the module {0}.report", 9),
    ],
    ids="module story base rules function code field constant checks seats columns greedy start report".split(),
)
def test_what_a_package_lacks_is_named_with_the_step_of_the_guide(borrowed, spoil, lacks, step):
    folder, game = borrowed
    spoil(folder)
    with pytest.raises(UserError) as refused:
        check_pieces(game)
    assert str(refused.value) == f"the game {game.name} lacks {lacks.format(game.name)}; see step {step} of {GUIDE}."


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("schema.py", '"bonus": Whole', '"present": Whole', "the rule present is not in base.toml"),
        ("schema.py", 'words=CHOICES["equal_bids"]', 'words=("nobody",), field="tie"', "the field tie of the rule"),
        ("base.toml", 'value = "nobody"', 'value = "anybody"', "base.toml: equal_bids must be one of nobody"),
        ("base.toml", "set = { bonus = 1 }", "set = { present = 1 }", "an alternative of the rule bonus sets present"),
    ],
    ids=["names", "field", "value", "alternative"],
)
def test_rules_that_do_not_fit_together_are_named(borrowed, file, old, new, said):
    folder, game = borrowed
    replace(folder / "rules" / file, old, new)
    with pytest.raises(UserError) as refused:
        load_rules(game, 2)
    assert str(refused.value).startswith(f"the rules data of Borrowed do not fit: {said}")
    assert str(refused.value).endswith(f"; see step 4 of {GUIDE}.")


def test_more_players_than_seats_are_refused(borrowed):
    _, game = borrowed
    with pytest.raises(UserError, match="lacks players from 2 to 5, and has 2, 6; see step 1"):
        check_pieces(dataclasses.replace(game, players=(2, 6)))


def test_a_game_with_more_rows_than_it_promises_ends_with_a_sentence(borrowed):
    """Before it writes where it must not."""
    folder, game = borrowed
    replace(folder / "kernels" / "tables.py", '"turns": 4 * MOST_CARDS', '"turns": 5')
    run = plan_run(game, load_rules(game, 3), "random", seed=1, games=20, detail="turns", chunk=20)
    with pytest.raises(GameError, match="game 0 has more rows in the table turns than the 5 that MOST_ROWS of") as told:
        play_serial(run, run.chunks(), lambda number, rows: None)
    assert told.value.exit_code == 3


def test_rules_that_stop_end_with_a_sentence_in_a_run_and_in_a_trace(borrowed):
    folder, game = borrowed
    replace(folder / "kernels" / "step.py", "state.step = c.STEP_TURN_UP\n    for seat", "state.step = 7\n    for seat")
    run = plan_run(game, load_rules(game, 3), "random", seed=1, games=20, detail="turns", chunk=20)
    for play in (lambda: play_serial(run, run.chunks(), lambda number, rows: None), lambda: trace_game(run, 0)):
        with pytest.raises(GameError, match="the rules of Borrowed stop where nothing can be done"):
            play()


def test_a_story_that_does_not_add_up_names_the_game(borrowed):
    folder, game = borrowed
    replace(folder / "story.py", "points[taker] += vp", "points[taker] += vp + 1")
    run = plan_run(game, load_rules(game, 3), "random", seed=1, games=20, detail="turns", chunk=20)
    with pytest.raises(GameError, match="the story of Borrowed and its kernels disagree about game 0"):
        trace_game(run, 0)


def install(folder, name, target):
    """Metadata of a package that offers a game at `target`."""
    site = folder / f"{name}-1.0.dist-info"
    site.mkdir()
    (site / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (site / "entry_points.txt").write_text(f"[atlantis.games]\n{name} = {target}\n")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_of_the_kind", "does not load: ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("GAME = 3", "spoilt:GAME is not a Game with the name spoilt and a home"),
        ("raise SystemExit(4)", "does not load: SystemExit: 4"),
    ],
)
def test_a_package_whose_game_does_not_load_spoils_only_itself(tmp_path, monkeypatch, source, said):
    (tmp_path / "spoilt.py").write_text(source)
    install(tmp_path, "spoilt", "spoilt:GAME")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "spoilt", raising=False)
    for cached in ("_found", "broken"):
        GAMES.__dict__.pop(cached, None)
    try:
        with pytest.raises(UserError) as refused:
            find_game("spoilt")
        assert str(refused.value) == f"the game spoilt cannot be used: {said} ({GUIDE}, step 1)."
        assert {game.name for game in OWN} < set(GAMES)
    finally:
        for cached in ("_found", "broken"):
            GAMES.__dict__.pop(cached, None)
