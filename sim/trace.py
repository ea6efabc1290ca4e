"""One game, played again and told.

A game depends on the seed, its deal and seating, the rules and the policies alone, so any row of a run can be
played again: the same deal, the same policies with their own random streams, the same decisions.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from kernels.engine.desk import Desk
from kernels.jit import ready
from sim.chances import find_own_network, judge_seats
from sim.errors import GameError, UserError
from sim.games import Game
from sim.plan import Run, rebuild_run
from sim.policies import PolicyError, PolicyStuckError
from sim.store import Manifest, RunFolder, find_versions
from sim.stories import Chances, Fact, Opening, Sight, Step, as_event, see
from sim.watch import PATIENCE, Watch, wait_for


@dataclass(frozen=True, eq=False)
class Trace:
    """The facts of game `number` of a run, in order. `error` is what a policy did that ended it early, or None."""

    run: Run
    number: int
    facts: list[Fact]
    error: PolicyError | None


class Replay:
    """Plays game `number` of a run, step by step, through the kernels' own advance, legal and apply.

    `seatings`, if given, are the run's arrangements as its manifest has them. `chances`, by turn: how likely each
    seat was to win when the turn's first choice came, if they are asked for and the game has a value model.
    """

    def __init__(
        self, run: Run, number: int, seatings: Sequence[Sequence[int]] | None = None, chances: bool = False
    ) -> None:
        rows = run.arrangements[:, : run.players].tolist() if seatings is None else seatings
        self.run = run
        self.number = number
        self.deal, self.arrangement = divmod(number, len(rows))
        self.seating = list(rows[self.arrangement])  # place in the lineup, by seat
        self.steps_done = 0  # read by whoever watches
        self.stopped = False  # set by whoever has seen enough
        self.kernel = run.game.module("step")
        for entry in (self.kernel.new_game, self.kernel.advance, self.kernel.legal, self.kernel.apply):
            ready(entry)  # compiles before anybody watches
        self.over: int = run.game.module("codes").PHASE_OVER
        desk = Desk(run.game.kernels, run.rulebook.record().view(np.recarray)[0])
        self.states, self.scratch, self.rules, self.codes = desk.states, desk.scratch, desk.rules, desk.codes
        self.rows = [policy.row(run.players) for policy in run.policies]
        self.network = find_own_network(run.game, run.players) if chances else None
        self.chances: dict[int, tuple[float, ...]] = {}

    def start(self) -> Sight:
        """Deal, and run up to the first choice."""
        state = self.states[0]
        self.kernel.new_game(state, self.rules, np.uint64(self.run.seed), self.deal)
        state.replicate = self.run.replicate
        for seat, place in enumerate(self.seating):
            state.draw_stream[seat] = place
        for seat in range(len(self.seating), len(state.draw_stream)):
            state.draw_stream[seat] = 0
        self.kernel.advance(state, self.rules)
        self._judge()
        return see(state)

    def _judge(self) -> None:
        """Note each seat's chance, once a turn."""
        turn = int(self.states[0].turn)
        if self.network and turn not in self.chances and self.states[0].phase != self.over:
            chances = judge_seats(self.run.game, self.states, self.run.players, self.rules, self.network.numbers)
            self.chances[turn] = tuple(round(chance, 4) for chance in chances)

    def steps(self) -> Iterator[Step]:
        """Every choice from here to the end. PolicyError if a policy raises or answers nonsense."""
        state, kernel = self.states[0], self.kernel
        before = see(state)
        while before.phase != self.over and not self.stopped:
            count = int(kernel.legal(state, self.rules, self.codes))
            if count < 1:
                where = f"game {self.number}, prompt {before.prompt}, step {before.step}"
                raise GameError(f"the rules of {self.run.game.title} stop where nothing can be done ({where}).")
            legal = tuple(self.codes[:count].tolist())
            action = legal[0]
            if count > 1:
                action = legal[self._ask(count)]
                state.decisions += 1
            kernel.apply(state, self.rules, action)
            applied = see(state)
            kernel.advance(state, self.rules)
            truncated = state.decisions >= self.run.limit and state.phase != self.over
            if truncated:
                state.phase = self.over
            self._judge()
            self.steps_done += 1
            after = see(state)
            yield Step(before, legal, action, applied, after, bool(truncated))
            before = after

    def _ask(self, count: int) -> int:
        """The index that the policy of the seat asked chooses."""
        place = self.seating[self.states[0].actor]
        try:
            arguments = (self.states[0], self.rules, self.codes, count, self.rows[place], self.scratch)
            answer = int(self.run.policies[place].function(*arguments))
        except Exception as error:
            said = str(error).strip() or "no message"
            what = f"raised {type(error).__name__}: {said}; there were {count} legal actions"
            raise PolicyError(self.blame(what)) from error
        if not 0 <= answer < count:
            what = f"answered {answer}, but {count} actions were legal: an answer is 0 to {count - 1}"
            raise PolicyError(self.blame(what))
        return answer

    def blame(self, what: str) -> str:
        """One sentence on what the policy asked last did."""
        state = self.states[0]
        token = self.run.lineup[self.seating[state.actor]]
        prompt = self.run.game.module("codes").PROMPTS[state.prompt]
        where = f"game {self.number}, turn {state.turn}, prompt {prompt}, seat {int(state.actor) + 1}"
        return f"the policy {token} {what} ({where})."


