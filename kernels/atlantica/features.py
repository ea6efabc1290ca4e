"""What tells who will win, as numbers for a network: from what one seat may see, at any choice of any seat.

Rivals are told in turn order after the seat. Amounts come from the rules, so that the numbers follow changed ones.
"""

from kernels.atlantica import codes as c
from kernels.atlantica.divers import hand_size
from kernels.atlantica.payment import colours_held
from kernels.atlantica.scoring import row_value, score_now
from kernels.engine.contract import MAX_PLAYERS
from kernels.jit import rule
from kernels.piles import total

RIVALS = MAX_PLAYERS - 1

# ---- names, and where they stand

OWN_NAMES = (
    "score",  # VP if the game ended here
    "all_loaded",  # VP if every treasure had a crate
    "lead",  # over the best rival
    "lead_second",  # over the second best
    "free_crates",
    "waiting_treasures",  # without a crate
    "tie_cards",
    "hurricane",  # holds the card
    "crates",
    "enough_crates",  # for Research cards about many crates
    "hand",
    "research",
    "turn",
    "to_come",  # has a turn after this one, once the hurricane has come
)
(SCORE, ALL_LOADED, LEAD, LEAD_SECOND, FREE, WAITING, TIE_CARDS, STORM) = range(8)
(CRATES, ENOUGH_CRATES, HAND, RESEARCH, TURN, TO_COME) = range(8, 14)
assert len(OWN_NAMES) - 1 == TO_COME

RIVAL_NAMES = (
    "present",
    "turn",
    "to_come",
    "score",
    "ahead",  # 1 where the seat ranks before this rival, -1 behind
    "all_loaded",
    "free_crates",
    "waiting_treasures",
    "hand",
    "ships",
    "research",
    "growing",  # amounts of Research cards that count things
    *c.TREASURE_SLUGS,
)
(R_PRESENT, R_TURN, R_TO_COME, R_SCORE, R_AHEAD, R_ALL_LOADED, R_FREE, R_WAITING, R_HAND) = range(9)
(R_SHIPS, R_RESEARCH, R_GROWING, R_TREASURES) = range(9, 13)
RIVAL_SIZE = len(RIVAL_NAMES)
assert R_TREASURES + c.TREASURE_KINDS == RIVAL_SIZE

GAME_NAMES = (
    "deck_left",
    "main_deck_left",
    "last_turns",
    "turns_left",
    "own_cards_left",  # of the turn under way
    "own_taking",
    "own_hired",
    "other_cards_left",
    "other_taking",
    "other_hired",
)
(DECK, MAIN, LAST_TURNS, TURNS_LEFT) = range(4)
(CARDS_LEFT, TAKING, HIRED, OTHER_CARDS_LEFT, OTHER_TAKING, OTHER_HIRED) = range(4, 10)
assert len(GAME_NAMES) - 1 == OTHER_HIRED

EFFECTS = c.RESEARCH_EFFECTS[1:]  # a blank card does nothing

BLOCKS = (
    OWN_NAMES,
    [f"treasure_{name}" for name in c.TREASURE_SLUGS],  # how many
    [f"step_{name}" for name in c.TREASURE_SLUGS],  # VP of one more
    [f"after_{name}" for name in c.TREASURE_SLUGS],  # VP of the one after that
    [f"effect_{name}" for name in EFFECTS],
    [f"ships_{pile}" for pile in range(c.SHIP_PILES)],
    [f"diver_{colour}" for colour in c.DIVERS],
    [f"pays_{action}" for action in c.ACTION_SLUGS],  # the hand does, in a turn of its own
    [f"{{rival}}_{name}" for name in RIVAL_NAMES],
    [f"rival_step_{name}" for name in c.TREASURE_SLUGS],  # the greatest of any rival
    [f"unseen_{name}" for name in c.TREASURE_SLUGS],
    GAME_NAMES,
    [f"own_used_{location}" for location in ("submarine", "harbor", "tavern", "research_station")],
    [f"own_{action}" for action in c.ACTION_SLUGS],  # under way
    [f"offer_{space}" for space in range(c.TREASURE_SPACES)],  # VP of the treasure on each space
    [f"rival_offer_{space}" for space in range(c.TREASURE_SPACES)],
    [f"research_offer_{space}" for space in range(c.RESEARCH_SPACES)],
    [f"top_ship_{pile}" for pile in range(c.SHIP_PILES)],
)
TIMES = [RIVALS if block[0].startswith("{rival}") else 1 for block in BLOCKS]
NAMES: tuple[str, ...] = tuple(
    name.format(rival=f"next{rival + 1}")
    for block, times in zip(BLOCKS, TIMES)
    for rival in range(times)
    for name in block
)
SIZE = len(NAMES)
PLAIN = ("lead", "deck_left")  # what a plain table of chances goes by: lead and time

