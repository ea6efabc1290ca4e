"""The hidden-information check: planted cheats are caught and named, fair policies are left in peace."""

import json
import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli import atlantis
from kernels.end_of_atlantis import codes as c
from sim.games import find_game
from sim.peeking import KINDS, Verdict, check_policy, list_tables
from sim.policies import PolicyStuckError, find_policy

GAME = find_game("end-of-atlantis")
TABLES = [(4, ()), (3, ("revealed-specials",)), (5, ("revealed-events",)), (2, ())]

POLICIES = '''
import random
import time

import numpy as np

from kernels.end_of_atlantis import codes as c
from kernels.end_of_atlantis import policy
from kernels.end_of_atlantis.hidden import resample_hidden
from kernels.end_of_atlantis.step import advance, apply, legal as legal_actions
from kernels.rng import below, draw_word


def hand(state, rules, legal, n, weights, scratch):
    """Bids by the Ships cards of the seat to the left."""
    if state.prompt == c.PROMPT_BID:
        return min(int(state.hand[(state.actor + 1) % rules.players, c.POLITICS_SHIPS]), n - 1)
    return n - 1


@policy
def pending(state, rules, legal, n, weights, scratch):
    """Outbids the secret bids made before."""
    if state.prompt == c.PROMPT_BID:
        most = 0
        for seat in range(state.actor):
            most = max(most, state.pending[seat])
        return min(most + 1, n - 1)
    return 0


@policy
def top_event(state, rules, legal, n, weights, scratch):
    """Picks a Faction by the Event to come."""
    if state.prompt == c.PROMPT_FACTION and state.event_deck[state.event_top] == c.EVENT_CHAOS:
        return n - 1
    return 0


@policy
def dead_end(state, rules, legal, n, weights, scratch):
    """Picks a Faction by an Event that setup left behind the deck: it is in the game for sure."""
    if state.prompt == c.PROMPT_FACTION:
        return int(state.event_deck[c.EVENT_CARDS - 1]) % n
    return 0


@policy
def facedown(state, rules, legal, n, weights, scratch):
    """Bids by the card that the Oraklos keeps face down."""
    holder = state.holder[c.FACTION_ORAKLOS]
    if state.prompt == c.PROMPT_BID and holder >= 0 and state.facedown[state.slot] == 1:
        return min(int(state.laid[holder, state.slot]), n - 1)
    return 0


def laid(state, rules, legal, n, weights, scratch):
    """Lays by what the first seat has laid in secret."""
    if state.prompt == c.PROMPT_LAY and state.actor > 0:
        return int(state.laid[0, 0]) % n
    return 0


@policy
def special(state, rules, legal, n, weights, scratch):
    """Plays cards or not by what Special cards the seat to the right holds."""
    if state.prompt == c.PROMPT_PLAY and state.effects[(state.actor - 1) % rules.players] & 8:
        return n - 1
    return 0


@policy
def luck(state, rules, legal, n, weights, scratch):
    """Works out a bid from the word that the seat before has drawn for it."""
    if state.prompt == c.PROMPT_BID and state.actor > 0:
        return below(int(state.draw_words[state.actor - 1, 0]), n)
    return below(draw_word(state, c.PURPOSE_POLICY, int(state.actor)), n)


@policy
def seed(state, rules, legal, n, weights, scratch):
    """Knows the run seed, and so every card."""
    if state.prompt == c.PROMPT_SENATE_BID:
        return (int(state.policy_key[0]) ^ int(state.deal)) % n
    return 0


def look_ahead(ahead, rules, action, steps):
    """Some number of what comes of an action, if all others take their first one."""
    out = np.zeros(96, np.int16)
    for _ in range(steps):
        apply(ahead, rules, action)
        advance(ahead, rules)
        if ahead.phase == c.PHASE_OVER:
            return 0
        legal_actions(ahead, rules, out)
        action = int(out[0])
    return int(ahead.vp.sum() + ahead.on_cards @ np.arange(5))


def unshuffled(state, rules, legal, n, weights, scratch):
    """Looks into the future with the real cards: bids enough to beat the bids made, as it turns out."""
    if state.prompt != c.PROMPT_BID:
        return 0
    scratch[0] = state
    return look_ahead(scratch[0], rules, 0, 6) % n


def thoughtful(state, rules, legal, n, weights, scratch):
    """Fair: looks into a future of its own."""
    if state.prompt != c.PROMPT_BID:
        return 0
    total = 0
    for number in range(2):
        scratch[0] = state
        resample_hidden(scratch[0], rules, state.actor, np.uint64(state.turn), number)
        total += look_ahead(scratch[0], rules, 0, 6)
    return total % n


@policy
def dreamer(state, rules, legal, n, weights, scratch):
    """Fair: acts on cards and bids that it imagines, by its own luck."""
    seat = int(state.actor)
    other = (seat + 1) % rules.players
    seed = np.uint64(draw_word(state, c.PURPOSE_POLICY, seat))
    scratch[1] = state
    dream = scratch[1]
    resample_hidden(dream, rules, seat, seed, state.turn)
    total = 0
    for kind in range(9):
        total = 3 * total + dream.hand[other, kind]
    for kind in range(25):
        total = (3 * total + dream.special[other, kind]) % 1000003
    for place in range(dream.politics_top, dream.politics_size):
        total = (3 * total + dream.politics_deck[place]) % 1000003
    for place in range(dream.special_top, dream.special_size):
        total = (3 * total + dream.special_deck[place]) % 1000003
    for place in range(dream.event_top, dream.event_size):
        total = (3 * total + dream.event_deck[place]) % 1000003
    total += dream.pending[other] + dream.laid[other, 0] + dream.key[0] % 7
    return int(total) % n


def observant(state, rules, legal, n, weights, scratch):
    """Fair: looks at all its seat may see."""
    seat, last = int(state.actor), int(rules.players) - 1
    seen = [int(state.hand[seat] @ np.arange(9)), int(state.special[seat].sum()), int(state.effects[seat])]
    seen += [int(state.vp[last]), int(state.supply[last]), int(state.aboard.sum()), int(state.politics_discard.sum())]
    seen += [int(state.special_known[last].sum()), int(state.event_history.sum()), int(state.politics_top)]
    holder = int(state.holder[c.FACTION_ORAKLOS])
    if state.revealed:
        seen += [int(state.laid[s, k]) for s in range(5) for k in range(5) if s != holder or not state.facedown[k]]
    if rules.revealed_events and state.event_top < state.event_size:
        seen.append(int(state.event_deck[state.event_top]))
    if state.prompt == c.PROMPT_DEMAGOGOS_CHANGE:
        seen.append(int(state.pending[state.looked_at]))
    if state.prompt in (c.PROMPT_DEMAGOGOS_LOOK, c.PROMPT_DEMAGOGOS_CHANGE):
        seen.append(int(state.pending[seat]))
    return hash(tuple(seen)) % n


def chance(state, rules, legal, n, weights, scratch):
    """Chance of its own."""
    return random.randrange(n)


class Diary:
    """Remembers how often it was asked."""

    def __init__(self):
        self.pages = 0

    def __call__(self, state, rules, legal, n, weights, scratch):
        self.pages += 1
        return self.pages // 2 % n


@policy
def leftovers(state, rules, legal, n, weights, scratch):
    """Finds in scratch what it wrote there at its last decision."""
    answer = (int(scratch[2].turn) + 1) % n
    scratch[2].turn = 1 + state.turn
    return answer


@policy
def thief(state, rules, legal, n, weights, scratch):
    """Helps itself to points."""
    if state.prompt == c.PROMPT_PLAY:
        state.vp[state.actor] += 1
    return n - 1


@policy
def lender(state, rules, legal, n, weights, scratch):
    """Draws words from the stream of another seat."""
    other = (int(state.actor) + 1) % rules.players
    return below(draw_word(state, c.PURPOSE_POLICY, other), n)


def scribbler(state, rules, legal, n, weights, scratch):
    """Sorts its legal actions in place."""
    legal[:n] = legal[:n][::-1].copy()
    return 0


def lawmaker(state, rules, legal, n, weights, scratch):
    rules.start_vp += 1
    return 0


def learner(state, rules, legal, n, weights, scratch):
    weights[3] += 1.0
    return 0


@policy
def beyond(state, rules, legal, n, weights, scratch):
    return n if state.prompt == c.PROMPT_LAY else 0


@policy
def below_zero(state, rules, legal, n, weights, scratch):
    return legal[0]


def broken(state, rules, legal, n, weights, scratch):
    return [0][n]


def half(state, rules, legal, n, weights, scratch):
    return 0.5


def tired(state, rules, legal, n, weights, scratch):
    if state.turn == 2:
        time.sleep(1.5)
    return 0
'''


