"""The report of Atlantica: its figures are those of pandas and of plain loops over the same games, and odd runs give a
plain page."""

import json
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import stats

from analysis.balance import build_report
from analysis.commands.variants import variants
from analysis.frames import read_run
from analysis.games.atlantica.breath import BANDS
from analysis.games.atlantica.crates import BALANCES
from analysis.games.atlantica.names import EFFECTS, SOURCE_NAMES, label_options, share_counts
from analysis.games.atlantica.tiers import name_mix
from analysis.report import render_html, render_json, render_markdown
from kernels.atlantica import codes
from sim.games import find_game
from sim.plan import plan_run
from sim.rulebook import load_rules
from sim.runner import simulate
from tests.end_of_atlantis.test_report import Page, Shown, make_shown, spell
from tests.statistics.test_frames import read_parts

GAME = find_game("atlantica")
TREASURES = [f"{name} ({colour})" for name, colour in zip(codes.TREASURES, codes.TREASURE_COLOURS)]


def play(path: Path, games: int, lineup: str, players: int, *settings: str, detail: str = "turns", limit: int = 20_000):
    rules = load_rules(GAME, players, settings=list(settings))
    simulate(plan_run(GAME, rules, lineup, seed=11, games=games, detail=detail, limit=limit), path, jobs=1)
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 games of four random players, everything recorded; a few end at a turn cap."""
    return play(tmp_path_factory.mktemp("runs") / "base", 300, "random", 4, "turn_cap=22", detail="actions")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """90 deals of three players in three seatings each, turns recorded."""
    return play(tmp_path_factory.mktemp("runs") / "mixed", 270, "random*2,greedy", 3)


@pytest.fixture(scope="module", params=["base", "mixed"])
def path(request: pytest.FixtureRequest) -> Path:
    found: Path = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def shown(path: Path) -> Shown:
    return make_shown(path)


@pytest.fixture(scope="module")
def seats(path: Path) -> pd.DataFrame:
    """Seat rows of the games that the hurricane ended, with deal and finder."""
    games = read_parts(path, "games")
    ended = games[games.end_reason == codes.END_HURRICANE][["game", "deal", "hurricane", "hurricane_turn"]]
    rows = read_parts(path, "seats").merge(ended, on="game")
    return rows.astype(dict.fromkeys(rows.select_dtypes("integer").columns, "int64"))


@pytest.fixture(scope="module")
def turns(path: Path, seats: pd.DataFrame) -> pd.DataFrame:
    """Turns of these games in order, with what each gained and what it consisted of, found by walking through them."""
    rows = read_parts(path, "turns").merge(seats[["game", "seat", "deal", "credit"]], on=["game", "seat"])
    rows = rows.sort_values(["game", "seat", "turn"]).reset_index(drop=True)
    score: dict[tuple[int, int], int] = defaultdict(int)
    gains, mixes, alone = [], [], []
    for row in rows.itertuples():
        gains.append(row.vp - score[row.game, row.seat])
        score[row.game, row.seat] = row.vp
        tiers = [row.submarine, row.harbor, row.tavern, row.research_station]
        used = [(place, tier) for place, tier in enumerate(tiers) if tier]
        mixes.append(" + ".join(str(t) for t in sorted((t for _, t in used), reverse=True)) or "Catch Your Breath")
        alone.append(codes.ACTIONS[3 * used[0][0] + used[0][1] - 1] if len(used) == 1 else "")
    return rows.assign(gain=gains, mix=mixes, alone=alone).astype({"gain": "int64", "paid": "int64"})


def find_ratio(rows: pd.DataFrame, y: pd.Series, x: pd.Series | float) -> tuple[float, float, float]:
    """The ratio of two sums over rows with Student's interval over deals, worked out the long way."""
    frame = pd.DataFrame({"y": y.astype(float), "x": x, "deal": rows.deal}).groupby("deal").sum()
    frame = frame[frame.x > 0]
    value = frame.y.sum() / frame.x.sum()
    error = np.sqrt(len(frame) / (len(frame) - 1) * ((frame.y - value * frame.x) ** 2).sum()) / frame.x.sum()
    half = stats.t.ppf(0.975, len(frame) - 1) * error
    return value, value - half, value + half


