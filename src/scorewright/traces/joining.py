"""Tool results and their calls brought together: by id, then by name and arguments, then by order.

Readers hand over what they read, in order: calls as invocations in messages of the assistant, results as invocations in
messages of the role "tool". What comes back has each result inside its call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import final

import attrs

from scorewright.agents.extract import as_json
from scorewright.agents.messages import Message, Part, Text
from scorewright.agents.run import Gap
from scorewright.agents.tools import JoinedBy, ToolInvocation
from scorewright.traces.gaps import gap

_WAITING = {"call", "partial_call", "approval_requested"}


@final
class Calls:
    """The calls of a conversation that still wait for their results, in the order in which they were made."""

    def __init__(self) -> None:
        self.parts: list[Sequence[Part]] = []
        self.made: list[tuple[tuple[int, int], str, bool]] = []  # each call: its place, its name, and was it asked for?
        self.sorted: int = 0  # how many of these are in what follows: most results are found by id
        self.by_id: dict[str, deque[tuple[int, int]]] = {}
        self.by_name: dict[str, deque[tuple[int, int]]] = {}
        self.all_by_name: dict[str, list[tuple[int, int]]] = {}
        self.by_args: dict[tuple[str, str], deque[tuple[int, int]]] = {}
        self.unread: deque[tuple[int, int]] = deque()  # whose arguments are not in `by_args` yet
        self.in_order: deque[tuple[int, int]] = deque()
        self.changed: dict[int, list[Part]] = {}
        self.ran: dict[str, list[tuple[int, int]]] = {}  # the calls whose tools were seen to run, by name
        self.answered: dict[str, tuple[int, int]] = {}

    def add(self, parts: Sequence[Part], /, *, asked: bool = True) -> None:
        """One more message: of an agent, which asked for what it calls, or of a tool that ran unasked."""
        row = len(self.parts)
        self.parts.append(parts)
        if len(parts) == 1 and isinstance(parts[0], Text):
            return
        for column, part in enumerate(parts):
            if isinstance(part, ToolInvocation):
                place = (row, column)
                if part.state not in _WAITING:
                    self.answered.setdefault(part.id, place)
                    continue
                same = self.by_id.get(part.id)
                if same is None:
                    self.by_id[part.id] = deque((place,))
                else:
                    same.append(place)
                self.made.append((place, part.name, asked))

    def _sort(self) -> None:
        """Sort the calls made since it was last done."""
        for place, name, asked in self.made[self.sorted :]:
            self.by_name.setdefault(name, deque()).append(place)
            if asked:
                self.all_by_name.setdefault(name, []).append(place)
            self.in_order.append(place)
            self.unread.append(place)
        self.sorted = len(self.made)

    def at(self, place: tuple[int, int], /) -> ToolInvocation | None:
        """The call at a place, while it waits."""
        part = self.parts[place[0]][place[1]]
        return part if isinstance(part, ToolInvocation) and part.state in _WAITING else None

    def answer(self, result: ToolInvocation, /) -> bool:
        """Put a result into its call. False where no call waits for it; a result that was told before counts as put."""
        if result.id and result.id in self.by_id:
            place = self._first(self.by_id[result.id])
            if place is not None:
                self._put(place, result, "id")
                return True
        if result.id and result.id in self.answered:
            self._complete(self.answered[result.id], result)
            return True
        self._sort()
        place = self._by_name(result) if result.name else None
        if place is not None:
            self._put(place, result, "name")
            return True
        place = self._first(self.in_order) if not result.id and not result.name else None
        if place is None:
            return False
        self._put(place, result, "order")
        return True

    def answer_late(self, results: Sequence[ToolInvocation], /) -> set[int]:
        """Put results that no call waited for, now that all are known; which of them found their place.

        Tools that were seen to run under ids of their own belong to the calls of their name, where there are as many of
        these as of those. What a tool was seen to give may be told again by the next call, under another id.
        """
        self._sort()
        placed = set[int]()
        by_name: dict[str, list[int]] = {}
        for at, result in enumerate(results):
            if result.joined_by == "span_only" and result.name:
                by_name.setdefault(result.name, []).append(at)
        for name, ran in by_name.items():
            unseen = [place for place in self.all_by_name.get(name, ()) if place not in self.ran.get(name, ())]
            if len(unseen) == len(ran):
                for at, place in zip(ran, unseen, strict=True):
                    self._see(place, results[at])
                    placed.add(at)
        for at, result in enumerate(results):
            if at not in placed and result.joined_by != "span_only" and self._is_repeat(result):
                placed.add(at)
        return placed

    def _see(self, place: tuple[int, int], ran: ToolInvocation) -> None:
        """A call whose tool was seen to run; what it gave is kept where it was told already."""
        call = self.parts[place[0]][place[1]]
        if self.at(place) is not None:
            self._put(place, ran, "order")
        elif isinstance(call, ToolInvocation):
            seen = attrs.evolve(call, started_at=ran.started_at, ended_at=ran.ended_at, error=ran.error or call.error)
            self._set(place, attrs.evolve(seen, state="error") if ran.failed else seen)

    def _is_repeat(self, result: ToolInvocation) -> bool:
        """Does a call that was seen to run have this result, whatever ids the two go by?"""
        if not result.result_present or result.result in (None, "", {}):
            return False
        places = self.ran.get(result.name, ()) if result.name else (p for ps in self.ran.values() for p in ps)
        calls = (self.parts[row][column] for row, column in places)
        return any(isinstance(call, ToolInvocation) and call.result == result.result for call in calls)

    def _complete(self, place: tuple[int, int], again: ToolInvocation) -> None:
        """A result that is told a second time gives what the first telling left out."""
        call = self.parts[place[0]][place[1]]
        if isinstance(call, ToolInvocation) and again.result_present and not call.result_present:
            self._set(place, attrs.evolve(call, result=again.result, result_present=True))

    def _by_name(self, result: ToolInvocation) -> tuple[int, int] | None:
        """A call of this name: one with the same arguments if there is, else the first, unless the ids contradict."""
        if result.args:
            self._read_arguments()
            place = self._first(self.by_args.get((result.name, as_json(result.args)), deque()))
            if place is not None:
                return place
        place = self._first(self.by_name.get(result.name, deque()))
        call = None if place is None else self.at(place)
        return None if call is None or (call.id and result.id) else place

    def _read_arguments(self) -> None:
        while self.unread:
            place = self.unread.popleft()
            call = self.at(place)
            if call is not None:
                self.by_args.setdefault((call.name, as_json(call.args)), deque()).append(place)

    def _first(self, places: deque[tuple[int, int]]) -> tuple[int, int] | None:
        while places and self.at(places[0]) is None:
            places.popleft()
        return places[0] if places else None

    def _set(self, place: tuple[int, int], call: ToolInvocation) -> None:
        row, column = place
        own = self.changed.get(row)
        if own is None:
            self.parts[row] = own = self.changed[row] = list(self.parts[row])
        own[column] = call

    def _put(self, place: tuple[int, int], result: ToolInvocation, joined_by: JoinedBy) -> None:
        call = self.at(place)
        if call is None:
            return
        if result.id or call.id:
            self.answered[result.id or call.id] = place
        self._set(place, merged(call, result, joined_by))
        if result.joined_by == "span_only":
            self.ran.setdefault(call.name or result.name, []).append(place)


def merged(call: ToolInvocation, result: ToolInvocation, joined_by: JoinedBy, /) -> ToolInvocation:
    """A call with its result. What the result says for itself wins over what the call said, unless it says nothing."""
    told = result.args not in ({}, None, "")
    return ToolInvocation(  # written out, as `evolve` costs five times as much
        call.name or result.name,
        result.args if told else call.args,
        result.result,
        result.result_present,
        result.state if result.state not in {"call", "partial_call"} else call.state,
        call.id or result.id,
        result.args_raw if told else call.args_raw,
        result.error or call.error,
        result.kind if result.kind != "function" else call.kind,
        result.server or call.server,
        result.agent_name or call.agent_name,
        result.started_at if result.started_at is not None else call.started_at,
        result.ended_at if result.ended_at is not None else call.ended_at,
        joined_by,
    )


def served(parts: Sequence[Part], /) -> tuple[Part, ...]:
    """The parts with what the provider's own tools gave back inside the calls before, which may have no ids."""
    kept: list[Part] = []
    for part in parts:
        if isinstance(part, ToolInvocation) and part.result_present:
            at = next((n for n in range(len(kept) - 1, -1, -1) if _waits_for(kept[n], part)), None)
            call = kept[at] if at is not None else None
            if at is not None and isinstance(call, ToolInvocation):
                kept[at] = merged(call, part, "id" if part.id else "order")
                continue
        kept.append(part)
    return tuple(kept)


