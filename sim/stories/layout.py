"""How a told game looks on the page, whatever the game: headings, labelled paragraphs, tables, at most WIDTH wide."""

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from sim.stories import Fact, Opening

WIDTH = 100
MARGIN = 11  # columns of a label, with the space before it


class Saying(NamedTuple):
    """A fact in words. `label` None goes on in the open paragraph; `glue` joins it to what stands there.

    A label that is the open paragraph's goes on too, unless `fresh`. Labels of their own kind: heading, table
    and play, which is set deeper.
    """

    text: str
    label: str | None
    glue: str = " · "
    fresh: bool = False


def lay_out(say: Callable[[Fact], Iterator[Saying]], facts: Iterable[Fact]) -> Iterator[str]:
    """The lines of the whole telling, each fact put in words by `say`."""
    label, open_paragraph = "", ""
    for fact in facts:
        for saying in say(fact):
            goes_on = saying.label is None or (saying.label == label and not saying.fresh)
            if goes_on and open_paragraph:
                open_paragraph += saying.glue + saying.text
                continue
            yield from _wrap(label, open_paragraph)
            label, open_paragraph = saying.label or "", saying.text
    yield from _wrap(label, open_paragraph)


def _wrap(label: str, paragraph: str) -> Iterator[str]:
    """A heading as it is, a table row by row, anything else wrapped beside its label."""
    if not paragraph:
        return
    if label in ("heading", "table"):
        yield from paragraph.split("\n")
        return
    first, rest = ("   ", " " * 5) if label == "play" else (f" {label:<{MARGIN - 1}}", " " * MARGIN)
    yield from textwrap.wrap(
        paragraph,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def head_line(fact: Opening) -> str:
    """Which game this is, and how to get it again."""
    chosen = [*fact.variants, *fact.rules_files, *fact.settings]
    parts = [fact.title, count(fact.players, "player"), *chosen, f"seed {fact.seed}", f"game {fact.game}"]
    if fact.deal != fact.game:
        parts.append(f"deal {fact.deal} in seating {fact.arrangement}")
    if fact.replicate:
        parts.append(f"replicate {fact.replicate}")
    return ", ".join(parts)


def count(number: int, what: str, many: str = "") -> str:
    """ "1 cube", "3 cubes"."""
    return f"{number} {what if number == 1 else many or what + 's'}"


def and_list(words: Sequence[str]) -> str:
    """ "A, B and C"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def cite(fact: Fact) -> str:
    """ " [E13, E33]" or nothing."""
    return f" [{', '.join(fact.rulings)}]" if fact.rulings else ""
