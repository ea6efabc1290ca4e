"""Questions on runs of known truth: what was planted is found, what was not is not, and odd data get plain words."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from analysis.frames import read_run
from analysis.intervals import Estimate, Moments, Word, block_mean, judge
from analysis.page import Figure, Section
from analysis.questions import QUESTIONS, find_questions, list_questions
from analysis.questions.answer import Answer, answer
from analysis.questions.audit import compare_parts
from analysis.questions.comeback import credit_by_rank
from analysis.questions.course import Course, find_leads, read_course
from analysis.questions.dominance import rank_policies
from analysis.questions.mixes import OPEN, SAME, SURE, between_sd, compare_mixes, find_sign
from analysis.questions.question import load, why_not
from analysis.questions.show import draw_bars, render
from kernels.end_of_atlantis import codes, tables
from sim.errors import UserError
from sim.games import GAMES, find_game
from sim.store import MANIFEST
from tests.statistics.fake_run import MEAN_VP, Truth, chances_ahead, write_run
from tests.statistics.test_intervals import within_error

ONE_RUN = [name for name, question in QUESTIONS.items() if not question.needs.arms]
GAME = "end-of-atlantis"


def ask(name: str, *folders: Path, delta: float = 0.01) -> Answer:
    runs = {folder.name: read_run(folder) for folder in folders}
    return answer(QUESTIONS[name], runs if QUESTIONS[name].needs.arms else {"": next(iter(runs.values()))}, delta)


def figure(made: Answer, label: str) -> Estimate:
    found = {f.label: f.estimate for f in made.figures}
    assert isinstance(found[label], Estimate)
    return found[label]


def holds(estimate: Estimate, truth: float) -> bool:
    ends = estimate.interval(0.9999)
    assert ends is not None
    return ends[0] <= truth <= ends[1]


def rewrite(folder: Path, table: str, **columns: pl.Expr) -> None:
    for part in sorted((folder / table).glob("*.parquet")):
        pl.read_parquet(part).with_columns(**columns).write_parquet(part)


def change_manifest(folder: Path, **keys: object) -> None:
    told = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**told, **keys}))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """4,000 games of four fair seats."""
    path = tmp_path_factory.mktemp("runs") / "base"
    write_run(path, 4_000, Truth(shared=0.05), chunk=1_000)
    return path


# The list of questions


def test_every_question_is_data_that_can_be_loaded() -> None:
    for name, question in QUESTIONS.items():
        assert name == question.id
        assert question.asks.endswith("?")
        for target in (question.answer, question.needs.arms, question.watch):
            assert not target or target.startswith("section:") or callable(load(target))
        assert not question.needs.forces  # nothing can be forced yet


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_question_makes_sense_for_a_game_or_says_why_not(game) -> None:
    for question in QUESTIONS.values():
        said = why_not(question, game)
        assert said == "" or re.fullmatch(r"[A-Z][^.]*\.", said)
    assert {"seat", "length", "ties", "scoring", "unused", "last-rounds"} <= {q.id for q in list_questions(game)}


def test_games_have_questions_of_their_own() -> None:
    theirs = [{q.id for q in list_questions(find_game(name))} for name in (GAME, "atlantica")]
    assert theirs[0] - theirs[1] == {"faction", "senate", "auction", "event", "neutrals", "ships", "pile-on"}
    assert theirs[1] - theirs[0] == {"tiers", "stuck", "sets", "research-stack", "crates", "hurricane"}


def test_unknown_question_gets_a_hint() -> None:
    with pytest.raises(UserError, match=r"no question named lenght\. Did you mean length\? Questions: seat, length"):
        find_questions("seat,lenght")
    assert [q.id for q in find_questions("ties, seat,ties")] == ["ties", "seat"]


# A planted bias


def test_a_seat_that_starts_a_point_ahead_is_found_with_sign_and_size(tmp_path: Path) -> None:
    ahead = (1, 0, 0, 0)
    truth = chances_ahead(ahead)
    write_run(tmp_path / "ahead", 16_000, Truth(head_start=ahead), detail="seats", chunk=8_000)
    made = ask("seat", tmp_path / "ahead")
    for seat, chance in enumerate(truth):
        assert holds(figure(made, f"Seat {seat + 1}"), chance)
    assert re.match(r"Seats are biased: seat 1 wins \d\d\.\d% \[", made.section.sentence)
    relative = ask("scale", tmp_path / "ahead").figures[0].estimate
    assert relative.low < 4 * truth[0] - 1 < relative.high


def test_head_starts_give_the_chances_worked_out() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.poisson(44.2, (200_000, 3)) - (rng.random((200_000, 3)) < 0.1) + np.array([2, 0, 1])
    top = drawn == drawn.max(axis=1, keepdims=True)
    won = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
    assert sum(MEAN_VP) - MEAN_VP[codes.SOURCE_START] - MEAN_VP[codes.SOURCE_NO_MERCY] == pytest.approx(44.2 - 2)
    assert won == pytest.approx(chances_ahead((2, 0, 1)), abs=0.01)


def test_a_mirror_match_is_called_balanced(tmp_path: Path) -> None:
    write_run(tmp_path / "fair", 12_000, Truth(head_start=(0, 0, 0, 0)), detail="seats", chunk=6_000)
    made = ask("seat", tmp_path / "fair", delta=0.02)
    assert made.section.sentence.startswith("Seats are balanced within 2 pp")
    assert ask("audit", tmp_path / "fair").section.sentence.startswith("Sound")


# Statistics for two to five seats and blocks that correlate


def draw_verdicts(
    k: int, chances: Sequence[float], blocks: int, sticky: float, delta: float, trials: int
) -> list[Word]:
    """Verdicts on blocks of three games, which have the winner of the first with chance `sticky`."""
    rng = np.random.default_rng(k)
    words = []
    for _ in range(trials):
        won = np.stack([rng.multinomial(1, chances, blocks) for _ in range(3)])
        same = rng.random((2, blocks, 1)) < sticky
        won[1:] = np.where(same, won[0], won[1:])
        totals = won.sum(axis=0).astype(float)
        size = np.full(blocks, 3.0)
        credits = [block_mean(Moments.of(totals[:, s], size), (0.0, 1.0)) for s in range(k)]
        words.append(judge(credits, 1 / k, delta).word)
    return words


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_equivalence_errs_at_the_margin_as_seldom_as_it_says(k: int) -> None:
    chances = np.full(k, 1 / k)
    chances[0], chances[1] = 1 / k + 0.05, 1 / k - 0.05
    words = draw_verdicts(k, chances, 700, 0.5, 0.05, 500)
    wrong = sum(word in (Word.BALANCED, Word.SMALL) for word in words)
    assert wrong / 500 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 500)
    assert sum(word is Word.BIASED for word in words) / 500 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 500)


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_equivalence_has_power_where_seats_are_fair(k: int) -> None:
    words = draw_verdicts(k, np.full(k, 1 / k), 2_500, 0.5, 0.05, 120)
    assert sum(word in (Word.BALANCED, Word.SMALL) for word in words) / 120 > 0.9
    assert words.count(Word.BIASED) == 0


def test_parts_of_one_run_have_uniform_p_values() -> None:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(600):
        x = rng.integers(1, 5, 900).astype(float)
        favour = rng.beta(1, 3, 900)  # games of a deal resemble each other
        found.append(compare_parts(rng.binomial(x.astype(int), favour).astype(float), x))
    assert stats.kstest(found, "uniform").pvalue > 1e-3


def test_parts_that_differ_are_told_apart() -> None:
    y = np.random.default_rng(4).random(2_000)
    y[1_000:] += 0.15
    assert compare_parts(y, np.ones(2_000)) < 1e-6
    assert compare_parts(np.ones(40), np.ones(40)) is None
    assert compare_parts(y[:20], np.ones(20)) is None


# Leads, turn by turn


def draw_course(rng: np.random.Generator, games: int = 60, depth: int = 5, k: int = 4) -> Course:
    credit = np.zeros((games, k))
    credit[np.arange(games), rng.integers(0, k, games)] = 1.0
    vp = np.cumsum(rng.integers(0, 3, (games, depth, k)), axis=1).astype(np.int16)
    return Course(np.arange(games), rng.integers(1, depth + 1, games), credit, vp, {})


def test_leaders_are_those_of_a_loop() -> None:
    course = draw_course(np.random.default_rng(5))
    found = find_leads(course)
    for g in range(len(course.deal)):
        for t in range(course.vp.shape[1]):
            scores = [int(v) for v in course.vp[g, t]]
            first, second = sorted(scores, reverse=True)[:2]
            leaders = [s for s, v in enumerate(scores) if v == first]
            assert found.credit[g, t] == pytest.approx(np.mean([course.credit[g, s] for s in leaders]))
            assert found.lead[g, t] == first - second
            assert found.winner[g, t] == any(course.credit[g, s] > 0 for s in leaders)


def test_ranks_at_half_time_are_those_of_a_lottery_among_equals() -> None:
    rng = np.random.default_rng(6)
    course = draw_course(rng, 8)
    found = credit_by_rank(course)
    assert found.sum(axis=1) == pytest.approx(np.ones(8))
    drawn = np.zeros((8, 4))
    for _ in range(4_000):
        for g in range(8):
            half = course.vp[g, max(1, course.turns[g] // 2) - 1]
            order = np.argsort(-(half + rng.random(4) * 0.5))
            drawn[g] += course.credit[g, order]
    assert drawn / 4_000 == pytest.approx(found, abs=0.04)


def test_course_is_what_the_rows_say(base: Path) -> None:
    batch = next(read_run(base).batches())
    course = read_course(batch, ("pool",))
    rows = batch.scan("turns").collect()
    row = rows.row(1_234, named=True)
    game = row["game"]
    assert course.more["pool"][game, row["turn"] - 1, row["seat"]] == row["pool"]
    assert course.turns[game] == rows.filter(pl.col("game") == game)["turn"].max()


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games in four are led by their winner after every turn, in the fourth all are level but for the last."""
    path = tmp_path_factory.mktemp("runs") / "led"
    write_run(path, 4_000, chunk=2_000)
    for part in sorted((path / "turns").glob("*.parquet")):
        seats = pl.read_parquet(path / "seats" / part.name).select("game", "seat", "credit")
        games = pl.read_parquet(path / "games" / part.name).select("game", last="turns")
        rows = pl.read_parquet(part).join(seats, on=["game", "seat"]).join(games, on="game")
        leads = (pl.col("credit") > 0) & ((pl.col("game") % 4 < 3) | (pl.col("turn") == pl.col("last")))
        vp = (9 * pl.col("turn") + 60 * leads).cast(pl.Int16)
        rows.with_columns(vp=vp).drop("credit", "last").write_parquet(part)
    return path


