"""What scores a running program: queues, threads beside the caller's, and sinks."""

from __future__ import annotations

import atexit
import builtins
import logging
from collections.abc import Callable, Mapping, Sequence
from threading import TIMEOUT_MAX, RLock
from time import monotonic
from types import TracebackType
from typing import Self, final

from scorewright.core import Scorers
from scorewright.core.budget import Budget
from scorewright.core.collection import SomeScorer
from scorewright.core.definition import expect_count, expect_flag, expect_text, number_of, shown
from scorewright.faults import DefinitionError
from scorewright.live.counting import Counts
from scorewright.live.forking import anew_in_children
from scorewright.live.jobs import Attached, Job, Version
from scorewright.live.pending import POLICIES, Block, Pending, WhenFull
from scorewright.live.sampling import ALWAYS, Bucket, Limit, Sample
from scorewright.live.settings import LOG, Settings
from scorewright.live.sinks import HandsOver, Sink
from scorewright.live.telemetry import exported, is_installed
from scorewright.live.worker import Worker

_MOST_VERSIONS = 1000  # scorers whose fingerprint is remembered


@final
class Live:
    """Scores off the caller's thread, and counts what became of every run.

    Each scorer has a queue of its own: `queue` bounds the runs that wait or are under way, `when_full` says what
    happens beyond it, and `concurrency` of them are under way at a time, each for `timeout` seconds. So a slow scorer
    holds back its own runs and no others. All are within one `budget`. As a `with` block, or by `shutdown`, it
    is closed in good order; else what is left is scored at exit, for `at_exit` seconds at most. One belongs to one
    process: a fork begins with an empty queue and counts of its own.
    """

    def __init__(
        self,
        *sinks: Sink,
        name: str = "live",
        queue: int = 1000,
        when_full: WhenFull = "drop_newest",
        concurrency: int = 10,
        budget: Budget | None = None,
        timeout: float | None = None,
        at_exit: float = 5.0,
        metrics: bool = True,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        expect_text(name, "Live(name=…)")
        expect_count(queue, "Live(queue=…)", 1)
        expect_count(concurrency, "Live(concurrency=…)", 1)
        expect_flag(metrics, "Live(metrics=…)")
        _check_sinks(sinks)
        _check_policy(when_full)
        if timeout is not None and not number_of(timeout) > 0:
            raise DefinitionError(f"Live(timeout=…) takes seconds above 0, not {shown(timeout)}")
        if not number_of(at_exit) >= 0:
            raise DefinitionError(f"Live(at_exit=…) takes seconds, 0 or more, not {shown(at_exit)}")
        if budget is not None and not _is_budget(budget):
            raise DefinitionError(f"Live(budget=…) takes a Budget, such as Budget(dollars=5), not {shown(budget)}")
        self.name: str = name
        self.clock: Callable[[], float] = clock
        self._queue = queue
        self._when_full: WhenFull = when_full
        self._at_exit = at_exit
        self._closing = RLock()
        self._closed: bool | None = None
        self._attaching = RLock()
        self._ids: set[str] = set()
        self._versions: dict[int, Version] = {}  # by the scorers' identity; each keeps its scorer
        self._buckets: dict[tuple[str, Limit], Bucket] = {}
        hears = (exported(self),) if metrics and is_installed() else ()
        self._settings = Settings(concurrency, budget, timeout, sinks, hears)
        self._begin()
        anew_in_children(self)
        atexit.register(self._exit)

    def _begin(self) -> None:
        self._worker = Worker(self._settings, lambda: self._pending)
        self._pending = Pending(self._queue, self._when_full, self._worker.wake, self._settings.concurrency)

    def __repr__(self) -> str:
        return f"Live({self.name!r}: {self.counts()})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown()

    def counts(self, scorer: str | None = None, /) -> Counts:
        """What became of all runs so far, or of those of the scorer with this id."""
        return self._pending.counts(scorer)

    def flush(self, timeout: float | None = 10.0) -> bool:
        """Wait until all that was triggered is scored and kept; False where that takes longer than `timeout` seconds.

        In a sink or a scorer, which it would wait for, it gives False at once.
        """
        if self._worker.is_here:
            return False
        timeout = None if timeout is None else min(timeout, TIMEOUT_MAX)
        until = None if timeout is None else monotonic() + timeout
        if not self._pending.settled(0):
            self._worker.wake()  # where threads lacked, there may be some now
        if not self._pending.settled(timeout):
            return False
        return self._worker.flushed(None if until is None else max(0.0, until - monotonic()))

    async def drained(self, timeout: float | None = 10.0) -> bool:  # noqa: ASYNC109 - it is that of `flush`
        """`flush` for a coroutine: the loop goes on meanwhile."""
        import asyncio

        return await asyncio.to_thread(self.flush, timeout)

    def shutdown(self, timeout: float = 10.0) -> bool:
        """Take no more runs, wait so many seconds for those that are left, and end; whether nothing was left.

        What is left then is dropped and counted, or stays pending in a store that runs are handed over to. A second
        call does nothing and answers the same. A scorer or a sink may call it; its own run is left.
        """
        if not self._closing.acquire(blocking=not self._worker.is_here):
            return False  # another one shuts it down, and may wait for this one
        try:
            if self._closed is None:
                self._pending.close()
                self._closed = self.flush(timeout)
                if not self._closed:
                    kept = self._settings.hand_over is not None
                    self._pending.give_up("" if kept else "shut down before it was scored")
                self._worker.stop(min(max(timeout, 0.1), 2.0))
                atexit.unregister(self._exit)
                self._log()
            return self._closed
        finally:
            self._closing.release()

    def resume(self, scorers: Scorers, /, *, timeout: float = 30.0) -> int:
        """Score the runs that were handed over to the store and not scored, by these scorers; how many were taken.

        For the start of a process. It waits for room in the queue, for `timeout` seconds in all; what finds none stays.
        """
        store = self._settings.hand_over
        if store is None:
            raise DefinitionError("resume needs a sink that runs are handed over to: InStore(store, hand_over=True)")
        until, taken = monotonic() + timeout, 0
        attached = {scorer.about.id: self.attached(scorer, ALWAYS) for scorer in scorers}
        for scorer, run, origin, spoiled in store.left(scorers):
            patience = max(0.0, until - monotonic())
            job = Job(attached[scorer.about.id], run, origin, spoiled, named=True, resumed=True)
            taken += self._pending.offer(job, patience)
        return taken

    # what decorated functions use

    @property
    def pending(self) -> Pending:
        """The queue of this process."""
        return self._pending

    def attached(self, scorer: SomeScorer, sample: Sample, /) -> Attached:
        """The scorer with its sample; one limit of one scorer is counted together, wherever it is attached."""
        id, limit = scorer.about.id, sample.limit
        with self._attaching:
            self._ids.add(id)  # so that metrics tell of it from the start
            version = self._versions.setdefault(builtins.id(scorer), Version(scorer))
            if len(self._versions) > _MOST_VERSIONS:
                del self._versions[next(iter(self._versions))]
            bucket = None if limit is None else self._buckets.setdefault((id, limit), Bucket(limit, self.clock))
        return Attached(scorer, sample, version, bucket)

    def take(self, jobs: Sequence[Job], /) -> None:
        """Have runs scored soon."""
        taken = [job for job in jobs if self._pending.allowed(job) and self._pending.offer(job)]
        if taken:
            self._worker.hand_over(tuple(taken))

    async def take_later(self, jobs: Sequence[Job], /) -> None:
        """The same; where it has to wait for room, the loop goes on."""
        if self._pending.may_wait(jobs):
            import asyncio

            await asyncio.to_thread(self.take, jobs)
        else:
            self.take(jobs)

    # the end of a process, and the beginning of one

    def by_scorer(self) -> Mapping[str, Counts]:
        """The counts of every scorer that is attached."""
        return {id: self.counts(id) for id in sorted(self._ids)}

    def _log(self) -> None:
        counts = self.counts()
        level = logging.WARNING if counts.dropped or counts.unstored or counts.pending else logging.INFO
        LOG.log(level, "live scoring %r ended: %s", self.name, counts)

    def _exit(self) -> None:
        self.shutdown(self._at_exit)

    def forked(self) -> None:
        """Begin anew in a child: the parent scores what it triggered. One that was shut down stays so."""
        self._closing, self._attaching = RLock(), RLock()
        self._begin()
        if self._closed is not None:
            self._pending.close()


def _check_sinks(sinks: Sequence[object]) -> None:
    for sink in sinks:
        if not isinstance(sink, Sink):
            kinds = 'Callback(f), JsonLines("scores.jsonl") or InStore(store)'
            raise DefinitionError(f"Live(…) takes sinks, such as {kinds}, not {shown(sink)}")
        expect_count(sink.at_once, f"{type(sink).__name__}.at_once", 1)
    if sum(isinstance(sink, HandsOver) and sink.hands_over for sink in sinks) > 1:
        raise DefinitionError("runs are handed over to one store: leave hand_over=True to one InStore(…)")


def _check_policy(given: object) -> None:
    if given not in POLICIES and not isinstance(given, Block):
        policies = '"drop_newest", "drop_oldest" or Block(seconds)'
        raise DefinitionError(f"Live(when_full=…) takes {policies}, not {shown(given)}")


def _is_budget(given: object) -> bool:
    return isinstance(given, Budget)