class Plugins:
    """A file for each policy, as a file's jitted policies are compiled whenever it is loaded."""

    def __init__(self, folder: Path) -> None:
        imports, *policies = POLICIES.split("\n\n\n")
        [helper] = [text for text in policies if text.startswith("def look_ahead")]
        policies.remove(helper)
        imports += f"\n\n\n{helper}"
        self.tokens: dict[str, str] = {}
        for text in policies:
            name = re.search(r"^(?:def|class) (\w+)", text, re.MULTILINE)[1]
            (folder / f"{name}.py").write_text(f"{imports}\n\n\n{text}\n")
            self.tokens[name] = f"{folder / name}.py:{name}"
        self.load = cache(lambda name: find_policy(GAME, self.tokens[name]))

    def check(self, name: str, *, games: int = 8, **options: Any) -> Verdict:
        return check_policy(GAME, self.load(name), games=games, tables=TABLES, timed=False, **options)


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Plugins:
    return Plugins(tmp_path_factory.mktemp("policies"))


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_built_in_policy_never_peeks(name: str) -> None:
    verdict = check_policy(GAME, find_policy(GAME, name), games=16, tables=TABLES)
    assert verdict.sound
    assert verdict.games == 16
    assert verdict.decisions > 2000
    assert len(verdict.prompts) > 20
    assert all(count.peeks == 0 for count in verdict.prompts)
    assert verdict.nanoseconds is not None
    assert verdict.nanoseconds > 0


