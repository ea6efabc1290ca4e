"""What a report on Goofspiel shows."""

from functools import partial

from analysis.sections.choices import OptionGroup, options
from analysis.sections.length import length
from analysis.sections.scores import scores
from analysis.sections.seats import policies, seats
from analysis.sections.sources import sources
from analysis.sections.ties import ties
from goofspiel.kernels.codes import OPTIONS

BIDS = OptionGroup("Bids", "bid", {option: option.replace("bid_", "") for option in OPTIONS})
SECTIONS = (
    seats,
    policies,
    scores,
    length,
    partial(sources, names={"prizes": "Prizes", "bonus": "Bonus of the last seat"}),
    partial(options, groups=(BIDS,)),
    partial(ties, contests=("games",), levels=("the points", "nothing"), stays_level=True),
)
