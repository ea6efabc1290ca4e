"""Planning and playing: the same rows for any jobs, chunks and interruptions; bad policies are named."""

import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.engine.contract import WEIGHTS
from sim.errors import UserError
from sim.executors import play_serial
from sim.games import find_game
from sim.lineup import arrangements
from sim.plan import Run, plan_run, rebuild_run
from sim.policies import PolicyError, PolicyStuckError, find_policy, list_policies
from sim.rulebook import load_rules
from sim.runner import RunInterruptedError, glance, simulate
from sim.store import RunFolder, create_run, open_run

ROOT = Path(__file__).parent.parent.parent
GAME = find_game("end-of-atlantis")
PLUGINS = """
import time
from kernels.end_of_atlantis import policy

def first(state, rules, legal, n, weights, scratch):
    return 0

def last(state, rules, legal, n, weights, scratch):
    return n - 1

jitted_last = policy(last)

@policy
def far(state, rules, legal, n, weights, scratch):
    return n if state.turn == 2 else 0

@policy
def endless(state, rules, legal, n, weights, scratch):
    while n > 0:
        n += 1 if n < 100 else -1
    return 0

def nothing(state, rules, legal, n, weights, scratch):
    pass

def broken(state, rules, legal, n, weights, scratch):
    return legal[n + 1000]

class Learned:
    def __init__(self):
        self.choice = 0

    def __call__(self, state, rules, legal, n, weights, scratch):
        return self.choice

class Needy:
    def __init__(self, model):
        pass

class Silent:
    pass

def short(state, rules):
    return 0

number = 7
"""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(PLUGINS)
    return path


def plan(lineup: str = "greedy*2,random", games: int = 60, players: int = 3, **changes: object) -> Run:
    settings = changes.pop("settings", ())
    return plan_run(
        GAME, load_rules(GAME, players, settings=settings), lineup, **{"seed": 7, "games": games} | changes
    )


def rows(folder: RunFolder) -> dict[str, pl.DataFrame]:
    return {table: folder.scan(table).collect() for table in folder.tables}


def assert_same_rows(one: RunFolder, other: RunFolder) -> None:
    for table, frame in rows(one).items():
        assert frame.height > 0
        assert frame.equals(rows(other)[table]), table


# Planning


@given(
    lineup=st.lists(st.sampled_from("abcde"), min_size=2, max_size=5),
    games=st.integers(1, 5000),
    deals_a_chunk=st.integers(1, 200),
)
def test_chunks_hold_every_game_once_and_never_split_a_deal(
    lineup: list[str], games: int, deals_a_chunk: int
) -> None:
    seatings = len(arrangements(lineup))
    run = Run(GAME, None, tuple(lineup), (), 1, games, "turns", deals_a_chunk * seatings)
    chunks = run.chunks()
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    assert [game for chunk in chunks for game in range(chunk.first, chunk.first + chunk.games)] == list(
        range(games)
    )
    deals = [{game // seatings for game in range(chunk.first, chunk.first + chunk.games)} for chunk in chunks]
    assert sum(map(len, deals)) == len(set().union(*deals))


@pytest.mark.parametrize("games", [1, 5, 1000, 100_000])
@pytest.mark.parametrize("lineup", ["random", "random*2,greedy"])
def test_a_chosen_chunk_is_whole_deals(lineup: str, games: int) -> None:
    run = plan(lineup, games)
    assert run.chunk % len(run.arrangements) == 0
    assert run.chunk > 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": -1}, "seed -1 is out of range"),
        ({"seed": 2**64}, "out of range"),
        ({"games": 0}, "0 games cannot be played"),
        ({"games": 10**12}, "games cannot be played: from 1 to"),
        ({"detail": "all"}, "no detail named all. Details: seats, turns, votes"),
        ({"lineup": "greedy"}, ""),
        ({"lineup": "greddy"}, "no policy named greddy. Did you mean greedy?"),
        ({"lineup": "nowhere.py:f"}, "no policy file nowhere.py"),
    ],
)
def test_a_plan_that_cannot_be_is_explained(changes: dict[str, object], said: str) -> None:
    if not said:
        assert plan(**changes).lineup == ("greedy",) * 3
        return
    with pytest.raises(UserError) as error:
        plan(**changes)
    assert said in str(error.value)