def _waits_for(call: Part, result: ToolInvocation) -> bool:
    """Is it the call of a result: under one id, and of one name where both have one?"""
    same = isinstance(call, ToolInvocation) and call.state == "call" and call.id == result.id
    return same and isinstance(call, ToolInvocation) and result.name in {"", call.name}


def timed(call: ToolInvocation, start: int | None, end: int | None, /) -> ToolInvocation:
    """A call that was seen to run, with when it ran."""
    if call.joined_by == "span_only":
        return call
    c = call
    said = (c.name, c.args, c.result, c.result_present, c.state, c.id, c.args_raw, c.error, c.kind, c.server)
    return ToolInvocation(*said, c.agent_name, start, end, "span_only")


def placed(message: Message, at: int | None, parts: Iterable[Part] | None = None, /) -> Message:
    """The message at a place, perhaps with other parts. Written out, as `evolve` costs five times as much."""
    m = message
    held = m.parts if parts is None else tuple(parts)
    return Message(m.role, held, m.id, m.name, m.created_at, m.finish_reason, m.agent_name, at)


def folded(messages: Sequence[Message], notes: list[Gap], /) -> tuple[Message, ...]:
    """The messages with every result inside its call; results without a call stay, as messages of the role "tool".

    Each has its place among those that were given.
    """
    calls = Calls()
    kept: list[tuple[int, Message]] = []
    late = False
    for at, message in enumerate(messages):
        parts = message.parts
        if message.role == "tool":
            parts = tuple([part for part in parts if not (isinstance(part, ToolInvocation) and calls.answer(part))])
            if not parts:
                continue
            late = True
            message = attrs.evolve(message, parts=parts)  # noqa: PLW2901 - what stays of it
        kept.append((at, message))
        calls.add(parts, asked=message.role != "tool")
    if late:
        _give_late(calls, kept, notes)
    notes.extend(_unanswered(calls))
    return tuple(
        placed(message, at, calls.parts[row] if row in calls.changed else None)
        for row, (at, message) in enumerate(kept)
        if message.role != "tool" or calls.parts[row]
    )


