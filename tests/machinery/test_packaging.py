"""What is shipped: the lock, the wheel, the Makefile's choice of a Python, and no address or path of one machine."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# Written so that none of them finds itself.
ADDRESSES = re.compile(r"pypi[.](org|python)|pythonhosted[.]|npmjs[.]|deb[.]debian|--(extra-)?index|--find[-]links")
PATHS = re.compile(r"(^|[^\w.])/(work|root|tmp|farm|opt|home|Users)/", re.MULTILINE)


def list_files(*under: str) -> list[str]:
    """Files that are, or would be, part of the repository."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *under]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in told.splitlines() if (ROOT / name).is_file()]


def test_no_file_names_a_registry_or_a_path_of_this_machine() -> None:
    names = list_files()
    assert {"Makefile", "pyproject.toml", "requirements.lock", ".ci/run"} <= set(names)
    for name in names:
        text = (ROOT / name).read_bytes().decode(errors="ignore")
        for pattern in (ADDRESSES, PATHS):
            found = pattern.search(text)
            assert found is None, f"{name} holds {found[0]!r}"


def test_the_patterns_find_what_they_are_for() -> None:
    for text in ("https://pypi" + ".org/simple", "--ind" + "ex-url x", "--extra" + "-index-url x"):
        assert ADDRESSES.search(text)
    for text in ("/" + "work/main", "in '/" + "home/me/x'"):
        assert PATHS.search(text)
    assert not PATHS.search("docs/" + "work/main and a/" + "tmp/b")


def test_everything_locked_is_pinned_and_hashed() -> None:
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) > 50
    for entry in entries:
        first, *hashes = [line.strip(" \\") for line in entry.splitlines()]
        assert re.fullmatch(r"[a-z0-9-]+==[^ ]+( ; .+)?", first)
        assert hashes
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", line) for line in hashes), first


def test_the_lock_fits_the_project() -> None:
    locked: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==([^ ]+)", LOCK, re.MULTILINE):
        locked.setdefault(name, []).append(version)
    project = PROJECT["project"]
    for text in project["dependencies"] + project["optional-dependencies"]["dev"]:
        wanted = Requirement(text)
        versions = locked[canonicalize_name(wanted.name)]
        assert all(wanted.specifier.contains(version) for version in versions), text


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_of_every_floor_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        held = {name for name in opened.namelist() if ".dist-info/" not in name}
        [entry_points] = [name for name in opened.namelist() if name.endswith("entry_points.txt")]
        assert "atlantis = cli:main" in opened.read(entry_points).decode()
    assert held == set(list_files("kernels", "sim", "analysis", "cli.py"))
    assert {"cli.py", "sim/rules/end_of_atlantis/base.toml", "analysis/templates/report.html"} <= held


def test_the_wheel_works_unpacked(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path)

    def tell(cli: Path) -> str:
        words = [sys.executable, "-P", str(cli), "rules", "end-of-atlantis", "--variant", "family"]
        environment = os.environ | {"PYTHONPATH": str(cli.parent)}
        return subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout

    told = tell(tmp_path / "cli.py")
    assert told
    assert told == tell(ROOT / "cli.py")


# The Makefile


def make(folder: Path, *words: str, **pythons: str) -> subprocess.CompletedProcess[str]:
    """make in a copy of the project with these fake interpreters (name -> shell script) alone on the PATH."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    for name, script in pythons.items():
        fake = folder / "bin" / name.replace("_", ".")
        fake.parent.mkdir(exist_ok=True)
        fake.write_text(f"#!/bin/sh\n{script}\n")
        fake.chmod(0o755)
    found = shutil.which("make")
    assert found is not None
    environment = {"PATH": str(folder / "bin")}
    return subprocess.run(
        [found, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


REAL = f'exec "{sys.executable}" "$@"'
OLD = 'case "$2" in *version_info*) exit 1;; esac'
NOT_THERE = "exit 127"  # as a pyenv name that stands for nothing
BARE = f'case "$2" in *ensurepip*) exit 1;; esac\n{REAL}'
WHOLE = f'case "$1" in -m) echo "$@" > "$0.called"; exit 0;; esac\n{REAL}'


def test_make_says_what_is_wrong_where_every_python_is_too_old(tmp_path: Path) -> None:
    ended = make(tmp_path, "setup", python3_13=NOT_THERE, python3=OLD)
    assert ended.returncode != 0
    assert "needs Python 3.11 or newer, and none of these is: python3.13" in ended.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_names_the_package_where_venv_is_missing(tmp_path: Path) -> None:
    ended = make(tmp_path, "setup", python3_12=OLD, python3_11=BARE)
    assert ended.returncode != 0
    major, minor = sys.version_info[:2]
    assert "python3.11 comes without venv" in ended.stderr
    assert f"apt install python3-venv (or python{major}.{minor}-venv)" in ended.stderr


def test_make_takes_the_first_python_that_will_do(tmp_path: Path) -> None:
    make(tmp_path, ".venv/bin/python", python3_13=NOT_THERE, python3_12=BARE, python3_11=WHOLE, python3=WHOLE)
    called = [path.name for path in (tmp_path / "bin").glob("*.called")]
    assert called == ["python3.11.called"]
    assert (tmp_path / "bin" / called[0]).read_text() == "-m venv --clear .venv\n"


def test_make_takes_the_python_it_is_told(tmp_path: Path) -> None:
    ended = make(tmp_path, "setup", "PYTHON=python3.9", python3_9=OLD, python3=WHOLE)
    assert "none of these is: python3.9." in ended.stderr
    make(tmp_path, ".venv/bin/python", "PYTHON=mine", mine=WHOLE, python3=WHOLE)
    assert [path.name for path in (tmp_path / "bin").glob("*.called")] == ["mine.called"]


def test_make_lists_its_targets() -> None:
    make = shutil.which("make")
    assert make is not None
    told = subprocess.run([make, "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [phony] = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [line.split()[1] for line in told.splitlines()] == phony.split()
