"""An answer that was received is never asked for again: by no later run, no other worker, no second row."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import ParamSpec, cast

import attrs
import pytest
from fakes.openai_server import FakeOpenAI, said, status
from returns.pipeline import is_successful

from scorewright import Judge, Run, create_scorer, ok, prompt, pure
from scorewright.core import Answerer, Attempt, Bench, JudgeReply, JudgeRequest, Usage
from scorewright.core.bench import answer_here
from scorewright.faults import Aborted, ServerError
from scorewright.judges import ErrorRetryProcessor
from scorewright.results import err
from scorewright.suites.journal import Store, StoreError, open_store
from scorewright.suites.journal.calls import STALE
from scorewright.suites.journal.orders import Claim
from scorewright.suites.journal.tables import CALL, WORKER

P = ParamSpec("P")


def on_a_loop(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """The test, run to its end."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


Counted = Callable[[JudgeRequest], Awaitable[JudgeReply]]


class Named(Answerer):
    """A judge that has only a name."""

    def __init__(self, identity: str = "judge") -> None:
        self._identity = identity

    @property
    def identity(self) -> str:
        return self._identity

    async def answer(self, request: JudgeRequest, bench: Bench, /) -> JudgeReply:
        raise AssertionError(f"the journal asks through its own answerer, not {request!r} on {bench!r}")


QUESTION = JudgeRequest("Is it polite?", judge=Named(), place="mean[0]/analyze#1")


class Provider:
    """Counts what is asked, and answers what it is told to."""

    def __init__(self, *answers: JudgeReply) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, request: JudgeRequest, /) -> JudgeReply:
        self.asked.append(request.prompt)
        await asyncio.sleep(0)
        return self.answers.pop(0) if self.answers else JudgeReply(ok(f"answer to {request.prompt}"))


def texts(*replies: JudgeReply) -> list[str]:
    return [reply.answer.unwrap() for reply in replies]


@on_a_loop
async def test_an_answer_is_asked_for_once(place: str) -> None:
    """Not again by the same store, and not by one that is opened later."""
    provider = Provider()
    with open_store(place) as store:
        journal = store.answering(provider)
        assert texts(await journal(QUESTION), await journal(QUESTION)) == ["answer to Is it polite?"] * 2
        assert (journal.asked, journal.served) == (1, 1)
    with open_store(place) as store:
        assert texts(await store.answering(provider)(QUESTION)) == ["answer to Is it polite?"]
    assert provider.asked == ["Is it polite?"]


@on_a_loop
async def test_a_stored_answer_took_no_attempt(place: str) -> None:
    """What it saved is told apart from what was paid; how many attempts were left is kept."""
    paid = Attempt(status=200, usage=Usage(100, 20), model="m")
    with open_store(place) as store:
        journal = store.answering(Provider(JudgeReply(ok("yes"), (paid,), attempts_left=2)))
        first, second = await journal(QUESTION), await journal(QUESTION)
    assert (first.attempts, first.attempts_left) == ((paid,), 2)
    assert (second.attempts, second.attempts_left, second.avoided) == ((), 2, Usage(100, 20))


@pytest.mark.parametrize(
    "other",
    [
        attrs.evolve(QUESTION, prompt="Is it short?"),
        attrs.evolve(QUESTION, sample=1),
        attrs.evolve(QUESTION, feedback="no such label"),
        attrs.evolve(QUESTION, schema='{"type":"boolean"}'),
        attrs.evolve(QUESTION, judge=Named("another")),
        attrs.evolve(QUESTION, place="mean[0]/analyze#2"),
    ],
)
@on_a_loop
async def test_another_question_is_another_answer(tmp_path: Path, other: JudgeRequest) -> None:
    """Whatever shapes an answer tells questions apart, the sample and the place inside a part too."""
    provider = Provider()
    with open_store(tmp_path / "runs.db") as store:
        journal = store.answering(provider)
        await journal(QUESTION)
        await journal(other)
    assert len(provider.asked) == 2


@on_a_loop
async def test_the_part_of_a_program_and_the_order_of_arrival_do_not_matter(tmp_path: Path) -> None:
    """The same question in another part is the same question."""
    provider = Provider()
    with open_store(tmp_path / "runs.db") as store:
        journal = store.answering(provider)
        await journal(QUESTION)
        await journal(attrs.evolve(QUESTION, place="jury[2]/analyze#1"))
    assert len(provider.asked) == 1