def _give_late(calls: Calls, kept: Sequence[tuple[int, Message]], notes: list[Gap]) -> None:
    """Try the results that stayed alone once more; those that have no call are told as such."""
    rows = [row for row, (_, message) in enumerate(kept) if message.role == "tool"]
    alone = [(row, part) for row in rows for part in kept[row][1].parts if isinstance(part, ToolInvocation)]
    given = calls.answer_late([part for _, part in alone])
    left: dict[int, list[Part]] = {
        row: [part for part in kept[row][1].parts if not isinstance(part, ToolInvocation)] for row in rows
    }
    for at, (row, part) in enumerate(alone):
        if at in given:
            continue
        if part.joined_by != "span_only":
            notes.append(gap("result_without_call", part.id or part.name))
        left[row].append(_alone(part))
    for row, parts in left.items():
        calls.parts[row] = calls.changed[row] = parts


def _alone(part: Part) -> Part:
    if isinstance(part, ToolInvocation) and part.joined_by == "together":
        return attrs.evolve(part, joined_by="part_only")
    return part


def _unanswered(calls: Calls) -> Iterable[Gap]:
    """The calls that the conversation passed over: it went on, and their results were not told."""
    for parts in calls.parts[:-1]:
        for part in parts:
            if isinstance(part, ToolInvocation) and part.state == "call":
                yield gap("call_without_result", part.id or part.name)
