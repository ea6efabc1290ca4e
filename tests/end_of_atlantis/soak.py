"""What the soak of End of Atlantis plays: its rules, decks and players (see tests.machinery.soak)."""

from collections.abc import Sequence
from random import Random
from typing import Any

from kernels.end_of_atlantis import codes as c
from tests.end_of_atlantis.choosers import STYLES
from tests.end_of_atlantis.coverage_table import GAME, INVISIBLE, OPTIONS, PLAYERS, VARIANTS, Tally
from tests.end_of_atlantis.lockstep import Lockstep, packing_at
from tests.end_of_atlantis.oracle.end_of_atlantis import Oracle
from tests.machinery.tastes import choose
from tests.machinery.twins import rules_as_dict

__all__ = ["FOCI", "GAME", "INVISIBLE", "OPTIONS", "STYLES", "Lockstep", "Oracle", "Tally", "choose"]

FOCI = ("", *VARIANTS, *OPTIONS)  # what has its turn, one after the other

# Options that are refused without a variant, or without a Senate.
NEEDED = {"E37": "aggressive-neutrals", "E45": "chosen-ships"}
WITH_SENATE = ("E27",)

# Other rules with the range in which they are drawn; what does not go together is refused by the loader.
NUMBERS = {
    "start_vp": (0, 4),
    "cubes_per_player": (5, 30),
    "neutral_tokens": (0, 20),
    "setup_neutrals": (0, 6),
    "setup_specials": (0, 5),
    "setup_cubes": (0, 4),
    "events_removed": (0, 7),
    "archont_cards": (1, 10),
    "plus_one_vp": (0, 3),
    "votings": (1, 5),
    "votings_all_doomed": (1, 5),
    "places": (1, 3),
    "places_all_doomed": (1, 3),
    "strategos_refund": (0, 6),
    "mover_vp": (0, 3),
    "science_vp": (0, 5),
    "royal_vessel_specials": (0, 3),
    "land_majority_vp": (0, 5),
    "pool_majority_vp": (0, 5),
    "doom_redrawn_through": (0, 7),
    "doom_ships": (0, 5),
    "all_in_cubes": (0, 6),
    "no_mercy_vp": (0, 5),
    "hand_size": (5, 10),
    "refill_to": (5, 10),
    "event_cubes.chaos": (0, 5),
    "tile_spaces.A": (1, 7),
    "tile_spaces.A+": (8, 12),
    "tile_spaces.B": (1, 8),
    "tile_spaces.B+": (1, 8),
    "tile_spaces.D": (1, 3),
}


def politics(**copies: int) -> tuple[str, ...]:
    """Settings for a Politics deck of these kinds; the rest of the 80 cards are the commonest kind."""
    kinds = dict.fromkeys(("refugees_1", "refugees_2", "refugees_2_1", "aristocracy", "ships"), 0)
    kinds |= dict.fromkeys(("royal_ship", "support", "sabotage", "betrayal"), 0) | copies
    kinds["refugees_1"] += 80 - sum(kinds.values())
    return tuple(f"politics_copies.{kind}={number}" for kind, number in kinds.items())


# What the usual rules reach too seldom, and the settings under which it happens often.
THEMES: dict[str, tuple[str, ...]] = {
    "usual": (),
    "three Dooms": ("events_removed=7",),
    "all Events": ("events_removed=0", "doom_redrawn_through=7"),
    "red cards": politics(refugees_2=20, ships=16, royal_ship=4, sabotage=14, betrayal=14),
    "ships": politics(refugees_2=20, refugees_2_1=8, aristocracy=8, ships=16, royal_ship=12),
    "Specials": ("setup_specials=5", *politics(refugees_2=12, refugees_2_1=8, ships=20, royal_ship=8, support=12)),
    "few cubes": ("cubes_per_player=6", "all_in_cubes=6"),
    "full ships": ("tile_spaces.A=2", "tile_spaces.B=2", "tile_spaces.C=1", *politics(refugees_2=12, aristocracy=30)),
    "many blacks": ("neutral_tokens=20", "setup_neutrals=6", "event_cubes=4", "events_removed=0"),
    "few blacks": ("neutral_tokens=3", "event_cubes=5"),
    "nothing to lose": ("start_vp=0", "no_mercy_vp=3", "events_removed=0"),
    "large hands": ("hand_size=9", "votings=4", "votings_all_doomed=3"),
    "few Politics cards": (),
}
# Rulings whose options seldom matter otherwise, and the theme under which they do.
THEME_OF = {"E32b": "nothing to lose", "E12": "full ships", "E37": "full ships", "E07": "large hands"}
SPECIALS = {"Specials"}  # themes with a Special deck of few effects


