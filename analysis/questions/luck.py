"""How much of winning is the deal, the seat, the player? Shares of the variance of credit.

The same deals are played twice, with other draws of the policies (a replicate). What the two games of a deal have in
common beyond seat and policy is the deal's; what differs is luck in play. All parts are means over deals, so each has
its interval: the products of the two deviations from the mean, over the variance of a credit.
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis import plots
from analysis.frames import Batch, Run
from analysis.intervals import Estimate, Moments, block_mean
from analysis.page import Figure, Section, block
from analysis.plots import Stack
from analysis.questions.question import Spec
from analysis.sections.common import SHADES
from analysis.tables import Column, Table, percent, plural, show
from sim.errors import UserError

ONCE, AGAIN = "once", "again"


def arms(spec: Spec) -> dict[str, Spec]:
    """The deals, and the same deals with other draws of the policies."""
    return {ONCE: spec, AGAIN: spec.but(replicate=spec.replicate + 1)}


def read_credits(run: Run) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Game, credit and place in the lineup, the latter two of shape (games, seats), games ascending."""
    k = run.players

    def rows(batch: Batch) -> pl.DataFrame:
        return batch.scan("seats").select("game", "seat", "place", "credit").sort("game", "seat").collect()

    frames = [rows(batch) for batch in run.batches()]
    together = pl.concat(frames)
    return (
        together["game"].to_numpy()[::k],
        together["credit"].to_numpy().reshape(-1, k),
        together["place"].to_numpy().astype(np.int64).reshape(-1, k),
    )


def luck(runs: Mapping[str, Run], delta: float) -> Section:
    """The parts of the variance of credit: policy, seat, deal, play."""
    title = "How much of winning is the deal, the seat, the player?"
    if len(runs) != 2:
        raise UserError(f"luck compares two rounds of the same deals, and {plural(len(runs), 'run')} is given.")
    first, second = runs.values()
    _check_same_deals(first, second)
    games, credit, place = read_credits(first)
    games_again, credit_again, _ = read_credits(second)
    _, here, there = np.intersect1d(games, games_again, assume_unique=True, return_indices=True)
    if not len(here):
        return Section("luck", title, "No game ended by the rules in both rounds, so nothing can be compared.")
    games, credit, place, credit_again = games[here], credit[here], place[here], credit_again[there]
    deal = games // first.arrangements
    lineup = first.manifest.lineup
    tokens = list(dict.fromkeys(lineup))
    policy = np.array([tokens.index(token) for token in lineup])[place]
    fair = first.fair

    off, off_again = credit - fair, credit_again - fair
    by_policy = _means(policy, (off + off_again) / 2, len(tokens))[policy]
    seats = np.broadcast_to(np.arange(first.players), off.shape)
    by_seat = _means(seats, (off + off_again) / 2 - by_policy, first.players)[seats]
    total = (off**2 + off_again**2) / 2
    expected = by_policy + by_seat
    products = {
        "policy": by_policy**2,
        "seat": by_seat**2 + 2 * by_seat * by_policy,
        "deal": (off - expected) * (off_again - expected),
    }
    products["play"] = total - sum(products.values())
    parts = {name: _ratio(deal, value, total) for name, value in products.items()}
    shown = {
        "policy": "who plays",
        "seat": "the seat",
        "deal": "the deal, given how these play it",
        "play": "draws in play",
    }
    same = bool((credit == credit_again).all())
    sentence = (
        f"Of the variance of winning, {show(parts['policy'], 'share')} is who plays, {show(parts['seat'], 'share')} "
        f"the seat, {show(parts['deal'], 'share')} the deal and {show(parts['play'], 'share')} what is drawn in play."
    )
    if same:
        sentence += " These policies draw nothing, so a deal has one outcome only: all the rest is the deal."
    return Section(
        "luck",
        title,
        sentence,
        (
            block(
                plots.draw_lanes(
                    "luck",
                    title,
                    [Stack("variance", [max(0.0, parts[name].value or 0.0) for name in shown])],
                    ["player", "seat", "deal", "play"],
                    SHADES[:4],
                    "share of the variance of credit",
                ),
                Table(
                    "variance_of_credit",
                    f"Shares of the variance of credit, {len(np.unique(deal)):,} deals played twice",
                    (Column("Part"), Column("Share", "share")),
                    tuple((label, parts[name]) for name, label in shown.items()),
                ),
            ),
        ),
        (
            f"{percent(float(total.mean()) / (fair * (1 - fair)))} of the greatest variance a credit can have with "
            f"{first.players} players.",
            "Skill shows only between unlike policies: one policy on all seats has nothing to explain.",
            "The parts of policy and seat count what chance adds to their means, which vanishes with many games.",
        ),
        figures=tuple(Figure(shown[name], parts[name]) for name in shown),
    )


def _means(group: NDArray[np.int64], values: NDArray[np.float64], groups: int) -> NDArray[np.float64]:
    counts = np.bincount(group.ravel(), minlength=groups)
    return np.bincount(group.ravel(), values.ravel(), groups) / np.maximum(counts, 1)


def _ratio(deal: NDArray[np.int64], y: NDArray[np.float64], x: NDArray[np.float64]) -> Estimate:
    block_of = deal - deal.min()
    totals = np.bincount(block_of, y.sum(axis=1)).astype(np.float64)
    counts = np.bincount(block_of, x.sum(axis=1)).astype(np.float64)
    here = np.bincount(block_of) > 0
    return block_mean(Moments.of(totals[here], counts[here]))


def _check_same_deals(a: Run, b: Run) -> None:
    mine, other = a.manifest, b.manifest
    for key in ("game", "players", "lineup", "seed", "rules_digest"):
        if getattr(mine, key) != getattr(other, key):
            differs = key.replace("_", " ")
            raise UserError(f"luck needs two rounds of the same deals, and these runs differ in {differs}.")
    if mine.replicate == other.replicate:
        raise UserError("luck needs another replicate of the same deals, and these two are the same run.")
