"""The laws of putting programs together: one after another, side by side, over and over.

A law takes the operations that it holds to account and a case, and gives two sides. A program is observed by running
it: its result, and what it asked (in no particular order).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Never, Protocol, TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Again, Answer, Done, JudgeReply, JudgeRequest, Outcome, both, gather, interpret
from scorewright.core import iterate as iterate_  # the field of `Operations` has the plain name
from scorewright.core import settle as settle_
from scorewright.core import then as then_
from scorewright.core.portal import finished
from scorewright.laws.script import Script
from scorewright.laws.statement import Law, Sides
from scorewright.laws.trees import Program, Tree, grown
from scorewright.results import err, ok

Next: TypeAlias = Callable[[int], Program]
Turn: TypeAlias = Again[int] | Done[int]
Pair: TypeAlias = "Outcome[tuple[int, int], object]"
Thunk: TypeAlias = Callable[[], Program]


class Gather(Protocol):
    """How `gather` is called."""

    def __call__(self, *parts: Thunk) -> Outcome[tuple[Result[int, object], ...], Never]:
        """Every result, in the order of the parts."""
        ...


@final
@attrs.frozen
class Operations:
    """What the laws of programs hold to account; the ones of `scorewright.core` unless given."""

    then: Callable[[Program, Next], Program] = then_
    settle: Callable[[Program, Next, Callable[[object], Program]], Program] = settle_
    gather: Gather = gather
    both: Callable[[Thunk, Thunk], Pair] = both
    iterate: Callable[[int, Callable[[int], Outcome[Turn, object]]], Program] = iterate_
    interpret: Callable[[Outcome[object, object], Answer], Awaitable[Result[object, object]]] = interpret


@final
@attrs.frozen
class ProgramCase:
    """What the laws of programs are tried on: a number, three programs that take one, some parts, and who answers."""

    number: int
    first: Tree
    second: Tree
    third: Tree
    parts: tuple[Tree, ...]
    script: Script
    other_pace: int

    @property
    def thunks(self) -> tuple[Thunk, ...]:
        """The parts as thunks."""
        return tuple(partial(grown, part, self.number) for part in self.parts)


@final
@attrs.frozen
class Played:
    """What can be observed of a program: its result, and what it asked, sorted."""

    result: Result[object, object]
    asked: tuple[str, ...]


def played(operations: Operations, begin: Callable[[], Outcome[object, object]], script: Script, /) -> Played:
    """Run a program once, answered by the script."""
    asked: list[str] = []

    async def answer(request: JudgeRequest) -> JudgeReply:
        asked.append(request.prompt)
        return await script.answer(request)

    async def result() -> Result[object, object]:
        return await operations.interpret(begin(), answer)

    return Played(finished(result), tuple(sorted(asked)))


def left_identity(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`then(ok(a), f)` is `f(a)`."""
    return Sides(
        played(operations, lambda: operations.then(ok(case.number), lambda n: grown(case.second, n)), case.script),
        played(operations, lambda: grown(case.second, case.number), case.script),
        case,
    )


