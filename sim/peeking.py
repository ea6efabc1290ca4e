"""Whether a policy plays fair.

At each of its decisions the policy is asked again in other worlds, which the seat asked cannot tell from the
real one: there `resample_hidden` of the game's kernels has dealt anew all that this seat may not see. A fair
policy answers the same, with the same luck; one that does not has peeked. The same call shows whether it answers
within range, answers twice alike, and leaves alone what it is handed.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import register_jitable

from kernels.engine.desk import Desk
from kernels.jit import entry, ready
from sim.errors import UserError
from sim.games import Game
from sim.plan import Run
from sim.policies import Policy, PolicyStuckError, find_policy
from sim.rulebook import Rulebook, list_variants, load_rules
from sim.trace import Replay
from sim.watch import PATIENCE, Watch, wait_for

OPPONENT = "random"  # who else sits at the table; every game has it
GAMES = 48
WORLDS = 4

KINDS = {
    "peeks": "peeks",
    "wavers": "answers differently when asked again",
    "meddles": "changes what it is handed",
    "strays": "answers out of range",
    "raises": "raises an exception",
}

_WORLD_KEY = 0x9E3779B97F4A7C15  # tells the worlds' seed from the game's
_EVERY, _MOST_TIMED = 16, 512  # positions kept to take the time
_PASSES = 7
_ASSURANCES = 8  # times that a policy is asked again before it is said to peek

# States on the desk of a check: the game's own; as it was before the policy was asked; the one it is asked with
# once more; and the world in which it gave itself away.
_REAL, _BEFORE, _TRIAL, _WORLD = range(4)
# What examine() found, and what it notes: the answer, the other answer, calls made and worlds made so far.
_SOUND, _STRAYS, _MEDDLES, _WAVERS, _PEEKS = range(5)
_ANSWER, _OTHER, _ASKED, _MADE = range(4)

Progress = Callable[[int, int], None]
Table = tuple[int, tuple[str, ...]]  # players and variants
_Part = tuple[str, int | None]  # a field of the state, or one seat's row of it


@dataclass(frozen=True)
class PromptCount:
    """Decisions of the policy at one prompt, and at how many of them it peeked."""

    prompt: str
    decisions: int
    peeks: int


@dataclass(frozen=True)
class Finding:
    """What a policy did wrong, of a kind of KINDS, and the first decision at which it did.

    `what` completes a sentence whose subject is the policy. `reads` names the parts of the state that change the
    answer, as code writes them, such as hand[2]; `command` replays the game. Seats count from 0.
    """

    kind: str
    what: str
    reads: tuple[str, ...]
    prompt: str
    players: int
    variants: tuple[str, ...]
    lineup: tuple[str, ...]
    seed: int
    game: int
    turn: int
    seat: int
    command: str


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    `prompts` in the order of the game's codes; `findings` hold the first peek at each prompt and what ended the
    check early, if anything did; `nanoseconds` a decision, None where it was not measured; `jitted` as in Policy.
    """

    policy: str
    games: int
    tables: tuple[Table, ...]
    worlds: int
    seed: int
    prompts: tuple[PromptCount, ...]
    findings: tuple[Finding, ...]
    nanoseconds: float | None
    jitted: bool

    @property
    def sound(self) -> bool:
        """Nothing was found."""
        return not self.findings

    @property
    def held(self) -> dict[str, bool | None]:
        """Whether the policy kept from each of KINDS; None where the check ended before that was clear."""
        found = {finding.kind for finding in self.findings}
        clear = None if found - {"peeks"} else True
        return {kind: False if kind in found else clear for kind in KINDS}

    @property
    def decisions(self) -> int:
        """Decisions checked, over all prompts."""
        return sum(count.decisions for count in self.prompts)


