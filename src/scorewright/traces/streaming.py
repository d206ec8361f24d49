"""Traces out of a stream of spans: each is handed on when its last span was read, and forgotten.

Where that is, a first look over the raw text tells: it notes where each trace id is named last, which is far cheaper
than parsing. What must be held is one number a trace, and the spans of the traces that have begun and not ended. A
trace whose id the text does not show as such is held to the end, and so is everything where spans are completed by
records that may lie anywhere: logs, and calls that are linked across traces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import TypeVar, final

import attrs

T = TypeVar("T")

_NAMED = re.compile(rb'"trace(?:_?[iI]d|ID)"\s*:\s*"(?:0x)?([^"\\]*)"')
_ANYWHERE = (b'"logRecords"', b'"log_records"', b'"ai.operationId"', b'"observedTimeUnixNano"')
LONGEST_NAME = 256  # of a trace id with its key: what may lie across two chunks of text


@final
@attrs.frozen
class Piece:
    """Some of a stream, parsed, and the place where its text ended."""

    end: int
    document: object


@final
@attrs.frozen
class Ends:
    """Where each trace is named last: the end of the chunk of text in which it is."""

    places: Mapping[str, int]
    never: bool = False

    def of(self, trace: str, /) -> int | None:
        """The place after which nothing of the trace comes; None where that is not known."""
        return None if self.never else self.places.get(trace)


def ends_in(chunks: Iterable[tuple[int, bytes]], /) -> Ends:
    """One look over the text of a file, which comes in chunks, each with the place where it ends."""
    places: dict[bytes, int] = {}
    for place, chunk in chunks:
        if any(mark in chunk for mark in _ANYWHERE):
            return Ends({}, never=True)
        places.update(dict.fromkeys(_NAMED.findall(chunk), place))
    return Ends({name.decode(errors="replace"): place for name, place in places.items()})


def whole_traces(pieces: Iterable[tuple[int, Iterable[tuple[str, T]]]], ends: Ends, /) -> Iterator[list[T]]:
    """The spans of one trace after the other, each as soon as it is complete; the rest at the end.

    What comes in is pieces: where the text of each ended, and its spans with their traces.
    """
    held: dict[str, list[T]] = {}
    waiting: list[tuple[int, int, str]] = []
    begun = 0
    for place, spans in pieces:
        for trace, span in spans:
            own = held.get(trace)
            if own is not None:
                own.append(span)
                continue
            held[trace] = [span]
            begun += 1
            end = ends.of(trace)
            if end is not None:
                heappush(waiting, (end, begun, trace))
        while waiting and waiting[0][0] <= place:
            yield held.pop(heappop(waiting)[2])
    yield from held.values()
