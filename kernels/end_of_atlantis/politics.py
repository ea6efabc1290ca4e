""" "Card Descriptions: Politics cards", with the Special cards played along (E76, E79, E80).

A card is tested before it is begun: `can_play` and `fits` are true only if it can be applied in full. Then
`step_card` asks for its choices one by one. While a card is under way, `card_count` counts the ships chosen and
`card_left` what is still to do.
"""

from kernels.end_of_atlantis.codes import (
    AREA_OCEAN,
    AREA_PORT,
    COLOURS,
    FACTION_DEMAGOGOS,
    NEUTRAL,
    NONE,
    PASS,
    POLITICS_ARISTOCRACY,
    POLITICS_REFUGEES_1,
    POLITICS_REFUGEES_2,
    POLITICS_REFUGEES_2_1,
    POLITICS_ROYAL_SHIP,
    POLITICS_SABOTAGE,
    POLITICS_SHIPS,
    POLITICS_SUPPORT,
    POOL_OF,
    PROMPT_ALLY,
    PROMPT_ARISTOCRACY,
    PROMPT_ARISTOCRACY_VICTIM,
    PROMPT_BETRAYAL,
    PROMPT_BETRAYAL_COUNT,
    PROMPT_DECLARE,
    PROMPT_EMPATH_SHIP,
    PROMPT_EMPATH_VICTIM,
    PROMPT_LOAD,
    PROMPT_LOAD_SECOND,
    PROMPT_MOVE,
    PROMPT_SABOTAGE,
    PROMPT_STOWAWAY,
    SHIPS,
    SPECIAL_EXTRA_REFUGEE,
    SPECIAL_EXTRA_SHIP,
    SPECIAL_KINDS,
    SPECIAL_NEUTRAL_ALLY,
    SPECIAL_REPLACE_REFUGEE,
)
from kernels.end_of_atlantis.hands import can_take_special, spend_special
from kernels.end_of_atlantis.ships import (
    aboard,
    board,
    discard_refugee,
    is_guarded,
    lose_ship,
    may_move,
    move,
    others_aboard,
    room,
    room_in_port,
    would_land,
)
from kernels.end_of_atlantis.steps import STEP_CARD, STEP_DECLARE, STEP_PLAY
from kernels.jit import rule

MOST_BETRAYED = 4
WITH_A_CARD = (
    1 << SPECIAL_EXTRA_REFUGEE | 1 << SPECIAL_REPLACE_REFUGEE | 1 << SPECIAL_EXTRA_SHIP | 1 << SPECIAL_NEUTRAL_ALLY
)  # effects that are played along with a Politics card


# ---- can it be played?


@rule
def can_play(state, rules, seat, card):
    """Whether the seat can apply this Politics card in full."""
    if card <= POLITICS_REFUGEES_2_1:
        if state.supply[seat] < refugees_of(card):
            return False
        for space in range(SHIPS):
            if may_load(state, rules, seat, card, NONE, space):
                return True
        return False
    if card == POLITICS_ARISTOCRACY:
        if state.supply[seat] > 0:
            for space in range(SHIPS):
                if may_seat_aristocrat(state, rules, seat, space):
                    return True
        return False
    if card == POLITICS_SHIPS:
        return movable_ships(state, rules, card) >= 2
    if card == POLITICS_ROYAL_SHIP:
        return movable_ships(state, rules, card) >= 1
    if card == POLITICS_SUPPORT:
        return can_take_special(state)
    if card == POLITICS_SABOTAGE:
        for space in range(SHIPS):
            if may_sabotage(state, rules, seat, space):
                return True
        return False
    return can_betray(state, rules, seat)


@rule
def fits(state, rules, seat, card, special):
    """Whether the seat can play this Special with the card and apply both in full."""
    effect = int(rules.special_effect[special])
    if card <= POLITICS_REFUGEES_2_1:
        needed = refugees_of(card)
        if effect == SPECIAL_EXTRA_REFUGEE:
            needed += int(rules.special_amount[special])
            return state.supply[seat] >= needed and room_in_port(state, rules) >= needed
        if effect == SPECIAL_REPLACE_REFUGEE and state.supply[seat] > needed:
            for space in range(SHIPS):
                if may_load(state, rules, seat, card, effect, space):
                    return True
        return False
    if effect == SPECIAL_EXTRA_SHIP:
        return card == POLITICS_SHIPS and movable_ships(state, rules, card) >= 3
    if effect == SPECIAL_NEUTRAL_ALLY and (card == POLITICS_SHIPS or card == POLITICS_ROYAL_SHIP):
        for space in range(SHIPS):
            if may_ally(state, rules, card, space):
                return True
    return False


