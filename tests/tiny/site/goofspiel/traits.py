"""Goofspiel as the questions see it."""

from analysis.questions.question import Traits

TRAITS = Traits(
    rests={"seat": ("G01", "G02")},
    doing={"decisions": "decisions", "taken": "prizes taken"},
    ladder=("random", "greedy", "tuned"),
    metrics={"taken": ("prizes taken a seat", "prizes")},
)