class _MisbehavedError(Exception):
    """Ends a check: `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.what)
        self.finding = finding


def list_tables(game: Game) -> list[Table]:
    """Every number of players with the plain rules, then with each variant that allows it."""
    tables = []
    for variants in [(), *((name,) for name in list_variants(game))]:
        for players in game.players:
            try:
                load_rules(game, players, variants)
            except UserError:
                continue
            tables.append((players, variants))
    return tables


def check_policy(
    game: Game,
    policy: Policy,
    *,
    games: int = GAMES,
    worlds: int = WORLDS,
    seed: int = 1,
    tables: Sequence[Table] | None = None,
    patience: float = PATIENCE,
    timed: bool = True,
    progress: Progress | None = None,
) -> Verdict:
    """Play `games` games with the policy, and ask it at each decision in `worlds` other worlds too.

    The games go round `tables` (default: list_tables), at each with the policy on all seats and then on one
    among random ones. `progress(done, games)` is called from the calling thread. Raises PolicyStuckError if one
    answer takes more than `patience` seconds.
    """
    chosen = list(list_tables(game) if tables is None else tables)
    check = _Check(game, policy, worlds, seed)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            check.play_all(_plan(game, policy, chosen, games, seed))
        except BaseException as error:
            failures.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    watch = Watch(lambda: int(check.notes[_ASKED]) if check.asking else None, patience)
    if not wait_for(worker, watch, lambda: progress(check.games, games) if progress else None):
        said = check.replay.blame(f"has not answered for {patience:g} s")
        raise PolicyStuckError(f"{said} See it with: {check.replay.run.trace_command(check.replay.number)}")
    if failures:
        raise failures[0]
    return Verdict(
        policy=policy.token,
        games=check.games,
        tables=tuple(chosen[: -(-games // _lineups(policy))]),
        worlds=worlds,
        seed=seed,
        prompts=tuple(PromptCount(name, *count) for name, count in check.counts.items() if count[0]),
        findings=tuple(check.findings.values()),
        nanoseconds=_measure(game, policy, check.positions) if timed and not check.ended_early else None,
        jitted=policy.jitted,
    )


def _lineups(policy: Policy) -> int:
    return 1 if policy.token == OPPONENT else 2


def _plan(game: Game, policy: Policy, tables: Sequence[Table], games: int, seed: int) -> Iterator[tuple[Run, int]]:
    """A run and the number of its game to play, `games` times over; numbers rise, so that seatings change."""
    other = find_policy(game, OPPONENT)
    books: dict[Table, Rulebook] = {}
    for number in range(games):
        table = tables[number // _lineups(policy) % len(tables)]
        if table not in books:
            books[table] = load_rules(game, *table)
        others = table[0] - 1
        policies = (policy, *(((other,) if number % 2 else (policy,)) * others))
        if policy.token == OPPONENT:
            policies = (policy,) * table[0]
        lineup = tuple(one.token for one in policies)
        yield Run(game, books[table], lineup, policies, seed, number + 1, "seats", 1), number


# ---- asking: plain Python that numba compiles too, for policies that are compiled


def _give_luck(source: Any, target: Any, seat: int) -> None:
    """The random words of a seat's policy, so far as they are drawn, as they are in `source`."""
    target.draw_stream[seat] = source.draw_stream[seat]
    target.draw_block[seat] = source.draw_block[seat]
    target.draw_words[seat, :] = source.draw_words[seat, :]
    target.draw_left[seat] = source.draw_left[seat]


def _is_luck_same(one: Any, other: Any, seat: int) -> bool:
    """Whether as many words have been drawn."""
    return one.draw_block[seat] == other.draw_block[seat] and one.draw_left[seat] == other.draw_left[seat]  # type: ignore[no-any-return]


give_luck, is_luck_same = register_jitable(_give_luck), register_jitable(_is_luck_same)


