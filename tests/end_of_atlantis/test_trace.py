"""A game told: golden games, points that add up, and the same game as the run recorded.

The files in the folder golden hold whole games of the random policy as text, the first also as JSON. Where a rule, a
word or a random draw was changed on purpose, write them anew and read the difference:

    ATLANTIS_RENEW_GOLDEN=1 pytest tests/end_of_atlantis/test_trace.py
"""

import json
import os
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest
from click.testing import CliRunner, Result

from cli import atlantis
from kernels.end_of_atlantis import codes
from sim.errors import UserError
from sim.games import find_game
from sim.plan import Run, plan_run
from sim.policies import PolicyStuckError
from sim.rulebook import load_rules
from sim.runner import simulate
from sim.stories.end_of_atlantis import facts as story
from sim.stories.end_of_atlantis.doom import DoomPhase, RetellingError
from sim.stories.end_of_atlantis.landing import score_landing
from sim.stories.end_of_atlantis.teller import UntoldError
from sim.stories.end_of_atlantis.text import Narrator
from sim.trace import Trace, list_changes, list_events, trace_game, trace_recorded, write_text
from tests.contract.told import check_chances

GOLDEN = Path(__file__).parent / "golden"
GAME = find_game("end-of-atlantis")
CASES = {
    "base-4-players": (4, (), 77),
    "2-players": (2, (), 24),
    "5-players": (5, (), 50),
    "family-3-players": (3, ("family",), 36),
    "chosen-aggressive-revealed": (4, ("chosen-ships", "aggressive-neutrals", "revealed-specials"), 7),
}
KINDS = {fact.kind: fact for fact in vars(story).values() if isinstance(fact, type) and hasattr(fact, "kind")}


