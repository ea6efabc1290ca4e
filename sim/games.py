"""The games this toolkit knows: its own, which are named here and nowhere else, and those that packages bring.

Everything a floor needs to know of a game is data here or in the game's own modules, which are found by `part` and
imported on demand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from sim.errors import UserError

if TYPE_CHECKING:
    from kernels.engine.registry import Registry

# The group in which a package offers games: NAME = "package:GAME".
ENTRY_POINTS = "atlantis.games"


@dataclass(frozen=True)
class Game:
    """A registered game.

    `package` names its folders. A game of this house has a folder of that name on each floor; a package that brings a
    game has everything in one place, the importable package `home`.
    """

    name: str
    title: str
    package: str
    players: tuple[int, ...]
    home: str = ""

    def part(self, floor: str, alone: str) -> str:
        """The dotted name of a part: `floor`.<package> here, <home>.`alone` where a package brings the game."""
        return f"{self.home}.{alone}" if self.home else f"{floor}.{self.package}"

    @property
    def kernels(self) -> str:
        """The kernel package.

        Its modules `codes`, `rules`, `state`, `tables` hold names and dtypes and import quickly; the others compile, or
        load what has been compiled, when they are used.
        """
        return self.part("kernels", "kernels")

    def module(self, name: str) -> ModuleType:
        """A module of the kernel package, or with "" the package itself."""
        return import_module(f"{self.kernels}.{name}" if name else self.kernels)

    @property
    def policies(self) -> "Registry":
        """The policies built into the kernels."""
        registry: Registry = self.module("policies").REGISTRY
        return registry

    @property
    def details(self) -> dict[str, tuple[str, ...]]:
        """What each level of detail keeps: names of tables."""
        return dict(self.module("tables").DETAILS)

    @property
    def rules(self) -> str:
        """The package with base.toml, variants/ and the module `schema`."""
        return self.part("sim.rules", "rules")

    @property
    def rules_folder(self) -> Path:
        """Where base.toml and variants/ lie."""
        return self.folder("sim.rules", "rules")

    def folder(self, floor: str, alone: str) -> Path:
        """The folder of a part that is a package."""
        spec = find_spec(self.part(floor, alone))
        if spec is None or not spec.submodule_search_locations:
            raise UserError(f"the game {self.name} has no package {self.part(floor, alone)}.")
        return Path(spec.submodule_search_locations[0])

    def file(self, floor: str, ending: str) -> Path:
        """A data file: <floor>/<package><ending> in this house, <home>/<last word of floor><ending> elsewhere."""
        if self.home:
            spec = find_spec(self.home)
            folder = Path((spec.submodule_search_locations or ["."])[0]) if spec else Path()
            return folder / f"{floor.rpartition('.')[2]}{ending}"
        return Path(__file__).parent / floor.rpartition(".")[2] / f"{self.package}{ending}"


OWN = (
    Game("end-of-atlantis", "End of Atlantis", "end_of_atlantis", (2, 3, 4, 5)),
    Game("atlantica", "Atlantica", "atlantica", (2, 3, 4, 5)),
)


class _Games(Mapping[str, Game]):
    """Every game by name, those of this house first; packages are looked up when somebody asks."""

    @cached_property
    def _found(self) -> dict[str, Game]:
        games = {game.name: game for game in OWN}
        for entry in entry_points(group=ENTRY_POINTS):
            if entry.name in games:
                continue  # a package cannot take a name that is there already
            try:
                game = entry.load()
            except (Exception, SystemExit) as error:
                self.broken[entry.name] = f"does not load: {type(error).__name__}: {error}".rstrip(". ")
                continue
            if isinstance(game, Game) and game.name == entry.name and game.home:
                games[game.name] = game
            else:
                self.broken[entry.name] = f"{entry.value} is not a Game with the name {entry.name} and a home"
        return games

    @cached_property
    def broken(self) -> dict[str, str]:
        """What is wrong with the games that could not be had."""
        return {}

    def __getitem__(self, name: str) -> Game:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


GAMES = _Games()


def find_game(name: str) -> Game:
    """The game of that name. UserError names the games there are, or what a package's game lacks."""
    if name not in GAMES:
        if name in GAMES.broken:
            raise UserError(f"the game {name} cannot be used: {GAMES.broken[name]} (docs/adding-a-game.md, step 1).")
        raise UserError(f"no game named {name}. Games: {', '.join(GAMES)}.")
    game = GAMES[name]
    if game.home:
        from sim.pieces import check_pieces

        check_pieces(game)
    return game
