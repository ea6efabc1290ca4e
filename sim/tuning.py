"""Tuning a policy's weights by CMA-ES (Hansen, The CMA evolution strategy: a tutorial, 2016).

A candidate plays one seat against champions: the weights the search began with and the best of earlier stages, so that
it does not learn to beat only itself. All candidates of a generation play the same deals in every seat: common random
numbers, so that they differ by their weights and not by their cards.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.engine.contract import LIVE_ERROR, MAX_PLAYERS
from kernels.engine.desk import Buffers, Desk, bind_loop
from sim.games import Game
from sim.plan import LIMIT
from sim.policies import PolicyError, Seat
from sim.rulebook import Rulebook

Weights = npt.NDArray[np.float64]

FIELDS = 5  # line-ups of champions that a candidate meets in one generation
OLD_CHAMPIONS = 5  # champions of its own that a search remembers; where it began and its rivals always stay


class Arena:
    """Plays one policy against others, in every seat of every deal; one arena a thread."""

    def __init__(self, game: Game, rulebook: Rulebook, deals: int) -> None:
        bind_loop(game.kernels)
        self.desk = Desk(game.kernels, rulebook.record().view(np.recarray)[0])
        self.players, self.deals = rulebook.players, deals
        self.buffers = Buffers(game.kernels, next(iter(game.details)), deals * self.players)
        # Place 0 is the candidate; it sits once in every seat, the field keeps its order.
        self.seating = np.zeros((self.players, MAX_PLAYERS), dtype=np.int8)
        for seat in range(self.players):
            others = list(range(1, self.players))
            self.seating[seat, : self.players] = [*others[:seat], 0, *others[seat:]]

    def credits(self, candidate: Seat, field: Sequence[Seat], seed: int, first: int = 0) -> Weights:
        """Mean credit of the candidate in each deal from `first` on: shape (deals,)."""
        self.buffers.clear()
        functions, rows = zip(candidate, *field)
        self.desk.play(
            functions,
            rows,
            self.buffers,
            first * self.players,
            self.deals * self.players,
            seed=seed,
            limit=LIMIT,
            seating=self.seating,
        )
        if self.desk.live[LIVE_ERROR]:
            raise PolicyError(
                "a policy chose something illegal at one of these tables; atlantis policies check GAME POLICY says "
                "where."
            )
        seats = self.buffers.rows()["seats"]
        own = seats[seats["place"] == 0]
        by_deal: Weights = own["credit"].reshape(self.deals, self.players).mean(axis=1)
        return by_deal


@dataclass
class Progress:
    """How the search stands after a generation: the best candidate's credit, and games played so far."""

    generation: int
    stage: int
    credit: float
    champion: float
    games: int


@dataclass
class Tuned:
    """The weights found, and how they did on deals kept aside: mean credit and standard error against each field."""

    weights: Weights
    score: float
    error: float
    against: dict[str, tuple[float, float]] = field(default_factory=dict)
    games: int = 0