STARTS = [sum(len(block) * times for block, times in list(zip(BLOCKS, TIMES))[:i]) for i in range(len(BLOCKS))]
(OWN, OWN_TREASURE, OWN_STEP, OWN_AFTER, OWN_EFFECT, OWN_SHIPS, OWN_DIVER, OWN_PAYS) = STARTS[:8]
(RIVAL, RIVAL_STEP, UNSEEN, GAME, USED, ACTION, OFFER, RIVAL_OFFER, RESEARCH_OFFER, TOP_SHIP) = STARTS[8:]

# What sizes are divided by, so that they are of the order of 1.
VP = 20.0
LEADS = 10.0
STEPS = 10.0
FEW = 3.0
SOME = 5.0
MANY = 10.0

FAR = 1.0e9
# Working space of judge_seat, for so many treasures at most: what is written after all seats are judged.
GAINS = UNSEEN
assert min(RIVAL, SIZE - GAINS) > c.TREASURE_CARDS // 2


# ---- points of a seat


@rule
def sum_research(state, rules, seat):
    """Cards, and their amounts: points, per Architecture, per Gold, per card, per ship, colours, divers, crates; and
    jokers.
    """
    cards = 0
    points = 0
    architecture = 0
    gold = 0
    research = 0
    ship = 0
    colours = 0
    divers = 0
    crates = 0
    jokers = 0
    for kind in range(c.RESEARCH_KINDS):
        copies = int(state.research[seat, kind])
        if copies == 0:
            continue
        cards += copies
        effect = int(rules.research_effect[kind])
        amount = copies * int(rules.research_amount[kind])
        if effect == c.RESEARCH_POINTS:
            points += amount
        elif effect == c.RESEARCH_PER_ARCHITECTURE:
            architecture += amount
        elif effect == c.RESEARCH_PER_GOLD:
            gold += amount
        elif effect == c.RESEARCH_PER_RESEARCH:
            research += amount
        elif effect == c.RESEARCH_PER_SHIP:
            ship += amount
        elif effect == c.RESEARCH_THREE_COLOURS:
            colours += amount
        elif effect == c.RESEARCH_PER_DIVERS:
            divers += amount
        elif effect == c.RESEARCH_MANY_CRATES:
            crates += amount
        elif effect == c.RESEARCH_JOKER:
            jokers += copies
    return cards, points, architecture, gold, research, ship, colours, divers, crates, jokers


@rule
def kind_value(rules, kind, cards, per_architecture, per_gold):
    """VP of so many treasures of a kind, with what Research cards give for each."""
    worth = row_value(rules, kind, cards)
    if kind == c.ARCHITECTURE:
        worth += per_architecture * cards
    elif kind == c.GOLD:
        worth += per_gold * cards
    return worth


