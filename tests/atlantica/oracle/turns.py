"""Rulebook "Game Play": a turn from its first prompt to its end (contract "A turn")."""

from .locations import (
    can_charter,
    can_discover,
    can_dive,
    can_drink,
    can_hire,
    draw_diver,
    drink_spaces,
    hire_team,
    research_spaces,
    take_drink_card,
    take_research,
    take_ship,
    take_treasure,
    treasure_spaces,
)
from .names import (
    EMPTY,
    END_HURRICANE,
    END_TURN_CAP,
    HARBOR,
    HURRICANE,
    PASS,
    SUBMARINE,
    TAVERN,
)
from .paying import payable, play_divers, price, ways_to_pay
from .scoring import score_seats


def ask(state, prompt):
    state.prompt = prompt
    state.actor = state.seat


def begin_turn(state, rules, seat):
    """The next player's turn."""
    state.seat = seat
    if seat == 0:
        state.turn += 1
    if state.hurricane != -1:
        state.turns_left -= 1
    state.cards_played = 0
    state.pairs_played = 0
    state.used = [0] * 4
    state.acted = 0
    ask(state, "action")


# what may be done


def legal(state, rules):
    """The legal codes of the prompt, in the contract's order."""
    if state.prompt == "action":
        return [PASS] + [action for action in range(12) if possible(state, rules, action)]
    if state.prompt == "pay":
        cards = price(rules, state.action)[state.slot :]
        return ways_to_pay(rules, cards, state.hand[state.seat], state.hand_before, state.pairs_played)
    if state.prompt in ("treasure", "research", "drink"):
        # A19: fewer may be taken, but not none
        fewer = [PASS] if rules["take_fewer"] and state.taken > 0 else []
        return fewer + cards_to_take(state, rules)
    return []


def possible(state, rules, action):
    """At most 3 cards a turn, one action at each location, payable, and something to take."""
    location, tier = action // 3, action % 3
    if state.used[location]:
        return False
    if state.cards_played + tier + 1 > rules["cards_per_turn"]:
        return False
    hand = state.hand[state.seat]
    if not payable(rules, price(rules, action), hand, hand, state.pairs_played):
        return False
    if location == SUBMARINE:
        return can_dive(state, rules, tier)
    if location == HARBOR:
        return can_charter(state, rules, tier)
    if location == TAVERN and tier < 2:
        return can_hire(state, rules, tier)
    if location == TAVERN:
        return can_drink(state, rules)
    return can_discover(state, rules, tier)


def cards_to_take(state, rules):
    """The spaces the action under way may take from."""
    if state.prompt == "treasure":
        return treasure_spaces(state, rules, state.action % 3)
    if state.prompt == "research":
        return research_spaces(state, rules, state.action % 3)
    return drink_spaces(state, rules)


# doing it


def apply(state, rules, code):
    if state.prompt == "action":
        choose_action(state, rules, code)
    elif state.prompt == "pay":
        pay(state, rules, code)
    elif code == PASS:
        finish_action(state, rules)
    else:
        take(state, rules, code)


def choose_action(state, rules, action):
    """Up to 3 of the actions 1 to 4, one at a time (A18), or Catch Your Breath."""
    if action == PASS:
        if state.acted == 0:
            catch_your_breath(state, rules)
        end_turn(state, rules)
        return
    state.action = action
    state.cards_played += action % 3 + 1
    state.hand_before = list(state.hand[state.seat])
    state.slot = 0
    state.taken = 0
    state.taken_from = []
    ask(state, "pay")


def catch_your_breath(state, rules):
    """Instead of an action: divers from the deck, into the hand at once (A14, A32)."""
    for _ in range(rules["breath_cards"]):
        draw_diver(state, state.hand[state.seat])


def pay(state, rules, code):
    """One card of the price after the other."""
    play_divers(state, code)
    state.slot += 1
    if state.slot == len(price(rules, state.action)):
        state.slot = -1
        perform(state, rules)


def perform(state, rules):
    """The price is paid: the action itself."""
    location, tier = state.action // 3, state.action % 3
    if location == SUBMARINE:
        state.left = rules["dive_cards"][tier]
        ask(state, "treasure")
    elif location == HARBOR:
        take_ship(state, rules, tier)
        finish_action(state, rules)
    elif location == TAVERN and tier < 2:
        hire_team(state, rules, tier)
        finish_action(state, rules)
    elif location == TAVERN:
        state.left = rules["drink_cards"]
        ask(state, "drink")
    else:
        state.left = rules["research_cards"][tier]
        ask(state, "research")


def take(state, rules, code):
    """One card of a dive, a discovery or a drink; it ends early when nothing is left to take."""
    if state.prompt == "treasure":
        take_treasure(state, code)
    elif state.prompt == "research":
        take_research(state, code)
    else:
        take_drink_card(state, rules, code)
    state.taken += 1
    state.left -= 1
    if state.left == 0 or not cards_to_take(state, rules):
        finish_action(state, rules)


def finish_action(state, rules):
    """One action only at each location; after an action the player may go on while he may play cards."""
    state.used[state.action // 3] = 1
    if rules["drink_uses_location"]:  # A20
        for location in state.taken_from:
            state.used[location] = 1
    state.acted += 1
    state.action = -1
    state.left = -1
    state.taken_from = []
    if state.cards_played >= rules["cards_per_turn"]:
        end_turn(state, rules)
    else:
        ask(state, "action")


# the end of a turn


def end_turn(state, rules):
    """The end of a turn, in the contract's order."""
    for colour in range(6):  # divers hired come to hand only now
        state.hand[state.seat][colour] += state.waiting[colour]
        state.waiting[colour] = 0

    if state.hurricane != -1 and state.turns_left == 0:
        end_game(state, rules, END_HURRICANE)
        return

    refill_treasures(state, rules)
    refill_research(state)

    seat = (state.seat + 1) % rules["players"]
    if seat == 0 and state.turn >= rules["turn_cap"] and state.hurricane == -1:  # A28
        end_game(state, rules, END_TURN_CAP)
        return
    begin_turn(state, rules, seat)


def slide_left(row):
    """Close the gaps of a row, keeping its order (A30)."""
    cards = [card for card in row if card != EMPTY]
    return cards + [EMPTY] * (len(row) - len(cards))


def refill_treasures(state, rules):
    """Refilling the cards: from the main pile, only when it is used up from the Hurricane space."""
    state.treasure_row = slide_left(state.treasure_row)
    for space in range(6):
        if state.treasure_row[space] != EMPTY:
            continue
        card = turn_up_treasure(state)
        if card == HURRICANE:
            reveal_hurricane(state, rules)
            card = turn_up_treasure(state)
        state.treasure_row[space] = card


def turn_up_treasure(state):
    """The top card of the piles; none: the space stays empty (A05)."""
    if not state.treasure_deck:
        return EMPTY
    if state.treasure_main > 0:
        state.treasure_main -= 1
    return state.treasure_deck.pop(0)


def reveal_hurricane(state, rules):
    """Who turns it up takes it, and every player has one more turn (A08)."""
    state.hurricane = state.seat
    state.turns_left = rules["players"]
    state.phase = "last turns"


def refill_research(state):
    """Refilling the cards: the Research row."""
    state.research_row = slide_left(state.research_row)
    for space in range(4):
        if state.research_row[space] == EMPTY and state.research_deck:
            state.research_row[space] = state.research_deck.pop(0)


def end_game(state, rules, reason):
    """The scoring."""
    score_seats(state, rules)
    state.end_reason = reason
    state.phase = "over"
    state.prompt = "none"
    state.actor = -1
