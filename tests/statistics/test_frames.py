"""What the statistics read from a run folder, against pandas on the same files and against what was
planted."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from analysis import frames
from analysis.frames import Batch, read_run
from analysis.intervals import Word, block_mean, judge
from analysis.sections.seats import find_seat_credits
from sim.errors import UserError
from tests.statistics.fake_run import Truth, write_run

MIXED = ("greedy", "greedy", "greedy", "random")


def read_parts(path: Path, table: str) -> pd.DataFrame:
    return pd.concat([pd.read_parquet(part) for part in sorted((path / table).glob("*.parquet"))])


def scan_seats(batch: Batch) -> pl.LazyFrame:
    return batch.scan("seats")


def test_moments_are_those_of_pandas_over_deals(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 1_200, Truth(sticky=0.5, truncated=0.03), MIXED, chunk=100)
    run = read_run(tmp_path / "run")
    seats, games = read_parts(tmp_path / "run", "seats"), read_parts(tmp_path / "run", "games")
    rows = seats.merge(games[games.end_reason == 0][["game", "deal"]], on="game")
    ratio = {"vp": (pl.col("vp"), None), "laid": (pl.col("chosen_lay_ships"), pl.col("legal_lay_ships"))}
    found = run.moments(scan_seats, ratio, by=["seat"])
    for seat in range(4):
        own = rows[rows.seat == seat].groupby("deal")
        for name, y, x in (
            ("vp", own.vp.sum(), own.size()),
            ("laid", own.chosen_lay_ships.sum(), own.legal_lay_ships.sum()),
        ):
            y, x = y.astype(float), x.astype(float)
            m = found[(seat,)][name]
            assert (m.blocks, m.y, m.x) == ((x > 0).sum(), y.sum(), x.sum())
            assert (m.yy, m.xy, m.xx) == pytest.approx(((y * y).sum(), (x * y).sum(), (x * x).sum()))


def test_batches_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_run(tmp_path / "run", 600, Truth(sticky=0.5), MIXED, chunk=60)
    ratio = {"credit": (pl.col("credit"), None)}
    together = read_run(tmp_path / "run").moments(scan_seats, ratio, by=["policy"])
    monkeypatch.setattr(frames, "BATCH_GAMES", 1)
    run = read_run(tmp_path / "run")
    assert len(list(run.batches())) == 10
    assert run.moments(scan_seats, ratio, by=["policy"]) == together


def test_counts_are_those_of_pandas(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 500, Truth(truncated=0.1), chunk=120)
    run = read_run(tmp_path / "run")
    games = read_parts(tmp_path / "run", "games")
    whole = games[games.end_reason == 0]
    found = run.counts(lambda batch: batch.scan("games"), "turns")
    assert dict(found.iter_rows()) == whole.turns.value_counts().to_dict()
    assert (run.finished, run.truncated, run.complete) == (500, 500 - len(whole), len(whole))


@pytest.mark.parametrize("chances", [(0.25, 0.25, 0.25, 0.25), (0.29, 0.25, 0.24, 0.22), (0.55, 0.45)])
def test_planted_chances_are_found(tmp_path: Path, chances: tuple[float, ...]) -> None:
    write_run(tmp_path / "run", 12_000, Truth(chances), detail="seats", chunk=6_000)
    found = find_seat_credits(read_run(tmp_path / "run"))
    for estimate, truth in zip(found, chances):
        assert estimate.n == 12_000
        assert abs(estimate.value - truth) < 4 * np.sqrt(truth * (1 - truth) / 12_000)
    verdict = judge(found, 1 / len(chances), 0.03)
    assert verdict.word is {0.25: Word.BALANCED, 0.29: Word.BIASED, 0.55: Word.BIASED}[chances[0]] or (
        chances[0] == 0.29 and verdict.word is Word.UNDECIDED
    )


def test_games_that_share_a_deal_widen_the_interval(tmp_path: Path) -> None:
    write_run(tmp_path / "loose", 4_000, Truth(sticky=0.0), MIXED, "seats")
    write_run(tmp_path / "tied", 4_000, Truth(sticky=1.0), MIXED, "seats")
    loose, tied = (find_seat_credits(read_run(tmp_path / name))[0] for name in ("loose", "tied"))
    assert loose.blocks == tied.blocks == 1_000
    assert tied.se == pytest.approx(np.sqrt(tied.value * (1 - tied.value) / 999), rel=1e-3)
    assert tied.se > 1.8 * loose.se


def test_a_run_that_was_interrupted_is_read_as_far_as_it_got(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 3_000, chunk=500, finished=1_700)
    run = read_run(tmp_path / "run")
    assert run.finished == 1_500
    (tmp_path / "run" / "seats" / "part-000003.parquet").write_bytes(b"half a part")
    assert block_mean(run.moments(scan_seats, {"n": (pl.col("credit"), None)})[()]["n"]).n == 6_000


def test_a_run_without_games_has_empty_sums(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 100, finished=0)
    run = read_run(tmp_path / "run")
    assert run.finished == 0
    assert run.moments(scan_seats, {"n": (pl.col("credit"), None)})[()]["n"].blocks == 0
    assert find_seat_credits(run)[0].value is None


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run folder"):
        read_run(tmp_path)
