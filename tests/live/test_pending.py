"""The law of the counts, for every order of what can happen to a queue."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, precondition, rule
from live.watching import number, tone

from scorewright import Run
from scorewright.faults import DefinitionError
from scorewright.live import ALWAYS, Block, Counts
from scorewright.live.counting import FATES, Fate
from scorewright.live.jobs import Attached, Job, Origin, Version
from scorewright.live.pending import Pending, WhenFull

SCORERS = [Attached(scorer, ALWAYS, Version(scorer)) for scorer in (number, tone)]
FINISHED: tuple[Fate, ...] = ("scored", "not_scorable", "failed")


def a_job(attached: Attached, run_id: str = "") -> Job:
    return Job(attached, Run("in", "out", run_id=run_id), Origin(), named=bool(run_id))


class Counting(RuleBasedStateMachine):
    """Runs come, are taken, settled, settled twice, given up; a model counts beside."""

    taken: Bundle[Job] = Bundle("taken")

    @initialize(
        most=st.integers(1, 4),
        when_full=st.sampled_from(["drop_newest", "drop_oldest", Block(0)]),
        concurrency=st.integers(1, 3),
    )
    def open(self, most: int, when_full: WhenFull, concurrency: int) -> None:
        self.most = most
        self.concurrency = concurrency
        self.under_way: list[Job] = []
        self.triggered = 0
        self.woken = 0
        self.settled = 0
        self.pending = Pending(most, when_full, self.wake, concurrency)

    def wake(self) -> None:
        self.woken += 1

    @rule(attached=st.sampled_from(SCORERS), run_id=st.sampled_from(["", "", "r1"]))
    def offer(self, attached: Attached, run_id: str) -> None:
        self.triggered += 1
        self.pending.offer(a_job(attached, run_id))

    @rule(attached=st.sampled_from(SCORERS), fate=st.sampled_from(FATES[:2]))
    def decide(self, attached: Attached, fate: Fate) -> None:
        self.triggered += 1
        self.pending.count(attached.id, fate, "a reason")

    @precondition(lambda self: self.pending.counts().pending)
    @rule(target=taken, held=st.sampled_from([(), ("number",), ("number", "tone")]))
    def take(self, held: tuple[str, ...]) -> Job:
        job = self.pending.take(held)
        if job is None:
            return a_job(SCORERS[0])
        assert job.attached.id not in held
        self.under_way.append(job)
        return job

    @precondition(lambda self: self.under_way)
    @rule()
    def release(self) -> None:
        self.pending.release(self.under_way.pop())

    @rule(job=taken, fate=st.sampled_from(FINISHED), stored=st.booleans())
    def settle(self, job: Job, fate: Fate, stored: bool) -> None:
        self.pending.settle(job, fate, stored)

    @rule(job=consumes(taken))
    def forget(self, job: Job) -> None:
        self.pending.settle(job, "failed", False)

    @rule(reason=st.sampled_from(["too late", "shut down"]))
    def give_up(self, reason: str) -> None:
        self.pending.give_up(reason)

    @precondition(lambda self: self.under_way)
    @rule()
    def put_back(self) -> None:
        self.pending.put_back([self.under_way.pop()])

    @rule()
    def close(self) -> None:
        self.pending.close()

    @invariant()
    def adds_up(self) -> None:
        if not hasattr(self, "pending"):
            return
        total = self.pending.counts()
        assert total.adds_up
        assert total.triggered == self.triggered
        each = [self.pending.counts(attached.id) for attached in SCORERS]
        assert all(0 <= counts.pending <= self.most for counts in each)
        under_way = [job.attached.id for job in self.under_way]
        assert all(under_way.count(attached.id) <= self.concurrency for attached in SCORERS)
        assert all(counts.adds_up for counts in each)
        assert sum(counts.triggered for counts in each) == total.triggered
        assert sum(total.reasons.values()) >= total.dropped


TestCounting = Counting.TestCase
TestCounting.settings = settings(deadline=None, stateful_step_count=25)


def test_the_law_sees_a_run_that_was_lost() -> None:
    """Counts that do not add up, and stored ones that were never scored, are told."""
    assert Counts(triggered=2, scored=1, stored=1, pending=1).adds_up
    assert not Counts(triggered=2, scored=1, stored=1).adds_up
    assert not Counts(triggered=1, scored=1).adds_up


def test_the_oldest_that_waits_makes_room() -> None:
    """Not one that is being scored."""
    pending = Pending(2, "drop_oldest", lambda: None, 2)
    jobs = [a_job(SCORERS[1]) for _ in range(3)]
    assert pending.offer(jobs[0])
    assert pending.take() is jobs[0]
    assert pending.offer(jobs[1])
    assert pending.offer(jobs[2])
    assert pending.take() is jobs[2]
    assert not pending.offer(a_job(SCORERS[1]))
    assert pending.counts().dropped == 2


def test_runs_wake_until_one_is_taken() -> None:
    """So a wake that came to nothing is made good; then none does until the next look in vain."""
    woken: list[int] = []
    pending = Pending(9, "drop_newest", lambda: woken.append(1), 9)
    for at in (1, 2):
        pending.offer(a_job(SCORERS[0]))
        assert len(woken) == at
    assert pending.take()
    pending.offer(a_job(SCORERS[0]))
    assert len(woken) == 2
    while pending.take():
        pass
    pending.offer(a_job(SCORERS[0]))
    assert len(woken) == 3


def test_a_scorer_fills_its_own_queue_only() -> None:
    """What it leaves no room for is its own, and so is what waits for a place to begin."""
    slow, other = SCORERS
    pending = Pending(3, "drop_newest", lambda: None, 2)
    for _ in range(5):
        pending.offer(a_job(slow))
    assert pending.offer(a_job(other))
    assert (pending.counts(slow.id).dropped, pending.counts(other.id).dropped) == (2, 0)
    taken = [pending.take() for _ in range(4)]
    assert [job and job.attached.id for job in taken] == [slow.id, other.id, slow.id, None]
    assert taken[0] is not None
    assert pending.release(taken[0])
    assert pending.take() is not None


def test_scorers_take_turns() -> None:
    """However many runs of one wait, those of another are not behind them all."""
    many, few = SCORERS
    pending = Pending(99, "drop_newest", lambda: None, 99)
    for attached in (many, many, many, many, few, few):
        pending.offer(a_job(attached))
    taken = [job.attached.id for job in iter(pending.take, None)]
    assert taken == [many.id, few.id, many.id, few.id, many.id, many.id]


def test_turns_do_not_add_up() -> None:
    """A scorer whose only waiting run gives way again and again has one turn."""
    pending = Pending(1, "drop_oldest", lambda: None, 1)
    for _ in range(5):
        pending.offer(a_job(SCORERS[0]))
    assert pending.take() is not None
    assert pending.take() is None


def test_a_snapshot_does_not_change() -> None:
    """What was read stays as it was."""
    pending = Pending(9, "drop_newest", lambda: None)
    before = pending.counts()
    pending.count("number", "filtered", "why")
    assert (before.triggered, pending.counts().triggered) == (0, 1)
    with pytest.raises(TypeError):
        pending.counts().reasons["x"] = 1  # type: ignore[index]  # what is tested


def test_the_wait_for_room_is_a_number() -> None:
    """Of seconds."""
    with pytest.raises(DefinitionError, match="seconds"):
        Block(-1)
