"""A dialect: one way to write down agent runs, with how it is recognised and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, TypeAlias, final

import attrs

from scorewright.agents.run import AgentRun
from scorewright.traces.streaming import Ends, Piece

Lines: TypeAlias = Literal["each", "together"]


@final
@attrs.frozen
class Quick:
    """A faster way from text to what a dialect reads, where the text is of the dialect's usual shape; else None.

    `document` takes a whole document. `spans` takes one array, such as a piece of what is cut in a large document.
    `lines` takes so many lines with a document each, and gives one document that says the same.
    """

    document: Callable[[str | bytes], object]
    spans: Callable[[str], list[object] | None]
    lines: Callable[[bytes, int], object]


@final
@attrs.frozen
class Dialect:
    """A name, what it looks for in words, and two functions over one parsed document.

    `detect` is cheap, total and exclusive: it looks for marks that no other dialect has. `read` yields the runs of the
    document; it never raises on content, and records every loss as a gap. `lines` says what a file of JSON lines is:
    "each" line a document, or all of them "together" one document, a list.
    `stream` reads a document that comes in pieces, such as these lines, and need not hold them all. `quick` is used
    while the dialect is the first that is tried, so that no other sees what it makes.
    """

    name: str
    looks_for: str
    detect: Callable[[object], bool] = attrs.field(repr=False)
    read: Callable[[object], Iterator[AgentRun]] = attrs.field(repr=False)
    lines: Lines = "each"
    stream: Callable[[Iterable[Piece], Ends], Iterator[AgentRun]] | None = attrs.field(default=None, repr=False)
    quick: Quick | None = attrs.field(default=None, repr=False)
