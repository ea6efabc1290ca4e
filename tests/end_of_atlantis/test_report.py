"""The report: sound HTML that needs nothing else, with the numbers that pandas finds in the same folder."""

import csv
import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.balance import FIRST, build_report, take_first
from analysis.commands.report import report as command
from analysis.frames import read_run
from analysis.games.end_of_atlantis import SOURCE_NAMES, label_options
from analysis.report import Report, render_html, render_json, render_markdown
from analysis.sections.seats import seats
from kernels.end_of_atlantis import codes
from sim.errors import UserError
from tests.statistics.fake_run import Truth, write_run
from tests.statistics.test_frames import MIXED, read_parts

VOID = {"meta", "link", "br", "img", "input", "hr"}
EVIL = "<script>alert('policy')</script>"


class Page(HTMLParser):
    """Checks nesting and gathers tags, words and the cells of every table by its caption."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.words: list[str] = []
        self._caption = self._cell = ""
        self._rows: list[list[str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self._rows, self._caption = [], ""
        if tag == "tr":
            self._rows.append([])
        if tag in ("td", "th"):
            self._cell = ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag in ("td", "th"):
            self._rows[-1].append(" ".join(self._cell.split()))
        if tag == "table":
            self.tables[self._caption] = self._rows

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)
        if "caption" in self.open:
            self._caption += data
        if {"td", "th"} & set(self.open):
            self._cell += data

    @property
    def text(self) -> str:
        """All words, single spaces between them."""
        return " ".join("".join(self.words).split())


class Shown:
    """A report's words and tables as they are shown, without drawing the page."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.tables = [t for section in report.sections for b in section.blocks for t in b.tables]
        sentences = [words for s in report.sections for words in (s.sentence, *s.caveats)]
        self.text = " ".join([report.lead, *report.notices, *sentences])

    def table(self, beginning: str) -> dict[str, list[str]]:
        """Rows by their first cell, of the table whose caption begins so."""
        table = next(t for t in self.tables if t.caption.startswith(beginning))
        return {row[0]: row[1:] for row in table.shown()}


def make_shown(path: Path, delta: float = 0.01) -> Shown:
    return Shown(build_report(read_run(path), delta))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """4,000 games of four fair seats that share wins now and then."""
    path = tmp_path_factory.mktemp("runs") / "base"
    write_run(path, 4_000, Truth(shared=0.05), chunk=1_000)
    return path


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 games of 500 deals in four seatings, some of them cut off."""
    path = tmp_path_factory.mktemp("runs") / "mixed"
    truth = Truth((0.3, 0.25, 0.25, 0.2), (("random", 0.3),), sticky=0.4, shared=0.05, truncated=0.02)
    write_run(path, 2_000, truth, MIXED, chunk=400)
    return path


@pytest.fixture(scope="module")
def report(base: Path) -> Report:
    return build_report(read_run(base))


@pytest.fixture(scope="module")
def page(report: Report) -> Page:
    return Page(render_html(report))


@pytest.fixture(scope="module")
def shown(report: Report) -> Shown:
    return Shown(report)


@pytest.fixture(scope="module")
def shown_mixed(mixed: Path) -> Shown:
    return make_shown(mixed)


def spell(value: float, low: float, high: float, digits: int = 1, scale: float = 100, unit: str = "%") -> str:
    ends = f"{low * scale:.{digits}f}, {high * scale:.{digits}f}"
    return f"{value * scale:.{digits}f}{unit} [{ends}]".replace("-", "−")


def spell_clusters(y: pd.Series, x: pd.Series, digits: int = 1, scale: float = 100, unit: str = "%") -> str:
    """A ratio over deals with Student's interval, worked out the long way."""
    y, x = y[x > 0].astype(float), x[x > 0].astype(float)
    value = y.sum() / x.sum()
    error = np.sqrt(len(x) / (len(x) - 1) * ((y - value * x) ** 2).sum()) / x.sum()
    half = stats.t.ppf(0.975, len(x) - 1) * error
    return spell(value, value - half, value + half, digits, scale, unit)


def read_seats(path: Path) -> pd.DataFrame:
    """Seat rows with their deal, of the games that ended by the rules."""
    games = read_parts(path, "games")
    return read_parts(path, "seats").merge(games[games.end_reason == 0][["game", "deal"]], on="game")