def examine(
    choose: Any,
    resample: Any,
    desk: Any,
    memory: Any,
    scratch_memory: Any,
    rules: Any,
    codes: Any,
    n: int,
    weights: Any,
    scratch: Any,
    worlds: int,
    seed: Any,
    notes: Any,
) -> int:
    """Ask `choose` in desk[_REAL], then again, then in `worlds` other worlds; returns what was found.

    desk (4,): states; memory (4, bytes of one), scratch_memory (bytes,): the same as bytes. notes (4,): see
    _ANSWER; desk[_WORLD] is the world of a peek.
    """
    real, before, trial = desk[_REAL], desk[_BEFORE], desk[_TRIAL]
    seat = int(real.actor)
    memory[_BEFORE] = memory[_REAL]
    kept_codes, kept_weights = codes.copy(), weights.copy()
    notes[_ASKED] += 1
    answer = choose(real, rules, codes, n, weights, scratch)
    notes[_ANSWER] = answer
    if answer < 0 or answer >= n:
        return _STRAYS
    memory[_TRIAL] = memory[_REAL]
    give_luck(before, trial, seat)
    if (memory[_TRIAL] != memory[_BEFORE]).any() or (codes != kept_codes).any() or (weights != kept_weights).any():
        return _MEDDLES

    memory[_TRIAL] = memory[_BEFORE]
    scratch_memory[:] = 0
    notes[_ASKED] += 1
    notes[_OTHER] = choose(trial, rules, codes, n, weights, scratch)
    if notes[_OTHER] != answer or not is_luck_same(real, trial, seat):
        return _WAVERS

    # Words of a block already drawn lie in the state; only a new block needs the key and the deal. They are given
    # only where the policy drew one: otherwise it could work out the cards from them in every world.
    drew_block = real.draw_block[seat] != before.draw_block[seat]
    for _ in range(worlds):
        memory[_TRIAL] = memory[_BEFORE]
        notes[_MADE] += 1
        resample(trial, rules, seat, seed, notes[_MADE])
        trial.draw_words[:, :] = 0  # those of the others tell what they have done in secret
        give_luck(before, trial, seat)
        if drew_block:
            trial.policy_key[:] = before.policy_key
            trial.deal = before.deal
        memory[_WORLD] = memory[_TRIAL]
        notes[_ASKED] += 1
        notes[_OTHER] = choose(trial, rules, codes, n, weights, scratch)
        if notes[_OTHER] != answer or not is_luck_same(real, trial, seat):
            return _PEEKS
    return _SOUND


def ask_all(choose: Any, states: Any, rules: Any, codes: Any, counts: Any, weights: Any, scratch: Any) -> int:
    """Ask at many positions, to take the time."""
    total: int = 0
    for i in range(len(states)):
        total += choose(states[i], rules[i], codes[i], counts[i], weights, scratch)
    return total


@cache
def _compile(game: Game) -> tuple[Callable[..., int], Callable[..., int]]:
    """`examine` and `ask_all`, compiled for this game's states; takes seconds."""
    policy = game.module("").SIGNATURE
    [resample] = ready(game.module("hidden").resample_hidden).nopython_signatures
    state, rules, codes, count, weights, scratch = policy.args
    asking = types.int64(
        types.FunctionType(policy),
        types.FunctionType(resample),
        types.Array(state, 1, "C"),
        types.Array(types.uint8, 2, "C"),
        types.Array(types.uint8, 1, "C"),
        rules,
        codes,
        count,
        weights,
        scratch,
        types.int64,
        types.uint64,
        types.int64[::1],
    )
    many = (types.Array(state, 1, "C"), types.Array(rules, 1, "C"), types.Array(codes.dtype, 2, "C"))
    timing = types.int64(types.FunctionType(policy), *many, types.int64[::1], weights, scratch)
    return ready(entry(asking, allocates=True)(examine)), ready(entry(timing)(ask_all))


# ---- a check under way


@dataclass(frozen=True, eq=False)
class _Position:
    """A decision kept to take the time: copies of the arguments, and how many actions are legal."""

    state: Any
    rules: Any
    codes: Any
    n: int


