"""Networks as files and as numbers in the kernels: what is refused, and that both count alike."""

import io
import pickle
import zipfile

import numpy as np
import pytest
from numba import types

from kernels.engine.contract import WEIGHTS
from kernels.engine.value import MOST_UNITS, count_numbers
from sim.chances import bind_value, judge_states
from sim.errors import UserError
from sim.games import find_game
from sim.networks import About, Network, digest_features, place_network, read_network, write_network
from sim.plan import plan_run
from sim.policies import find_policy
from sim.rulebook import load_rules
from sim.trace import Replay
from tests.machinery.twins import direct

GAME = find_game("goofspiel")
SIZE = GAME.module("features").SIZE


def make(first=5, second=3, seed=1, **about):
    """A network of random numbers."""
    numbers = np.random.default_rng(seed).normal(0, 0.3, count_numbers(SIZE, first, second))
    numbers[:3] = SIZE, first, second
    said = {"game": GAME.name, "players": 2, "features": digest_features(GAME), "rules": "none"}
    return Network(numbers.astype(np.float32).astype(float), About(**said | about))


def first_choice(players=2):
    """The state at the first choice of a game, shape (1,), and the rules."""
    replay = Replay(plan_run(GAME, load_rules(GAME, players), "random", seed=1, games=1), 0)
    replay.start()
    return replay.states, replay.rules


def test_a_network_comes_back_as_it_was_in_the_same_bytes(tmp_path):
    network = make()
    for name in ("one.2.npz", "two.2.npz"):
        write_network(tmp_path / name, network)
    assert (tmp_path / "one.2.npz").read_bytes() == (tmp_path / "two.2.npz").read_bytes()
    back = read_network(GAME, place_network(tmp_path / "one", 2), 2)
    assert np.array_equal(back.numbers, network.numbers)
    assert back.about == network.about
    assert back.digest == network.digest != make(seed=2).digest


@pytest.mark.nojit
@pytest.mark.bounds
def test_the_kernels_count_as_numpy_does():
    """Two layers of rectified units and a logistic one, whose power is taken as (1 - x/1024)^1024."""
    states, rules = first_choice()
    for sizes in ((1, 1), (5, 3), (MOST_UNITS, MOST_UNITS)):
        numbers = make(*sizes).numbers
        features = np.zeros((1, SIZE))
        bind_value(GAME.kernels).describe_all(states, np.zeros(1, np.int64), rules, features)
        at, layer = 3, features[0]
        for units in (*sizes, 1):
            constants, at = numbers[at : at + units], at + units
            factors, at = numbers[at : at + units * len(layer)].reshape(len(layer), units), at + units * len(layer)
            layer = constants + layer @ factors
            layer = np.maximum(layer, 0) if units != 1 or at != len(numbers) else layer
        wanted = 1 / (1 + (1 - np.clip(layer[0], -40, 40) / 1024) ** 1024)
        assert judge_states(GAME, states, [0], rules, numbers)[0] == pytest.approx(wanted, rel=1e-9)
        assert wanted == pytest.approx(1 / (1 + np.exp(-layer[0])), abs=0.01)


def test_a_network_follows_the_weights_and_nothing_else_is_one():
    row = np.zeros(WEIGHTS)
    follows = bind_value(GAME.kernels).has_network

    @direct(types.boolean(types.float64[::1]))
    def has(weights):
        return follows(weights)

    assert not has(row)
    assert not has(np.zeros(WEIGHTS + 50))  # padded to the length of another policy's row
    assert has(np.concatenate([row, make().numbers]))