# The page as a page


def test_page_is_well_formed_with_unique_ids_and_live_links(page: Page) -> None:
    assert page.open == []
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    for _, attrs in page.tags:
        link = attrs.get("href")
        assert link is None or link.startswith("data:text/csv") or (link.startswith("#") and link[1:] in ids)
        for known in re.findall(r"url\(#([^)]*)\)", " ".join(v or "" for v in attrs.values())):
            assert known in ids


def test_page_needs_nothing_else(report: Report) -> None:
    html = render_html(report)
    assert "http" not in html
    assert "@import" not in html
    assert not re.search(r"<(script|link|iframe|object|embed|img|image)\b", html)
    assert not re.search(r"url\((?!#)", html)
    assert not re.search(r"\son\w+=", html)


def test_every_table_can_be_taken_along_as_csv(report: Report, page: Page) -> None:
    links = [attrs["href"] or "" for _, attrs in page.tags if "download" in attrs]
    tables = [t for s in json.loads(render_json(report))["sections"].values() for t in s["tables"].values()]
    assert len(links) == len(tables) > 20
    for link, table in zip(links, tables):
        heads, *rows = csv.reader(StringIO(unquote(link.partition(",")[2])))
        assert len(rows) == len(table["rows"])
        for cells, values in zip(rows, table["rows"]):
            found = dict(zip(heads, cells, strict=True))
            for column, value in zip(table["columns"], values):
                if isinstance(value, dict):
                    parts = [("", "value"), (" low", "low"), (" high", "high"), (" n", "n")]
                    for part, name in parts:
                        cell = found[column["title"] + part]
                        assert cell == "" if value[name] is None else float(cell) == value[name]
                else:
                    assert found[column["title"]] == ("" if value is None else str(value))


def find_browser() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return os.environ.get("CHROMIUM") or next((path for name in names if (path := shutil.which(name))), None)


PROBE = """<script>
addEventListener("error", e => parent.postMessage("ERROR " + e.message, "*"));
addEventListener("load", () => {
  const root = document.documentElement;
  parent.postMessage(`SEEN ${root.clientWidth} ${root.scrollWidth} ${performance.getEntriesByType("resource").length}`, "*");
});
</script></body>"""  # noqa: E501


@pytest.mark.skipif(find_browser() is None, reason="needs chromium, in PATH or named by CHROMIUM")
@pytest.mark.parametrize("width", [400, 1200])
def test_a_browser_shows_the_page_without_sideways_scroll_and_fetches_nothing(
    report: Report, tmp_path: Path, width: int
) -> None:
    (tmp_path / "page.html").write_text(render_html(report).replace("</body>", PROBE), encoding="utf-8")
    frame = f'<iframe src="page.html" style="border:0;width:{width}px;height:900px"></iframe>'
    script = '<script>addEventListener("message", e => document.body.append(" [" + e.data + "] "))</script>'
    (tmp_path / "outer.html").write_text(f"<body>{script}{frame}</body>", encoding="utf-8")
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    asks = [find_browser() or "", *quiet, "--virtual-time-budget=5000", "--window-size=1300,1000", "--dump-dom"]
    address = (tmp_path / "outer.html").as_uri()
    shown = subprocess.run([*asks, address], capture_output=True, text=True, timeout=120, check=True).stdout
    seen = re.search(r"\[SEEN (\d+) (\d+) (\d+)\]", shown)
    assert seen is not None, shown[-500:]
    inside, needed, fetched = map(int, seen.groups())
    assert width - 20 <= inside <= width
    assert needed <= inside
    assert fetched == 0
    assert "[ERROR" not in shown


def test_every_picture_has_words_and_every_table_a_caption(page: Page) -> None:
    names = [tag for tag, _ in page.tags]
    assert names.count("svg") > 10
    assert names.count("svg") == names.count("desc")
    assert names.count("title") == names.count("svg") + 1
    assert names.count("caption") == names.count("table")
    assert all(attrs.get("role") == "img" for tag, attrs in page.tags if tag == "svg")


def test_page_has_no_bare_p_values_nor_numbers_that_are_none(page: Page) -> None:
    assert not re.search(r"\b(nan|NaN|None|inf)\b", page.text)
    assert not re.search(r"\bp\s*[=<>]", page.text)


