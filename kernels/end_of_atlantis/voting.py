""" "3. Voting Phase": laying cards, five votings of bids, places, plays and refunds."""

from kernels.end_of_atlantis.codes import (
    CONTEST_VOTE,
    EVENT_ALL_DOOMED,
    EVENT_NO_MERCY,
    FACTION_DEMAGOGOS,
    FACTION_ORAKLOS,
    FACTION_PHILOSOPHIOS,
    FACTION_STRATEGOS,
    NOBODY,
    NONE,
    PASS,
    PLAY_NEIGHBOURS,
    PLAY_OWN,
    PROMPT_BID,
    PROMPT_DEMAGOGOS_CALL,
    PROMPT_DEMAGOGOS_CHANGE,
    PROMPT_DEMAGOGOS_LOOK,
    PROMPT_LAY,
    PROMPT_OPEN_BID,
    PROMPT_ORAKLOS,
    PROMPT_ORATOR,
    PROMPT_PHILOSOPHIOS,
    PROMPT_PLAY,
    PROMPT_STRATEGOS,
    SETTLED_CLEAR,
    SOURCE_NO_MERCY,
    SPECIAL_BID_BONUS,
    USE,
)
from kernels.end_of_atlantis.hands import holds_effect, spend_special
from kernels.end_of_atlantis.order import senate_order, settled_by
from kernels.end_of_atlantis.points import gain
from kernels.end_of_atlantis.politics import can_play, start_card
from kernels.end_of_atlantis.steps import (
    STEP_BIDS,
    STEP_COUNT,
    STEP_DEMAGOGOS_CHANGE,
    STEP_DEMAGOGOS_LOOK,
    STEP_DOOM,
    STEP_NEXT_SLOT,
    STEP_OPEN_BIDS,
    STEP_ORAKLOS,
    STEP_ORATOR,
    STEP_PLAY,
    STEP_STRATEGOS,
    STEP_VOTING,
)
from kernels.jit import rule

MOST_FACEDOWN = 2


@rule
def votings(state, rules):
    """Cards laid, and votings held, this turn."""
    return int(rules.votings_all_doomed) if state.event_now == EVENT_ALL_DOOMED else int(rules.votings)


@rule
def places(state, rules):
    """How many players win a voting ("5-Player Game", "We're All Doomed!")."""
    return int(rules.places_all_doomed) if state.event_now == EVENT_ALL_DOOMED else int(rules.places)


# ---- laying cards


@rule
def step_lay(state, rules):
    """Seat by seat, in secret, from the left slot to the right."""
    while state.at < rules.players:
        seat = int(state.at)
        if state.laid_count[seat] < votings(state, rules):
            state.prompt = PROMPT_LAY
            state.actor = seat
            return
        state.at += 1
    state.at = 0
    state.facedown_from = 0
    state.facedown_left = MOST_FACEDOWN
    state.step = STEP_ORAKLOS


@rule
def apply_lay(state, action):
    """The card goes face down to the next slot."""
    seat = int(state.actor)
    state.hand[seat, action] -= 1
    state.laid[seat, state.laid_count[seat]] = action
    state.laid_count[seat] += 1


@rule
def step_oraklos(state, rules):
    """Oraklos may leave two cards face down, named before the reveal (E53), from left to right."""
    holder = int(state.holder[FACTION_ORAKLOS])
    if holder != NOBODY and state.facedown_left > 0 and state.facedown_from < votings(state, rules):
        state.prompt = PROMPT_ORAKLOS
        state.actor = holder
        return
    state.revealed = 1
    state.slot = 0
    state.step = STEP_VOTING


@rule
def legal_oraklos(state, rules, out):
    """PASS, then slots right of the last one named."""
    out[0] = PASS
    n = 1
    for slot in range(state.facedown_from, votings(state, rules)):
        out[n] = slot
        n += 1
    return n


@rule
def apply_oraklos(state, action):
    """That slot stays face down until its voting; PASS ends it."""
    if action == PASS:
        state.facedown_left = 0
    else:
        state.facedown[action] = 1
        state.facedown_left -= 1
        state.facedown_from = action + 1


# ---- bids


