"""The bounded queue: what waits, what is being scored, and the count of everything, under one lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition
from typing import Final, Literal, TypeAlias, final

import attrs

from scorewright.core.definition import number_of, shown
from scorewright.faults import DefinitionError
from scorewright.live.counting import Counts, Fate, Tally, counts_of
from scorewright.live.jobs import Job

_MOST_REMEMBERED = 10_000  # keys of runs whose ids the caller chose


@final
@attrs.frozen
class Block:
    """When the queue is full, the caller waits for room: so many seconds at most, then the run is dropped."""

    seconds: float

    def __attrs_post_init__(self) -> None:
        if not number_of(self.seconds) >= 0:
            raise DefinitionError(f"Block(…) takes seconds, 0 or more, not {shown(self.seconds)}")


WhenFull: TypeAlias = Literal["drop_newest", "drop_oldest"] | Block

POLICIES: Final = ("drop_newest", "drop_oldest")


@final
class Pending:
    """At most `most` runs that are not settled, waiting or under way: so memory is bounded, whatever is slow.

    Every change is made whole under the lock. So the counts add up whenever they are read.
    """

    def __init__(self, most: int, when_full: WhenFull, wake: Callable[[], None]) -> None:
        """`wake` is called, without the lock, when there is something to take after `take` found nothing."""
        self._most = most
        self._when_full = when_full
        self._wake = wake
        self._changed = Condition()
        self._tallies: dict[str, Tally] = {}
        self._waiting: deque[Job] = deque()
        self._busy: set[Job] = set()
        self._again: set[Job] = set()  # under way when scoring broke off
        self._idle = True
        self._closed = False
        self._remembered: dict[tuple[str, str, str], None] = {}

    def counts(self, scorer: str | None = None, /) -> Counts:
        """What became of everything, at one moment."""
        with self._changed:
            of = self._tallies.values() if scorer is None else [self._tallies.get(scorer, Tally())]
            return counts_of(of)

    def count(self, scorer: str, fate: Fate, reason: str = "", /) -> None:
        """Count a run whose fate was decided before the queue."""
        with self._changed:
            self._decide(self._tally(scorer), fate, reason)

    def note(self, scorer: str, reason: str, /) -> None:
        """Count a reason for something that has no fate of its own."""
        with self._changed:
            self._tally(scorer).note(reason)

    def allowed(self, job: Job, /) -> bool:
        """Whether the limit of its scorer leaves room for it; if not, it is sampled out."""
        bucket = job.attached.bucket
        if bucket is None:
            return True
        with self._changed:
            if bucket.take():
                return True
            self._decide(self._tally(job.attached.id), "sampled_out", "the limit is reached")
            return False

    @property
    def may_wait(self) -> bool:
        """Whether `offer` would make its caller wait now."""
        return isinstance(self._when_full, Block) and len(self._waiting) + len(self._busy) >= self._most

    def offer(self, job: Job, /, patience: float | None = None) -> bool:
        """Take the run in, or drop what the policy says; with `patience` wait so many seconds, whatever it says."""
        with self._changed:
            tally = self._tally(job.attached.id)
            if job.named and job.key in self._remembered:
                self._decide(tally, "filtered", "the run has been handed in before")
                return False
            roomy = self._closed or self._has_room() or self._make_room(patience)
            if self._closed or not roomy:
                self._decide(tally, "dropped", "shut down" if self._closed else "the queue is full")
                return False
            tally.add("triggered", "pending", *(["resumed"] if job.resumed else []))
            self._waiting.append(job)
            if job.named:
                self._remember(job)
            wakes, self._idle = self._idle, False
        if wakes:
            self._wake()
        return True

    def take(self) -> Job | None:
        """The run that has waited longest; None where none waits, and then the next one wakes."""
        with self._changed:
            if not self._waiting:
                self._idle = True
                return None
            job = self._waiting.popleft()
            self._busy.add(job)
            return job

    def sleep(self) -> None:
        """Nobody takes any more: the next run that comes wakes."""
        with self._changed:
            self._idle = True

    def put_back(self) -> bool:
        """Who took has broken off: what was under way waits again, once, else it has failed; whether there was any."""
        with self._changed:
            under_way, self._idle = [*self._busy], True
            for job in under_way:
                if job in self._again:
                    self._settle(job, "failed", False, ("failed: scoring broke off",))
                else:
                    self._busy.discard(job)
                    self._waiting.appendleft(job)
            self._again = self._again.union(under_way) & {*self._waiting}
            return bool(under_way)

    def settle(self, job: Job, fate: Fate, stored: bool, reasons: tuple[str, ...] = (), /) -> None:
        """Count what came of a run; one that was given up meanwhile has been counted."""
        with self._changed:
            if job in self._busy:
                self._settle(job, fate, stored, reasons)

    def close(self) -> None:
        """Take nothing in any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def give_up(self, reason: str = "", /) -> int:
        """Let go of all that is not settled: dropped for this reason, or left pending where there is none."""
        with self._changed:
            left = [*self._waiting, *self._busy]
            self._waiting.clear()
            self._busy.clear()
            if reason:
                for job in left:
                    self._drop(job, reason)
            self._changed.notify_all()
            return len(left)

    def settled(self, timeout: float | None, /) -> bool:
        """Wait until nothing waits and nothing is under way; False where that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._busy, timeout)

    def _has_room(self) -> bool:
        return len(self._waiting) + len(self._busy) < self._most

    def _make_room(self, patience: float | None) -> bool:
        if patience is None and self._when_full == "drop_oldest" and self._waiting:
            self._drop(self._waiting.popleft(), "a newer run took its place")
            return True
        if patience is None and isinstance(self._when_full, Block):
            patience = self._when_full.seconds
        if not patience:
            return False
        return self._changed.wait_for(lambda: self._closed or self._has_room(), patience)

    def _settle(self, job: Job, fate: Fate, stored: bool, reasons: tuple[str, ...]) -> None:
        self._busy.discard(job)
        self._again.discard(job)
        tally = self._tally(job.attached.id)
        tally.numbers["pending"] -= 1
        tally.add(fate, "stored" if stored else "unstored")
        for reason in reasons:
            tally.note(reason)
        self._changed.notify_all()

    def _drop(self, job: Job, reason: str) -> None:
        tally = self._tally(job.attached.id)
        tally.numbers["pending"] -= 1
        tally.add("dropped")
        tally.note(f"dropped: {reason}")

    def _decide(self, tally: Tally, fate: Fate, reason: str) -> None:
        tally.add("triggered", fate)
        if reason:
            tally.note(f"{fate}: {reason}")

    def _tally(self, scorer: str) -> Tally:
        tally = self._tallies.get(scorer)
        if tally is None:
            tally = self._tallies[scorer] = Tally()
        return tally

    def _remember(self, job: Job) -> None:
        self._remembered[job.key] = None
        if len(self._remembered) > _MOST_REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
