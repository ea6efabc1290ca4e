"""What a panel of unlike players says of one question: whoever plays, with strong play, or it depends on who plays.

One strong player alone does not speak for whoever plays: equally strong ones have been seen to disagree.

Members are judged by how exploitable they are. The least exploitable one's figures come first; it and its equals carry
the verdict. Two members clash over a figure where one is surely above its target and the other surely below, or one
surely farther off than the margin of equivalence and the other surely within it. All intervals that are read here hold
for all members and figures together (Bonferroni), at 95%.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scipy import special

from analysis.intervals import ALPHA, Estimate, Span
from analysis.page import Figure
from analysis.tables import join_words, show
from sim.exploits import TOO_MUCH, Exploit


class Kind(StrEnum):
    """How far a panel agrees."""

    ALONE = "one player"
    WHOEVER = "whoever plays"
    SINGLE = "one strong player"
    STRONG = "with strong play"
    DEPENDS = "depends on who plays"
    OPEN = "not settled"
    NOBODY = "nobody strong"


class Reading(StrEnum):
    """Where a figure lies against its target."""

    FAR_ABOVE = "far above"
    ABOVE = "above"
    EVEN = "even"
    BELOW = "below"
    FAR_BELOW = "far below"
    OPEN = "open"


UP, DOWN = {Reading.FAR_ABOVE, Reading.ABOVE}, {Reading.FAR_BELOW, Reading.BELOW}
FAR = {Reading.FAR_ABOVE, Reading.FAR_BELOW}


@dataclass(frozen=True)
class Member:
    """A player of the panel: its figures of the question, games they rest on, and how exploitable it is."""

    token: str
    figures: tuple[Figure, ...]
    games: int
    exploit: Exploit | None = None

    def find(self, label: str) -> Figure | None:
        """Its figure of that label."""
        return next((figure for figure in self.figures if figure.label == label), None)


@dataclass(frozen=True)
class Line:
    """One figure over the panel: the members' readings by token, whether those who carry the verdict clash, whether
    others clash with these, and the envelope of the intervals of those who carry it.
    """

    label: str
    figure: Figure
    readings: dict[str, Reading]
    split: bool
    differs: tuple[str, ...]
    joint: Reading
    envelope: tuple[float, float] | None


@dataclass(frozen=True)
class Panel:
    """The panel's verdict on one question: members, those who carry the verdict first, and what was found."""

    kind: Kind
    carrying: tuple[Member, ...]
    others: tuple[Member, ...]
    lines: tuple[Line, ...]
    level: float
    delta: float

    @property
    def members(self) -> tuple[Member, ...]:
        """All of them, the least exploitable first."""
        return (*self.carrying, *self.others)


def judge_panel(members: Sequence[Member], players: int, delta: float) -> Panel:
    """The verdict of these members; `delta` is the margin of equivalence, a fraction."""
    carrying, others = rank_members(members, players)
    labels = list(dict.fromkeys(figure.label for member in (*carrying, *others) for figure in member.figures))
    level = 1 - ALPHA / max(1, len(members) * len(labels))
    lines = tuple(_judge_line(label, carrying, others, level, delta) for label in labels)
    held = [line for line in lines if line.figure.target is not None]
    kind = Kind.ALONE if len(members) == 1 else _find_kind(carrying, held)
    return Panel(kind, carrying, others, lines, level, delta)


def rank_members(members: Sequence[Member], players: int) -> tuple[tuple[Member, ...], tuple[Member, ...]]:
    """Those who carry the verdict, and the others, each from the least exploitable up.

    A member carries it if no opponent was found that takes more than TOO_MUCH above even from its kind, and if it is
    as good as the least exploitable one: their intervals overlap. Of a member of which nothing is known nothing is
    believed, unless it is alone.
    """
    order = sorted(members, key=lambda member: member.exploit.most if member.exploit else 1.0)
    if len(order) == 1:
        return tuple(order), ()
    able = [member for member in order if member.exploit and member.exploit.most <= 1 / players + TOO_MUCH]
    best = able[0].exploit if able else None
    carrying = [one for one in able if best and one.exploit and one.exploit.low <= best.high]
    return tuple(carrying), tuple(member for member in order if member not in carrying)


