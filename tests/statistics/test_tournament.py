"""Tournaments: the rankings on textbook tables, intervals and verdicts in simulations of known truth, the readings of
run folders against pandas."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from pathlib import Path

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.frames import Run, read_run
from analysis.tournament.cells import Cells, read_cells, weigh_seatings
from analysis.tournament.fingerprints import find_traits
from analysis.tournament.metagame import alpha_rank, nash_average, rate_strengths
from analysis.tournament.page import tell
from analysis.tournament.results import Results, estimate
from analysis.tournament.verdict import Relation, Word, find_cycle, judge, relate
from sim.errors import UserError
from sim.lineup import arrangements
from sim.tournament import (
    Lineup,
    check_policies,
    choose_design,
    count_games,
    count_lineups,
    count_seatings,
    list_lineups,
)
from tests.statistics.fake_run import Truth, write_run

ROCK = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
NAMES = ("a", "b", "c", "d")

Chances = Callable[[Lineup], Sequence[float]]
"""The win chance of a seat of each policy in a lineup, by policy of NAMES."""


# Lineups


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("policies", [2, 3, 4])
def test_lineups_are_the_mixed_multisets(policies: int, players: int) -> None:
    names = NAMES[:policies]
    every = {m for m in combinations_with_replacement(names, players) if len(set(m)) > 1}
    for design, wanted in (("all", every), ("pairs", {m for m in every if len(set(m)) == 2})):
        lineups = list_lineups(names, players, design)
        assert {tuple(sorted(lineup)) for lineup in lineups} == wanted
        assert len(lineups) == len(wanted) == count_lineups(policies, players, design)
        for lineup in lineups:
            assert count_seatings(lineup) == len(arrangements(lineup))
            assert lineup[0] == min(lineup, key=lineup.count)


def test_seatings_of_all_lineups_are_all_ways_to_fill_the_seats() -> None:
    assert sum(map(count_seatings, list_lineups(NAMES, 4, "all"))) == 4**4 - 4


def test_a_large_field_plays_pairs() -> None:
    assert choose_design(4, 4) == "all"
    assert choose_design(8, 4) == "pairs"
    assert len(list_lineups([*"abcdefgh"], 4, "pairs")) == 28 * 3


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: check_policies(["a"]), "needs at least 2 policies, and --policies is a;"),
        (lambda: check_policies([]), "--policies is empty"),
        (lambda: check_policies(["a", "b", "a"]), "names a twice"),
        (lambda: list_lineups([*"abcdefgh"], 5, "all"), "8 policies on 5 seats make 784 lineups"),
        (lambda: count_games(("a", "b", "c", "d"), 23), "give at least 24"),
    ],
)
def test_what_cannot_be_played_is_said(act: Callable[[], object], said: str) -> None:
    with pytest.raises(UserError, match=said):
        act()


def test_games_are_whole_deals() -> None:
    assert count_games(("a", "b", "b", "b"), 10_001) == 10_000
    assert count_games(("a", "a", "b", "b"), 10_001) == 9_996


# Rankings of a table


def test_rock_paper_scissors_is_even() -> None:
    assert alpha_rank(ROCK) == pytest.approx([1 / 3] * 3)
    assert nash_average(ROCK) == pytest.approx([1 / 3] * 3)


def test_a_dominated_strategy_has_no_part() -> None:
    edge = np.full((4, 4), -0.2)
    edge[:3, :3], edge[:3, 3], edge[3, 3] = ROCK, 0.2, 0.0
    for rank in (alpha_rank, nash_average):
        assert rank(edge) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-5)


def test_one_that_beats_all_takes_everything() -> None:
    edge = np.triu(np.full((4, 4), 0.1), 1)
    for rank in (alpha_rank, nash_average):
        assert rank(edge - edge.T) == pytest.approx([1, 0, 0, 0], abs=1e-5)


def test_weighted_rock_paper_scissors_by_its_closed_form() -> None:
    """Each is played as much as the other two have at stake (Gintis, Game Theory Evolving, 2nd ed.)."""
    edge = np.array([[0, 3, -1], [-3, 0, 2], [1, -2, 0]]) / 10
    assert nash_average(edge) == pytest.approx(np.array([2, 1, 3]) / 6)


def test_a_copy_shares_the_part_of_its_original_in_a_nash_average() -> None:
    """Balduzzi et al. (2018): the average is invariant to redundant agents."""
    order = [0, 0, 1, 2]
    assert nash_average(ROCK[np.ix_(order, order)]) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-4)


def test_level_strategies_are_level() -> None:
    for rank in (alpha_rank, nash_average):
        assert rank(np.zeros((5, 5))) == pytest.approx([0.2] * 5)


tables = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.integers(-4, 4), min_size=n * n, max_size=n * n).map(
        lambda cells: np.triu(np.reshape(cells, (n, n)), 1) - np.triu(np.reshape(cells, (n, n)), 1).T.astype(float)
    )
)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_nothing_has_an_edge_on_the_nash_average(edge: np.ndarray) -> None:
    mix = nash_average(edge / 100)
    assert mix.sum() == pytest.approx(1)
    assert (mix >= 0).all()
    assert (mix @ edge).min() >= -1e-6


@settings(max_examples=60, deadline=None)
@given(tables)
def test_alpha_rank_is_where_the_chain_comes_to_rest(edge: np.ndarray) -> None:
    drift, n = 0.05, len(edge)
    chain = np.zeros((n, n))
    for at in range(n):
        for to in range(n):
            if at != to:
                chance = 1 - drift if edge[to, at] > 0 else drift if edge[to, at] < 0 else 0.5
                chain[at, to] = chance / (n - 1)
        chain[at, at] = 1 - chain[at].sum()
    assert alpha_rank(edge, drift) == pytest.approx(np.linalg.matrix_power(chain, 5_000)[0], abs=1e-9)


# Plackett-Luce


def simulate_winners(rng: np.random.Generator, lineups: Sequence[Lineup], strength: dict[str, float], games: int):
    """Credits won by policy in each lineup, shape (lineups, policies), and the same as choix takes it."""
    names = list(strength)
    wins, data = np.zeros((len(lineups), len(names))), []
    for row, lineup in enumerate(lineups):
        seats = [names.index(name) for name in lineup]
        chances = np.array([strength[name] for name in lineup])
        for winner in rng.choice(len(seats), games, p=chances / chances.sum()):
            wins[row, seats[winner]] += 1
            data.append((seats[winner], [seat for place, seat in enumerate(seats) if place != winner]))
    copies = np.array([[lineup.count(name) for name in names] for lineup in lineups], float)
    return copies, wins, data


def test_strengths_are_recovered_from_winners() -> None:
    truth = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}
    lineups = list_lineups(NAMES, 4, "all")
    copies, wins, _ = simulate_winners(np.random.default_rng(5), lineups, truth, 4_000)
    assert rate_strengths(copies, wins) == pytest.approx(list(truth.values()), abs=0.01)


def test_strengths_are_those_of_choix() -> None:
    """On games one by one, the drawn game that is added to each lineup given to choix as games too."""
    truth = {"a": 3.0, "b": 1.5, "c": 1.0}
    lineups = list_lineups(NAMES[:3], 3, "all")
    copies, wins, data = simulate_winners(np.random.default_rng(6), lineups, truth, 200)
    for lineup in lineups:
        seats = [NAMES.index(name) for name in lineup]
        data += [(seat, [*seats[:place], *seats[place + 1 :]]) for place, seat in enumerate(seats)]
    strength = np.exp(choix.ilsr_top1(3, data))
    assert rate_strengths(copies, wins + copies * 2 / 3) == pytest.approx(strength / strength.sum(), abs=1e-5)


def test_a_tie_raises_the_tied_and_nobody_else() -> None:
    """Five equal players, two tied first: other ratings let the third gain more than the tied."""
    strength = rate_strengths(np.ones((1, 5)), np.array([[0.5, 0.5, 0, 0, 0]]))
    assert strength[0] == pytest.approx(strength[1])
    assert strength[0] > 0.2 > strength[2]
    assert strength[2:] == pytest.approx([strength[2]] * 3)


def test_one_that_never_wins_has_a_strength() -> None:
    strength = rate_strengths(np.array([[1.0, 3.0], [3.0, 1.0]]), np.array([[0.0, 500.0], [0.0, 500.0]]))
    assert 0 < strength[0] < 0.01


# Known truth


def by_strength(*strength: float) -> Chances:
    """Plackett-Luce: a seat wins with its strength over the sum at the table."""

    def chances(lineup: Lineup) -> list[float]:
        total = sum(strength[NAMES.index(name)] for name in lineup)
        return [one / total for one in strength]

    return chances


def in_a_circle(stake: float) -> Chances:
    """Each of three is better the more of the next are at the table, and worse the more of the one before."""

    def chances(lineup: Lineup) -> list[float]:
        shares = [lineup.count(name) / len(lineup) for name in NAMES[:3]]
        weights = [1 + stake * (shares[(x + 1) % 3] - shares[(x + 2) % 3]) for x in range(3)]
        total = sum(weights[NAMES.index(name)] for name in lineup)
        return [weight / total for weight in weights]

    return chances


def rare_is_good(bonus: float) -> Chances:
    """A single seat of b among a gains, though a earns more in every other mix."""

    def chances(lineup: Lineup) -> list[float]:
        alone = lineup.count("b") == 1
        b = (1 + bonus) / len(lineup) if alone else (1 - 3 * bonus) / len(lineup)
        return [(1 - b * lineup.count("b")) / max(lineup.count("a"), 1), b]

    return chances


def play(rng: np.random.Generator, names: Sequence[str], chances: Chances, deals: int, players: int = 4) -> Cells:
    """A tournament: each deal favours some policies in all lineups alike, so that its games resemble each other."""
    names = tuple(names)
    lineups = tuple(list_lineups(names, players, "all"))
    credit, games = np.zeros((deals, len(lineups), len(names))), np.zeros((deals, len(lineups)))
    luck = rng.random(deals)[:, None]  # shared by all lineups
    for row, lineup in enumerate(lineups):
        seatings = count_seatings(lineup)
        bars = np.cumsum([chances(lineup)[x] * lineup.count(name) for x, name in enumerate(names)])
        drawn = np.where(rng.random((deals, seatings)) < 0.3, luck, rng.random((deals, seatings)))
        winner = np.minimum((drawn[..., None] > bars).sum(axis=-1), len(names) - 1)
        for x, name in enumerate(names):
            if name in lineup:
                credit[:, row, x] = (winner == x).sum(axis=1) / lineup.count(name)
        games[:, row] = seatings
    return Cells(names, lineups, credit, games, deals)


def covered(truth: float, low: float | None, high: float | None) -> bool:
    assert low is not None
    assert high is not None
    return low <= truth <= high


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    rng, trials = np.random.default_rng(11), 400
    chances = by_strength(0.5, 0.3, 0.2)
    mixes = [chances(lineup) for lineup in (("a", "b", "b"), ("a", "a", "b"))]
    hits = {"credit": 0, "edge": 0, "entry": 0}
    for _ in range(trials):
        results = estimate_quickly(play(rng, NAMES[:3], chances, 60, players=3))
        cells = results.cells
        truth = np.array([chances(lineup) for lineup in cells.lineups])
        overall = (weigh_seatings(cells)[0] * truth[:, 0]).sum()
        a = next(standing for standing in results.standings if standing.policy == "a")
        hits["credit"] += covered(overall, a.credit.low, a.credit.high)
        edge, entry = results.edges["a", "b"], results.entries["a", "b"]
        hits["edge"] += covered(float(np.mean([mix[0] - mix[1] for mix in mixes])), edge.low, edge.high)
        hits["entry"] += covered(mixes[0][0], entry.low, entry.high)
    error = math.sqrt(0.95 * 0.05 / trials)
    assert all(abs(hit / trials - 0.95) < 4 * error for hit in hits.values()), hits


def test_bands_cover_the_truth_about_as_often() -> None:
    """A percentile band from 60 deals is a little narrow, never much."""
    rng, trials, hits = np.random.default_rng(19), 60, 0
    for _ in range(trials):
        a = next(s for s in estimate(play(rng, NAMES[:2], by_strength(2, 1), 60, 3)).standings if s.policy == "a")
        hits += covered(2 / 3, a.strength.low, a.strength.high)
    assert 0.95 - 4 * math.sqrt(0.95 * 0.05 / trials) < hits / trials


def test_credits_average_to_an_even_share() -> None:
    results = estimate(play(np.random.default_rng(3), NAMES, by_strength(5, 3, 2, 1), 20))
    assert np.mean([s.credit.value for s in results.standings]) == pytest.approx(0.25)
    assert results.names == NAMES
    assert {(x, y): -e.value for (x, y), e in results.edges.items()} == pytest.approx(
        {(y, x): e.value for (x, y), e in results.edges.items()}
    )


def test_the_best_of_four_dominates() -> None:
    results = estimate(play(np.random.default_rng(4), NAMES, by_strength(5, 3, 2, 1), 200))
    verdict = judge(results, 0.01)
    assert (verdict.word, verdict.policies) == (Word.DOMINATES, ("a",))
    assert verdict.sentence.startswith("a dominates: where they meet, a seat of it wins ")
    assert "more than a seat of b, the closest of 3 others" in verdict.sentence
    best = results.standings[0]
    assert (best.rank.value, best.nash.value) == (1.0, 1.0)
    assert best.gain.high < 0
    assert results.standings[-1].entrant == "a"


def test_two_equals_are_seldom_called_dominated() -> None:
    rng, trials = np.random.default_rng(12), 400
    words = [
        judge(estimate_quickly(play(rng, NAMES[:3], by_strength(2, 2, 1), 40, players=3)), 0.01).word
        for _ in range(trials)
    ]
    assert words.count(Word.DOMINATES) / trials < 0.05 + 4 * math.sqrt(0.05 * 0.95 / trials)
    assert words.count(Word.CYCLE) == 0


def estimate_quickly(cells: Cells) -> Results:
    """Without the bands, on which no verdict rests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("analysis.tournament.results.DRAWS", 1)
        return estimate(cells)


