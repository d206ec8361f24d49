"""Which runs are scored: a share by the hash of an id, always where a predicate holds, and at most so many in a time.

The share is decided as follows, in every process and in every language alike. The key is the trace id, as 32 lower-case
hexadecimal digits where it comes from OpenTelemetry, else the run id. Its position is the first eight bytes of the
SHA-256 of its UTF-8 bytes, read as one unsigned big-endian number. The run is sampled where position < rate · 2^64.
So the sample of a lower rate lies inside that of a higher one, and all scorers of one rate sample the same runs.

It is not the ratio rule of OpenTelemetry, which reads the trace id's own bits: an application that samples its traces
by these would hand on only such ids as a scorer of the same rate takes all of. And run ids need not be random.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import isfinite
from typing import Final, final

import attrs

from scorewright.core import Run
from scorewright.core.definition import expect_count, expect_function, is_number, number_of, shown
from scorewright.faults import DefinitionError

SPACE: Final = 2.0**64


@final
@attrs.frozen
class Ended:
    """A call that is over: its run, the exception that it ended with if it did, and how long it took."""

    run: Run[object, object, None]
    error: Exception | None
    seconds: float


@final
@attrs.frozen
class Limit:
    """At most so many runs in so many seconds; a pause saves up that many and no more."""

    runs: int
    seconds: float


@final
@attrs.frozen
class Sample:
    """How much is scored. `ratio(0.1)` makes one; the methods give another."""

    rate: float
    limit: Limit | None = None
    always: tuple[Callable[[Ended], bool], ...] = ()

    def at_most(self, runs: int, /, *, per: float) -> Sample:
        """The same, and never more than `runs` in `per` seconds, those of `always_when` included.

        It bounds a scorer in one `Live`: wherever it is attached with this limit, it counts together.
        """
        expect_count(runs, "at_most(…)", 1)
        seconds = number_of(per)
        if not (isfinite(seconds) and seconds > 0):
            raise DefinitionError(f"at_most(…, per=…) takes seconds above 0, not {shown(per)}")
        return attrs.evolve(self, limit=Limit(runs, seconds))

    def always_when(self, predicate: Callable[[Ended], bool], /) -> Sample:
        """The same, and every run for which the predicate gives True; one that raises gives no run."""
        expect_function(predicate, "always_when(…)", "lambda ended: ended.seconds > 5")
        return attrs.evolve(self, always=(*self.always, predicate))


def ratio(rate: float, /) -> Sample:
    """The sample of a share of all runs: 0 is none, 1 is all.

    >>> is_sampled("4bf92f3577b34da6a3ce929d0e0e4736", ratio(0.1).rate)
    False
    """
    if not is_number(rate) or not 0 <= number_of(rate) <= 1:
        raise DefinitionError(f"ratio(…) takes a number from 0 to 1, such as 0.1 for one run in ten, not {shown(rate)}")
    return Sample(float(rate))


ALWAYS: Final = ratio(1)
NEVER: Final = ratio(0)


def position(key: str, /) -> int:
    """Where an id stands between 0 and 2^64."""
    return int.from_bytes(sha256(key.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def is_sampled(key: str, rate: float, /) -> bool:
    """Whether the run of this trace id, else run id, belongs to the share. A float compares exactly with an integer."""
    return position(key) < rate * SPACE


@final
class Bucket:
    """What is left of a limit. A clock that goes back gives nothing, one that leaps gives no more than the limit."""

    def __init__(self, limit: Limit, clock: Callable[[], float], /) -> None:
        self._limit = limit
        self._clock = clock
        self._left = float(limit.runs)
        self._seen = clock()

    def take(self) -> bool:
        """Take one, where there is one. Whoever calls holds a lock."""
        now = self._clock()
        gained = max(0.0, now - self._seen) * self._limit.runs / self._limit.seconds
        self._left = min(float(self._limit.runs), self._left + gained)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
