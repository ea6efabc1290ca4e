"""Numbers and names (contract, chapter "Numbers and names")."""

PASS = -1

COLOURS = ["white", "yellow", "red", "green", "blue", "purple"]
WHITE, YELLOW, RED, GREEN, BLUE, PURPLE = range(6)

SUBMARINE, HARBOR, TAVERN, RESEARCH_STATION = range(4)

KINDS = ["Architecture", "Pottery shards", "Gold", "Amphorae", "Inscriptions", "Statues", "Weapons"]
ARCHITECTURE, POTTERY, GOLD, AMPHORAE, INSCRIPTIONS, STATUES, WEAPONS = range(7)
HURRICANE = 7
EMPTY = -1

(BLANK, POINTS, PER_ARCHITECTURE, PER_GOLD, PER_RESEARCH, PER_SHIP, THREE_COLOURS, PER_DIVERS, MANY_CRATES, JOKER) = (
    range(10)
)

SOURCES = [
    *KINDS,
    "points",
    "per_architecture",
    "per_gold",
    "per_research",
    "per_ship",
    "three_colours",
    "per_divers",
    "many_crates",
]

# where the spaces of a drink begin in the codes of the prompt "drink"
DRINK_TREASURE, DRINK_RESEARCH, DRINK_SHIP = 0, 6, 10

# a pair of colour c is code PAIR + c at the prompt "pay"
PAIR = 6

# purposes of the random streams
DIVERS, TREASURES, HURRICANE_PLACE, SHIPS, RESEARCH, RESHUFFLE = range(6)

END_HURRICANE, END_TRUNCATED, END_TURN_CAP = range(3)