def ratio(rows: pd.DataFrame, y: pd.Series, x: pd.Series | float = 1.0, digits: int = 2) -> str:
    """A ratio as a cell shows it."""
    return spell(*find_ratio(rows, y, x), digits, 1, "")


def share(rows: pd.DataFrame, y: pd.Series, x: pd.Series | float = 1.0) -> str:
    """The same of a share, whose interval ends at none and at all."""
    value, low, high = find_ratio(rows, y, x)
    return spell(value, max(low, 0.0), min(high, 1.0))


def by_outcome(rows: pd.DataFrame, y: pd.Series, x: pd.Series | float = 1.0) -> list[str]:
    """The same for winners and for the others."""
    return [ratio(rows, y * weight, weight * x) for weight in (rows.credit, 1 - rows.credit)]


def count_cards(path: Path, location: int) -> Counter[tuple[int, int, int]]:
    """Cards of a location by game, seat and kind, counted one by one."""
    counts: Counter[tuple[int, int, int]] = Counter()
    for row in read_parts(path, "actions").to_dict("records"):
        for i in range(1, 7):
            if row[f"where_{i}"] == location:
                counts[row["game"], row["seat"], row[f"taken_{i}"]] += 1
    return counts


# Names


def test_every_option_and_source_has_a_name() -> None:
    labels = {name: label for group in label_options() for name, label in group.labels.items()}
    assert list(labels) == list(codes.OPTIONS)
    assert set(SOURCE_NAMES) == set(codes.SOURCES)
    assert labels["dive_3"] == "Dive dangerously deep"
    assert labels["treasure_weapons"] == "Weapons"
    assert labels["research_joker"] == EFFECTS["joker"]
    assert labels["catch_breath"] == "Catch Your Breath"
    assert labels["drink_ship"] == "a ship"
    assert labels["pay_pair"].startswith("a pair")


def test_mixes_are_named_dearest_first() -> None:
    # Four locations: the number of actions of each tier, in base 5.
    assert [name_mix(mix) for mix in (0, 1, 2, 3, 5, 6, 25, 25 + 5 + 1)] == [
        "Catch Your Breath", "1", "1 + 1", "1 + 1 + 1", "2", "2 + 1", "3", "3 + 2 + 1",
    ]  # fmt: skip


def test_bands_of_crates_leave_no_gap() -> None:
    assert all(low == before + 1 for (_, _, before), (_, low, _) in pairwise(BALANCES))


# Cards


def test_treasures_are_those_of_pandas(shown: Shown, seats: pd.DataFrame) -> None:
    pay, outcome = shown.table("Treasures a seat"), shown.table("Winners and others")
    for label, name in zip(TREASURES, codes.TREASURE_SLUGS):
        kept, vp = seats[f"kept_{name}"], seats[f"vp_{name}"]
        assert pay[label][0] == share(seats, seats[f"chosen_treasure_{name}"], seats[f"legal_treasure_{name}"])
        paid = vp.where(kept > 0, 0)
        assert pay[label][-3:] == [ratio(seats, kept), ratio(seats, vp), ratio(seats, paid, kept)]
        assert outcome[label][:2] == by_outcome(seats, kept)
        assert outcome[label][3:] == by_outcome(seats, paid, kept)
    kept = sum(seats[f"kept_{name}"] for name in codes.TREASURE_SLUGS)
    assert pay["all treasures"][-3] == ratio(seats, kept) == ratio(seats, seats.treasures - seats.lost)