@rule
def refugees_of(card):
    """Refugees a Refugees card places."""
    return 1 if card == POLITICS_REFUGEES_1 else (2 if card == POLITICS_REFUGEES_2 else 3)


@rule
def may_load(state, rules, seat, card, effect, space):
    """Whether a Refugees card may begin with this ship, so that the rest of it, and Empath, can follow."""
    together = 1 if card == POLITICS_REFUGEES_1 else 2
    if room(state, rules, space) < together:
        return False
    if card != POLITICS_REFUGEES_2_1:
        return effect != SPECIAL_REPLACE_REFUGEE or others_aboard(state, space, seat) > 0
    for second in range(SHIPS):
        if may_load_second(state, rules, seat, effect, space, second):
            return True
    return False


@rule
def may_load_second(state, rules, seat, effect, first, second):
    """Whether the third refugee of "2+1" may board this ship (E26)."""
    if second == first or room(state, rules, second) < 1:
        return False
    if effect != SPECIAL_REPLACE_REFUGEE:
        return True
    return others_aboard(state, first, seat) > 0 or others_aboard(state, second, seat) > 0


@rule
def may_seat_aristocrat(state, rules, seat, space):
    """A ship in port with room, or a full one with somebody else to displace (E70)."""
    if state.tile[space] == NONE or state.area[space] != AREA_PORT:
        return False
    return room(state, rules, space) > 0 or others_aboard(state, space, seat) > 0


@rule
def movable_ships(state, rules, card):
    """How many ships this card could move."""
    count = 0
    for space in range(SHIPS):
        if may_move(state, rules, space, card):
            count += 1
    return count


@rule
def may_ally(state, rules, card, space):
    """A ship with neutrals aboard that this card can bring home."""
    return may_move(state, rules, space, card) and would_land(state, space) and aboard(state, space, NEUTRAL) > 0


@rule
def is_immune(state, rules, seat, victim):
    """With 2 players the holder of Demagogos is immune to the other's red cards (E58)."""
    return rules.two_player_factions == 1 and seat != victim and state.holder[FACTION_DEMAGOGOS] == victim


@rule
def may_sabotage(state, rules, seat, space):
    """A ship on the ocean, not the advanced Warship, carrying no cube of an immune player."""
    if state.tile[space] == NONE or state.area[space] != AREA_OCEAN or is_guarded(state, space):
        return False
    for victim in range(rules.players):
        if state.aboard[space, victim] > 0 and is_immune(state, rules, seat, victim):
            return False
    return True


@rule
def removable(state, rules, seat, space, colour):
    """Refugees of a colour that a Betrayal by this seat may remove from the ship."""
    if colour != NEUTRAL and is_immune(state, rules, seat, colour):
        return 0
    return aboard(state, space, colour)


@rule
def may_betray_ship(state, rules, seat, space):
    """A ship in port, not the advanced Warship, with somebody to remove."""
    if state.tile[space] == NONE or state.area[space] != AREA_PORT or is_guarded(state, space):
        return False
    for colour in range(COLOURS):
        if removable(state, rules, seat, space, colour) > 0:
            return True
    return False


@rule
def may_betray_pool(state, rules, seat, victim):
    """Tokens of one player in the Senate pool; not under the family rules (E44, E69)."""
    return rules.senate == 1 and state.pool[victim] > 0 and not is_immune(state, rules, seat, victim)


@rule
def can_betray(state, rules, seat):
    """Whether Betrayal has any target."""
    for space in range(SHIPS):
        if may_betray_ship(state, rules, seat, space):
            return True
    for victim in range(rules.players):
        if may_betray_pool(state, rules, seat, victim):
            return True
    return False


