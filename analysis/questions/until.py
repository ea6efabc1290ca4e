"""Playing until the answer is there, without cheating: --until decided and --until 0.2pp.

One looks after game counts fixed beforehand, at the games from the first on and no others, so that the answer depends
neither on threads nor on when somebody looked. The intervals are confidence sequences, valid at every look.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from analysis.frames import Batch, Run
from analysis.intervals import Span, Verdict, Word
from analysis.page import Figure, Section, block
from analysis.sequential import (
    GROWTH,
    ConfidenceSequence,
    Values,
    blocks_until,
    judge_at_a_look,
    list_looks,
    share_alpha,
    tune,
)
from analysis.tables import Column, Table, join_words, percent, plural, points, show
from sim.errors import UserError

FIRST_CHUNKS = 4


@dataclass(frozen=True)
class Watched:
    """Shares that may be looked at again and again.

    `rows` makes rows with a column `deal` from a batch, `labels` names a row expression between 0 and 1 each, whose
    mean over a deal's rows is that deal's block mean. `target` is where neither side is favoured, None where there is
    no such value.
    """

    rows: Callable[[Batch], pl.LazyFrame]
    labels: Mapping[str, pl.Expr]
    target: float | None


@dataclass(frozen=True)
class Rule:
    """When to stop: as soon as `decided`, or when every interval is at most `half` wide either way."""

    half: float | None = None

    @property
    def decided(self) -> bool:
        """Whether a verdict is waited for."""
        return self.half is None


def parse_rule(text: str) -> Rule:
    """`decided`, or a half width such as 0.2pp. UserError for anything else."""
    if text.strip() == "decided":
        return Rule()
    try:
        half = float(text.strip().lstrip("±").removesuffix("pp").strip()) / 100
    except ValueError:
        half = -1.0
    if not 0 < half < 0.5:
        raise UserError(f"--until is {text}: it takes decided, or a half width such as 0.2pp.")
    return Rule(half)


@dataclass(frozen=True)
class Look:
    """Where it stands after so many games: 95% intervals that hold at every look together."""

    games: int
    value: Values
    ends: tuple[Values, Values]
    blocks: int
    verdict: Verdict | None


def sum_chunks(run: Run, watched: Watched, first: int) -> tuple[Values, Values, Values]:
    """Blocks, sums of their means and of the squares of these for each label, over the chunks from `first` on."""
    later = replace(run)
    later.__dict__["chunks"] = tuple(chunk for chunk in run.chunks if chunk >= first)
    later.__dict__["ended"] = run.ended
    names = list(watched.labels)
    means = [watched.labels[name].mean().cast(pl.Float64).alias(str(i)) for i, name in enumerate(names)]
    parts = []
    for batch in later.batches():
        per_deal = watched.rows(batch).group_by("deal").agg(means)
        sums = [
            expression
            for i in map(str, range(len(names)))
            for expression in (
                pl.col(i).count().cast(pl.Float64).alias(f"n{i}"),
                pl.col(i).sum().alias(f"t{i}"),
                (pl.col(i) * pl.col(i)).sum().alias(f"s{i}"),
            )
        ]
        parts.append(per_deal.select(sums).collect(engine="streaming"))
    together = pl.concat(parts).sum() if parts else pl.DataFrame()

    def read(letter: str) -> Values:
        return np.array([float(together[f"{letter}{i}"][0]) if parts else 0.0 for i in range(len(names))])

    return read("n"), read("t"), read("s")


def play_until(
    watch: Callable[[Run], Watched],
    get: Callable[[int], Run],
    most: int,
    chunk: int,
    rule: Rule,
    delta: float,
) -> tuple[Run, Look]:
    """Play on until `rule` is met or `most` games are played. `get(games)` is the run with so many games from the
    first on; looks fall on whole chunks of `chunk` games.

    Returns the run as it stood at the last look and what was seen there.
    """
    run = get(min(most, FIRST_CHUNKS * chunk))
    watched = watch(run)
    if rule.decided and watched.target is None:
        raise UserError("--until decided needs a verdict, as seat has one; here give a half width: --until 0.2pp.")
    shares = len(watched.labels)
    alpha = share_alpha(shares)
    mean = watched.target if watched.target is not None else 0.5
    variance = max(mean * (1 - mean) / run.arrangements, 1e-3)
    planned = blocks_until(delta if rule.half is None else rule.half, variance, alpha)
    seen = ConfidenceSequence.begin(shares, tune(planned, variance, alpha), mean)
    done = 0
    for chunks in list_looks(FIRST_CHUNKS, -(-most // chunk), GROWTH):
        run = get(min(most, chunks * chunk))
        seen = seen.after(*sum_chunks(run, watched, done))
        done = chunks
        ends = seen.ends(alpha)
        verdict = None if watched.target is None else judge_at_a_look(ends, watched.target, delta)
        look = Look(run.finished, seen.value, ends, int(seen.blocks.max()), verdict)
        if _enough(look, rule):
            break
    return run, look


def _enough(look: Look, rule: Rule) -> bool:
    if rule.half is None:
        return look.verdict is not None and look.verdict.word is not Word.UNDECIDED
    return bool((np.maximum(look.ends[1] - look.value, look.value - look.ends[0]) <= rule.half).all())


def tell_look(key: str, title: str, watched: Watched, look: Look, rule: Rule, delta: float, most: int) -> Section:
    """What was seen at the last look."""
    spans = [
        Span(float(v), float(low), float(high), look.games)
        for v, low, high in zip(look.value, look.ends[0], look.ends[1])
    ]
    labels = list(watched.labels)
    figures = tuple(Figure(label, span, "share", watched.target) for label, span in zip(labels, spans))
    columns = (Column("Share"), Column("Credit" if watched.target else "Rate", "share"))
    table = Table(
        key,
        f"95% intervals that hold at all looks together, after {plural(look.games, 'game')}",
        columns,
        tuple(zip(labels, spans)),
    )
    met = _enough(look, rule)
    stop = (
        f"stopped at a look after {look.games:,} games"
        if met
        else f"not reached within {most:,} games, the most asked for (--games)"
    )
    until = "decided" if rule.half is None else f"± {points(rule.half)}"
    return Section(
        key,
        title,
        _say(labels, spans, watched, look, delta),
        (block(table),),
        (
            f"--until {until}: {stop}. The intervals are confidence sequences: they hold however often one looks.",
            "They are wider than those of a run of a length fixed beforehand; that is the price of looking.",
        ),
        figures=figures,
    )


def _say(labels: Sequence[str], spans: Sequence[Span], watched: Watched, look: Look, delta: float) -> str:
    told = join_words([f"{label.lower()} {show(span, 'share')}" for label, span in zip(labels, spans)])
    n = f"n={look.games:,}"
    if look.verdict is None or watched.target is None:
        return f"{told[:1].upper()}{told[1:]} ({n})."
    even, margin = percent(watched.target), points(delta)
    if look.verdict.word is Word.BALANCED:
        return f"Balanced within {margin}: {told}; even is {even} ({n})."
    if look.verdict.word is Word.SMALL:
        return f"Small bias, within {margin}: {told}; even is {even} ({n})."
    if look.verdict.word is Word.BIASED:
        read = zip(labels, spans, look.verdict.readings)
        off = [f"{label.lower()} {show(span, 'share')}" for label, span, word in read if word is Word.BIASED]
        return f"Biased by more than {margin}: {join_words(off)}, where {even} would be even ({n})."
    return f"Undecided after {plural(look.games, 'game')}: {told}; even is {even}, the margin {margin}."
