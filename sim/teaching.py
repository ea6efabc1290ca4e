"""Teaching a fast policy what its choices are worth, at the positions that it comes to itself.

The teacher is a policy that searches: at some positions each legal action is tried in a number of worlds, the same for
all of them, and a network is fitted to what they were worth. Rounds as in DAgger (Ross, Gordon, Bagnell, AISTATS
2011): the pupil of a round plays, and the next one is fitted to all that has been found so far. In the first round the
heuristic plays that both follow.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.engine.contract import WEIGHTS
from kernels.engine.desk import Desk
from kernels.engine.taught import MOST_ACTIONS, SPAN
from kernels.jit import ready
from sim.errors import UserError
from sim.games import Game
from sim.learning import BATCH, KEPT_APART, Integers, Numbers, describe, draw_lineups, join, train, visit
from sim.networks import CHOICES, About, Network, digest_features
from sim.policies import Policy, Seat
from sim.rulebook import Rulebook

RAREST = 200  # times that an action must have been tried to be learned
UNITS = (32, 8)
SCALE = 10.0  # what credit is multiplied by for the fit
DECAY, STEP = 1e-4, 512  # weight decay, batch


@dataclass(frozen=True)
class Worth:
    """What actions are worth, above the mean of their position.

    features (positions, SIZE) of the seat asked; by action: its position `at`, its `keys` as kernels.engine.taught has
    them, `worth` in credit, number of the game; whether it is what the heuristic would choose is not said.
    """

    features: npt.NDArray[np.float32]
    at: Integers
    keys: Integers
    worth: Numbers
    games: Integers

    def __add__(self, other: "Worth") -> "Worth":
        return Worth(
            np.concatenate([self.features, other.features]),
            np.concatenate([self.at, other.at + len(self.features)]),
            np.concatenate([self.keys, other.keys]),
            np.concatenate([self.worth, other.worth]),
            np.concatenate([self.games, other.games]),
        )


@dataclass(frozen=True)
class Lesson:
    """A round done: the network, how many positions and actions it learned from, and in games apart the share of the
    variance of actions' worth that it explains; noise of the trials is part of that variance.
    """

    number: int
    network: Network
    positions: int
    actions: int
    explained: float


def try_choices(
    game: Game,
    rulebook: Rulebook,
    lineups: Sequence[Sequence[Seat]],
    teacher: Numbers,
    prompts: Sequence[str],
    *,
    worlds: int,
    seed: int,
    every: int,
    first: int,
    jobs: int,
    tell: Callable[[int], None],
) -> Worth:
    """What each legal action is worth at one choice in `every` of BATCH games by each lineup, at these prompts.

    `teacher` is the row of weights of a policy that searches.
    """
    wanted = np.isin(game.module("codes").PROMPTS, prompts)
    value_choices = ready(game.policies.find_module("search").BOUND.value_choices)
    most = game.module("step").MOST_LEGAL

    def look(desk: Desk, states: np.recarray, games: Integers, credit: Numbers, start: int) -> Worth:
        at = np.flatnonzero(wanted[states.prompt])
        asked = states[at].view(np.recarray)
        choices, counts = np.zeros((len(at), most), np.int16), np.ones(len(at), np.int64)
        values = np.zeros((len(at), most))
        value_choices(asked, desk.rules, teacher, desk.scratch, worlds, seed + start, choices, counts, values)
        legal = np.arange(most) < counts[:, None]
        worth = values - (values.sum(axis=1) / counts)[:, None]
        position, action = np.nonzero(legal)
        keys = asked.prompt.astype(np.int64)[position] * SPAN + choices[position, action]
        features = describe(game, asked, asked.actor.astype(np.int64), desk.rules)
        return Worth(features, position, keys, worth[position, action], games[at][position])

    parts = visit(game, rulebook, lineups, look, seed=seed, every=every, first=first, jobs=jobs, tell=tell)
    return reduce(Worth.__add__, parts)


def fit_worth(found: Worth, *, seed: int) -> tuple[Numbers, float]:
    """A network's numbers as kernels.engine.taught reads them, and the share of variance explained in games apart."""
    from sklearn.neural_network import MLPRegressor

    keys, counts = np.unique(found.keys, return_counts=True)
    keys = keys[counts >= RAREST][:MOST_ACTIONS]
    if len(keys) < 2:
        raise UserError("too little has been tried to learn from; give it more --games.")
    kept = np.isin(found.keys, keys)
    places, targets = np.searchsorted(keys, found.keys[kept]), SCALE * found.worth[kept]
    size = found.features.shape[1]
    inputs = np.zeros((len(places), size + len(keys)), np.float32)
    inputs[:, :size] = found.features[found.at[kept]]
    inputs[np.arange(len(places)), size + places] = 1.0
    apart = found.games[kept] % KEPT_APART == 0
    spread = float(targets[apart].var())
    learner = MLPRegressor(hidden_layer_sizes=UNITS, alpha=DECAY, batch_size=STEP, random_state=seed)
    layers, told = train(
        learner, inputs, targets, apart, learner.predict, lambda told: float(((told - targets[apart]) ** 2).mean())
    )
    layers[-2], layers[-1] = layers[-2] / SCALE, layers[-1] / SCALE
    explained = 1.0 - float(((told - targets[apart]) ** 2).mean()) / spread
    return join([size, *UNITS, len(keys), *keys.tolist()], layers), explained


@dataclass
class School:
    """Lessons for one game, rules and number of players.

    `teacher` is a policy that searches, `pupil` a taught one without network, `prompts` what is taught; `others` sit at
    some seats.
    """

    game: Game
    rulebook: Rulebook
    teacher: Policy
    pupil: Policy
    prompts: Sequence[str]
    others: Sequence[Seat] = ()
    worlds: int = 6
    seed: int = 1
    games: int = 2000
    every: int = 2
    jobs: int = 2
    made: dict[str, Any] = field(default_factory=dict)

    def teach(self, rounds: int, tell: Callable[[int, int], None] = lambda number, games: None) -> Iterator[Lesson]:
        """One round after the other."""
        players = self.rulebook.players
        player: Seat = (self.pupil.function, self.pupil.weights)
        found: Worth | None = None
        for number in range(rounds):
            count = max(1, self.games // BATCH)
            lineups = draw_lineups(player, self.others, players, count, self.seed + number)
            new = try_choices(
                self.game,
                self.rulebook,
                lineups,
                self.teacher.row(players),
                self.prompts,
                worlds=self.worlds,
                seed=self.seed,
                every=self.every,
                first=(number + 1) * 2**26,
                jobs=self.jobs,
                tell=lambda games, number=number: tell(number, games),  # type: ignore[misc]
            )
            found = new if found is None else found + new
            numbers, explained = fit_worth(found, seed=self.seed + number)
            network = self._keep(number, numbers, found, explained)
            player = (self.pupil.function, np.concatenate([self.pupil.weights[:WEIGHTS], numbers]))
            yield Lesson(number, network, len(found.features), len(found.at), explained)

    def _keep(self, number: int, numbers: Numbers, found: Worth, explained: float) -> Network:
        made = {
            "round": number + 1,
            "seed": self.seed,
            "games_a_round": self.games,
            "positions": len(found.features),
            "explained": round(explained, 4),
        }
        about = About(
            kind=CHOICES,
            game=self.game.name,
            players=self.rulebook.players,
            features=digest_features(self.game),
            rules=self.rulebook.digest,
            made=self.made | made,
        )
        return Network(numbers, about)