@rule
def step_voting(state, rules):
    """Begin the voting of this slot, or go on to the Doom phase after the last."""
    if state.slot == votings(state, rules):
        state.step = STEP_DOOM
        return
    senate_order(state, rules, state.vote_order)
    state.pending[:] = NONE
    state.bid[:] = NONE
    state.bid_bonus[:] = 0
    state.place[:] = 0
    state.played_card[:] = 0
    state.has_played[:] = 0
    state.called = NOBODY
    state.looked_at = NOBODY
    state.at = 0
    state.step = STEP_OPEN_BIDS if state.voting_open == 1 else STEP_BIDS


@rule
def step_bids(state, rules):
    """Hidden voting: everybody chooses in secret."""
    if state.at < rules.players:
        state.prompt = PROMPT_BID
        state.actor = state.at
        return
    state.step = STEP_DEMAGOGOS_LOOK


@rule
def legal_bid(state, out):
    """0 to everything behind the screen."""
    supply = int(state.supply[state.actor])
    for bid in range(supply + 1):
        out[bid] = bid
    return supply + 1


@rule
def demagogos(state, rules):
    """The seat that may use the Demagogos now, or NOBODY."""
    if state.demagogos_used == 1 or rules.two_player_factions == 1:
        return NOBODY
    return int(state.holder[FACTION_DEMAGOGOS])


@rule
def step_demagogos_look(state, rules):
    """Demagogos may look at one bid before the reveal (E40)."""
    seat = demagogos(state, rules)
    state.at = 0
    if seat == NOBODY:
        reveal_bids(state, rules)
        return
    state.prompt = PROMPT_DEMAGOGOS_LOOK
    state.actor = seat


@rule
def legal_demagogos_look(state, rules, out):
    """PASS, then the other seats."""
    out[0] = PASS
    n = 1
    for seat in range(rules.players):
        if seat != state.actor:
            out[n] = seat
            n += 1
    return n


@rule
def apply_demagogos_look(state, rules, action):
    """Look, then perhaps change one's own bid."""
    if action == PASS:
        reveal_bids(state, rules)
    else:
        state.demagogos_used = 1
        state.looked_at = action
        state.step = STEP_DEMAGOGOS_CHANGE


@rule
def step_demagogos_change(state):
    """The holder chooses his own bid again."""
    state.prompt = PROMPT_DEMAGOGOS_CHANGE
    state.actor = state.holder[FACTION_DEMAGOGOS]


@rule
def apply_demagogos_change(state, rules, action):
    """His bid is this one instead."""
    state.pending[state.actor] = action
    state.looked_at = NOBODY
    reveal_bids(state, rules)


@rule
def reveal_bids(state, rules):
    """Every fist opens; the cubes go on the cards."""
    for seat in range(rules.players):
        pay_bid(state, seat, int(state.pending[seat]))
    state.at = 0
    state.step = STEP_ORATOR


@rule
def pay_bid(state, seat, bid):
    """Cubes bid are spent whatever comes of it."""
    state.bid[seat] = bid
    state.supply[seat] -= bid
    state.on_cards[seat] += bid
    state.spent[seat] += bid


@rule
def next_bidder(state, rules):
    """Open voting: the lowest in the Senate order that has not bid, or NOBODY."""
    for i in range(rules.players - 1, -1, -1):
        seat = int(state.vote_order[i])
        if state.bid[seat] == NONE:
            return seat
    return NOBODY


@rule
def step_open_bids(state, rules):
    """Open voting, reverse Senate order; before each bid Demagogos may call another player to bid at once (E41,
    E52).

    `at` is 1 once the Demagogos has been asked before the bid to come.
    """
    if state.called != NOBODY:
        state.prompt = PROMPT_OPEN_BID
        state.actor = state.called
        return
    bidder = next_bidder(state, rules)
    if bidder == NOBODY:
        state.at = 0
        state.step = STEP_ORATOR
        return
    caller = demagogos(state, rules)
    if state.at == 0 and caller != NOBODY and may_be_called(state, rules, caller, bidder):
        state.prompt = PROMPT_DEMAGOGOS_CALL
        state.actor = caller
        return
    state.prompt = PROMPT_OPEN_BID
    state.actor = bidder


