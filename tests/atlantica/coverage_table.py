"""What a soak of Atlantica has to reach, and how often it did.

What the Tally counts it reads from the oracle's state, before and after each step.
"""

from collections.abc import Iterator
from typing import Any

from kernels.atlantica import codes as c
from sim.games import find_game
from sim.rulebook import rule_options
from tests.atlantica.lockstep import Lockstep
from tests.atlantica.oracle import scoring
from tests.atlantica.oracle.locations import drink_location, drink_spaces
from tests.machinery.coverage_table import BaseTally

GAME = find_game("atlantica")
OPTIONS = tuple(option.setting for option in rule_options(GAME))
PLAYERS = GAME.players

# It changes what is known and no state: it can be in force but never tell.
INVISIBLE = ("A23=owner-sees",)

CARD_NUMBERS = ("first", "second", "third")
DRINK_FROM = (c.SUBMARINE, c.HARBOR, c.RESEARCH_STATION)
ROW_SPACES = range(1, c.TREASURE_SPACES + 1)

# Group -> what has to be seen in it.
REACHED: dict[str, tuple[str, ...]] = {
    "players": tuple(f"{players} players" for players in PLAYERS),
    "ruling option in force": OPTIONS,
    "ruling option made a difference": tuple(name for name in OPTIONS if name not in INVISIBLE),
    "prompt": c.PROMPTS[1:],
    "action": c.ACTIONS,
    "actions in a turn": ("1", "2", "3", "4"),
    "treasure taken": c.TREASURES,
    "Research card taken": c.RESEARCH_EFFECTS,
    "ship chartered": c.SHIPS,
    "drink": (
        *(f"from the {c.LOCATIONS[location]}" for location in DRINK_FROM),
        "takes one card, as one location is left (A21)",
        "takes from a location used this turn (A20)",
        "takes from a location, which is used afterwards (A20)",
    ),
    "pair for": tuple(f"{location}, {number} card" for location in c.LOCATIONS for number in CARD_NUMBERS),
    "pair": (
        "allowed and not played",
        "of a colour that would have paid",
        "for a colour while another that pays is held (A25)",
        "of a colour that pays another card of the price",
        "makes four cards in a turn",
        "makes the only way to pay",
    ),
    "Catch Your Breath": ("by choice", "as no action was possible", "finds too few divers", "finds none (A32)"),
    "stopped early (A19)": ("treasure", "research", "drink"),
    "found fewer than granted (A07)": ("treasure", "research", "team"),
    "divers": (
        "the discards are reshuffled",
        "with cards paid this turn (A24)",
        "a second reshuffle in a game",
        "the deck and the discards are empty",
        "hired in the last turn score (A33)",
    ),
    "empty": (
        "Research deck",
        *(f"pile of {ships}" for ships in c.SHIPS),
        "treasure space after refilling",
        "Research space after refilling",
        "whole treasure row",
        "treasure deck before the hurricane, but for it",
    ),
    "hurricane turned up": (
        *(f"for space {space}" for space in ROW_SPACES),
        "as the first of its pile",
        "as the last of its pile",
        "with the main pile's last card in the same refill",
        "by the last seat in the turn of the cap (A28)",
    ),
    "end": ("hurricane", "turn cap"),
    "VP source": c.SOURCES,
    "row starts again": c.TREASURES,
    "crates": (
        "some treasures are discarded",
        "all treasures are discarded",
        "what is kept follows from Research cards (A09)",
        "what is kept is not the most valuable single kinds",
        "jokers change what is kept",
    ),
    "joker counts as": c.TREASURES,
    "joker": (
        "of a kind not owned (A26)",
        "makes the third colour",
        "two as one kind",
        "two as two kinds",
        "without a crate",
    ),
    "tie": (
        *(f"game, {by}" for by in c.SETTLED_BY),
        "shared win of two",
        "shared win of three or more",
        "the lowest seat wins (A11)",
        "shared rank behind the winner",
    ),
    "several identical Research cards score": c.RESEARCH_EFFECTS[1:-1],
}

# What a step is told by: these fields of the oracle's state as they were before it.
BEFORE = (
    "prompt seat acted action hand diver_deck diver_discard reshuffles treasure_deck treasure_main hurricane".split()
)