def right_identity(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`then(program, ok)` is the program."""
    return Sides(
        played(operations, lambda: operations.then(grown(case.first, case.number), ok), case.script),
        played(operations, lambda: grown(case.first, case.number), case.script),
        case,
    )


def associativity(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`then(then(program, f), g)` is `then(program, lambda a: then(f(a), g))`."""
    then = operations.then

    def f(n: int) -> Program:
        return grown(case.second, n)

    def g(n: int) -> Program:
        return grown(case.third, n)

    return Sides(
        played(operations, lambda: then(then(grown(case.first, case.number), f), g), case.script),
        played(operations, lambda: then(grown(case.first, case.number), lambda n: then(f(n), g)), case.script),
        case,
    )


def failure_stops(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`then(err(fault), f)` is `err(fault)`, and `f` asks nothing."""
    return Sides(
        played(operations, lambda: operations.then(err("lost"), lambda n: grown(case.second, n)), case.script),
        Played(err("lost"), ()),
        case,
    )


def settle_identity(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`settle(program, ok, err)` is the program."""
    return Sides(
        played(operations, lambda: operations.settle(grown(case.first, case.number), ok, err), case.script),
        played(operations, lambda: grown(case.first, case.number), case.script),
        case,
    )


def settle_composition(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """Mapping both sides of a result twice is mapping them once with the composed functions."""
    settle = operations.settle

    def program() -> Program:
        return grown(case.first, case.number)

    return Sides(
        played(
            operations,
            lambda: settle(
                settle(program(), lambda n: ok(n + 3), lambda fault: err((fault, 1))),
                lambda n: ok(n * 5),
                lambda fault: err((fault, 2)),
            ),
            case.script,
        ),
        played(
            operations,
            lambda: settle(program(), lambda n: ok((n + 3) * 5), lambda fault: err(((fault, 1), 2))),
            case.script,
        ),
        case,
    )


def gather_keeps_order(operations: Operations, case: ProgramCase) -> Sides[object]:
    """What `gather` gives is what each part gives alone, in the order of the parts, whoever ends first."""
    together = played(operations, lambda: operations.gather(*case.thunks), case.script)
    alone = [played(operations, partial(operations.gather, part), case.script) for part in case.thunks]
    asked = sorted(text for each in alone for text in each.asked)
    return Sides(
        (together.result.map(_in_order), together.asked),
        (ok([result for each in alone for result in _in_order(each.result.unwrap())]), tuple(asked)),
        case,
    )


def both_is_gather_of_two(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`both(a, b)` is `gather(a, b)`, where the fault of `a` counts before that of `b`."""

    def a() -> Program:
        return grown(case.first, case.number)

    def b() -> Program:
        return grown(case.second, case.number)

    def paired(results: tuple[Result[int, object], ...]) -> Pair:
        left, right = results
        if not is_successful(left):
            return err(left.failure())
        return ok((left.unwrap(), right.unwrap())) if is_successful(right) else err(right.failure())

    return Sides(
        played(operations, lambda: operations.both(a, b), case.script),
        played(operations, lambda: then_(operations.gather(a, b), paired), case.script),
        case,
    )


def pace_does_not_matter(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """Parts do not depend on which of them is answered first."""
    other = attrs.evolve(case.script, pace=case.other_pace)
    return Sides(
        played(operations, lambda: operations.gather(*case.thunks), case.script),
        played(operations, lambda: operations.gather(*case.thunks), other),
        case,
    )


def interpreting_twice_gives_the_same(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """A program of parts holds nothing that a first run uses up."""
    program = operations.gather(*case.thunks)
    return Sides(
        played(operations, lambda: program, case.script), played(operations, lambda: program, case.script), case
    )


def iterate_is_recursion(operations: Operations, case: ProgramCase) -> Sides[Played]:
    """`iterate(state, body)` is the recursion that goes on with `body` until it is `Done`."""
    rounds = (case.first, case.second, case.third)

    def body(state: int) -> Outcome[Turn, object]:
        place, number = state % len(rounds), state // len(rounds)
        last = place == len(rounds) - 1

        def turn(n: int) -> Outcome[Turn, object]:
            return ok(Done(n) if last else Again(n * len(rounds) + place + 1))

        return then_(grown(rounds[place], number), turn)

    def recursion(state: int) -> Program:
        def turned(turn: Turn) -> Program:
            return ok(turn.value) if isinstance(turn, Done) else recursion(turn.state)

        return then_(body(state), turned)

    start = case.number * len(rounds)
    return Sides(
        played(operations, lambda: operations.iterate(start, body), case.script),
        played(operations, lambda: recursion(start), case.script),
        case,
    )


def _in_order(gathered: object) -> list[object]:
    return [*gathered] if isinstance(gathered, Iterable) else [gathered]


PROGRAM_LAWS: tuple[Law[Operations, ProgramCase], ...] = (
    left_identity,
    right_identity,
    associativity,
    failure_stops,
    settle_identity,
    settle_composition,
    gather_keeps_order,
    both_is_gather_of_two,
    pace_does_not_matter,
    interpreting_twice_gives_the_same,
    iterate_is_recursion,
)
