"""What every told game must keep to, whatever the game."""

from typing import Any

import pytest


def check_chances(events: list[dict[str, Any]], without: list[dict[str, Any]], players: int) -> None:
    """Chances are added to what is told and change nothing: once a turn, one a seat, adding up to 1."""
    assert [event for event in events if event["kind"] != "chances"] == without
    told = [event for event in events if event["kind"] == "chances"]
    assert [event["turn"] for event in told] == sorted({event["turn"] for event in without if event["turn"] > 0})
    for event in told:
        assert len(event["data"]["chances"]) == players
        assert sum(event["data"]["chances"]) == pytest.approx(1, abs=0.001)
        assert all(0 <= chance <= 1 for chance in event["data"]["chances"])