class Bomb:
    """Runs something where it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def store(path, **arrays):
    np.savez(path, **arrays)


def test_nothing_in_a_file_is_run(tmp_path):
    """An array of objects is a pickle; so is a file that is nothing but one."""
    seen = tmp_path / "ran"
    store(tmp_path / "a.2.npz", numbers=np.array([Bomb(seen)], object), about=np.array("{}"))
    (tmp_path / "b.2.npz").write_bytes(pickle.dumps(Bomb(seen)))
    for name in "ab":
        with pytest.raises(UserError, match=rf"{name}\.2\.npz cannot be read as a value model"):
            read_network(GAME, tmp_path / f"{name}.2.npz", 2)
    assert not seen.exists()


def spoil(numbers, at, to):
    changed = numbers.astype(np.float32)
    changed[at] = to
    return changed


DAMAGE = {
    "not a number": lambda n: spoil(n, 9, np.nan),
    "too wide": lambda n: spoil(n, 1, MOST_UNITS + 1),
    "half a unit": lambda n: spoil(n, 1, 4.5),
    "negative": lambda n: spoil(n, 2, -3),
    "other inputs": lambda n: spoil(n, 0, SIZE + 1),
    "short": lambda n: n[:-1].astype(np.float32),
    "long": lambda n: np.append(n, 0).astype(np.float32),
    "empty": lambda n: n[:0].astype(np.float32),
    "a table": lambda n: n.astype(np.float32)[None],
    "text": lambda n: n.astype(str),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_numbers_that_are_no_network_are_refused(tmp_path, damage):
    network = make()
    path = tmp_path / "m.2.npz"
    store(path, numbers=DAMAGE[damage](network.numbers), about=np.array(network.about.model_dump_json()))
    with pytest.raises(UserError, match=r"m\.2\.npz cannot be read as a value model"):
        read_network(GAME, path, 2)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.95])
def test_a_file_cut_short_is_refused(tmp_path, share):
    path = tmp_path / "m.2.npz"
    write_network(path, make())
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(UserError, match=r"m\.2\.npz cannot be read as a value model"):
        read_network(GAME, path, 2)


def test_a_flipped_byte_is_refused(tmp_path):
    path = tmp_path / "m.2.npz"
    write_network(path, make())
    with zipfile.ZipFile(path) as file:
        where = file.getinfo("numbers.npy").header_offset + 200
    spoiled = bytearray(path.read_bytes())
    spoiled[where] ^= 0xFF
    path.write_bytes(bytes(spoiled))
    with pytest.raises(UserError, match=r"m\.2\.npz cannot be read as a value model"):
        read_network(GAME, path, 2)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"game": "chess"}, "made for game chess, here it would be goofspiel"),
        ({"players": 3}, "made for players 3, here it would be 2"),
        ({"features": "others"}, "made for features others"),
    ],
)
def test_a_model_for_something_else_is_refused_by_name(tmp_path, about, said):
    path = tmp_path / "m.2.npz"
    write_network(path, make(**about))
    with pytest.raises(UserError, match=rf"m\.2\.npz was {said}.*atlantis learn goofspiel --players 2"):
        read_network(GAME, path, 2)


def test_a_file_without_what_it_is_about_is_refused(tmp_path):
    path = tmp_path / "m.2.npz"
    for about in ("", "[]", '{"game": "goofspiel"}'):
        store(path, numbers=make().numbers.astype(np.float32), about=np.array(about))
        with pytest.raises(UserError, match=r"m\.2\.npz cannot be read as a value model"):
            read_network(GAME, path, 2)
    with pytest.raises(UserError, match=r"there is no model .*m\.3\.npz for 3 players"):
        read_network(GAME, tmp_path / "m.3.npz", 3)


def test_a_preset_of_ones_own_plays_with_ones_own_model(tmp_path):
    """By FILE.toml:NAME; the row that it plays with is the weights and the network."""
    write_network(tmp_path / "mine.2.npz", make())
    file = tmp_path / "own.toml"
    file.write_text('[thinker]\nline = "thinks"\nbase = "search"\nmodel = "mine"\nweights = {simulations = 4}\n')
    policy = find_policy(GAME, f"{file}:thinker")
    assert np.array_equal(policy.row(2)[WEIGHTS:], make().numbers)
    with pytest.raises(UserError, match=r"mine\.3\.npz for 3 players"):
        policy.row(3)


def test_bytes_of_another_kind_are_refused(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.zeros(3))
    for name, content in {"npy": buffer.getvalue(), "text": b"hello", "zip": b"PK\x03\x04" + b"\0" * 30}.items():
        path = tmp_path / f"{name}.2.npz"
        path.write_bytes(content)
        with pytest.raises(UserError, match=rf"{name}\.2\.npz cannot be read as a value model"):
            read_network(GAME, path, 2)
