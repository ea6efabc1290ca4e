"""Every small integer of Atlantica and the name it stands for.

The tuples are the single source of names: Parquet columns, the trace, the report and the command line all read them
here. A constant is its position in its tuple.
"""

NOBODY = -1
NONE = -1
PASS = -1  # the action "no, thank you": end the turn, stop taking, or Catch Your Breath
# Seats have no colour in this game; the trace numbers them.
SEAT_COLOURS = ("Seat 1", "Seat 2", "Seat 3", "Seat 4", "Seat 5")

PHASES = ("setup", "turns", "last turns", "over")
PHASE_SETUP, PHASE_TURNS, PHASE_LAST_TURNS, PHASE_OVER = range(4)

PROMPTS = ("none", "action", "pay", "treasure", "research", "drink")
PROMPT_NONE, PROMPT_ACTION, PROMPT_PAY, PROMPT_TREASURE, PROMPT_RESEARCH, PROMPT_DRINK = range(6)

DIVERS = ("white", "yellow", "red", "green", "blue", "purple")
WHITE, YELLOW, RED, GREEN, BLUE, PURPLE = range(6)
COLOURS = 6
PAIR = COLOURS  # pay: code PAIR + colour is a pair of that colour in place of the card asked for

LOCATIONS = ("Submarine", "Harbor", "Tavern", "Research Station")
SUBMARINE, HARBOR, TAVERN, RESEARCH_STATION = range(4)
TIERS = 3

# action: PASS, or TIERS * location + tier, the tier counted from 0: so many diver cards and one more.
ACTIONS = (
    "Dive just beneath the surface",
    "Dive somewhat deeper",
    "Dive dangerously deep",
    "Charter a small cargo boat",
    "Charter a large freighter",
    "Charter a huge transport ship",
    "Hire a small diver team",
    "Hire a large diver team",
    "Buy all the divers a drink",
    "Make a chance discovery",
    "Make a valuable discovery",
    "Make two sensational discoveries",
)
ACTION_SLUGS = (
    "dive_1",
    "dive_2",
    "dive_3",
    "cargo_boat",
    "freighter",
    "transport_ship",
    "small_team",
    "large_team",
    "drink",
    "discovery_1",
    "discovery_2",
    "discovery_3",
)
ACTION_DRINK = 8

TREASURES = ("Architecture", "Pottery shards", "Gold", "Amphorae", "Inscriptions", "Statues", "Weapons")
TREASURE_COLOURS = ("blue", "red", "yellow", "pink", "orange", "green", "purple")
TREASURE_SLUGS = ("architecture", "pottery", "gold", "amphorae", "inscriptions", "statues", "weapons")
ARCHITECTURE, POTTERY, GOLD, AMPHORAE, INSCRIPTIONS, STATUES, WEAPONS = range(7)
TREASURE_KINDS = 7
HURRICANE = 7  # among the treasure cards of the Hurricane space
TREASURE_CARDS = 84  # room for so many treasures and the hurricane
ROW_VALUES = 6  # numbers on a treasure card, at most
TREASURE_SPACES = 6
RESEARCH_SPACES = 4

SHIPS = ("Cargo Boat", "Freighter", "Transport Ship")
SHIP_PILES = 3
PILE_SHIPS = 8

# drink: codes of what is taken, by the space it lies on.
DRINK_TREASURE = 0  # .. 5
DRINK_RESEARCH = 6  # .. 9
DRINK_SHIP = 10  # .. 12

RESEARCH_EFFECTS = (
    "blank",
    "points",
    "per_architecture",
    "per_gold",
    "per_research",
    "per_ship",
    "three_colours",
    "per_divers",
    "many_crates",
    "joker",
)
(
    RESEARCH_BLANK,
    RESEARCH_POINTS,
    RESEARCH_PER_ARCHITECTURE,
    RESEARCH_PER_GOLD,
    RESEARCH_PER_RESEARCH,
    RESEARCH_PER_SHIP,
    RESEARCH_THREE_COLOURS,
    RESEARCH_PER_DIVERS,
    RESEARCH_MANY_CRATES,
    RESEARCH_JOKER,
) = range(10)
RESEARCH_KINDS = 16  # at most so many different Research cards
RESEARCH_CARDS = 30
MOST_JOKERS = 4  # treasure jokers in the Research deck, at most

SOURCES = (
    *TREASURE_SLUGS,
    "points",
    "per_architecture",
    "per_gold",
    "per_research",
    "per_ship",
    "three_colours",
    "per_divers",
    "many_crates",
)
SOURCE_RESEARCH = TREASURE_KINDS - 1  # plus the effect's code, which starts at 1
assert SOURCES[SOURCE_RESEARCH + RESEARCH_MANY_CRATES] == "many_crates"

END_REASONS = ("hurricane", "truncated", "turn cap")
END_HURRICANE, END_TRUNCATED, END_TURN_CAP = range(3)
UNFINISHED = (END_TRUNCATED, END_TURN_CAP)  # ends that the rules of the game do not know: nobody has won

# What told the winner from the next: points, treasures, or nothing (a shared win, or the seat).
CONTESTS = ("game",)
SETTLED_BY = ("clear", "treasures", "level")
SETTLED_CLEAR, SETTLED_TREASURES, SETTLED_LEVEL = range(3)

# Purposes of random draws (docs/contracts/atlantica.md, "Random draws").
PURPOSES = (
    "diver_deck",
    "treasure_deck",
    "hurricane",
    "ship_decks",
    "research_deck",
    "diver_reshuffle",
    "policy",
    "resample",
)
(
    PURPOSE_DIVER_DECK,
    PURPOSE_TREASURE_DECK,
    PURPOSE_HURRICANE,
    PURPOSE_SHIP_DECKS,
    PURPOSE_RESEARCH_DECK,
    PURPOSE_DIVER_RESHUFFLE,
    PURPOSE_POLICY,
    PURPOSE_RESAMPLE,
) = range(8)

# How often something could be done and how often it was: the columns legal_<option> and chosen_<option>.
OPTIONS = (
    *ACTION_SLUGS,
    "catch_breath",
    "end_turn",
    *(f"treasure_{name}" for name in TREASURE_SLUGS),
    *(f"research_{name}" for name in RESEARCH_EFFECTS),
    "drink_treasure",
    "drink_research",
    "drink_ship",
    "pay_pair",
)
OPTION_ACTION = 0
OPTION_CATCH_BREATH = 12
OPTION_END_TURN = 13
OPTION_TREASURE = 14
OPTION_RESEARCH = 21
OPTION_DRINK_TREASURE, OPTION_DRINK_RESEARCH, OPTION_DRINK_SHIP = 31, 32, 33
OPTION_PAIR = 34
assert OPTIONS[OPTION_RESEARCH] == "research_blank"
assert OPTIONS[OPTION_PAIR] == "pay_pair"
