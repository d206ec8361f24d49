"""How much work a scorer may be, for formulas whose cost grows with the product of two lengths."""

from __future__ import annotations

from typing import final

import attrs
from returns.result import Result

from scorewright.faults import Fault
from scorewright.library.defining import expect_whole
from scorewright.results import err, ok

CELLS = 20_000_000_000


@final
@attrs.frozen
class TooLong(Fault):
    """Two texts are too long to be compared: their lengths, and the most that their product may be."""

    first: int
    second: int
    most_cells: int

    def described(self) -> str:
        """How long they are, and what to do about it."""
        return (
            f"Texts of {self.first:,} and {self.second:,} make more than {self.most_cells:,} cells: raise most_cells=."
        )


def within(first: int, second: int, most_cells: int, /) -> Result[None, TooLong]:
    """Nothing, unless the product of the lengths is over the limit."""
    return err(TooLong(first, second, most_cells)) if first * second > most_cells else ok(None)


def expect_cells(given: object, call: str, /) -> None:
    """Raise unless it is a limit."""
    expect_whole(given, f"{call}(…, most_cells=…)", least=1)