def test_a_run_is_rebuilt_from_its_manifest() -> None:
    run = plan(settings=["start_vp=3"], detail="votes", chunk=30, limit=500)
    manifest = run.manifest("atlantis simulate ...")
    again = rebuild_run(manifest).manifest("atlantis simulate ...")
    assert again.model_copy(update={"created": manifest.created}) == manifest


def test_the_trace_command_names_the_game(tmp_path: Path) -> None:
    words = shlex.split(plan(settings=["start_vp=3"]).trace_command(41))
    assert words[:3] == ["atlantis", "trace", "end-of-atlantis"]
    options = dict(zip(words[3::2], words[4::2], strict=True))
    assert options == {
        "--players": "3",
        "--lineup": "greedy*2,random",
        "--seed": "7",
        "--game": "41",
        "--set": "start_vp=3",
    }


# Rows


def test_rows_depend_on_neither_jobs_nor_chunks(tmp_path: Path) -> None:
    base = simulate(plan(detail="votes"), tmp_path / "base", jobs=1).folder
    for number, (jobs, chunk) in enumerate([(2, 3), (3, 9), (1, 1000)]):
        other = simulate(plan(detail="votes", chunk=chunk), tmp_path / str(number), jobs=jobs).folder
        assert_same_rows(base, other)


def test_serial_and_threads_give_the_same_rows(tmp_path: Path) -> None:
    run = plan(chunk=12)
    serial = create_run(tmp_path / "serial", run.manifest())
    heard: list[int] = []
    play_serial(run, run.chunks(), serial.write_part, heard.append)
    assert heard == [12, 24, 36, 48, 60]
    assert_same_rows(serial, simulate(run, tmp_path / "threads", jobs=2).folder)


def test_detail_adds_tables_and_changes_no_row(tmp_path: Path) -> None:
    folders = {
        detail: simulate(plan(detail=detail), tmp_path / detail).folder
        for detail in ("seats", "turns", "votes")
    }
    kept = {detail: set(folder.tables) for detail, folder in folders.items()}
    assert kept["seats"] < kept["turns"] < kept["votes"]
    assert_same_rows(folders["seats"], folders["turns"])
    assert_same_rows(folders["turns"], folders["votes"])


