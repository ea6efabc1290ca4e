"""Learning a value model: positions of many games, and a network fitted to who won them.

Expert iteration (Anthony, Tian, Barber, NeurIPS 2017) in rounds: the player of a round searches with the network of the
round before, other players sit at some of its seats so that there are positions that it would not come to itself, and
its games teach the next network. The first one searches without a network.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from kernels.engine.contract import LIVE_ERROR, WEIGHTS
from kernels.engine.desk import Buffers, Desk, bind_loop
from sim.chances import bind_value, judge_states
from sim.games import Game
from sim.networks import About, Network, digest_features
from sim.plan import LIMIT
from sim.policies import PolicyError, Seat
from sim.rulebook import Rulebook

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Part = TypeVar("Part")

BATCH = 50  # games that one draw of players plays
MOST_CHOICES = 600  # a game, for the room that positions get
OFTEN = 0.75  # share of the seats that the player of the round takes
KEPT_APART = 10  # one game in so many judges the fit
EPOCHS = 8
UNITS = (24, 8)  # larger networks fitted no better, and searched worse
RATE, HALVED, DECAY, STEP = 1e-3, 4, 1e-2, 512  # Adam's rate, epochs in which it halves, weight decay, batch
BINS = 10


@dataclass(frozen=True)
class Positions:
    """Positions as one seat each saw them: features (n, SIZE), the seat's credit in the end, the game's number."""

    features: npt.NDArray[np.float32]
    credit: Numbers
    games: npt.NDArray[np.int64]

    def __add__(self, other: "Positions") -> "Positions":
        return Positions(
            np.concatenate([self.features, other.features]),
            np.concatenate([self.credit, other.credit]),
            np.concatenate([self.games, other.games]),
        )


@dataclass(frozen=True)
class Fit:
    """How well chances fit games that they were not fitted to.

    Log losses in nats: of the network, of a plain table of lead by time, of one constant. `gap`: the largest
    difference in ten bins of equal size between the mean chance and the mean credit; `bins`: (chance, credit) of each.
    """

    loss: float
    table: float
    constant: float
    gap: float
    bins: tuple[tuple[float, float], ...]
    positions: int
    games: int


@dataclass(frozen=True)
class Round:
    """A round done: the network, how it fits, the games played."""

    number: int
    network: Network
    fit: Fit
    games: int


def draw_lineups(mine: Seat, others: Sequence[Seat], players: int, count: int, seed: int) -> list[list[Seat]]:
    """So many lineups by seat: `mine` at three seats of four, any of the others at the rest."""
    chance = np.random.default_rng(seed)
    lineups = []
    for _ in range(count):
        own = chance.random(players) < OFTEN
        rest = chance.integers(len(others), size=players) if others else np.zeros(players, int)
        lineups.append([mine if at or not others else others[i] for at, i in zip(own, rest)])
    return lineups


def gather(
    game: Game,
    rulebook: Rulebook,
    lineups: Sequence[Sequence[Seat]],
    *,
    seed: int,
    every: int,
    first: int = 0,
    jobs: int = 2,
    tell: Callable[[int], None] = lambda games: None,
) -> Positions:
    """One choice in `every` of BATCH games by each lineup, seen by a seat drawn at random. `first`: the first deal.

    The same for any number of jobs. `tell` is called with the games done since it was last called.
    """

    def look(desk: Desk, states: np.recarray, games: Integers, credit: Numbers, start: int) -> Positions:
        seats = np.random.default_rng([seed, start]).integers(rulebook.players, size=len(states))
        return Positions(describe(game, states, seats, desk.rules), credit[games - start, seats], games.copy())

    parts = visit(game, rulebook, lineups, look, seed=seed, every=every, first=first, jobs=jobs, tell=tell)
    return Positions(
        np.concatenate([part.features for part in parts]),
        np.concatenate([part.credit for part in parts]),
        np.concatenate([part.games for part in parts]),
    )


def visit(
    game: Game,
    rulebook: Rulebook,
    lineups: Sequence[Sequence[Seat]],
    look: Callable[[Desk, np.recarray, Integers, Numbers, int], Part],
    *,
    seed: int,
    every: int,
    first: int,
    jobs: int,
    tell: Callable[[int], None],
) -> list[Part]:
    """What `look` finds in BATCH games of each lineup, in their order, whatever the number of jobs.

    It is given a desk, the positions at one choice in `every`, the game of each, the credit by game and seat, and the
    number of the first game.
    """
    bind_loop(game.kernels)

    def work(job: int) -> list[tuple[int, Part]]:
        desk = Desk(game.kernels, rulebook.record().view(np.recarray)[0])
        desk.keep(every, BATCH * MOST_CHOICES)
        buffers = Buffers(game.kernels, next(iter(game.details)), BATCH)
        found = []
        for number in range(job, len(lineups), jobs):
            buffers.clear()
            functions, rows = zip(*lineups[number])
            start = first + number * BATCH
            desk.play(functions, rows, buffers, start, BATCH, seed=seed, limit=LIMIT)
            if desk.live[LIVE_ERROR]:
                raise PolicyError(
                    "a policy chose something illegal in these games; atlantis policies check GAME POLICY says where."
                )
            credit = buffers.rows()["seats"]["credit"].reshape(BATCH, rulebook.players)
            states, owners = desk.take_kept()
            found.append((number, look(desk, states, owners, credit, start)))
            tell(BATCH)
        return found

    with ThreadPoolExecutor(jobs) as pool:
        parts = [part for parts in pool.map(work, range(jobs)) for part in parts]
    return [part for _, part in sorted(parts, key=lambda part: part[0])]


def describe(game: Game, states: npt.NDArray[Any], seats: Integers, rules: Any) -> npt.NDArray[np.float32]:
    """The features of states, each for one seat: shape (states, SIZE)."""
    features = np.zeros((len(states), game.module("features").SIZE))
    bind_value(game.kernels).describe_all(states, seats.astype(np.int64), rules, features)
    return features.astype(np.float32)


def fit(game: Game, positions: Positions, *, seed: int, units: tuple[int, int] = UNITS) -> tuple[Numbers, Fit]:
    """A network's numbers, and how they fit the games kept apart; of all epochs the one that fits these best."""
    from sklearn.neural_network import MLPClassifier

    apart = positions.games % KEPT_APART == 0
    won = (np.random.default_rng(seed).random(len(apart)) < positions.credit).astype(int)  # of a shared win, so often
    credit = positions.credit[apart]
    learner = MLPClassifier(units, alpha=DECAY, batch_size=STEP, random_state=seed)
    layers, chances = train(
        learner,
        positions.features,
        won,
        apart,
        lambda inputs: learner.predict_proba(inputs)[:, 1],
        lambda chances: find_loss(chances, credit),
        classes=[0, 1],
    )
    slope, shift = rescale(chances, credit)
    layers[-2], layers[-1] = slope * layers[-2] + shift, slope * layers[-1]
    chances = 1 / (1 + np.exp(-slope * find_logit(chances) - shift))
    sizes = [positions.features.shape[1], *units]
    return join(sizes, layers), measure_fit(game, positions, apart, chances)


