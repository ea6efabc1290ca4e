"""Atlantica, told: facts.py says what can happen, teller.py notices it, scoring.py counts, text.py puts it in words."""

from sim.stories.atlantica.teller import tell_game
from sim.stories.atlantica.text import write_text

__all__ = ["tell_game", "write_text"]