class Tally(BaseTally):
    """Counts of what games in lockstep have reached, by (group, what)."""

    reached = REACHED

    def start(self, game: Lockstep) -> None:
        """A new game, at its first prompt."""
        self.add("players", f"{game.oracle.rules['players']} players")

    def choice(self, game: Lockstep, action: int) -> None:
        """An action that is about to be taken."""
        state, rules = game.oracle.state, game.oracle.rules
        self.counts["prompt", game.prompt] += 1
        self.before = {name: _copied(getattr(state, name)) for name in BEFORE}
        self.code = action
        if action == c.PASS and game.prompt in ("treasure", "research", "drink"):
            self.add("stopped early (A19)", game.prompt)
        elif game.prompt == "action":
            self._action(game, state, action)
        elif game.prompt == "pay":
            self._pay(game, state, rules, action)
        elif game.prompt == "drink":
            self._drink(state, rules, action)
        if game.prompt in ("treasure", "research") and action != c.PASS:
            self._take(state, rules, game.prompt, action)

    # ---- choices

    def _action(self, game: Lockstep, state: Any, action: int) -> None:
        if action == c.PASS:
            if state.acted:
                return
            self.add("Catch Your Breath", "by choice" if len(game.actions) > 1 else "as no action was possible")
            found = len(state.diver_deck) + sum(state.diver_discard)
            if found == 0:
                self.add("Catch Your Breath", "finds none (A32)")
            elif found < game.oracle.rules["breath_cards"]:
                self.add("Catch Your Breath", "finds too few divers")
            return
        self.add("action", c.ACTIONS[action])

    def _pay(self, game: Lockstep, state: Any, rules: dict[str, Any], code: int) -> None:
        location, number = state.action // c.TIERS, state.slot
        colours = [k for k in range(c.COLOURS) if rules["action_colours"][location][number] >> k & 1]
        if code < c.PAIR:
            if game.actions[-1] >= c.PAIR:
                self.add("pair", "allowed and not played")
            return
        colour = code - c.PAIR
        self.add("pair for", f"{c.LOCATIONS[location]}, {CARD_NUMBERS[number]} card")
        if colour in colours:
            self.add("pair", "of a colour that would have paid")
        if any(state.hand_before[k] for k in colours):
            self.add("pair", "for a colour while another that pays is held (A25)")
        others = [n for n in range(state.action % c.TIERS + 1) if n != number]
        if any(rules["action_colours"][location][n] >> colour & 1 for n in others):
            self.add("pair", "of a colour that pays another card of the price")
        if state.cards_played == 3:
            self.add("pair", "makes four cards in a turn")
        if game.actions == [code]:
            self.add("pair", "makes the only way to pay")

    def _drink(self, state: Any, rules: dict[str, Any], code: int) -> None:
        location = drink_location(code)
        self.add("drink", f"from the {c.LOCATIONS[location]}")
        if state.used[location]:
            self.add("drink", "takes from a location used this turn (A20)")
        if rules["drink_uses_location"]:
            self.add("drink", "takes from a location, which is used afterwards (A20)")
        left = {drink_location(other) for other in drink_spaces(state, rules)}
        if state.taken == 0 and len(left) == 1 and rules["drink_cards"] > 1:
            self.add("drink", "takes one card, as one location is left (A21)")
        if location == c.SUBMARINE:
            self.add("treasure taken", c.TREASURES[state.treasure_row[code]])
        elif location == c.RESEARCH_STATION:
            kind = state.research_row[code - c.DRINK_RESEARCH]
            self.add("Research card taken", c.RESEARCH_EFFECTS[rules["research_effect"][kind]])
        else:
            self.add("ship chartered", c.SHIPS[code - c.DRINK_SHIP])

    def _take(self, state: Any, rules: dict[str, Any], prompt: str, space: int) -> None:
        if prompt == "treasure":
            self.add("treasure taken", c.TREASURES[state.treasure_row[space]])
            row, reach = state.treasure_row, rules["dive_spaces"]
        else:
            effect = rules["research_effect"][state.research_row[space]]
            self.add("Research card taken", c.RESEARCH_EFFECTS[effect])
            row, reach = state.research_row, rules["research_spaces"]
        there = sum(card != c.NONE for card in row[: reach[state.action % c.TIERS]])
        if state.taken == 0 and there < state.left:
            self.add("found fewer than granted (A07)", prompt)

    # ---- what came of them

    def step(self, game: Lockstep) -> None:
        """What came of the action: payments finished, divers drawn, a turn that ended."""
        state, rules, before = game.oracle.state, game.oracle.rules, self.before
        if before["prompt"] == "pay" and game.prompt != "pay":
            self._performed(state, rules, before)
        if state.reshuffles > before["reshuffles"]:
            self.add("divers", "the discards are reshuffled")
            if state.reshuffles > 1:
                self.add("divers", "a second reshuffle in a game")
            if before["prompt"] == "pay":
                self.add("divers", "with cards paid this turn (A24)")
        if not state.diver_deck and not any(state.diver_discard):
            self.add("divers", "the deck and the discards are empty")
        for pile, ships in enumerate(state.ship_deck):
            if not ships:
                self.add("empty", f"pile of {c.SHIPS[pile]}")
        if not any(card != c.NONE for card in state.treasure_row):
            self.add("empty", "whole treasure row")
        if before["hurricane"] != state.hurricane:
            self._hurricane(state, rules, before)
        if game.over or state.seat != before["seat"]:
            self._turn(game, state, before)

    def _performed(self, state: Any, rules: dict[str, Any], before: dict[str, Any]) -> None:
        location, tier = before["action"] // c.TIERS, before["action"] % c.TIERS
        if location == c.HARBOR:
            self.add("ship chartered", c.SHIPS[tier])
        if location == c.TAVERN and tier < 2:
            there = len(before["diver_deck"]) + sum(before["diver_discard"]) + (2 if self.code >= c.PAIR else 1)
            if there < rules["team_cards"][tier]:
                self.add("found fewer than granted (A07)", "team")

    def _turn(self, game: Lockstep, state: Any, before: dict[str, Any]) -> None:
        passed = before["prompt"] == "action" and self.code == c.PASS
        actions = before["acted"] + (0 if passed else 1)
        if actions:
            self.add("actions in a turn", str(actions))
        if game.over:
            return
        if not state.research_deck:
            self.add("empty", "Research deck")
        if c.NONE in state.treasure_row:
            self.add("empty", "treasure space after refilling")
        if c.NONE in state.research_row:
            self.add("empty", "Research space after refilling")
        if state.treasure_deck == [c.HURRICANE]:
            self.add("empty", "treasure deck before the hurricane, but for it")

    def _hurricane(self, state: Any, rules: dict[str, Any], before: dict[str, Any]) -> None:
        """Where it lay: the refill takes the deck's cards in order, so its place there tells the space."""
        deck, main = before["treasure_deck"], before["treasure_main"]
        place = deck.index(c.HURRICANE)
        treasures = len(deck) - len(state.treasure_deck) - 1
        free = treasures + state.treasure_row.count(c.NONE)  # before the refill
        self.add("hurricane turned up", f"for space {c.TREASURE_SPACES - free + place + 1}")
        if place == main:
            self.add("hurricane turned up", "as the first of its pile")
        if place == len(deck) - 1:
            self.add("hurricane turned up", "as the last of its pile")
        if main:
            self.add("hurricane turned up", "with the main pile's last card in the same refill")
        if before["seat"] == rules["players"] - 1 and state.turn > rules["turn_cap"]:
            self.add("hurricane turned up", "by the last seat in the turn of the cap (A28)")

    # ---- the end

    def end(self, game: Lockstep) -> None:
        """A finished game."""
        state, rules = game.oracle.state, game.oracle.rules
        self.add("end", "hurricane" if state.end_reason == c.END_HURRICANE else "turn cap")
        for seat in range(rules["players"]):
            for source, name in enumerate(c.SOURCES):
                self.add("VP source", name, int(state.vp_by[seat][source] != 0))
            for kind, held in enumerate(state.research[seat]):
                effect = rules["research_effect"][kind]
                if held > 1 and c.RESEARCH_BLANK < effect < c.RESEARCH_JOKER:
                    if state.vp_by[seat][c.SOURCE_RESEARCH + effect]:
                        self.add("several identical Research cards score", c.RESEARCH_EFFECTS[effect])
            self._crates(state, rules, seat)
            self._jokers(state, rules, seat)
        self._divers_of_the_last_turn(state, rules)
        self._ranks(game, state, rules)

    def _divers_of_the_last_turn(self, state: Any, rules: dict[str, Any]) -> None:
        seat, before = self.before["seat"], self.before
        hired = sum(state.hand[seat]) - sum(before["hand"][seat])
        by = rules["divers_counted_by"]
        if before["prompt"] == "action" and before["acted"] and hired > 0:
            if state.vp_by[seat][c.SOURCE_RESEARCH + c.RESEARCH_PER_DIVERS]:
                if sum(state.hand[seat]) // by > sum(before["hand"][seat]) // by:
                    self.add("divers", "hired in the last turn score (A33)")

    def _crates(self, state: Any, rules: dict[str, Any], seat: int) -> None:
        treasures, kept = state.treasures[seat], state.loaded[seat]
        if kept == treasures:
            pass
        elif not any(kept):
            self.add("crates", "all treasures are discarded")
        else:
            self.add("crates", "some treasures are discarded")
            if kept != kept_without(state, rules, seat, range(1, c.RESEARCH_JOKER)):
                self.add("crates", "what is kept follows from Research cards (A09)")
            if kept != kept_without(state, rules, seat, [c.RESEARCH_JOKER]):
                self.add("crates", "jokers change what is kept")
            if kept != kept_kind_by_kind(state, rules, seat):
                self.add("crates", "what is kept is not the most valuable single kinds")
        for kind in range(c.TREASURE_KINDS):
            if kept[kind] > len([vp for vp in rules["treasure_values"][kind] if vp != -1]):
                self.add("row starts again", c.TREASURES[kind])

    def _jokers(self, state: Any, rules: dict[str, Any], seat: int) -> None:
        colours = next(joker_choices(state, rules, seat), None)
        if colours is None or not any(colours):
            return
        kept = state.loaded[seat]
        for kind, jokers in enumerate(colours):
            if jokers:
                self.add("joker counts as", c.TREASURES[kind])
                if not state.treasures[seat][kind]:
                    self.add("joker", "of a kind not owned (A26)")
            if jokers > 1:
                self.add("joker", "two as one kind")
        if sum(jokers > 0 for jokers in colours) > 1:
            self.add("joker", "two as two kinds")
        if not state.crates[seat]:
            self.add("joker", "without a crate")
        owned, shown = sum(map(bool, kept)), sum(k + j > 0 for k, j in zip(kept, colours))
        if owned < rules["set_colours"] <= shown and state.vp_by[seat][c.SOURCE_RESEARCH + c.RESEARCH_THREE_COLOURS]:
            self.add("joker", "makes the third colour")

    def _ranks(self, game: Lockstep, state: Any, rules: dict[str, Any]) -> None:
        result = game.oracle.result()
        self.add("tie", f"game, {result['decided_by']}")
        winners = len(result["winners"])
        if winners == 2:
            self.add("tie", "shared win of two")
        if winners > 2:
            self.add("tie", "shared win of three or more")
        if result["decided_by"] == "level" and winners == 1:
            self.add("tie", "the lowest seat wins (A11)")
        behind = [rank for rank in result["rank"] if rank > 1]
        if len(set(behind)) < len(behind):
            self.add("tie", "shared rank behind the winner")


