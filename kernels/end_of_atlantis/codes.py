"""Every small integer of End of Atlantis and the name it stands for.

The tuples are the single source of names: Parquet columns, the trace, the report and the command line all read them
here. A constant is its position in its tuple.
"""



def slug(name: str) -> str:
    """`name` as part of a column name: "Refugees 2+1" is refugees_2_1, the tile "A+" is advanced_a."""
    if name.endswith("+"):
        name = f"advanced {name[:-1]}"
    return name.lower().replace(" ", "_").replace("+", "_")


NEUTRAL = 5  # the sixth colour aboard a ship: black cubes
COLOURS = 6
SEAT_COLOURS = ("Blue", "Red", "Yellow", "Green", "Purple")

NOBODY = -1
NONE = -1
PASS = -1  # the action "no, thank you" wherever declining is legal
USE = 0  # the action "yes" of a yes-or-no ability

PHASES = ("setup", "senate", "factions", "voting", "doom", "over")
PHASE_SETUP, PHASE_SENATE, PHASE_FACTIONS, PHASE_VOTING, PHASE_DOOM, PHASE_OVER = range(6)

PROMPTS = (
    "none",
    "setup_cube",
    "senate_bid",
    "proxy",
    "faction",
    "free_faction",
    "archont",
    "archont_discard",
    "basileus",
    "demiurgos",
    "take_special",
    "lay",
    "oraklos",
    "bid",
    "open_bid",
    "demagogos_look",
    "demagogos_change",
    "demagogos_call",
    "orator",
    "philosophios",
    "play",
    "declare",
    "load",
    "load_second",
    "stowaway",
    "empath_ship",
    "empath_victim",
    "aristocracy",
    "aristocracy_victim",
    "ally",
    "move",
    "sabotage",
    "betrayal",
    "betrayal_count",
    "strategos",
    "all_in",
)
(
    PROMPT_NONE,
    PROMPT_SETUP_CUBE,
    PROMPT_SENATE_BID,
    PROMPT_PROXY,
    PROMPT_FACTION,
    PROMPT_FREE_FACTION,
    PROMPT_ARCHONT,
    PROMPT_ARCHONT_DISCARD,
    PROMPT_BASILEUS,
    PROMPT_DEMIURGOS,
    PROMPT_TAKE_SPECIAL,
    PROMPT_LAY,
    PROMPT_ORAKLOS,
    PROMPT_BID,
    PROMPT_OPEN_BID,
    PROMPT_DEMAGOGOS_LOOK,
    PROMPT_DEMAGOGOS_CHANGE,
    PROMPT_DEMAGOGOS_CALL,
    PROMPT_ORATOR,
    PROMPT_PHILOSOPHIOS,
    PROMPT_PLAY,
    PROMPT_DECLARE,
    PROMPT_LOAD,
    PROMPT_LOAD_SECOND,
    PROMPT_STOWAWAY,
    PROMPT_EMPATH_SHIP,
    PROMPT_EMPATH_VICTIM,
    PROMPT_ARISTOCRACY,
    PROMPT_ARISTOCRACY_VICTIM,
    PROMPT_ALLY,
    PROMPT_MOVE,
    PROMPT_SABOTAGE,
    PROMPT_BETRAYAL,
    PROMPT_BETRAYAL_COUNT,
    PROMPT_STRATEGOS,
    PROMPT_ALL_IN,
) = range(36)

FACTIONS = ("Archont", "Basileus", "Demagogos", "Demiurgos", "Oraklos", "Philosophios", "Strategos")
(
    FACTION_ARCHONT,
    FACTION_BASILEUS,
    FACTION_DEMAGOGOS,
    FACTION_DEMIURGOS,
    FACTION_ORAKLOS,
    FACTION_PHILOSOPHIOS,
    FACTION_STRATEGOS,
) = range(7)