def test_last_rounds_finds_how_often_the_leader_wins(led: Path) -> None:
    made = ask("last-rounds", led)
    assert figure(made, "leader wins with no turn to go").value == 1
    for back in ("1 turn", "2 turns", "3 turns"):
        assert figure(made, f"leader wins with {back} to go").value == pytest.approx(0.75 + 0.25 / 4)
    rows = {row[0]: row for row in made.section.blocks[0].tables[0].rows}
    assert rows["1 turn to go"][2].value == 1.0  # where all are level the winner leads with them


def test_games_are_called_over_when_the_lead_says_so(led: Path) -> None:
    made = ask("decided", led)
    assert figure(made, "over with 1 turn to go").value == pytest.approx(0.75, abs=1e-9)
    assert figure(made, "over with 3 turns to go").value == pytest.approx(0.75, abs=1e-9)
    assert "of the leaders called sure, 100.0%" in made.section.caveats[0]


def test_comeback_gives_the_credit_of_each_rank(led: Path) -> None:
    made = ask("comeback", led)
    assert figure(made, "first at half-time").value == pytest.approx(0.75 + 0.25 / 4)
    assert figure(made, "last at half-time").value == pytest.approx(0.25 / 4)


# Who plays


def test_spread_between_mixes_is_that_of_the_truths() -> None:
    rng = np.random.default_rng(7)
    errors = np.full(8, 0.01)
    wide = [between_sd(rng.normal(0.25, 0.03, 8) + rng.normal(0, 0.01, 8), errors) for _ in range(2_000)]
    none = [between_sd(rng.normal(0.25, 0.01, 8), errors) for _ in range(2_000)]
    assert np.mean(np.square(wide)) == pytest.approx(0.03**2, rel=0.08)
    assert np.median(none) < 0.004