def test_what_winners_keep_more_is_against_the_mean_of_the_others(base: Path) -> None:
    games = read_parts(base, "games")
    rows = read_parts(base, "seats")
    rows = rows[rows.game.isin(games[games.end_reason == 0].game)]
    leads = []
    for _, table in rows.groupby("game"):
        winner = np.average(table.kept_gold, weights=table.credit)
        leads.append(winner - np.average(table.kept_gold, weights=1 - table.credit))
    ends = stats.ttest_1samp(leads, 0).confidence_interval(0.95)
    shown = make_shown(base).table("Winners and others")["Gold (yellow)"][2]
    assert shown == spell(float(np.mean(leads)), ends.low, ends.high, 2, 1, "")


def test_cards_collected_are_those_counted_one_by_one(base: Path) -> None:
    games = read_parts(base, "games")
    seats = read_parts(base, "seats").merge(games[games.end_reason == 0][["game", "deal"]], on="game")
    shown = make_shown(base)
    dived, studied = count_cards(base, codes.SUBMARINE), count_cards(base, codes.RESEARCH_STATION)
    places = list(zip(seats.game, seats.seat))
    together = pd.Series(0, seats.index)
    for kind, (label, name) in enumerate(zip(TREASURES, codes.TREASURE_SLUGS)):
        got = pd.Series([dived[game, seat, kind] for game, seat in places], seats.index)
        together += got
        cells = shown.table("Treasures a seat")[label]
        assert cells[1:3] == [ratio(seats, got), share(seats, got - seats[f"kept_{name}"], got)]
    assert (together == seats.treasures).all()
    deck = next(rule["value"] for rule in read_run(base).manifest.rules if rule["name"] == "research_deck")
    table = next(t for t in shown.tables if t.name == "research_copies")
    rows = {(cells[0], cells[1]): cells[2:] for cells in table.shown()}
    for kind, card in enumerate(deck):
        held = pd.Series([studied[game, seat, kind] for game, seat in places], seats.index)
        for copies in range(1, card["copies"] + 1):
            own = seats[held == copies]
            assert ((card["name"], str(copies)) in rows) == bool(len(own))
            if own.deal.nunique() > 30:
                n, _, vp, credit = rows[card["name"], str(copies)]
                assert n == f"{len(own):,}"
                assert vp == ratio(own, own.vp, digits=1)
                assert credit == share(own, own.credit)


def test_research_is_that_of_pandas(shown: Shown, seats: pd.DataFrame) -> None:
    rows = shown.table("Research cards by effect")
    for name in ("points", "per_ship"):
        vp = seats[f"vp_{name}"]
        rate = share(seats, seats[f"chosen_research_{name}"], seats[f"legal_research_{name}"])
        assert rows[EFFECTS[name]] == [rate, ratio(seats, vp), *by_outcome(seats, vp)]
    research = seats.vp - sum(seats[f"vp_{name}"] for name in codes.TREASURE_SLUGS)
    assert rows["all Research cards"][1:] == [ratio(seats, research), *by_outcome(seats, research)]
    stacks = shown.table("Seats by the most identical")
    assert {n: int(cells[0].replace(",", "")) for n, cells in stacks.items()} == {
        "none" if most == 0 else str(most): n for most, n in seats.research_most.value_counts().items()
    }
    two = seats[seats.research_most == 2]
    worth = [ratio(two, research[two.index], digits=1), ratio(two, two.vp, digits=1), share(two, two.credit)]
    assert stacks["2"][2:5] == worth


