"""One game as one record of about 1.2 KB.

Each field says its shape, its range and who may see it: (all) everybody, (own) the seat it belongs to, (none)
nobody at the table. A policy that reads more than its seat may see is caught by the hidden-information check.
"""

from functools import partial

import numpy as np
from numba import from_dtype

from kernels.end_of_atlantis.codes import (
    COLOURS,
    CONTESTS,
    EVENT_CARDS,
    FACE_UP,
    POLITICS_KINDS,
    SETTLED_BY,
    SHIPS,
    SOURCES,
    SPECIAL_CARDS,
    SPECIAL_KINDS,
)
from kernels.engine.contract import MAX_PLAYERS as P
from kernels.engine.contract import blank_states, state_dtype

POLITICS_CARDS = 80
SLOTS = 5
JOURNAL = 6  # ships that can land between two choices: a card's last, then the Doom phase's (at most five)

STATE = state_dtype(
    [
        # whose choice it is
        ("queue", np.int8, (P,)),  # seats in the order in which a step asks them (all)
        ("at", np.int8),  # position in the queue, or the seat, that a step has come to (all)
        ("ability_at", np.int8),  # Factions: board place of the next ability (all)
        ("passed", np.int8, (P,)),  # Factions: passed; All In: out (all)
        ("picks", np.int8),  # Factions: round of picks under way (all)
        ("discards_left", np.int8),  # Archont: cards still to discard (all)
        ("facedown_from", np.int8),  # Oraklos: first slot he may still name (all)
        ("facedown_left", np.int8),  # and how many (all)
        ("winners_left", np.int8),  # winners of the voting still to play (all)
        ("all_in_placed", np.int8, (P,)),  # All In: cubes placed by each seat (all)
        ("ship_rank", np.int8, (SHIPS,)),  # room to rank ships in; means nothing between steps (all)
        ("seat_rank", np.int8, (P,)),  # and seats (all)
        # points
        ("vp", np.int16, (P,)),  # VP (all)
        ("vp_by", np.int16, (P, len(SOURCES))),  # VP by SOURCE_; sums to vp (all)
        # cubes: 20 a seat over supply, pool, on_cards, building, land and aboard
        ("supply", np.int8, (P,)),  # behind the screen; derivable (all)
        ("pool", np.int8, (P,)),  # Senate pool (all)
        ("pool_bonus", np.int8, (P,)),  # added by Proxy this turn (all)
        ("frozen_pool", np.int8, (P,)),  # pool at the last Senate reveal (all)
        ("on_cards", np.int8, (P,)),  # bids paid this turn (all)
        ("building", np.int8, (P,)),  # Faction buildings: prices and discards (all)
        ("land", np.int8, (P,)),  # Promised Land (all)
        ("aboard", np.int8, (SHIPS, COLOURS)),  # by space; colour 5 is neutral tokens (all)
        ("printed_neutral", np.int8),  # 1: the advanced Ark carries its own (all)
        ("camp", np.int8),  # neutral tokens 0..10 (all)
        ("neutral_land", np.int8),  # neutral tokens on the Promised Land (all)
        # ships
        ("tile", np.int8, (SHIPS,)),  # TILE_ or -1 (all)
        ("area", np.int8, (SHIPS,)),  # AREA_PORT, AREA_OCEAN (all)
        # Factions
        ("marker", np.int8, (P,)),  # board place 0..6 from the left (all)
        ("holder", np.int8, (7,)),  # by FACTION_: seat or -1 (all)
        ("plus_one", np.int8, (7,)),  # 1: +1 side up (all)
        ("demagogos_used", np.int8),  # this turn (all)
        # Politics cards
        ("hand", np.int8, (P, POLITICS_KINDS)),  # counts (own)
        ("politics_deck", np.int8, (POLITICS_CARDS,)),  # kinds, from politics_top (none)
        ("politics_top", np.int8),  # next card (all)
        ("politics_size", np.int8),  # cards in the array (all)
        ("politics_discard", np.int8, (POLITICS_KINDS,)),  # counts (all)
        ("politics_reshuffles", np.int16),  # (all)
        ("laid", np.int8, (P, SLOTS)),  # kind or -1 (own until revealed, then all)
        ("laid_count", np.int8, (P,)),  # (all)
        ("revealed", np.int8),  # 1: laid cards are face up, save the facedown ones (all)
        ("facedown", np.int8, (SLOTS,)),  # 1: the Oraklos holder's card of that slot (all: that it is)
        # Special cards
        ("special", np.int8, (P, SPECIAL_KINDS)),  # counts (own)
        ("effects", np.int16, (P,)),  # bit e: the seat holds a Special of effect e; follows from special (own)
        ("special_known", np.int8, (P, SPECIAL_KINDS)),  # of these, taken face up (all)
        ("special_deck", np.int8, (SPECIAL_CARDS,)),  # kinds, from special_top (none)
        ("special_top", np.int8),  # (all)
        ("special_size", np.int8),  # (all)
        ("special_discard", np.int8, (SPECIAL_KINDS,)),  # counts (all)
        ("special_reshuffles", np.int16),  # (all)
        ("face_up", np.int8, (FACE_UP,)),  # kind or -1 (all)
        ("specials_due", np.int8),  # cards that special_taker takes before anything goes on (all)
        ("special_taker", np.int8),  # (all)
        # Events
        ("event_deck", np.int8, (EVENT_CARDS,)),  # from event_top (none; with revealed_events the top one all)
        ("event_top", np.int8),  # (all)
        ("event_size", np.int8),  # (all)
        ("event_reshuffles", np.int16),  # (all)
        ("event_now", np.int8),  # EVENT_ or -1 (all)
        ("event_history", np.int8, (16,)),  # by turn from 0; -1 where none (all)
        ("voting_open", np.int8),  # 1 open, 0 hidden (all)
        ("doom_count", np.int8),  # Doom! revealed (all)
        # the voting under way
        ("slot", np.int8),  # 0..4 (all)
        ("vote_order", np.int8, (P,)),  # Senate order at its start (all)
        ("pending", np.int8, (P,)),  # secret bids, -1 none yet (own)
        ("looked_at", np.int8),  # seat whose bid the Demagogos sees, or -1 (own)
        ("called", np.int8),  # seat that must bid out of order, or -1 (all)
        ("bid", np.int8, (P,)),  # revealed bid, -1 none yet (all)
        ("bid_bonus", np.int8, (P,)),  # added by Orator (all)
        ("place", np.int8, (P,)),  # 0 none, 1 first, ... (all)
        ("played_card", np.int8, (P,)),  # 1: this seat's card of the slot was played (all)
        ("has_played", np.int8, (P,)),  # 1: this seat played a card in this voting (all)
        # the card being played, kept until the next one
        ("card", np.int8),  # POLITICS_ (all)
        ("card_seat", np.int8),  # who plays it (all)
        ("card_owner", np.int8),  # whose card it is (all)
        ("card_special", np.int8),  # Special kind played with it, or -1 (all)
        ("card_ships", np.int8, (3,)),  # ships loaded, moved or attacked, -1 padded (all)
        ("card_count", np.int8),  # how many of those (all)
        ("card_left", np.int8),  # choices of the card proper still to make (all)
        ("card_stowed", np.int8),  # Stowaway cubes placed (all)
        ("card_victim", np.int8),  # colour displaced or robbed, -1 none (all)
        ("card_removed", np.int8),  # cubes removed by Betrayal (all)
        ("card_colour", np.int8),  # Betrayal: colour asked about (all)
        ("special_ship", np.int8),  # Alliance: the ship it counts for; Empath: the ship it looks at; -1 (all)
        ("card_turn", np.int8),  # when it was played (all)
        ("card_slot", np.int8),  # (all)
        # the last voting finished, kept until the next one is
        ("vote_turn", np.int8),  # (all)
        ("vote_slot", np.int8),  # (all)
        ("vote_open", np.int8),  # (all)
        ("vote_bid", np.int8, (P,)),  # (all)
        ("vote_bonus", np.int8, (P,)),  # (all)
        ("vote_place", np.int8, (P,)),  # (all)
        ("vote_card", np.int8, (P,)),  # (all)
        # what happened since the last apply
        ("arrivals", np.int8),  # ships landed (all)
        ("arrival_space", np.int8, (JOURNAL,)),  # (all)
        ("arrival_tile", np.int8, (JOURNAL,)),  # (all)
        ("arrival_cause", np.int8, (JOURNAL,)),  # POLITICS_ or CAUSE_DOOM (all)
        ("arrival_mover", np.int8, (JOURNAL,)),  # seat or -1 (all)
        ("arrival_turn", np.int8, (JOURNAL,)),  # (all)
        ("arrival_cubes", np.int8, (JOURNAL, COLOURS)),  # black with the printed neutral (all)
        ("arrival_vp", np.int16, (JOURNAL, P)),  # (all)
        # tallies over the whole game
        ("votes_done", np.int16),  # votings finished (all)
        ("plays_done", np.int16),  # cards played (all)
        ("cards_played", np.int16, (P,)),  # (all)
        ("votes_won", np.int16, (P,)),  # (all)
        ("spent", np.int16, (P,)),  # influence bid on cards (all)
        ("landed", np.int16, (P,)),  # cubes that reached the Promised Land (all)
        ("lost_cubes", np.int16, (P,)),  # cubes discarded from ships (all)
        ("plus_taken", np.int16, (P,)),  # +1 tokens taken (all)
        ("sailings_lost", np.int16, (10,)),  # by tile: voyages ended by Sabotage or Wrath (all)
        ("settled", np.int16, (len(CONTESTS), len(SETTLED_BY))),  # (all)
        ("event_pile", np.int8, (EVENT_CARDS,)),  # room to deal Events anew in (none)
    ]
)
STATE_RECORD = from_dtype(STATE)
new_states = partial(blank_states, STATE)  # n -> shape (n,), zeroed