@pytest.mark.parametrize("name", ["observant", "thoughtful", "dreamer"])
def test_a_fair_policy_is_left_in_peace(plugins: Plugins, name: str) -> None:
    verdict = plugins.check(name)
    assert verdict.findings == ()
    assert verdict.held == dict.fromkeys(KINDS, True)
    assert verdict.decisions > 1000


@pytest.mark.parametrize(
    ("name", "prompt", "fields"),
    [
        ("hand", "bid", {"hand"}),
        ("pending", "bid", {"pending"}),
        ("top_event", "faction", {"event_deck"}),
        ("dead_end", "faction", {"event_deck"}),
        ("facedown", "bid", {"laid"}),
        ("laid", "lay", {"laid"}),
        ("special", "play", {"effects"}),
        ("luck", "bid", {"draw_words"}),
        ("seed", "senate_bid", {"policy_key", "deal"}),
        ("unshuffled", "bid", {"pending"}),
    ],
)
def test_a_cheat_is_caught_and_named(plugins: Plugins, name: str, prompt: str, fields: set[str]) -> None:
    verdict = plugins.check(name, worlds=8)
    assert not verdict.sound
    assert {count.prompt for count in verdict.prompts if count.peeks} == {prompt}
    [finding] = verdict.findings
    assert (finding.kind, finding.prompt) == ("peeks", prompt)
    assert finding.reads
    assert {part.partition("[")[0] for part in finding.reads} <= fields
    assert f"[{finding.seat}]" not in "".join(finding.reads)
    assert finding.lineup[finding.seat] == verdict.policy
    assert verdict.held == {kind: kind != "peeks" for kind in KINDS}


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("chance", "wavers", "when asked again"),
        ("Diary", "wavers", "when asked again"),
        ("leftovers", "wavers", "when asked again"),
        ("thief", "meddles", "changes state.vp["),
        ("lender", "meddles", "changes state.draw_"),
        ("scribbler", "meddles", "changes legal"),
        ("lawmaker", "meddles", "changes rules"),
        ("learner", "meddles", "changes weights"),
        ("beyond", "strays", "actions are legal, 0 to"),
        ("below_zero", "strays", "answers -1 where"),
        ("broken", "raises", "raises IndexError: list index out of range"),
        ("half", "raises", "raises TypeError"),
    ],
)
def test_a_misbehaviour_is_named(plugins: Plugins, name: str, kind: str, said: str) -> None:
    verdict = plugins.check(name)
    [finding] = verdict.findings
    assert finding.kind == kind
    assert said in finding.what
    assert verdict.games < 8
    assert verdict.held == {one: False if one == kind else None for one in KINDS}


