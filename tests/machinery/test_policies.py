"""Policies by name, by number, from presets, installed packages and files; starting points; what errs is named."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from click.testing import CliRunner, Result

from cli import atlantis
from kernels.engine.contract import WEIGHTS
from sim import policies
from sim.errors import UserError
from sim.games import GAMES, Game, find_game
from sim.peeking import check_policy
from sim.plan import Run, plan_run
from sim.policies import PolicyError, PolicyStuckError, check_name, find_policy, list_policies
from sim.presets import gather, list_presets, weigh
from sim.rulebook import load_rules
from sim.runner import simulate
from sim.starting_points import write_starting_point
from sim.store import open_run

ROOT = Path(__file__).parent.parent.parent
GAME = find_game("end-of-atlantis")
OTHER = find_game("atlantica")
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def run(*words: str) -> Result:
    return CliRunner().invoke(atlantis, words, prog_name="atlantis")


def plan(game: Game, lineup: str, games: int = 6, **changes: object) -> Run:
    return plan_run(game, load_rules(game, 3), lineup, **{"seed": 7, "games": games, "detail": "seats"} | changes)


# A name with a number


@every_game
def test_a_number_sets_the_trials_and_nothing_else(game: Game) -> None:
    plain, few = find_policy(game, "search"), find_policy(game, "search:7")
    names = game.policies.find_module("search").NAMES
    [changed] = np.flatnonzero(plain.weights != few.weights)
    assert names[changed] == "simulations"
    assert few.weights[changed] == 7
    assert few.token == "search:7"
    assert find_policy(game, "search").weights[changed] == plain.weights[changed] > 7


@every_game
@pytest.mark.parametrize(
    ("token", "said"),
    [
        ("search:0", "search:0: after search comes a whole number from 1 to 1,000,000, as in search:200"),
        ("search:x", "after search comes a whole number"),
        ("search:-3", "after search comes a whole number"),
        ("search:1.5", "after search comes a whole number"),
        ("search:", "after search comes a whole number"),
        ("search:1000001", "after search comes a whole number"),
        ("search:" + "9" * 5000, "after search comes a whole number"),
        ("search:2:3", "after search comes a whole number"),
        ("greedy:5", "greedy:5: greedy takes no number; these do: search:N"),
        ("serch:200", "no policy named serch:200. Did you mean search:200?"),
        ("nobody", "no policy named nobody. Policies: random, greedy, search"),
        ("mine.txt:f", "no policy named mine.txt:f"),
    ],
)
def test_a_name_that_cannot_be_is_explained(game: Game, token: str, said: str) -> None:
    for look_up in (check_name, find_policy):
        with pytest.raises(UserError) as error:
            look_up(game, token)
        assert str(error.value).startswith(said) or said in str(error.value)


# Presets


@every_game
def test_every_preset_loads_and_names_weights_of_its_base(game: Game) -> None:
    built_in = game.policies
    raw = tomllib.loads(game.file("sim.presets", ".toml").read_text())
    assert list(list_presets(game)) == list(raw)
    for name, table in raw.items():
        assert table["base"] in built_in.lines
        names = built_in.find_module(table["base"]).NAMES
        assert set(gather(list_presets(game), name)) <= set(names), name
        weights = find_policy(game, name).weights
        assert weights.shape == (WEIGHTS,)
        assert np.isfinite(weights).all()
        for weight, value in table.get("weights", {}).items():
            assert weights[names.index(weight)] == value


def test_every_file_of_presets_belongs_to_a_game() -> None:
    folder = GAME.file("sim.presets", ".toml").parent
    assert {path.stem for path in folder.glob("*.toml")} <= {game.package for game in GAMES.values()}


@pytest.fixture
def preset_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(Game, "file", lambda game, floor, ending: tmp_path / f"{game.package}{ending}")
    list_presets.cache_clear()
    yield tmp_path / f"{GAME.package}.toml"
    list_presets.cache_clear()


def test_a_preset_begins_with_what_it_is_like(preset_file: Path) -> None:
    preset_file.write_text(
        '[calm]\nline = "waits"\nbase = "greedy"\nweights = { slot = 1.5, wait = 2.0 }\n'
        '[calmer]\nline = "waits longer"\nbase = "greedy"\nlike = "calm"\nweights = { wait = 3.0 }\n'
    )
    greedy = GAME.policies.find_module("greedy")
    found = find_policy(GAME, "calmer").weights[: len(greedy.NAMES)]
    wanted = dict(zip(greedy.NAMES, greedy.WEIGHTS)) | {"slot": 1.5, "wait": 3.0}
    assert dict(zip(greedy.NAMES, found)) == wanted
    assert list_policies(GAME)["calmer"] == "waits longer"
    with pytest.raises(UserError, match="calm takes no number"):
        find_policy(GAME, "calm:3")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[odd]\nline = "x"\nbase = "greedy"\nweights = { slott = 1 }\n', "the preset odd sets slott, but greedy has"),
        ('[odd]\nline = "x"\nbase = "greedy"\nweight = 3\n', "preset key weight is wrong"),
        ('[odd]\nbase = "greedy"\n', "preset key line is wrong"),
        ('[odd]\nline = "x"\nbase = "greedy"\nweights = { slot = "much" }\n', "preset key weights.slot is wrong"),
        ("[odd\n", "end_of_atlantis.toml: "),
    ],
)
def test_a_mistake_in_a_preset_is_explained(preset_file: Path, text: str, said: str) -> None:
    preset_file.write_text(text)
    with pytest.raises(UserError) as error:
        find_policy(GAME, "odd")
    assert said in str(error.value)
    assert "end_of_atlantis.toml" in str(error.value)


def test_weights_of_nobody_are_explained() -> None:
    with pytest.raises(UserError, match="no weights named nobody"):
        weigh(GAME, "nobody")


# Installed packages

MODULE = """
from {kernels} import policy

