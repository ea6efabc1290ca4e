"""Which values fit which rule of Atlantica, and which rules do not go together.

Ranges are what the kernels' integers and loops can hold, a good deal wider than any sensible rule.
"""

from collections.abc import Callable, Mapping

from kernels.atlantica.codes import (
    DIVERS,
    LOCATIONS,
    MOST_JOKERS,
    PILE_SHIPS,
    RESEARCH_CARDS,
    RESEARCH_EFFECTS,
    RESEARCH_KINDS,
    RESEARCH_SPACES,
    ROW_VALUES,
    SHIP_PILES,
    TIERS,
    TREASURE_CARDS,
    TREASURE_KINDS,
    TREASURE_SLUGS,
    TREASURE_SPACES,
)
from kernels.atlantica.rules import CHOICES
from kernels.atlantica.state import DIVER_CARDS
from sim.rules.shapes import Choice, Deck, Flag, Row, Sets, Shape, Table, Value, Whole

LOCATION_SLUGS = tuple(name.lower().replace(" ", "_") for name in LOCATIONS)
PILES = ("A", "B", "C")
MOST_TREASURES = TREASURE_CARDS - 1  # the hurricane card takes one place in the deck
MOST_CRATES = 120  # one seat may own every ship
TIER_CARDS = "for 1, 2 and 3 diver cards"

# The treasure values' limit and these keep a score below 32,768 VP, whoever owns every card of the game.
AMOUNTS: dict[str, tuple[int, int] | None] = {
    "blank": None,
    "points": (0, 20),
    "per_architecture": (0, 10),
    "per_gold": (0, 10),
    "per_research": (0, 10),
    "per_ship": (0, 10),
    "three_colours": (0, 20),
    "per_divers": (0, 10),
    "many_crates": (0, 20),
    "joker": None,
}
assert tuple(AMOUNTS) == RESEARCH_EFFECTS

SHAPES: dict[str, Shape] = {
    **{name: Choice(words=words) for name, words in CHOICES.items()},
    "hand_size": Whole(low=0, high=10, unit="cards"),
    "diver_copies": Table(keys=DIVERS, entry=Whole(low=0, high=40, unit="cards")),
    "treasure_copies": Table(keys=TREASURE_SLUGS, entry=Whole(low=0, high=MOST_TREASURES, unit="cards")),
    **{
        f"treasures_removed_{players}": Whole(
            low=0, high=MOST_TREASURES, unit="cards", field="treasures_removed", players=players
        )
        for players in (2, 3, 4, 5)
    },
    "hurricane_pile": Whole(low=0, high=20, unit="cards"),
    "crates": Table(
        keys=PILES, entry=Row(length=PILE_SHIPS, low=1, high=9, meaning=f"crates on the {PILE_SHIPS} ships of a pile")
    ),
    "action_colours": Table(
        keys=LOCATION_SLUGS,
        entry=Sets(names=DIVERS, length=TIERS, what="colour", meaning="what pays the first, second and third card"),
    ),
    "cards_per_turn": Whole(low=1, high=len(LOCATIONS) * TIERS, unit="cards"),
    "pairs_per_turn": Whole(low=0, high=1, unit="pairs"),
    "partial_takes": Flag(),
    "take_fewer": Flag(),
    "dive_cards": Row(length=TIERS, low=1, high=TREASURE_SPACES, meaning=f"treasures {TIER_CARDS}"),
    "dive_spaces": Row(length=TIERS, low=1, high=TREASURE_SPACES, meaning=f"spaces from the left {TIER_CARDS}"),
    "team_cards": Row(length=2, low=0, high=20, meaning="divers for the small and the large team"),
    "drink_cards": Whole(low=1, high=3, unit="cards"),
    "drink_treasure_spaces": Whole(low=0, high=TREASURE_SPACES, unit="spaces from the left"),
    "drink_research_spaces": Whole(low=0, high=RESEARCH_SPACES, unit="spaces from the left"),
    "drink_ship_piles": Whole(low=0, high=SHIP_PILES, unit="piles from the left"),
    "drink_uses_location": Flag(),
    "drink_one_location": Flag(),
    "research_cards": Row(length=TIERS, low=1, high=RESEARCH_SPACES, meaning=f"Research cards {TIER_CARDS}"),
    "research_spaces": Row(length=TIERS, low=1, high=RESEARCH_SPACES, meaning=f"spaces from the left {TIER_CARDS}"),
    # With 0 a seat that can pay for nothing would never get on.
    "breath_cards": Whole(low=1, high=20, unit="cards"),
    "drawn_divers_seen": Flag(),
    "turn_cap": Whole(low=1, high=200, unit="turns a seat"),
    "hurricane_counts": Whole(low=0, high=1, unit="treasures"),
    "treasure_values": Table(
        keys=TREASURE_SLUGS,
        entry=Row(
            length=ROW_VALUES,
            least=1,
            low=0,
            high=40,
            meaning="VP for one treasure of the kind, for two and so on",
            rising=True,
            pad=ROW_VALUES,
            blank=-1,
        ),
    ),
    "research_deck": Deck(
        effects=AMOUNTS,
        total=RESEARCH_CARDS,
        most=RESEARCH_KINDS,
        fields_by_part=("research_effect", "research_amount", "research_copies"),
    ),
    "set_colours": Whole(low=1, high=TREASURE_KINDS, unit="kinds"),
    "divers_counted_by": Whole(low=1, high=10, unit="divers"),
    "many_crates": Whole(low=0, high=60, unit="crates"),
}

