"""The summary as a person reads it. Whatever comes from files, models and users is shown, never interpreted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from scorewright.cli.summary import Gate, Summary, Tally

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

LISTED = 20
_BARS = "▁▂▃▄▅▆▇█"
_BINS = 10
_NUMBERS = ("min", "median", "max")
_NONE = "—"
_WIDTH = 100  # where there is no terminal to ask
_MOST_SAID = 300
_MOST_NAMED = 60
_MOST_REASON = 120
_PLAIN_BELOW = 10_000


def shown(text: str, most: int = _MOST_SAID, /) -> str:
    r"""A text that cannot move the cursor, change colours or turn the line round; cut short.

    >>> shown("\x1b[31mred\u202e\n")
    '\\x1b[31mred\\u202e\\n'
    """
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in cut)


def print_summary(summary: Summary, gates: Sequence[Gate], file: TextIO, /) -> None:
    """Scorers, gates, the lowest scores, failures, broken lines."""
    console = console_on(file)
    with console.capture() as captured:  # rich would end the process when nobody reads any more
        for part in _parts(summary, gates):
            console.print()
            console.print(part)
        console.print()
    file.write(captured.get())


def _parts(summary: Summary, gates: Sequence[Gate]) -> Iterator[RenderableType]:
    from rich.console import Group

    yield _heading(summary)
    yield _scorers(summary)
    if gates:
        yield Group(*(_gate(gate, [*summary.tallies.values()]) for gate in gates))
    if any(tally.lowest for tally in summary.tallies.values()):
        yield _lowest(summary)
    if summary.failures:
        yield Group(*_titled("failed", summary.n_failed, _failures(summary)))
    if summary.broken:
        yield Group(*_titled("broken lines, not scored", summary.n_broken, _broken(summary)))


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


def _heading(summary: Summary) -> Text:
    from rich.text import Text

    parts = [counted(summary.n_rows, "row")]
    if summary.n_broken:
        parts.append(counted(summary.n_broken, "broken line"))
    parts.append(counted(len(summary.tallies), "scorer"))
    heading = Text.assemble((shown(summary.source), "bold"), f"  {' · '.join(parts)}")
    return heading.append("  stopped early: not all rows were scored", "bold red") if summary.stopped else heading


def _scorers(summary: Summary) -> Table:
    from rich.text import Text

    table = _columns("scorer", "mean", "coverage", *_NUMBERS, "distribution", right=("mean", *_NUMBERS))
    for tally in summary.tallies.values():
        better = "↑ higher is better" if tally.scorer.better == "higher" else "↓ lower is better"
        name = Text.assemble((shown(tally.scorer.name, _MOST_NAMED), "bold"), "\n", (better, "dim"))
        mean = tally.mean
        spread = tally.spread
        table.add_row(
            name,
            Text(_NONE if mean is None else number(mean), "bold"),
            _coverage(tally, summary.n_broken),
            *(Text(_NONE if spread is None else number(each)) for each in spread or (0.0, 0.0, 0.0)),
            _distribution(tally),
        )
    return table


def _coverage(tally: Tally, n_broken: int) -> Text:
    from rich.text import Text

    whole = tally.n_scored + tally.n_not_scorable + tally.n_failed + n_broken
    coverage = Text(f"{tally.n_scored}/{whole} scored", "" if tally.n_scored == whole else "yellow")
    for count, name, style in (
        (tally.n_not_scorable, "not scorable", "yellow"),
        (tally.n_failed, "failed", "red"),
        (n_broken, "broken", "red"),
    ):
        if count:
            coverage.append(f" · {count} {name}", style)
    return coverage


def _distribution(tally: Tally) -> Text:
    from rich.text import Text

    counts = tally.histogram(_BINS)
    most = max(counts)
    if not most:
        return Text(_NONE, "dim")
    bars = (" " if not count else _BARS[max(count * len(_BARS) // most - 1, 0)] for count in counts)
    return Text.assemble(("▕", "dim"), ("".join(bars), "cyan"), ("▏", "dim"))


def _gate(gate: Gate, tallies: Sequence[Tally]) -> Text:
    from rich.text import Text

    tally = next(tally for tally in tallies if tally.scorer.id == gate.scorer)
    mean = "nothing was scored" if tally.mean is None else f"mean {tally.mean:.6g} over {tally.n_scored} scored"
    verdict = ("gate passed", "bold green") if gate.passes(tallies) else ("gate failed", "bold red")
    return Text.assemble(verdict, f"  {shown(gate.scorer, _MOST_NAMED)}: {mean}, at least {gate.limit:g} wanted")


def _lowest(summary: Summary) -> Table:
    from rich.text import Text

    table = _columns("lowest" if _all_rise(summary) else "worst", "score", "row", "reason", right=("score",))
    for tally in summary.tallies.values():
        for index, low in enumerate(tally.lowest):
            name = "" if index else shown(tally.scorer.id, _MOST_NAMED)
            where = _where(summary, low.line, low.id)
            table.add_row(name, number(low.score), where, Text(shown(low.reason, _MOST_REASON), "dim"))
    return table


def _all_rise(summary: Summary) -> bool:
    return all(tally.scorer.better == "higher" for tally in summary.tallies.values())


def _where(summary: Summary, line: int, id: str | None) -> Text:
    from rich.text import Text

    where = Text(f"{shown(Path(summary.source).name, _MOST_NAMED)}:{line}")
    return where if id is None else where.append(f"  {shown(id, _MOST_NAMED)}", "bold")


def _failures(summary: Summary) -> Table:
    table = _columns("row", "scorer", "step", "why")
    for failed in summary.failures[:LISTED]:
        where = _where(summary, failed.line, failed.id)
        table.add_row(where, shown(failed.scorer, _MOST_NAMED), failed.step, shown(failed.message))
    return table


def _broken(summary: Summary) -> Table:
    table = _columns("line", "why")
    for line in summary.broken[:LISTED]:
        table.add_row(f"{shown(Path(summary.source).name, _MOST_NAMED)}:{line.line}:{line.column}", shown(line.why))
    return table


def _columns(*names: str, right: Iterable[str] = ()) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim", padding=(0, 1, 0, 0))
    for name in names:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    return table


def _titled(title: str, count: int, table: Table) -> Iterator[RenderableType]:
    from rich.text import Text

    yield Text(f"{count} {title}", "bold red")
    yield table
    if count > LISTED:
        yield Text(f"… and {count - LISTED} more", "dim")


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
