"""How games went, turn by turn, as dense arrays: what questions about leads and gains are computed from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.frames import Batch, Run
from analysis.intervals import Estimate, Moments, block_mean, block_share

Numbers = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]
_UNSEEN = np.iinfo(np.int16).min


@dataclass(frozen=True)
class Course:
    """Some games: `deal` and `turns` of shape (games,), `credit` (games, seats), `vp` after each turn (games, turns,
    seats) and what else was asked for, in `more`, of the same shape.

    Seats that had no such turn keep the VP of the one before; other columns are 0 there. Turns are numbered from 0
    here, and a game has its first `turns` of them.
    """

    deal: Whole
    turns: Whole
    credit: Numbers
    vp: NDArray[np.int16]
    more: dict[str, NDArray[np.int16]]

    @property
    def alive(self) -> Flags:
        """Which turns were played, (games, turns)."""
        return np.arange(self.vp.shape[1]) < self.turns[:, None]


def read_course(batch: Batch, columns: Sequence[str] = ()) -> Course:
    """The course of the games of a batch that ended by the rules, with more columns of turns."""
    k = batch.run.players
    games, seats, rows = pl.collect_all(
        [
            batch.scan("games").select("game", "deal", "turns"),
            batch.scan("seats").select("game", "seat", "credit"),
            batch.scan("turns").select("game", "turn", "seat", "vp", *columns),
        ]
    )
    ids = games["game"].to_numpy()
    first = int(ids.min()) if len(ids) else 0
    place = np.zeros((int(ids.max()) - first + 1) if len(ids) else 1, np.int64)
    place[ids - first] = np.arange(len(ids))
    credit = np.zeros((len(ids), k))
    credit[place[seats["game"].to_numpy() - first], seats["seat"].to_numpy()] = seats["credit"].to_numpy()
    at = (place[rows["game"].to_numpy() - first], rows["turn"].to_numpy().astype(np.int64) - 1, rows["seat"].to_numpy())
    turns = games["turns"].to_numpy().astype(np.int64)
    depth = max(int(turns.max()) if len(turns) else 1, int(at[1].max()) + 1 if len(at[1]) else 1)
    vp = np.full((len(ids), depth, k), _UNSEEN, np.int16)
    vp[at] = rows["vp"].to_numpy()
    vp[:, 0][vp[:, 0] == _UNSEEN] = 0
    for turn in range(1, depth):
        np.copyto(vp[:, turn], vp[:, turn - 1], where=vp[:, turn] == _UNSEEN)
    more = {}
    for column in columns:
        more[column] = np.zeros(vp.shape, np.int16)
        more[column][at] = rows[column].to_numpy()
    return Course(games["deal"].to_numpy(), turns, credit, vp, more)


def read_courses(run: Run, columns: Sequence[str] = ()) -> Iterator[Course]:
    """The course of all games, batch by batch."""
    for batch in run.batches():
        yield read_course(batch, columns)


@dataclass(frozen=True)
class Leads:
    """Who leads after each turn, arrays of shape (games, turns): the mean `credit` of those who lead, the VP by which
    they `lead` (0 where they are several), and whether a `winner` is among them."""

    credit: NDArray[np.float32]
    lead: NDArray[np.int16]
    winner: Flags


def find_leads(course: Course) -> Leads:
    """The leaders of a course."""
    top = course.vp.max(axis=2)
    leads = course.vp == top[:, :, None]
    several = leads.sum(axis=2)
    credit = np.einsum("gts,gs->gt", leads.astype(np.float32), course.credit.astype(np.float32)) / several
    others = np.where(leads, np.int16(_UNSEEN), course.vp).max(axis=2)
    lead = top - np.where(several > 1, top, others)
    winner = (leads & (course.credit > 0)[:, None, :]).any(axis=2)
    return Leads(credit.astype(np.float32), lead.astype(np.int16), winner)


@dataclass
class Sums:
    """Moments over deals by name, added up batch by batch. A batch holds whole deals."""

    found: dict[str, Moments] = field(default_factory=dict)

    def add(self, name: str, deal: Whole, y: NDArray[np.generic], x: NDArray[np.generic] | None = None) -> None:
        """What each game or row adds to a total, `y`, counted per `x` (1 where None), with its deal."""
        if not len(deal):
            return
        block = deal - deal.min()
        totals = np.bincount(block, y.astype(np.float64))
        counts = np.bincount(block, None if x is None else x.astype(np.float64)).astype(np.float64)
        here = counts > 0
        self.found[name] = self.found.get(name, Moments()) + Moments.of(totals[here].astype(np.float64), counts[here])

    def mean(self, name: str) -> Estimate:
        """The mean with its interval over deals."""
        return block_mean(self.found.get(name, Moments()))

    def share(self, name: str) -> Estimate:
        """The same of a share or a credit."""
        return block_share(self.found.get(name, Moments()))
