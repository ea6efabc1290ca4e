"""The one watchdog: notices that somebody at work makes no more progress.

Time is counted in looks, so that a process put to sleep wakes up without an alarm.
"""

import time
from collections.abc import Callable, Hashable
from threading import Thread

PATIENCE = 10.0  # seconds that a policy may take for one answer
BEAT = 0.1  # seconds between two looks
LONGEST = 5 * BEAT  # that counts between two looks: the process may have been put to sleep


class Watch:
    """Looks after one worker. `seen()` tells how far it is, or None while it has nothing to do."""

    def __init__(self, seen: Callable[[], Hashable | None], patience: float) -> None:
        self.seen, self.patience = seen, patience
        self.last: Hashable | None = None
        self.looked = time.monotonic()
        self.idle = 0.0

    def is_stuck(self) -> bool:
        """Look once: whether the patience is at an end."""
        now, seen = time.monotonic(), self.seen()
        waited = min(now - self.looked, LONGEST)
        self.looked = now
        if seen is None or seen != self.last:
            self.last, self.idle = seen, 0.0
            return False
        self.idle += waited
        return self.idle > self.patience


def wait_for(worker: Thread, watch: Watch, tell: Callable[[], None] = lambda: None) -> bool:
    """Wait for a thread's end, calling `tell` at every look; False if it has got stuck before."""
    while worker.is_alive():
        worker.join(BEAT / 2)
        tell()
        if watch.is_stuck():
            return False
    return True
