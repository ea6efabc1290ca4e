"""How often tie-breaks decide: what --until looks at. The answer is the section of the game's own page."""

import polars as pl

from analysis.frames import Run
from analysis.questions.until import Watched
from analysis.sections.common import scan_games


def watch(run: Run) -> Watched:
    """The share of games in which the points alone did not tell the winner."""
    other = (pl.col("decided_by") != 0).cast(pl.Float64)
    return Watched(scan_games, {"Games not decided by points alone": other}, None)