def test_two_equals_are_tied_once_there_are_enough_games() -> None:
    verdict = judge(estimate_quickly(play(np.random.default_rng(13), NAMES[:3], by_strength(2, 2, 1), 4_000)), 0.01)
    assert (verdict.word, set(verdict.policies)) == (Word.TIED, {"a", "b"})
    assert "and all others lose to them" in verdict.sentence


def test_a_circle_is_seen() -> None:
    results = estimate(play(np.random.default_rng(14), NAMES[:3], in_a_circle(0.6), 400))
    verdict = judge(results, 0.01)
    assert verdict.word is Word.CYCLE
    assert "a beats b" in verdict.sentence
    assert "b beats c" in verdict.sentence
    assert "c beats a" in verdict.sentence
    assert [s.rank.value for s in results.standings] == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert all(covered(1 / 3, s.nash.low, s.nash.high) for s in results.standings)


def test_a_leader_that_can_be_entered_does_not_dominate() -> None:
    verdict = judge(estimate_quickly(play(np.random.default_rng(15), NAMES[:2], rare_is_good(0.2), 600)), 0.01)
    assert (verdict.word, verdict.policies) == (Word.NO_BEST, ("a", "b"))
    assert "one seat of b among a gains" in verdict.sentence


def test_few_games_are_undecided_and_as_many_as_it_asks_for_settle_it() -> None:
    """The forecast promises four times in five; three in five of 40 is what luck leaves."""
    rng, settled, asked = np.random.default_rng(16), 0, 0
    while asked < 40:
        cells = play(rng, NAMES[:2], by_strength(1.15, 1), 60, players=3)
        first = estimate_quickly(cells)
        verdict = judge(first, 0.01)
        if verdict.word is not Word.UNDECIDED:
            continue
        asked += 1
        deals = round(60 * (1 + verdict.more_games / first.games))
        again = judge(estimate_quickly(play(rng, NAMES[:2], by_strength(1.15, 1), deals, players=3)), 0.01)
        settled += again.word is not Word.UNDECIDED
    assert settled >= 24


