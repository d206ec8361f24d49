"""Plain code on a crew of threads: one after another, and beside what holds a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Container, Generator
from contextvars import ContextVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live.watching import PATIENCE, until

from scorewright import ok
from scorewright.core.ask import Answer, Ask, Fork, JudgeReply, JudgeRequest
from scorewright.core.interpret import interpret
from scorewright.laws import strategies
from scorewright.laws.script import Script
from scorewright.laws.trees import Tree, grown
from scorewright.live.around import Around
from scorewright.live.crew import Crew, Stretch
from scorewright.live.driver import Elsewhere


def nothing(_held: Container[str]) -> None:
    """There is nothing new to do."""


def ignore(_failed: RuntimeError) -> None:
    """No thread lacks here."""


@pytest.fixture
def crew() -> Generator[Crew]:
    made = Crew(nothing, Around(off="here"), failed=ignore)
    yield made
    made.close()
    made.join(PATIENCE)


class Marks:
    """What was done, in which order and by which thread."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.threads: list[threading.Thread] = []
        self._came = threading.Condition()

    def stretch(self, name: str, of: str, wait: threading.Event | None = None) -> Stretch:
        def run() -> None:
            if wait is not None:
                assert wait.wait(PATIENCE)
            with self._came:
                self.done.append(name)
                self.threads.append(threading.current_thread())
                self._came.notify_all()

        return Stretch(of, run)

    def wait_for(self, *names: str) -> list[str]:
        with self._came:
            assert self._came.wait_for(lambda: set(names) <= {*self.done}, PATIENCE)
            return self.done.copy()


def test_quick_code_runs_on_one_thread(crew: Crew) -> None:
    """In the order in which it comes, whose ever it is."""
    marks = Marks()
    names = [f"{at}" for at in range(50)]
    for name in names:
        crew.put(marks.stretch(name, f"scorer {int(name) % 3}"))
    assert marks.wait_for(*names) == names
    assert len({*marks.threads}) == 1


def test_what_holds_a_thread_holds_its_own_scorer_only(crew: Crew) -> None:
    """The others go on; its own stretches come after it, one after another."""
    marks, first, second = Marks(), threading.Event(), threading.Event()
    crew.put(marks.stretch("a1", "a", first))
    crew.put(marks.stretch("b1", "b", second))
    crew.put(marks.stretch("a2", "a"))
    crew.put(marks.stretch("b2", "b"))
    crew.put(marks.stretch("c1", "c"))
    assert marks.wait_for("c1") == ["c1"]
    second.set()
    assert marks.wait_for("b1", "b2") == ["c1", "b1", "b2"]
    first.set()
    assert marks.wait_for("a1", "a2")[-2:] == ["a1", "a2"]
    crew.put(marks.stretch("c2", "c"))
    marks.wait_for("c2")


