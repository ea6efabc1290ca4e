"""A game of Atlantica told: golden games, points that add up, and the same game as the run recorded.

The files in tests/atlantica/golden hold whole games of the random policy as text, the first also as JSON. Where a rule,
a word or a random draw was changed on purpose, write them anew and read the difference:

    ATLANTIS_RENEW_GOLDEN=1 pytest tests/atlantica/test_trace.py
"""

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

from cli import atlantis
from kernels.atlantica import codes
from sim.games import find_game
from sim.plan import Run, plan_run
from sim.rulebook import load_rules, rule_options
from sim.runner import simulate
from sim.stories.atlantica import facts as story
from sim.stories.atlantica.book import Book
from sim.stories.atlantica.ledger import UntoldError
from sim.stories.atlantica.scoring import Count, tell_rank
from sim.stories.atlantica.teller import Teller
from sim.stories.atlantica.text import Narrator
from sim.trace import Replay, Trace, list_events, trace_game, trace_recorded, write_text
from tests.contract.told import check_chances
from tests.end_of_atlantis.test_trace import agree

GAME = find_game("atlantica")
CASES: dict[str, tuple[int, tuple[str, ...], int]] = {
    "3-players": (3, (), 12),
    "shared-win": (3, ("A02b=former",), 32),
    "fewer-allowed-and-a-tie": (4, ("A02b=former", "A19=fewer-allowed"), 8),
}
KINDS = {fact.kind: fact for fact in vars(story).values() if isinstance(fact, type) and hasattr(fact, "kind")}
Events = list[dict[str, Any]]

# Typed from "The Possible Actions": what pays the first, second and third card of each location.
PRICES = {
    "Submarine": ({"green", "yellow"}, {"purple"}, {"white"}),
    "Harbor": ({"white", "red"}, {"green", "blue"}, {"purple"}),
    "Tavern": ({"yellow", "purple", "blue"}, {"white"}, {"red"}),
    "Research Station": ({"blue", "red"}, {"yellow"}, {"green"}),
}


def plan(players: int = 3, settings: tuple[str, ...] = (), lineup: str = "random", **more: Any) -> Run:
    return plan_run(GAME, load_rules(GAME, players, (), (), settings), lineup, seed=7, games=100, **more)


@pytest.fixture(scope="module")
def traces() -> dict[str, Trace]:
    return {name: trace_game(plan(players, settings), number) for name, (players, settings, number) in CASES.items()}


def pick(events: Events, kind: str) -> Events:
    return [event for event in events if event["kind"] == kind]


GOLDEN = Path(__file__).parent / "golden"

# ---- golden games


@pytest.mark.parametrize("name", CASES)
def test_golden_game_as_text(name: str, traces: dict[str, Trace]) -> None:
    agree(GOLDEN / f"{name}.txt", "\n".join(write_text(traces[name])) + "\n")


def test_golden_game_as_json(traces: dict[str, Trace]) -> None:
    name = next(iter(CASES))
    lines = [json.dumps(event, ensure_ascii=False) for event in list_events(traces[name])]
    agree(GOLDEN / f"{name}.json", "[\n" + ",\n".join(lines) + "\n]\n")


@pytest.mark.parametrize("name", CASES)
def test_events_survive_json(name: str, traces: dict[str, Trace]) -> None:
    events = list_events(traces[name])
    assert json.loads(json.dumps(events)) == events


def test_golden_games_show_what_they_are_for(traces: dict[str, Trace]) -> None:
    shared = traces["shared-win"].facts[-1]
    assert isinstance(shared, story.Rank)
    assert (len(shared.winners), shared.by, shared.rulings) == (2, "level", ("A11a", "A11b"))
    tied = traces["fewer-allowed-and-a-tie"]
    rank = tied.facts[-1]
    assert isinstance(rank, story.Rank)
    assert (len(rank.winners), rank.by) == (1, "treasures")
    assert any(isinstance(fact, story.Act) and fact.stopped and "A19" in fact.rulings for fact in tied.facts)


# ---- what is told adds up