def test_a_handful_of_games_that_agree_is_no_certainty() -> None:
    cells = play(np.random.default_rng(17), NAMES[:2], lambda lineup: (1 / lineup.count("a"), 0.0), 3)
    assert judge(estimate_quickly(cells), 0.01).word is Word.UNDECIDED
    cells = play(np.random.default_rng(17), NAMES[:2], lambda lineup: (1 / lineup.count("a"), 0.0), 60)
    assert judge(estimate_quickly(cells), 0.01).word is Word.DOMINATES


def test_one_deal_has_no_intervals_and_no_verdict() -> None:
    results = estimate(play(np.random.default_rng(18), NAMES[:3], by_strength(3, 2, 1), 1, players=3))
    assert results.edges["a", "b"].low is None
    assert results.standings[0].strength.low is None
    assert judge(results, 0.01).word is Word.UNDECIDED


def test_relations_mirror_and_circles_are_found() -> None:
    results = estimate_quickly(play(np.random.default_rng(14), NAMES[:3], in_a_circle(0.6), 400))
    relations = relate(results.names, results.edges, 0.01)
    mirrored = {Relation.BEATS: Relation.LOSES, Relation.LOSES: Relation.BEATS}
    assert all(relations[y, x] is mirrored[word] for (x, y), word in relations.items())
    assert len(find_cycle(results.names, relations)) == 3
    straight = {(x, y): Relation.BEATS if x < y else Relation.LOSES for x in "abcd" for y in "abcd" if x != y}
    assert find_cycle("abcd", straight) == []