@rule
def least_loss(state, rules, seat, waiting, per_architecture, per_gold, space):
    """VP lost with the treasures left behind, `space` left blank. Exact where nothing else counts the colours kept."""
    for dropped in range(1, waiting + 1):
        space[dropped] = FAR
    before = 0
    for kind in range(c.TREASURE_KINDS):
        held = int(state.treasures[seat, kind])
        if held == 0:
            continue
        before += held
        worth = kind_value(rules, kind, held, per_architecture, per_gold)
        for these in range(1, min(held, waiting) + 1):
            space[GAINS + these] = worth - kind_value(rules, kind, held - these, per_architecture, per_gold)
        for drop in range(min(before, waiting), 0, -1):
            best = space[drop]
            for these in range(1, min(held, drop) + 1):
                best = min(best, space[drop - these] + space[GAINS + these])
            space[drop] = best
    loss = int(space[waiting])
    clear_space(space, waiting)
    return loss


@rule
def most_kept(state, rules, seat, kept, per_architecture, per_gold, space):
    """VP of the best so many treasures, `space` left blank. As least_loss, for few crates."""
    for kind in range(c.TREASURE_KINDS):
        held = int(state.treasures[seat, kind])
        if held == 0:
            continue
        for these in range(1, min(held, kept) + 1):
            space[GAINS + these] = kind_value(rules, kind, these, per_architecture, per_gold)
        for keep in range(kept, 0, -1):
            best = space[keep]
            for these in range(1, min(held, keep) + 1):
                best = max(best, space[keep - these] + space[GAINS + these])
            space[keep] = best
    points = int(space[kept])
    clear_space(space, kept)
    return points


@rule
def clear_space(space, cards):
    """Blank the working space again."""
    for i in range(1, cards + 1):
        space[i] = 0.0
        space[GAINS + i] = 0.0


@rule
def has_many_crates(state, rules, seat, treasures):
    """Whether Research cards about many crates count."""
    counted = int(state.crates[seat])
    if rules.crates_counted == 1:
        counted = min(counted, treasures)
    return counted >= rules.many_crates