# ---- beginning and ending a card


@rule
def start_card(state, seat, owner, card):
    """A winner of the voting plays this card; first he may declare a Special."""
    state.card = card
    state.card_seat = seat
    state.card_owner = owner
    state.card_special = NONE
    state.card_ships[:] = NONE
    state.card_count = 0
    state.card_stowed = 0
    state.card_victim = NONE
    state.card_removed = 0
    state.card_colour = NONE
    state.card_turn = state.turn
    state.card_slot = state.slot
    state.special_ship = NONE
    state.played_card[owner] = 1
    state.has_played[seat] = 1
    state.cards_played[seat] += 1
    state.step = STEP_DECLARE


@rule
def step_declare(state, rules):
    """Ask for a Special if one fits; then how much the card has to do."""
    seat = int(state.card_seat)
    held = int(state.effects[seat]) & WITH_A_CARD
    for special in range(SPECIAL_KINDS if held else 0):
        if state.special[seat, special] > 0 and fits(state, rules, seat, int(state.card), special):
            state.prompt = PROMPT_DECLARE
            state.actor = seat
            return
    begin_effect(state)


@rule
def legal_declare(state, rules, out):
    """PASS, then the Special kinds that fit."""
    out[0] = PASS
    n = 1
    for special in range(SPECIAL_KINDS):
        held = state.special[state.actor, special] > 0
        if held and fits(state, rules, int(state.actor), int(state.card), special):
            out[n] = special
            n += 1
    return n


@rule
def apply_declare(state, rules, action):
    """The Special is played along and discarded."""
    if action != PASS:
        spend_special(state, rules, int(state.actor), action)
        state.card_special = action
    begin_effect(state)


@rule
def begin_effect(state):
    """From here on `card_left` is the number of choices of the card proper still to make."""
    card = int(state.card)
    state.card_left = 1
    if card == POLITICS_REFUGEES_2_1 or card == POLITICS_SHIPS:
        state.card_left = 2
    state.step = STEP_CARD


@rule
def effect_of(state, rules):
    """The effect of the Special played along, or NONE."""
    return NONE if state.card_special == NONE else int(rules.special_effect[state.card_special])


@rule
def note_ship(state, space):
    """Remember a ship this card loaded, moved or attacked."""
    state.card_ships[state.card_count] = space
    state.card_count += 1


@rule
def finish_card(state):
    """Back to the voting."""
    state.plays_done += 1
    state.step = STEP_PLAY


@rule
def ask(state, prompt):
    """Ask the player of the card."""
    state.prompt = prompt
    state.actor = state.card_seat


@rule
def step_card(state, rules):
    """The next choice of the card under way, or its end."""
    card = int(state.card)
    if card <= POLITICS_REFUGEES_2_1:
        continue_refugees(state, rules)
    elif card == POLITICS_ARISTOCRACY:
        continue_aristocracy(state)
    elif card == POLITICS_SHIPS or card == POLITICS_ROYAL_SHIP:
        continue_ships(state, rules)
    elif card == POLITICS_SUPPORT:
        state.specials_due = 1
        state.special_taker = state.card_seat
        finish_card(state)
    elif state.card_left == 0:
        finish_card(state)
    elif card == POLITICS_SABOTAGE:
        ask(state, PROMPT_SABOTAGE)
    elif state.card_count == 0 and state.card_victim == NONE:
        ask(state, PROMPT_BETRAYAL)
    else:
        ask(state, PROMPT_BETRAYAL_COUNT)


# ---- Refugees, with Stowaway and Empath


@rule
def continue_refugees(state, rules):
    """Load, load the second ship of "2+1", then what the Special adds."""
    effect = effect_of(state, rules)
    if state.card_left > 0:
        ask(state, PROMPT_LOAD if state.card_count == 0 else PROMPT_LOAD_SECOND)
    elif effect == SPECIAL_EXTRA_REFUGEE and state.card_stowed < rules.special_amount[state.card_special]:
        ask(state, PROMPT_STOWAWAY)
    elif effect == SPECIAL_REPLACE_REFUGEE and state.card_victim == NONE:
        if state.special_ship == NONE and ships_for_empath(state) == 2:
            ask(state, PROMPT_EMPATH_SHIP)
        else:
            if state.special_ship == NONE:
                state.special_ship = only_ship_for_empath(state)
            ask(state, PROMPT_EMPATH_VICTIM)
    else:
        finish_card(state)