@policy
def fast(state, rules, legal, n, weights, scratch):
    return (int(state.turn) + int(state.prompt)) % n

def slow(state, rules, legal, n, weights, scratch):
    return (int(state.turn) + int(state.prompt)) % n

number = 7
"""


class Site:
    """A folder on sys.path, into which packages are installed as pip would leave them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, package: str, entries: str, modules: dict[str, str], version: str = "1.2") -> None:
        for name, text in modules.items():
            (self.folder / f"{name}.py").write_text(text)
        told = self.folder / f"{package}-{version}.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
        (told / "entry_points.txt").write_text(f"[atlantis.policies]\n{entries}\n")
        policies._list_installed.cache_clear()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield Site(folder)
    for name in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
    policies._list_installed.cache_clear()


@every_game
def test_an_installed_policy_plays_as_one_from_a_file(game: Game, site: Site, tmp_path: Path) -> None:
    module = f"shop_{game.package}"
    text = MODULE.format(kernels=game.kernels)
    site.install("shop", f"quick = {module}:fast\nslack = {module}:slow", {module: text})
    (tmp_path / "mine.py").write_text(text)
    names = list_policies(game)
    assert names["quick"] == names["slack"] == "from the package shop 1.2"
    assert list(names)[-2:] == ["quick", "slack"]
    frames = {}
    for token, jitted in (("quick", True), ("slack", False), (f"{tmp_path / 'mine.py'}:fast", True)):
        found = find_policy(game, token)
        assert (found.token, found.jitted) == (token, jitted)
        folder = simulate(plan(game, f"{token},greedy*2"), tmp_path / f"{len(frames)}").folder
        frames[token] = folder.scan("seats").drop("policy").collect()
    quick, slack, mine = frames.values()
    assert quick.equals(slack)
    assert quick.equals(mine)
    assert set(list_policies(game)) <= set(json.loads(run("policies", game.name, "--format", "json").stdout))


def test_an_entry_point_may_be_for_one_game_alone(site: Site) -> None:
    text = "def f(state, rules, legal, n, weights, scratch):\n    return 0\n"
    entries = "atlantica.diver = ocean:f\nend-of-atlantis.diver.deep = ocean:f\nany.body = ocean:f\natlantica = ocean:f"
    site.install("ocean", entries, {"ocean": text})
    for game, own in ((OTHER, "diver"), (GAME, "diver.deep")):
        offered = [name for name in list_policies(game) if find_policy(game, name).digest]
        assert sorted(offered) == sorted([own, "any.body", "atlantica"])


