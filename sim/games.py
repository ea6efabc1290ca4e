"""The games this toolkit knows: the one place that names them.

Everything a floor above the kernels needs to know of a game is data here or in the modules of its kernel package.
Those modules are imported on demand: some of them compile or load jitted functions when they are.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sim.errors import UserError


@dataclass(frozen=True)
class Game:
    """A registered game.

    `package` is the kernel package; its modules `codes`, `rules`, `state`, `tables` hold names and dtypes and import
    quickly, `play` and `policies` hold the compiled game.
    """

    name: str
    title: str
    package: str
    players: tuple[int, ...]

    def module(self, name: str) -> ModuleType:
        """The kernel module `kernels.<package>.<name>`."""
        return import_module(f"kernels.{self.package}.{name}")

    @property
    def details(self) -> dict[str, tuple[str, ...]]:
        """What each level of detail keeps: names of tables."""
        return dict(self.module("tables").DETAILS)

    @property
    def rules_folder(self) -> Path:
        """Where base.toml and variants/ lie."""
        return Path(__file__).parent / "rules" / self.package


GAMES = {
    game.name: game
    for game in (
        Game("end-of-atlantis", "End of Atlantis", "end_of_atlantis", (2, 3, 4, 5)),
        Game("atlantica", "Atlantica", "atlantica", (2, 3, 4, 5)),
    )
}


def find_game(name: str) -> Game:
    """The game of that name; UserError names the games there are."""
    if name not in GAMES:
        raise UserError(f"no game named {name}. Games: {', '.join(GAMES)}.")
    return GAMES[name]