@rule
def legal_load(state, rules, out):
    """Ships that can take this Refugees card."""
    n = 0
    effect = effect_of(state, rules)
    for space in range(SHIPS):
        if may_load(state, rules, int(state.actor), int(state.card), effect, space):
            out[n] = space
            n += 1
    return n


@rule
def apply_load(state, action):
    """One refugee, or two together."""
    for _ in range(1 if state.card == POLITICS_REFUGEES_1 else 2):
        board(state, action, state.actor)
    note_ship(state, action)
    state.card_left -= 1


@rule
def legal_load_second(state, rules, out):
    """Other ships with room."""
    n = 0
    effect = effect_of(state, rules)
    for space in range(SHIPS):
        if may_load_second(state, rules, int(state.actor), effect, int(state.card_ships[0]), space):
            out[n] = space
            n += 1
    return n


@rule
def apply_load_second(state, action):
    """The third refugee."""
    board(state, action, state.actor)
    note_ship(state, action)
    state.card_left -= 1


@rule
def apply_stowaway(state, action):
    """One more refugee on any ship with room (E80)."""
    board(state, action, state.actor)
    state.card_stowed += 1
    state.special_ship = action


@rule
def serves_empath(state, i):
    """Whether the i-th ship loaded by this card carries somebody else."""
    return i < state.card_count and others_aboard(state, int(state.card_ships[i]), int(state.card_seat)) > 0


@rule
def ships_for_empath(state):
    """How many ships loaded by this card carry somebody else."""
    return (1 if serves_empath(state, 0) else 0) + (1 if serves_empath(state, 1) else 0)


@rule
def only_ship_for_empath(state):
    """The one that does."""
    return int(state.card_ships[0]) if serves_empath(state, 0) else int(state.card_ships[1])


@rule
def legal_empath_ship(state, out):
    """Both ships, the left one first."""
    out[0] = min(state.card_ships[0], state.card_ships[1])
    out[1] = max(state.card_ships[0], state.card_ships[1])
    return 2


@rule
def legal_victim(state, space, out):
    """Colours aboard that are not the actor's."""
    n = 0
    for colour in range(COLOURS):
        if colour != state.actor and aboard(state, space, colour) > 0:
            out[n] = colour
            n += 1
    return n


@rule
def displace(state, space, colour):
    """One refugee of that colour is discarded, one of the player's takes its place."""
    discard_refugee(state, space, colour)
    board(state, space, state.card_seat)
    state.card_victim = colour


# ---- Aristocracy


@rule
def continue_aristocracy(state):
    """A ship; on a full one a victim."""
    if state.card_left == 0:
        finish_card(state)
    elif state.card_count == 0:
        ask(state, PROMPT_ARISTOCRACY)
    else:
        ask(state, PROMPT_ARISTOCRACY_VICTIM)


@rule
def legal_aristocracy(state, rules, out):
    """Ships in port with room or with somebody to displace."""
    n = 0
    for space in range(SHIPS):
        if may_seat_aristocrat(state, rules, int(state.actor), space):
            out[n] = space
            n += 1
    return n


@rule
def apply_aristocracy(state, rules, action):
    """Aboard if there is room; otherwise a victim must be named."""
    note_ship(state, action)
    if room(state, rules, action) > 0:
        board(state, action, state.actor)
        state.card_left = 0


@rule
def apply_aristocracy_victim(state, action):
    """The victim makes room."""
    displace(state, int(state.card_ships[0]), action)
    state.card_left = 0


# ---- Ships and Royal Ship, with Convoy and Alliance


@rule
def continue_ships(state, rules):
    """Under Alliance the allied ship moves first (E88); then the other moves, each of another ship."""
    effect = effect_of(state, rules)
    moves = 2 if state.card == POLITICS_SHIPS else 1
    if effect == SPECIAL_EXTRA_SHIP:
        moves = 3
    if state.card_count == moves:
        finish_card(state)
    elif effect == SPECIAL_NEUTRAL_ALLY and state.card_count == 0:
        ask(state, PROMPT_ALLY)
    else:
        ask(state, PROMPT_MOVE)