def find_ends(estimate: Estimate | Span, level: float) -> tuple[float, float] | None:
    """Both ends of the interval at `level`; None where there is none."""
    if isinstance(estimate, Estimate):
        return estimate.interval(level)
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    widening = float(special.ndtri(1 - (1 - level) / 2)) / float(special.ndtri(1 - ALPHA / 2))
    return (
        estimate.value - widening * (estimate.value - estimate.low),
        estimate.value + widening * (estimate.high - estimate.value),
    )


def read(figure: Figure, level: float, delta: float) -> Reading:
    """Where a figure surely lies."""
    ends, target = find_ends(figure.estimate, level), figure.target
    if ends is None or target is None:
        return Reading.OPEN
    low, high = ends
    if figure.kind not in ("share", "pp"):
        delta = 0.0  # the margin is one of shares
    if target - delta <= low and high <= target + delta:
        return Reading.EVEN
    if low > target:
        return Reading.FAR_ABOVE if low > target + delta else Reading.ABOVE
    if high < target:
        return Reading.FAR_BELOW if high < target - delta else Reading.BELOW
    return Reading.OPEN


def clash(one: Reading, other: Reading) -> bool:
    """Whether two readings cannot both be true of the same game."""
    opposed = (one in UP and other in DOWN) or (one in DOWN and other in UP)
    return opposed or ({one, other} - FAR == {Reading.EVEN} and one != other)


def _join(readings: Sequence[Reading]) -> Reading:
    """What all of them say; OPEN where one leaves it open."""
    for same, said in ((UP, Reading.ABOVE), (DOWN, Reading.BELOW), ({Reading.EVEN}, Reading.EVEN)):
        if readings and all(reading in same for reading in readings):
            return said
    return Reading.OPEN


