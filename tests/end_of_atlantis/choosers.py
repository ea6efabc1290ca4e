"""Players of End of Atlantis for the soak and for lockstep, each with a taste of its own (tests.machinery.tastes)."""

from random import Random

from kernels.end_of_atlantis import codes as c
from tests.end_of_atlantis.lockstep import GAME, Lockstep
from tests.machinery.tastes import Style, first, judging, last, liking, not_passing, small, tastes

by_judgement = judging(GAME)  # as the greedy policy would choose


# ---- tastes


def onto_full(chance: Random, actions: list[int], game: Lockstep) -> int:
    """The ship with the most aboard, where cubes crowd and others are displaced."""
    aboard = game.oracle.game.aboard
    return max(actions, key=lambda ship: sum(aboard[ship]) if ship >= 0 else -1)


def on_the_ocean(chance: Random, actions: list[int], game: Lockstep) -> int:
    """A ship that will land, where there is one."""
    area = game.oracle.game.area
    return chance.choice([ship for ship in actions if ship >= 0 and area[ship] == c.AREA_OCEAN] or actions)


# ---- styles

BIDS = ("senate_bid", "bid", "open_bid", "demagogos_change")
ABILITIES = ("archont", "basileus", "demiurgos", "oraklos", "demagogos_look", "demagogos_call")
LOADS = ("load", "load_second", "stowaway", "basileus", "aristocracy", "all_in", "setup_cube")
CARDS = ("play", "declare", "philosophios")
ACTIVE = (*CARDS, *ABILITIES, "orator", "proxy", "strategos", "all_in")
OPTIONAL = (*ACTIVE, "faction")
VICTIMS = ("aristocracy_victim", "empath_victim")


BUSY: Style = {**tastes(BIDS, small), **tastes(ACTIVE, not_passing)}

STYLES: dict[str, Style] = {
    "uniform": {},
    "greedy": tastes(c.PROMPTS, by_judgement),
    "busy": {**BUSY, "lay": liking(2, 4, 5, 6, 7, 8)},
    "spender": {**tastes(ACTIVE, not_passing), **tastes(BIDS, last)},
    "miser": {**tastes(OPTIONAL, first), **tastes(BIDS, first)},
    "passer": {**tastes(BIDS, small), **tastes(OPTIONAL, first)},
    "senator": {**BUSY, "senate_bid": last, "proxy": last},
    "declarer": {
        **BUSY,
        "lay": liking(c.POLITICS_REFUGEES_2, c.POLITICS_REFUGEES_2_1, c.POLITICS_SHIPS, c.POLITICS_ROYAL_SHIP, 6),
        "declare": last,
        "faction": liking(c.FACTION_DEMIURGOS),
        "free_faction": liking(c.FACTION_DEMIURGOS),
    },
    "wrecker": {
        **BUSY,
        "lay": liking(c.POLITICS_SABOTAGE, c.POLITICS_BETRAYAL),
        "archont_discard": liking(0, 1, 2, 3),
        "betrayal": last,
        "betrayal_count": last,
    },
    "sailor": {
        **BUSY,
        **tastes(LOADS, onto_full),
        "lay": liking(c.POLITICS_SHIPS, c.POLITICS_ROYAL_SHIP, c.POLITICS_REFUGEES_2_1),
        "move": on_the_ocean,
    },
    "crowder": {
        **BUSY,
        **tastes(LOADS, onto_full),
        **tastes(VICTIMS, last),
        "lay": liking(c.POLITICS_ARISTOCRACY, c.POLITICS_REFUGEES_2, c.POLITICS_REFUGEES_2_1),
        "faction": liking(c.FACTION_BASILEUS, c.FACTION_STRATEGOS),
    },
    "schemer": {
        **BUSY,
        "play": last,
        "oraklos": not_passing,
        "faction": liking(c.FACTION_PHILOSOPHIOS, c.FACTION_DEMAGOGOS, c.FACTION_ORAKLOS),
        "free_faction": liking(c.FACTION_PHILOSOPHIOS, c.FACTION_DEMAGOGOS, c.FACTION_ORAKLOS),
    },
}