POLITICS = (
    "Refugees 1",
    "Refugees 2",
    "Refugees 2+1",
    "Aristocracy",
    "Ships",
    "Royal Ship",
    "Support",
    "Sabotage",
    "Betrayal",
)
(
    POLITICS_REFUGEES_1,
    POLITICS_REFUGEES_2,
    POLITICS_REFUGEES_2_1,
    POLITICS_ARISTOCRACY,
    POLITICS_SHIPS,
    POLITICS_ROYAL_SHIP,
    POLITICS_SUPPORT,
    POLITICS_SABOTAGE,
    POLITICS_BETRAYAL,
) = range(9)
POLITICS_KINDS = 9

# What lands a ship, beyond a Politics card.
CAUSE_DOOM = 9
CAUSES = (*POLITICS, "Doom phase")

SPECIAL_EFFECTS = (
    "blank",
    "end_vp",
    "extra_refugee",
    "replace_refugee",
    "extra_ship",
    "neutral_ally",
    "bid_bonus",
    "senate_bonus",
)
(
    SPECIAL_BLANK,
    SPECIAL_END_VP,
    SPECIAL_EXTRA_REFUGEE,
    SPECIAL_REPLACE_REFUGEE,
    SPECIAL_EXTRA_SHIP,
    SPECIAL_NEUTRAL_ALLY,
    SPECIAL_BID_BONUS,
    SPECIAL_SENATE_BONUS,
) = range(8)
SPECIAL_KINDS = 25  # at most so many different cards in the Special deck
SPECIAL_CARDS = 25
FACE_UP = 3  # Special cards laid face up in the Revealed Special cards variant
FROM_DECK = 3  # take_special: the top of the deck instead of one of the three

EVENTS = (
    "Doom! (first copy)",
    "Doom! (second copy)",
    "Doom! (third copy)",
    "The Senate Pays Its Debts",
    "Wrath of the Ocean God!",
    "We're All In This Together!",
    "Chaos Spreads!",
    "We're All Doomed!",
    "No Mercy For The Weak!",
    "Under The Senate's Leadership!",
)
(
    EVENT_DOOM_1,
    EVENT_DOOM_2,
    EVENT_DOOM_3,
    EVENT_SENATE_PAYS,
    EVENT_WRATH,
    EVENT_ALL_IN,
    EVENT_CHAOS,
    EVENT_ALL_DOOMED,
    EVENT_NO_MERCY,
    EVENT_LEADERSHIP,
) = range(10)
EVENT_CARDS = 10
DOOM_CARDS = 3

LETTERS = ("A", "B", "C", "D", "E")
TILES = ("A", "B", "C", "D", "E", "A+", "B+", "C+", "D+", "E+")
TILE_NAMES = (
    "Ark",
    "Science Vessel",
    "Royal Vessel",
    "Airship",
    "Warship",
    "advanced Ark",
    "advanced Science Vessel",
    "advanced Royal Vessel",
    "advanced Airship",
    "advanced Warship",
)
SHIPS = 5  # port spaces; space s holds a tile or NONE
ADVANCED = 5  # tile + ADVANCED is the same letter in a circle
TILE_ARK, TILE_SCIENCE, TILE_ROYAL, TILE_AIRSHIP, TILE_WARSHIP = range(5)
(
    TILE_ADVANCED_ARK,
    TILE_ADVANCED_SCIENCE,
    TILE_ADVANCED_ROYAL,
    TILE_ADVANCED_AIRSHIP,
    TILE_ADVANCED_WARSHIP,
) = range(5, 10)

AREAS = ("port", "ocean", "Promised Land")
AREA_PORT, AREA_OCEAN, AREA_LAND = range(3)

# play: whose card the winner plays.
PLAY_OWN, PLAY_NEIGHBOURS = range(2)
PLAY_HOW = ("own card", "neighbour's card")

# betrayal: codes 0-4 name a ship, 5-9 the pool tokens of seat code - POOL_OF.
POOL_OF = 5