def test_every_seating_of_a_deal_is_played(tmp_path: Path) -> None:
    folder = simulate(plan("greedy*2,random", 30), tmp_path / "run").folder
    games = folder.scan("games").collect()
    assert games["game"].to_list() == list(range(30))
    assert games["deal"].to_list() == [game // 3 for game in range(30)]
    assert games["arrangement"].to_list() == [game % 3 for game in range(30)]
    seats = folder.scan("seats").sort("game", "seat").collect()
    random_seat = seats.filter(pl.col("policy") == "random")["seat"].to_list()
    assert len(random_seat) == 30
    for deal in range(10):
        assert sorted(random_seat[3 * deal : 3 * deal + 3]) == [0, 1, 2]


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    one, other = (simulate(plan(seed=seed), tmp_path / str(seed)).folder for seed in (7, 2**63 + 1))
    assert not one.scan("seats").collect().equals(other.scan("seats").collect())


def test_plain_python_plays_the_same_rows(plugin: Path, tmp_path: Path) -> None:
    folders = []
    for name in ("last", "jitted_last"):
        run = plan(f"greedy,random,{plugin}:{name}", games=6)
        assert run.jitted == (name == "jitted_last")
        folders.append(simulate(run, tmp_path / name, jobs=2).folder)
    for table in folders[0].tables:
        one, other = (folder.scan(table).drop("policy", strict=False).collect() for folder in folders)
        assert one.equals(other), table


# Interruption, resumption, replacement


def test_an_interrupted_run_resumes_to_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = plan(chunk=3)
    path = tmp_path / "broken off"
    write = RunFolder.write_part
    third_part, interrupted = Event(), Event()

    def wait_for_ctrl_c(self: RunFolder, number: int, rows: object) -> None:
        if len(self.complete_chunks()) == 3:
            third_part.set()
            interrupted.wait(60)
        write(self, number, rows)

    def press_ctrl_c(_: int) -> None:
        if third_part.is_set():
            interrupted.set()
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "write_part", wait_for_ctrl_c)
        with pytest.raises(RunInterruptedError) as error:
            simulate(run, path, jobs=2, progress=press_ctrl_c)
    kept = open_run(path).games_done()
    assert 9 <= kept < 60
    assert f"{kept} of 60 games are kept in {path}. " in str(error.value)
    assert f"atlantis simulate --resume -o '{path}'" in str(error.value)
    heard: list[int] = []
    outcome = simulate(run, path, resume=True, progress=heard.append)
    assert (outcome.kept, outcome.games) == (kept, 60 - kept)
    assert all(kept <= games <= 60 for games in heard)
    assert_same_rows(outcome.folder, simulate(run, tmp_path / "whole").folder)


def test_lost_parts_are_played_again(tmp_path: Path) -> None:
    run = plan(chunk=12)
    whole = simulate(run, tmp_path / "whole").folder
    path = tmp_path / "lossy"
    simulate(run, path)
    for number in (1, 4):
        (path / "games" / f"part-{number:06d}.parquet").unlink()
    (path / "seats" / "part-000004.parquet").unlink()
    assert open_run(path).games_done() == 36
    assert_same_rows(simulate(run, path, resume=True).folder, whole)
    assert simulate(run, path, resume=True).games == 0


def test_a_run_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = tmp_path / "run"
    simulate(plan(), path)
    with pytest.raises(UserError, match=r"60 of 60 games\). --resume finishes it, --force replaces it"):
        simulate(plan(), path)
    assert simulate(plan(games=9), path, force=True).folder.scan("games").collect().height == 9
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    (stranger / "precious.txt").write_text("years of work")
    for force in (False, True):
        with pytest.raises(UserError, match="not a run folder"):
            simulate(plan(), stranger, force=force)
    assert [file.name for file in stranger.iterdir()] == ["precious.txt"]
    with pytest.raises(UserError, match="is not there"):
        simulate(plan(), tmp_path / "nowhere", resume=True)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"seed": 8}, "seed is 7 there and 8 here"),
        ({"games": 61}, "games is 60 there and 61 here"),
        ({"detail": "seats"}, "detail is turns there and seats here"),
        ({"lineup": "random"}, "lineup is greedy,greedy,random there and random,random,random here"),
        ({"limit": 30}, "limit is 20000 there and 30 here"),
        ({"chunk": 3}, "chunk is 6 there and 3 here"),
        ({"settings": ["start_vp=4"]}, "the rule start_vp is 2 there and 4 here"),
    ],
)
def test_only_the_same_run_is_resumed(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    folder = create_run(tmp_path / "run", plan(chunk=6).manifest())
    with pytest.raises(UserError) as error:
        simulate(plan(**{"chunk": 6} | changes), folder.path, resume=True)
    assert said in str(error.value)
    assert not folder.complete_chunks()


def test_a_changed_policy_or_version_is_not_resumed(plugin: Path, tmp_path: Path) -> None:
    lineup = f"greedy*2,{plugin}:first"
    manifest = plan(lineup, games=3).manifest()
    folder = create_run(tmp_path / "run", manifest)
    plugin.write_text(PLUGINS + "\n# another thought\n")
    with pytest.raises(UserError, match=r"the file of .* has changed"):
        simulate(plan(lineup, games=3), folder.path, resume=True)
    run = plan("random", games=3)
    manifest = run.manifest()
    older = manifest.model_copy(update={"versions": manifest.versions | {"atlantis": "0.0.1"}})
    with pytest.raises(UserError, match=r"the version of atlantis is 0\.0\.1 there"):
        simulate(run, create_run(tmp_path / "old", older).path, resume=True)


def test_a_full_disk_is_told_and_parts_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = RunFolder.write_part

    def fill_up(self: RunFolder, number: int, rows: object) -> None:
        if number == 2:
            raise OSError(28, "No space left on device")
        write(self, number, rows)

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "write_part", fill_up)
        with pytest.raises(UserError, match="No space left on device"):
            simulate(plan(chunk=6), tmp_path / "run", jobs=1)
    assert open_run(tmp_path / "run").complete_chunks() == [0, 1]