def test_so_many_threads_are_held_at_most(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more that blocks holds all, until one of them is done."""
    monkeypatch.setattr("scorewright.live.crew.MOST_HELD", 2)
    marks, gates = Marks(), [threading.Event() for _ in range(9)]
    before = threading.active_count()
    for at, gate in enumerate(gates):
        crew.put(marks.stretch(f"{at}", f"scorer {at}", gate))
    gates[0].set()
    marks.wait_for("0")
    gates[2].set()
    marks.wait_for("2")
    assert threading.active_count() - before <= 4  # they that are held, who leads and who watches
    for gate in gates:
        gate.set()
    marks.wait_for(*(f"{at}" for at in range(9)))


def test_nobody_looks_again_and_again_where_nothing_is_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither when there is nothing to do, nor for a thread that is held."""
    waits: dict[int, float | None] = {}

    class Noted(threading.Condition):
        def wait(self, timeout: float | None = None) -> bool:
            waits[threading.get_ident()] = timeout
            came = super().wait(timeout)
            waits.pop(threading.get_ident(), None)
            return came

    monkeypatch.setattr("scorewright.live.crew.Condition", Noted)
    crew = Crew(nothing, Around(off="here"), failed=ignore)
    marks, gate = Marks(), threading.Event()

    def all_sleep() -> bool:
        return len(waits) == 2 and all(each is None or each > PATIENCE for each in waits.copy().values())

    crew.put(marks.stretch("a", "a"))
    until(all_sleep)
    crew.put(marks.stretch("b1", "b", gate))
    crew.put(marks.stretch("c", "c"))
    marks.wait_for("c")
    until(all_sleep)
    gate.set()
    crew.put(marks.stretch("b2", "b"))
    marks.wait_for("b1", "b2")
    crew.close()
    crew.join(PATIENCE)


def test_what_is_thrown_into_a_thread_ends_no_thread(crew: Crew, caplog: pytest.LogCaptureFixture) -> None:
    """As by those that time out what runs in another; it is said."""

    def breaks() -> None:
        raise SystemExit

    marks = Marks()
    crew.put(Stretch("a", breaks))
    crew.put(marks.stretch("b", "b"))
    marks.wait_for("b")
    assert "lost a run of the scorer a" in caplog.text


def test_a_crew_without_more_threads_goes_on_when_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody watches then: what is held holds all, and nothing is lost."""
    refused = list[RuntimeError]()
    crew = Crew(nothing, Around(off="here"), failed=refused.append)
    marks, gate = Marks(), threading.Event()
    start = threading.Thread.start

    def one(thread: threading.Thread) -> None:
        if threading.current_thread().name == "scorewright-live":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", one)
    crew.put(marks.stretch("a1", "a", gate))
    crew.put(marks.stretch("b1", "b"))
    gate.set()
    assert marks.wait_for("a1", "b1") == ["a1", "b1"]
    assert refused
    crew.close()
    crew.join(PATIENCE)


def test_a_closed_crew_begins_nothing(crew: Crew) -> None:
    """And has no thread left."""
    marks = Marks()
    crew.put(marks.stretch("a", "a"))
    marks.wait_for("a")
    crew.close()
    crew.join(PATIENCE)
    crew.put(marks.stretch("b", "b"))
    assert marks.done == ["a"]
    assert not crew.wake()


LAW_CREW = Crew(nothing, Around(off="here"), failed=ignore)


@given(tree=strategies.trees(), number=st.integers(0, 9), script=strategies.scripts())
def test_a_program_comes_to_the_same_elsewhere(tree: Tree, number: int, script: Script) -> None:
    """Law: its asks, forks, awaits and result are those of the program itself."""

    async def driven(change: Callable[[object], object]) -> tuple[object, list[str]]:
        asked: list[str] = []

        async def answer(request: JudgeRequest) -> JudgeReply:
            asked.append(request.prompt)
            return await script.answer(request)

        result = await interpret(change(grown(tree, number)), answer)  # type: ignore[arg-type]  # a program is changed to one
        return result, sorted(asked)

    def same(outcome: object) -> object:
        return outcome

    there: Callable[[object], object] = Elsewhere(LAW_CREW, "a")  # type: ignore[assignment]  # of one type to the same
    assert asyncio.run(driven(there)) == asyncio.run(driven(same))


VARIABLE: ContextVar[int] = ContextVar("VARIABLE", default=0)
PERHAPS: ContextVar[int | None] = ContextVar("PERHAPS", default=7)


async def replied(_: JudgeRequest) -> JudgeReply:
    return JudgeReply(ok("yes"))


def test_context_goes_along(crew: Crew) -> None:
    """What a step sets the later ones see, and nobody outside; and so in each part of a fork."""
    seen: list[int] = []

    def step(then: Callable[[], object]) -> object:
        seen.append(VARIABLE.get())
        VARIABLE.set(VARIABLE.get() + 1)
        return then()

    def asking(then: Callable[[], object]) -> object:
        return Ask(JudgeRequest("?"), lambda _: step(then))  # type: ignore[arg-type, return-value]  # built by hand

    def last(_: object) -> object:
        return step(lambda: ok(1))

    parts = (lambda: step(lambda: asking(lambda: ok(1))),) * 2
    program = asking(lambda: Fork(parts, last))  # type: ignore[arg-type]  # as above

    async def main(answer: Answer) -> int:
        await interpret(Elsewhere(crew, "a")(program), answer)  # type: ignore[type-var]  # as above
        return VARIABLE.get()

    assert asyncio.run(main(replied)) == 2  # of the two that are no part
    assert sorted(seen) == [0, 1, 1, 1, 2, 2]
    assert VARIABLE.get() == 0


def test_nothing_is_a_value_too(crew: Crew) -> None:
    """A variable that a step sets to None is None for the later ones."""

    def sets(_: JudgeReply) -> object:
        PERHAPS.set(None)
        return Ask(JudgeRequest("?"), lambda _: ok(PERHAPS.get()))  # type: ignore[arg-type, return-value]  # built by hand

    program = Ask(JudgeRequest("?"), sets)  # type: ignore[arg-type]  # as above
    assert asyncio.run(interpret(Elsewhere(crew, "a")(program), replied)) == ok(None)  # type: ignore[arg-type, type-var]  # as above


@pytest.mark.parametrize("crash", [ValueError("no"), StopIteration(), KeyboardInterrupt(), SystemExit(1)])
def test_what_is_raised_there_is_raised_here(crew: Crew, crash: BaseException) -> None:
    """Of whatever kind; the thread goes on."""

    def breaks(_: JudgeReply) -> object:
        raise crash

    async def main() -> object:
        try:
            await interpret(Elsewhere(crew, "a")(Ask(JudgeRequest("?"), breaks)), replied)  # type: ignore[arg-type, type-var]  # as above
        except BaseException as raised:  # noqa: BLE001 - what is tested
            return raised
        return None

    raised = asyncio.run(main())
    assert raised is crash or (isinstance(raised, RuntimeError) and raised.__cause__ is crash)
    marks = Marks()
    crew.put(marks.stretch("b", "b"))
    marks.wait_for("b")