# Run folders

STRENGTH = (("greedy", 3.0), ("random", 0.5), ("tuned", 1.5))
POLICIES = ("random", "greedy", "tuned")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[Lineup, Run]:
    """A tournament that was not played: winners by strength, some games cut off, some wins shared."""
    folder, made = tmp_path_factory.mktemp("tournament"), {}
    truth = Truth(strength=STRENGTH, sticky=0.2, shared=0.05, truncated=0.03)
    for place, lineup in enumerate(list_lineups(POLICIES, 4, "all")):
        path = folder / str(place)
        write_run(path, count_games(lineup, 400), truth, lineup, seed=place, chunk=96)
        made[lineup] = read_run(path)
    return made


def read_seats(run: Run):
    """Seats of the games that ended by the rules, with their deal, as pandas."""
    seats = run.folder.scan("seats").collect().to_pandas()
    games = run.folder.scan("games").collect().to_pandas().set_index("game")
    seats["deal"] = seats["game"].map(games["deal"])
    ended = ~games["end_reason"].isin(run.unfinished_codes)
    return seats[seats["game"].map(ended)]


def test_cells_are_the_credits_of_the_run_folders(runs: dict[Lineup, Run]) -> None:
    cells, _ = read_cells(runs, POLICIES)
    assert cells.deals == 100
    assert cells.truncated == sum(run.truncated for run in runs.values()) > 0
    shared = 0
    for place, run in enumerate(runs.values()):
        seats = read_seats(run)
        shared += (seats.groupby("game")["credit"].max() < 1).sum()
        assert cells.games[:, place].sum() == seats["game"].nunique()
        for column, policy in enumerate(POLICIES):
            mine = seats[seats["policy"] == policy]
            if len(mine):
                assert cells.means[place, column] == pytest.approx(mine["credit"].mean())
                by_deal = mine.groupby("deal")["credit"].sum() / cells.copies[place, column]
                assert cells.credit[by_deal.index, place, column] == pytest.approx(by_deal.to_numpy())
    assert cells.shared == shared > 0


