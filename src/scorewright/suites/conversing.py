"""Rows that hold a conversation: the target is asked turn by turn, and each turn can be scored on its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, final

import attrs
from typing_extensions import TypeIs

from scorewright.shapes import unstructure
from scorewright.suites.rows.row import ABSENT, Row
from scorewright.suites.targets import EARLIER, Answered, Call, TargetFault

Asking: TypeAlias = Callable[[Call, Row], Awaitable[Answered | TargetFault]]


@final
@attrs.frozen
class Turn:
    """One turn: the row that it is of its own, what was answered, and the ids of its scorers where it names some."""

    row: Row
    answered: Answered
    scorers: frozenset[str] | None


@final
@attrs.frozen
class Conversation:
    """The turns, and the whole as a row: what was said up to the last answer, and that answer."""

    row: Row
    turns: tuple[Turn, ...]
    answered: Answered
    fault: TargetFault | None = None


async def conversation(row: Row, call: Call | None, ask: Asking, /) -> Conversation:
    """Hold the conversation. A turn that fails ends it; without a target a turn's own `output` is what was answered.

    A function is given all messages so far, `[{"role": "user", "content": …}, …]`, the new one last. The whole run that
    scorers of runs are given has these messages as its input and the last answer as its output; scorers of agents are
    given the agent's own record of the conversation, or one made of the messages.
    """
    said: list[dict[str, object]] = []
    turns: list[Turn] = []
    given, earlier = Answered(ABSENT), None
    for number, turn in enumerate(row.turns, 1):
        said = [*said, {"role": "user", "content": turn.get("input")}]
        context: Mapping[str, object] = row.request_context
        if call is None:
            given = Answered(turn.get("output", ABSENT))
        else:
            asked = attrs.evolve(row, input=said, request_context={**context, EARLIER: earlier}, turns=())
            reply = await ask(call, asked)
            if isinstance(reply, TargetFault):
                return Conversation(row, tuple(turns), given, reply)
            given = reply
        earlier = given.raw
        own = attrs.evolve(
            row,
            id=f"{row.id}[{number}]",
            input=turn.get("input"),
            expected=turn.get("expected"),
            output=ABSENT,
            turns=(),
        )
        turns.append(Turn(own, given, _scorers(turn.get("scorers"))))
        said = [*said, {"role": "assistant", "content": _content(given.output)}]
    whole = attrs.evolve(row, input=said[:-1])
    outputs = tuple(turn.answered.output for turn in turns)
    return Conversation(whole, tuple(turns), attrs.evolve(given, turns=outputs))


def _content(output: object) -> object:
    if isinstance(output, str):
        return output
    from json import dumps

    try:
        return dumps(unstructure(output), ensure_ascii=False)
    except (TypeError, ValueError):
        return str(output)


def _scorers(given: object) -> frozenset[str] | None:
    return frozenset(map(str, given)) if _is_list(given) else None


def _is_list(given: object) -> TypeIs[list[object] | tuple[object, ...]]:
    return isinstance(given, (list, tuple))
