"""The run folder: manifest.json and one Parquet part a table and chunk.

A part is written aside and renamed when whole, the games part of a chunk last: a chunk is complete when its
games part exists, so the finished parts are themselves the record of progress. A part never splits a deal.
"""

import json
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import BaseModel, ValidationError

from sim.errors import UserError
from sim.games import GAMES, find_game

FORMAT = 1
MANIFEST = "manifest.json"
_PART = re.compile(r"part-(\d{6,})\.parquet")
_NUMPY_TO_POLARS: dict[str, type[pl.DataType]] = {
    "int8": pl.Int8,
    "int16": pl.Int16,
    "int32": pl.Int32,
    "int64": pl.Int64,
    "uint8": pl.UInt8,
    "uint16": pl.UInt16,
    "uint32": pl.UInt32,
    "float64": pl.Float64,
}

Rows = Mapping[str, npt.NDArray[np.void]]


class Manifest(BaseModel):
    """What was run: enough to run it again. Written before the first game.

    `lineup` is the policy token of each place, `arrangements` the place on each seat for each seating,
    `chunk` the games of a part, `limit` the decisions after which a game ends as truncated, `policy_files`
    the SHA-256 of the file of each plug-in policy.
    """

    format: int = FORMAT
    game: str
    players: int
    variants: list[str]
    settings: list[str]
    rules_files: list[str]
    rules: list[dict[str, Any]]
    rules_digest: str
    lineup: list[str]
    arrangements: list[list[int]]
    weights: dict[str, list[float]]
    policy_files: dict[str, str]
    seed: int
    games: int
    detail: str
    chunk: int
    limit: int
    replicate: int
    versions: dict[str, str]
    command: str
    created: str


def find_versions() -> dict[str, str]:
    """Versions of what decides a run's rows."""
    try:
        own = version("atlantis-balance")
    except PackageNotFoundError:
        own = "unknown"
    libraries = {name: version(name) for name in ("numpy", "numba", "polars")}
    return {"atlantis": own, "python": python_version(), **libraries}


def read_clock() -> str:
    """Now, as ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class RunFolder:
    """A folder with a run in it, finished or not."""

    path: Path
    manifest: Manifest

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables that this run keeps."""
        return find_game(self.manifest.game).details[self.manifest.detail]

    def complete_chunks(self) -> list[int]:
        """Numbers of the chunks that are whole, ascending."""
        matches = (_PART.fullmatch(path.name) for path in (self.path / "games").glob("part-*.parquet"))
        return sorted(int(match[1]) for match in matches if match)

    def games_done(self) -> int:
        """How many games the complete chunks hold."""
        size, total = self.manifest.chunk, self.manifest.games
        return sum(min(size, total - number * size) for number in self.complete_chunks())

    def parts(self, table: str) -> list[Path]:
        """The Parquet files of a table, complete chunks only, in the order of the games.

        Raises UserError if the run does not keep that table or has no complete chunk yet.
        """
        if table not in self.tables:
            details = find_game(self.manifest.game).details
            keeping = next((detail for detail, tables in details.items() if table in tables), None)
            hint = f"; it takes a run made with --detail {keeping}" if keeping else ""
            raise UserError(
                f"{self.path} was run with --detail {self.manifest.detail} and has no table {table}{hint}. "
                f"Tables: {', '.join(self.tables)}."
            )
        chunks = self.complete_chunks()
        if not chunks:
            raise UserError(f"{self.path} holds no finished games: atlantis simulate --resume -o {self.path}")
        return [self._part(table, number) for number in chunks]

    def scan(self, table: str) -> pl.LazyFrame:
        """A lazy frame over a table, complete chunks only, in the order of the games."""
        return pl.scan_parquet(self.parts(table))

    def write_part(self, number: int, rows: Rows) -> None:
        """Keep chunk `number`: one record array a table. The games part is renamed last."""
        waiting = []
        for table in sorted(self.tables, key=lambda name: name == "games"):
            part = self._part(table, number)
            aside = part.with_name(f".{part.name}")
            frame = make_frame(self.manifest, table, rows[table])
            frame.write_parquet(aside, compression="zstd", compression_level=1, statistics=False)
            waiting.append((aside, part))
        for aside, part in waiting:
            aside.replace(part)

    def _part(self, table: str, number: int) -> Path:
        return self.path / table / f"part-{number:06d}.parquet"


