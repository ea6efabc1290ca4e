"""Every small integer of Goofspiel and the name it stands for."""

MOST_CARDS = 5
NOBODY = -1
NONE = -1
SEAT_COLOURS = ("Seat 1", "Seat 2", "Seat 3", "Seat 4", "Seat 5")

PHASES = ("setup", "turns", "over")
PHASE_SETUP, PHASE_TURNS, PHASE_OVER = range(3)

STEPS = ("turn up", "bid")
STEP_TURN_UP, STEP_BID = range(2)

PROMPTS = ("none", "bid")  # bid: the number of a card in hand
PROMPT_NONE, PROMPT_BID = range(2)

SOURCES = ("prizes", "bonus")
SOURCE_PRIZES, SOURCE_BONUS = range(2)

OPTIONS = tuple(f"bid_{card}" for card in range(1, MOST_CARDS + 1))

END_REASONS = ("last prize", "truncated")
END_LAST_PRIZE, END_TRUNCATED = range(2)
UNFINISHED = (END_TRUNCATED,)

SETTLED_BY = ("clear", "level")
SETTLED_CLEAR, SETTLED_LEVEL = range(2)
CONTESTS = ("game",)

PURPOSE_PRIZES, PURPOSE_POLICY, PURPOSE_RESAMPLE = range(1, 4)
