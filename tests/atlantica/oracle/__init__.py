"""A slow second implementation of Atlantica, written from the rulebook and the contract alone."""

from . import scoring, state, turns
from .defaults import OPTIONS, default_rules
from .names import END_TRUNCATED
from .scoring import score, score_by_brute_force
from .setup import set_up

__all__ = ["OPTIONS", "Oracle", "default_rules", "score", "score_by_brute_force"]


def plain(rules):
    """The rules as plain lists; the three nested ones may also be given flat, row after row."""
    rules = {name: (given if isinstance(given, int) else list(given)) for name, given in rules.items()}
    for name, width in [("action_colours", 3), ("crates", 8), ("treasure_values", 6)]:
        rows = rules[name]
        if isinstance(rows[0], int):
            rows = [rows[start : start + width] for start in range(0, len(rows), width)]
        rules[name] = [list(row) for row in rows]
    return rules


class Oracle:
    """One game, always advanced to its next prompt."""

    def __init__(self, rules, seed, deal):
        self.rules = plain(rules)
        self.state = state.new_state(self.rules, seed, deal)
        set_up(self.state, self.rules)

    @property
    def prompt(self):
        return self.state.prompt

    @property
    def actor(self):
        return self.state.actor

    @property
    def over(self):
        return self.state.phase == "over"

    def legal(self):
        """The legal action codes, in the contract's order."""
        return turns.legal(self.state, self.rules)

    def apply(self, action, known=False):
        """Takes a legal action and goes on to the next prompt; `known`: the caller has checked that it is legal."""
        if not known and action not in self.legal():
            raise ValueError(f"{action} is not legal at the prompt {self.prompt}")
        turns.apply(self.state, self.rules, action)

    def truncate(self):
        """The driver ends the game where it is: scored as it stands."""
        if not self.over:
            turns.end_game(self.state, self.rules, END_TRUNCATED)

    def view(self):
        """A copy of every field of the contract's state."""
        return state.view(self.state)

    def result(self):
        """VP, ranks, credit, winners; None before the end."""
        return scoring.result(self.state, self.rules) if self.over else None