class Tuner:
    """A search for better weights of one policy.

    `start` is the vector it begins with, `scales` how far each number may sensibly move at first (0: it stays),
    `rivals` weight vectors that candidates always meet as well. `table`: who sits at the other seats instead of
    champions; then it is a best response to them that is searched for.
    """

    def __init__(
        self,
        game: Game,
        rulebook: Rulebook,
        function: Callable[..., Any],
        start: Weights,
        scales: Weights,
        *,
        rivals: Sequence[Weights] = (),
        table: Sequence[Seat] = (),
        seed: int = 1,
        deals: int = 100,
        population: int = 16,
        jobs: int = 2,
    ) -> None:
        self.start, self.scales = start, scales
        self.free = np.flatnonzero(scales)
        self.champions: list[Weights] = [start, *rivals]
        self.given, self.table = len(self.champions), list(table)
        self.seed, self.deals, self.population, self.jobs = seed, deals, population, jobs
        self.chance = np.random.default_rng(seed)
        self.function = function
        self.arenas = [Arena(game, rulebook, deals) for _ in range(jobs)]
        self.players = rulebook.players
        self.games = 0

    def _expand(self, point: npt.NDArray[np.float64]) -> Weights:
        weights = self.start.copy()
        weights[self.free] += np.asarray(point) * self.scales[self.free]
        return weights

    def _draw_fields(self) -> list[list[Weights]]:
        """The other seats' champions: one field of those the search began with, the others mixed at random.

        Fields of one champion alone breed candidates that beat three of a kind and little else: among such champions
        of End of Atlantis each took nine tenths from the one before and lost to the first.
        """
        seats = self.players - 1
        mixed = self.chance.integers(len(self.champions), size=(FIELDS - 1, seats))
        return [[self.champions[0]] * seats, *([self.champions[i] for i in row] for row in mixed)]

    def measure(self, candidates: Sequence[Weights], fields: Sequence[Sequence[Weights]], first: int) -> Weights:
        """Credit by deal of each candidate over the fields: shape (candidates, fields * deals)."""
        tables = [[(self.function, rival) for rival in field] for field in fields]
        return self._measure(candidates, tables, first)

    def _measure(self, candidates: Sequence[Weights], fields: Sequence[Sequence[Seat]], first: int) -> Weights:
        self.games += len(candidates) * len(fields) * self.deals * self.players

        def play(work: tuple[int, Sequence[Weights]]) -> list[Weights]:
            arena, mine = self.arenas[work[0]], work[1]
            return [
                np.concatenate(
                    [
                        arena.credits((self.function, one), rivals, self.seed, first + i * self.deals)
                        for i, rivals in enumerate(fields)
                    ]
                )
                for one in mine
            ]

        shares = [(job, list(candidates)[job :: self.jobs]) for job in range(self.jobs)]
        with ThreadPoolExecutor(self.jobs) as pool:
            played = list(pool.map(play, shares))
        found: list[Weights] = [np.zeros(0)] * len(candidates)
        for job, rows in enumerate(played):
            for i, row in enumerate(rows):
                found[job + i * self.jobs] = row
        return np.array(found)

    def search(self, stages: int, generations: int) -> Iterator[Progress]:
        """Look for better weights; after each stage the best becomes a champion: see `strongest`."""
        import cma

        first = 0
        centre = np.zeros(len(self.free))
        for stage in range(stages):
            strategy = cma.CMAEvolutionStrategy(
                centre,
                1.0 if stage == 0 else 0.5,
                {"popsize": self.population, "seed": self.seed + stage + 1, "verbose": -9, "CMA_diagonal": 8},
            )
            for generation in range(generations):
                points = strategy.ask()
                candidates = [*(self._expand(point) for point in points), self.champions[-1]]
                if self.table:
                    credit = self._measure(candidates, [self.table], first).mean(axis=1)
                else:
                    credit = self.measure(candidates, self._draw_fields(), first).mean(axis=1)
                first += FIELDS * self.deals
                strategy.tell(points, (-credit[:-1]).tolist())
                yield Progress(generation, stage, float(credit[:-1].max()), float(credit[-1]), self.games)
            centre = np.asarray(strategy.result.xfavorite)
            self._crown(self._expand(centre))

    def _crown(self, weights: Weights) -> None:
        self.champions.append(weights)
        if len(self.champions) > self.given + OLD_CHAMPIONS:
            del self.champions[self.given]

    def compare_champions(self, rounds: int) -> Weights:
        """Mean credit of each champion (rows) in fields of each champion alone and of mixed ones (columns).

        A later champion beats the earlier ones it met, but may have forgotten how to beat others: so the strongest is
        the one with the highest mean of its row. Played on deals that the search has not seen.
        """
        seats = self.players - 1
        alone = [[rival] * seats for rival in self.champions]
        mixed = [self._draw_fields()[1] for _ in self.champions]
        matrix = np.zeros((len(self.champions), len(alone) + len(mixed)))
        for column, rivals in enumerate([*alone, *mixed]):
            played = [self.measure(self.champions, [rivals], 2**30 + i * self.deals) for i in range(rounds)]
            matrix[:, column] = np.concatenate(played, axis=1).mean(axis=1)
        return matrix

    def strongest(self, rounds: int) -> Weights:
        """The champion that does best on the whole in fields of all champions."""
        return self.champions[int(self.compare_champions(rounds).mean(axis=1).argmax())]

    def prove(self, weights: Weights, against: dict[str, Weights], rounds: int) -> Tuned:
        """Measure weights on deals that the search has not seen, against fields of one kind each."""
        found = Tuned(weights, 0.0, 0.0)
        for name, rival in against.items():
            rows = [
                self.measure([weights], [[rival] * (self.players - 1)], 2**31 + i * self.deals)[0]
                for i in range(rounds)
            ]
            credit = np.concatenate(rows)
            found.against[name] = float(credit.mean()), float(credit.std(ddof=1) / sqrt(len(credit)))
        found.score, found.error = next(iter(found.against.values()))
        found.games = self.games
        return found
