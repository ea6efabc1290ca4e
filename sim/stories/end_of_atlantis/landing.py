"""A ship reaches the Promised Land: who gets what, and for what ("Receiving Victory Points")."""

from collections.abc import Sequence
from typing import Any

from kernels.end_of_atlantis import codes
from sim.stories import Sight
from sim.stories.end_of_atlantis.book import Book
from sim.stories.end_of_atlantis.facts import Arrive, Award, Ship
from sim.stories.end_of_atlantis.table import COLOURS, NEUTRAL, seats_of

REFUGEE_SOURCES = {"Royal Ship": "refugees_royal", "Doom phase": "refugees_doom"}


def tell_arrival(book: Book, sight: Sight, entry: int, area: int, here: dict[str, Any]) -> Arrive:
    """The arrival that `sight` has in its journal at `entry`; `area` is where the ship came from."""
    space = sight.arrival_space[entry]
    tile = sight.arrival_tile[entry]
    by = codes.CAUSES[sight.arrival_cause[entry]]
    mover = sight.arrival_mover[entry]
    cubes = sight.arrival_cubes[entry]
    allied = mover != codes.NOBODY and sight.special_ship == space
    ally = mover if allied else codes.NOBODY
    awards = score_landing(book.rules, cubes, by, mover, ally, tile, area)
    return Arrive(
        **here,
        seat=None if mover == codes.NOBODY else mover,
        ship=Ship(space, codes.TILES[tile]),
        origin=codes.AREAS[area],
        by=by,
        mover=None if mover == codes.NOBODY else mover,
        cubes=tuple(cubes),
        allied=allied,
        points=tuple(sight.arrival_vp[entry][seat] for seat in seats_of(sight)),
        awards=awards,
        rulings=_cite(book, by, mover, tile, area, cubes, allied, awards),
    )


def score_landing(
    rules: Sight, cubes: Sequence[int], by: str, mover: int, ally: int, tile: int, area: int
) -> tuple[Award, ...]:
    """All VP of an arrival: for own refugees, for other colours, for the mover.

    `cubes` are aboard by colour, `by` is the card or "Doom phase", `mover` a seat or NOBODY, `ally` the seat
    for which neutrals count as its own or NOBODY, `area` where the ship comes from.
    """
    return (
        *_score_refugees(rules, cubes, by, ally),
        *_score_colours(rules, cubes, by),
        *_reward_mover(rules, by, mover, tile, area),
    )


def _score_refugees(rules: Sight, cubes: Sequence[int], by: str, ally: int) -> list[Award]:
    chart = rules.royal_chart if by == "Royal Ship" else rules.ships_chart
    source = REFUGEE_SOURCES.get(by, "refugees_ships")
    counted = [cubes[seat] + (cubes[NEUTRAL] if seat == ally else 0) for seat in range(rules.players)]
    return [Award(seat, source, chart[min(count, len(chart)) - 1]) for seat, count in enumerate(counted) if count]


def _score_colours(rules: Sight, cubes: Sequence[int], by: str) -> list[Award]:
    where = ("every_arrival", "not_royal_ship", "nowhere")[rules.colour_points]
    if where == "nowhere" or (where == "not_royal_ship" and by == "Royal Ship"):
        return []
    others = sum(cubes[colour] > 0 for colour in COLOURS) - 1
    return [Award(seat, "colours", others) for seat in range(rules.players) if cubes[seat] and others]


def _reward_mover(rules: Sight, by: str, mover: int, tile: int, area: int) -> list[Award]:
    if mover == codes.NOBODY:
        return []
    where = ("ships_and_royal_ship", "ships_only", "nowhere")[rules.mover_points]
    awards = []
    if where == "ships_and_royal_ship" or (where == "ships_only" and by == "Ships"):
        awards.append(Award(mover, "mover", rules.mover_vp))
    if tile == codes.TILE_ADVANCED_SCIENCE and area == codes.AREA_OCEAN:
        awards.append(Award(mover, "science", rules.science_vp))
    return awards


def _cite(
    book: Book,
    by: str,
    mover: int,
    tile: int,
    area: int,
    cubes: Sequence[int],
    allied: bool,
    awards: Sequence[Award],
) -> tuple[str, ...]:
    """What the rulebook does not settle about this arrival."""
    sources = {award.source for award in awards}
    names = []
    if "refugees_royal" in sources:
        names.append("royal_chart")
    if by == "Royal Ship" and "colours" in sources:
        names.append("colour_points")
    if "mover" in sources and (by == "Royal Ship" or not cubes[mover]):
        names.append("mover_points")
    if allied:
        names.append("alliance_counts")
    if by == "Doom phase" and tile == codes.TILE_ADVANCED_AIRSHIP and area == codes.AREA_PORT:
        names.append("airship_doom")
    return book.cite(*names)