@on_a_loop
async def test_many_at_once_ask_once(place: str) -> None:
    """In one process one question flies at a time."""
    provider = Provider()
    with open_store(place) as store:
        journal = store.answering(provider)
        await asyncio.gather(*(journal(attrs.evolve(QUESTION, prompt=f"{at % 10}")) for at in range(200)))
    assert sorted(provider.asked) == sorted(map(str, range(10)))


@on_a_loop
async def test_two_workers_ask_once(place: str) -> None:
    """Each waits for the other's answers, and gets them."""
    provider = Provider()
    with open_store(place) as one, open_store(place) as two:
        journals = [one.answering(provider), two.answering(provider)]
        questions = [attrs.evolve(QUESTION, prompt=f"{at}") for at in range(50)]
        replies = await asyncio.gather(*(journal(each) for each in questions for journal in journals))
    assert sorted(provider.asked) == sorted(each.prompt for each in questions)
    assert texts(*replies) == [f"answer to {each.prompt}" for each in questions for _ in journals]


@on_a_loop
async def test_a_failure_is_not_kept(place: str) -> None:
    """The fault reaches the step; whoever asks next asks the judge."""
    provider = Provider(JudgeReply(err(ServerError("down", 500))))
    with open_store(place) as store:
        journal = store.answering(provider)
        assert (await journal(QUESTION)).answer == err(ServerError("down", 500))
        assert texts(await journal(QUESTION)) == ["answer to Is it polite?"]


@on_a_loop
async def test_a_cancelled_question_is_given_back(place: str) -> None:
    """Another worker need not wait until the first one is gone."""
    begun = asyncio.Event()

    async def never(request: JudgeRequest) -> JudgeReply:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    with open_store(place) as one, open_store(place) as two:
        asking = asyncio.create_task(one.answering(never)(QUESTION))
        await begun.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert texts(await two.answering(Provider())(QUESTION)) == ["answer to Is it polite?"]


def claim_as(store: Store, worker: str, silent: float) -> None:
    """The question as another worker left it, which was last heard of so many seconds ago."""
    from time import time

    with open_store(store.name) as lost:
        lost.writer.worker = worker
        key = asyncio.run(_claimed(lost))
    with store._engine.begin() as connection:
        connection.execute(WORKER.update().where(WORKER.c.id == worker).values(seen=time() - silent))
        assert connection.execute(CALL.select().where(CALL.c.key == key)).one().worker == worker


async def _claimed(store: Store) -> str:
    from scorewright.suites.journal.answering import _key

    key = _key(QUESTION).written
    await store.writer.ask(Claim(key))
    return key


def gone_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


@pytest.mark.parametrize(
    "worker_and_silence",
    [
        (lambda: f"{socket.gethostname()}/{gone_process()}/a", 0.0),
        (lambda: "another-host/1/a", STALE + 1),
    ],
    ids=["its process is gone", "it is silent for long"],
)
def test_the_questions_of_a_lost_worker_are_asked_again(
    tmp_path: Path, worker_and_silence: tuple[Callable[[], str], float]
) -> None:
    """At once where its process can be seen to be gone, else when it has been silent for long."""
    worker, silent = worker_and_silence
    provider = Provider()
    with open_store(tmp_path / "runs.db") as store:
        claim_as(store, worker(), silent)
        assert texts(asyncio.run(_ask(store, provider))) == ["answer to Is it polite?"]
    assert len(provider.asked) == 1


async def _ask(store: Store, provider: Counted) -> JudgeReply:
    return await store.answering(provider)(QUESTION)


def test_the_questions_of_a_living_worker_are_left_to_it(tmp_path: Path) -> None:
    """Whoever else wants the answer waits."""

    async def waits(store: Store, provider: Provider) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(store.answering(provider)(QUESTION), 0.3)

    provider = Provider()
    with open_store(tmp_path / "runs.db") as store:
        claim_as(store, f"{socket.gethostname()}/{os.getpid()}/other", 0.0)
        asyncio.run(waits(store, provider))
    assert provider.asked == []


