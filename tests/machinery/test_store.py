"""The run folder: what was played comes back, whole or not at all, and strangers' folders are left alone."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sim import store
from sim.errors import UserError
from sim.games import GAMES, find_game
from sim.store import Manifest, RunFolder, create_run, empty_run, is_run, open_run

LINEUP = ["greedy", "random", "greedy", "my.py:slow"]
GAME = next(iter(GAMES))
TABLES = find_game(GAME).module("tables")


def make_manifest(**changes: object) -> Manifest:
    told = {
        "game": GAME,
        "players": 4,
        "variants": [],
        "settings": [],
        "rules_files": [],
        "rules": [{"name": "start_vp", "value": 2}],
        "rules_digest": "abc",
        "lineup": LINEUP,
        "arrangements": [[0, 1, 2, 3]],
        "weights": {},
        "policy_files": {},
        "seed": 2**64 - 1,
        "games": 25,
        "detail": "votes",
        "chunk": 10,
        "limit": 20000,
        "replicate": 0,
        "versions": {},
        "command": "",
        "created": "2020-01-01T00:00:00+00:00",
    }
    return Manifest.model_validate(told | changes)


def make_rows(first: int, games: int) -> dict[str, np.ndarray]:
    """Rows with every byte drawn, save the game numbers and the places."""
    random = np.random.default_rng(first)
    rows = {}
    for table, dtype in TABLES.TABLES.items():
        each = 4 if table == "seats" else 1
        rows[table] = np.frombuffer(random.bytes(games * each * dtype.itemsize), dtype=dtype).copy()
        rows[table]["game"] = np.repeat(np.arange(first, first + games), each)
    rows["seats"]["place"] = np.tile([3, 0, 1, 2], games)
    return rows


def test_every_number_comes_back_under_its_column(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    rows = make_rows(0, 10)
    folder.write_part(0, rows)
    for table, array in rows.items():
        frame = folder.scan(table).collect()
        for field in array.dtype.names:
            names = TABLES.COLUMNS[field] if array[field].ndim > 1 else [field]
            flat = array[field].reshape(len(array), -1)
            for position, name in enumerate(names):
                np.testing.assert_array_equal(frame[name].to_numpy(), flat[:, position], err_msg=name)


def test_columns_are_flat_and_keep_their_types(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    folder.write_part(0, make_rows(0, 10))
    schema = folder.scan("seats").collect_schema()
    assert schema["vp"] == pl.Int16
    assert schema["credit"] == pl.Float64
    assert schema["chosen_play_royal_ship"] == pl.UInt16
    assert folder.scan("arrivals").collect_schema()["vp_4"] == pl.Int16
    assert not any(kind.is_nested() for kind in schema.dtypes())


def test_seats_name_the_policy_that_sat_there(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    folder.write_part(0, make_rows(0, 10))
    policies = folder.scan("seats").select("policy").collect()["policy"]
    assert policies.dtype == pl.Enum(["greedy", "random", "my.py:slow"])
    assert policies.to_list()[:4] == ["my.py:slow", "greedy", "random", "greedy"]


def test_a_table_without_rows_keeps_its_columns(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    rows = make_rows(0, 10) | {"arrivals": make_rows(0, 0)["arrivals"]}
    folder.write_part(0, rows)
    folder.write_part(1, make_rows(10, 10))
    frame = folder.scan("arrivals").collect()
    assert frame.height == 10
    assert "cubes_neutral" in frame.columns


def test_only_complete_chunks_count(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    folder.write_part(2, make_rows(20, 5))
    folder.write_part(0, make_rows(0, 10))
    (folder.path / "seats" / "part-000001.parquet").write_bytes(b"a table whose games part never came")
    (folder.path / "games" / ".part-000001.parquet").write_bytes(b"half a part")
    assert folder.complete_chunks() == [0, 2]
    assert folder.games_done() == 15
    assert folder.scan("seats").collect()["game"].unique().sort().to_list() == [*range(10), *range(20, 25)]


@pytest.mark.parametrize("crash_at", range(6))
def test_a_crash_between_writing_and_renaming_leaves_a_sound_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash_at: int
) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    folder.write_part(0, make_rows(0, 10))
    before = folder.scan("seats").collect()
    renamed = 0

    def crash(self: Path, target: Path) -> Path:
        nonlocal renamed
        if renamed == crash_at:
            raise KeyboardInterrupt
        renamed += 1
        return self.rename(target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", crash)
        with pytest.raises(KeyboardInterrupt):
            folder.write_part(1, make_rows(10, 10))
    found = open_run(folder.path)
    assert found.complete_chunks() == [0]
    assert found.scan("seats").collect().equals(before)
    found.write_part(1, make_rows(10, 10))
    assert found.scan("games").collect()["game"].to_list() == list(range(20))
    assert not list(folder.path.rglob(".part*"))


def test_a_manifest_reads_back(tmp_path: Path) -> None:
    manifest = make_manifest()
    create_run(tmp_path / "run", manifest)
    assert open_run(tmp_path / "run").manifest == manifest


def test_an_empty_folder_takes_a_run_and_another_does_not(tmp_path: Path) -> None:
    create_run(tmp_path, make_manifest())
    with pytest.raises(UserError, match="other things in it, not a run folder"):
        create_run(tmp_path, make_manifest())
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(UserError, match="is a file, not a run folder"):
        create_run(file, make_manifest())
    with pytest.raises(UserError, match="cannot be written"):
        create_run(file / "below", make_manifest())


def damage(path: Path, **changes: object) -> Path:
    create_run(path, make_manifest())
    file = path / "manifest.json"
    told = json.loads(file.read_text()) | changes
    file.write_text(json.dumps({key: value for key, value in told.items() if value is not None}))
    return path


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2}, "newer atlantis (format 2, this one reads 1)"),
        ({"format": None}, "no format number"),
        ({"seed": None}, "damaged: seed: field required"),
        ({"games": "many"}, "damaged: games:"),
        ({"detail": "everything"}, "detail is 'everything', not one of seats, turns, votes"),
        ({"players": 3}, "4 places for 3 players"),
        ({"chunk": 0}, "must not be empty"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_explained(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    path = damage(tmp_path / "run", **changes)
    with pytest.raises(UserError) as error:
        open_run(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)


def test_what_is_not_a_run_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not there"):
        open_run(tmp_path / "nowhere")
    with pytest.raises(UserError, match=r"has no manifest\.json"):
        open_run(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(UserError, match="damaged or not the manifest of a run"):
        open_run(tmp_path)


def test_a_table_that_was_not_kept_says_how_to_keep_it(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest(detail="seats"))
    with pytest.raises(UserError, match="holds no finished games"):
        folder.scan("seats")
    folder.write_part(0, make_rows(0, 10))
    assert folder.scan("seats").collect().height == 40
    with pytest.raises(UserError, match="made with --detail votes"):
        folder.scan("votes")
    with pytest.raises(UserError, match=r"has no table cards\. Tables: games, seats"):
        folder.scan("cards")


def test_a_run_folder_is_emptied_and_a_stranger_is_not(tmp_path: Path) -> None:
    folder = create_run(tmp_path / "run", make_manifest())
    folder.write_part(0, make_rows(0, 10))
    (folder.path / "report.html").write_text("old")
    empty_run(folder.path)
    assert not folder.path.exists()

    stranger = tmp_path / "web"
    stranger.mkdir()
    (stranger / "precious.txt").write_text("years of work")
    for manifest in (None, "{}", '{"name": "a web page", "format": 1}', "[]", "{"):
        if manifest is not None:
            (stranger / "manifest.json").write_text(manifest)
        assert not is_run(stranger)
        with pytest.raises(UserError, match="leaves it alone"):
            empty_run(stranger)
        assert (stranger / "precious.txt").read_text() == "years of work"


def test_a_link_in_a_run_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious.txt").write_text("years of work")
    folder = create_run(tmp_path / "run", make_manifest())
    (folder.path / "link").symlink_to(elsewhere)
    empty_run(folder.path)
    assert (elsewhere / "precious.txt").exists()


def test_versions_name_what_decides_rows() -> None:
    assert store.find_versions().keys() == {"atlantis", "python", "numpy", "numba", "polars"}
    assert isinstance(RunFolder(Path(), make_manifest()).tables, tuple)