def estimate(value: float, half: float = 0.01) -> Estimate:
    return Estimate(value, 10_000, 10_000, half / 1.96, "t")


@pytest.mark.parametrize(
    ("values", "sign"), [((0.30, 0.28), SAME), ((0.30, 0.20), SURE), ((0.30, 0.255), OPEN), ((0.20, 0.22), SAME)]
)
def test_sign_over_mixes(values: tuple[float, ...], sign: str) -> None:
    assert find_sign([estimate(v) for v in values], 0.25) == sign


def test_a_sign_flip_is_said_and_shown_in_red() -> None:
    figures = {mix: (Figure("Seat 1", estimate(v), "share", 0.25),) for mix, v in (("greedy", 0.3), ("random", 0.2))}
    section = compare_mixes(figures)
    assert "The sign flips with the players for Seat 1" in section.sentence
    assert section.blocks[0].tables[0].rows[0][-1] == SURE
    answered = Answer(QUESTIONS["seat"], Section("seat", "Seat", "A sentence."), {}, more=(section,), asked=False)
    assert "\x1b[31m" in render([answered], "text", colour=True)
    assert "\x1b" not in render([answered], "text")


def test_policies_are_ranked_as_the_chain_runs() -> None:
    circle = np.array([[0, 0.1, -0.1], [-0.1, 0, 0.1], [0.1, -0.1, 0]])
    assert rank_policies(circle) == pytest.approx([1 / 3] * 3)
    rng = np.random.default_rng(8)
    gain = rng.normal(size=(4, 4))
    gain[0, 1:], gain[1:, 0] = 0.2, -0.2  # the first enters everywhere and is entered by none
    assert rank_policies(gain)[0] == pytest.approx(1.0, abs=1e-4)
    gain = rng.normal(size=(5, 5))
    step = np.where(gain.T > 0, 1.0, 1e-6) / 4
    np.fill_diagonal(step, 0)
    np.fill_diagonal(step, 1 - step.sum(axis=1))
    assert rank_policies(gain) == pytest.approx(np.linalg.matrix_power(step, 2**26)[0], abs=1e-4)