def make_frame(manifest: Manifest, table: str, rows: npt.NDArray[np.void]) -> pl.DataFrame:
    """Record rows of one table as a frame of flat columns, named by the game's tables.COLUMNS.

    A table with a `place` in the lineup and a `seat` also gets `policy`, the lineup token, as an Enum.
    """
    names = find_game(manifest.game).module("tables").COLUMNS
    columns: list[pl.Series] = []
    for field in rows.dtype.names or ():
        values = rows[field]
        if values.ndim == 1:
            columns.append(_make_column(field, values))
        else:
            flat = np.ascontiguousarray(values.reshape(len(rows), len(names[field])).T)
            pairs = zip(names[field], flat, strict=True)
            columns.extend(_make_column(name, column) for name, column in pairs)
    if table == "seats":
        columns.insert(2, _name_policies(manifest.lineup, rows["place"]))
    return pl.DataFrame(columns)


def _make_column(name: str, values: npt.NDArray[Any]) -> pl.Series:
    return pl.Series(name, np.ascontiguousarray(values), dtype=_NUMPY_TO_POLARS[values.dtype.name])


def _name_policies(lineup: list[str], places: npt.NDArray[np.int8]) -> pl.Series:
    tokens = list(dict.fromkeys(lineup))
    by_place = pl.Series("policy", lineup, dtype=pl.Enum(tokens))
    return by_place.gather(places.astype(np.uint32))


def create_run(path: Path, manifest: Manifest) -> RunFolder:
    """Make a run folder with its manifest, ready for parts. The folder may exist if it is empty.

    Raises UserError if something else is there.
    """
    check_vacant(path)
    folder = RunFolder(path, manifest)
    try:
        for table in folder.tables:
            (path / table).mkdir(parents=True)
        aside = path / f".{MANIFEST}"
        aside.write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
        aside.replace(path / MANIFEST)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from error
    return folder


def check_vacant(path: Path) -> None:
    """UserError if there is anything at `path` but an empty folder."""
    if path.is_dir() and not any(path.iterdir()):
        return
    if path.exists() or path.is_symlink():
        what = "a folder with other things in it" if path.is_dir() else "a file"
        raise UserError(f"{path} is {what}, not a run folder; choose another place with -o.")


def open_run(path: Path) -> RunFolder:
    """The run in that folder. UserError if there is none, or if this version cannot read it."""
    file = path / MANIFEST
    if not file.is_file():
        kind = "has no manifest.json, so it is not a run folder" if path.is_dir() else "is not there"
        raise UserError(f"{path} {kind}. A run folder is what atlantis simulate writes to its -o.")
    read = _read_json(file)
    if not isinstance(read, dict) or not isinstance(read.get("format"), int):
        raise UserError(f"{file} is damaged or not the manifest of a run: it has no format number.")
    if read["format"] > FORMAT:
        raise UserError(
            f"{path} was written by a newer atlantis (format {read['format']}, this one reads {FORMAT}); "
            f"update atlantis to read it."
        )
    try:
        manifest = Manifest.model_validate(read)
        _check_sound(manifest)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise UserError(f"{file} is damaged: {key}: {first['msg'].lower()}.") from error
    except ValueError as error:
        raise UserError(f"{file} is damaged: {error}.") from error
    return RunFolder(path, manifest)


def _check_sound(manifest: Manifest) -> None:
    details = GAMES[manifest.game].details if manifest.game in GAMES else {manifest.detail: ()}
    if manifest.detail not in details:
        raise ValueError(f"detail is {manifest.detail!r}, not one of {', '.join(details)}")
    if len(manifest.lineup) != manifest.players:
        raise ValueError(f"the lineup has {len(manifest.lineup)} places for {manifest.players} players")
    if manifest.games < 1 or manifest.chunk < 1 or not manifest.arrangements:
        raise ValueError("games, chunk and arrangements must not be empty")


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def is_run(path: Path) -> bool:
    """Whether this folder carries a manifest of ours, of any format, readable or not in the details."""
    read = _read_json(path / MANIFEST)
    return isinstance(read, dict) and {"format", "game", "lineup", "seed", "rules_digest"} <= read.keys()


def empty_run(path: Path) -> None:
    """Remove what is in a run folder, its manifest last. UserError, and nothing removed, if it is not one."""
    if not is_run(path):
        raise UserError(f"{path} is not a run folder: --force leaves it alone. Choose another place with -o.")
    try:
        for child in path.iterdir():
            if child.is_dir() and not child.is_symlink():
                shutil.rmtree(child)
            elif child.name != MANIFEST:
                child.unlink()
        (path / MANIFEST).unlink()
    except OSError as error:
        raise UserError(f"{path} cannot be emptied: {error.strerror}.") from error
    with suppress(OSError):  # the current folder or a mount stays, empty
        path.rmdir()