SOURCES = (
    "start",
    "refugees_ships",
    "refugees_royal",
    "refugees_doom",
    "colours",
    "mover",
    "science",
    "plus_one",
    "land_majority",
    "pool_majority",
    "senate_pays",
    "leadership",
    "no_mercy",
    "specials",
)
(
    SOURCE_START,
    SOURCE_REFUGEES_SHIPS,
    SOURCE_REFUGEES_ROYAL,
    SOURCE_REFUGEES_DOOM,
    SOURCE_COLOURS,
    SOURCE_MOVER,
    SOURCE_SCIENCE,
    SOURCE_PLUS_ONE,
    SOURCE_LAND_MAJORITY,
    SOURCE_POOL_MAJORITY,
    SOURCE_SENATE_PAYS,
    SOURCE_LEADERSHIP,
    SOURCE_NO_MERCY,
    SOURCE_SPECIALS,
) = range(14)

END_REASONS = ("third Doom!", "truncated")
END_THIRD_DOOM, END_TRUNCATED = range(2)
UNFINISHED = (END_TRUNCATED,)  # ends that the rules of the game do not know: nobody has won

# What a comparison was about, and what settled it: the numbers themselves, the pool, or the marker's place.
CONTESTS = ("vote", "majority", "game")
CONTEST_VOTE, CONTEST_MAJORITY, CONTEST_GAME = range(3)
SETTLED_BY = ("clear", "pool", "marker")
SETTLED_CLEAR, SETTLED_POOL, SETTLED_MARKER = range(3)

# Purposes of random draws (docs/contracts/end_of_atlantis.md, "Random draws").
PURPOSES = (
    "politics_deck",
    "special_deck",
    "event_deck",
    "event_removal",
    "marker_order",
    "politics_reshuffle",
    "special_reshuffle",
    "event_reshuffle",
    "policy",
    "resample",
)
(
    PURPOSE_POLITICS_DECK,
    PURPOSE_SPECIAL_DECK,
    PURPOSE_EVENT_DECK,
    PURPOSE_EVENT_REMOVAL,
    PURPOSE_MARKER_ORDER,
    PURPOSE_POLITICS_RESHUFFLE,
    PURPOSE_SPECIAL_RESHUFFLE,
    PURPOSE_EVENT_RESHUFFLE,
    PURPOSE_POLICY,
    PURPOSE_RESAMPLE,
) = range(10)

# How often something could be done and how often it was: the columns legal_<option> and chosen_<option>.
OPTIONS = (
    *(f"lay_{slug(name)}" for name in POLITICS),
    *(f"play_{slug(name)}" for name in POLITICS),
    "play_neighbours",
    *(f"faction_{slug(name)}" for name in FACTIONS),
    "faction_pass",
    *(f"ability_{slug(name)}" for name in FACTIONS),
    *(f"special_{name}" for name in SPECIAL_EFFECTS[2:]),
    *(f"load_{slug(name)}" for name in TILES),
    *(f"move_{slug(name)}" for name in TILES),
    "betrayal_ship",
    "betrayal_pool",
    "aristocracy_displace",
)
OPTION_LAY = 0
OPTION_PLAY = 9
OPTION_NEIGHBOURS = 18
OPTION_FACTION = 19
OPTION_FACTION_PASS = 26
OPTION_ABILITY = 27
OPTION_SPECIAL = 34 - 2  # plus the effect's code, which starts at 2
OPTION_LOAD = 40
OPTION_MOVE = 50
OPTION_BETRAYAL_SHIP = 60
OPTION_BETRAYAL_POOL = 61
OPTION_DISPLACE = 62
assert OPTIONS[OPTION_SPECIAL + SPECIAL_SENATE_BONUS] == "special_senate_bonus"
assert OPTIONS[OPTION_DISPLACE] == "aristocracy_displace"
assert len(PROMPTS) == 36
