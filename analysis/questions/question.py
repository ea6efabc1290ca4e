"""What a question is: data beside the function that answers it.

`Needs` says what must have been played and kept before the question can be answered. A question that must force
something (a card dealt, a Faction taken) will say so there too: `forces` names the interventions, `arms` gives the
runs that differ in nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from analysis.page import SectionMaker
from sim.errors import UserError
from sim.games import Game

Evidence = Literal["confirmatory", "descriptive", "observational"]
"""What an answer may claim: a verdict with its error held, a figure of what happens, or company without cause."""

EVIDENCE: Mapping[Evidence, str] = {
    "confirmatory": "a verdict whose error is held at 5%",
    "descriptive": "what happens with these players and rules",
    "observational": "company, not cause: whoever did it chose to, nothing was forced",
}


@dataclass(frozen=True)
class Spec:
    """What to play. Two equal specs give the same rows.

    `lineup` is a text for sim.lineup; `forced` names interventions of the plan, none today.
    """

    game: str
    players: int = 4
    variants: tuple[str, ...] = ()
    rules_files: tuple[Path, ...] = ()
    settings: tuple[str, ...] = ()
    lineup: str = "greedy"
    games: int = 50_000
    seed: int = 1
    detail: str = "seats"
    replicate: int = 0
    forced: tuple[str, ...] = ()

    def but(self, **changes: Any) -> "Spec":
        """The same with these fields changed."""
        return replace(self, **changes)


Arms = Callable[[Spec], Mapping[str, Spec]]
"""From what was asked for to the labelled runs that the answer compares."""


@dataclass(frozen=True)
class Needs:
    """What a question needs to be run.

    `tables` that the run keeps; `columns` (or fields) of each table without which the question makes no sense for a
    game; `arms`, "module:function", where several runs are compared; `forces`, interventions of the plan.
    """

    tables: tuple[str, ...] = ("games", "seats")
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    arms: str = ""
    forces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A balance question as data.

    `answer` is "module:function", a SectionMaker of (run, delta), or of (runs by label, delta) where `needs.arms`;
    "section:NAME" is the section of that name which the game's own page brings. `watch` is "module:function" of a run,
    the shares that --until may look at again and again.
    """

    id: str
    asks: str
    kind: Evidence
    answer: str
    needs: Needs = Needs()
    watch: str = ""


@dataclass(frozen=True)
class Traits:
    """What the questions must know of a game beyond its codes and tables; one object a game, in
    analysis.questions.games.

    `cannot`: why a question makes no sense, a sentence by question id. `rests`: ruling ids that touch a question.
    `doing`: columns of seats that show how much a player does, with their labels. `idle`: a column of turns and its
    least value (see `agency`). `uses`: groups of OPTIONS prefixes for `card`. `ladder`: policies from the weakest up.
    `panel`: the players that a question is asked of where nobody is named, and how many games each plays.
    """

    cannot: Mapping[str, str] = field(default_factory=dict)
    rests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doing: Mapping[str, str] = field(default_factory=dict)
    idle: tuple[str, int, int, str] | None = None  # column of turns, lowest and highest idle value, what it means
    uses: tuple[tuple[str, str], ...] = ()  # prefix of OPTIONS, verb
    labels: Mapping[str, str] = field(default_factory=dict)  # option -> what it is called
    ladder: tuple[str, ...] = ("random", "greedy")
    slow: tuple[str, ...] = ("search",)  # policies that are only played where somebody names them
    metrics: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # seats column -> label, unit
    speed: Mapping[str, float] = field(default_factory=dict)  # what atlantis bench holds its figures against
    strength: tuple[tuple[str, str, float, bool], ...] = ()  # an opponent, three of whom, its share in %, at least?
    exploits: Mapping[str, float] = field(default_factory=dict)  # policy -> most that may be found to be taken, in %
    panel: tuple[tuple[str, int], ...] = ()
    end_vp: str = ""  # what is scored only at the end, so that the last turn's VP are not the final ones


def load(target: str) -> Any:
    """The object named by "module:name"."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _load_part(game: Game, module: str, name: str) -> Any:
    """What a game's module offers by that name; None where there is no such module. UserError if it does not load."""
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name is not None and module.startswith(error.name):
            return None
        raise UserError(f"{module} of the game {game.name} does not load: {error}.") from error
    except AttributeError as error:
        raise UserError(f"{module} of the game {game.name} has no {name} (docs/adding-a-game.md, step 9).") from error


@cache
def find_traits(game: Game) -> Traits:
    """The traits of a game; plain ones where nobody has written any."""
    found: Traits | None = _load_part(game, game.part("analysis.questions.games", "traits"), "TRAITS")
    return found or Traits()


@cache
def find_page_sections(game: Game) -> dict[str, SectionMaker]:
    """The sections of the game's own page by the name of their function; none where it has no page yet."""
    sections: Sequence[Any] = _load_part(game, game.part("analysis.games", "report"), "SECTIONS") or ()
    return {getattr(maker, "func", maker).__name__: maker for maker in sections}


def find_maker(question: Question, game: Game) -> Any:
    """What answers `question` for `game`: the game's own section where the question names one, else its function."""
    kind, _, name = question.answer.partition(":")
    return find_page_sections(game).get(name) if kind == "section" else load(question.answer)


def why_not(question: Question, game: Game) -> str:
    """A sentence on why `question` makes no sense for `game`; empty where it does."""
    said = find_traits(game).cannot.get(question.id)
    if said:
        return said
    tables = game.module("tables")
    for table, columns in {**dict.fromkeys(question.needs.tables, ()), **question.needs.columns}.items():
        if table not in tables.TABLES:
            return f"{game.title} keeps no {table}, so this cannot be asked of it."
        lacking = [column for column in columns if column not in (tables.TABLES[table].names or ())]
        if lacking:
            return f"{game.title} has no {lacking[0].replace('_', ' ')} in its {table}, so this cannot be asked of it."
    if find_maker(question, game) is None:
        return f"Nothing in {game.title} answers this yet."
    return ""


def least_detail(game: Game, tables: Sequence[str]) -> str:
    """The first level of detail that keeps all these tables (those that the game has)."""
    wanted = set(tables) & set(game.module("tables").TABLES)
    return next(detail for detail, kept in game.details.items() if wanted <= set(kept))