def plan(players: int = 4, variants: tuple[str, ...] = (), settings: tuple[str, ...] = (), **more: object) -> Run:
    lineup = str(more.pop("lineup", "random"))
    rulebook = load_rules(GAME, players, variants, (), settings)
    return plan_run(GAME, rulebook, lineup, seed=7, games=100, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    return {name: trace_game(plan(players, variants), number) for name, (players, variants, number) in CASES.items()}


def agree(path: Path, text: str) -> None:
    if os.environ.get("ATLANTIS_RENEW_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path.name} has changed; see the top of this file"


# ---- golden games


@pytest.mark.parametrize("name", CASES)
def test_golden_game_as_text(name: str, traces: dict[str, Trace]) -> None:
    agree(GOLDEN / f"{name}.txt", "\n".join(write_text(traces[name])) + "\n")


def test_golden_game_as_json(traces: dict[str, Trace]) -> None:
    name = next(iter(CASES))
    lines = [json.dumps(event, ensure_ascii=False) for event in list_events(traces[name])]
    agree(GOLDEN / f"{name}.json", "[\n" + ",\n".join(lines) + "\n]\n")


# ---- what is told adds up


@pytest.mark.parametrize("name", CASES)
def test_awards_add_up_to_the_final_score_by_source(name: str, traces: dict[str, Trace]) -> None:
    events = list_events(traces[name])
    told: Counter[tuple[int, str]] = Counter()
    for event in events:
        for award in event["data"].get("awards", []):
            told[award["seat"], award["source"]] += award["vp"]
    final = events[-1]["data"]
    for seat, vp in enumerate(final["vp"]):
        assert vp == sum(points[seat] for points in final["sources"].values())
        for source, points in final["sources"].items():
            start = events[1]["data"]["vp"] if source == "start" else 0
            assert start + told[seat, source] == points[seat]
    assert {source for (_, source), vp in told.items() if vp} <= final["sources"].keys()


@pytest.mark.parametrize("name", CASES)
def test_points_said_in_the_text_add_up_turn_by_turn(name: str, traces: dict[str, Trace]) -> None:
    """From the words alone: "Blue +2 VP", "(+1 VP)" after a Faction, "Blue 9 (6 own + ...)" at an arrival."""
    text = re.sub(r"\n {5,}", " ", "\n".join(write_text(traces[name])))
    seat = f"({'|'.join(codes.SEAT_COLOURS)})"
    running = dict.fromkeys(codes.SEAT_COLOURS, 2)
    for line in text.split("\n"):
        standing = re.findall(rf"{seat} (\d+)(?: \([+-]|[,;])", line)
        if line.startswith((" Score", " Result")):
            assert {colour: int(vp) for colour, vp in standing}.items() <= running.items()
            assert len(standing) == traces[name].run.players
            continue
        for colour, vp in (
            *re.findall(rf"{seat} ([+-]\d+) VP", line),
            *re.findall(rf"{seat} [^·+]*\(([+-]\d+) VP\)", line),
            *re.findall(rf"{seat} (\d+) \(\d+ (?:own|colour|for)", line),
        ):
            running[colour] += int(vp)
    assert len(set(running.values())) > 1


@pytest.mark.parametrize("name", CASES)
def test_text_and_events_agree(name: str, traces: dict[str, Trace]) -> None:
    facts = traces[name].facts
    narrator = Narrator()
    said = [" ".join(saying.text for saying in narrator.say(fact)) for fact in facts]
    events = list_events(traces[name])
    assert len(said) == len(events)
    for event, words in zip(events, said):
        data = event["data"]
        for award in data.get("awards", []):
            assert codes.SEAT_COLOURS[award["seat"]] in words
            assert str(abs(award["vp"])) in words
        for ruling in data.get("rulings", []):
            if event["kind"] not in ("call_bidder", "play_orator"):  # said with the bids
                assert ruling in words
        if event["kind"] == "play_card":
            assert words.startswith(codes.SEAT_COLOURS[event["seat"]])
            assert data["card"] in words
        if event["kind"] == "count_votes":
            for bid in data["bids"]:
                assert f"{codes.SEAT_COLOURS[bid['seat']]} {bid['bid']}" in words
    whole = "\n".join(write_text(traces[name]))
    counts = Counter(event["kind"] for event in events)
    assert len(re.findall(r"^Turn ", whole, re.MULTILINE)) == counts["begin_turn"]
    assert len(re.findall(r"^ Vote ", whole, re.MULTILINE)) == counts["count_votes"]
    played = re.findall(r"^   \w+ plays (?!first)", whole, re.MULTILINE)
    assert len(played) == counts["play_card"]


def test_every_kind_is_documented_and_happens_somewhere(traces: dict[str, Trace]) -> None:
    described = dict(re.findall(r"^    ([a-z_]+) *(.*)$", story.__doc__ or "", re.MULTILINE))
    assert described.keys() == KINDS.keys() | {"game"}
    happened = {event["kind"] for trace in traces.values() for event in list_events(trace)}
    assert KINDS.keys() - happened == {"place_setup_cube"}
    for trace in traces.values():
        for event in list_events(trace):
            fields = re.findall(r"\w+", described[event["kind"]].partition("(")[0])
            assert event["kind"] == "game" or set(fields) == event["data"].keys() - {"awards", "rulings"}


def test_rulings_cited_are_rules_that_the_rulebook_does_not_print(traces: dict[str, Trace]) -> None:
    for trace in traces.values():
        open_rules = {rule.ruling for rule in trace.run.rulebook.rules.values() if rule.is_open}
        assert {ruling for fact in trace.facts for ruling in fact.rulings} <= open_rules


def test_a_ruling_that_the_owner_settles_is_not_cited(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[event_cubes]\nstatus = "printed"\n')
    run = plan_run(GAME, load_rules(GAME, 4, (), [file]), "random", seed=7, games=1)
    cited = {ruling for fact in trace_game(run, 0).facts for ruling in fact.rulings}
    assert "E05" not in cited
    assert "E06" in cited


# ---- rules told, against hand-made cases


def landing_rules(**changes: object) -> SimpleNamespace:
    chart = [1, 3, 6, 10, 15]
    rules = {"players": 3, "ships_chart": chart, "royal_chart": chart, "colour_points": 0, "mover_points": 0}
    return SimpleNamespace(**rules, mover_vp=1, science_vp=2, **changes)


def test_the_example_of_the_rulebook() -> None:
    """Receiving Victory Points: Martin 1 of his own, Paul 2, Michael 3, a neutral; Martin played Ships."""
    awards = score_landing(
        landing_rules(), (1, 2, 3, 0, 0, 1), "Ships", mover=0, ally=-1, tile=codes.TILE_ARK, area=codes.AREA_OCEAN
    )
    totals = [sum(award.vp for award in awards if award.seat == seat) for seat in range(3)]
    assert totals == [5, 6, 9]
    assert {(award.source, award.vp) for award in awards if award.seat == 0} == {
        ("refugees_ships", 1),
        ("colours", 3),
        ("mover", 1),
    }


def test_doom_brings_no_mover_a_point_and_six_refugees_count_as_five() -> None:
    awards = score_landing(
        landing_rules(), (6, 0, 1, 0, 0, 0), "Doom phase", mover=-1, ally=-1, tile=codes.TILE_ARK, area=1
    )
    assert [(award.seat, award.source, award.vp) for award in awards] == [
        (0, "refugees_doom", 15),
        (2, "refugees_doom", 1),
        (0, "colours", 1),
        (2, "colours", 1),
    ]


def test_what_the_teller_gets_wrong_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("sim.stories.end_of_atlantis.landing._reward_mover", lambda *_: [])
        with pytest.raises(UntoldError, match="mover"):
            trace_game(plan(), 77)
    monkeypatch.setattr(DoomPhase, "take_from_camp", lambda *_: None)
    with pytest.raises(RetellingError, match=r"camp|aboard"):
        trace_game(plan(), 77)


@pytest.mark.parametrize(
    "settings",
    [
        ("E09=two-each", "E32a=all-lose", "E32b=below-zero", "events_removed=0"),
        ("E13=zero-never-wins", "E22=senate-order", "E27=frozen", "E12=next-ship"),
        ("E24=one-area", "E29b=from-camp", "E10=stay", "E18c=stay"),
        ("E23=neither", "E15=redrawn-through-turn-4", "E46=by-both", "E07=as-laid"),
        ("E02=not-royal-ship", "E03=ships-only", "E01=steps-of-3", "E08=random"),
    ],
)
@pytest.mark.parametrize("players", [3, 5])
def test_other_rulings_are_told_too(players: int, settings: tuple[str, ...]) -> None:
    """The teller compares itself with the kernels at every step, so reaching the end is the test."""
    for number in range(2):
        trace = trace_game(plan(players, settings=settings), number)
        assert trace.facts[-1].kind == "rank"
        assert list(write_text(trace))


# ---- the same game as the run recorded


def test_a_trace_of_a_run_is_what_the_run_recorded(tmp_path: Path) -> None:
    run = plan(lineup="greedy,random*3", detail="votes", settings=("royal_chart=2,4,6,8,10",))
    run = plan_run(GAME, run.rulebook, run.lineup, seed=11, games=8, detail="votes")
    folder = simulate(run, tmp_path / "run", jobs=1).folder
    tables = {table: folder.scan(table).collect() for table in folder.tables}
    for number in (0, 3, 6):
        trace = trace_recorded(folder, number)
        rows = {table: frame.filter(pl.col("game") == number) for table, frame in tables.items()}
        events = list_events(trace)
        assert events[0]["data"]["lineup"] == rows["seats"]["policy"].to_list()
        compare_scores(events, rows)
        compare_arrivals(events, rows["arrivals"])
        compare_plays(events, rows["plays"])
        compare_votes(events, rows["votes"])
    assert list_changes(folder.manifest, trace.run) == []
    with pytest.raises(UserError, match="no game 8"):
        trace_recorded(folder, 8)


def pick(events: list[dict[str, object]], kind: str) -> list[dict[str, object]]:
    return [event for event in events if event["kind"] == kind]


def compare_scores(events, rows) -> None:  # type: ignore[no-untyped-def]
    final = events[-1]
    assert final["turn"] == rows["games"]["turns"].item()
    assert final["data"]["vp"] == rows["seats"]["vp"].to_list()
    assert [seat for seat, rank in sorted(enumerate(rows["seats"]["rank"]), key=lambda pair: pair[1])] == (
        final["data"]["order"]
    )
    assert codes.SETTLED_BY[rows["games"]["decided_by"].item()] == final["data"]["by"]
    for source in codes.SOURCES:
        points = final["data"]["sources"].get(source, [0] * 4)
        assert points == rows["seats"][f"vp_{source}"].to_list()
    for event in pick(events, "score"):
        here = rows["turns"].filter(pl.col("turn") == event["turn"]).sort("seat")
        assert here["vp"].to_list() == event["data"]["vp"]
    events_drawn = [codes.EVENTS.index(event["data"]["event"]) for event in pick(events, "reveal_event")]
    recorded = [rows["games"][f"event_{turn}"].item() for turn in range(1, len(events_drawn) + 1)]
    assert recorded == events_drawn


def compare_arrivals(events, rows) -> None:  # type: ignore[no-untyped-def]
    told = [
        (
            event["turn"],
            event["data"]["ship"]["space"],
            codes.TILES.index(event["data"]["ship"]["tile"]),
            codes.CAUSES.index(event["data"]["by"]),
            -1 if event["data"]["mover"] is None else event["data"]["mover"],
            *event["data"]["cubes"],
            *event["data"]["points"],
        )
        for event in pick(events, "arrive")
    ]
    for event in pick(events, "arrive"):
        for seat, points in enumerate(event["data"]["points"]):
            assert points == sum(a["vp"] for a in event["data"].get("awards", []) if a["seat"] == seat)
    cubes = [*(f"cubes_{seat}" for seat in range(5)), "cubes_neutral"]
    columns = ["turn", "space", "tile", "cause", "mover", *cubes, *(f"vp_{seat}" for seat in range(4))]
    assert rows.select(columns).rows() == told


def compare_plays(events, rows) -> None:  # type: ignore[no-untyped-def]
    told = [
        (
            event["turn"],
            event["data"]["slot"],
            event["seat"],
            codes.POLITICS.index(event["data"]["card"]),
            event["data"]["owner"],
        )
        for event in pick(events, "play_card")
    ]
    assert rows.select("turn", "slot", "seat", "card", "owner").rows() == told
    specials = [event["data"]["special"] is not None for event in pick(events, "play_card")]
    assert [special >= 0 for special in rows["special"]] == specials


def compare_votes(events, rows) -> None:  # type: ignore[no-untyped-def]
    told = []
    for event in pick(events, "count_votes"):
        data = event["data"]
        place = {seat: nth for nth, seat in enumerate(data["places"], 1)}
        for bid in sorted(data["bids"], key=lambda bid: bid["seat"]):
            seat = bid["seat"]
            told.append((event["turn"], data["slot"], seat, bid["bid"], bid["bonus"], place.get(seat, 0)))
    assert rows.select("turn", "slot", "seat", "bid", "bonus", "place").rows() == told


def test_a_truncated_game_says_so() -> None:
    trace = trace_game(plan(limit=40), 0)
    end, rank = list_events(trace)[-2:]
    assert (end["kind"], end["data"]["reason"]) == ("end_game", "truncated")
    assert rank["data"]["shared"]
    assert "cut short" in "\n".join(write_text(trace))


# ---- policies that go wrong


def test_a_policy_that_raises_is_told_up_to_there(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(
        "def odd(state, rules, legal, n, weights, scratch):\n"
        "    if state.turn == 2:\n"
        "        raise ValueError('no idea')\n"
        "    return 0\n"
    )
    trace = trace_game(plan(lineup=f"random*3,{file}:odd"), 0)
    assert trace.error is not None
    assert "raised ValueError: no idea" in str(trace.error)
    assert "turn 2" in str(trace.error)
    assert "Turn 2" in "\n".join(write_text(trace))


def test_a_policy_that_never_answers_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(
        "import time\ndef slow(state, rules, legal, n, weights, scratch):\n    time.sleep(1.5)\n    return 0\n"
    )
    trace = trace_game(plan(lineup=f"random*3,{file}:slow"), 0, patience=0.2)
    assert isinstance(trace.error, PolicyStuckError)
    assert "has not answered for 0.2 s" in str(trace.error)
    assert trace.facts[0].kind == "game"


# ---- the command


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_command(*words: str) -> Result:
    return CliRunner().invoke(atlantis, words, prog_name="atlantis")


def test_the_command_prints_the_golden_game() -> None:
    words = ["trace", GAME.name, "--players", "4", "--lineup", "random", "--seed", "7", "--game", "77", "--no-chances"]
    told = run_command(*words)
    assert told.exit_code == 0, told.output
    assert told.stdout == (GOLDEN / "base-4-players.txt").read_text(encoding="utf-8")
    as_json = run_command(*words, "--format", "json")
    assert json.loads(as_json.stdout) == json.loads((GOLDEN / "base-4-players.json").read_text(encoding="utf-8"))
    check_chances(
        json.loads(run_command(*words[:-1], "--format", "json").stdout), json.loads(as_json.stdout), players=4
    )


def test_the_command_reads_a_run() -> None:
    words = ["--players", "3", "--lineup", "random*2,greedy", "--variant", "family", "--seed", "5"]
    assert run_command("simulate", GAME.name, *words, "--games", "6", "-o", "run").exit_code == 0
    mine = run_command("trace", "run", "--game", "4")
    assert mine.exit_code == 0, mine.output
    assert mine.stdout == run_command("trace", GAME.name, *words, "--game", "4").stdout
    assert "deal 1 in seating 1" in mine.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "neither a game nor a run folder"),
        (["."], "has no manifest.json"),
        ([GAME.name, "--lineup", "randm"], "Did you mean random?"),
        ([GAME.name, "--seed", "-1"], "out of range"),
        (["run", "--game", "2"], "numbered from 0 to 1"),
        (["run", "--seed", "4"], "--seed does not go with a run folder"),
    ],
)
def test_what_cannot_work_is_said_in_a_line(words: list[str], said: str) -> None:
    run_command("simulate", GAME.name, "--lineup", "random", "--games", "2", "--seed", "1", "-o", "run")
    result = run_command("trace", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_changed_policy_file_is_noted() -> None:
    Path("mine.py").write_text("def first(state, rules, legal, n, weights, scratch):\n    return 0\n")
    words = ["--lineup", "random*3,mine.py:first", "--games", "4", "--seed", "1", "-o", "run"]
    assert run_command("simulate", GAME.name, *words).exit_code == 0
    assert run_command("trace", "run").stderr == ""
    Path("mine.py").write_text("def first(state, rules, legal, n, weights, scratch):\n    return n - 1\n")
    assert "the file of mine.py:first" in run_command("trace", "run").stderr


def test_a_policy_error_is_exit_code_3_after_what_was_told() -> None:
    Path("bad.py").write_text("def wild(state, rules, legal, n, weights, scratch):\n    return -1\n")
    result = run_command("trace", GAME.name, "--seed", "1", "--lineup", "random*3,bad.py:wild")
    assert result.exit_code == 3
    assert "the policy bad.py:wild answered -1" in result.stderr
    assert result.stdout.startswith("End of Atlantis, 4 players")
