"""play, ask, tell and check as functions: the same runs, answers and stories as the commands give."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from analysis.api import as_frame, ask, check, play, tell
from analysis.commands.ask import ask as ask_command
from analysis.commands.trace import trace as trace_command
from analysis.frames import Run, read_run
from sim.errors import UserError
from tests.statistics.fake_run import Truth, write_run
from tests.statistics.test_frames import read_parts

GAME = "end-of-atlantis"


class Heard(list[str]):
    """What was said, in order."""

    def __call__(self, text: str) -> None:
        self.append(text)


def play_few(folder: Path, **what: object) -> Run:
    few: dict[str, Any] = {"players": 3, "lineup": "random", "games": 120, "say": Heard()}
    return play(GAME, keep=folder, **{**few, **what})


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """2,000 games of which seat 0 wins four in ten."""
    folder = write_run(tmp_path_factory.mktemp("runs") / "base", 2_000, Truth((0.4, 0.2, 0.2, 0.2)), chunk=500)
    return read_run(folder.path)


# Play


def test_what_has_been_played_is_found_again_by_python_and_by_the_command(tmp_path: Path) -> None:
    heard = Heard()
    first = play_few(tmp_path, say=heard)
    again = play_few(tmp_path, say=heard)
    assert [text.split()[0] for text in heard] == ["playing", "reading"]
    assert first.folder.path == again.folder.path
    assert first.finished == 120
    words = ["ties", GAME, "-p", "3", "--lineup", "random", "--games", "120", "--keep", str(tmp_path)]
    told = CliRunner().invoke(ask_command, words, catch_exceptions=False)
    assert told.stdout.rstrip("\n") == str(ask("ties", first))
    assert "playing" not in told.stderr


def test_one_word_alone_is_a_list_of_one(tmp_path: Path) -> None:
    one = play_few(tmp_path, settings="start_vp=5", variants="family")
    same = play_few(tmp_path, settings=["start_vp=5"], variants=["family"])
    assert one.folder.path == same.folder.path
    assert one.manifest.variants == ["family"]
    assert one.folder.scan("seats").collect()["vp_start"].unique().to_list() == [5]


# Ask


def test_figures_are_a_frame(base: Run) -> None:
    frame = as_frame(ask("seat", base))
    expected = read_parts(base.folder.path, "seats").groupby("seat").credit.mean()
    assert frame["value"].to_list() == pytest.approx(expected.tolist())
    assert frame["target"].to_list() == [0.25] * 4
    assert frame["n"].to_list() == [2_000] * 4
    assert ((frame["low"] < frame["value"]) & (frame["value"] < frame["high"])).all()


def test_an_answer_without_figures_is_an_empty_frame(base: Run) -> None:
    frame = as_frame(ask("sets", base))
    assert frame.columns == ["label", "value", "low", "high", "n", "target"]
    assert frame.is_empty()


def test_margin_is_a_fraction(base: Run) -> None:
    said = [ask("seat", base, delta=delta).section.sentence for delta in (0.01, 0.25)]
    assert [text.split()[0] for text in said] == ["Seats", "Small"]


def test_what_is_missing_for_a_comparison_is_played_beside_the_run(tmp_path: Path) -> None:
    heard = Heard()
    changed = play_few(tmp_path, settings=["start_vp=5"])
    answer = ask("variant", changed, say=heard)
    assert [text.split()[0] for text in heard] == ["playing"]
    assert len(list(tmp_path.iterdir())) == 2
    named = ask("variant", {"two": answer.runs["as it stands"], "five": changed})
    assert as_frame(named).equals(as_frame(answer))
    [vp] = as_frame(answer).filter(label="VP a seat")["value"]
    assert vp == pytest.approx(3, abs=0.1)  # random players do not mind their points
    assert named.section.sentence.startswith("five against two: ")


def test_mixes_are_played_and_stand_beside_the_answer(tmp_path: Path) -> None:
    answer = ask("seat", play_few(tmp_path), mixes=["random*2,greedy"], say=Heard())
    assert answer.more[0].sentence.startswith("Over 2 mixes Seat ")
    assert "Over 2 mixes Seat " in answer._repr_html_()


def test_what_cannot_be_is_explained(base: Run, tmp_path: Path) -> None:
    write_run(tmp_path / "other", 40)
    two = {"one": base, "other": read_run(tmp_path / "other")}
    sea = play("atlantica", players=2, lineup="random", games=2, keep=tmp_path, say=Heard())
    for said, words in (
        (lambda: ask("sea", base), "Did you mean seat"),
        (lambda: ask("seat,length", base), "one at a time"),
        (lambda: ask("seat", {}), "none is given"),
        (lambda: ask("seat", two), "asked of one run at a time, and 2 are given"),
        (lambda: ask("variant", two, mixes=["random"]), "give one run"),
        (lambda: ask("variant", {"one": base, "sea": sea}), "different games"),
        (lambda: ask("variant", play_few(tmp_path)), "say what changes"),
        (lambda: ask("seat", base, delta=1), "fraction above 0 and below 0.5"),
        (lambda: play("atlantis"), "no game named atlantis"),
        (lambda: tell(play_few(tmp_path), 120), "there is no game 120"),
    ):
        with pytest.raises(UserError, match=words):
            said()


# Shown


class Seen(HTMLParser):
    """Cells by row, alternative texts, and tags that were not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.images: list[dict[str, str | None]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images.append(dict(attrs))
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] in (["td"], ["th"]):
            self.rows[-1].append(data)


