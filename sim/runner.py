"""From a plan to a run folder: begin, resume, replace, and say at a glance what came out."""

import math
import os
import shlex
import time
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from kernels.engine.desk import bind_loop
from sim.errors import UserError
from sim.executors import Progress, play_threads
from sim.games import find_game
from sim.plan import Run
from sim.store import (
    Manifest,
    RunFolder,
    check_vacant,
    create_run,
    empty_run,
    find_versions,
    is_run,
    open_run,
)
from sim.watch import PATIENCE

_SAME = (
    "game",
    "players",
    "lineup",
    "arrangements",
    "seed",
    "games",
    "detail",
    "chunk",
    "limit",
    "replicate",
)


class RunInterruptedError(KeyboardInterrupt):
    """Ctrl-C during a run: says what is kept and how to go on. Exit code 130."""


@dataclass(frozen=True)
class Outcome:
    """What simulate did: `games` were played just now, `kept` were there before."""

    folder: RunFolder
    games: int
    kept: int
    seconds: float

    @property
    def games_a_second(self) -> float:
        """Games played a second, writing included."""
        return self.games / self.seconds if self.seconds else 0.0


def simulate(
    run: Run,
    path: Path,
    *,
    jobs: int | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    patience: float = PATIENCE,
    command: str = "",
    upto: int | None = None,
) -> Outcome:
    """Play a run into the run folder `path`, on `jobs` threads (as many as cores if None).

    A folder with a run in it takes `resume`, which plays the chunks that are missing, or `force`, which
    replaces it. `upto` stops after so many games from the first on, rounded up to a chunk. `progress(games)`
    hears how many games of the run are there. Rows do not depend on jobs or interruptions. Raises UserError,
    PolicyError, or RunInterruptedError; finished chunks stay in all cases.
    """
    manifest = run.manifest(command)
    if resume:
        folder = open_run(path)
        check_same(folder, manifest)
    else:
        check_free(path, force=force)
        if is_run(path):
            empty_run(path)
        folder = create_run(path, manifest)
    done = set(folder.complete_chunks())
    kept = folder.games_done()
    wanted = [chunk for chunk in run.chunks() if upto is None or chunk.first < upto]
    missing = [chunk for chunk in wanted if chunk.number not in done]
    bind_loop(run.game.kernels)  # may compile, which is not the time that games take
    began = time.perf_counter()
    try:
        play_threads(
            run,
            missing,
            folder.write_part,
            jobs=min(jobs or count_cores(), max(1, len(missing))),
            progress=None if progress is None else lambda games: progress(kept + games),
            patience=patience,
        )
    except KeyboardInterrupt as error:
        raise RunInterruptedError(_tell_interruption(folder)) from error
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}; {_tell_resumption(folder)}") from error
    return Outcome(folder, sum(chunk.games for chunk in missing), kept, time.perf_counter() - began)


def keep(run: Run, path: Path, **how: Any) -> Outcome:
    """Make sure that `path` holds the run, playing what is missing of it; `how` as in simulate."""
    return simulate(run, path, resume=is_run(path), **how)


def count_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_free(path: Path, *, force: bool) -> None:
    """UserError if a run is there and `force` is not given, or if something is there that is not a run."""
    if is_run(path) and not force:
        folder = open_run(path)
        raise UserError(
            f"{path} already holds a run ({folder.games_done():,} of {folder.manifest.games:,} games). "
            f"--resume finishes it, --force replaces it."
        )
    if not is_run(path):
        check_vacant(path)


def check_same(folder: RunFolder, manifest: Manifest) -> None:
    """UserError naming the first thing in which the run in `folder` differs from the one of `manifest`."""
    there = folder.manifest
    for key in _SAME:
        if getattr(there, key) != getattr(manifest, key):
            raise _differs(folder, key, getattr(there, key), getattr(manifest, key))
    if there.rules_digest != manifest.rules_digest:
        mine = {rule["name"]: rule["value"] for rule in manifest.rules}
        for rule in there.rules:
            if mine.get(rule["name"]) != rule["value"]:
                raise _differs(folder, f"the rule {rule['name']}", rule["value"], mine.get(rule["name"]))
        raise UserError(f"{folder.path} cannot be resumed: the rules data have changed since it was begun.")
    for token, digest in there.policy_files.items():
        if manifest.policy_files.get(token) != digest:
            raise UserError(f"{folder.path} cannot be resumed: the file of {token} has changed since.")
    for token, weights in there.weights.items():
        if manifest.weights.get(token) != weights:
            raise UserError(f"{folder.path} cannot be resumed: the weights of {token} have changed since.")
    own = find_versions()["atlantis"]
    if there.versions.get("atlantis") != own:
        raise _differs(folder, "the version of atlantis", there.versions.get("atlantis"), own)