def test_deals_are_folded_without_loss(runs: dict[Lineup, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    whole, _ = read_cells(runs, POLICIES)
    monkeypatch.setattr("analysis.tournament.cells.MOST_BLOCKS", 30)
    folded, _ = read_cells(runs, POLICIES)
    assert len(folded.games) == 30
    assert folded.means == pytest.approx(whole.means)
    for block in range(30):
        assert folded.credit[block] == pytest.approx(whole.credit[block::30].sum(axis=0))


def test_manners_weigh_each_game_once(runs: dict[Lineup, Run]) -> None:
    _, manners = read_cells(runs, POLICIES)
    for name, done, per in (("lay_ships", "chosen_lay_ships", "legal_lay_ships"), ("landed", "landed", None)):
        trait = manners.names.index(name)
        assert manners.options[trait] is (per is not None)
        for column, policy in enumerate(POLICIES):
            own, field = [0.0, 0.0], [0.0, 0.0]
            for lineup, run in runs.items():
                if policy not in lineup:
                    continue
                seats = read_seats(run)
                mine = seats["policy"] == policy
                for rows, sums in ((seats[mine], own), (seats[~mine], field)):
                    each = len(rows) / rows["game"].nunique()
                    sums[0] += rows[done].sum() / each
                    sums[1] += (rows[per].sum() if per else len(rows)) / each
            assert manners.done[:, column, trait].sum() == pytest.approx(own[0])
            assert manners.chances[:, column, trait].sum() == pytest.approx(own[1])
            assert manners.field_done[:, column, trait].sum() == pytest.approx(field[0])
            assert manners.field_chances[:, column, trait].sum() == pytest.approx(field[1])


def test_outcomes_are_no_manners(runs: dict[Lineup, Run]) -> None:
    _, manners = read_cells(runs, POLICIES)
    assert not {"credit", "rank", "vp", "game", "seat", "place", "deal"} & set(manners.names)
    assert {"landed", "spent", "waiting"} <= set(manners.names)


def test_policies_that_play_alike_have_no_fingerprint(runs: dict[Lineup, Run]) -> None:
    """The fake seats do the same whoever sits there; only the points of the winner's rank differ."""
    _, manners = read_cells(runs, POLICIES)
    for policy in range(len(POLICIES)):
        assert [t.name for t in find_traits(manners, policy, 99) if t.option] == []


def test_a_planted_manner_is_found_first(runs: dict[Lineup, Run]) -> None:
    _, manners = read_cells(runs, POLICIES)
    trait = manners.names.index("play_support")
    manners.done[:, 1, trait] *= 3
    silent = manners.names.index("load_b")
    manners.field_done[:, 2, silent] = 0
    found = find_traits(manners, 1)[0]
    assert found.name == "play support"
    assert covered(3.0, found.ratio.low, found.ratio.high)
    never = find_traits(manners, 2)[0]
    assert (never.name, never.ratio.value, never.ratio.high) == ("load b", None, None)
    assert never.ratio.low > 1


def test_a_tournament_of_known_strengths_is_told(runs: dict[Lineup, Run]) -> None:
    told = tell(runs, POLICIES, "all", 0.01)
    assert (told.verdict.word, told.verdict.policies) == (Word.DOMINATES, ("greedy",))
    assert told.results.names == ("greedy", "tuned", "random")
    for standing, (_, strength) in zip(told.results.standings, sorted(STRENGTH, key=lambda one: -one[1])):
        # Shared wins give half a credit to the runner-up, so the planted strength is only nearly right.
        assert standing.strength.value == pytest.approx(strength / 5, abs=0.05)


def test_games_that_never_end_are_told_without_a_number(tmp_path: Path) -> None:
    made = {}
    for place, lineup in enumerate(list_lineups(POLICIES[:2], 3, "all")):
        write_run(tmp_path / str(place), 30, Truth((1 / 3,) * 3, truncated=1.0), lineup)
        made[lineup] = read_run(tmp_path / str(place))
    told = tell(made, POLICIES[:2], "all", 0.01)
    assert told.verdict.sentence == "No game ended by the rules, so nothing can be judged."
