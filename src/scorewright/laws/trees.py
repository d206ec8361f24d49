"""Programs as data: what a generator makes, a law grows and runs, and a counterexample shows."""

from __future__ import annotations

from functools import partial
from typing import TypeAlias, final

import attrs
from returns.pipeline import is_successful
from returns.result import Result

from scorewright.core import Ask, Fork, JudgeReply, JudgeRequest, Now, Outcome
from scorewright.core.program import landed
from scorewright.results import err, ok

Program: TypeAlias = "Outcome[int, object]"
Tree: TypeAlias = "Give | Lose | Blow | Inquire | Beside | Later"


@final
@attrs.frozen
class Give:
    """The number that came in, doubled, plus `plus`: so that what comes first makes a difference."""

    plus: int = 0


@final
@attrs.frozen
class Lose:
    """A failure, whatever came in."""

    why: str = ""


@final
@attrs.frozen
class Blow:
    """A function that raises; it stands only inside the parts of a fork, which catch it."""

    message: str = ""


@final
@attrs.frozen
class Inquire:
    """A question about the number that came in, and what follows an answer or a fault."""

    text: str
    answered: Tree
    faulted: Tree


@final
@attrs.frozen
class Beside:
    """Parts side by side; what follows starts from their numbers, read in the order of the parts."""

    parts: tuple[Tree, ...]
    after: Tree


@final
@attrs.frozen
class Later:
    """The same, after some turns of the event loop."""

    turns: int
    tree: Tree


def grown(tree: Tree, number: int, /) -> Program:
    """The program of a tree for the number that comes in."""
    match tree:
        case Give(plus):
            return ok(2 * number + plus)
        case Lose(why):
            return err((why, number))
        case Blow(message):
            raise ValueError(message)
        case Inquire():
            return _asking(tree, number)
        case Beside():
            return _beside(tree, number)
        case Later():
            return _later(tree, number)


def _asking(tree: Inquire, number: int) -> Program:
    def resume(reply: JudgeReply) -> Program:
        said = reply.answer
        return grown(tree.answered, number + len(said.unwrap())) if is_successful(said) else grown(tree.faulted, number)

    return Ask(JudgeRequest(f"{tree.text} {number}"), resume)


def _beside(tree: Beside, number: int) -> Program:
    def join(results: tuple[Result[object, object], ...]) -> Program:
        total = number
        for result in results:
            value = result.value_or(None)
            total = 3 * total + (value if isinstance(value, int) else -1)
        return grown(tree.after, total)

    return Fork(tuple(partial(grown, part, number) for part in tree.parts), join)


async def _later(tree: Later, number: int) -> Now[int, object]:
    from asyncio import sleep

    for _ in range(tree.turns):
        await sleep(0)
    return await landed(grown(tree.tree, number))