def _differs(folder: RunFolder, key: str, there: Any, here: Any) -> UserError:
    def spell(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    return UserError(
        f"{folder.path} cannot be resumed as this run: {key} is {spell(there)} there and {spell(here)} here."
    )


def resume_command(folder: RunFolder) -> str:
    """The command that plays what is missing."""
    return shlex.join(["atlantis", "simulate", "--resume", "-o", str(folder.path)])


def _tell_resumption(folder: RunFolder) -> str:
    done, total = folder.games_done(), folder.manifest.games
    return f"{done:,} of {total:,} games are kept in {folder.path}. Go on with: {resume_command(folder)}"


def _tell_interruption(folder: RunFolder) -> str:
    return f"Interrupted: {_tell_resumption(folder)}"


@dataclass(frozen=True)
class Share:
    """A mean credit with its 95% interval; credit 1 is a game won alone, n counts deals."""

    name: str
    mean: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Glance:
    """What a run says at a glance.

    `seats` are in seat order, named by seat number from 0; `policies` is empty where all seats are played
    by one. `unseated` games belong to a last deal not played in all seatings: they are left out of the
    shares. `turns` is the median length in turns.
    """

    seats: list[Share]
    policies: list[Share]
    turns: float
    truncated: int
    games: int
    unseated: int


def glance(folder: RunFolder) -> Glance:
    """Mean credit by seat and policy, the block of the interval being the deal; length and truncated games.

    The interval is mean ± 1.96 standard errors over deals, so that the seatings that share a deal count
    once. Games that were cut off have no credit to give and are left out, as they are in a report. Reads part by
    part: memory does not grow with the run.
    """
    unfinished = list(find_game(folder.manifest.game).module("codes").UNFINISHED)
    lengths: Counter[int] = Counter()
    reasons: Counter[int] = Counter()
    seats, policies = _Sums(), _Sums()
    games = ended_games = used = 0
    for games_part, seats_part in zip(folder.parts("games"), folder.parts("seats")):
        games_frame = pl.read_parquet(games_part, columns=["game", "deal", "turns", "end_reason"])
        lengths.update(dict(games_frame["turns"].value_counts().iter_rows()))
        reasons.update(dict(games_frame["end_reason"].value_counts().iter_rows()))
        games += games_frame.height
        ended = games_frame.filter(~pl.col("end_reason").is_in(unfinished))
        ended_games += ended.height
        whole = _keep_whole_deals(ended, folder.manifest)
        used += whole.height
        rows = pl.read_parquet(seats_part, columns=["game", "seat", "policy", "credit"])
        rows = rows.join(whole, on="game")
        seats.add(rows, "seat")
        policies.add(rows, "policy")
    lineup = folder.manifest.lineup
    return Glance(
        seats=sorted(seats.shares(), key=lambda share: int(share.name)),
        policies=[] if len(set(lineup)) == 1 else sorted(policies.shares(), key=lambda x: lineup.index(x.name)),
        turns=_median(lengths),
        truncated=sum(reasons[code] for code in unfinished),
        games=games,
        unseated=ended_games - used,
    )


def _keep_whole_deals(games: pl.DataFrame, manifest: Manifest) -> pl.DataFrame:
    """Game and deal of the deals played in every seating; of all games if the run has no such deal."""
    seatings = len(manifest.arrangements)
    if manifest.games >= seatings:
        games = games.filter(pl.col("deal") < manifest.games // seatings)
    return games.select("game", "deal")


class _Sums:
    """Sums of deal means and of their squares, by group."""

    def __init__(self) -> None:
        self.by_group: dict[Hashable, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])

    def add(self, rows: pl.DataFrame, group: str) -> None:
        deals = rows.group_by(group, "deal").agg(pl.col("credit").mean())
        square = (pl.col("credit") ** 2).sum().alias("square")
        sums = deals.group_by(group, maintain_order=True).agg(pl.len(), pl.col("credit").sum(), square)
        for key, *values in sums.iter_rows():
            self.by_group[key] = [old + new for old, new in zip(self.by_group[key], values)]

    def shares(self) -> list[Share]:
        return [_share(str(key), *values) for key, values in self.by_group.items()]


def _share(name: str, n: float, total: float, squares: float) -> Share:
    mean = total / n
    variance = max(0.0, squares / n - mean**2) * n / (n - 1) if n > 1 else math.nan
    half = 1.96 * math.sqrt(variance / n) if n > 1 else math.nan
    return Share(name, mean, mean - half, mean + half, int(n))


def _median(counts: Counter[int]) -> float:
    """The median of values given with their counts."""
    values = sorted(counts)
    return (_rank(values, counts, (counts.total() - 1) // 2) + _rank(values, counts, counts.total() // 2)) / 2


def _rank(values: Sequence[int], counts: Counter[int], rank: int) -> int:
    """The value at `rank`, from 0, in ascending order."""
    for value in values:
        rank -= counts[value]
        if rank < 0:
            return value
    raise ValueError("no values")