def test_a_package_does_not_take_a_name_of_the_game(site: Site) -> None:
    before = list_policies(GAME)
    site.install("thief", "greedy = thief:f\nsearch = thief:f", {"thief": "raise RuntimeError('loaded')\n"})
    assert list_policies(GAME) == before
    assert find_policy(GAME, "greedy").digest == find_policy(GAME, "search:3").digest == ""


def test_a_changed_package_is_another_policy(site: Site) -> None:
    text = "def f(state, rules, legal, n, weights, scratch):\n    return 0\n"
    site.install("moody", "moody = moody:f", {"moody": text})
    before = find_policy(GAME, "moody").digest
    assert before.startswith("moody 1.2 ")
    assert find_policy(GAME, "moody").digest == before
    (site.folder / "moody.py").write_text(text + "# another day\n")
    assert find_policy(GAME, "moody").digest != before


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("nothere:f", "the policy odd of the package oddity 1.2 does not load: ModuleNotFoundError"),
        ("oddity:nobody", "does not load: AttributeError: module 'oddity' has no attribute 'nobody'"),
        ("oddity:number", "cannot be called: oddity:number is of type int"),
        ("oddity:short", "odd is not a policy, which takes (state, rules"),
        ("oddity:fast", "odd was compiled for other arguments than a policy's; decorate it with @policy from"),
        ("leaving:f", "does not load: SystemExit"),
    ],
)
def test_an_installed_policy_that_cannot_play_is_explained(site: Site, entry: str, said: str) -> None:
    text = MODULE.format(kernels=OTHER.kernels) + "\ndef short(state):\n    return 0\n"
    site.install("oddity", f"odd = {entry}", {"oddity": text, "leaving": "raise SystemExit\n"})
    assert "odd" in list_policies(GAME)
    with pytest.raises(UserError) as error:
        find_policy(GAME, "odd")
    assert said in str(error.value)


def test_two_packages_with_one_name_are_told_apart(site: Site) -> None:
    text = "def f(state, rules, legal, n, weights, scratch):\n    return 0\n"
    site.install("one", "twin = one:f", {"one": text})
    site.install("two", "twin = two:f", {"two": text})
    with pytest.raises(UserError, match=r"the packages (one|two) 1.2 and (one|two) 1.2 each offer a policy named"):
        find_policy(GAME, "twin")


# Starting points


