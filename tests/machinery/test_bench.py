"""The bench: what it counts, how it judges, and that every figure can be had. Never how fast this machine is."""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from analysis import bench
from analysis.commands.bench import as_line
from analysis.questions.question import find_traits
from cli import atlantis
from sim.errors import UserError
from sim.games import find_game
from sim.plan import plan_run
from sim.presets import list_presets
from sim.rulebook import load_rules
from sim.runner import simulate

GAME = find_game("end-of-atlantis")



@pytest.mark.parametrize(
    ("value", "at_least", "met"),
    [(59.9, False, True), (60.0, False, True), (60.1, False, False), (59.9, True, False), (60.0, True, True)],
)
def test_a_target_is_a_most_or_a_least(value: float, at_least: bool, met: bool) -> None:
    figure = bench.Figure("speed", value, "ns", 60, at_least)
    assert figure.met is met
    assert figure.bound == (">= 60" if at_least else "<= 60")
    assert as_line(figure).split()[-3:] == [*figure.bound.split(), "met" if met else "missed"]


def test_a_figure_without_a_target_is_not_judged() -> None:
    figure = bench.Figure("speed", 1.0, "s")
    assert (figure.met, figure.bound) == (None, None)
    assert as_line(figure).split() == ["speed", "1", "s"]


def test_decisions_are_those_of_the_games_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock that advances 1 s a look, a piece takes 1 s: the answer is pieces / decisions."""
    run = plan_run(GAME, load_rules(GAME, 4), "random", seed=bench.SEED, games=12, detail="seats")
    decisions = simulate(run, tmp_path / "run").folder.scan("games").collect()["decisions"].sum()
    ticks = iter(range(1000))
    monkeypatch.setattr(bench.time, "perf_counter", lambda: next(ticks))
    found = bench.time_decisions(GAME, "random", piece=4, pieces=3, rounds=2)
    assert found == pytest.approx(3 / decisions * 1e9)


def test_the_best_time_of_each_piece_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    run = plan_run(GAME, load_rules(GAME, 4), "random", seed=bench.SEED, games=4, detail="seats")
    player, buffers = bench.Player(run), bench.make_buffers(run)
    decisions = 0
    for chunk in run.chunks():
        player.play(chunk, buffers)
        decisions += int(buffers.rows()["games"]["decisions"].sum())
    took = [5, 1, 2, 7]  # pieces 0 and 1, then 0 and 1 again: the best are 2 and 1
    looks = np.cumsum([gap for seconds in took for gap in (0, seconds)])
    monkeypatch.setattr(bench.time, "perf_counter", iter(looks.tolist()).__next__)
    found = bench.time_decisions(GAME, "random", piece=2, pieces=2, rounds=2)
    assert found == pytest.approx(3 / decisions * 1e9)


def test_a_comparison_takes_turns_and_the_middle_ratio() -> None:
    calls: list[str] = []

    def timed(name: str, *seconds: float) -> object:
        left = iter(seconds)

        def call() -> float:
            calls.append(name)
            return next(left)

        return call

    ratio = bench.compare(timed("a", 2, 30, 8), timed("b", 1, 3, 2), pairs=3)
    assert ratio == 4  # of 2, 10 and 4
    assert calls == ["a", "b", "b", "a", "a", "b"]


def test_peak_memory_is_that_of_the_process_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that fills 300 MB holds 300 MB more than one that fills nothing, whatever this one holds."""
    here = b"x" * 200_000_000
    monkeypatch.setattr(bench, "find_command", lambda: [sys.executable, "-c"])
    empty = bench.find_peak(["pass"])
    full = bench.find_peak(["held = b'x' * 300_000_000"])
    assert empty < len(here) / 1e6
    assert full - empty == pytest.approx(300, rel=0.05)


def test_a_process_is_timed_from_start_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "find_command", lambda: [sys.executable, "-c"])
    began = time.perf_counter()
    took = bench.time_process(["import os, time; time.sleep(float(os.environ['NAP']))"], NAP="0.4")
    assert 0.4 <= took <= time.perf_counter() - began


def test_a_process_that_fails_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "find_command", lambda: [sys.executable, "-c"])
    with pytest.raises(UserError, match="cannot be measured: no games today"):
        bench.time_process(["import sys; sys.exit('no games today')"])


def test_benches_are_chosen_by_name() -> None:
    assert bench.choose_benches([]) == [name for name, one in bench.BENCHES.items() if not one.slow]
    assert {name for name, one in bench.BENCHES.items() if one.slow} == {"players", "memory"}
    assert bench.choose_benches([], with_slow=True) == list(bench.BENCHES)
    assert bench.choose_benches(["help", "greedy"]) == ["greedy", "help"]
    assert bench.choose_benches(["memory"]) == ["memory"]
    with pytest.raises(UserError, match=r"nothing named gredy is measured\. Did you mean greedy\?"):
        bench.choose_benches(["gredy"])


def test_every_figure_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the cold compilation, with few games: a figure is a positive number."""
    for name, few in {"PIECE": 2, "PIECES": 2, "ROUNDS": 1, "PAIRED_GAMES": 20, "PAIRS": 1, "STARTS": 1}.items():
        monkeypatch.setattr(bench, name, few)
    monkeypatch.setattr(bench, "SHORT_RUN", 10)
    monkeypatch.setattr(bench, "MIDDLE", 4)
    monkeypatch.setattr(bench, "SEARCH", "search:2")
    monkeypatch.setattr(bench, "count_cores", lambda: 2)
    names = [name for name in bench.BENCHES if name not in ("compile", "players")]
    figures = list(bench.measure(GAME, names, long_run=20))
    assert all(figure.value > 0 for figure in figures)
    styles = [name for name, preset in list_presets(GAME).items() if preset.base == "greedy"]
    assert len({figure.name for figure in figures}) == len(figures) == 13 + len(styles)
    assert [figure.name for figure in figures if figure.target is None] == [
        "search:2, played to the end",
        "simulate against bare kernel, random",
        "memory, 10 games",
        "memory, 20 games",
    ]


def test_players_are_held_against_their_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure of strength carries its interval and n; one duel here, and no speed."""
    monkeypatch.setattr(bench, "DUEL_DEALS", 2)
    monkeypatch.setattr(bench, "list_presets", lambda game: {})
    traits = replace(find_traits(GAME), strength=(("fast", "yardstick", 75.0, True),))
    monkeypatch.setattr(bench, "find_traits", lambda game: traits)
    duel, kept = bench.measure(GAME, ["players"])
    assert (duel.name, duel.unit, duel.bound) == ("fast among three yardstick", "%", ">= 75")
    assert "40 games of 10 deals" in duel.note
    assert kept.name == "most found among three strong"
    assert kept.note


def test_the_command_prints_lines_or_json() -> None:
    told = CliRunner().invoke(atlantis, ["bench", "--only", "help"])
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith("atlantis --help ")
    assert "<= 0.3" in told.stdout
    [row] = json.loads(CliRunner().invoke(atlantis, ["bench", "--only", "help", "--format", "json"]).stdout)
    assert row.keys() == {"name", "value", "unit", "target", "met", "note"}
    assert (row["name"], row["unit"], row["target"]) == ("atlantis --help", "s", "<= 0.3")
    assert row["met"] is (row["value"] <= 0.3)


@pytest.mark.parametrize("words", [["--only", "gredy"], ["chess"], ["--long-run", "0"]])
def test_a_mistake_is_exit_code_2(words: list[str]) -> None:
    told = CliRunner().invoke(atlantis, ["bench", *words])
    assert told.exit_code == 2
    assert told.stdout == ""