# Policies


def test_built_in_policies_are_listed_and_found() -> None:
    names = list_policies(GAME)
    assert {"random", "greedy"} <= names.keys()
    for name in names:
        found = find_policy(GAME, name)
        assert found.jitted
        assert found.weights.shape == (WEIGHTS,)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("fist", "has no policy named fist. It offers: first, last, jitted_last, far"),
        ("number", "has no policy named number"),
        ("", "say which policy of"),
        ("short", "is not a policy, which takes (state, rules, legal, n, weights, scratch)"),
        ("Needy", "cannot be made without arguments"),
        ("Silent", "has no __call__(state, rules"),
    ],
)
def test_a_plugin_that_cannot_play_is_explained(plugin: Path, name: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        find_policy(GAME, f"{plugin}:{name}")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(:\n", "SyntaxError: invalid syntax (line 1)"),
        ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero (line 2)"),
        ("import no_such_module_anywhere\n", "ModuleNotFoundError"),
        ("raise SystemExit\n", "SystemExit"),
    ],
)
def test_a_plugin_that_does_not_load_tells_the_line(tmp_path: Path, source: str, said: str) -> None:
    (tmp_path / "bad.py").write_text(source)
    with pytest.raises(UserError) as error:
        find_policy(GAME, f"{tmp_path / 'bad.py'}:f")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("decorated", "said"),
    [
        ("numba.njit('int64(int64)')(lambda x: x)", "takes (state"),
        (
            "numba.njit('int64(int64, int64, int64, int64, int64, int64)')(six)",
            "compiled for other arguments",
        ),
        ("numba.njit(lambda s, r, legal, n, w, c: s.no_such_field)", "numba cannot compile"),
    ],
)
def test_a_jitted_plugin_must_fit_the_game(tmp_path: Path, decorated: str, said: str) -> None:
    source = f"import numba\ndef six(a, b, c, d, e, f):\n    return 0\nmine = {decorated}\n"
    (tmp_path / "jitted.py").write_text(source)
    with pytest.raises(UserError) as error:
        find_policy(GAME, f"{tmp_path / 'jitted.py'}:mine")
    assert said in str(error.value)


def test_a_jitted_plugin_without_signature_is_given_one(tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text("import numba\nmine = numba.njit(lambda s, r, legal, n, w, c: n - 1)\n")
    run = plan(f"{tmp_path / 'bare.py'}:mine", games=3)
    assert run.jitted
    assert simulate(run, tmp_path / "run").games == 3


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("far", "but"),
        ("nothing", "raised TypeError: 'NoneType' object cannot be interpreted as an integer"),
        ("broken", "raised IndexError"),
    ],
)
def test_a_policy_that_errs_is_named_with_the_way_to_see_it(
    plugin: Path, tmp_path: Path, name: str, said: str
) -> None:
    run = plan(f"greedy*2,{plugin}:{name}", games=30, chunk=3)
    with pytest.raises(PolicyError) as error:
        simulate(run, tmp_path / "run")
    told = str(error.value)
    assert f"the policy {plugin}:{name} " in told
    assert said in told
    assert "prompt " in told
    assert "legal" in told
    game = int(told.split("(game ")[1].split(",")[0])
    assert told.endswith(run.trace_command(game))
    assert error.value.exit_code == 3
    open_run(tmp_path / "run")


