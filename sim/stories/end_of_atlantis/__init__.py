"""End of Atlantis, told: facts.py says what can happen, teller.py and doom.py notice it, text.py puts it in words."""

from sim.stories.end_of_atlantis.teller import tell_game
from sim.stories.end_of_atlantis.text import write_text

__all__ = ["tell_game", "write_text"]