def _copied(value: Any) -> Any:
    return [part[:] if isinstance(part, list) else part for part in value] if isinstance(value, list) else value


def kept_without(state: Any, rules: dict[str, Any], seat: int, effects: Any) -> list[int]:
    """What the seat would keep if its Research cards of these effects were blank."""
    blank = [c.RESEARCH_BLANK if effect in effects else effect for effect in rules["research_effect"]]
    _, _, kept = scoring.score(
        {**rules, "research_effect": blank},
        state.treasures[seat],
        state.crates[seat],
        state.research[seat],
        state.ships[seat],
        state.hand[seat],
    )
    return list(kept)


def kept_kind_by_kind(state: Any, rules: dict[str, Any], seat: int) -> list[int]:
    """What a hasty player would keep: whole kinds by their VP a treasure, as far as the crates go."""
    treasures, left = state.treasures[seat], state.crates[seat]
    kept = [0] * c.TREASURE_KINDS

    def worth(kind: int) -> float:
        return float(scoring.value(rules["treasure_values"][kind], treasures[kind]) / max(1, treasures[kind]))

    for kind in sorted(range(c.TREASURE_KINDS), key=worth, reverse=True):
        kept[kind] = min(left, treasures[kind])
        left -= kept[kind]
    return kept


def joker_choices(state: Any, rules: dict[str, Any], seat: int) -> Iterator[list[int]]:
    """Ways to count the seat's jokers that explain its points, the preferred one (A34) first."""
    jokers = scoring.joker_cards(rules, state.research[seat])
    for colours in scoring.splits(jokers, [jokers] * c.TREASURE_KINDS):
        points = scoring.points_by_source(
            rules,
            state.loaded[seat],
            colours,
            state.crates[seat],
            state.research[seat],
            state.ships[seat],
            state.hand[seat],
        )
        if points == state.vp_by[seat]:
            yield list(colours)