def test_an_object_of_a_class_plays(plugin: Path, tmp_path: Path) -> None:
    run = plan(f"greedy*2,{plugin}:Learned", games=3)
    assert simulate(run, tmp_path / "run").folder.games_done() == 3


def test_a_policy_that_never_answers_is_named_and_finished_parts_stay(tmp_path: Path) -> None:
    released, calls = Event(), iter(range(10**9))

    def tire(*_: object) -> int:
        if next(calls) > 500:
            released.wait()
        return 0

    run = plan("random", games=30, chunk=1)
    tired = replace(run.policies[0], token="tired", function=tire, jitted=False)
    run = replace(run, lineup=("tired",) * 3, policies=(tired,) * 3)
    try:
        with pytest.raises(PolicyStuckError) as error:
            simulate(run, tmp_path / "run", patience=0.5)
    finally:
        released.set()
    assert "the policy tired has not answered for 0.5 s (game " in str(error.value)
    done = open_run(tmp_path / "run").complete_chunks()
    assert done == list(range(len(done)))
    assert done


def test_a_jitted_policy_that_never_answers_ends_the_process(plugin: Path, tmp_path: Path) -> None:
    command = ["simulate", GAME.name, "--games", "10", "--lineup", f"{plugin}:endless", "--patience", "1"]
    ended = subprocess.run(
        [sys.executable, str(ROOT / "cli.py"), *command, "-o", str(tmp_path / "run")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 3
    assert "has not answered for 1 s" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert open_run(tmp_path / "run").games_done() == 0


# What came out, at a glance


def test_a_glance_agrees_with_the_rows(tmp_path: Path) -> None:
    folder = simulate(plan("greedy*2,random", games=100, chunk=9), tmp_path / "run").folder
    seen = glance(folder)
    assert (seen.games, seen.unseated) == (100, 1)
    games = folder.scan("games").collect()
    assert seen.turns == np.median(games["turns"].to_numpy())
    seats = folder.scan("seats").collect().to_pandas()
    seats = seats[seats["game"] < 99]
    for share in [*seen.seats, *seen.policies]:
        key = "seat" if share.name.isdigit() else "policy"
        mine = seats[seats[key].astype(str) == share.name]
        credit = mine.groupby(mine["game"] // 3)["credit"].mean().to_numpy()
        assert share.n == 33
        half = 1.96 * credit.std(ddof=1) / 33**0.5
        np.testing.assert_allclose(
            [share.mean, share.low, share.high], credit.mean() + np.array([0, -half, half])
        )
    assert [share.name for share in seen.seats] == ["0", "1", "2"]
    assert [share.name for share in seen.policies] == ["greedy", "random"]
    assert sum(share.mean for share in seen.seats) == pytest.approx(1)


def test_truncated_games_are_counted_and_have_no_credit_to_give(tmp_path: Path) -> None:
    folder = simulate(plan("random", games=10, limit=20), tmp_path / "run").folder
    seen = glance(folder)
    assert seen.truncated == 10
    assert seen.seats == []
    assert folder.scan("seats").collect()["credit"].to_list() == pytest.approx([1 / 3] * 30)
    assert glance(simulate(plan("random", games=10), tmp_path / "free").folder).truncated == 0


def test_one_game_has_no_interval(tmp_path: Path) -> None:
    seen = glance(simulate(plan("random", games=1), tmp_path / "run").folder)
    assert all(np.isnan(share.low) for share in seen.seats)
    assert seen.policies == []