def find_logit(chances: Numbers) -> Numbers:
    """The log odds of chances."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return np.log(chances / (1 - chances))


def rescale(chances: Numbers, credit: Numbers) -> tuple[float, float]:
    """Slope and shift of the log odds with which chances fit credit best (Platt scaling).

    A network that has seen few games is too sure of itself; these two numbers take that back.
    """
    from scipy.optimize import minimize

    odds = find_logit(chances)

    def lose(by: npt.NDArray[Any]) -> float:
        return find_loss(1 / (1 + np.exp(-by[0] * odds - by[1])), credit)

    found: Any = minimize(lose, np.array([1.0, 0.0]), method="Nelder-Mead")
    return float(found.x[0]), float(found.x[1])


def train(
    learner: Any,
    features: npt.NDArray[np.float32],
    targets: npt.NDArray[Any],
    apart: npt.NDArray[np.bool_],
    predict: Callable[[npt.NDArray[np.float32]], Numbers],
    measure: Callable[[Numbers], float],
    **classes: Any,
) -> tuple[list[Numbers], Numbers]:
    """Layers of a network that tells targets from features, and what it predicts for the rows apart.

    Layers are constants and factors in turn, the features' scaling taken into the first. Of all epochs the one whose
    predictions `measure` least is taken. `classes` goes to the learner's partial_fit.
    """
    from threadpoolctl import threadpool_limits

    mean = features.mean(axis=0, dtype=np.float64)
    spread = features.std(axis=0, dtype=np.float64)
    spread[spread < 1e-6] = 1.0  # says nothing
    inputs = ((features - mean) / spread).astype(np.float32)
    fitted, judged = inputs[~apart], inputs[apart]
    del inputs
    best: tuple[float, list[Any], list[Any], Numbers] | None = None
    with threadpool_limits(1), warnings.catch_warnings():  # one thread: the same sums on every machine of a kind
        warnings.simplefilter("ignore")
        for epoch in range(EPOCHS):
            learner.learning_rate_init = RATE * 0.5 ** (epoch / HALVED)
            learner.partial_fit(fitted, targets[~apart], **classes)
            found = predict(judged).astype(np.float64)
            loss = measure(found)
            if best is None or loss < best[0]:
                best = loss, [a.copy() for a in learner.coefs_], [b.copy() for b in learner.intercepts_], found
    assert best is not None
    _, factors, constants, found = best
    first, start = factors[0] / spread[:, None], constants[0] - (mean / spread) @ factors[0]
    return [start, first, constants[1], factors[1], constants[2], factors[2]], found


def join(head: Sequence[float], layers: Sequence[Numbers]) -> Numbers:
    """A network's numbers as the kernels read them: what stands in front, then the layers."""
    joined = np.concatenate([head, *(np.ravel(layer) for layer in layers)])
    return joined.astype(np.float32).astype(np.float64)  # as the file keeps them