def test_crates_are_those_of_pandas(shown: Shown, seats: pd.DataFrame) -> None:
    rows = shown.table("Crates and treasures")
    empty = seats.crates - seats.treasures + seats.lost
    assert (np.minimum(seats.crates, seats.treasures) == seats.treasures - seats.lost).all()
    for label, value in (("Treasures lost", seats.lost), ("Crates", seats.crates), ("Crates left empty", empty)):
        assert rows[label][:3] == [ratio(seats, value), *by_outcome(seats, value)]
    assert f"{share(seats, seats.lost > 0)} of seats lose a treasure" in shown.text
    spare = (seats.crates - seats.treasures).clip(-6, 6)
    bands = {-6: "6+ short", **dict.fromkeys((-5, -4, -3), "3–5 short"), **dict.fromkeys((-2, -1), "1–2 short")}
    bands |= {0: "enough", **dict.fromkeys((1, 2), "1–2 spare"), **dict.fromkeys((3, 4, 5), "3–5 spare"), 6: "6+ spare"}
    shown_bands = shown.table("Seats by crates to spare")
    assert sum(int(cells[0].replace(",", "")) for cells in shown_bands.values()) == len(seats)
    for label, own in seats.groupby(spare.map(bands)):
        assert shown_bands[label][0] == f"{len(own):,}"
        if own.deal.nunique() > 30 and own.credit.any():  # none at all takes an exact interval
            assert shown_bands[label][2] == share(own, own.credit)


# Turns


