"""Which values fit which rule of End of Atlantis, and which rules do not go together.

Ranges are what the kernels' integers and loops can hold, a good deal wider than any sensible rule.
"""

from collections.abc import Callable, Mapping

from kernels.end_of_atlantis.codes import (
    FACTIONS,
    LETTERS,
    POLITICS,
    SHIPS,
    SPECIAL_CARDS,
    SPECIAL_EFFECTS,
    SPECIAL_KINDS,
    TILES,
    slug,
)
from kernels.end_of_atlantis.rules import CHOICES
from sim.rules.shapes import Choice, Deck, Flag, Names, Row, Shape, Table, Value, Whole

EVENT_SLUGS = (
    "doom_1",
    "doom_2",
    "doom_3",
    "senate_pays",
    "wrath",
    "all_in",
    "chaos",
    "all_doomed",
    "no_mercy",
    "leadership",
)
POLITICS_SLUGS = tuple(slug(name) for name in POLITICS)
POLITICS_CARDS = 80

AMOUNTS: dict[str, tuple[int, int] | None] = {
    "blank": None,
    "end_vp": (0, 20),
    "extra_refugee": (1, 3),
    "replace_refugee": None,
    "extra_ship": None,
    "neutral_ally": None,
    "bid_bonus": (1, 10),
    "senate_bonus": (1, 10),
}
assert tuple(AMOUNTS) == SPECIAL_EFFECTS

SHAPES: dict[str, Shape] = {
    **{name: Choice(words=words) for name, words in CHOICES.items()},
    "start_vp": Whole(low=0, high=100, unit="VP"),
    "cubes_per_player": Whole(low=1, high=60, unit="cubes"),
    "neutral_tokens": Whole(low=0, high=40, unit="cubes"),
    "setup_neutrals": Whole(low=0, high=40, unit="cubes"),
    "hand_size": Whole(low=1, high=10, unit="cards"),
    "setup_specials": Whole(low=0, high=5, unit="cards"),
    "setup_cubes": Whole(low=0, high=5, unit="cubes"),
    "events_removed": Whole(low=0, high=7, unit="cards"),
    "tile_spaces": Table(keys=TILES, entry=Whole(low=1, high=12, unit="refugees")),
    "chosen_ships": Names(names=TILES, least=0, most=SHIPS, what="ship", pad=SHIPS),
    "chosen_ships_repeat_letters": Flag(field=""),
    "senate": Flag(),
    **{
        f"faction_cost_{players}": Row(
            length=players,
            low=0,
            high=20,
            meaning=f"influence tokens for the first to the last of {players} players",
            pad=5,
            field="faction_cost",
            players=players,
        )
        for players in (2, 3, 4, 5)
    },
    "factions_each": Whole(low=1, high=2, unit="Factions"),
    "faction_order": Names(names=FACTIONS, least=7, most=7, what="Faction"),
    "archont_cards": Whole(low=1, high=10, unit="cards"),
    "plus_one_vp": Whole(low=0, high=20, unit="VP"),
    "votings": Whole(low=1, high=5, unit="votings a turn"),
    "votings_all_doomed": Whole(low=1, high=5, unit="votings a turn"),
    "places": Whole(low=1, high=3, unit="winners of a voting"),
    "places_all_doomed": Whole(low=1, high=3, unit="winners of a voting"),
    "zero_bid_wins": Flag(),
    "borrow_twice": Flag(),
    "strategos_refund": Whole(low=0, high=20, unit="tokens"),
    "two_player_factions": Flag(),
    "ships_chart": Row(length=5, low=0, high=100, meaning="VP for 1 to 5 refugees"),
    "royal_chart": Row(length=5, low=0, high=100, meaning="VP for 1 to 5 refugees"),
    "mover_vp": Whole(low=0, high=20, unit="VP"),
    "science_vp": Whole(low=0, high=20, unit="VP"),
    "royal_vessel_specials": Whole(low=0, high=3, unit="cards"),
    "ark_alone_moves": Flag(),
    "land_majority_vp": Whole(low=0, high=50, unit="VP"),
    "pool_majority_vp": Whole(low=0, high=50, unit="VP"),
    "doom_redrawn_through": Whole(low=0, high=10, unit="turn"),
    "doom_ships": Whole(low=0, high=5, unit="ships"),
    "aggressive_neutrals": Flag(),
    "refill_to": Whole(low=5, high=10, unit="cards"),
    "event_cubes": Table(keys=EVENT_SLUGS, entry=Whole(low=0, high=5, unit="cubes")),
    "event_open": Table(keys=EVENT_SLUGS, entry=Choice(words=("hidden", "open"))),
    "senate_pays": Row(length=2, low=0, high=50, meaning="VP for the first and the second"),
    "no_mercy_vp": Whole(low=0, high=20, unit="VP"),
    "negative_scores": Flag(),
    "all_in_cubes": Whole(low=0, high=10, unit="cubes"),
    "politics_copies": Table(
        keys=POLITICS_SLUGS,
        entry=Whole(low=0, high=POLITICS_CARDS, unit="cards"),
        total=POLITICS_CARDS,
        counted="cards",
    ),
    "special_deck": Deck(
        effects=AMOUNTS,
        total=SPECIAL_CARDS,
        most=SPECIAL_KINDS,
        fields_by_part=("special_effect", "special_amount", "special_copies"),
    ),
    "revealed_events": Flag(),
    "revealed_specials": Flag(),
}