def find_loss(chances: Numbers, credit: Numbers) -> float:
    """Mean log loss in nats of chances against credit."""
    chances = np.clip(chances, 1e-6, 1 - 1e-6)
    return float(-(credit * np.log(chances) + (1 - credit) * np.log(1 - chances)).mean())


def measure_fit(game: Game, positions: Positions, apart: npt.NDArray[np.bool_], chances: Numbers) -> Fit:
    """How chances fit the positions apart, beside a table made from the others."""
    credit, games = positions.credit[apart], positions.games[apart]
    bins = find_bins(chances, credit)
    plain = _fill_table(game, positions, apart)
    return Fit(
        loss=find_loss(chances, credit),
        table=find_loss(plain, credit),
        constant=find_loss(np.full(len(credit), positions.credit[~apart].mean()), credit),
        gap=max(abs(mean - share) for mean, share in bins),
        bins=bins,
        positions=len(credit),
        games=len(np.unique(games)),
    )


def find_bins(chances: Numbers, credit: Numbers) -> tuple[tuple[float, float], ...]:
    """Mean chance and mean credit in ten bins of equal size, from the lowest chances up."""
    parts = np.array_split(np.argsort(chances, kind="stable"), BINS)
    return tuple((float(chances[part].mean()), float(credit[part].mean())) for part in parts if len(part))


@dataclass(frozen=True)
class Calibration:
    """Chances held against what happened, on games that had no part in making them.

    bins: mean chance, mean credit and half of its 95% interval (over games, which share positions) in ten bins of equal
    size; `gap` is the largest difference, `surely` the largest that is left when half an interval is taken off.
    """

    players: int
    bins: tuple[tuple[float, float, float], ...]
    loss: float
    games: int
    positions: int

    @property
    def gap(self) -> float:
        """The largest difference between chance and credit."""
        return max(abs(chance - credit) for chance, credit, _ in self.bins)

    @property
    def surely(self) -> float:
        """The largest difference beyond what chance explains, 0 if there is none."""
        return max(0.0, *(abs(chance - credit) - half for chance, credit, half in self.bins))