def _judge_line(
    label: str, carrying: Sequence[Member], others: Sequence[Member], level: float, delta: float
) -> Line:
    figures = {m.token: figure for m in (*carrying, *others) if (figure := m.find(label)) is not None}
    readings = {token: read(figure, level, delta) for token, figure in figures.items()}
    strong = [member.token for member in carrying if member.token in readings]
    weak = [member.token for member in others if member.token in readings]
    split = any(clash(readings[a], readings[b]) for i, a in enumerate(strong) for b in strong[:i])
    differs = tuple(a for a in weak if any(clash(readings[a], readings[b]) for b in strong))
    ends = [found for token in strong if (found := find_ends(figures[token].estimate, level))]
    envelope = (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
    joint = Reading.OPEN if split else _join([readings[token] for token in strong])
    return Line(label, next(iter(figures.values())), readings, split, differs, joint, envelope)


def _find_kind(carrying: Sequence[Member], held: Sequence[Line]) -> Kind:
    if not carrying:
        return Kind.NOBODY
    if any(line.split for line in held):
        return Kind.DEPENDS
    if all(line.joint is Reading.OPEN for line in held):
        return Kind.OPEN
    if any(line.differs for line in held):
        return Kind.STRONG
    return Kind.WHOEVER if len(carrying) > 1 else Kind.SINGLE


# ---- in words


def say_panel(panel: Panel, own: str) -> str:
    """The verdict in a sentence or two, the least exploitable player's figure first; `own` is what that one's answer
    says, for where nothing is held against a target.
    """
    best = panel.members[0]
    if not panel.lines:
        return f"{own} That is with {best.token}."
    line = find_telling(panel)
    if line.figure.target is None:
        return f"{own} That is with {best.token}; over the panel {_say_range(panel.members, line)}."
    said = f"{line.label}: {show(line.figure.estimate, line.figure.kind)} with {best.token}"
    if line.figure.target:
        said += f", where even is {show(line.figure.target, line.figure.kind)}"
    return f"{said}. {_say_verdict(panel, line)}"


def find_telling(panel: Panel) -> Line:
    """The line that a sentence should speak of: one over which strong players clash, else the one farthest off; where
    nothing is held against a target, the one over which the members differ most.
    """
    held = [line for line in panel.lines if line.figure.target is not None]
    if not held:
        return max(panel.lines, key=lambda line: _find_spread(panel.members, line))
    split = [line for line in held if line.split]
    return max(split or held, key=_find_distance)


def _find_spread(members: Sequence[Member], line: Line) -> float:
    """How far the members lie apart over a figure, as a share of the largest."""
    figures = [figure for member in members if (figure := member.find(line.label)) is not None]
    values = [figure.estimate.value for figure in figures if figure.estimate.value is not None]
    most = max(map(abs, values), default=0.0)
    return (max(values) - min(values)) / most if most else 0.0


def _find_distance(line: Line) -> float:
    """How far its first member's figure lies from the target, in half intervals."""
    estimate, target = line.figure.estimate, line.figure.target
    ends = find_ends(estimate, 1 - ALPHA)
    if estimate.value is None or target is None or ends is None:
        return 0.0
    return abs(estimate.value - target) / max((ends[1] - ends[0]) / 2, 1e-9)


def _say_verdict(panel: Panel, line: Line) -> str:
    margin = f"{100 * panel.delta:g} pp"
    if panel.kind is Kind.NOBODY:
        return (
            "No player here is known to be strong enough to carry a verdict: more is taken from each than "
            f"{100 * TOO_MUCH:g} pp above even, or nobody has looked. Over the panel {_say_range(panel.members, line)}."
        )
    if panel.kind is Kind.DEPENDS:
        weaker = f", and {_say_range(panel.others, line)} with weaker ones" if panel.others else ""
        return f"It depends on who plays: {_say_range(panel.carrying, line)} with players as strong{weaker}."
    if panel.kind is Kind.OPEN:
        return "These games leave it open on which side of even it lies; more --games settle it."
    held = [one for one in panel.lines if one.figure.target is not None]
    findings = list(_say_findings(held, margin))
    how = {
        Kind.WHOEVER: "Whoever plays",
        Kind.STRONG: "With strong play",
        Kind.SINGLE: f"By {panel.members[0].token}, the only one strong enough, and no weaker player says otherwise",
    }.get(panel.kind, "With this player alone")
    said = f"{how}, {join_words(findings)}."
    if panel.kind is Kind.STRONG:
        said += f" Weaker players differ: {_say_differences(panel, held)}."
    return said


def _say_findings(lines: Sequence[Line], margin: str) -> Iterator[str]:
    changes = not any(line.figure.target for line in lines)  # what is held against 0 is a difference
    words = {
        Reading.ABOVE: "higher" if changes else "above even",
        Reading.BELOW: "lower" if changes else "below even",
        Reading.EVEN: "as before" if changes else f"within {margin} of even",
        Reading.OPEN: "not clear yet",
    }
    for reading, word in words.items():
        labels = [line.label for line in lines if line.joint is reading]
        if len(labels) == len(lines) > 1:
            yield f"all are {word}"
        elif labels:
            yield f"{join_words(labels)} {'is' if len(labels) == 1 else 'are'} {word}"


def _say_differences(panel: Panel, lines: Sequence[Line]) -> str:
    line = max((line for line in lines if line.differs), key=_find_distance)
    told = []
    for member in panel.others:
        figure = member.find(line.label)
        if member.token in line.differs and figure is not None:
            told.append(f"{show(figure.estimate.value, figure.kind)} with {member.token}")
    return f"{line.label} {join_words(told)}"


def _say_range(members: Sequence[Member], line: Line) -> str:
    figures = [figure for member in members if (figure := member.find(line.label)) is not None]
    values = sorted(figure.estimate.value for figure in figures if figure.estimate.value is not None)
    if not values:
        return "nothing is known"
    low, high = show(values[0], line.figure.kind), show(values[-1], line.figure.kind)
    return f"{line.label} has {low}" if low == high else f"{line.label} has {low} to {high}"


def say_member(member: Member, players: int, carries: bool) -> str:
    """Whether a member carries the verdict, and how exploitable it is."""
    role = "carries the verdict" if carries else "is shown beside the verdict"
    return f"{member.token} {role}; {say_exploit(member.token, member.exploit, players).partition(': ')[2]}"


def say_exploit(token: str, found: Exploit | None, players: int) -> str:
    """How exploitable players of one kind are."""
    if found is None:
        return f"{token}: nobody has looked for its best opponent (atlantis exploit)"
    return (
        f"{token}: the most that any opponent found takes among such is {found.most:.1%} "
        f"[{found.low:.1%}, {found.high:.1%}] ({found.by}, {found.games:,} games; even is {1 / players:.1%}), "
        "a lower bound"
    )