def find_story(game: Game) -> ModuleType:
    """The telling of a game: tell_game and write_text."""
    return import_module(game.part("sim.stories", "story"))


def trace_game(
    run: Run,
    number: int,
    *,
    seatings: Sequence[Sequence[int]] | None = None,
    patience: float = PATIENCE,
    chances: bool = False,
) -> Trace:
    """Play game `number` of a run again and tell it; what a policy does wrong is kept in `error`.

    `chances`: say at each turn how likely each seat is to win, where the game has a value model. A policy that takes
    more than `patience` seconds for one answer is given up. Raises UserError if there is no game of that number, and
    AssertionError if what is told does not add up to the scores.
    """
    if not 0 <= number < run.games:
        raise UserError(f"--game: there is no game {number}; games are numbered from 0 to {run.games - 1:,}.")
    replay = Replay(run, number, seatings, chances)
    facts: list[Fact] = [_open(replay)]
    failures: list[Exception] = []

    def tell() -> None:
        try:
            story = find_story(run.game)
            start = replay.start()
            turn = 0
            for fact in story.tell_game(run.rulebook, start, replay.steps()):
                facts.append(fact)
                if fact.turn > turn and fact.turn in replay.chances:
                    turn = fact.turn
                    facts.append(Chances(turn=turn, phase=fact.phase, chances=replay.chances[turn]))
        except Exception as error:
            failures.append(error)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    ended = wait_for(teller, Watch(lambda: replay.steps_done, patience))
    told = list(facts)  # a policy that wakes up late adds nothing
    if not ended:
        replay.stopped = True
        return Trace(run, number, told, PolicyStuckError(replay.blame(f"has not answered for {patience:g} s")))
    for failure in failures:
        if isinstance(failure, AssertionError) and run.game.home:
            said = f"the story of {run.game.title} and its kernels disagree about game {number}: {failure}"
            raise GameError(f"{said}.") from failure
        if not isinstance(failure, PolicyError):
            raise failure
        return Trace(run, number, told, failure)
    return Trace(run, number, told, None)


def _open(replay: Replay) -> Opening:
    run = replay.run
    return Opening(
        turn=0,
        phase="setup",
        title=run.game.title,
        players=run.players,
        lineup=tuple(run.lineup[place] for place in replay.seating),
        seed=run.seed,
        game=replay.number,
        deal=replay.deal,
        arrangement=replay.arrangement,
        variants=run.rulebook.variants,
        settings=run.rulebook.settings,
        rules_files=tuple(map(str, run.rulebook.files)),
        replicate=run.replicate,
    )


def trace_recorded(
    folder: RunFolder, number: int, *, patience: float = PATIENCE, chances: bool = False
) -> Trace:
    """Game `number` of a run folder, by its manifest: rules, seatings and weights are read from there.

    Raises UserError if the run has no game of that number, or a rule or policy that this version lacks.
    """
    manifest = folder.manifest
    run = rebuild_run(manifest)
    weights = {token: np.array(numbers, dtype=np.float64) for token, numbers in manifest.weights.items()}
    policies = [replace(one, weights=weights.get(one.token, one.weights)) for one in run.policies]
    run = replace(run, policies=tuple(policies))
    return trace_game(run, number, seatings=manifest.arrangements, patience=patience, chances=chances)


def list_changes(manifest: Manifest, run: Run) -> list[str]:
    """What has changed since a run was played, so that its games may no longer be told as they went."""
    changes = []
    if run.rulebook.digest != manifest.rules_digest:
        changes.append("the rules data")
    digests = {policy.token: policy.digest_files(run.players) for policy in run.policies}
    changes += [f"the file of {token}" for token, digest in manifest.policy_files.items() if digests[token] != digest]
    if find_versions()["atlantis"] != manifest.versions.get("atlantis"):
        changes.append(f"atlantis ({manifest.versions.get('atlantis')} then)")
    return changes


def write_text(trace: Trace) -> Iterator[str]:
    """The game in plain words, line by line."""
    lines: Iterator[str] = find_story(trace.run.game).write_text(trace.facts)
    return lines


def list_events(trace: Trace) -> list[dict[str, Any]]:
    """The game as JSON events {turn, phase, kind, seat, data}.

    The kinds and their data are those of the story's facts (sim.stories.<package>.facts); the first event is
    `game`, which says what is told. Seats count from 0.
    """
    return [as_event(fact) for fact in trace.facts]