def test_meddling_names_the_fields_and_only_those(plugins: Plugins) -> None:
    [finding] = plugins.check("thief").findings
    assert finding.what == f"changes state.vp[{finding.seat}]"
    assert finding.prompt == "play"


def test_the_command_of_a_finding_replays_its_game(plugins: Plugins) -> None:
    """The game of the check is that of trace: the same cards, the same seat at the same prompt."""
    [finding] = plugins.check("special").findings
    words = [*finding.command.split()[1:], "--format", "json"]
    result = CliRunner().invoke(atlantis, words, prog_name="atlantis")
    assert result.exit_code == 0, result.output
    opening = json.loads(result.stdout)[0]
    assert opening["data"]["lineup"] == list(finding.lineup)
    assert opening["data"]["variants"] == list(finding.variants)
    assert opening["data"]["game"] == finding.game


def test_a_check_is_repeatable_and_its_seed_matters(plugins: Plugins) -> None:
    one, same, other = (plugins.check("pending", games=2, seed=seed) for seed in (3, 3, 4))
    assert one == same
    assert one.prompts != other.prompts


def test_a_policy_that_never_answers_is_named(plugins: Plugins) -> None:
    began = time.monotonic()
    with pytest.raises(PolicyStuckError, match=r"tired has not answered for 0\.3 s \(game 0, turn 2") as error:
        plugins.check("tired", patience=0.3)
    assert time.monotonic() - began < 60
    command = str(error.value).partition("See it with: ")[2]
    assert command == f"atlantis trace {GAME.name} --players 4 --lineup {plugins.tokens['tired']} --seed 1 --game 0"


def test_tables_cover_all_players_and_variants() -> None:
    tables = list_tables(GAME)
    assert {players for players, _ in tables} == {2, 3, 4, 5}
    assert {variant for _, variants in tables for variant in variants} == {
        "aggressive-neutrals",
        "chosen-ships",
        "family",
        "revealed-events",
        "revealed-specials",
    }
    assert [variants for _, variants in tables[:4]] == [()] * 4


def test_prompts_come_in_the_order_of_the_codes(plugins: Plugins) -> None:
    names = [count.prompt for count in plugins.check("hand", games=2).prompts]
    assert names == sorted(names, key=c.PROMPTS.index)


# ---- the command


def run(*words: str) -> Result:
    return CliRunner().invoke(atlantis, ["policies", *words], prog_name="atlantis")


def test_the_command_says_that_a_policy_is_sound() -> None:
    result = run("check", GAME.name, "greedy", "--games", "4", "--worlds", "2")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("greedy plays fair")
    aspects = dict(re.split(r"  +", line.strip()) for line in result.stdout.splitlines()[1:7])
    assert [*aspects] == ["legal", "deterministic", "read only", "does not peek", "does not fail", "speed"]
    assert re.fullmatch(r"[0-9.]+ (ns|us|ms) a decision, compiled", aspects.pop("speed"))
    assert set(aspects.values()) == {"yes"}


def test_the_command_names_the_prompt_and_what_is_fair(plugins: Plugins) -> None:
    result = run("check", GAME.name, plugins.tokens["hand"], "--games", "4")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0].endswith("hand.py:hand peeks at bid.")
    told = " ".join(result.stdout.split())
    assert "It reads state.hand[" in told
    assert "A fair policy reads what its seat may see" in told
    assert "resample_hidden" in told
    assert "atlantis trace end-of-atlantis" in told