def test_what_files_say_is_text_and_nothing_else(tmp_path: Path) -> None:
    lineup = (EVIL, "greedy", "greedy", "a|b`c`*d*")
    write_run(tmp_path / "run", 48, lineup=lineup, chunk=24, command=f"atlantis simulate --lineup {EVIL}")
    made = build_report(read_run(tmp_path / "run"))
    html = render_html(made)
    page = Page(html)
    assert "<script" not in html
    assert EVIL in page.text
    assert "<script>alert('note')</script>" in page.text
    text = render_markdown(made)
    assert "<script" not in text.split("## How to run it again")[0]
    for table in (t for section in made.sections for b in section.blocks for t in b.tables):
        for line in table.as_markdown().splitlines()[2:]:
            assert len(re.findall(r"(?<!\\)\|", line)) == len(table.columns) + 1
    assert json.loads(render_json(made))["run"]["lineup"] == list(lineup)


def test_every_format_shows_the_same(report: Report, mixed: Path) -> None:
    for made in (report, build_report(read_run(mixed))):
        page, text, content = Page(render_html(made)), render_markdown(made), json.loads(render_json(made))
        listed = [t for section in content["sections"].values() for t in section["tables"].values()]
        assert [t["caption"] for t in listed] == list(page.tables)
        plain = text.replace("\\", "").replace("&lt;", "<").replace("&gt;", ">")
        for table in listed:
            assert f"*{table['caption']}*" in plain
            for cells, values in zip(page.tables[table["caption"]][1:], table["rows"], strict=True):
                assert f"| {' | '.join(cells)} |" in plain
                for cell, value, column in zip(cells, values, table["columns"], strict=True):
                    number = value["value"] if isinstance(value, dict) else value
                    if column["kind"] in ("share", "bar") and number is not None and 0.0005 < number < 0.9995:
                        assert cell.split()[0] == f"{100 * number:.1f}%"
        for section in content["sections"].values():
            assert section["sentence"] in page.text
            assert section["sentence"] in plain


# The numbers


def test_credits_are_those_of_pandas(base: Path, shown: Shown) -> None:
    rows = shown.table("Credit by seat, n=4,000 games in 4,000 deals")
    for seat, own in read_seats(base).groupby("seat"):
        low, high = stats.ttest_1samp(own.credit, 0).confidence_interval(0.95)
        assert rows[f"Seat {seat + 1}"][0] == spell(own.credit.mean(), low, high)
        assert rows[f"Seat {seat + 1}"][1].startswith(f"{100 * own.credit.mean() - 25:+.1f} pp".replace("-", "−"))


def test_credits_over_shared_deals_are_those_of_pandas(mixed: Path, shown_mixed: Shown) -> None:
    rows = read_seats(mixed)
    by_seat, by_policy = shown_mixed.table("Credit by seat"), shown_mixed.table("Wins by policy")
    for seat, own in rows.groupby("seat"):
        deals = own.groupby("deal").credit
        assert by_seat[f"Seat {seat + 1}"][0] == spell_clusters(deals.sum(), deals.size())
    for policy, own in rows.groupby("policy", observed=True):
        deals, count = own.groupby("deal").credit, MIXED.count(policy)
        assert by_policy[policy][:2] == [str(count), f"{25 * count}.0%"]
        assert by_policy[policy][2] == spell_clusters(deals.sum() * count, deals.size())
        assert by_policy[policy][3] == spell_clusters(deals.sum(), deals.size())


def test_points_are_those_of_pandas(mixed: Path, shown_mixed: Shown) -> None:
    shown = shown_mixed.table("VP at the end by seat")
    for seat, own in read_seats(mixed).groupby("seat"):
        deals = own.groupby("deal").vp
        mean, *quantiles = shown[f"Seat {seat + 1}"]
        assert mean == spell_clusters(deals.sum(), deals.size(), scale=1, unit="")
        theirs = np.quantile(own.vp, (0.05, 0.25, 0.5, 0.75, 0.95), method="inverted_cdf")
        assert [int(cell.split()[0]) for cell in quantiles] == theirs.tolist()


