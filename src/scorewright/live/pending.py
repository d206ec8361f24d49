"""A bounded queue for each scorer: what waits, what is being scored, and the count of everything, under one lock."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable
from threading import TIMEOUT_MAX, Condition
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
class _Line:
    """The runs of one scorer: those that wait, those that are not settled, and how many are under way."""

    __slots__ = ("busy", "tally", "under_way", "waiting")

    def __init__(self) -> None:
        self.tally: Tally = Tally()
        self.waiting: deque[Job] = deque()
        self.busy: set[Job] = set()
        self.under_way: int = 0

    def __len__(self) -> int:
        return len(self.waiting) + len(self.busy)


@final
class Pending:
    """For each scorer at most `most` runs that are not settled, and `concurrency` of them under way.

    So memory is bounded, whatever is slow, and a slow scorer holds back its own runs and no others. Every change is
    made whole under the lock. So the counts add up whenever they are read.
    """

    def __init__(self, most: int, when_full: WhenFull, wake: Callable[[], None], concurrency: int = 1) -> None:
        """`wake` is called, without the lock, with every run that comes after `take` found nothing, until it finds one.

        So a wake that came to nothing, as without threads or by an interrupt of the caller, is made good by the next.
        """
        self._most = most
        self._when_full = when_full
        self._wake = wake
        self._concurrency = concurrency
        self._changed = Condition()
        self._lines: dict[str, _Line] = {}
        self._turns: dict[str, None] = {}  # the scorers with runs that wait, the one whose turn it is first
        self._again: set[Job] = set()  # under way when scoring broke off
        self._idle = True
        self._closed = False
        self._remembered: dict[tuple[str, str, str], None] = {}

    def counts(self, scorer: str | None = None, /) -> Counts:
        """What became of everything, at one moment."""
        with self._changed:
            of = self._lines.values() if scorer is None else [self._lines.get(scorer, _Line())]
            return counts_of(line.tally for line in of)

    def count(self, scorer: str, fate: Fate, reason: str = "", /) -> None:
        """Count a run whose fate was decided before the queue."""
        with self._changed:
            self._decide(self._line(scorer).tally, fate, reason)

    def note(self, scorer: str, reason: str, /) -> None:
        """Count a reason for something that has no fate of its own."""
        with self._changed:
            self._line(scorer).tally.note(reason)

    def allowed(self, job: Job, /) -> bool:
        """Whether the limit of its scorer leaves room for it; if not, it is sampled out."""
        bucket = job.attached.bucket
        if bucket is None:
            return True
        with self._changed:
            if bucket.take():
                return True
            self._decide(self._line(job.attached.id).tally, "sampled_out", "the limit is reached")
            return False

    def may_wait(self, jobs: Iterable[Job], /) -> bool:
        """Whether `offer` would make its caller wait now."""
        if not isinstance(self._when_full, Block):
            return False
        with self._changed:
            return any(len(self._line(job.attached.id)) >= self._most for job in jobs)

    def offer(self, job: Job, /, patience: float | None = None) -> bool:
        """Take the run in, or drop what the policy says; with `patience` wait so many seconds, whatever it says."""
        with self._changed:
            line = self._line(job.attached.id)
            roomy = self._is_repeated(job) or self._closed or len(line) < self._most or self._make_room(line, patience)
            if self._is_repeated(job):  # also while it waited for room
                self._decide(line.tally, "filtered", "the run has been handed in before")
                return False
            if self._closed or not roomy:
                self._decide(line.tally, "dropped", "shut down" if self._closed else "the queue is full")
                return False
            line.tally.add("triggered", "pending", *(["resumed"] if job.resumed else []))
            self._turns[job.attached.id] = None
            line.waiting.append(job)
            if job.named:
                self._remember(job)
            idle = self._idle
        if idle:
            self._wake()
        return True

    def take(self, held: Container[str] = (), /) -> Job | None:
        """The next run of a scorer that may begin one and is not `held`, in turns, of each the one that waited longest.

        None where there is none, and then the next one wakes. What is taken is released, and settled.
        """
        with self._changed:
            for id in self._turns:
                line = self._lines[id]
                if id in held or line.under_way >= self._concurrency:
                    continue
                job = line.waiting.popleft()
                del self._turns[id]
                if line.waiting:
                    self._turns[id] = None
                line.busy.add(job)
                line.under_way += 1
                self._idle = False
                return job
            self._idle = True
            return None

    def release(self, job: Job, /) -> bool:
        """It is under way no more; whether another one waits for its place."""
        with self._changed:
            line = self._line(job.attached.id)
            line.under_way -= 1
            return line.under_way == self._concurrency - 1 and bool(line.waiting)

    def put_back(self, jobs: Iterable[Job], /) -> None:
        """What was under way broke off: it is released and waits again, once; after that it has failed."""
        with self._changed:
            for job in jobs:
                line = self._line(job.attached.id)
                line.under_way -= 1
                if job not in line.busy:
                    continue  # given up meanwhile
                if job in self._again:
                    self._settle(job, "failed", False, ("failed: scoring broke off",))
                    continue
                line.busy.discard(job)
                line.waiting.appendleft(job)
                self._turns[job.attached.id] = None
                self._again.add(job)

    def awaits(self, job: Job, /) -> bool:
        """Whether it is not settled yet."""
        with self._changed:
            return job in self._line(job.attached.id).busy

    def settle(self, job: Job, fate: Fate, stored: bool, reasons: tuple[str, ...] = (), /) -> None:
        """Count what came of a run; one that was given up meanwhile has been counted."""
        with self._changed:
            if job in self._line(job.attached.id).busy:
                self._settle(job, fate, stored, reasons)

    def close(self) -> None:
        """Take nothing in any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def give_up(self, reason: str = "", /) -> int:
        """Let go of all that is not settled: dropped for this reason, or left pending where there is none."""
        with self._changed:
            left = [job for line in self._lines.values() for job in (*line.waiting, *line.busy)]
            for line in self._lines.values():
                line.waiting.clear()
                line.busy.clear()
            self._turns.clear()
            if reason:
                for job in left:
                    self._drop(job, reason)
            self._changed.notify_all()
            return len(left)

    def settled(self, timeout: float | None, /) -> bool:
        """Wait until nothing waits and nothing is under way; False where that takes longer."""
        with self._changed:
            return self._wait(lambda: not any(map(len, self._lines.values())), timeout)

    def _make_room(self, line: _Line, patience: float | None) -> bool:
        if patience is None and self._when_full == "drop_oldest" and line.waiting:
            self._drop(line.waiting.popleft(), "a newer run took its place")
            return True
        if patience is None and isinstance(self._when_full, Block):
            patience = self._when_full.seconds
        if not patience:
            return False
        return self._wait(lambda: self._closed or len(line) < self._most, patience)

    def _wait(self, until: Callable[[], bool], seconds: float | None) -> bool:
        return self._changed.wait_for(until, None if seconds is None else min(seconds, TIMEOUT_MAX))

    def _settle(self, job: Job, fate: Fate, stored: bool, reasons: tuple[str, ...]) -> None:
        line = self._line(job.attached.id)
        line.busy.discard(job)
        self._again.discard(job)
        tally = line.tally
        tally.numbers["pending"] -= 1
        tally.add(fate, "stored" if stored else "unstored")
        for reason in reasons:
            tally.note(reason)
        self._changed.notify_all()

    def _drop(self, job: Job, reason: str) -> None:
        tally = self._line(job.attached.id).tally
        tally.numbers["pending"] -= 1
        tally.add("dropped")
        tally.note(f"dropped: {reason}")

    def _decide(self, tally: Tally, fate: Fate, reason: str) -> None:
        tally.add("triggered", fate)
        if reason:
            tally.note(f"{fate}: {reason}")

    def _line(self, scorer: str) -> _Line:
        line = self._lines.get(scorer)
        if line is None:
            line = self._lines[scorer] = _Line()
        return line

    def _is_repeated(self, job: Job) -> bool:
        return job.named and job.key in self._remembered

    def _remember(self, job: Job) -> None:
        self._remembered[job.key] = None
        if len(self._remembered) > _MOST_REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
