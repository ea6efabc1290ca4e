"""Goofspiel with three cards, for 2 to 4 players: the smallest game that has all that the toolkit knows of games.

The rules, whole: Everybody holds the bid cards 1, 2 and 3. The prizes 1, 2 and 3 are shuffled. Each turn one prize is
turned up, and all bid one card for it in secret; the cards are shown together and discarded. The highest card takes
the prize, worth its number in points; where the highest cards are equal nobody takes it. Most points win.

It has chance (the prizes), hidden cards (the bids, the prizes to come) and choices, and is so small that its winning
chances are found by counting all games: what the statistics say of it can be held against the truth.
"""

from sim.games import Game

GAME = Game("goofspiel", "Goofspiel", "goofspiel", (2, 3, 4), home="goofspiel")