def test_sources_are_those_of_pandas(mixed: Path, shown_mixed: Shown) -> None:
    rows = read_seats(mixed)
    shown = shown_mixed.table("VP by source")
    for source, label in (("colours", "other colours aboard"), ("no_mercy", "No Mercy For The Weak")):
        value = rows[f"vp_{source}"]
        for column, weight in ((0, rows.credit), (1, 1 - rows.credit)):
            y, x = (value * weight).groupby(rows.deal).sum(), weight.groupby(rows.deal).sum()
            assert shown[label][column] == spell_clusters(y, x, 2, 1, "")
        assert shown[label][3] == f"{100 * value.sum() / rows.vp.sum():.1f}%".replace("-", "−")
    assert shown["the start"][:3] == ["2.00 [2.00, 2.00]", "2.00 [2.00, 2.00]", "0.00 [0.00, 0.00]"]
    assert f"in every one of the {len(rows):,} seat rows the sources add up" in shown_mixed.text


def test_margins_are_those_of_pandas(base: Path, shown: Shown) -> None:
    seats = read_parts(base, "seats")
    top = np.sort(seats.vp.to_numpy().reshape(-1, 4), axis=1)
    lead = np.where((seats["rank"].to_numpy().reshape(-1, 4) == 1).sum(axis=1) > 1, 0, top[:, -1] - top[:, -2])
    middle = np.quantile(lead, 0.5, method="inverted_cdf")
    assert shown.table("The winner's lead")["median"][0].split()[0] == f"{middle:.0f}"
    assert f"{(lead <= 1).mean() * 100:.1f}% of games are won by 1 VP or less" in shown.text


def test_lengths_are_those_of_pandas(base: Path, shown: Shown) -> None:
    games = read_parts(base, "games")
    rows = shown.table("Games by number of turns")
    for turns, count in games.turns.value_counts().items():
        ends = stats.binomtest(int(count), len(games)).proportion_ci(0.95, "wilson")
        assert rows[str(turns)][0] == spell(count / len(games), ends.low, ends.high)
    low, high = stats.ttest_1samp(games.decisions, 0).confidence_interval(0.95)
    assert shown.table("Length of a game")["decisions"][0] == spell(games.decisions.mean(), low, high, 2, 1, "")
    assert shown.table("What ended the game")["third Doom!"] == ["4,000", "100.0%"]


def test_options_are_those_of_pandas(mixed: Path, shown_mixed: Shown) -> None:
    rows = read_seats(mixed)
    deals = rows.groupby("deal")
    taken, chances = shown_mixed.table("Laying a card")["Sabotage"]
    assert taken == spell_clusters(deals.chosen_lay_sabotage.sum(), deals.legal_lay_sabotage.sum())
    assert chances == f"{rows.legal_lay_sabotage.sum() / rows.game.nunique():.1f}"
    assert "Nobody ever used 1 of 62 options, though they could: Betrayal on a Senate pool." in shown_mixed.text
    assert "Never possible in these games: play Special extra ship." in shown_mixed.text


def test_every_option_of_the_game_has_a_name() -> None:
    named = [name for group in label_options() for name in group.labels]
    assert named == list(codes.OPTIONS)
    assert set(SOURCE_NAMES) == set(codes.SOURCES)


def test_factions_are_those_of_pandas(mixed: Path, shown_mixed: Shown) -> None:
    rows = read_parts(mixed, "turns").merge(read_seats(mixed)[["game", "seat", "deal", "credit"]], on=["game", "seat"])
    turns = (rows.seat == 0).groupby(rows.deal).sum()
    shown = shown_mixed.table("How often each Faction is held")
    for code, name in enumerate(codes.FACTIONS):
        own = rows[rows.faction == code].groupby("deal").credit
        assert shown[name][0] == spell_clusters((rows.faction == code).groupby(rows.deal).sum(), turns)
        assert shown[name][1] == spell_clusters(own.sum(), own.size())


def turn_weighted(path: Path, seat: int) -> float:
    """The seat's credit with each game counted once a turn."""
    rows = read_parts(path, "turns").merge(read_seats(path)[["game", "seat", "credit"]], on=["game", "seat"])
    return float(rows[rows.seat == seat].credit.mean())