def draw_table(chance: Random, focus: str) -> tuple[int, str, tuple[str, ...], tuple[str, ...]]:
    """Players, theme, variants and settings, which may not go together."""
    players = chance.choice(PLAYERS)
    theme = chance.choice((*THEMES, *["usual"] * len(THEMES)))
    if chance.random() < 0.7:
        theme = THEME_OF.get(focus.partition("=")[0], theme)
    variants = draw_variants(chance, focus)
    options = draw_options(chance, focus)
    settings = (*THEMES[theme], *draw_numbers(chance, players, theme, variants), *options)
    return players, theme, variants, settings


def draw_variants(chance: Random, focus: str) -> tuple[str, ...]:
    """Some variants, with what the focus needs and without what it cannot have."""
    ruling = focus.partition("=")[0]
    needed = {focus, NEEDED.get(ruling, "")}
    unwanted = {"family"} if ruling in WITH_SENATE else set()
    return tuple(name for name in VARIANTS if name in needed or (chance.random() < 0.2 and name not in unwanted))


def draw_options(chance: Random, focus: str) -> tuple[str, ...]:
    """The focus, if it is an option, and now and then others, one a ruling."""
    others = [option for option in OPTIONS if chance.random() < 0.06]
    options = {option.partition("=")[0]: option for option in [*others, *([focus] if "=" in focus else [])]}
    return tuple(options.values())


def draw_numbers(chance: Random, players: int, theme: str, variants: Sequence[str]) -> tuple[str, ...]:
    """Other numbers in half of the usual games, and other ships where they are chosen."""
    settings = []
    if theme == "usual" and chance.random() < 0.5:
        for name in chance.sample(sorted(NUMBERS), chance.randrange(1, 7)):
            settings.append(f"{name}={chance.randint(*NUMBERS[name])}")
    if "chosen-ships" in variants and chance.random() < 0.6:
        tiles = c.TILES if players > 2 else [tile for tile in c.TILES if tile[0] != "A"]
        settings.append(f"chosen_ships={','.join(chance.sample(tiles, 4 if players == 2 else 5))}")
    return tuple(settings)


def draw_decks(chance: Random, theme: str, rules: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Decks that the loader has no short way to write, or does not let through."""
    if theme in SPECIALS:
        effects = [chance.randrange(len(c.SPECIAL_EFFECTS)) for _ in range(chance.randrange(1, 5))]
        copies = [25 // len(effects)] * len(effects)
        copies[0] += 25 - sum(copies)
        amounts = [chance.randint(1, 3) for _ in effects]
        fields = {"special_effect": effects, "special_amount": amounts, "special_copies": copies}
        return tuple((name, (*numbers, *[0] * (25 - len(numbers)))) for name, numbers in fields.items())
    if theme == "few Politics cards":
        hands = int(rules["players"]) * int(max(rules["hand_size"], rules["refill_to"]))
        cards = hands + chance.randrange(4)  # next to none are left in the deck
        kinds = [chance.randrange(c.POLITICS_KINDS) for _ in range(cards)]
        return (("politics_copies", tuple(kinds.count(kind) for kind in range(c.POLITICS_KINDS))),)
    return ()


def second_oracle(rules: Any, seed: int, deal: int) -> Oracle:
    """A game of the oracle alone, under these rules."""
    return Oracle(rules_as_dict(rules), seed, deal)


def pack(oracle: Oracle) -> bytes:
    """What lockstep compares, and so what its trail holds."""
    return packing_at(oracle).of_oracle(oracle)