def test_luck_is_all_deal_where_nothing_is_drawn_and_none_where_deals_say_nothing(tmp_path: Path) -> None:
    for name, seed in (("one", 7), ("same", 7), ("other", 8)):
        write_run(tmp_path / name, 3_000, detail="seats", seed=seed)
        change_manifest(tmp_path / name, seed=7, replicate=0 if name == "one" else 1)
    same, other = (ask("luck", tmp_path / "one", tmp_path / name) for name in ("same", "other"))
    assert figure(same, "draws in play").value == pytest.approx(0, abs=1e-9)
    assert "a deal has one outcome only" in same.section.sentence
    assert holds(figure(other, "the deal, given how these play it"), 0.0)
    parts = [f.estimate.value for f in other.figures]
    assert sum(parts) == pytest.approx(1)
    with pytest.raises(UserError, match="two rounds of the same deals, and 1 run is given"):
        ask("luck", tmp_path / "one")


def test_skill_of_unlike_policies_is_found_as_variance(tmp_path: Path) -> None:
    lineup = ("greedy", "random", "random", "random")
    for name, seed in (("one", 7), ("other", 8)):
        write_run(tmp_path / name, 4_000, Truth(strength=(("greedy", 1e9),)), lineup, detail="seats", seed=seed)
        change_manifest(tmp_path / name, seed=7, replicate=0 if name == "one" else 1)
    made = ask("luck", tmp_path / "one", tmp_path / "other")
    assert figure(made, "who plays").value == pytest.approx(1, abs=1e-6)


# Two runs


def test_variant_finds_what_was_changed_and_nothing_else(tmp_path: Path) -> None:
    write_run(tmp_path / "base", 6_000, Truth((0.25,) * 4), detail="seats")
    write_run(tmp_path / "other", 6_000, Truth((0.35, 0.25, 0.2, 0.2)), detail="seats", seed=8)
    change_manifest(tmp_path / "other", seed=7)
    rewrite(tmp_path / "other", "games", turns=pl.col("turns") + 1)
    made = ask("variant", tmp_path / "base", tmp_path / "other")
    assert holds(figure(made, "Seat 1 credit"), 0.10)
    assert holds(figure(made, "turns"), 1.0)
    assert holds(figure(made, "VP a seat"), 0.0)
    changed = {row[0] for row in made.section.blocks[0].tables[0].rows if row[4] == "changes"}
    assert {"turns", "Seat 1 credit", "Seat 3 credit"} <= changed
    assert not changed & {"VP a seat", "Seat 2 credit", "games decided by tie-breaks"}


