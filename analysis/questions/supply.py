"""The runs behind an answer: found where they were kept, or played now and kept.

A kept run lies in runs/, in a folder named by what decides its rows, so the same question finds it again and several
questions share it.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from json import dumps
from pathlib import Path

from analysis.frames import Run
from analysis.questions.question import Spec
from sim import plan, runner
from sim.executors import Progress
from sim.games import Game, find_game
from sim.lineup import parse_lineup, spell_lineup, warn_about
from sim.policies import check_name
from sim.rulebook import load_rules
from sim.store import Manifest, is_run, open_run

FOLDER = Path("runs")


@dataclass
class Supply:
    """Gets runs, each only once.

    `tell` hears what is played or read, `bar(games)` opens a progress bar, `prepare(game)` is called before a game is
    loaded, which may compile.
    """

    folder: Path = FOLDER
    jobs: int | None = None
    command: str = ""
    tell: Callable[[str], None] = lambda text: None
    bar: Callable[[int], AbstractContextManager[Progress | None]] = lambda games: nullcontext()
    prepare: Callable[[Game], None] = lambda game: None
    had: dict[Spec, Run] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    def adopt(self, run: Run) -> Spec:
        """Take a run that lies somewhere as what its spec asks for."""
        spec = spec_of(run.manifest)
        self.had[spec] = run
        return spec

    def get(self, spec: Spec, upto: int | None = None) -> Run:
        """The run of `spec`, its first `upto` games at least; plays what is missing.

        Raises UserError where the spec cannot be played.
        """
        if upto is None and spec in self.had:
            return self.had[spec]
        planned = plan_spec(spec, self.prepare)
        path = self._find(spec, planned)
        wanted = planned.games if upto is None else min(upto, planned.games)
        there = open_run(path).games_done() if is_run(path) else 0
        whole = [chunk for chunk in planned.chunks() if chunk.first < wanted]
        missing = not is_run(path) or not {c.number for c in whole} <= set(open_run(path).complete_chunks())
        if missing:
            much = f"{wanted - min(there, wanted):,} games" if upto is None else "games until that is enough"
            self._tell_once(f"playing {much}, {say_spec(spec)}, into {path}")
            for warning in warn_about(len(planned.arrangements), planned.games):
                self._tell_once(f"Note: {warning}")
            with self.bar(wanted) as progress:
                runner.keep(planned, path, upto=wanted, jobs=self.jobs, progress=progress, command=self.command)
        elif upto is None:
            self.tell(f"reading {path}, {say_spec(spec)}")
        run = Run(open_run(path), planned.game, None if upto is None else len(whole))
        if upto is None:
            self.had[spec] = run
        return run

    def _tell_once(self, text: str) -> None:
        if text not in self.told:
            self.told.add(text)
            self.tell(text)

    def _find(self, spec: Spec, planned: plan.Run) -> Path:
        """Where the run is kept, or would be: one with more detail will do."""
        details = list(planned.game.details)
        richer = details[details.index(spec.detail) :]
        places = [self.folder / name_run(spec.but(detail=detail), planned) for detail in richer]
        return next((place for place in places if is_run(place)), places[0])


def plan_spec(spec: Spec, prepare: Callable[[Game], None] = lambda game: None) -> plan.Run:
    """The plan of a spec. Raises UserError for what cannot be played."""
    game = find_game(spec.game)
    rulebook = load_rules(game, spec.players, spec.variants, spec.rules_files, spec.settings)
    lineup = parse_lineup(spec.lineup, rulebook.players)
    for token in dict.fromkeys(lineup):
        check_name(game, token)
    prepare(game)
    return plan.plan_run(
        game,
        rulebook,
        lineup,
        seed=spec.seed,
        games=spec.games,
        detail=spec.detail,
        replicate=spec.replicate,
    )


def spec_of(manifest: Manifest) -> Spec:
    """What would have to be asked for to get a run like this one."""
    return Spec(
        game=manifest.game,
        players=manifest.players,
        variants=tuple(manifest.variants),
        rules_files=tuple(map(Path, manifest.rules_files)),
        settings=tuple(manifest.settings),
        lineup=spell_lineup(manifest.lineup),
        games=manifest.games,
        seed=manifest.seed,
        detail=manifest.detail,
        replicate=manifest.replicate,
    )


def name_run(spec: Spec, planned: plan.Run) -> str:
    """A folder name that says the main things and ends in a digest of everything that decides the rows."""
    manifest = planned.manifest()
    decides = (
        manifest.rules_digest,
        manifest.lineup,
        manifest.weights,
        manifest.policy_files,
        manifest.limit,
        manifest.replicate,
        manifest.versions["atlantis"],
        spec.forced,
    )
    digest = sha256(dumps(decides).encode()).hexdigest()[:8]
    lineup = re.sub(r"[^a-z0-9]+", "-", spell_lineup(manifest.lineup).lower()).strip("-")[:40]
    words = (manifest.game, manifest.players, lineup, f"seed{manifest.seed}", manifest.games, spec.detail, digest)
    return "-".join(map(str, words))


def say_spec(spec: Spec) -> str:
    """`5 players, aggressive-neutrals, greedy, seed 1`."""
    changes = [*spec.variants, *spec.settings, *(file.name for file in spec.rules_files)]
    again = [f"replicate {spec.replicate}"] if spec.replicate else []
    return ", ".join([f"{spec.players} players", *changes, spec.lineup, f"seed {spec.seed}", *again])