def recount(trace: Trace) -> None:
    """Awards, totals and the words, against the scores that the kernels leave at the end of the same game."""
    replay = Replay(trace.run, trace.number)
    replay.start()
    *_, last = replay.steps()
    seats = range(trace.run.players)
    told: Counter[tuple[int, str]] = Counter()
    events = list_events(trace)
    for event in events:
        for award in event["data"].get("awards", []):
            told[award["seat"], award["source"]] += award["vp"]
    for seat in seats:
        assert [told[seat, source] for source in codes.SOURCES] == last.after.vp_by[seat]
    final = events[-1]["data"]
    assert final["vp"] == last.after.vp[: trace.run.players]
    for source in codes.SOURCES:
        assert final["sources"].get(source, [0] * len(seats)) == [told[seat, source] for seat in seats]
    text = re.sub(r"\n {11}", " ", "\n".join(write_text(trace)))
    scoring = text[text.index("The end, in turn") :]
    parts = {label: re.findall(rf"^ {label} +(.*)$", scoring, re.MULTILINE) for label in ("Treasures", "Research")}
    totals = re.findall(r"^ Total +(\d+) \+ (\d+) = (\d+) VP$", scoring, re.MULTILINE)
    assert len(totals) == len(seats)
    for seat, (treasures, research, vp) in enumerate(totals):
        for label, total in (("Treasures", treasures), ("Research", research)):
            said = re.findall(r"(?:^|· )(\d+) for ", parts[label][seat])
            assert sum(map(int, said)) == int(total)
        assert int(treasures) + int(research) == int(vp) == final["vp"][seat]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_points_told_are_the_scores_under_random_options(players: int) -> None:
    draw = Random(players)
    options = rule_options(GAME)
    for _ in range(10):
        chosen = {option.ruling: option.setting for option in draw.sample(options, 5)}
        settings = [*chosen.values(), f"breath_cards={draw.randint(2, 6)}", f"cards_per_turn={draw.randint(2, 6)}"]
        run = plan(players, tuple(settings), draw.choice(["random", "greedy"]))
        for number in draw.sample(range(100), 3):
            recount(trace_game(run, number))


@pytest.mark.parametrize("name", CASES)
def test_text_and_events_agree(name: str, traces: dict[str, Trace]) -> None:
    narrator = Narrator()
    for fact in traces[name].facts:
        words = " ".join(saying.text for saying in narrator.say(fact))
        for ruling in fact.rulings:
            assert ruling in words
        if isinstance(fact, story.Act):
            assert words.startswith(fact.action)
            assert all(card.name in words for card in fact.taken)
            assert all(payment.colour in words for payment in fact.paid)
    whole = "\n".join(write_text(traces[name]))
    assert max(map(len, whole.split("\n"))) <= 100
    counts = Counter(fact.kind for fact in traces[name].facts)
    assert len(re.findall(r"^Turn \d+ · Seat \d \(random\)", whole, re.MULTILINE)) == counts["begin_turn"]
    assert len(re.findall(r"^   [A-Z]", whole, re.MULTILINE)) == counts["act"] + counts["catch_breath"]


def test_every_kind_is_documented_and_happens_somewhere(traces: dict[str, Trace]) -> None:
    described = dict(re.findall(r"^    ([a-z_]+) *(.*)$", story.__doc__ or "", re.MULTILINE))
    assert described.keys() == KINDS.keys() | {"game"}
    events = [event for trace in traces.values() for event in list_events(trace)]
    assert KINDS.keys() <= {event["kind"] for event in events}
    for event in events:
        fields = re.findall(r"\w+", described[event["kind"]].partition("(")[0])
        assert event["kind"] == "game" or set(fields) == event["data"].keys() - {"awards", "rulings"}


# ---- rulings


def test_rulings_cited_are_rules_that_the_rulebook_does_not_print(traces: dict[str, Trace]) -> None:
    for trace in traces.values():
        open_rules = {rule.ruling for rule in trace.run.rulebook.rules.values() if rule.is_open}
        assert {ruling for fact in trace.facts for ruling in fact.rulings} <= open_rules


