"""Every test of this folder that asks for a game is asked for each of them."""

import pytest

from sim.games import GAMES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the argument `game` runs for each game, one with `game` and `players` at each table size."""
    if "game" in metafunc.fixturenames and "players" in metafunc.fixturenames:
        tables = [(game, players) for game in GAMES.values() for players in game.players]
        names = [f"{game.name}-{players}" for game, players in tables]
        metafunc.parametrize(("game", "players"), tables, ids=names)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", list(GAMES.values()), ids=list(GAMES))