Rules = Mapping[str, Value]


def _hand_covers_votings(rules: Rules, players: int) -> str:
    if rules["votings_all_doomed"] > rules["votings"]:
        return (
            f"votings_all_doomed is {rules['votings_all_doomed']}, "
            f"more than the {rules['votings']} of votings, which is the most it can be."
        )
    for name in ("hand_size", "refill_to"):
        if rules[name] < rules["votings"]:
            return (
                f"{name} is {rules[name]}, but {rules['votings']} cards are laid each turn (votings); "
                f"it can be {rules['votings']} to 10."
            )
    return ""


def _somebody_loses(rules: Rules, players: int) -> str:
    if rules["places"] >= players:
        return (
            f"places is {rules['places']}, but with {players} players it can be at most {players - 1}, "
            "as somebody must lose a voting."
        )
    if rules["places_all_doomed"] > rules["places"]:
        return (
            f"places_all_doomed is {rules['places_all_doomed']}, more than the {rules['places']} of places, "
            "which is the most it can be."
        )
    return ""


def _enough_cubes(rules: Rules, players: int) -> str:
    for name, supply in (("setup_neutrals", "neutral_tokens"), ("setup_cubes", "cubes_per_player")):
        if rules[name] > rules[supply]:
            most = rules[supply]
            return f"{name} is {rules[name]}, more than the {most} of {supply}, which is the most it can be."
    return ""


def _for_two_players_only(rules: Rules, players: int) -> str:
    if players > 2 and rules["factions_each"] == 2:
        return f"factions_each=2 is for 2 players, and there are {players}; leave it at 1."
    if players > 2 and rules["two_player_factions"]:
        return f"two_player_factions=true is for 2 players, and there are {players}; leave it at false."
    return ""


def _frozen_needs_senate(rules: Rules, players: int) -> str:
    if rules["senate_order_pool"] == "frozen" and not rules["senate"]:
        return (
            "senate_order_pool=frozen needs a Senate, and neither 2 players nor the family variant have one; "
            "leave it at live."
        )
    return ""


def _neutrals_agree(rules: Rules, players: int) -> str:
    if rules["neutral_overflow"] == "next_ship" and rules["aggressive_neutrals"]:
        return (
            "neutral_overflow=next_ship contradicts aggressive_neutrals, "
            "where a cube displaces instead of going elsewhere; choose one of them."
        )
    if rules["aggressive_victim"] == "last_only" and not rules["aggressive_neutrals"]:
        return (
            "aggressive_victim=last_only means nothing without aggressive_neutrals; add --variant aggressive-neutrals."
        )
    return ""


def _ships_fit(rules: Rules, players: int) -> str:
    ships = rules["chosen_ships"]
    if not ships:
        return ""
    wanted = SHIPS - 1 if players == 2 else SHIPS
    if len(ships) != wanted:
        tiles = ", ".join(TILES)
        return f"chosen_ships needs {wanted} ships with {players} players (of {tiles}), got {len(ships)}."
    if players == 2 and any(ship[0] == "A" for ship in ships):
        return "chosen_ships has an Ark, which is not used with 2 players; choose four of B to E and B+ to E+."
    if not rules["chosen_ships_repeat_letters"]:
        letters = [ship[0] for ship in ships]
        for letter in LETTERS:
            if letters.count(letter) > 1:
                return (
                    f"chosen_ships has both {letter} and {letter}+, and chosen_ships_repeat_letters=false forbids that."
                )
    return ""


# Each: the rules it is about, and a function that says in a sentence what is wrong with them ("": nothing).
def _upgrades_hold_everybody(rules: Rules, players: int) -> str:
    """An upgraded ship keeps its refugees, and the advanced Ark takes its own black cube aboard as well."""
    spaces = rules["tile_spaces"]
    assert isinstance(spaces, dict)
    if rules["chosen_ships"]:
        if "A+" in rules["chosen_ships"] and int(rules["setup_neutrals"]) >= int(spaces["A+"]):
            return (
                f"setup_neutrals={rules['setup_neutrals']} leaves the Ark A+ no space for its own black cube: at most "
                f"{int(spaces['A+']) - 1}."
            )
        return ""
    for letter in "ABCDE":
        own = 1 if letter == "A" else 0
        least = int(spaces[letter]) + own
        if int(spaces[f"{letter}+"]) < least:
            return (
                f"tile_spaces gives {letter}+ {spaces[f'{letter}+']} spaces, but it takes over everybody aboard "
                f"{letter}{' and its own black cube' if own else ''}: at least {least}."
            )
    return ""


CHECKS: tuple[tuple[tuple[str, ...], Callable[[Rules, int], str]], ...] = (
    (("hand_size", "refill_to", "votings", "votings_all_doomed"), _hand_covers_votings),
    (("places", "places_all_doomed"), _somebody_loses),
    (("neutral_tokens", "setup_neutrals", "setup_cubes", "cubes_per_player"), _enough_cubes),
    (("factions_each", "two_player_factions"), _for_two_players_only),
    (("senate_order_pool", "senate"), _frozen_needs_senate),
    (("neutral_overflow", "aggressive_neutrals", "aggressive_victim"), _neutrals_agree),
    (("chosen_ships", "chosen_ships_repeat_letters"), _ships_fit),
    (("tile_spaces", "setup_neutrals", "chosen_ships"), _upgrades_hold_everybody),
)