def test_runs_that_did_not_play_the_same_deals_are_refused(tmp_path: Path) -> None:
    write_run(tmp_path / "a", 60)
    write_run(tmp_path / "b", 60, seed=8)
    with pytest.raises(UserError, match="the seed is 7 in one and 8 in the other"):
        ask("variant", tmp_path / "a", tmp_path / "b")


# Hostile acts


def write_plays(folder: Path, victims: Sequence[Sequence[int]], actor: int = 3) -> None:
    """Hostile acts of one seat, game by game, in the run's only part."""
    acts = [(game, victim) for game, some in enumerate(victims) for victim in some]
    rows = np.zeros(len(acts), tables.PLAYS)
    rows["game"], rows["victim"] = np.array(acts).T
    rows["seat"], rows["turn"] = actor, 1
    flat = {name: rows[name] for name in rows.dtype.names if rows[name].ndim == 1}
    pl.DataFrame(flat).write_parquet(folder / "plays" / "part-000000.parquet")


def test_pile_on_is_found_where_it_was_planted_and_not_elsewhere(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    write_run(tmp_path / "blind", 1_500, detail="votes")
    write_plays(tmp_path / "blind", rng.integers(0, 3, (1_500, 4)).tolist())
    write_run(tmp_path / "same", 1_500, detail="votes")
    write_plays(tmp_path / "same", [[int(v)] * 4 for v in rng.integers(0, 3, 1_500)])
    label = "on the victim of the last act"
    assert holds(figure(ask("pile-on", tmp_path / "blind"), label), 1 / 3)
    assert figure(ask("pile-on", tmp_path / "same"), label).value == 1


def test_with_two_players_nobody_can_be_singled_out(tmp_path: Path) -> None:
    write_run(tmp_path / "two", 50, Truth((0.5, 0.5)), detail="votes")
    assert ask("pile-on", tmp_path / "two").section.sentence == "With two players there is only one other to hurt."


# The machinery


def test_audit_sees_what_is_broken(tmp_path: Path) -> None:
    write_run(tmp_path / "twice", 2_000, detail="seats", chunk=1_000)
    for table in ("seats", "games"):  # the second part is the first once more under other numbers
        rows = pl.read_parquet(tmp_path / "twice" / table / "part-000000.parquet")
        again = rows.with_columns(game=pl.col("game") + 1_000)
        if table == "games":
            again = again.with_columns(deal=pl.col("deal") + 1_000)
        again.write_parquet(tmp_path / "twice" / table / "part-000001.parquet")
    made = ask("audit", tmp_path / "twice")
    assert made.section.sentence.startswith("Not sound: no game is played twice (1,000 games")

    write_run(tmp_path / "sums", 100, detail="seats")
    rewrite(tmp_path / "sums", "seats", vp=pl.col("vp") + (pl.col("game") == 3))
    assert "VP by source add up to the VP (4 seats" in ask("audit", tmp_path / "sums").section.sentence

    write_run(tmp_path / "deals", 100, detail="seats")
    rewrite(tmp_path / "deals", "games", deal=pl.lit(0))
    assert "each game is there once" in ask("audit", tmp_path / "deals").section.sentence


def test_plan_gives_the_textbook_number(base: Path) -> None:
    made = ask("plan", base)
    rows = {row[0]: row[1] for row in made.section.blocks[0].tables[0].rows}
    z = stats.norm.ppf(0.95) + stats.norm.ppf(1 - 0.05 / 2)  # power 80% for four seats: 95% each
    assert rows["1 pp"] == pytest.approx(z**2 * 0.25 * 0.75 / 0.01**2, rel=0.08)


# How an answer is shown


def test_every_format_carries_the_same_numbers(base: Path) -> None:
    made = ask("seat", base)
    text, content = render([made], "text"), json.loads(render([made], "json"))["answers"][0]
    assert text.splitlines()[0] == made.section.sentence == content["sentence"]
    assert content["sentence"] in render([made], "md").replace("\\", "")
    lines = render([made], "csv").splitlines()
    for seat, shown in enumerate(content["figures"]):
        assert f" {100 * shown['value']:.1f}% [{100 * shown['low']:.1f}, {100 * shown['high']:.1f}]" in text
        row = next(line for line in lines if line.startswith(f"seat,credit_by_seat,Seat {seat + 1},Credit,"))
        assert float(row.split(",")[4]) == shown["value"]
    assert "n = 4,000 games in 4,000 deals" in text
    assert content["runs"][""]["lineup"] == ["greedy"] * 4


def test_assumed_rules_that_touch_a_question_are_named(base: Path) -> None:
    assert ask("scoring", base).rulings == ("E01",)
    assert ask("ties", base).rulings == ("E13",)
    assert ask("plan", base).rulings == ("E01", "E13", "E16")  # nobody has said which touch it: all that are open


def test_observational_answers_say_so(base: Path) -> None:
    for name in ("card", "faction", "senate"):
        assert "company, not cause" in render([ask(name, base)], "text")


def test_bars_lie_where_the_numbers_are() -> None:
    around = draw_bars([estimate(0.3), estimate(0.25), estimate(0.2)], 0.25)
    assert [bar.index("●") for bar in around] == sorted((bar.index("●") for bar in around), reverse=True)
    assert around[0].index("│") < around[0].index("●")
    assert draw_bars([2.0, 1.0, None, 0.0], None) == ["█" * 17, "█" * 8, "", ""]
    assert draw_bars(["text"], None) == [""]


@pytest.mark.parametrize(
    ("games", "truth", "finished", "detail"),
    [
        (1, Truth(), None, "votes"),
        (2, Truth((1.0, 0.0)), None, "votes"),
        (40, Truth(truncated=1.0), None, "votes"),
        (40, Truth(shared=1.0), None, "turns"),
        (40, Truth((0.2,) * 5), None, "seats"),
        (100, Truth(), 0, "votes"),
    ],
)
def test_little_or_odd_data_get_plain_words(
    tmp_path: Path, games: int, truth: Truth, finished: int | None, detail: str
) -> None:
    write_run(tmp_path / "run", games, truth, detail=detail, chunk=50, finished=finished)
    if detail == "votes" and finished is None:  # no vote and no act was recorded
        for table in ("plays", "votes"):
            assert pl.read_parquet(tmp_path / "run" / table / "part-000000.parquet").is_empty()
    for name in ONE_RUN:
        made = ask(name, tmp_path / "run")
        for form in ("text", "md", "csv"):
            shown = render([made], form)
            assert not re.search(r"\b(nan|NaN|None|inf)\b", shown), (name, form)
        content = json.loads(render([made], "json"))["answers"][0]
        assert content["sentence"].endswith(".") or content["sentence"].endswith(".)")
        if finished == 0 and made.asked:
            assert content["sentence"] == "No game is finished yet, so there is nothing to answer from."
        if truth.truncated == 1.0 and made.asked:
            assert content["sentence"].startswith("No game of 40 ended by the rules")


@pytest.mark.parametrize(
    ("games", "one", "other"),
    [
        (1, Truth(), Truth()),
        (40, Truth(), Truth(truncated=1.0)),
        (40, Truth(shared=1.0), Truth((1.0, 0.0, 0.0, 0.0))),
        (40, Truth(truncated=1.0), Truth(truncated=1.0)),
    ],
)
@pytest.mark.parametrize("mixed", [False, True])
def test_little_or_odd_runs_are_compared_in_plain_words(
    tmp_path: Path, games: int, one: Truth, other: Truth, mixed: bool
) -> None:
    lineup = ("greedy", "random", "random", "random") if mixed else ()
    write_run(tmp_path / "one", games, one, lineup, detail="seats")
    write_run(tmp_path / "other", games, other, lineup, detail="seats", seed=8)
    change_manifest(tmp_path / "other", seed=7, replicate=1)
    for name in QUESTIONS:
        if name not in ONE_RUN:
            made = ask(name, tmp_path / "one", tmp_path / "other")
            for form in ("text", "md", "csv", "json"):
                assert not re.search(r"\b(nan|NaN|None|inf)\b", render([made], form)), (name, form)


def test_a_run_with_too_little_detail_says_which_it_takes(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 40, detail="seats")
    made = ask("auction", tmp_path / "run")
    assert not made.asked
    assert made.section.sentence.endswith("without votes; auction needs --detail votes.")


def test_a_simulated_rate_is_held_to_its_error() -> None:
    assert within_error(0.05, 0.05, 1_000)
    assert not within_error(0.10, 0.05, 1_000)