def test_second_factions_of_a_seat_count_too(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 200, Truth((0.5, 0.5)), chunk=200)
    part = tmp_path / "run" / "turns" / "part-000000.parquet"
    turns = pl.read_parquet(part)
    first = codes.FACTION_ARCHONT + pl.col("seat")  # seat 0: Archont and Oraklos, seat 1: Basileus and Philosophios
    turns.with_columns(faction=first, faction_2=first + codes.FACTION_ORAKLOS).write_parquet(part)
    shown = make_shown(tmp_path / "run").table("How often each Faction is held")
    assert shown["Oraklos"] == shown["Archont"]
    assert shown["Philosophios"] == shown["Basileus"]
    assert {shown[name][0].split()[0] for name in ("Archont", "Oraklos", "Basileus")} == {"100.0%"}
    assert shown["Strategos"][0].startswith("0.0%")
    for seat, name in enumerate(("Oraklos", "Philosophios")):
        assert shown[name][1].startswith(f"{100 * turn_weighted(tmp_path / 'run', seat):.1f}%")


def test_ships_are_those_of_pandas(mixed: Path, shown_mixed: Shown) -> None:
    games = read_parts(mixed, "games")
    whole = games[games.end_reason == 0]
    rows = read_parts(mixed, "arrivals").merge(whole[["game", "deal"]], on="game")
    per_deal = whole.groupby("deal").size()
    shown = shown_mixed.table("Voyages to the Promised Land")
    for code, name in enumerate(codes.TILE_NAMES):
        own = rows[rows.tile == code]
        voyages = own.groupby("deal").size().reindex(per_deal.index, fill_value=0)
        assert shown[name][0] == spell_clusters(voyages, per_deal, 2, 1, "")
        for column, parts in ((1, "vp"), (2, "cubes")):
            sums = own[[f"{parts}_{seat}" for seat in range(4)]].sum(axis=1).groupby(own.deal)
            assert shown[name][column] == spell_clusters(sums.sum(), sums.size(), 2, 1, "")
    doom = (rows.cause == codes.CAUSE_DOOM).mean()
    assert shown_mixed.table("What brings ships home")["Doom phase"][1] == f"{100 * doom:.1f}%"


def test_tie_breaks_are_those_of_pandas(base: Path, shown: Shown) -> None:
    games = read_parts(base, "games")
    rows = shown.table("What told the winner")
    for level in range(3):
        count = int((games.decided_by == level).sum())
        ends = stats.binomtest(count, len(games)).proportion_ci(0.95, "wilson")
        assert rows["games"][level + 1] == spell(count / len(games), ends.low, ends.high)
    votes = games[["vote_clear", "vote_pool", "vote_marker"]].sum()
    assert rows["votes"][0] == f"{votes.sum():,}"
    assert rows["votes"][2].startswith(f"{100 * votes['vote_pool'] / votes.sum():.1f}%")


def test_rules_that_are_not_printed_are_listed_and_counted(shown: Shown) -> None:
    assert "3 of the 4 rules in force are not printed in the rulebook: 1 conflict, 1 assumed and 1" in shown.text
    assert shown.table("The rulebook is silent")["royal_chart"][:2] == ["1, 3, 6, 10, 15", "E01"]
    assert shown.table("Not as in the basic game")["events_removed"][1] == "--set events_removed=2"
    assert not any(row[0] == "start_vp" for table in shown.tables for row in table.rows)


# What a run can be


def test_verdicts_follow_what_was_planted(tmp_path: Path) -> None:
    write_run(tmp_path / "biased", 6_000, Truth((0.31, 0.23, 0.23, 0.23)), detail="seats")
    write_run(tmp_path / "fair", 12_000, detail="seats", chunk=12_000)
    write_run(tmp_path / "open", 300, detail="seats")
    biased, undecided = (seats(read_run(tmp_path / name), 0.01) for name in ("biased", "open"))
    fair = seats(read_run(tmp_path / "fair"), 0.02)
    assert re.search(r"Seats are biased: seat 1 wins 3\d\.\d% \[", biased.sentence)
    assert biased.blocks[0].tables[0].rows[0][3] == "above by more than 1 pp"
    assert fair.sentence.startswith("Seats are balanced within 2 pp: every seat wins 2")
    assert re.match(r"Undecided: about [\d,]+ more games needed", undecided.sentence)


def test_margin_decides_the_verdict(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 8_000, Truth((0.28, 0.24, 0.24, 0.24)), detail="seats", chunk=8_000)
    run = read_run(tmp_path / "run")
    assert [seats(run, delta).card.answer for delta in (0.005, 0.05)] == ["Biased", "Small bias, within 5 pp"]


