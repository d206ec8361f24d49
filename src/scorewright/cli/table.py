"""What every table of the command line is made of. Texts of files, models and users are shown, never interpreted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

LISTED = 20
_BARS = "▁▂▃▄▅▆▇█"
NONE = "—"
_WIDTH = 100  # where there is no terminal to ask
_MOST_SAID = 300
_PLAIN_BELOW = 10_000


def shown(text: str, most: int = _MOST_SAID, /) -> str:
    r"""A text that cannot move the cursor, change colours or turn the line round; cut short.

    >>> shown("\x1b[31mred\u202e\n")
    '\\x1b[31mred\\u202e\\n'
    """
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in cut)


def console_on(file: TextIO, /) -> Console:
    """A console that takes text as it is: no markup, no emoji codes, no highlighting."""
    from rich.console import Console

    terminal = file.isatty()
    width = None if terminal or os.environ.get("COLUMNS", "").isdecimal() else _WIDTH
    return Console(file=file, markup=False, emoji=False, highlight=False, width=width)


def complain(message: str, /) -> None:
    """One line on stderr."""
    from rich.text import Text

    console_on(sys.stderr).print(Text.assemble(("scorewright: ", "bold red"), shown(message, 2_000)), soft_wrap=True)


def bars(counts: Sequence[int], /) -> Text:
    """A histogram in one line."""
    from rich.text import Text

    most = max(counts)
    if not most:
        return Text(NONE, "dim")
    drawn = (" " if not count else _BARS[max(count * len(_BARS) // most - 1, 0)] for count in counts)
    return Text.assemble(("▕", "dim"), ("".join(drawn), "cyan"), ("▏", "dim"))


def columns_of(*names: str, right: Iterable[str] = ()) -> Table:
    """A table without lines, its columns named."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim", padding=(0, 1, 0, 0))
    for name in names:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table


def titled(title: str, table: Table, more: int, style: str = "bold red") -> Iterator[RenderableType]:
    """A table under a title, and how many more there are."""
    from rich.text import Text

    yield Text(title, style)
    yield table
    if more > 0:
        yield Text(f"… and {more} more", "dim")


def counted(count: int, name: str, /) -> str:
    """A number of things.

    >>> counted(1, "row"), counted(2, "row")
    ('1 row', '2 rows')
    """
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def number(value: float, /) -> str:
    """Two decimals; of a very large number, three digits.

    >>> number(0.5), number(123456.0)
    ('0.50', '1.23e+05')
    """
    return f"{value:.2f}" if abs(value) < _PLAIN_BELOW else f"{value:.3g}"