def calibrate(
    game: Game, rulebook: Rulebook, network: Network, seats: Sequence[Seat], *, games: int, seed: int, jobs: int
) -> Calibration:
    """How a network's chances hold in fresh games, each seat drawn from `seats`."""
    chance = np.random.default_rng(seed)
    count = max(2, games // BATCH)
    drawn = chance.integers(len(seats), size=(count, rulebook.players))
    lineups = [[seats[i] for i in row] for row in drawn]

    def look(
        desk: Desk, states: np.recarray, owners: Integers, credit: Numbers, start: int
    ) -> tuple[Numbers, Numbers, Integers]:
        asked = np.random.default_rng([seed, start]).integers(rulebook.players, size=len(states))
        chances = judge_states(game, states, asked.tolist(), desk.rules, network.numbers)
        return chances, credit[owners - start, asked], owners.copy()

    parts = visit(game, rulebook, lineups, look, seed=seed, every=8, first=2**30, jobs=jobs, tell=lambda games: None)
    chances, credit, owners = (np.concatenate([part[i] for part in parts]) for i in range(3))
    bins = []
    for rows in np.array_split(np.argsort(chances, kind="stable"), BINS):
        _, which = np.unique(owners[rows], return_inverse=True)
        apart = np.bincount(which, weights=credit[rows] - credit[rows].mean())
        half = 1.96 * float(np.sqrt((apart**2).sum())) / len(rows)
        bins.append((float(chances[rows].mean()), float(credit[rows].mean()), half))
    return Calibration(rulebook.players, tuple(bins), find_loss(chances, credit), count * BATCH, len(chances))


def _fill_table(game: Game, positions: Positions, apart: npt.NDArray[np.bool_]) -> Numbers:
    """The chances that a table of lead by time gives the positions apart."""
    module, cells, sides = game.module("features"), np.zeros(len(apart), int), 20
    for name in module.PLAIN:
        numbers = positions.features[:, module.NAMES.index(name)]
        edges = np.unique(np.quantile(numbers, np.linspace(0, 1, sides + 1)[1:-1]))
        cells = cells * sides + np.searchsorted(edges, numbers, side="right")
    even = positions.credit[~apart].mean()
    counts = np.bincount(cells[~apart], minlength=sides * sides)
    sums = np.bincount(cells[~apart], weights=positions.credit[~apart], minlength=sides * sides)
    return np.asarray(((sums + 10 * even) / (counts + 10))[cells[apart]])


@dataclass
class Teacher:
    """Rounds of playing and fitting for one game, rules and number of players.

    `function` is a policy that searches, `weights` its numbers; `plain` its numbers for the first round, without a
    network, unless `start` is one to go on from; `others` sit at some seats.
    """

    game: Game
    rulebook: Rulebook
    function: Callable[..., Any]
    weights: Numbers
    plain: Numbers
    others: Sequence[Seat] = ()
    start: Network | None = None
    seed: int = 1
    games: int = 6000
    every: int = 4
    jobs: int = 2
    made: dict[str, Any] = field(default_factory=dict)

    def teach(self, rounds: int, tell: Callable[[int, int], None] = lambda number, games: None) -> Iterator[Round]:
        """One round after the other; each network is fitted to the games of its round and of the one before."""
        network = self.start
        before: Positions | None = None
        for number in range(rounds):
            row = self.plain if network is None else np.concatenate([self.weights[:WEIGHTS], network.numbers])
            count = max(1, self.games // BATCH)
            lineups = draw_lineups((self.function, row), self.others, self.rulebook.players, count, self.seed + number)
            found = gather(
                self.game,
                self.rulebook,
                lineups,
                seed=self.seed,
                every=self.every,
                first=number * 2**24,
                jobs=self.jobs,
                tell=lambda games, number=number: tell(number, games),  # type: ignore[misc]
            )
            numbers, how = fit(self.game, found if before is None else before + found, seed=self.seed + number)
            before = found
            network = Network(numbers, self._describe(number, how))
            yield Round(number, network, how, count * BATCH)

    def _describe(self, number: int, how: Fit) -> About:
        made: dict[str, Any] = {
            "round": number + 1,
            "seed": self.seed,
            "games_a_round": self.games,
            "log_loss": round(how.loss, 4),
            "log_loss_of_lead_by_time": round(how.table, 4),
            "log_loss_of_a_constant": round(how.constant, 4),
            "largest_gap": round(how.gap, 4),
            "positions_apart": how.positions,
        }
        if self.start:
            made["from"] = self.start.about.made
        return About(
            game=self.game.name,
            players=self.rulebook.players,
            features=digest_features(self.game),
            rules=self.rulebook.digest,
            made=self.made | made,
        )