Rules = Mapping[str, Value]


def _enough_divers(rules: Rules, players: int) -> str:
    divers, dealt = sum(rules["diver_copies"].values()), players * rules["hand_size"]
    if divers > DIVER_CARDS:
        return f"diver_copies adds up to {divers} cards, and at most {DIVER_CARDS} are possible."
    if divers < dealt:
        return (
            f"diver_copies adds up to {divers} cards, fewer than the {dealt} "
            f"that {players} players are dealt (hand_size {rules['hand_size']})."
        )
    return ""


def _enough_treasures(rules: Rules, players: int) -> str:
    """The main pile fills the row at the start: the hurricane cannot come before the first turn."""
    treasures, pile = sum(rules["treasure_copies"].values()), rules["hurricane_pile"]
    name = f"treasures_removed_{players}"
    most = treasures - pile - TREASURE_SPACES
    if treasures > MOST_TREASURES:
        return f"treasure_copies adds up to {treasures} cards, and at most {MOST_TREASURES} are possible."
    if rules[name] > most:
        needed = rules[name] + pile + TREASURE_SPACES
        return (
            f"treasure_copies adds up to {treasures} cards, but {needed} are needed: {rules[name]} to remove ({name}), "
            f"{pile} for the Hurricane space (hurricane_pile) and {TREASURE_SPACES} for the row."
        )
    return ""


def _crates_can_be_counted(rules: Rules, players: int) -> str:
    crates = sum(sum(pile) for pile in rules["crates"].values())
    return f"crates adds up to {crates}, and at most {MOST_CRATES} are possible." if crates > MOST_CRATES else ""


def _colours_pay_one_card(rules: Rules, players: int) -> str:
    for location, cards in rules["action_colours"].items():
        paying = [colour for card in cards for colour in card]
        for colour in paying:
            if paying.count(colour) > 1:
                return (
                    f"action_colours.{location} has {colour} pay {paying.count(colour)} cards, "
                    "but a colour can pay only one card of a location."
                )
    return ""


def _spaces_hold_the_cards(rules: Rules, players: int) -> str:
    for cards, spaces in (("dive_cards", "dive_spaces"), ("research_cards", "research_spaces")):
        for tier, (taken, offered) in enumerate(zip(rules[cards], rules[spaces]), start=1):
            if taken > offered:
                return (
                    f"{cards} takes {taken} cards for {tier} diver card{'s' if tier > 1 else ''}, more than the "
                    f"{offered} of {spaces}, which is the most it can be."
                )
    return ""


def _few_jokers(rules: Rules, players: int) -> str:
    jokers = sum(card["copies"] for card in rules["research_deck"] if card["effect"] == "joker")
    return f"research_deck has {jokers} jokers, and at most {MOST_JOKERS} are possible." if jokers > MOST_JOKERS else ""


# Each: the rules it is about, and a function that says in a sentence what is wrong with them ("": nothing).
CHECKS: tuple[tuple[tuple[str, ...], Callable[[Rules, int], str]], ...] = (
    (("diver_copies", "hand_size"), _enough_divers),
    (
        ("treasure_copies", "hurricane_pile", *(f"treasures_removed_{players}" for players in (2, 3, 4, 5))),
        _enough_treasures,
    ),
    (("crates",), _crates_can_be_counted),
    (("action_colours",), _colours_pay_one_card),
    (("dive_cards", "dive_spaces", "research_cards", "research_spaces"), _spaces_hold_the_cards),
    (("research_deck",), _few_jokers),
)