def test_the_command_as_json(plugins: Plugins) -> None:
    result = run("check", GAME.name, plugins.tokens["beyond"], "--games", "4", "--format", "json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["sound"] is False
    assert told["held"] == {kind: False if kind == "strays" else None for kind in KINDS}
    assert told["jitted"] is True
    assert told["nanoseconds"] is None
    assert [(finding["kind"], finding["prompt"]) for finding in told["findings"]] == [("strays", "lay")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "chess", "greedy"], "no game named chess"),
        (["check", GAME.name, "greddy"], "Did you mean greedy?"),
        (["check", GAME.name, "nowhere.py:f"], "no policy file nowhere.py"),
        (["check", GAME.name], "FILE.py:name"),
        (["chess"], "no game named chess"),
    ],
)
def test_a_mistake_is_exit_code_2(words: list[str], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_the_list_needs_no_word_of_its_own() -> None:
    told = run("list", GAME.name).stdout
    assert told == run(GAME.name).stdout
    assert "greedy" in told
    assert run("--format", "json", GAME.name).stdout == run(GAME.name, "--format", "json").stdout


# ---- the other game

OTHER = find_game("atlantica")

OTHER_POLICIES = """
import numpy as np

from kernels.atlantica import codes as c
from kernels.atlantica import policy
from kernels.atlantica.hidden import resample_hidden
from kernels.rng import below, draw_word


def neighbour(state, rules, legal, n, weights, scratch):
    if state.prompt == c.PROMPT_ACTION:
        return int(state.hand[(state.actor + 1) % rules.players, c.RED]) % n
    return 0


@policy
def next_diver(state, rules, legal, n, weights, scratch):
    if state.prompt == c.PROMPT_ACTION and state.diver_top < state.diver_size:
        return int(state.diver_deck[state.diver_top]) % n
    return 0


def storm(state, rules, legal, n, weights, scratch):
    if state.prompt == c.PROMPT_ACTION:
        deck = state.treasure_deck[state.treasure_top : state.treasure_size]
        return int(np.argmax(deck == c.HURRICANE)) % n
    return 0


@policy
def dreamer(state, rules, legal, n, weights, scratch):
    seat = int(state.actor)
    scratch[0] = state
    resample_hidden(scratch[0], rules, seat, np.uint64(draw_word(state, c.PURPOSE_POLICY, seat)), 0)
    return (3 * scratch[0].hand[(seat + 1) % rules.players, c.RED] + scratch[0].diver_deck[scratch[0].diver_top]) % n


def observant(state, rules, legal, n, weights, scratch):
    seat = int(state.actor)
    seen = [int(state.hand[seat] @ np.arange(6)), int(state.treasures.sum()), int(state.research.sum())]
    seen += [int(state.treasure_row.sum()), int(state.research_row.sum()), int(state.diver_discard.sum())]
    seen += [int(state.crates.sum()), int(state.treasure_main), int(state.diver_top), int(state.cards_played)]
    return hash(tuple(seen)) % n
"""


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("neighbour", {"hand"}),
        ("next_diver", {"diver_deck"}),
        ("storm", {"treasure_deck"}),
        ("dreamer", set()),
        ("observant", set()),
    ],
)
def test_in_the_other_game_too_cheats_are_named_and_the_fair_left_in_peace(
    name: str, fields: set[str], tmp_path: Path
) -> None:
    imports, *found = OTHER_POLICIES.split("\n\n\n")
    [text] = [text for text in found if f"def {name}(" in text]
    (tmp_path / "mine.py").write_text(f"{imports}\n\n\n{text}\n")
    verdict = check_policy(OTHER, find_policy(OTHER, f"{tmp_path / 'mine.py'}:{name}"), games=12, worlds=8, timed=False)
    assert verdict.decisions > 400
    assert {count.prompt for count in verdict.prompts if count.peeks} == ({"action"} if fields else set())
    assert {part.partition("[")[0] for finding in verdict.findings for part in finding.reads} == fields
    assert verdict.sound == (not fields)