def test_actions_are_those_of_pandas(shown: Shown, seats: pd.DataFrame, turns: pd.DataFrame) -> None:
    rows = shown.table("Actions: possible")
    moments = seats.legal_catch_breath + seats.legal_end_turn
    for code, name in enumerate(codes.ACTION_SLUGS):
        divers, possible, rate, *done = rows[codes.ACTIONS[code]]
        legal, chosen = seats[f"legal_{name}"], seats[f"chosen_{name}"]
        assert int(divers) == code % 3 + 1
        assert [possible, rate] == [share(seats, legal, moments), share(seats, chosen, legal)]
        assert done == [ratio(seats, chosen), *by_outcome(seats, chosen)]
        column = turns[["submarine", "harbor", "tavern", "research_station"][code // 3]]
        assert (column == code % 3 + 1).sum() == chosen.sum()  # what turns say is what seats say


def test_gains_are_those_of_walking_through_the_turns(shown: Shown, turns: pd.DataFrame) -> None:
    rows, single = shown.table("Turns by the divers"), shown.table("Turns with one action only")
    assert set(rows) == set(turns.mix)
    for mix, own in turns.groupby("mix"):
        assert rows[mix][0] == f"{len(own):,}"
        if mix != "Catch Your Breath" and own.deal.nunique() > 30:
            free = ~own.tavern.isin([1, 2])
            assert rows[mix][2:] == [
                ratio(own, own.gain),
                ratio(own, own.paid),
                ratio(own, own.gain, own.paid),
                ratio(own, own.gain * free, own.paid * free),
            ]
    for action, own in turns[turns.alone != ""].groupby("alone"):
        if own.deal.nunique() > 30:
            assert single[action] == [f"{len(own):,}", ratio(own, own.gain), ratio(own, own.gain, own.paid)]


def test_gains_add_up_to_the_final_points(seats: pd.DataFrame, turns: pd.DataFrame) -> None:
    gained = turns.groupby(["game", "seat"]).gain.sum()
    final = seats.set_index(["game", "seat"]).vp
    assert (gained.sort_index() == final.sort_index()).all()


def test_breaths_are_those_of_pandas(shown: Shown, seats: pd.DataFrame, turns: pd.DataFrame) -> None:
    everyone = shown.table("Catch Your Breath a seat")["all"]
    assert everyone[:2] == [share(turns, turns.breath == 2), share(turns, turns.breath == 1)]
    assert everyone[2] == ratio(seats, seats.forced)
    band = pd.cut(turns.turn, [*BANDS, 10_000], right=False, labels=False)
    rows = list(shown.table("Catch Your Breath by the number").values())
    for number, own in turns.groupby(band):
        n, forced, chosen = rows[int(number)]
        assert n == f"{len(own):,}"
        assert chosen == share(own, own.breath == 1)
        if (own.breath == 2).any():
            assert forced == share(own, own.breath == 2)


def test_the_hurricane_is_that_of_pandas(shown: Shown, seats: pd.DataFrame) -> None:
    players = seats.seat.nunique()
    games = seats[seats.seat == 0]
    for q, name in ((0.1, "one game in ten: at most"), (0.5, "median"), (0.9, "nine in ten: at most")):
        turn = np.quantile(games.hurricane_turn, q, method="inverted_cdf")
        assert shown.table("The turn of its finder")[name][0].split()[0] == f"{turn:.0f}"
    finders = shown.table("Credit of the finder")
    places = (seats.seat - seats.hurricane) % players
    for place, own in seats.groupby(places):
        assert finders[f"{place} after" if place else "finder"][0] == share(own, own.credit)
    rows = shown.table("Who finds it")
    fewest, most = (seats.groupby("game").turns.transform(how) for how in ("min", "max"))
    more = (seats.turns == most) & (fewest < most)
    for seat, own in seats.groupby("seat"):
        assert rows[f"Seat {seat + 1}"][1] == ratio(own, own.turns)
        if more[own.index].any():
            assert rows[f"Seat {seat + 1}"][2] == share(own, more[own.index])
    edges = shown.table("Credit by turns")
    assert edges["more than some"] == [f"{more.sum():,}", share(seats[more], seats.credit[more])]
    # Everybody has one turn after the hurricane: the seats up to the finder have one more in all.
    expected = (seats.seat <= seats.hurricane) & (seats.hurricane < players - 1)
    assert (more == expected).all()


def test_the_last_turns_are_those_of_walking_through_the_games(
    shown: Shown, seats: pd.DataFrame, turns: pd.DataFrame
) -> None:
    rows = shown.table("Turns before and after")
    for label, own in (("before the hurricane", turns[turns["last"] == 0]), ("after it", turns[turns["last"] == 1])):
        cells = next(cells for name, cells in rows.items() if name.startswith(label))
        assert cells == [
            f"{len(own):,}",
            ratio(own, own.gain),
            share(own, own.gain <= 0),
            ratio(own, own.paid),
            share(own, own.breath > 0),
        ]
    before = {key: own.vp.iloc[-1] for key, own in turns[turns["last"] == 0].groupby(["game", "seat"])}
    kept = {}
    for game, own in seats.groupby("game"):
        standing = [before.get((game, seat), 0) for seat in own.seat]
        kept[game] = sum(c for c, vp in zip(own.credit, standing) if vp == max(standing))
    games = seats[seats.seat == 0]
    figures = shown.table("Before the last turns")
    led = games.game.map(kept)
    assert figures["games won by a seat that led or was level before"][0] == share(games, led)
    assert figures["games turned by the last turns"][0] == share(games, 1 - led)
    assert len(turns[turns["last"] == 1]) == len(seats)  # everybody has one


def test_ties_are_those_of_the_final_points(base: Path) -> None:
    games = read_parts(base, "games")
    rows = read_parts(base, "seats").merge(games[games.end_reason == 0][["game"]], on="game")
    ways: Counter[str] = Counter()
    for _, table in rows.groupby("game"):
        first = table[table.vp == table.vp.max()]
        kept = (first.treasures - first.lost).to_numpy()
        ways["clear" if len(first) == 1 else "level" if (kept == kept.max()).sum() > 1 else "treasures"] += 1
    n = sum(ways.values())
    cells = make_shown(base).table("What told the winner")["games"]
    for cell, way in zip(cells[1:], ("clear", "treasures", "level")):
        ends = stats.binomtest(ways[way], n).proportion_ci(0.95, "wilson")
        assert cell.split("%")[1] == spell(ways[way] / n, ends.low, ends.high).split("%")[1]
    assert ways["treasures"] or ways["level"], "no tie among these games: play more"


# The page, and odd runs


def test_the_page_is_well_formed(base: Path) -> None:
    made = build_report(read_run(base))
    page = Page(render_html(made))
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    content = json.loads(render_json(made))
    listed = [t["caption"] for section in content["sections"].values() for t in section["tables"].values()]
    assert listed == list(page.tables)  # no two captions alike, no table lost
    assert "Research stand" not in render_markdown(made)


def test_games_without_a_winner_are_named_by_how_they_ended(base: Path, tmp_path: Path) -> None:
    games = read_parts(base, "games")
    capped = int((games.end_reason == codes.END_TURN_CAP).sum())
    assert 0 < capped < len(games)
    assert f"{capped} game{'s' if capped > 1 else ''} reached the turn cap" in make_shown(base).text
    both = play(tmp_path / "both", 60, "random", 4, "turn_cap=19", limit=215)
    counts = read_parts(both, "games").end_reason.value_counts()
    assert set(counts.index) == {0, 1, 2}
    words = f"did not end within 215 decisions ({counts[1]}) or reached the turn cap ({counts[2]})"
    assert words in make_shown(both).text


@pytest.mark.parametrize(
    ("games", "lineup", "players", "settings", "detail", "limit"),
    [
        (1, "random", 4, (), "actions", 20_000),
        (1, "random", 2, (), "seats", 20_000),
        (2, "random,greedy", 2, (), "turns", 20_000),
        (20, "random", 5, (), "seats", 20_000),
        (20, "random", 3, (), "actions", 40),  # every game cut off
        (20, "random", 3, ("turn_cap=1",), "turns", 20_000),
        (20, "random", 3, ("turn_cap=1",), "seats", 20_000),
        (12, "random", 4, ("cards_per_turn=12", "hurricane_pile=0"), "actions", 20_000),
        (12, "random", 2, ("treasures_removed_2=45", "hurricane_pile=0"), "actions", 20_000),
    ],
)
def test_little_or_odd_data_give_a_plain_page(
    tmp_path: Path, games: int, lineup: str, players: int, settings: tuple[str, ...], detail: str, limit: int
) -> None:
    play(tmp_path / "run", games, lineup, players, *settings, detail=detail, limit=limit)
    made = build_report(read_run(tmp_path / "run"))
    page = Page(render_html(made))
    numbers = "".join(str(attrs) for _, attrs in page.tags if attrs.get("d"))
    assert not re.search(r"\b(nan|NaN|None|inf)\b", page.text + numbers)
    assert json.loads(render_json(made))["run"]["games_planned"] == games
    assert "balanced within" not in made.cards[0][1].sentence


def test_a_run_without_turns_says_what_it_lacks(tmp_path: Path) -> None:
    shown = make_shown(play(tmp_path / "run", 20, "random", 3, detail="seats"))
    others = shown.table("Questions, and what answers them")
    for asks in ("One strong action or several weak ones?", "How often can a player only catch breath?"):
        assert "needs --detail turns" in others[asks][0]
    # what is collected of each colour, and copies of each card, are counted whatever is kept
    assert shown.table("Treasures a seat")["Gold (yellow)"][1] != "–"
    assert any(t.name == "research_copies" and t.rows for t in shown.tables)


def test_share_counts_put_the_rest_together() -> None:
    frame = pl.DataFrame({"n": [-2, 0, 1, 3, 9], "count": [1, 2, 3, 4, 10]})
    assert share_counts(frame, "n", 3) == [0.15, 0.15, 0.0, 0.7]
    assert share_counts(frame.clear(), "n", 1) == [0.0, 0.0]


def test_a_game_without_variants_says_so() -> None:
    said = CliRunner().invoke(variants, ["atlantica"], catch_exceptions=False)
    assert (said.exit_code, said.stdout) == (0, "Atlantica has no variants.\n")
    said = CliRunner().invoke(variants, ["atlantica", "--format", "json"], catch_exceptions=False)
    assert (said.exit_code, json.loads(said.stdout)) == (0, {})