@on_a_loop
async def test_a_judge_without_identity_is_refused_unpaid(tmp_path: Path) -> None:
    """Its answers cannot be told from others."""
    provider = Provider()
    with open_store(tmp_path / "runs.db") as store:
        reply = await store.answering(provider)(attrs.evolve(QUESTION, judge=Named("")))
    assert isinstance(reply.answer.failure(), Aborted)
    assert provider.asked == []


@on_a_loop
async def test_no_secret_is_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a key in a prompt, an answer, or of the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "open-sesame-123456")
    secrets = "sk-proj-abcdefghijklmnopqrstuvwx and open-sesame-123456"
    path = tmp_path / "runs.db"
    with open_store(path) as store:
        await store.answering(Provider(JudgeReply(ok(secrets))))(attrs.evolve(QUESTION, prompt=secrets))
        store.flush()
        held = b"".join(map(Path.read_bytes, [path, path.with_name("runs.db-wal")]))
    assert b"[secret]" in held
    assert b"abcdefghijklmnopqrstuvwx" not in held
    assert b"open-sesame" not in held


@on_a_loop
async def test_when_nothing_can_be_written_nothing_more_is_paid(tmp_path: Path) -> None:
    """The answer that is under way reaches its step, and the next question is a fault with the reason."""
    provider = Provider()
    store = open_store(tmp_path / "runs.db")
    journal = store.answering(provider)
    await journal(attrs.evolve(QUESTION, prompt="first"))
    with sqlite3.connect(tmp_path / "runs.db") as broken:
        broken.execute("CREATE TRIGGER full BEFORE UPDATE ON call BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
    broken.close()
    assert texts(await journal(attrs.evolve(QUESTION, prompt="second"))) == ["answer to second"]
    refused = (await journal(attrs.evolve(QUESTION, prompt="third"))).answer.failure()
    assert isinstance(refused, Aborted)
    assert "make room, then resume" in refused.why
    assert provider.asked == ["first", "second"]
    with pytest.raises(StoreError, match="make room"):
        store.close()


def test_a_scorer_is_run_again_without_a_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain steps are repeated, judges are not asked; the evaluations are equal."""
    monkeypatch.setenv("OPENAI_API_KEY", "open-sesame-123456")
    with FakeOpenAI([said('{"value": 4}'), said('{"value": "because"}')]) as server:
        judge = Judge("openai/m", base_url=server.base_url)
        scorer = (
            create_scorer("polite", input=str, output=str, judge=judge)
            .analyze(prompt(int, lambda s: f"Rate {s.run.output} from 1 to 5"))
            .generate_score(pure(lambda s: s.ana / 5))
            .generate_reason(prompt(str, lambda s: f"Why {s.score}?"))
        )
        run = Run("hello", "hi")
        results = []
        for _ in range(2):
            with open_store(tmp_path / "runs.db") as store:
                results.append(scorer.run_sync(run, answer=store.answering(answer_here)))
        assert len(server.requests) == 2
    first, second = results
    assert is_successful(first)
    assert first == second
    assert cast("float", second.unwrap().score) == 0.8


def test_a_request_that_is_made_again_after_a_crash_has_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A provider that heeds `Idempotency-Key` charges once; a retry and another question have other keys."""
    monkeypatch.setenv("OPENAI_API_KEY", "open-sesame-123456")

    with FakeOpenAI([status(500), *[said("yes")] * 4]) as server:
        retries = ErrorRetryProcessor(max_retries=1, delay=0)
        judge = Judge("openai/m", base_url=server.base_url, error_processors=[retries])
        for name in ("runs.db", "after the crash.db"):  # which has nothing of what the first one was answered
            with open_store(tmp_path / name) as store:
                for text in ("a", "b"):
                    asyncio.run(store.answering(answer_here)(attrs.evolve(QUESTION, prompt=text, judge=judge)))
        a0, a1, b0, *after = [received.headers["idempotency-key"] for received in server.requests]
    assert after == [a0, b0]
    assert len({a0, a1, b0}) == 3


def test_no_key_is_sent_without_a_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two equal questions may want two answers."""
    monkeypatch.setenv("OPENAI_API_KEY", "open-sesame-123456")
    with FakeOpenAI([said("yes")]) as server:
        judge = Judge("openai/m", base_url=server.base_url)
        asyncio.run(answer_here(attrs.evolve(QUESTION, judge=judge)))
        assert "idempotency-key" not in server.requests[0].headers