@rule
def judge_seat(state, rules, seat, treasures, research, space):
    """The seat's VP if the game ended here, and if every treasure had a crate; `space` is blank working space."""
    cards, points, architecture, gold, per_research, ship, three, divers, crates, jokers = research
    fixed = points + per_research * cards + ship * total(state.ships[seat])
    fixed += divers * (hand_size(state, seat) // int(rules.divers_counted_by))
    fixed += crates if has_many_crates(state, rules, seat, treasures) else 0
    rows = 0
    colours = 0
    for kind in range(c.TREASURE_KINDS):
        held = int(state.treasures[seat, kind])
        colours += int(held > 0)
        rows += kind_value(rules, kind, held, architecture, gold)
    loaded = fixed + rows + (three if colours >= rules.set_colours else 0)
    if state.phase == c.PHASE_OVER:
        return int(state.vp[seat]), loaded
    kept = min(int(state.crates[seat]), treasures)
    waiting = treasures - kept
    if jokers > 0 or (three > 0 and waiting > 0):
        return score_now(state, rules, seat), loaded
    if waiting == 0:
        return loaded, loaded
    if waiting <= kept:
        rows -= least_loss(state, rules, seat, waiting, architecture, gold, space)
    else:
        rows = most_kept(state, rules, seat, kept, architecture, gold, space)
    return fixed + rows, loaded


@rule
def count_tie_cards(state, rules, seat, treasures):
    """Treasures that settle a tie, as scoring.tie_cards counts them at the end."""
    cards = min(int(state.crates[seat]), treasures) if rules.tie_counts == 0 else treasures
    return cards + (int(rules.hurricane_counts) if state.hurricane == seat else 0)


# ---- the seat


@rule
def is_to_come(state, seat):
    """Whether the seat has a turn after the one under way, once the hurricane has come."""
    away = seat - int(state.seat)
    if away <= 0:
        away += int(state.players)
    return state.turns_left >= away


@rule
def payable(state, rules, seat):
    """Actions, as bits, whose price the seat's hand pays in a turn of its own (locations.payable_actions)."""
    held, twice, thrice = colours_held(state, seat, c.NONE, 0)
    paid = int(rules.paid_by[held])
    if twice == 0 or rules.pairs_per_turn == 0:
        return paid
    if thrice != 0:
        paid |= int(rules.nearly_paid_by[held])
    only_twice = twice & ~thrice
    for colour in range(c.COLOURS):
        if (only_twice >> colour) & 1:
            paid |= int(rules.nearly_paid_by[held & ~(1 << colour)])
    return paid


@rule
def tell_hand(state, rules, seat, out):
    """The seat's divers, and what they pay."""
    for colour in range(c.COLOURS):
        out[OWN_DIVER + colour] = int(state.hand[seat, colour]) / FEW
    paid = payable(state, rules, seat)
    for action in range(len(c.ACTIONS)):
        out[OWN_PAYS + action] = float((paid >> action) & 1)


@rule
def tell_treasures(state, rules, seat, per_architecture, per_gold, out):
    """The seat's treasures, and what the next ones of each kind bring."""
    for kind in range(c.TREASURE_KINDS):
        held = int(state.treasures[seat, kind])
        now = kind_value(rules, kind, held, per_architecture, per_gold)
        one_more = kind_value(rules, kind, held + 1, per_architecture, per_gold)
        two_more = kind_value(rules, kind, held + 2, per_architecture, per_gold)
        out[OWN_TREASURE + kind] = held / FEW
        out[OWN_STEP + kind] = (one_more - now) / STEPS
        out[OWN_AFTER + kind] = (two_more - one_more) / STEPS


@rule
def tell_effects(research, out):
    """The amounts of the seat's Research cards, by effect."""
    _, points, architecture, gold, per_research, ship, three, divers, crates, jokers = research
    out[OWN_EFFECT + c.RESEARCH_POINTS - 1] = points / MANY
    out[OWN_EFFECT + c.RESEARCH_PER_ARCHITECTURE - 1] = float(architecture)
    out[OWN_EFFECT + c.RESEARCH_PER_GOLD - 1] = float(gold)
    out[OWN_EFFECT + c.RESEARCH_PER_RESEARCH - 1] = float(per_research)
    out[OWN_EFFECT + c.RESEARCH_PER_SHIP - 1] = float(ship)
    out[OWN_EFFECT + c.RESEARCH_THREE_COLOURS - 1] = three / SOME
    out[OWN_EFFECT + c.RESEARCH_PER_DIVERS - 1] = float(divers)
    out[OWN_EFFECT + c.RESEARCH_MANY_CRATES - 1] = crates / SOME
    out[OWN_EFFECT + c.RESEARCH_JOKER - 1] = float(jokers)


@rule
def tell_own(state, rules, seat, treasures, research, out):
    """What the seat has, but for its points and leads."""
    free = int(state.crates[seat]) - treasures
    out[OWN + FREE] = max(0, free) / SOME
    out[OWN + WAITING] = max(0, -free) / SOME
    out[OWN + TIE_CARDS] = count_tie_cards(state, rules, seat, treasures) / MANY
    out[OWN + STORM] = int(state.hurricane == seat)
    out[OWN + CRATES] = int(state.crates[seat]) / MANY
    out[OWN + ENOUGH_CRATES] = int(has_many_crates(state, rules, seat, treasures))
    out[OWN + HAND] = hand_size(state, seat) / MANY
    out[OWN + RESEARCH] = research[0] / SOME
    out[OWN + TURN] = int(state.seat == seat)
    out[OWN + TO_COME] = int(is_to_come(state, seat))
    for pile in range(c.SHIP_PILES):
        out[OWN_SHIPS + pile] = int(state.ships[seat, pile]) / FEW
    tell_treasures(state, rules, seat, research[2], research[3], out)
    tell_effects(research, out)
    tell_hand(state, rules, seat, out)


# ---- the rivals


@rule
def order(state, rules, seat, score, cards, rival, rival_score, rival_cards):
    """1 where the seat ranks before the rival, -1 behind, 0 level: as scoring.is_ahead."""
    if score != rival_score:
        return 1.0 if score > rival_score else -1.0
    if cards != rival_cards:
        return 1.0 if cards > rival_cards else -1.0
    if rules.tie_last == 1:
        return 1.0 if seat < rival else -1.0
    return 0.0


@rule
def tell_rival(state, rules, rival, research, treasures, at, out):
    """What a rival has, but for its points; the greatest step of a row any rival can make."""
    free = int(state.crates[rival]) - treasures
    out[at + R_PRESENT] = 1.0
    out[at + R_TURN] = int(state.seat == rival)
    out[at + R_TO_COME] = int(is_to_come(state, rival))
    out[at + R_FREE] = max(0, free) / SOME
    out[at + R_WAITING] = max(0, -free) / SOME
    out[at + R_HAND] = hand_size(state, rival) / MANY
    out[at + R_SHIPS] = total(state.ships[rival]) / SOME
    out[at + R_RESEARCH] = research[0] / SOME
    out[at + R_GROWING] = (research[2] + research[3] + research[4] + research[5] + research[7]) / FEW
    for kind in range(c.TREASURE_KINDS):
        held = int(state.treasures[rival, kind])
        now = kind_value(rules, kind, held, research[2], research[3])
        step = kind_value(rules, kind, held + 1, research[2], research[3]) - now
        out[at + R_TREASURES + kind] = held / FEW
        out[RIVAL_STEP + kind] = max(out[RIVAL_STEP + kind], step / STEPS)


@rule
def tell_seats(state, rules, seat, out):
    """The seat, its rivals, and how they stand."""
    research = sum_research(state, rules, seat)
    treasures = total(state.treasures[seat])
    score, loaded = judge_seat(state, rules, seat, treasures, research, out)
    cards = count_tie_cards(state, rules, seat, treasures)
    best = -1
    second = -1
    for place in range(1, state.players):
        rival = seat + place
        if rival >= state.players:
            rival -= int(state.players)
        rivals_research = sum_research(state, rules, rival)
        rivals_treasures = total(state.treasures[rival])
        rivals, rivals_loaded = judge_seat(state, rules, rival, rivals_treasures, rivals_research, out)
        at = RIVAL + RIVAL_SIZE * (place - 1)
        rivals_cards = count_tie_cards(state, rules, rival, rivals_treasures)
        out[at + R_SCORE] = rivals / VP
        out[at + R_ALL_LOADED] = rivals_loaded / VP
        out[at + R_AHEAD] = order(state, rules, seat, score, cards, rival, rivals, rivals_cards)
        tell_rival(state, rules, rival, rivals_research, rivals_treasures, at, out)
        second = max(second, min(best, rivals))
        best = max(best, rivals)
    out[OWN + SCORE] = score / VP
    out[OWN + ALL_LOADED] = loaded / VP
    out[OWN + LEAD] = (score - best) / LEADS
    if state.players > 2:
        out[OWN + LEAD_SECOND] = (score - second) / LEADS
    tell_own(state, rules, seat, treasures, research, out)


# ---- the table


@rule
def tell_turn(state, rules, seat, out):
    """How far the turn under way is."""
    cards = (int(rules.cards_per_turn) - int(state.cards_played)) / FEW
    taking = int(state.left) / FEW
    hired = total(state.waiting) / SOME
    if state.seat != seat:
        out[GAME + OTHER_CARDS_LEFT] = cards
        out[GAME + OTHER_TAKING] = taking
        out[GAME + OTHER_HIRED] = hired
        return
    out[GAME + CARDS_LEFT] = cards
    out[GAME + TAKING] = taking
    out[GAME + HIRED] = hired
    for location in range(len(c.LOCATIONS)):
        out[USED + location] = float(state.used[location])
    if state.action >= 0:
        out[ACTION + int(state.action)] = 1.0


@rule
def tell_game(state, out):
    """How near the end is."""
    size = max(1, int(state.treasure_size))
    out[GAME + DECK] = (int(state.treasure_size) - int(state.treasure_top)) / size
    out[GAME + MAIN] = int(state.treasure_main) / size
    if state.hurricane != c.NOBODY:
        out[GAME + LAST_TURNS] = 1.0
        out[GAME + TURNS_LEFT] = int(state.turns_left) / SOME


@rule
def tell_treasure_row(state, rules, out):
    """What the treasure on each space brings the seat, and the rival whom it serves most; treasures nobody has seen."""
    for kind in range(c.TREASURE_KINDS):
        out[UNSEEN + kind] = float(rules.treasure_copies[kind])
    for space in range(c.TREASURE_SPACES):
        kind = int(state.treasure_row[space])
        if kind != c.NONE:
            out[OFFER + space] = out[OWN_STEP + kind]
            out[RIVAL_OFFER + space] = out[RIVAL_STEP + kind]
            out[UNSEEN + kind] -= 1.0
    for kind in range(c.TREASURE_KINDS):
        for owner in range(state.players):
            out[UNSEEN + kind] -= float(state.treasures[owner, kind])
        out[UNSEEN + kind] /= SOME


@rule
def best_step(out):
    """The greatest step that the seat can make in a row, as told."""
    best = 0.0
    for kind in range(c.TREASURE_KINDS):
        best = max(best, out[OWN_STEP + kind])
    return best


@rule
def research_gain(state, rules, seat, kind, out):
    """VP that one more Research card brings the seat as things stand, by STEPS; from what is told of it already."""
    effect = int(rules.research_effect[kind])
    amount = int(rules.research_amount[kind])
    times = 0
    if effect == c.RESEARCH_POINTS:
        times = 1
    elif effect == c.RESEARCH_PER_ARCHITECTURE:
        times = int(state.treasures[seat, c.ARCHITECTURE])
    elif effect == c.RESEARCH_PER_GOLD:
        times = int(state.treasures[seat, c.GOLD])
    elif effect == c.RESEARCH_PER_RESEARCH:
        times = total(state.research[seat]) + 1
    elif effect == c.RESEARCH_PER_SHIP:
        times = total(state.ships[seat])
    elif effect == c.RESEARCH_PER_DIVERS:
        times = hand_size(state, seat) // int(rules.divers_counted_by)
    elif effect == c.RESEARCH_MANY_CRATES:
        times = int(out[OWN + ENOUGH_CRATES])
    elif effect == c.RESEARCH_THREE_COLOURS:
        colours = 0
        for treasure in range(c.TREASURE_KINDS):
            colours += int(state.treasures[seat, treasure] > 0)
        times = int(colours >= rules.set_colours)
    elif effect == c.RESEARCH_JOKER:
        return best_step(out)
    return times * amount / STEPS


@rule
def tell_offers(state, rules, seat, out):
    """What lies on the board."""
    tell_treasure_row(state, rules, out)
    for space in range(c.RESEARCH_SPACES):
        kind = int(state.research_row[space])
        if kind != c.NONE:
            per_card = out[OWN_EFFECT + c.RESEARCH_PER_RESEARCH - 1] / STEPS
            out[RESEARCH_OFFER + space] = per_card + research_gain(state, rules, seat, kind, out)
    for pile in range(c.SHIP_PILES):
        if state.ship_top[pile] < c.PILE_SHIPS:
            out[TOP_SHIP + pile] = int(rules.crates[pile, state.ship_deck[pile, state.ship_top[pile]]]) / SOME


@rule
def describe(state, rules, seat, out):
    """Write the seat's numbers to out[:SIZE], which is blank."""
    tell_seats(state, rules, seat, out)
    tell_game(state, out)
    tell_turn(state, rules, seat, out)
    tell_offers(state, rules, seat, out)
