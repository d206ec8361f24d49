"""The thread that looks at what was put before it: it misses nothing, waits for nobody, and rests where nothing is."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import inf

import pytest
from live.watching import PATIENCE, until

from scorewright.live.otel import pump
from scorewright.live.otel.pump import Pump


class Looks:
    """What a thread saw, and when it wants to look again."""

    def __init__(self, after: float = 0.0, most: int = 1000) -> None:
        self.after = after
        self.seen: list[int] = []
        self.looks = 0
        self.pump: Pump[int] = Pump("looks", most, self.turn)

    def turn(self, items: Sequence[int], _at_once: bool) -> float:
        self.looks += 1
        self.seen.extend(items)
        return self.after


def test_all_that_is_put_is_seen_in_order() -> None:
    """Whoever puts it, and however often somebody flushes meanwhile."""
    looks = Looks(most=10_000)

    def put(first: int) -> None:
        for at in range(first, first + 500):
            assert looks.pump.put(at)
            if not at % 50:
                assert looks.pump.flush(inf)

    threads = [threading.Thread(target=put, args=(1000 * each,)) for each in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert looks.pump.flush(PATIENCE)
    assert sorted(looks.seen) == [1000 * each + at for each in range(4) for at in range(500)]
    for each in range(4):
        own = [at for at in looks.seen if at // 1000 == each]
        assert own == sorted(own)
    looks.pump.stop(inf)


@pytest.mark.parametrize("after", [0.0, PATIENCE])
def test_it_rests_where_nothing_is(after: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """For as long as it was told; what is put then is seen at once."""
    waits: list[float | None] = []

    class Noted(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout)
            return super().wait(timeout)

    monkeypatch.setattr(pump, "Event", Noted)
    looks = Looks(after)
    looks.pump.put(1)
    until(lambda: looks.seen == [1] and waits[-1:] == [after or None])
    looks.pump.put(2)
    until(lambda: looks.seen == [1, 2] and waits[-1:] == [after or None])
    looks.pump.stop(PATIENCE)


def flush(looks: Looks, told: list[bool]) -> None:
    told.append(looks.pump.flush(PATIENCE))


def test_who_flushes_while_it_ends_is_let_go() -> None:
    """And is told whether something is left."""
    for _ in range(50):
        looks, told = Looks(), list[bool]()
        looks.pump.put(1)
        threads = [threading.Thread(target=flush, args=(looks, told)) for _ in range(4)]
        for thread in threads:
            thread.start()
        looks.pump.stop(PATIENCE)
        for thread in threads:
            thread.join()
        left = not looks.seen
        assert told.count(False) == 0 or left
        assert looks.pump.flush(0) is not left


def test_a_look_that_fails_ends_nothing() -> None:
    """It is looked again."""
    failed: list[int] = []

    def turn(items: Sequence[int], _at_once: bool) -> float:
        if items and not failed:
            failed.extend(items)
            raise SystemExit
        return 0.0

    made: Pump[int] = Pump("fails", 10, turn)
    made.put(1)
    assert made.flush(PATIENCE)
    made.put(2)
    assert made.flush(PATIENCE)
    assert failed == [1]
    made.stop(PATIENCE)