@rule
def can_be_called(state, seat, caller, bidder):
    """Another player yet to bid who is not next anyway."""
    return seat != caller and seat != bidder and state.bid[seat] == NONE


@rule
def may_be_called(state, rules, caller, bidder):
    """Whether there is anybody to call."""
    for seat in range(rules.players):
        if can_be_called(state, seat, caller, bidder):
            return True
    return False


@rule
def legal_demagogos_call(state, rules, out):
    """PASS, then everybody who can be called."""
    out[0] = PASS
    n = 1
    bidder = next_bidder(state, rules)
    for seat in range(rules.players):
        if can_be_called(state, seat, state.actor, bidder):
            out[n] = seat
            n += 1
    return n


@rule
def apply_demagogos_call(state, action):
    """The seat called bids next."""
    state.at = 1
    if action != PASS:
        state.demagogos_used = 1
        state.called = action


@rule
def legal_open_bid(state, rules, out):
    """0, which is passing, then every number nobody has bid."""
    taken = 0  # bit b: somebody has bid b
    for seat in range(rules.players):
        if state.bid[seat] > 0:
            taken |= 1 << int(state.bid[seat])
    n = 0
    for bid in range(int(state.supply[state.actor]) + 1):
        if (taken >> bid) & 1 == 0:
            out[n] = bid
            n += 1
    return n


@rule
def apply_open_bid(state, action):
    """Said and paid."""
    pay_bid(state, int(state.actor), action)
    state.called = NOBODY
    state.at = 0


@rule
def step_orator(state, rules):
    """Who holds an Orator may play one, in Senate order, once all bids are known (E77)."""
    while state.at < rules.players:
        seat = int(state.vote_order[state.at])
        if holds_effect(state, seat, SPECIAL_BID_BONUS):
            state.prompt = PROMPT_ORATOR
            state.actor = seat
            return
        state.at += 1
    state.step = STEP_COUNT


@rule
def apply_orator(state, rules, action):
    """The bid counts more."""
    if action != PASS:
        spend_special(state, rules, int(state.actor), action)
        state.bid_bonus[state.actor] += rules.special_amount[action]
    state.at += 1


# ---- places


@rule
def step_count(state, rules):
    """Turn up, find the winners, punish the lowest bid, settle who plays first; PROMPT_PHILOSOPHIOS if he may
    choose.
    """
    state.facedown[state.slot] = 0
    give_places(state, rules)
    if state.event_now == EVENT_NO_MERCY:
        show_no_mercy(state, rules)
    state.at = 0
    state.step = STEP_PLAY
    seat = int(state.holder[FACTION_PHILOSOPHIOS])
    if rules.two_player_factions == 0 and seat != NOBODY and state.place[seat] > 1:
        state.prompt = PROMPT_PHILOSOPHIOS
        state.actor = seat


@rule
def total_bid(state, seat):
    """What a bid counts for: cubes and Orator."""
    return int(state.bid[seat]) + int(state.bid_bonus[seat])


@rule
def give_places(state, rules):
    """The highest totals win, ties by the Senate order at the voting's start (E51); `queue` lists the winners."""
    ranked = state.queue
    for i in range(rules.players):
        seat = int(state.vote_order[i])
        j = i
        while j > 0 and total_bid(state, seat) > total_bid(state, int(ranked[j - 1])):
            ranked[j] = ranked[j - 1]
            j -= 1
        ranked[j] = seat
    winners = 0
    while winners < min(places(state, rules), int(rules.players)):
        seat = int(ranked[winners])
        if rules.zero_bid_wins == 0 and total_bid(state, seat) == 0:
            break
        winners += 1
        state.place[seat] = winners
        state.votes_won[seat] += 1
    note_vote(state, rules, winners)
    state.winners_left = winners


@rule
def note_vote(state, rules, winners):
    """Tally whether a place, or winning at all, hung on a tie-break."""
    level = SETTLED_CLEAR
    for i in range(min(winners, rules.players - 1)):
        a = int(state.queue[i])
        b = int(state.queue[i + 1])
        if total_bid(state, a) == total_bid(state, b):
            level = max(level, settled_by(state, rules, a, b))
    state.settled[CONTEST_VOTE, level] += 1