@rule
def legal_ally(state, rules, out):
    """Ships with neutrals that this card can bring home."""
    n = 0
    for space in range(SHIPS):
        if may_ally(state, rules, int(state.card), space):
            out[n] = space
            n += 1
    return n


@rule
def apply_ally(state, rules, action):
    """Its neutrals count as the player's when it lands, which is now."""
    state.special_ship = action
    apply_move(state, rules, action)


@rule
def legal_move(state, rules, out):
    """Ships that can move and have not been moved by this card (E25)."""
    n = 0
    for space in range(SHIPS):
        moved = False
        for i in range(state.card_count):
            if state.card_ships[i] == space:
                moved = True
        if not moved and may_move(state, rules, space, int(state.card)):
            out[n] = space
            n += 1
    return n


@rule
def apply_move(state, rules, action):
    """One move."""
    note_ship(state, action)
    move(state, rules, action, int(state.card), int(state.card_seat))


# ---- Sabotage and Betrayal


@rule
def legal_sabotage(state, rules, out):
    """Ships on the ocean that are not guarded."""
    n = 0
    for space in range(SHIPS):
        if may_sabotage(state, rules, int(state.actor), space):
            out[n] = space
            n += 1
    return n


@rule
def apply_sabotage(state, rules, action):
    """Back to port, everything aboard discarded."""
    note_ship(state, action)
    lose_ship(state, rules, action)
    state.card_left = 0


@rule
def legal_betrayal(state, rules, out):
    """Ships in port, then pools."""
    n = 0
    for space in range(SHIPS):
        if may_betray_ship(state, rules, int(state.actor), space):
            out[n] = space
            n += 1
    for victim in range(rules.players):
        if may_betray_pool(state, rules, int(state.actor), victim):
            out[n] = POOL_OF + victim
            n += 1
    return n


@rule
def apply_betrayal(state, rules, action):
    """A ship is asked about colour by colour (E43); a pool once."""
    if action >= POOL_OF:
        state.card_victim = action - POOL_OF
    else:
        note_ship(state, action)
        next_colour(state, rules)


@rule
def next_colour(state, rules):
    """Go to the next colour that can be removed; none left: the card is done."""
    space = int(state.card_ships[0])
    for colour in range(int(state.card_colour) + 1, COLOURS):
        if removable(state, rules, int(state.card_seat), space, colour) > 0:
            state.card_colour = colour
            return
    state.card_left = 0


@rule
def legal_betrayal_count(state, rules, out):
    """How many of this colour, or of this pool; at least one in all."""
    if state.card_count == 0:
        for cubes in range(1, min(MOST_BETRAYED, int(state.pool[state.card_victim])) + 1):
            out[cubes - 1] = cubes
        return min(MOST_BETRAYED, int(state.pool[state.card_victim]))
    space = int(state.card_ships[0])
    most = removable(state, rules, int(state.actor), space, int(state.card_colour))
    most = min(most, MOST_BETRAYED - int(state.card_removed))
    fewest = 0
    if state.card_removed == 0 and is_last_colour(state, rules, space):
        fewest = 1
    for cubes in range(fewest, most + 1):
        out[cubes - fewest] = cubes
    return most - fewest + 1


@rule
def is_last_colour(state, rules, space):
    """Whether no later colour could be removed."""
    for colour in range(int(state.card_colour) + 1, COLOURS):
        if removable(state, rules, int(state.actor), space, colour) > 0:
            return False
    return True


@rule
def apply_betrayal_count(state, rules, action):
    """Remove them: refugees are discarded, pool tokens go to their owner's building."""
    state.card_removed += action
    if state.card_count == 0:
        victim = int(state.card_victim)
        state.pool[victim] -= action
        state.building[victim] += action
        state.card_left = 0
        return
    for _ in range(action):
        discard_refugee(state, int(state.card_ships[0]), int(state.card_colour))
    if state.card_removed == MOST_BETRAYED:
        state.card_left = 0
    else:
        next_colour(state, rules)