@every_game
@pytest.mark.parametrize("name", ["compiled", "Plain"])
def test_a_starting_point_plays_fair(game: Game, name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    write_starting_point(game, path)
    found = find_policy(game, f"{path}:{name}")
    assert found.jitted == (name == "compiled")
    verdict = check_policy(game, found, games=8, worlds=4, timed=False)
    assert verdict.findings == ()
    assert verdict.decisions >= 4 * verdict.games  # of a game of three turns; hundreds in a long one


@every_game
def test_the_commands_of_a_starting_point_run(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = run("policies", "new", game.name, "mine.py")
    assert written.exit_code == 0, written.output
    assert written.stdout == "mine.py\n"
    commands = [line.strip() for line in written.stderr.splitlines() if line.startswith("  atlantis ")]
    assert [words.split()[1] for words in commands] == ["policies", "simulate", "simulate"]
    lineups = {shlex.split(words)[-1].partition(",")[0] for words in commands}
    assert {"mine.py:compiled", "mine.py:Plain"} <= lineups
    for words in commands:
        few = [words if words != "1000" else "8" for words in shlex.split(words)[1:]]
        few += ["--games", "2"] if few[0] == "policies" else ["--seed", "1", "--force"]
        ended = run(*few)
        assert ended.exit_code == 0, f"{words}: {ended.output}"
        assert words in Path("mine.py").read_text()


def test_a_starting_point_overwrites_nothing_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("years = 'of work'\n")
    refused = run("policies", "new", GAME.name, "mine.py")
    assert refused.exit_code == 2
    assert refused.stderr == "Error: mine.py is there already; choose another name, or --force replaces it.\n"
    assert Path("mine.py").read_text() == "years = 'of work'\n"
    assert run("policies", "new", GAME.name, "mine.py", "--force").exit_code == 0
    assert "def compiled(" in Path("mine.py").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "mine.py"], "no game named chess"),
        ([GAME.name, "mine.txt"], "mine.txt: the name of a policy file ends in .py"),
        ([GAME.name, "a,b.py"], "a,b.py: the name of a policy file ends in .py and has none of"),
        ([GAME.name, "nowhere/mine.py"], "nowhere/mine.py cannot be written: No such file or directory"),
        ([GAME.name, "folder.py", "--force"], "folder.py cannot be written: Is a directory"),
        ([GAME.name, "\udcff.py"], "cannot be written"),
        ([GAME.name], "FILE.py"),
    ],
)
def test_a_starting_point_that_cannot_be_is_explained(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.py").mkdir()
    result = run("policies", "new", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.output
    assert [path.name for path in tmp_path.iterdir()] == ["folder.py"]


# The examples of the documentation


@pytest.mark.parametrize("page", ["README.md", "docs/policies.md"])
def test_every_policy_shown_plays_fair(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(# (\w+\.py)\n.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for text, file in blocks:
        (tmp_path / file).write_text(text)
        [name] = re.findall(r"^def (\w+)\(state, rules", text, re.MULTILINE)
        [package] = set(re.findall(r"kernels\.(\w+) import codes", text))
        [game] = [game for game in GAMES.values() if game.package == package]
        verdict = check_policy(game, find_policy(game, f"{tmp_path / file}:{name}"), games=4, timed=False)
        assert verdict.findings == (), file
        assert verdict.decisions > 100


# The option --policy


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def first(state, rules, legal, n, weights, scratch):\n    return 0\n")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "lineup"),
    [
        (["--policy", "mine.py:first"], ["mine.py:first"] * 3),
        (["--policy", "random"], ["random"] * 3),
        (["--policy", "mine.py:first", "--lineup", "greedy"], ["mine.py:first", "greedy", "greedy"]),
        (["--policy", "mine.py:first", "--lineup", "greedy,random"], ["mine.py:first", "greedy", "random"]),
        (["--lineup", "greedy,mine.py:first*2"], ["greedy", "mine.py:first", "mine.py:first"]),
    ],
)
def test_policy_fills_every_seat_or_one_beside_a_lineup(here: Path, options: list[str], lineup: list[str]) -> None:
    common = [GAME.name, "--players", "3", "--seed", "5", *options, "--format", "json"]
    told = run("simulate", *common, "--games", "6", "-o", "run")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["lineup"] == lineup
    again = run("simulate", "--resume", "-o", "run", *options)
    assert "complete already" in again.stdout, again.output
    traced = run("trace", *common)
    assert json.loads(traced.stdout)[0]["data"]["lineup"] == lineup


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--policy", "greedy*3"], "--policy names one policy, got 'greedy*3'"),
        (["--policy", "greedy,random"], "--policy names one policy"),
        (["--policy", ""], "--policy names one policy"),
        (["--policy", "greddy"], "Did you mean greedy?"),
        (["--policy", "nowhere.py:f"], "no policy file nowhere.py"),
        (["--policy", "random", "--lineup", "greedy*4"], "--policy takes one seat, which leaves 3 to --lineup"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "trace"])
def test_a_policy_that_cannot_be_is_explained(here: Path, command: str, words: list[str], said: str) -> None:
    result = run(command, GAME.name, "--seed", "1", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not Path("runs").exists()


def test_a_run_knows_its_policies(here: Path) -> None:
    assert run("simulate", GAME.name, "--games", "2", "--seed", "1", "-o", "run").exit_code == 0
    refused = run("trace", "run", "--policy", "random")
    assert refused.exit_code == 2
    assert "--policy does not go with a run folder" in refused.stderr
    other = run("simulate", "--resume", "-o", "run", "--policy", "random")
    assert other.exit_code == 2
    assert "lineup is greedy,greedy,greedy,greedy there and random,random,random,random here" in other.stderr


# What errs is named, and what was finished stays. The deal is hidden from a fair policy; here it tells when to err.

BAD = """
from numba import njit
from {kernels} import policy

@policy
def beyond(state, rules, legal, n, weights, scratch):
    return n if state.deal == 4 else 0

@policy
def below(state, rules, legal, n, weights, scratch):
    return -1 if state.deal == 4 else 0

@policy
def endless(state, rules, legal, n, weights, scratch):
    while state.deal == 4 and n > 0:
        n += 1 if n < 100 else -1
    return 0

@policy
def quitter(state, rules, legal, n, weights, scratch):
    if state.deal == 4:
        raise ValueError("enough of this")
    return 0

@njit(boundscheck=True)
def astray(state, rules, legal, n, weights, scratch):
    return state.hand[state.actor, n + 90] if state.deal == 4 else 0

def nothing(state, rules, legal, n, weights, scratch):
    return None if state.deal == 4 else 0

def broken(state, rules, legal, n, weights, scratch):
    return [0] * 5 if state.deal == 4 and state.fist_of_fury else 0

def far(state, rules, legal, n, weights, scratch):
    return 10**9 if state.deal == 4 else 0
"""


@pytest.fixture
def bad(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text(BAD.format(kernels=game.kernels))
    return "bad.py"


@every_game
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("beyond", "actions were legal: an answer is 0 to"),
        ("below", "answered -1, but"),
        ("quitter", "raised ValueError: enough of this; there were"),
        ("astray", "raised IndexError: "),
        ("nothing", "raised TypeError: 'NoneType' object cannot be interpreted as an integer"),
        ("broken", "raised AttributeError"),
        ("far", "answered 1000000000, but"),
    ],
)
def test_an_error_names_the_policy_and_its_command_shows_it(game: Game, bad: str, name: str, said: str) -> None:
    run_ = plan(game, f"greedy*2,{bad}:{name}", games=30, chunk=3)
    with pytest.raises(PolicyError) as error:
        simulate(run_, Path("run"), jobs=1)
    told = str(error.value)
    assert told.startswith(f"the policy {bad}:{name} ")
    assert said in told
    prompt = told.split("prompt ")[1].split(")")[0]
    assert prompt in game.module("codes").PROMPTS
    assert "(game 12, prompt" in told  # deal 4 begins with game 12, three seatings a deal
    assert open_run(Path("run")).complete_chunks() == [0, 1, 2, 3]
    assert open_run(Path("run")).scan("games").collect()["game"].to_list() == list(range(12))
    again = run(*shlex.split(told.partition("See it with: atlantis ")[2]))
    assert again.exit_code == 3
    assert f"the policy {bad}:{name} " in again.stderr
    assert f"prompt {prompt}, seat" in again.stderr
    assert said.split(",")[0] in again.stderr


@every_game
def test_a_plain_policy_that_never_answers_is_named(game: Game, tmp_path: Path) -> None:
    released = Event()

    def tire(state: object, *_: object) -> int:
        if state.deal == 4:  # type: ignore[attr-defined]
            released.wait()
        return 0

    run_ = plan(game, "random", games=8, chunk=1)
    tired = replace(run_.policies[0], token="tired", function=tire, jitted=False)
    run_ = replace(run_, lineup=("tired",) * 3, policies=(tired,) * 3)
    try:
        with pytest.raises(PolicyStuckError) as error:
            simulate(run_, tmp_path / "run", patience=0.5)
    finally:
        released.set()
    assert "the policy tired has not answered for 0.5 s (game 4, prompt " in str(error.value)
    assert str(error.value).endswith(run_.trace_command(4))
    assert open_run(tmp_path / "run").complete_chunks() == [0, 1, 2, 3]


@every_game
def test_a_compiled_policy_that_never_answers_ends_the_process(game: Game, bad: str) -> None:
    words = ["simulate", game.name, "--games", "16", "--seed", "1", "--policy", f"{bad}:endless", "--jobs", "1"]
    ended = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *words, "--patience", "1", "-o", "run"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 3, ended.stderr
    assert f"Error: the policy {bad}:endless has not answered for 1 s (game 4, prompt " in ended.stderr
    assert f"atlantis trace {game.name} --players 4 --lineup {bad}:endless --seed 1 --game 4" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert open_run(Path("run")).complete_chunks() == [0, 1]  # parts of two games