@rule
def show_no_mercy(state, rules):
    """No Mercy For The Weak!: the lowest bid costs a point; ties: the lowest in Senate order (E32)."""
    lowest = int(state.queue[rules.players - 1])
    for i in range(rules.players):
        seat = int(state.queue[i])
        tied = total_bid(state, seat) == total_bid(state, lowest)
        if seat == lowest or (rules.no_mercy_ties == 1 and tied):
            gain(state, rules, seat, SOURCE_NO_MERCY, -int(rules.no_mercy_vp))


@rule
def apply_philosophios(state, action):
    """He plays before the others, who keep their order (E66)."""
    if action != USE:
        return
    seat = int(state.actor)
    i = state.place[seat] - 1
    while i > 0:
        state.queue[i] = state.queue[i - 1]
        i -= 1
    state.queue[0] = seat


# ---- plays


@rule
def step_play(state):
    """The next winner plays or passes; `winners_left` counts those still to come, `at` those who are through."""
    if state.winners_left == 0:
        state.step = STEP_STRATEGOS
        return
    state.prompt = PROMPT_PLAY
    state.actor = state.queue[state.at]


@rule
def neighbour(state, rules, seat):
    """The nearest player to the left who won no place in this voting (E35, E36), or NOBODY."""
    for step in range(1, int(rules.players)):
        other = (seat + step) % int(rules.players)
        if state.place[other] == 0:
            return other
    return NOBODY


@rule
def may_borrow(state, rules, seat):
    """First place, and the Philosophios whatever his place, may play the neighbour's card."""
    philosophios = int(state.holder[FACTION_PHILOSOPHIOS])
    other = neighbour(state, rules, seat)
    if other == NOBODY or (state.played_card[other] == 1 and rules.borrow_twice == 0):
        return False
    if rules.two_player_factions == 1:
        return state.place[seat] == 1 and other != philosophios
    return state.place[seat] == 1 or seat == philosophios


@rule
def legal_play(state, rules, out):
    """PASS, own card, neighbour's card: what can be applied in full."""
    seat = int(state.actor)
    out[0] = PASS
    n = 1
    if can_play(state, rules, seat, int(state.laid[seat, state.slot])):
        out[n] = PLAY_OWN
        n += 1
    if may_borrow(state, rules, seat):
        other = neighbour(state, rules, seat)
        if can_play(state, rules, seat, int(state.laid[other, state.slot])):
            out[n] = PLAY_NEIGHBOURS
            n += 1
    return n


@rule
def apply_play(state, rules, action):
    """Begin the card, or be done with this voting."""
    seat = int(state.actor)
    state.at += 1
    state.winners_left -= 1
    if action != PASS:
        owner = neighbour(state, rules, seat) if action == PLAY_NEIGHBOURS else seat
        start_card(state, seat, owner, int(state.laid[owner, state.slot]))


# ---- the end of a voting


@rule
def step_strategos(state, rules):
    """Strategos gets cubes back if he played no card (E47, E67); then the next slot."""
    keep_vote(state, rules)
    state.step = STEP_NEXT_SLOT
    seat = int(state.holder[FACTION_STRATEGOS])
    if seat != NOBODY and state.has_played[seat] == 0 and state.bid[seat] > 0:
        state.prompt = PROMPT_STRATEGOS
        state.actor = seat


@rule
def keep_vote(state, rules):
    """What this voting was, for whoever records or tells the game."""
    state.votes_done += 1
    state.vote_turn = state.turn
    state.vote_slot = state.slot
    state.vote_open = state.voting_open
    for seat in range(rules.players):
        state.vote_bid[seat] = state.bid[seat]
        state.vote_bonus[seat] = state.bid_bonus[seat]
        state.vote_place[seat] = state.place[seat]
        state.vote_card[seat] = state.laid[seat, state.slot]


@rule
def step_next_slot(state):
    """On to the cards to the right."""
    state.slot += 1
    state.step = STEP_VOTING


@rule
def apply_strategos(state, rules, action):
    """Up to two of the cubes bid return behind the screen."""
    if action == USE:
        seat = int(state.actor)
        cubes = min(int(rules.strategos_refund), int(state.bid[seat]))
        state.on_cards[seat] -= cubes
        state.supply[seat] += cubes
