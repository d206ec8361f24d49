"""Options that many commands have, each of one form: whole numbers, rows, files of results, who answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, final

import attrs
from cyclopts import Parameter, Token

from scorewright.cli.usage import Misused

if TYPE_CHECKING:
    from scorewright.cli.answering import Answering


def _whole(_: object, tokens: Sequence[Token]) -> int:
    """Python's own reading: a fraction is no whole number, and is not rounded."""
    given = tokens[0].value
    try:
        return int(given)
    except ValueError:
        raise ValueError(f"it is a whole number, not {given}") from None


def _rows(_: object, tokens: Sequence[Token]) -> str:
    given = tokens[0].value
    if given.startswith("-") and given != "-":
        raise Misused(f"unknown option {given}")
    return given


Whole: TypeAlias = Annotated[int, Parameter(converter=_whole)]
Rows: TypeAlias = Annotated[str, Parameter(allow_leading_hyphen=True, converter=_rows)]  # a file, or - for stdin
OUTPUT: Final = Parameter(name=("--output", "--out"))  # the first is the name, the second is taken too


@Parameter(name="*")
@final
@attrs.frozen(kw_only=True)
class Files:
    """Who answers for the judges, where it is a file.

    Parameters
    ----------
    replay
        Answer every prompt from this transcript; nobody is asked, and what it does not hold fails its row.
    record
        Answer prompts from this transcript where it holds them; ask for the rest, and add it.
    cache
        The same, but one question is asked once, wherever it is asked.
    """

    replay: Path | None = None
    record: Path | None = None
    cache: Path | None = None

    def answering(self, dollars: float | None, calls: int | None, /) -> Answering:
        """With what may be spent."""
        from scorewright.cli.answering import Answering

        return Answering(self.replay, self.record, self.cache, dollars, calls)


NO_FILES: Final = Files()
