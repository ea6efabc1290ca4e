"""The rules mapping with the rulebook's and the rulings' defaults, and the rulings' options."""

from .names import (
    BLANK,
    BLUE,
    GREEN,
    JOKER,
    MANY_CRATES,
    PER_ARCHITECTURE,
    PER_DIVERS,
    PER_GOLD,
    PER_RESEARCH,
    PER_SHIP,
    POINTS,
    PURPLE,
    RED,
    THREE_COLOURS,
    WHITE,
    YELLOW,
)

CRATES = [[1, 1, 1, 2, 2, 2, 2, 3], [2, 2, 2, 3, 3, 3, 3, 4], [3, 3, 4, 4, 4, 5, 5, 5]]  # A01

# effect, amount, copies (rulebook "The Research Cards", A02)
RESEARCH_DECK = [
    (POINTS, 2, 4),
    (POINTS, 3, 4),
    (POINTS, 4, 4),
    (PER_ARCHITECTURE, 1, 2),
    (PER_RESEARCH, 1, 2),
    (PER_SHIP, 1, 2),
    (THREE_COLOURS, 5, 2),
    (PER_GOLD, 1, 2),
    (PER_DIVERS, 1, 2),
    (MANY_CRATES, 5, 2),
    (POINTS, 3, 4),
]
FORMER_KINDS = [(PER_DIVERS, 1, 4), (MANY_CRATES, 5, 2), (JOKER, 0, 2)]  # A02, the former default


def bits(*colours):
    """Bit c set where a diver of colour c pays."""
    return sum(1 << colour for colour in colours)


def padded(numbers, length, filler):
    return list(numbers) + [filler] * (length - len(numbers))


def default_rules(players):
    """The contract's table "The rules, by name", all defaults."""
    return {
        "players": players,
        "hand_size": 5,
        "breath_cards": 5,
        "team_cards": [3, 6],
        "diver_copies": [13] * 6,
        "treasure_copies": [12, 10, 9, 8, 7, 6, 5],
        "treasures_removed": {2: 26, 3: 18, 4: 9, 5: 0}[players],
        "hurricane_pile": 10,
        "crates": [list(pile) for pile in CRATES],
        "action_colours": [
            [bits(GREEN, YELLOW), bits(PURPLE), bits(WHITE)],  # Submarine
            [bits(WHITE, RED), bits(GREEN, BLUE), bits(PURPLE)],  # Harbor
            [bits(YELLOW, PURPLE, BLUE), bits(WHITE), bits(RED)],  # Tavern
            [bits(BLUE, RED), bits(YELLOW), bits(GREEN)],  # Research Station
        ],
        "cards_per_turn": 3,
        "pairs_per_turn": 1,
        "pair_when": 0,
        "partial_takes": 1,
        "take_fewer": 0,
        "dive_cards": [1, 2, 3],
        "dive_spaces": [1, 3, 6],
        "research_cards": [1, 1, 2],
        "research_spaces": [1, 4, 4],
        "drink_cards": 2,
        "drink_treasure_spaces": 3,
        "drink_research_spaces": 2,
        "drink_ship_piles": 2,
        "drink_uses_location": 0,
        "drink_one_location": 1,
        "drawn_divers_seen": 0,
        "turn_cap": 200,
        "tie_counts": 0,
        "hurricane_counts": 0,
        "tie_last": 0,
        "treasure_values": [
            padded([1, 3, 6, 12], 6, -1),  # Architecture, blue
            padded([0, 0, 10, 16], 6, -1),  # Pottery shards, red
            padded([1, 4, 9, 15], 6, -1),  # Gold, yellow
            padded([2, 5, 10, 16], 6, -1),  # Amphorae, pink
            padded([0, 6, 12, 20], 6, -1),  # Inscriptions, orange
            padded([3, 8, 15], 6, -1),  # Statues, green
            padded([4, 9, 16], 6, -1),  # Weapons, purple
        ],
        "research_effect": padded([effect for effect, amount, copies in RESEARCH_DECK], 16, BLANK),
        "research_amount": padded([amount for effect, amount, copies in RESEARCH_DECK], 16, 0),
        "research_copies": padded([copies for effect, amount, copies in RESEARCH_DECK], 16, 0),
        "set_colours": 3,
        "divers_counted_by": 2,
        "many_crates": 8,
        "crates_counted": 0,
        "joker_counts": 0,
    }


def _mean_crates():
    """A01: every ship its pile's mean, rounded (1.75, 2.75, 4.125)."""
    return [[int(sum(pile) / len(pile) + 0.5)] * len(pile) for pile in CRATES]


def _more_crates(more):
    """A01: one crate more or fewer on each, within 1..5."""
    return [[min(5, max(1, crates + more)) for crates in pile] for pile in CRATES]


def revalued(rules, effect, amount):
    """A02: the kinds valued by the ruling (Gold, divers, crates) of a deck get another worth."""
    effects, amounts = list(rules["research_effect"]), list(rules["research_amount"])
    for kind, known in enumerate(effects):
        if known in (PER_GOLD, PER_DIVERS, MANY_CRATES):
            effects[kind], amounts[kind] = known if effect is None else effect, amount
    return {"research_effect": effects, "research_amount": amounts}


def _former_deck():
    """A02: the deck that was the default before."""
    deck = [*RESEARCH_DECK[:-3], *FORMER_KINDS]
    names = ("research_effect", "research_amount", "research_copies")
    fillers = (BLANK, 0, 0)
    return {name: padded(values, 16, filler) for name, values, filler in zip(names, zip(*deck), fillers)}


OPTIONS = {
    "A01=mean": {"crates": _mean_crates()},
    "A01=one_more": {"crates": _more_crates(1)},
    "A01=one_fewer": {"crates": _more_crates(-1)},
    "A02=former": _former_deck(),
    "A02=zero": revalued(default_rules(4), None, 0),
    "A02=two_flat": revalued(default_rules(4), POINTS, 2),
    "A03=every": {"drink_treasure_spaces": 6, "drink_research_spaces": 4, "drink_ship_piles": 3},
    "A03=first": {"drink_treasure_spaces": 1, "drink_research_spaces": 1, "drink_ship_piles": 1},
    "A07=all": {"partial_takes": 0},
    "A11=collected": {"tie_counts": 1},
    "A11=lowest_seat": {"tie_last": 1},
    "A19=fewer": {"take_fewer": 1},
    "A20=uses": {"drink_uses_location": 1},
    "A21=no": {"drink_one_location": 0},
    "A23=seen": {"drawn_divers_seen": 1},
    "A25=unpayable": {"pair_when": 1},
    "A26=sets": {"joker_counts": 1},
    "A27=counts": {"hurricane_counts": 1},
    "A28=cap": {"turn_cap": 12},
    "A29=loaded": {"crates_counted": 1},
}