def test_unfinished_run_says_so(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 4_000, chunk=500, finished=1_500)
    shown = make_shown(tmp_path / "run")
    assert "This run is not finished: 1,500 of 4,000 games so far." in shown.text
    assert shown.table("Credit by seat, n=1,500 games")


def test_run_without_turns_says_which_detail_brings_them(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 400, detail="seats")
    shown = make_shown(tmp_path / "run")
    others = shown.table("Questions, and what answers them")
    for asks in ("When is it over?", "Which ships matter?", "How often does the last at half-time win?"):
        assert "needs --detail turns" in others[asks][0]
    assert "Archont" in shown.table("Share of all picks by Faction")
    cards = dict(shown.report.cards)
    assert cards["more"].answer == "Not recorded"
    assert "last-rounds" not in cards


# The first screen, and what a page may claim


def test_first_screen_asks_its_questions_in_order_and_leads_to_their_sections(report: Report, page: Page) -> None:
    assert [key for key, _ in report.cards] == list(FIRST)
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    for key, card in (*report.cards, *report.lesser):
        assert key in ids
        assert re.search(r"\d", card.sentence)
    assert all(card.picture for _, card in report.cards)


def test_what_is_only_company_is_marked(report: Report) -> None:
    marks = {section.key: section.mark for section in report.sections}
    for key in ("faction", "senate", "card", "neutrals"):
        assert "company, not cause" in marks[key]
    for key in ("length", "scoring", "unused"):
        assert "company" not in marks[key]


def test_verdicts_hold_over_the_whole_page(tmp_path: Path) -> None:
    truth = Truth((0.262, 0.254, 0.246, 0.238), (("random", 0.93),))
    write_run(tmp_path / "run", 24_000, truth, MIXED, detail="seats", chunk=4_000)
    shown = make_shown(tmp_path / "run")
    rows = read_seats(tmp_path / "run")
    means = [own.groupby("deal").credit.mean() for _, own in rows.groupby("seat")]
    tokens = list(dict.fromkeys(MIXED))
    by_policy = [rows[rows.policy == token].groupby("deal").credit.mean() for token in tokens]
    p_values = [stats.ttest_1samp(own, 0.25).pvalue for own in (*means, *by_policy[: 1 if len(tokens) == 2 else None])]
    table = next(t for t in shown.tables if t.name == "verdicts")
    said = [row[-1] == "surely not even" for row in table.rows]
    fallen = multipletests(p_values, 0.05, "holm")[0].tolist()
    assert sorted(said) == sorted(fallen)
    assert 0 < sum(said) < len(said), "plant something that only some comparisons find"
    assert said[:4] == fallen[:4]


def test_sections_that_describe_read_the_first_games_of_a_large_run(base: Path) -> None:
    run = read_run(base)
    assert take_first(run, 4_000) is run
    made = build_report(run, enough=1_000)
    sections = {section.key: section for section in made.sections}
    assert sections["seat"].blocks[0].tables[0].caption.startswith("Credit by seat, n=4,000 games")
    assert "From the first 1,000 of 4,000 games" in " ".join(sections["agency"].caveats)
    rows = read_seats(base)
    rows = rows[rows.game < 1_000]
    table = next(t for b in sections["agency"].blocks for t in b.tables if t.name == "doing")
    shown = {row[0]: row[1:] for row in table.shown()}
    assert shown["cards played"][0] == spell_clusters(
        rows.groupby("deal").cards_played.sum(), rows.groupby("deal").size(), 2, 1, ""
    )


def test_cut_off_games_are_counted_and_bounded(mixed: Path, shown_mixed: Shown) -> None:
    cut = int((read_parts(mixed, "games").end_reason == codes.END_TRUNCATED).sum())
    assert cut > 0
    assert f"{cut} games did not end within 20,000 decisions" in shown_mixed.text
    assert f"The {cut} games that were cut off could change that." in shown_mixed.text  # 2% of them, 1 pp matters
    rows = read_seats(mixed)
    won = rows[rows.seat == 0].credit.sum()
    bounds = f"{100 * won / 2000:.1f}% to {100 * (won + cut) / 2000:.1f}%"
    assert shown_mixed.table("Credit by seat")["Seat 1"][3] == bounds