def test_a_notebook_shows_the_sentence_the_picture_and_the_table(base: Run) -> None:
    answer = ask("seat", base)
    html = answer._repr_html_()
    seen = Seen(html)
    assert seen.open == []
    table = answer.section.blocks[0].tables[0]
    assert seen.rows == [[column.title for column in table.columns], *table.shown()]
    [image] = seen.images
    assert image["alt"] == answer.section.sentence
    assert re.match("data:image/png;base64,iVBORw0KGgo", image["src"] or "")
    assert "n = 2,000 games in 2,000 deals" in html
    assert len(html) < 60_000


def test_text_of_a_run_is_no_markup(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "<b>a&b", 40).path)
    answer = ask("variant", {"<i>one": run, "<i>other": read_run(write_run(tmp_path / "other", 40).path)})
    html = answer._repr_html_()
    assert "<i>" not in html
    assert "&lt;i&gt;other against &lt;i&gt;one" in html


def test_representation_is_the_sentence_alone(base: Run) -> None:
    answer = ask("ties", base)
    assert repr(answer) == f"<Answer ties: {answer.section.sentence}>"
    assert str(answer).splitlines()[0] == answer.section.sentence


# Tell and check


def test_a_game_is_told_as_the_command_tells_it(tmp_path: Path) -> None:
    run = play_few(tmp_path)
    words = [str(run.folder.path), "--game", "17", "--no-chances"]
    told = CliRunner().invoke(trace_command, words, catch_exceptions=False)
    assert tell(run, 17) + "\n" == told.stdout


def test_a_policy_that_fails_and_one_that_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def mine(state, rules, legal, n, weights, scratch):\n    return 0\n")
    run = play_few(tmp_path / "runs", lineup=f"{file}:mine,random*2", games=6)
    file.write_text("def mine(state, rules, legal, n, weights, scratch):\n    return n - 1\n")
    with pytest.warns(UserWarning, match="changed since .*: the file of .*mine"):
        tell(run)
    file.write_text("def mine(state, rules, legal, n, weights, scratch):\n    return n\n")
    with pytest.raises(UserError, match="mine answered"):
        tell(run)


def test_check_tells_fair_from_sly(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def fair(state, rules, legal, n, weights, scratch):\n    return n - 1\n"
        "def sly(state, rules, legal, n, weights, scratch):\n    return int(state.hand.sum()) * 0 + "
        "int(state.hand[1 - min(1, int(state.actor))].argmax()) % n\n"
    )
    assert check(GAME, f"{file}:fair", games=2).sound
    verdict = check(GAME, f"{file}:sly", games=2)
    assert {finding.kind for finding in verdict.findings} == {"peeks"}