def test_a_ruling_that_the_owner_settles_is_not_cited(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[pair_when]\nstatus = "printed"\n')
    run = plan_run(GAME, load_rules(GAME, 3, (), [file]), "random", seed=7, games=100)
    cited = {ruling for fact in trace_game(run, 12).facts for ruling in fact.rulings}
    assert "A25" not in cited
    assert "A08b" in cited


@pytest.mark.parametrize("name", CASES)
def test_a_pair_names_what_the_hand_lacks_and_its_ruling_where_another_colour_was_there(
    name: str, traces: dict[str, Trace]
) -> None:
    hand: Counter[str] = Counter()
    pairs = 0
    for event in list_events(traces[name]):
        data = event["data"]
        if event["kind"] == "begin_turn":
            hand = Counter(data["hand"])
        elif event["kind"] == "act":
            held = +hand
            choice_left = False
            for paid, price in zip(data["paid"], PRICES[data["location"]]):
                hand[paid["colour"]] -= 2 if paid["pair"] else 1
                if paid["pair"]:
                    pairs += 1
                    assert set(paid["missing"]) == price - held.keys() != set()
                    choice_left = bool(price & held.keys())
                else:
                    assert paid["colour"] in price
            assert min(hand.values()) >= 0
            assert choice_left == ("A25" in data.get("rulings", []))
    assert pairs > 5


def test_a_drink_at_a_location_used_before_cites_its_ruling() -> None:
    """With six cards a turn a drink and an action may meet at a location (A20)."""
    places = {"treasure": "Submarine", "ship": "Harbor", "research": "Research Station"}
    cited = 0
    for number in range(12):
        used: set[str] = set()
        poured: set[str] = set()
        for event in list_events(trace_game(plan(settings=("cards_per_turn=6",)), number)):
            if event["kind"] == "begin_turn":
                used, poured = set(), set()
            if event["kind"] != "act":
                continue
            data = event["data"]
            meets = data["location"] in poured
            if data["action"] == "Buy all the divers a drink":
                sources = {places[card["what"]] for card in data["taken"]}
                meets = bool(sources & used)
                poured |= sources
            used.add(data["location"])
            assert meets == ("A20" in data.get("rulings", []))
            cited += meets
    assert cited > 3


# ---- points, against the rulebook and by brute force


def seat_of(book: Book, **holds: Any) -> SimpleNamespace:
    """A table of one seat: treasures and research by name, crates, ships, divers in hand."""
    treasures = [holds.get("treasures", {}).get(slug, 0) for slug in codes.TREASURE_SLUGS]
    research = [holds.get("research", {}).get(name, 0) for name in book.research]
    return SimpleNamespace(
        turn=9,
        players=1,
        hurricane=-1,
        treasures=[treasures],
        research=[research + [0] * (codes.RESEARCH_KINDS - len(research))],
        ships=[[holds.get("ships", 0), 0, 0]],
        crates=[holds.get("crates", 99)],
        hand=[[holds.get("divers", 0), 0, 0, 0, 0, 0]],
    )


def count_points(*settings: str, **holds: Any) -> Count:
    book = Book(load_rules(GAME, 3, (), (), settings))
    return Count(book, seat_of(book, **holds), 0)


@pytest.mark.parametrize(
    ("holds", "treasures", "research"),
    [
        (  # Maja; one treasure of each of two kinds has no crate
            {
                "treasures": {"amphorae": 3, "gold": 4, "inscriptions": 1, "architecture": 1},
                "research": {"+2": 1, "+3": 1, "+4": 1, "+1 Ships": 1, "+1 Gold": 1},
                "crates": 7,
                "ships": 2,
            },
            25,
            15,
        ),
        (  # Andreas
            {
                "treasures": {"weapons": 1, "architecture": 5, "pottery": 4},
                "research": {"+3": 1, "+4": 1, "+1 Architecture": 1, "Three colours": 1},
            },
            33,
            17,
        ),
        (  # Christian, whose printed total is 55 (A16)
            {
                "treasures": {"weapons": 2, "inscriptions": 3, "gold": 1, "pottery": 3, "statues": 4, "amphorae": 2},
                "research": {"Three colours": 1},
            },
            55,
            5,
        ),
    ],
)
def test_the_scoring_example_of_the_rulebook(holds: dict[str, Any], treasures: int, research: int) -> None:
    count = count_points(**holds)
    assert (count.treasure_vp, count.research_vp) == (treasures, research)


@pytest.mark.parametrize(
    ("kind", "cards", "parts"),
    [("amphorae", 5, (16, 2)), ("inscriptions", 1, (0,)), ("statues", 4, (15, 3)), ("weapons", 8, (16, 16, 9))],
)
def test_a_row_begun_again_says_so(kind: str, cards: int, parts: tuple[int, ...]) -> None:
    (row,) = count_points(treasures={kind: cards}).rows
    assert row.parts == parts


def test_placeholder_cards_say_what_they_counted() -> None:
    count = count_points(research={"Divers": 2, "Crates": 1}, crates=7, divers=5)
    assert {card.name: (card.vp, card.counted, card.needed) for card in count.cards} == {
        "Divers": (4, 5, 2),
        "Crates": (0, 7, 8),
    }
    assert set(count.cite_research()) == {"A01", "A02b", "A29"}


FORMER = "A02b=former"  # the deck with jokers


@pytest.mark.parametrize(
    "settings", [(FORMER,), (FORMER, "A26=sets-only"), (FORMER, "treasure_values.gold=2,2,9")]
)
def test_the_load_is_the_best_of_all_and_the_first_among_equals(settings: tuple[str, ...]) -> None:
    draw = Random(len(settings))
    alike = 0
    for _ in range(40):
        treasures = {slug: draw.choice([0, 0, 1, 1, 2, 3]) for slug in codes.TREASURE_SLUGS}
        research = {"Joker": draw.randint(0, 2), "+1 Gold": draw.randint(0, 1), "+1 Architecture": draw.randint(0, 2)}
        research["Three colours"] = draw.randint(0, 1)
        crates = draw.randint(0, 6)
        count = count_points(*settings, treasures=treasures, research=research, crates=crates)
        best = try_all_loads(settings, list(treasures.values()), research, crates)
        assert (count.vp, tuple(zip(count.kept, count.jokers))) == best[0]
        assert count.alike == (len(best) > 1 and best[1][0] == best[0][0])
        alike += count.alike
    assert 0 < alike < 40


def try_all_loads(
    settings: tuple[str, ...], treasures: list[int], research: dict[str, int], crates: int
) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """Every way to keep treasures and to count jokers, with its VP, the best first."""
    rows = [(1, 3, 6, 12), (0, 0, 10, 16), (1, 4, 9, 15), (2, 5, 10, 16), (0, 6, 12, 20), (3, 8, 15), (4, 9, 16)]
    if any("gold" in setting for setting in settings):
        rows[2] = (2, 2, 9)
    jokers_for_cards = "A26=sets-only" not in settings
    ways = []
    for kept in product(*(range(held + 1) for held in treasures)):
        if sum(kept) != min(crates, sum(treasures)):
            continue
        for kinds in product(range(7), repeat=research["Joker"]):
            jokers = tuple(kinds.count(kind) for kind in range(7))
            shown = [have + (more if jokers_for_cards else 0) for have, more in zip(kept, jokers)]
            vp = 0
            for row, have, more in zip(rows, kept, jokers):
                for nth in range(have + more):
                    vp += row[nth % len(row)] - (row[nth % len(row) - 1] if nth % len(row) else 0)
            vp += research["+1 Architecture"] * shown[0] + research["+1 Gold"] * shown[2]
            vp += 5 * research["Three colours"] * (sum(number > 0 for number in shown) >= 3)
            ways.append((vp, tuple(zip(kept, jokers))))
    return sorted(set(ways), reverse=True)


@pytest.mark.parametrize(
    ("settings", "winners", "by", "rulings"),
    [
        ((), (1,), "treasures", ("A11a", "A27")),
        (("A11=collected",), (0, 1), "level", ("A11a", "A27", "A11b")),
        (("A11=collected", "A11=lowest-seat"), (0,), "level", ("A11a", "A27", "A11b")),
        (("A11=collected", "A27=one-more"), (0,), "treasures", ("A11a", "A27")),
    ],
)
def test_ties(settings: tuple[str, ...], winners: tuple[int, ...], by: str, rulings: tuple[str, ...]) -> None:
    """Both have 3 VP: seat 0 with one crate and the hurricane card, seat 1 with two; each collected two."""
    rulebook = load_rules(GAME, 2, (), (), settings)
    first = seat_of(Book(load_rules(GAME, 3)), treasures={"statues": 1, "inscriptions": 1}, crates=1)
    other = seat_of(Book(load_rules(GAME, 3)), treasures={"architecture": 2}, crates=2)
    both = {
        name: getattr(first, name) + getattr(other, name) for name in "treasures research ships crates hand".split()
    }
    table = SimpleNamespace(turn=9, players=2, hurricane=0, **both)
    counts = [Count(Book(rulebook), table, seat) for seat in range(2)]
    rank = tell_rank(Book(rulebook), table, counts, finished=True)
    assert rank.vp == (3, 3)
    assert (rank.winners, rank.by, rank.rulings) == (winners, by, rulings)


# ---- a teller that errs


@pytest.mark.parametrize(
    ("owner", "name", "wrong", "said"),
    [
        (Count, "fill_rows", lambda *_: (1,), "points of seat"),
        (Count, "count_for", lambda *_: 0, "points of seat"),
        (Teller, "treasure_on", lambda *_: story.Taken("treasure", "Gold", 0), "Gold told at space 0"),
        (Teller, "ship_on", lambda *_: story.Taken("ship", "Freighter", 1, 2), "told, but"),
        (Teller, "refill", lambda *_: iter(()), "treasures"),
        (Teller, "take", lambda *_: iter(()), "told, but"),
    ],
)
def test_what_the_teller_gets_wrong_does_not_pass(
    owner: type, name: str, wrong: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(UntoldError, match=said):
        trace_game(plan(), 12)


# ---- the same game as the run recorded


def test_a_trace_of_a_run_is_what_the_run_recorded(tmp_path: Path) -> None:
    run = plan_run(GAME, load_rules(GAME, 3), "greedy,random*2", seed=11, games=9, detail="actions")
    folder = simulate(run, tmp_path / "run", jobs=1).folder
    tables = {table: folder.scan(table).collect() for table in folder.tables}
    for number in range(9):
        trace = trace_recorded(folder, number)
        rows = {table: frame.filter(pl.col("game") == number) for table, frame in tables.items()}
        events = list_events(trace)
        seats = rows["seats"].sort("seat")
        assert events[0]["data"]["lineup"] == seats["policy"].to_list()
        compare_scores(events, rows["games"].row(0, named=True), seats)
        compare_turns(events, rows["turns"].rows(named=True))
        compare_actions(events, rows["actions"].rows(named=True), Book(trace.run.rulebook))


def compare_scores(events: Events, game: dict[str, Any], seats: pl.DataFrame) -> None:
    final = events[-1]
    assert final["turn"] == game["turns"]
    assert final["data"]["by"] == codes.SETTLED_BY[game["decided_by"]]
    assert final["data"]["winners"] == [seat for seat in range(3) if game["winners"] >> seat & 1]
    assert final["data"]["ranks"] == seats["rank"].to_list()
    assert final["data"]["vp"] == seats["vp"].to_list()
    (hurricane,) = pick(events, "take_hurricane")
    assert hurricane["seat"] == game["hurricane"]
    for load, row in zip(pick(events, "load_ships"), seats.rows(named=True)):
        data = load["data"]
        kept = {name: row[f"kept_{slug}"] for name, slug in zip(codes.TREASURES, codes.TREASURE_SLUGS)}
        assert data["kept"] == {name: cards for name, cards in kept.items() if cards}
        assert (data["crates"], data["ships"]) == (row["crates"], row["ships"])
        assert (sum(data["collected"].values()), sum(data["discarded"].values())) == (row["treasures"], row["lost"])


def compare_turns(events: Events, rows: list[dict[str, Any]]) -> None:
    begun = pick(events, "begin_turn")
    assert [(event["seat"], event["phase"] == "last turns") for event in begun] == [
        (row["seat"], row["last"] == 1) for row in rows
    ]
    breaths = [2 if event["data"]["forced"] else 1 for event in pick(events, "catch_breath")]
    assert breaths == [row["breath"] for row in rows if row["breath"]]


def compare_actions(events: Events, rows: list[dict[str, Any]], book: Book) -> None:
    done = [event for event in events if event["kind"] in ("act", "catch_breath")]
    assert len(done) == len(rows)
    for event, row in zip(done, rows):
        data = event["data"]
        assert event["seat"] == row["seat"]
        if event["kind"] == "catch_breath":
            assert (row["action"], row["drawn"]) == (codes.PASS, sum(data["drawn"].values()))
            continue
        assert (codes.ACTIONS[row["action"]], row["drawn"]) == (data["action"], data["drawn"])
        paid: Counter[str] = Counter()
        for payment in data["paid"]:
            paid[payment["colour"]] += 2 if payment["pair"] else 1
        assert {colour: row[f"paid_{colour}"] for colour in codes.DIVERS if row[f"paid_{colour}"]} == paid
        assert [payment["colour"] for payment in data["paid"] if payment["pair"]] == (
            [] if row["pair"] < 0 else [codes.DIVERS[row["pair"]]]
        )
        taken = [(row[f"where_{i}"], row[f"taken_{i}"]) for i in range(1, 7) if row[f"where_{i}"] >= 0]
        assert [name_card(book, *card) for card in taken] == [(card["name"], card["crates"]) for card in data["taken"]]


def name_card(book: Book, where: int, what: int) -> tuple[str, int | None]:
    """A card of the actions table by name, and a ship's crates."""
    if where == codes.HARBOR:
        pile, ship = divmod(what, codes.PILE_SHIPS)
        return codes.SHIPS[pile], book.rules.crates[pile][ship]
    return (codes.TREASURES[what] if where == codes.SUBMARINE else book.research[what]), None


def test_a_truncated_game_is_scored_as_the_run_scores_it(tmp_path: Path) -> None:
    run = plan(limit=45)
    folder = simulate(run, tmp_path / "run", jobs=1).folder
    seats = folder.scan("seats").collect().sort("seat")
    for number in (0, 1, 2):
        trace = trace_game(run, number)
        events = list_events(trace)
        assert pick(events, "end_game")[0]["data"]["reason"] == "truncated"
        assert events[-1]["data"]["winners"] == []
        assert events[-1]["data"]["vp"] == seats.filter(pl.col("game") == number)["vp"].to_list()
        assert "cut short" in "\n".join(write_text(trace))


def test_a_game_that_ends_by_the_turn_cap_says_so() -> None:
    trace = trace_game(plan(settings=("turn_cap=2",)), 0)
    events = list_events(trace)
    end = pick(events, "end_game")[0]["data"]
    assert (end["reason"], end["rulings"]) == ("turn cap", ["A28"])
    assert not events[-1]["data"]["finished"]
    assert len(pick(events, "begin_turn")) == 6


def test_a_policy_that_raises_is_told_up_to_there(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(
        "def odd(state, rules, legal, n, weights, scratch):\n"
        "    if state.turn == 2:\n"
        "        raise ValueError('no idea')\n"
        "    return 0\n"
    )
    trace = trace_game(plan(lineup=f"random*2,{file}:odd"), 0)
    assert "raised ValueError: no idea" in str(trace.error)
    assert "Turn 2 · Seat 1" in "\n".join(write_text(trace))


def test_the_command_prints_the_golden_game() -> None:
    words = ["trace", GAME.name, "--players", "3", "--lineup", "random", "--seed", "7", "--game", "12", "--no-chances"]
    told = CliRunner().invoke(atlantis, words, prog_name="atlantis")
    assert told.exit_code == 0, told.output
    assert told.stdout == (GOLDEN / "3-players.txt").read_text(encoding="utf-8")
    as_json = CliRunner().invoke(atlantis, [*words, "--format", "json"], prog_name="atlantis")
    assert json.loads(as_json.stdout) == json.loads((GOLDEN / "3-players.json").read_text(encoding="utf-8"))
    with_chances = CliRunner().invoke(atlantis, [*words[:-1], "--format", "json"], prog_name="atlantis")
    check_chances(json.loads(with_chances.stdout), json.loads(as_json.stdout), players=3)
