"""The report of Atlantica: which sections apply, and those about treasures, Research cards, crates, actions, Catch Your
Breath, the hurricane and the last turns that only this game has, a module each."""

from functools import partial

from analysis.games.atlantica import breath, crates, hurricane, last_turns, research, tiers, treasures
from analysis.games.atlantica.names import SOURCE_NAMES, label_options
from analysis.page import SectionMaker
from analysis.sections.choices import options
from analysis.sections.length import length
from analysis.sections.scores import scores
from analysis.sections.seats import policies, seats
from analysis.sections.sources import sources
from analysis.sections.ties import ties

__all__ = ["SECTIONS", "label_options"]

SECTIONS: tuple[SectionMaker, ...] = (
    seats,
    policies,
    scores,
    partial(length, note="Turns are those that seat 1 has begun."),
    partial(sources, names=SOURCE_NAMES, note="What a Research joker adds is booked with the colour it counts as."),
    treasures.treasures,
    research.research,
    crates.crates,
    tiers.tiers,
    breath.breaths,
    hurricane.hurricane,
    last_turns.last_turns,
    partial(options, groups=label_options()),
    partial(ties, contests=("games",), levels=("the VP", "treasures", "nothing"), stays_level=True),
)