class _Check:
    """A check under way. `notes[_ASKED]` counts calls of the policy, for whoever watches."""

    replay: Replay

    def __init__(self, game: Game, policy: Policy, worlds: int, seed: int) -> None:
        self.game = game
        self.policy = policy
        self.worlds = worlds
        self.asking = False
        self.games = 0
        self.counts = {prompt: [0, 0] for prompt in game.module("codes").PROMPTS}
        self.findings: dict[tuple[str, str], Finding] = {}
        self.ended_early = False
        self.positions: list[_Position] = []
        self.notes: npt.NDArray[np.int64] = np.zeros(4, np.int64)
        self._examine = _compile(game)[0] if policy.jitted else examine
        self._resample = game.module("hidden").resample_hidden
        self._world_seed = np.uint64(seed ^ _WORLD_KEY)
        self._desk = game.module("state").new_states(4)
        self._plain = self._desk.view(np.ndarray)
        self._memory = self._plain.view(np.uint8).reshape(4, -1)

    def play_all(self, plan: Iterator[tuple[Run, int]]) -> None:
        """Play the games of a plan, up to the first misbehaviour that is no peek."""
        try:
            for run, number in plan:
                self._play(Replay(run, number))
                self.games += 1
        except _MisbehavedError as error:
            self.findings[error.finding.kind, error.finding.prompt] = error.finding
            self.ended_early = True

    def _play(self, replay: Replay) -> None:
        self.replay = replay
        run, kernel, codes = replay.run, replay.kernel, replay.codes
        replay.states = self._desk[: _REAL + 1]
        self._memory[:] = 0
        state, rules = replay.states[_REAL], replay.rules
        field = self._plain[_REAL : _REAL + 1]  # a record's attributes are slow to read
        phase, actor, decisions = field["phase"], field["actor"], field["decisions"]
        rows = [policy.row(run.players) for policy in run.policies]
        self._row = self.policy.row(run.players)
        replay.start()
        while phase[0] != replay.over and decisions[0] < run.limit:
            n = int(kernel.legal(state, rules, codes))
            action = int(codes[0])
            if n > 1:
                place = replay.seating[actor[0]]
                policy = run.policies[place]
                if policy.token == self.policy.token:
                    answer = self._ask_everywhere(n)
                else:
                    answer = int(policy.function(state, rules, codes, n, rows[place], replay.scratch))
                action = int(codes[answer])
                decisions[0] += 1
            kernel.apply(state, rules, action)
            kernel.advance(state, rules)

    def _ask_everywhere(self, n: int) -> int:
        """Ask the policy at the decision there is and in other worlds, and count; returns its answer."""
        replay, notes = self.replay, self.notes
        count = self.counts[self._prompt(_REAL)]
        count[0] += 1
        if sum(done for done, _ in self.counts.values()) % _EVERY == 1 and len(self.positions) < _MOST_TIMED:
            state, rules = self._desk[:1].copy(), np.asarray(replay.rules).copy()
            self.positions.append(_Position(state, rules.view(np.recarray), replay.codes.copy(), n))
        handed = {"rules": replay.rules, "legal": replay.codes, "weights": self._row}
        kept = {name: np.asarray(array).tobytes() for name, array in handed.items()}
        try:
            self.asking = True
            found = self._examine(
                self.policy.function,
                self._resample,
                self._desk,
                self._memory,
                replay.scratch.view(np.ndarray).view(np.uint8),
                replay.rules,
                replay.codes,
                n,
                self._row,
                replay.scratch,
                self.worlds,
                self._world_seed,
                notes,
            )
        except Exception as error:
            said = str(error).strip().splitlines() or ["no message"]
            raise _MisbehavedError(self._find("raises", f"raises {type(error).__name__}: {said[0]}")) from error
        finally:
            self.asking = False
        changed = [name for name, array in handed.items() if np.asarray(array).tobytes() != kept[name]]
        answer, other = int(notes[_ANSWER]), int(notes[_OTHER])
        if found == _STRAYS:
            self._give_up("strays", f"answers {answer} where {n} actions are legal, 0 to {n - 1}")
        if found == _MEDDLES:
            changed += [f"state.{_spell(part)}" for part in self._differing_parts(_TRIAL)]
        if changed:
            self._give_up("meddles", f"changes {', '.join(changed)}")
        if found == _WAVERS:
            drew = "but draws another number of random words" if answer == other else f"then {other}"
            self._give_up("wavers", f"answers {answer}, {drew} when asked again in the same state")
        if found == _PEEKS:
            count[1] += 1
            if ("peeks", self._prompt(_BEFORE)) not in self.findings:
                self._note_peek(n, answer, other)
        return answer

    def _give_up(self, kind: str, what: str) -> NoReturn:
        raise _MisbehavedError(self._find(kind, what))

    def _note_peek(self, n: int, answer: int, other: int) -> None:
        """Keep the first peek at this prompt, with the parts of the state that make the difference."""
        for _ in range(_ASSURANCES):  # chance of its own may have looked like a peek
            if not (self._answers(_BEFORE, n, answer) and self._answers(_WORLD, n, other)):
                self._give_up("wavers", "answers otherwise when asked again in the same state")
        codes = self.replay.codes
        there = f"{codes[other]}" if 0 <= other < n else f"number {other} of {n}"
        if other == answer:
            there = "draws another number of random words"
        said = f"plays {codes[answer]}, but {there} in a world its seat cannot tell apart"
        reads = [part for part in self._differing_parts(_WORLD) if not self._answers(_BEFORE, n, answer, part)]
        self.findings["peeks", self._prompt(_BEFORE)] = self._find("peeks", said, tuple(map(_spell, reads)))

    def _answers(self, which: int, n: int, answer: int, part: _Part | None = None) -> bool:
        """Whether the policy answers this in a state, or with one part of it taken from the other world.

        Drawing other words than the real call did is another answer, save in the other world.
        """
        replay, trial, world = self.replay, self._desk[_TRIAL], self._desk[_WORLD]
        self._memory[_TRIAL] = self._memory[which]
        if part:
            name, row = part
            if row is None:
                trial[name] = world[name]
            else:
                trial[name][row] = world[name][row]
        arguments = (trial, replay.rules, replay.codes, n, self._row, replay.scratch)
        found = int(self.policy.function(*arguments))
        return found == answer and (which == _WORLD or bool(is_luck_same(self._desk[_REAL], trial, int(trial.actor))))

    def _differing_parts(self, which: int) -> list[_Part]:
        """Where a state differs from the one before the call: fields, by row where there is one for each seat."""
        one, other = self._desk[_BEFORE], self._desk[which]
        seats = len(one.draw_stream)
        parts: list[_Part] = []
        for name in self._desk.dtype.names:
            differs = np.asarray(one[name] != other[name])
            if not differs.any():
                continue
            if differs.ndim and len(differs) == seats:
                parts += [(name, row) for row in range(seats) if differs[row].any()]
            else:
                parts.append((name, None))
        return parts

    def _prompt(self, which: int) -> str:
        return str(self.game.module("codes").PROMPTS[self._plain["prompt"][which]])

    def _find(self, kind: str, what: str, reads: tuple[str, ...] = ()) -> Finding:
        run, before = self.replay.run, self._desk[_BEFORE]
        return Finding(
            kind=kind,
            what=what,
            reads=reads,
            prompt=self._prompt(_BEFORE),
            players=run.players,
            variants=run.rulebook.variants,
            lineup=tuple(run.lineup[place] for place in self.replay.seating),
            seed=run.seed,
            game=self.replay.number,
            turn=int(before.turn),
            seat=int(before.actor),
            command=run.trace_command(self.replay.number),
        )


def _spell(part: _Part) -> str:
    name, row = part
    return name if row is None else f"{name}[{row}]"


def _measure(game: Game, policy: Policy, positions: list[_Position]) -> float | None:
    """Nanoseconds a decision, the best of several passes over positions kept.

    Compiled policies are called by a compiled loop, as in the batch loop: from Python the call would take longer
    than most policies.
    """
    if not positions:
        return None
    players = int(positions[0].state["players"][0])  # a value model differs by their number
    kept = [position for position in positions if position.state["players"][0] == players]
    kept = kept if policy.jitted else kept[: _MOST_TIMED // 8]
    row = policy.row(players)
    ask = _compile(game)[1] if policy.jitted else ask_all
    scratch = Desk(game.kernels, None).scratch
    states = np.concatenate([position.state for position in kept]).view(np.recarray)
    rules = np.stack([position.rules for position in kept]).view(np.recarray)
    codes = np.stack([position.codes for position in kept])
    counts = np.array([position.n for position in kept])
    times = []
    for _ in range(_PASSES):
        played = states.copy()
        began = time.perf_counter_ns()
        ask(policy.function, played, rules, codes, counts, row, scratch)
        times.append((time.perf_counter_ns() - began) / len(kept))
    return min(times)