def test_last_deal_without_all_its_seatings_is_left_out_of_the_credits(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 402, lineup=MIXED)
    shown = make_shown(tmp_path / "run")
    assert shown.table("Credit by seat, n=400 games in 100 deals")
    assert "A last deal that was not planned in every seating is left out" in shown.text


@pytest.mark.parametrize(
    ("games", "truth", "finished", "detail"),
    [
        (1, Truth(), None, "turns"),
        (2, Truth((1.0, 0.0)), None, "turns"),
        (40, Truth((1.0, 0.0, 0.0)), None, "votes"),
        (40, Truth(truncated=1.0), None, "turns"),
        (40, Truth(truncated=1.0), None, "seats"),
        (40, Truth(shared=1.0), None, "seats"),
        (40, Truth((0.2,) * 5), None, "seats"),
        (100, Truth(), 0, "turns"),
    ],
)
def test_little_or_odd_data_give_a_plain_page(
    tmp_path: Path, games: int, truth: Truth, finished: int | None, detail: str
) -> None:
    write_run(tmp_path / "run", games, truth, detail=detail, chunk=50, finished=finished)
    made = build_report(read_run(tmp_path / "run"))
    page = Page(render_html(made))
    assert not re.search(
        r"\b(nan|NaN|None|inf)\b", page.text + "".join(str(attrs) for _, attrs in page.tags if attrs.get("d"))
    )
    assert json.loads(render_json(made))["run"]["games_planned"] == games
    assert "balanced within" not in made.cards[0][1].sentence


def test_credits_that_do_not_sum_to_one_are_refused(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 50)
    part = tmp_path / "run" / "seats" / "part-000000.parquet"
    rows = pl.read_parquet(part)
    wrong = pl.when((pl.col("game") == 7) & (pl.col("seat") == 2)).then(0.5).otherwise(pl.col("credit"))
    rows.with_columns(credit=wrong).write_parquet(part)
    with pytest.raises(UserError, match="credits of 1 game do not sum to 1, the first being game 7"):
        build_report(read_run(tmp_path / "run"))


def test_sources_that_do_not_add_up_are_shown(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 50)
    part = tmp_path / "run" / "seats" / "part-000000.parquet"
    pl.read_parquet(part).with_columns(vp=pl.col("vp") + (pl.col("game") == 3)).write_parquet(part)
    assert "In 4 rows the sources do not add up to the VP" in make_shown(tmp_path / "run").text


# The command


def run_command(*arguments: object) -> str:
    result = CliRunner().invoke(command, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_command_writes_what_the_ending_says(tmp_path: Path) -> None:
    write_run(tmp_path / "run", 60)
    for ending, beginning in ((".html", "<!doctype html>"), (".md", "# End of Atlantis"), (".json", "{")):
        out = tmp_path / "deep" / f"report{ending}"
        assert run_command(tmp_path / "run", "-o", out).strip() == str(out)
        assert out.read_text(encoding="utf-8").startswith(beginning)
    run_command(tmp_path / "run", "-o", tmp_path / "page.txt", "--format", "json")
    assert json.loads((tmp_path / "page.txt").read_text(encoding="utf-8"))["run"]["games_finished"] == 60


def test_command_prints_text_and_puts_pages_in_the_run(tmp_path: Path) -> None:
    path = tmp_path / "run"
    write_run(path, 60)
    assert run_command(path, "--format", "md").startswith("# End of Atlantis")
    assert json.loads(run_command(path, "--format", "json", "--delta", "2pp"))["run"]["delta"] == 0.02
    assert run_command(path).strip() == str(path / "report.html")
    assert run_command(path).strip() == str(path / "report.html")  # a report may be replaced


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--delta", "0"], "--delta"),
        (["--delta", "much"], "--delta"),
        (["-o", "report.pdf"], "--format"),
        (["-o", ".", "--format", "md"], "folder"),
    ],
)
def test_command_explains_what_cannot_be(base: Path, arguments: list[str], words: str) -> None:
    with pytest.raises(UserError, match=words):
        CliRunner().invoke(command, [str(base), *arguments], catch_exceptions=False)


def test_command_wants_a_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run folder"):
        CliRunner().invoke(command, [str(tmp_path)], catch_exceptions=False)
    assert not list(tmp_path.iterdir())
