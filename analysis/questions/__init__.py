"""The balance questions, one small file each, and the table that lists them.

A row says what is asked, what an answer may claim, what must have been played and which function answers; importing
this reads no data and loads no plotting. A question that the game's own page already answers points at that section,
so that the report's sections are the answers.
"""

from difflib import get_close_matches

from analysis.questions.question import Needs, Question
from sim.errors import UserError
from sim.games import Game

_TURNS = ("games", "seats", "turns")
_HERE = "analysis.questions"

QUESTIONS = {
    question.id: question
    for question in (
        Question(
            "seat",
            "Is a seat favoured?",
            "confirmatory",
            "analysis.sections.seats:seats",
            watch=f"{_HERE}.seat:watch",
        ),
        Question("length", "How long is the game, and what ends it?", "descriptive", "section:length"),
        Question(
            "last-rounds",
            "Do the last turns still decide anything?",
            "descriptive",
            f"{_HERE}.last_rounds:last_rounds",
            Needs(_TURNS),
        ),
        Question("decided", "When is it over?", "descriptive", f"{_HERE}.decided:decided", Needs(_TURNS)),
        Question(
            "comeback",
            "How often does the last at half-time win?",
            "descriptive",
            f"{_HERE}.comeback:comeback",
            Needs(_TURNS),
        ),
        Question("scoring", "Where do points come from?", "descriptive", "section:sources"),
        Question("margin", "How many points, how close?", "descriptive", "section:scores"),
        Question("faction", "Which Faction is held, and how do its holders fare?", "observational", "section:factions"),
        Question(
            "senate",
            "What goes with a high place in the Senate?",
            "observational",
            f"{_HERE}.senate:senate",
            Needs(_TURNS, {"turns": ("pool", "order")}),
        ),
        Question(
            "auction",
            "What is bid, and what does winning a vote go with?",
            "observational",
            f"{_HERE}.auction:auction",
            Needs(("games", "seats", "votes"), {"votes": ("bid", "place")}),
        ),
        Question("card", "Who uses which card, and how do they fare?", "observational", f"{_HERE}.card:card"),
        Question("unused", "What does nobody use?", "descriptive", "section:options"),
        Question(
            "event",
            "What does the first event change?",
            "descriptive",
            f"{_HERE}.event:event",
            Needs(("games", "seats"), {"games": ("event",)}),
        ),
        Question(
            "neutrals",
            "Who fares how when neutral refugees land?",
            "observational",
            f"{_HERE}.neutrals:neutrals",
            Needs(("games", "seats", "arrivals"), {"arrivals": ("cubes",)}),
        ),
        Question("ships", "Which ships matter?", "descriptive", "section:ships", Needs(("games", "seats", "arrivals"))),
        Question(
            "ties",
            "How often do tie-breaks decide?",
            "descriptive",
            "section:ties",
            watch=f"{_HERE}.ties:watch",
        ),
        Question(
            "luck",
            "How much of winning is the deal, the seat, the player?",
            "descriptive",
            f"{_HERE}.luck:luck",
            Needs(arms=f"{_HERE}.luck:arms"),
        ),
        Question(
            "skill",
            "Does better play win more?",
            "confirmatory",
            f"{_HERE}.skill:skill",
            Needs(arms=f"{_HERE}.skill:arms"),
        ),
        Question(
            "dominance",
            "Is one strategy best?",
            "descriptive",
            f"{_HERE}.dominance:dominance",
            Needs(arms=f"{_HERE}.dominance:arms"),
        ),
        Question(
            "pile-on",
            "Is one player singled out?",
            "observational",
            f"{_HERE}.pile_on:pile_on",
            Needs(("games", "seats", "plays"), {"plays": ("victim",)}),
        ),
        Question("agency", "How much does a player do?", "descriptive", f"{_HERE}.agency:agency", Needs(_TURNS)),
        Question(
            "scale",
            "Does it hold for every number of players?",
            "descriptive",
            f"{_HERE}.scale:scale",
            Needs(arms=f"{_HERE}.scale:arms"),
        ),
        Question(
            "variant",
            "What does a variant change?",
            "confirmatory",
            f"{_HERE}.variant:variant",
            Needs(arms=f"{_HERE}.variant:arms"),
        ),
        Question(
            "policy",
            "Does the answer depend on who plays?",
            "confirmatory",
            f"{_HERE}.policy:policy",
            Needs(arms=f"{_HERE}.policy:arms"),
        ),
        Question("audit", "Is the machinery itself sound?", "confirmatory", f"{_HERE}.audit:audit"),
        Question("plan", "How many games do I need?", "descriptive", f"{_HERE}.plan:plan"),
        Question(
            "tiers",
            "One strong action or several weak ones?",
            "observational",
            "section:tiers",
            Needs(_TURNS, {"turns": ("tier", "paid")}),
        ),
        Question(
            "stuck",
            "How often can a player only catch breath?",
            "descriptive",
            "section:breaths",
            Needs(_TURNS, {"seats": ("breaths", "forced")}),
        ),
        Question(
            "sets",
            "Which treasure colour pays?",
            "observational",
            "section:treasures",
            Needs(columns={"seats": ("kept",)}),
        ),
        Question(
            "research-stack",
            "Do identical Research cards run away?",
            "observational",
            "section:research",
            Needs(columns={"seats": ("research", "research_most")}),
        ),
        Question(
            "crates",
            "How many treasures are lost for want of a crate?",
            "observational",
            "section:crates",
            Needs(columns={"seats": ("lost", "treasures", "crates")}),
        ),
        Question(
            "hurricane",
            "What is turning up the hurricane worth?",
            "observational",
            "section:hurricane",
            Needs(columns={"games": ("hurricane", "hurricane_turn")}),
        ),
    )
}


def find_questions(text: str) -> list[Question]:
    """The questions of a list such as "seat,length". UserError names what there is for an id that is not."""
    ids = [part.strip() for part in text.split(",") if part.strip()]
    if not ids:
        raise UserError("say what to ask, for example seat or seat,length. See: atlantis questions.")
    for name in ids:
        if name not in QUESTIONS:
            close = get_close_matches(name, QUESTIONS, 1)
            hint = f" Did you mean {close[0]}?" if close else ""
            raise UserError(f"no question named {name}.{hint} Questions: {', '.join(QUESTIONS)}.")
    return [QUESTIONS[name] for name in dict.fromkeys(ids)]


def list_questions(game: Game | None = None) -> list[Question]:
    """All questions, or those that make sense for `game`."""
    from analysis.questions.question import why_not

    return [q for q in QUESTIONS.values() if game is None or not why_not(q, game)]
