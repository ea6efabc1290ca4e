"""The README's commands work, and it mentions every command there is."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from analysis import bench
from cli import atlantis

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GAMES = "200"


def read_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def read_commands() -> list[str]:
    """What stands after a "$ ", lines that end in a backslash joined."""
    text = "\n".join(read_blocks("console")).replace("\\\n", " ")
    return [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]


def read_files() -> dict[str, str]:
    """Blocks that begin with a comment that is a file's name, by that name."""
    blocks = [*read_blocks("python"), *read_blocks("toml")]
    named = [(re.match(r"# (\S+\.\w+)\n", block), block) for block in blocks]
    return {match[1]: block for match, block in named if match}


def test_every_command_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the README's order in one folder, with few games, and the bench cut down to what is quick."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench, "BENCHES", {name: bench.BENCHES[name] for name in ("random", "greedy", "help")})
    for name in ("PIECE", "PIECES", "ROUNDS", "STARTS"):
        monkeypatch.setattr(bench, name, 1)
    for name, text in read_files().items():
        Path(name).write_text(text)
    commands = [words for words in map(shlex.split, read_commands()) if words[0] == "atlantis"]
    assert len(commands) >= 8
    for words in commands:
        few = [GAMES if before in ("--games", "-n") else word for before, word in zip(["", *words], words)]
        ended = CliRunner().invoke(atlantis, few[1:], prog_name="atlantis")
        assert ended.exit_code == 0, f"{shlex.join(words)}: {ended.output}{ended.exception or ''}"


def test_everything_else_it_shows_is_make_or_plain_shell() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for words in map(shlex.split, read_commands()):
        assert words[0] in {"atlantis", "make", "source"}
        if words[0] == "make":
            assert set(words[1:]) <= targets


def test_every_command_is_mentioned() -> None:
    listed = CliRunner().invoke(atlantis, ["--help"]).output.partition("Commands:")[2]
    names = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
    assert len(names) >= 8
    for name in names:
        assert f"atlantis {name}" in README, name


def test_every_file_it_points_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)", README)
    assert links
    for link in links:
        assert (ROOT / link).is_file(), link
