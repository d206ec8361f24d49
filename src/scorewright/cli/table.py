"""The summary as a person reads it. Whatever comes from files, models and users is shown, never interpreted."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import attrs

from scorewright.cli.gates import Gate
from scorewright.cli.summary import Failed, Summary, Tally

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
_UNBOUNDED = 10_000
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
    """Scorers, gates, the lowest scores, failures, broken lines, runs that are not scorable."""
    console = console_on(file)
    with console.capture() as captured:  # rich would end the process when nobody reads any more
        for part in _parts(summary, gates, console):
            console.print()
            console.print(part)
        console.print()
    file.write(captured.get())


def _parts(summary: Summary, gates: Sequence[Gate], console: Console) -> Iterator[RenderableType]:
    from rich.console import Group

    yield _heading(summary)
    scorers = _scorers(summary, drawn=True)
    width = console.measure(scorers, options=console.options.update(max_width=_UNBOUNDED)).maximum
    yield scorers if width <= console.width else _scorers(summary, drawn=False)
    if gates:
        yield Group(*(_gate(gate, [*summary.tallies.values()]) for gate in gates))
    if any(tally.lowest for tally in summary.tallies.values()):
        yield _lowest(summary)
    if summary.failures:
        yield Group(*_failures(summary))
    if summary.broken:
        title = f"{counted(summary.n_broken, 'broken line')}, not scored"
        yield Group(*titled(title, _broken(summary), summary.n_broken - LISTED))
    if summary.reasons:
        yield Group(*_unscored(summary))


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

    parts = [counted(summary.n_rows, summary.unit)]
    if summary.n_broken:
        parts.append(counted(summary.n_broken, "broken line"))
    parts.append(counted(len(summary.tallies), "scorer"))
    heading = Text.assemble((shown(summary.source), "bold"), f"  {' · '.join(parts)}")
    return heading.append("  stopped early: not all rows were scored", "bold red") if summary.stopped else heading


def _scorers(summary: Summary, *, drawn: bool) -> Table:
    from rich.text import Text

    names = ["scorer", "mean", "coverage", *_NUMBERS, *(["distribution"] if drawn else [])]
    table = columns_of(*names, right=("mean", *_NUMBERS))
    for tally in summary.tallies.values():
        scorer = tally.scorer
        name = Text(shown(scorer.id, _MOST_NAMED), "bold")
        if scorer.name != scorer.id:
            name.append(f"\n{shown(scorer.name, _MOST_NAMED)}", "not bold")
        if scorer.better == "lower":
            name.append("\n↓ lower is better", "not bold dim")
        mean = tally.mean
        spread = tally.spread
        table.add_row(
            name,
            Text(_NONE if mean is None else number(mean), "bold"),
            _coverage(tally, summary.n_broken),
            *(Text(_NONE if spread is None else number(each)) for each in spread or (0.0, 0.0, 0.0)),
            *([_distribution(tally)] if drawn else []),
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
    return bars(tally.histogram(_BINS))


def bars(counts: Sequence[int], /) -> Text:
    """A histogram in one line."""
    from rich.text import Text

    most = max(counts)
    if not most:
        return Text(_NONE, "dim")
    drawn = (" " if not count else _BARS[max(count * len(_BARS) // most - 1, 0)] for count in counts)
    return Text.assemble(("▕", "dim"), ("".join(drawn), "cyan"), ("▏", "dim"))


def _gate(gate: Gate, tallies: Sequence[Tally]) -> Text:
    from rich.text import Text

    tally = next(tally for tally in tallies if tally.scorer.id == gate.scorer)
    mean = "nothing was scored" if tally.mean is None else f"mean {tally.mean:.6g} over {tally.n_scored} scored"
    bound = "least" if gate.way == "under" else "most"
    verdict = ("gate passed", "bold green") if gate.passes(tallies) else ("gate failed", "bold red")
    return Text.assemble(verdict, f"  {shown(gate.scorer, _MOST_NAMED)}: {mean}, at {bound} {gate.limit:g} wanted")


def _lowest(summary: Summary) -> Table:
    from rich.text import Text

    table = columns_of("lowest" if _all_rise(summary) else "worst", "score", "row", "reason", right=("score",))
    for tally in summary.tallies.values():
        for index, low in enumerate(tally.lowest):
            name = "" if index else shown(tally.scorer.id, _MOST_NAMED)
            where = _where(summary, low.line, low.id)
            table.add_row(name, number(low.score), where, Text(shown(low.reason or "", _MOST_REASON), "dim"))
    return table


def _all_rise(summary: Summary) -> bool:
    return all(tally.scorer.better == "higher" for tally in summary.tallies.values())


def _where(summary: Summary, line: int | None, id: str | None) -> Text:
    from rich.text import Text

    name = shown(Path(summary.source).name, _MOST_NAMED)
    where = Text(name if line is None else f"{name}:{line}")
    return where if id is None else where.append(f"  {shown(id, _MOST_NAMED)}", "bold")


def _failures(summary: Summary) -> Iterator[RenderableType]:
    """A row that fails several scorers in the same way is told once."""
    alike: dict[tuple[int | None, str | None, str, str], list[Failed]] = {}
    for failed in summary.failures:
        alike.setdefault((failed.line, failed.id, failed.step, failed.message), []).append(failed)
    told = [*alike.values()][:LISTED]
    table = columns_of("row", "scorer", "step", "why")
    for group in told:
        first = group[0]
        names = ", ".join(shown(failed.scorer, _MOST_NAMED) for failed in group)
        where = _where(summary, first.line, first.id)
        table.add_row(where, names, shown(first.step, _MOST_NAMED), shown(first.message))
    yield from titled(f"{summary.n_failed} failed", table, summary.n_failed - sum(map(len, told)))


def _unscored(summary: Summary) -> Iterator[RenderableType]:
    """Reason by reason, with the first runs of each."""
    from rich.text import Text

    table = columns_of("row", "scorer", "why")
    told = [*summary.reasons.items()][:LISTED]
    for (scorer, why), reason in told:
        for index, run in enumerate(reason.first):
            names = ("", "") if index else (shown(scorer, _MOST_NAMED), shown(why))
            table.add_row(_where(summary, run.line, run.id), *names)
        if reason.count > len(reason.first):
            table.add_row(Text(f"… and {reason.count - len(reason.first)} more", "dim"), "", "")
    rest = summary.n_not_scorable - sum(reason.count for _, reason in told)
    yield from titled(f"{summary.n_not_scorable} not scorable", table, rest, "bold yellow")


def _broken(summary: Summary) -> Table:
    table = columns_of("line", "why")
    for line in summary.broken[:LISTED]:
        place = attrs.evolve(line.place, file=Path(summary.source).name)
        table.add_row(shown(str(place)), shown(line.why))
    return table


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
