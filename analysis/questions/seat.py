"""Is a seat favoured? What --until looks at; the answer is the report's section on seats."""

import polars as pl

from analysis.frames import Run
from analysis.questions.until import Watched
from analysis.sections.common import name_seat
from analysis.sections.seats import scan_whole_deals


def watch(run: Run) -> Watched:
    """The credit of every seat."""
    return Watched(
        scan_whole_deals,
        {name_seat(s): pl.col("credit").filter(pl.col("seat") == s) for s in range(run.players)},
        run.fair,
    )
